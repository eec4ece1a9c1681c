import { createHash, randomBytes } from 'node:crypto';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';
import { writeCookie } from './cookies.ts';

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
