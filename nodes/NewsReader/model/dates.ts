import { toText } from '../../runtime/values';

/** ISO 8601 with zone of Unix seconds, as a number or a text; null if there are none. */
export function isoFromSeconds(seconds: unknown): string | null {
	const value = typeof seconds === 'object' ? NaN : Number(seconds);
	if (seconds === null || seconds === undefined || seconds === '' || !Number.isFinite(value)) return null;
	const date = new Date(value * 1000);
	return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** A moment written as `YYYY-MM-DD HH:MM:SS`, which the service means as UTC. */
export function isoFromUtc(written: unknown): string | null {
	const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})/.exec(toText(written ?? ''));
	return match ? `${match[1]}T${match[2]}.000Z` : null;
}
