import { randomInt } from 'node:crypto';

const characters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Generates a code that is not `taken`, from characters that are easy to distinguish. */
export function newCode(taken: (code: string) => boolean): string {
	for (;;) {
		const code = Array.from({ length: 7 }, () => characters[randomInt(characters.length)]).join('');
		if (!taken(code)) return code;
	}
}
