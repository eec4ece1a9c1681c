import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** A sixteenth of Node's default cost, because clients may log in often and logins block the sandbox. */
const COST = 1024;

/** A salted scrypt hash with its cost, for storage. */
export function hashPassword(password: string): string {
	const salt = randomBytes(16);
	const key = scryptSync(password, salt, 32, { cost: COST });
	return `${salt.toString('base64url')}.${key.toString('base64url')}.${COST}`;
}

export function isPassword(password: string, hash: string): boolean {
	// Data files of version 0.1 have no cost: they use Node's default.
	const [salt = '', key = '', cost = '16384'] = hash.split('.');
	const expected = Buffer.from(key, 'base64url');
	const given = scryptSync(password, Buffer.from(salt, 'base64url'), expected.length, { cost: Number(cost) });
	return timingSafeEqual(given, expected);
}
