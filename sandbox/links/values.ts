import { randomInt } from 'node:crypto';
import type { LinkContext } from './context.ts';

/** `YYYY-MM-DD HH:MM:SS` in UTC, as in the contract's records. */
export function timestamp(milliseconds: number): string {
	return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

/** Parses `YYYY-MM-DD HH:MM:SS` in UTC to epoch milliseconds; NaN if it is invalid. */
export function parseTimestamp(text: string): number {
	if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return NaN;
	const milliseconds = Date.parse(`${text.replace(' ', 'T')}Z`);
	return !Number.isNaN(milliseconds) && timestamp(milliseconds) === text ? milliseconds : NaN;
}

/** The day of a timestamp, as in channel items. */
export function dayOf(text: string): string {
	return text.slice(0, 10);
}

const characters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Generates a code that is not `taken`, from characters that are easy to distinguish. */
export function newCode(taken: (code: string) => boolean): string {
	for (;;) {
		const code = Array.from({ length: 7 }, () => characters[randomInt(characters.length)]).join('');
		if (!taken(code)) return code;
	}
}

/** The name of a campaign or channel as the service stores it: hosts in use store it In Title Case. */
export function keptName(context: LinkContext, name: string): string {
	const trimmed = name.trim();
	if (!context.isReal) return trimmed;
	return trimmed.replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
}
