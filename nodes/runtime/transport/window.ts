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

const numeric = (value: unknown): number | undefined => {
	const written = String(value ?? '').trim();
	return /^-?\d+(\.\d+)?$/.test(written) ? Number(written) : undefined;
};

/** The longest plausible window, 31 days. A later reset time is in an unknown format. */
const LONGEST_WINDOW_MS = 31 * 24 * 3600 * 1000;
/** Without a Date header, the clocks can't be compared, so a later reset time may be a clock error. */
const LONGEST_UNVERIFIED_MS = 120_000;

const plausible = (duration: number): number | undefined =>
	duration <= LONGEST_WINDOW_MS ? duration : undefined;

/** The window that the headers report, if it is not over; `now` in epoch milliseconds. */
export function parseRateLimitHeaders(headers: Headers, now: number): ReportedWindow | undefined {
	const remaining = numeric(headers['x-ratelimit-remaining']);
	const resetIn = parseReset(headers, now);
	if (remaining === undefined || resetIn === undefined || resetIn <= 0) return undefined;
	return { limit: numeric(headers['x-ratelimit-limit']), remaining, resetIn };
}

/** Smaller numbers are epoch seconds, larger ones epoch milliseconds. */
const EARLIEST_MILLISECONDS = 1e11;
/** Smaller numbers are seconds left. */
const EARLIEST_EPOCH_SECONDS = 1e8;

/** Milliseconds until the reset. Hosts send it as epoch seconds, epoch milliseconds, seconds left, or a date. */
export function parseReset(headers: Headers, now: number): number | undefined {
	const value = numeric(headers['x-ratelimit-reset']);
	if (value === undefined)
		return untilDate(Date.parse(String(headers['x-ratelimit-reset'] ?? '')), headers, now);
	if (value < 0) return undefined;
	if (value < EARLIEST_EPOCH_SECONDS) return plausible(value * 1000);
	return untilDate(value >= EARLIEST_MILLISECONDS ? value : value * 1000, headers, now);
}

/** Milliseconds to wait according to a Retry-After header, which contains seconds or a date. */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
	const seconds = numeric(headers['retry-after']);
	if (seconds === undefined) return untilDate(Date.parse(String(headers['retry-after'] ?? '')), headers, now);
	return seconds < 0 ? undefined : plausible(seconds * 1000);
}

/** Milliseconds until a moment of the server's clock. The Date header shows how far it differs from ours. */
function untilDate(moment: number, headers: Headers, now: number): number | undefined {
	if (Number.isNaN(moment)) return undefined;
	const ahead = Date.parse(String(headers.date ?? '')) - now;
	// Smaller differences come from rounding to whole seconds.
	const duration = plausible(moment - now - (Math.abs(ahead) > 2000 ? ahead : 0));
	return Number.isNaN(ahead) && duration !== undefined ? Math.min(duration, LONGEST_UNVERIFIED_MS) : duration;
}
