import type { Headers } from '../exchange';

// The window of a rate limit: what answers tell of it, when it ends, and which part of it is this process's.

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

/** Another process that knows only what was told comes late to every window; so often it comes as early as this one. */
const AS_TOLD_EVERY_MS = 120_000;

/**
 * Where reset times are told in whole seconds, a window ends up to one second earlier: a tenth of a window of ten.
 * Its length tells when, if it began with the first request in it.
 */
export class WindowEnd {
	/** How long windows are, in whole seconds. */
	private atLeast = 0;
	private atMost = Infinity;
	private formerReset?: number;
	/** When a window began that was given the time it was told. */
	private asToldAt = 0;

	/** Learns from the first answer in a window, and when that was asked for; `isFirst`: no request came before. */
	opened({ resetAt, rounded }: Told, sentAt: number, answeredAt: number, isFirst: boolean): void {
		const seconds = (moment: number): number => (rounded ? Math.floor((resetAt - moment) / 1000) : 0);
		this.atLeast = Math.max(this.atLeast, seconds(answeredAt));
		if (isFirst) this.atMost = Math.min(this.atMost, seconds(sentAt));
		if (this.formerReset)
			this.atMost = Math.min(this.atMost, Math.round((resetAt - this.formerReset) / 1000));
		this.formerReset = resetAt;
	}

	/** Learns that a window went on until it was told to: they don't begin with a request, or aren't of whole seconds. */
	wentOn(): void {
		this.atMost = 0;
	}

	/** Epoch milliseconds of a window's end, by when the first answer in it came. */
	of({ resetAt }: Told, firstAt: number): number {
		const isKnown = this.atLeast > 0 && this.atLeast === this.atMost;
		if (!isKnown || firstAt - this.asToldAt > AS_TOLD_EVERY_MS) {
			this.asToldAt = firstAt;
			return resetAt;
		}
		return Math.min(resetAt, Math.max(resetAt - 1000, firstAt + this.atLeast * 1000));
	}
}

/** What one process knows of the service's window, by the headers of its own answers. */
export interface Window {
	/** How many requests it allows, if the service tells. */
	limit: number | undefined;
	/** How many are left, by the last answer. */
	remaining: number;
	/** Epoch milliseconds of the first answer in it, of its end as told, and of its end as far as we know. */
	firstAt: number;
	told: number;
	endsAt: number;
	/** How many requests of this process were served in it. */
	mine: number;
}

/** After so many requests one looks, late in a window, whether others left anything: after twice as many, if it was refused. */
const LOOK_AFTER = 100;
const LOOK_AFTER_AT_MOST = 400;
/** Which part of a window has passed by then. */
const LATE = 0.9;
/** Which part of a window others may take to begin. */
const HALF = 0.5;

const momentIn = ({ firstAt, endsAt }: Window, part: number): number => firstAt + part * (endsAt - firstAt);

/**
 * The part of a window that is this process's where others use the same account: as much as it got of the last one
 * that was used up. The others take theirs likewise, so that together they come to the limit and not over it, though
 * none knows of another. In the first half of a window each may take more, one at a time: so shares even out.
 */
export class Share {
	private size = Infinity;
	private lookAfter = LOOK_AFTER;
	private sinceLook = 0;
	/** The window in which a look found something left. */
	private found?: Window;

	/** Epoch milliseconds from which one more may go beside those in flight; Infinity if none before the next answer. */
	opensAt(window: Window, inFlight: number): number {
		const { limit, remaining, mine } = window;
		if (limit === undefined || this.size === limit) return 0;
		if (this.size === Infinity) return inFlight === 0 || inFlight < firstPart(window) ? 0 : Infinity;
		const isAlone = limit - remaining <= mine + inFlight;
		if (isAlone && mine >= this.size) return 0;
		if (mine + inFlight < this.size - (isAlone ? 1 : 0)) return 0;
		if (inFlight > 0) return Infinity;
		if (mine < this.size) return momentIn(window, HALF);
		if (remaining > limit / 2 || this.found === window) return 0;
		return this.sinceLook < this.lookAfter ? Infinity : momentIn(window, LATE);
	}

	/** Learns that a request was served in this window, or refused. */
	settle(window: Window, served: boolean, now: number): void {
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
		if (!found) this.lookAfter = Math.min(2 * this.lookAfter, LOOK_AFTER_AT_MOST);
		else this.lookAfter = LOOK_AFTER;
		this.sinceLook = 0;
	}
}

/** How many may be in flight before it is known who else is there: twice as many each time, and no more than it got so far. */
const firstPart = ({ limit = 0, remaining, mine }: Window): number =>
	Math.min(mine, Math.floor((remaining * mine) / (limit - remaining)));
