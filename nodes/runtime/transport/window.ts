import type { Headers } from '../http-types';

// The window of a rate limit: what responses report about it, and this process's quota of it.

/** What a response reports about the window in which its request was counted. */
export interface ReportedWindow {
	/** How many requests a window allows; some hosts leave it out. */
	limit?: number;
	remaining: number;
	/** Milliseconds until the window ends. */
	resetIn: number;
}

const numeric = (value: unknown): number | undefined => {
	const written = String(value ?? '').trim();
	return /^-?\d+(\.\d+)?$/.test(written) ? Number(written) : undefined;
};

/** No rate limit has a longer window, in milliseconds (31 days): a later reset has a format we don't know. */
const LONGEST_WINDOW_MS = 31 * 24 * 3600 * 1000;
/** Without a Date header the two clocks can't be compared: a later reset may be an error of either clock. */
const LONGEST_UNVERIFIED_MS = 120_000;

const plausible = (duration: number): number | undefined =>
	duration <= LONGEST_WINDOW_MS ? duration : undefined;

/** The window that the headers report, if it is still open; `now` in epoch milliseconds. */
export function parseRateLimitHeaders(headers: Headers, now: number): ReportedWindow | undefined {
	const remaining = numeric(headers['x-ratelimit-remaining']);
	const resetIn = parseReset(headers, now);
	if (remaining === undefined || resetIn === undefined || resetIn <= 0) return undefined;
	return { limit: numeric(headers['x-ratelimit-limit']), remaining, resetIn };
}

/** Below are epoch seconds, above epoch milliseconds. */
const EARLIEST_MILLISECONDS = 1e11;
/** Below are seconds left. */
const EARLIEST_EPOCH_SECONDS = 1e8;

/** Milliseconds until the reset, which hosts send as epoch seconds, epoch milliseconds, seconds left or a date. */
export function parseReset(headers: Headers, now: number): number | undefined {
	const value = numeric(headers['x-ratelimit-reset']);
	if (value === undefined)
		return untilDate(Date.parse(String(headers['x-ratelimit-reset'] ?? '')), headers, now);
	if (value < 0) return undefined;
	if (value < EARLIEST_EPOCH_SECONDS) return plausible(value * 1000);
	return untilDate(value >= EARLIEST_MILLISECONDS ? value : value * 1000, headers, now);
}

/** Milliseconds that a Retry-After header asks to wait; it holds seconds or a date. */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
	const seconds = numeric(headers['retry-after']);
	if (seconds === undefined) return untilDate(Date.parse(String(headers['retry-after'] ?? '')), headers, now);
	return seconds < 0 ? undefined : plausible(seconds * 1000);
}

/** Milliseconds until a moment by the server's clock, which its Date header compares with ours. */
function untilDate(moment: number, headers: Headers, now: number): number | undefined {
	if (Number.isNaN(moment)) return undefined;
	const ahead = Date.parse(String(headers.date ?? '')) - now;
	// Rounding to whole seconds explains smaller differences.
	const duration = plausible(moment - now - (Math.abs(ahead) > 2000 ? ahead : 0));
	return Number.isNaN(ahead) && duration !== undefined ? Math.min(duration, LONGEST_UNVERIFIED_MS) : duration;
}

/** What this process knows about the service's window. Moments are by the monotonic clock. */
export interface Window {
	/** How many requests it allows, if the service reports it. */
	limit: number | undefined;
	/** How many are left, by the last response. */
	remaining: number;
	firstAt: number;
	endsAt: number;
	/** How many requests of this process were served in it. */
	mine: number;
}

/** After this many requests, look late in a window whether others left anything; after a refusal, twice as many. */
const LOOK_AFTER = 100;
const LOOK_AFTER_AT_MOST = 400;
/** The part of a window after which a look makes sense. */
const LATE = 0.9;
/** The part of a window that others may take to begin. */
const HALF = 0.5;

const momentIn = ({ firstAt, endsAt }: Window, part: number): number => firstAt + part * (endsAt - firstAt);

/**
 * - `unlimited`: the host reports no limit, or this process got all of the last window.
 * - `firstWindow`: no window was used up yet, so there is no quota.
 * - `withinQuota`: part of the quota is left.
 * - `lastOfQuota`: one request is left while nobody else was seen: it is kept for a look at who else is there.
 * - `overQuota`: the quota is used up.
 */
type QuotaState = 'unlimited' | 'firstWindow' | 'withinQuota' | 'lastOfQuota' | 'overQuota';

/**
 * The part of a window that this process takes where other processes use the same account: as much as it got of the
 * last window that was used up. The others do the same, so that together they reach the limit without exceeding it.
 * In the first half of a window each may take more, one request at a time, so that quotas become equal.
 */
export class Quota {
	private size = Infinity;
	private lookAfter = LOOK_AFTER;
	private sinceLook = 0;
	/** The window in which a look found something left. */
	private found?: Window;

	/** When one more request may go besides those in flight; Infinity: not before the next response. */
	opensAt(window: Window, inFlight: number): number {
		switch (this.stateIn(window, inFlight)) {
			case 'unlimited':
			case 'withinQuota':
				return 0;
			case 'firstWindow':
				return inFlight === 0 || inFlight < firstPart(window) ? 0 : Infinity;
			case 'lastOfQuota':
				return inFlight === 0 ? momentIn(window, HALF) : Infinity;
			case 'overQuota':
				return inFlight === 0 ? this.overQuotaAt(window) : Infinity;
		}
	}

	private stateIn({ limit, remaining, mine }: Window, inFlight: number): QuotaState {
		if (limit === undefined || this.size === limit) return 'unlimited';
		if (this.size === Infinity) return 'firstWindow';
		const isAlone = limit - remaining <= mine + inFlight;
		if (isAlone && mine >= this.size) return 'withinQuota';
		if (mine + inFlight < this.size - (isAlone ? 1 : 0)) return 'withinQuota';
		return mine < this.size ? 'lastOfQuota' : 'overQuota';
	}

	private overQuotaAt(window: Window): number {
		const { limit = 0, remaining } = window;
		if (remaining > limit / 2 || this.found === window) return 0;
		return this.sinceLook < this.lookAfter ? Infinity : momentIn(window, LATE);
	}

	/** Learns that a request was served in this window, or refused. */
	finish(window: Window, served: boolean, now: number): void {
		if (served) {
			window.mine += 1;
			this.sinceLook += 1;
		}
		const isLate = now >= momentIn(window, LATE);
		if (isLate && served && window.mine > this.size) this.found = window;
		if (isLate && window.mine >= this.size) this.looked(this.found === window);
		if (!served || window.remaining <= 0) this.size = Math.max(window.mine, 1);
	}

	private looked(found: boolean): void {
		this.lookAfter = found ? LOOK_AFTER : Math.min(2 * this.lookAfter, LOOK_AFTER_AT_MOST);
		this.sinceLook = 0;
	}
}

/** How many may be in flight before it is known who else is there: twice as many each time, and no more than it got so far. */
const firstPart = ({ limit = 0, remaining, mine }: Window): number =>
	Math.min(mine, Math.floor((remaining * mine) / (limit - remaining)));
