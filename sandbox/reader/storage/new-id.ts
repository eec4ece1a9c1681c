import { randomBytes } from 'node:crypto';

/** Identity of a record: 24 hex digits, the first eight of which are the time, so that they sort by it. */
export function newId(now: number): string {
	return (
		Math.floor(now / 1000)
			.toString(16)
			.padStart(8, '0') + randomBytes(8).toString('hex')
	);
}
