import { randomBytes } from 'node:crypto';

/** Generates a record id: 24 hex digits. The first eight are the time, so that ids sort by time. */
export function newId(now: number): string {
	return (
		Math.floor(now / 1000)
			.toString(16)
			.padStart(8, '0') + randomBytes(8).toString('hex')
	);
}
