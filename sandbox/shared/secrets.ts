import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** A salted scrypt hash, for storage. */
export function hashPassword(password: string): string {
	const salt = randomBytes(16);
	return `${salt.toString('base64url')}.${scryptSync(password, salt, 32).toString('base64url')}`;
}

export function isPassword(password: string, hash: string): boolean {
	const [salt = '', key = ''] = hash.split('.');
	const expected = Buffer.from(key, 'base64url');
	return timingSafeEqual(scryptSync(password, Buffer.from(salt, 'base64url'), expected.length), expected);
}
