import type { Reader } from './reader.ts';
import type { UserRow, Queries } from './storage/queries.ts';
import { randomBytes, createHash } from 'node:crypto';
import { hashPassword, isPassword } from '../shared/secrets.ts';

/** All preferences of an account that are set. */
export function preferencesOf(reader: Reader, user: UserRow): Record<string, unknown> {
	const rows = reader.db.all<{ name: string; value: string }>(
		'SELECT name, value FROM reader_preferences WHERE user_id = ? ORDER BY name',
		user.id,
	);
	return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]));
}

/** Sets a preference; the texts `true` and `false` become booleans. */
export function setPreference(reader: Reader, user: UserRow, name: string, text: string): void {
	const value = text === 'true' || text === 'false' ? text === 'true' : text;
	reader.db.run(
		'INSERT INTO reader_preferences VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
		user.id,
		name,
		JSON.stringify(value),
	);
}

export function userById(db: Queries, id: number): UserRow | undefined {
	return db.get<UserRow>('SELECT * FROM reader_users WHERE id = ?', id);
}

export function userByName(db: Queries, nameOrEmail: string): UserRow | undefined {
	return db.get<UserRow>(
		'SELECT * FROM reader_users WHERE username = ?1 OR email = ?1 ORDER BY username = ?1 DESC LIMIT 1',
		nameOrEmail,
	);
}

/** The public account whose data real hosts return to clients without a session. */
export function demoUser(reader: Reader): UserRow {
	const user = reader.db.get<UserRow>('SELECT * FROM reader_users WHERE is_demo = 1');
	if (user === undefined) throw new Error('The demo account is missing from the data file.');
	return user;
}

interface NewUser {
	username: string;
	email: string;
	/** '' for an account without a password. */
	password: string;
	isDemo?: boolean;
}

export function createUser(db: Queries, now: number, given: NewUser): UserRow {
	const { lastId } = db.run(
		`INSERT INTO reader_users (username, email, password_hash, secret_token, is_demo, interactions_seen_at, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		given.username,
		given.email,
		given.password === '' ? null : hashPassword(given.password),
		randomBytes(16).toString('hex'),
		given.isDemo ? 1 : 0,
		now,
		now,
	);
	const user = userById(db, lastId);
	if (user === undefined) throw new Error(`The account ${given.username} was not kept.`);
	return user;
}

type LoginResult = { user: UserRow } | { field: string; problem: string };

/** Finds an account by name or e-mail and checks the password. An account without a password accepts only a blank one. */
export function checkLogin(reader: Reader, name: string, password: string): LoginResult {
	if (name === '') return { field: 'username', problem: 'Please enter a username.' };
	const user = userByName(reader.db, name);
	if (user === undefined) {
		return { field: '__all__', problem: 'That username is not registered. Please try again.' };
	}
	const { password_hash: hash } = user;
	const isRight = hash === null ? password === '' : isPassword(password, hash);
	return isRight ? { user } : { field: '__all__', problem: 'Wrong password. Please try again.' };
}

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
