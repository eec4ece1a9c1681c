import { randomInt } from 'node:crypto';

const characters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A random code that is not `taken`, of characters that are easy to tell apart. */
export function newCode(taken: (code: string) => boolean): string {
	for (;;) {
		const code = Array.from({ length: 7 }, () => characters[randomInt(characters.length)]).join('');
		if (!taken(code)) return code;
	}
}
