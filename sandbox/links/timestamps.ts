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
