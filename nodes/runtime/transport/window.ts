import type { Headers } from '../api-types';

// The window of a rate limit: what responses report about it, and this process's quota of it.

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

/** The current window, as far as this process knows it. Moments are on the monotonic clock. */
export interface Window {
	/** Requests allowed, if the service reports it. */
	limit: number | undefined;
	/** Requests left, according to the last response. */
	remaining: number;
	firstAt: number;
	endsAt: number;
	/** Requests of this process that were served in it. */
	ownServed: number;
}

/**
 * A process that has used its quota sends one more request late in a window, as a probe whether other processes left any
 * requests. It sends a probe after this many requests since the last one. A probe that finds none doubles the number.
 */
const PROBE_AFTER = 100;
const PROBE_AFTER_AT_MOST = 400;
/** The part of a window after which a probe makes sense. */
const LATE = 0.9;
/** The part of a window in which other processes may still start. */
const HALF = 0.5;

const momentIn = ({ firstAt, endsAt }: Window, part: number): number => firstAt + part * (endsAt - firstAt);

/**
 * - `unlimited`: the host reports no limit, or this process got all of the last window.
 * - `firstWindow`: no window was used up yet, so there is no quota.
 * - `withinQuota`: part of the quota is left.
 * - `lastOfQuota`: no other process was seen, and one request is left: it is kept as a probe for others.
 * - `overQuota`: the quota is used up.
 */
type QuotaState = 'unlimited' | 'firstWindow' | 'withinQuota' | 'lastOfQuota' | 'overQuota';

/**
 * This process's quota of a window if other processes use the same account: as many requests as it got in the last
 * exhausted window. The others do the same, so that together they reach the limit without exceeding it. In the first
 * half of a window each may take more, one request at a time, so that the quotas become equal.
 */
export class Quota {
	private size = Infinity;
	private probeAfter = PROBE_AFTER;
	private sinceProbe = 0;
	/** The window in which a probe found requests left. */
	private roomFoundIn?: Window;

	/** The time at which another request may be sent, while others are in flight. Infinity: only after a response. */
	opensAt(window: Window, inFlight: number): number {
		switch (this.stateIn(window, inFlight)) {
			case 'unlimited':
			case 'withinQuota':
				return 0;
			case 'firstWindow':
				return inFlight === 0 || inFlight < inFlightAllowance(window) ? 0 : Infinity;
			case 'lastOfQuota':
				return inFlight === 0 ? momentIn(window, HALF) : Infinity;
			case 'overQuota':
				return inFlight === 0 ? this.overQuotaAt(window) : Infinity;
		}
	}

	private stateIn({ limit, remaining, ownServed }: Window, inFlight: number): QuotaState {
		if (limit === undefined || this.size === limit) return 'unlimited';
		if (this.size === Infinity) return 'firstWindow';
		const isAlone = limit - remaining <= ownServed + inFlight;
		// The last request of the quota was served, and it showed no other process.
		if (isAlone && ownServed >= this.size) return 'withinQuota';
		if (ownServed + inFlight < this.size - (isAlone ? 1 : 0)) return 'withinQuota';
		return ownServed < this.size ? 'lastOfQuota' : 'overQuota';
	}

	private overQuotaAt(window: Window): number {
		const { limit = 0, remaining } = window;
		if (remaining > limit / 2 || this.roomFoundIn === window) return 0;
		return this.sinceProbe < this.probeAfter ? Infinity : momentIn(window, LATE);
	}

	/** Learns whether a request was served in this window or refused. */
	record(window: Window, wasServed: boolean, now: number): void {
		if (wasServed) {
			window.ownServed += 1;
			this.sinceProbe += 1;
		}
		const isLate = now >= momentIn(window, LATE);
		if (isLate && wasServed && window.ownServed > this.size) this.roomFoundIn = window;
		if (isLate && window.ownServed >= this.size) this.noteProbe(this.roomFoundIn === window);
		// The window is exhausted: what this process got of it is its next quota.
		if (!wasServed || window.remaining <= 0) this.size = Math.max(window.ownServed, 1);
	}

	/** Notes a probe, and whether it found requests left. */
	private noteProbe(foundRoom: boolean): void {
		this.probeAfter = foundRoom ? PROBE_AFTER : Math.min(2 * this.probeAfter, PROBE_AFTER_AT_MOST);
		this.sinceProbe = 0;
	}
}

/**
 * How many requests may be in flight before the quota is known: this process's share of the remaining requests, judged
 * by its share of those used so far. At most as many as were served to it so far, so that the number at most doubles.
 */
const inFlightAllowance = ({ limit = 0, remaining, ownServed }: Window): number =>
	Math.min(ownServed, Math.floor((remaining * ownServed) / (limit - remaining)));
