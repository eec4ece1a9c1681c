import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** A sixteenth of Node's default cost, because clients may log in often and logins block the sandbox. */
const COST = 1024;

/** A salted scrypt hash, for storage. */
export function hashPassword(password: string): string {
	const salt = randomBytes(16);
	const key = scryptSync(password, salt, 32, { cost: COST });
	return `${salt.toString('base64url')}.${key.toString('base64url')}`;
}

export function isPassword(password: string, hash: string): boolean {
	const [salt = '', key = ''] = hash.split('.');
	const expected = Buffer.from(key, 'base64url');
	const given = scryptSync(password, Buffer.from(salt, 'base64url'), expected.length, { cost: COST });
	return timingSafeEqual(given, expected);
}
