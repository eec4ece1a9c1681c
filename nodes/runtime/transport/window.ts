import type { Headers } from '../api-types';

// What responses report about the window of a rate limit.

/** The window in which a request was counted, as its response reports it. */
export interface ReportedWindow {
	/** Requests allowed in a window; some hosts don't report it. */
	limit?: number;
	remaining: number;
	/** Milliseconds until the window ends. */
	resetIn: number;
}

/** A number without a sign, as the headers contain it. */
const numeric = (value: unknown): number | undefined => {
	const written = String(value ?? '').trim();
	return /^\d+(\.\d+)?$/.test(written) ? Number(written) : undefined;
};

/** The window that the headers report, if it is not over; `now` in epoch milliseconds. */
export function parseRateLimitHeaders(headers: Headers, now: number): ReportedWindow | undefined {
	const remaining = numeric(headers['x-ratelimit-remaining']);
	const resetIn = parseReset(headers, now);
	if (remaining === undefined || resetIn === undefined || resetIn <= 0) return undefined;
	return { limit: numeric(headers['x-ratelimit-limit']), remaining, resetIn };
}

/** Smaller numbers are seconds left. */
const EARLIEST_EPOCH_SECONDS = 1e8;
/** Larger numbers are epoch milliseconds; those between are epoch seconds. */
const EARLIEST_MILLISECONDS = 1e11;

/** Milliseconds until the reset. Hosts send it as epoch seconds, epoch milliseconds or seconds left. */
export function parseReset(headers: Headers, now: number): number | undefined {
	const value = numeric(headers['x-ratelimit-reset']);
	if (value === undefined) return undefined;
	if (value < EARLIEST_EPOCH_SECONDS) return value * 1000;
	const moment = value < EARLIEST_MILLISECONDS ? value * 1000 : value;
	// The Date header shows how far the server's clock differs from ours. Smaller differences come from rounding.
	const ahead = Date.parse(String(headers.date ?? '')) - now;
	return moment - now - (Math.abs(ahead) > 2000 ? ahead : 0);
}

/** Milliseconds to wait according to a Retry-After header in seconds. A date in it is ignored. */
export function parseRetryAfter(headers: Headers): number | undefined {
	const seconds = numeric(headers['retry-after']);
	return seconds === undefined ? undefined : seconds * 1000;
}
