import type { Headers } from '../exchange';

/** What an answer tells of the window that its request was counted in. */
export interface Told {
	/** How many requests a window allows; hosts may leave it out. */
	limit?: number;
	remaining: number;
	/** Epoch milliseconds by our clock. */
	resetAt: number;
	/** Whether the reset was told in whole seconds: the window may end up to one earlier. */
	rounded: boolean;
}

const numeric = (value: unknown): number | undefined => {
	const written = String(value ?? '').trim();
	return /^-?\d+(\.\d+)?$/.test(written) ? Number(written) : undefined;
};

/** No window of a rate limit is longer, in milliseconds (31 days): a later moment is in a form we don't know. */
const LONGEST_WINDOW_MS = 31 * 24 * 3600 * 1000;

const plausible = (moment: number, now: number): number | undefined =>
	moment - now <= LONGEST_WINDOW_MS ? moment : undefined;

/** What the headers tell of a window that is still open; undefined if they tell of none. */
export function windowTold(headers: Headers, now: number): Told | undefined {
	const remaining = numeric(headers['x-ratelimit-remaining']);
	const resetAt = resetTime(headers, now);
	if (remaining === undefined || resetAt === undefined || resetAt <= now) return undefined;
	const reset = numeric(headers['x-ratelimit-reset']) ?? 0;
	const rounded = Number.isInteger(reset) && reset < EARLIEST_MILLISECONDS;
	return { limit: numeric(headers['x-ratelimit-limit']), remaining, resetAt, rounded };
}

/** Below are seconds since the epoch, as far as anybody plans. */
const EARLIEST_MILLISECONDS = 1e11;

/**
 * Epoch milliseconds of the window's reset. Hosts send epoch seconds, epoch milliseconds, seconds left
 * or a date: the magnitude tells. A server clock that is off is corrected by its Date header.
 */
export function resetTime(headers: Headers, now: number): number | undefined {
	const value = numeric(headers['x-ratelimit-reset']);
	if (value === undefined) return dateIn(headers['x-ratelimit-reset'], headers, now);
	if (value < 0) return undefined;
	if (value < 1e8) return plausible(now + value * 1000, now);
	return plausible((value >= EARLIEST_MILLISECONDS ? value : value * 1000) - skew(headers, now), now);
}

/** How far the server's clock is ahead, in milliseconds; differences that rounding explains are none. */
const skew = (headers: Headers, now: number): number => {
	const ahead = Date.parse(String(headers.date ?? '')) - now;
	return Math.abs(ahead) > 2000 ? ahead : 0;
};

/** Epoch milliseconds of a date that the server wrote, by our clock; undefined if it is none. */
function dateIn(written: unknown, headers: Headers, now: number): number | undefined {
	const date = Date.parse(String(written ?? ''));
	return Number.isNaN(date) ? undefined : plausible(date - skew(headers, now), now);
}

/** Epoch milliseconds that a Retry-After header names: seconds from now, or a date. */
export function retryAfter(headers: Headers, now: number): number | undefined {
	const seconds = numeric(headers['retry-after']);
	if (seconds === undefined) return dateIn(headers['retry-after'], headers, now);
	return seconds < 0 ? undefined : plausible(now + seconds * 1000, now);
}
