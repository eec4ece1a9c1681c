import { createHash, randomBytes } from 'node:crypto';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/queries.ts';

const tenYearsSeconds = 315_360_000;

/** Tokens are stored as hashes, so that the data file gives no access to accounts. */
export function hashToken(token: string): string {
	return createHash('sha256').update(token).digest('hex');
}

function newToken(): string {
	return randomBytes(24).toString('base64url');
}

/** Starts a session. @returns its token */
export function startSession(reader: Reader, user: UserRow): string {
	const token = newToken();
	reader.db.run(
		'INSERT INTO reader_sessions (token_hash, user_id, created_at) VALUES (?, ?, ?)',
		hashToken(token),
		user.id,
		reader.now(),
	);
	return token;
}

export function sessionUser(reader: Reader, token: string): UserRow | undefined {
	return reader.db.get<UserRow>(
		'SELECT users.* FROM reader_sessions JOIN reader_users users ON users.id = user_id WHERE token_hash = ?',
		hashToken(token),
	);
}

export function endSession(reader: Reader, token: string): void {
	reader.db.run('DELETE FROM reader_sessions WHERE token_hash = ?', hashToken(token));
}

/** Ends every session of an account. @returns their number */
export function revokeSessions(reader: Reader, user: UserRow): number {
	return reader.db.run('DELETE FROM reader_sessions WHERE user_id = ?', user.id).changes;
}

/** The Set-Cookie header with a session's token, for ten years, as seen on real hosts. */
export function sessionCookie(reader: Reader, token: string): string {
	return writeCookie(reader.settings.cookieName, token, tenYearsSeconds);
}

export function expiredCookie(reader: Reader): string {
	return writeCookie(reader.settings.cookieName, '', 0);
}

/** A `Set-Cookie` header for the whole host; the value is a token of the sandbox, which needs no encoding. */
function writeCookie(name: string, value: string, maxAgeSeconds: number): string {
	return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax`;
}

/** The value of a cookie in a request's `Cookie` header. */
export function readCookie(header: string, name: string): string | undefined {
	return header
		.split(';')
		.map((pair) => pair.trim())
		.find((pair) => pair.startsWith(`${name}=`))
		?.slice(name.length + 1);
}
