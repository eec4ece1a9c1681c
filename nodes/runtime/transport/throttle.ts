import type { Headers } from '../api-types';
import { clock, SLICE_MS } from '../clock';
import { getOrCreate } from '../values';
import {
	parseRateLimitHeaders,
	parseReset,
	parseRetryAfter,
	Quota,
	type ReportedWindow,
	type Window,
} from './window';

/** The wait after a 429 that reports no time; doubled each time, up to a minute. */
const UNREPORTED_WAIT_MS = 1000;
const LONGEST_UNREPORTED_WAIT_MS = 60_000;
/** Added to the end of a window: the server's clock and ours differ slightly. */
const GRACE_MS = 25;

/** A limit that the service enforces without reporting it in headers. */
export interface UnreportedLimit {
	count: number;
	withinMs: number;
}

/** How one request waits for its permit. */
export interface WaitOptions {
	/** How long it may wait for the rate limit. */
	maxWaitMs: number;
	signal?: AbortSignal;
	limit?: UnreportedLimit;
	/** Called before each wait with its length in milliseconds. */
	onWait?(ms: number): void;
	/** When waiting must end, on the monotonic clock; set when the first wait begins. */
	deadline?: number;
}

/**
 * Whether a request may be sent. If it would have to wait too long, `opensIn` is the wait in milliseconds.
 */
export type Permit = { go: true } | { go: false; opensIn: number } | { go: false; cancelled: true };

/** If so few requests of an unreported limit are left, they are sent one at a time: then only one can be refused. */
const NEAR_LIMIT = 5;

/** Counts served requests for limits that the service doesn't report. */
class ServedRequests {
	private times: number[] = [];
	/** The limits that the host did not enforce, by their `count`. */
	private readonly notEnforced = new Set<number>();

	/** Whether few requests of this limit are left. */
	isNearLimit(limit: UnreportedLimit): boolean {
		if (this.notEnforced.has(limit.count)) return false;
		return this.countOf(limit) >= limit.count - NEAR_LIMIT;
	}

	/** Notes that a request under a limit was served or refused. */
	note(limit: UnreportedLimit, wasServed: boolean): void {
		if (!wasServed) {
			this.notEnforced.delete(limit.count);
			return;
		}
		if (this.countOf(limit) >= limit.count) this.notEnforced.add(limit.count);
		this.times.push(clock.uptime());
	}

	private countOf({ withinMs }: UnreportedLimit): number {
		const since = clock.uptime() - withinMs;
		this.times = this.times.filter((at) => at > since);
		return this.times.length;
	}
}

/**
 * Keeps this process's requests to one host with one credential within the service's rate limit. Waits for the limits
 * that response headers report, and after a 429. Near an unreported limit, sends requests one at a time. Requests are
 * sent in the order of their calls, but retries come first.
 */
export class Throttle {
	private window: Window | undefined;
	private readonly quota = new Quota();
	/** Whether the only request in flight was sent to learn the state of the window. */
	private isFirstOfWindow = false;
	/** Until a response shows whether there is a limit, requests are sent one at a time. */
	private isWindowKnown = false;
	private blockedUntil = 0;
	private refusals = 0;
	private inFlight = 0;
	private readonly served = new ServedRequests();
	private readonly queue: WaitOptions[] = [];
	private wake: Array<() => void> = [];

	/** Waits until this request may be sent. After `{ go: true }`, call `finish` with its response. */
	async permit(wait: WaitOptions, isRetry = false): Promise<Permit> {
		if (isRetry) this.queue.unshift(wait);
		else this.queue.push(wait);
		try {
			for (;;) {
				if (wait.signal?.aborted) return { go: false, cancelled: true };
				const now = clock.uptime();
				const waitLeft = (wait.deadline ?? now + wait.maxWaitMs) - now;
				const delay = this.queue[0] === wait ? this.delayOfFirst(waitLeft, wait.limit) : undefined;
				if (delay === 0) {
					this.isFirstOfWindow = !this.isWindowKnown && this.inFlight === 0;
					this.inFlight += 1;
					return { go: true };
				}
				if (delay !== undefined) {
					wait.deadline ??= now + wait.maxWaitMs;
					if (delay > waitLeft) return { go: false, opensIn: delay };
					wait.onWait?.(delay);
				}
				await this.pause(delay ?? SLICE_MS);
			}
		} finally {
			this.queue.splice(this.queue.indexOf(wait), 1);
			this.notify();
		}
	}

	/** Releases a permit, and learns from the response if there is one. */
	finish(response?: { status: number; headers: Headers }, limit?: UnreportedLimit): void {
		this.inFlight -= 1;
		this.forgetPastWindow();
		const wasServed = response?.status !== 429;
		// An outdated refusal counts, too. Otherwise the request would be retried without a wait.
		if (response && (!wasServed || this.isFirstOfWindow || !isOutdated(response.headers))) {
			this.isWindowKnown = true;
			this.learn(response.headers, wasServed);
			if (limit) this.served.note(limit, wasServed);
			if (wasServed) this.refusals = 0;
			else this.block(response.headers);
		}
		this.isFirstOfWindow = false;
		this.notify();
	}

	/** Blocks all requests for this many milliseconds. */
	blockFor(ms: number): void {
		this.blockedUntil = Math.max(this.blockedUntil, clock.uptime() + ms);
	}

	/** Milliseconds until the first request of the queue may be sent; undefined if that depends on the next response. */
	private delayOfFirst(waitLeft: number, limit: UnreportedLimit | undefined): number | undefined {
		const now = clock.uptime();
		if (this.blockedUntil > now) return this.blockedUntil - now;
		this.forgetPastWindow();
		const { window, inFlight } = this;
		if (inFlight > 0 && limit && this.served.isNearLimit(limit)) return undefined;
		if (!window) return this.isWindowKnown || inFlight === 0 ? 0 : undefined;
		const left = window.endsAt - now;
		if (window.remaining <= 0) return left;
		// The requests in flight may use up the rest.
		if (window.remaining <= inFlight) return undefined;
		const opensIn = this.quota.opensAt(window, inFlight) - now;
		if (opensIn <= 0) return 0;
		if (inFlight > 0) return undefined;
		// The quota leaves room for other processes. It makes no request fail while the window has room.
		const courtesy = Math.min(opensIn, left);
		return courtesy > waitLeft ? 0 : courtesy;
	}

	private forgetPastWindow(): void {
		if (!this.window || this.window.endsAt > clock.uptime()) return;
		this.window = undefined;
		this.isWindowKnown = false;
	}

	private learn(headers: Headers, wasServed: boolean): void {
		const reported = parseRateLimitHeaders(headers, clock.now());
		if (reported) {
			this.window = this.windowOf(reported);
			// Responses can arrive in another order than they were sent.
			this.window.remaining = Math.min(this.window.remaining, reported.remaining);
		}
		if (this.window) this.quota.record(this.window, wasServed, clock.uptime());
	}

	/** The window that a response reports: the current one, or a new one. */
	private windowOf({ limit, remaining, resetIn }: ReportedWindow): Window {
		const now = clock.uptime();
		const endsAt = now + resetIn + GRACE_MS;
		// A delayed response reports an earlier window; the seconds left are rounded.
		if (this.window && endsAt - this.window.endsAt < 1000) return this.window;
		return { limit, remaining, firstAt: now, endsAt, ownServed: 0 };
	}

	private block(headers: Headers): void {
		const epochNow = clock.now();
		const now = clock.uptime();
		// If several requests in flight are refused, they count as one refusal.
		if (this.blockedUntil <= now) this.refusals += 1;
		const reported = parseRetryAfter(headers, epochNow) ?? parseReset(headers, epochNow) ?? 0;
		const unreported = Math.min(
			UNREPORTED_WAIT_MS * 2 ** Math.max(this.refusals - 1, 0),
			LONGEST_UNREPORTED_WAIT_MS,
		);
		const wait = reported > 0 ? reported : unreported;
		// A random delay, so that processes refused at the same time don't return at the same time.
		const spread = clock.random() * Math.min(1000, Math.max(50, wait / 10));
		this.isWindowKnown = false;
		this.blockedUntil = Math.max(this.blockedUntil, now + wait + spread);
	}

	/** Waits for a change, for at most `ms` milliseconds and at most one slice. */
	private async pause(ms: number): Promise<void> {
		const changed = new Promise<void>((resolve) => this.wake.push(resolve));
		await Promise.race([changed, clock.sleep(Math.min(ms, SLICE_MS))]);
	}

	private notify(): void {
		const waiting = this.wake;
		this.wake = [];
		for (const resolve of waiting) resolve();
	}
}

/** Whether the window that a response reports is already over. */
const isOutdated = (headers: Headers): boolean => {
	const resetIn = parseReset(headers, clock.now());
	return resetIn !== undefined && resetIn <= 0;
};

const throttles = new Map<string, Throttle>();

/** The throttle shared by everything in this process that uses the same host and credential. */
export const throttleOf = (key: string): Throttle => getOrCreate(throttles, key, () => new Throttle());
