import type { Headers, FailureDetails } from '../api-types';
import { clock, SLICE_MS } from '../clock';
import { CANCELLED, waitTooLong } from '../errors/messages';
import { getOrCreate } from '../values';
import type { Send, Waiting } from './send';
import { parseRateLimitHeaders, parseReset, parseRetryAfter, type ReportedWindow } from './window';

/** The wait after a 429 that reports no time; doubled each time, up to a minute. */
const UNREPORTED_WAIT_MS = 1000;
const LONGEST_UNREPORTED_WAIT_MS = 60_000;
/** Added to the end of a window: the server's clock and ours differ slightly. */
const GRACE_MS = 25;

/**
 * Sends a request when the rate limit allows it, and again if the limit refuses it: then it was not carried out. A
 * request that would have to wait too long fails. A permit covers what belongs to the request: a session check, and a new
 * login with a second try.
 */
export function withinRateLimit(throttle: Throttle, waiting: Waiting, next: Send): Send {
	// This is made for each request: so a request keeps its place if it is sent again.
	const place: Place = { waiting, left: waiting.maxWaitMs };
	return async (request) => {
		for (;;) {
			const failure = await throttle.permit(place);
			if (failure) return { failure };
			let response;
			try {
				const reply = await next(request);
				response = reply.response;
				if (!reply.failure) throttle.blockFor(throttle.intervalMs);
				if (reply.failure?.class !== 'rateLimited') return reply;
			} finally {
				throttle.finish(response);
			}
		}
	};
}

/** The place of one request in the queue. */
export interface Place {
	readonly waiting: Waiting;
	/** How long it may still wait, in milliseconds. */
	left: number;
	/** Whether the rate limit permitted the request before: if it is sent again, it comes first. */
	wasPermitted?: boolean;
}

/** The current window, as far as this process knows it. */
interface Window {
	limit?: number;
	/** Requests left, according to the last response. */
	remaining: number;
	/** On the monotonic clock. */
	endsAt: number;
	/** Permits of this process whose requests were served in it. */
	ownServed: number;
}

/**
 * Keeps the requests of this process that share a rate limit within it: those of an account, or of one path in
 * `limitedApart`. Waits for the limits that response headers report, and after a 429. Requests are sent in the order of
 * their calls, but retries come first.
 */
export class Throttle {
	private window: Window | undefined;
	/** Whether the last response reported no limit: then any number of requests may be in flight. */
	private isUnlimited = false;
	private blockedUntil = 0;
	private refusals = 0;
	private inFlight = 0;
	private readonly queue: Place[] = [];
	private readonly wake: Array<() => void> = [];

	/** `intervalMs`: the time from one success to the next request, in milliseconds. */
	constructor(readonly intervalMs = 0) {}

	/** Waits until this request may be sent; then call `finish` with its response. Otherwise returns why it may not. */
	async permit(place: Place): Promise<FailureDetails | undefined> {
		const { signal, onWait } = place.waiting;
		if (place.wasPermitted) this.queue.unshift(place);
		else this.queue.push(place);
		try {
			for (;;) {
				if (signal?.aborted) return CANCELLED;
				const [first = place] = this.queue;
				const opensIn = this.delayOfFirst();
				const delay = first === place ? opensIn : undefined;
				if (delay === 0) {
					place.wasPermitted = true;
					this.inFlight += 1;
					return undefined;
				}
				if (delay !== undefined && delay > place.left) return waitTooLong(place.waiting, delay);
				// All wait for the limit as long as the first one does.
				if (opensIn && opensIn <= first.left) onWait?.(opensIn);
				const before = clock.uptime();
				await this.pause(delay ?? SLICE_MS);
				if (delay !== undefined) place.left -= clock.uptime() - before;
			}
		} finally {
			this.queue.splice(this.queue.indexOf(place), 1);
			this.notify();
		}
	}

	/** Releases a permit, and learns from the response if there is one. */
	finish(response?: { status: number; headers: Headers }): void {
		this.inFlight -= 1;
		this.forgetPastWindow();
		if (response) {
			const wasServed = response.status !== 429;
			this.learn(response.headers, wasServed);
			if (wasServed) this.refusals = 0;
			else this.block(response.headers);
			this.isUnlimited = wasServed && !this.window;
		}
		this.notify();
	}

	/** Blocks all requests for this many milliseconds. */
	blockFor(ms: number): void {
		this.blockedUntil = Math.max(this.blockedUntil, clock.uptime() + ms);
	}

	/** Milliseconds until the first request of the queue may be sent; undefined if that depends on the next response. */
	private delayOfFirst(): number | undefined {
		const now = clock.uptime();
		if (this.blockedUntil > now) return this.blockedUntil - now;
		this.forgetPastWindow();
		const { window, inFlight } = this;
		if (!window) return this.isUnlimited || inFlight === 0 ? 0 : undefined;
		if (window.remaining <= 0) return window.endsAt - now;
		// The requests in flight may use up the rest.
		if (window.remaining <= inFlight) return undefined;
		return inFlight > 0 && isUsedByOthers(window, inFlight) ? undefined : 0;
	}

	private forgetPastWindow(): void {
		if (this.window && this.window.endsAt <= clock.uptime()) this.window = undefined;
	}

	private learn(headers: Headers, wasServed: boolean): void {
		const reported = parseRateLimitHeaders(headers, clock.now());
		if (reported) {
			this.window = this.windowOf(reported);
			// Responses can arrive in another order than they were sent.
			this.window.remaining = Math.min(this.window.remaining, reported.remaining);
		}
		if (this.window && wasServed) this.window.ownServed += 1;
	}

	/** The window that a response reports: the current one, or a new one. */
	private windowOf({ limit, remaining, resetIn }: ReportedWindow): Window {
		const endsAt = clock.uptime() + resetIn + GRACE_MS;
		// A delayed response reports an earlier window; the seconds left are rounded.
		if (this.window && endsAt - this.window.endsAt < 1000) return this.window;
		return { limit, remaining, endsAt, ownServed: 0 };
	}

	private block(headers: Headers): void {
		// If several requests in flight are refused, they count as one refusal.
		if (this.blockedUntil <= clock.uptime()) this.refusals += 1;
		const reported = parseRetryAfter(headers) ?? parseReset(headers, clock.now()) ?? 0;
		const unreported = Math.min(
			UNREPORTED_WAIT_MS * 2 ** Math.max(this.refusals - 1, 0),
			LONGEST_UNREPORTED_WAIT_MS,
		);
		const wait = reported > 0 ? reported : unreported;
		// A random delay, so that processes refused at the same time don't return at the same time.
		const spread = clock.random() * Math.min(1000, Math.max(50, wait / 10));
		this.blockFor(wait + spread);
	}

	/** Waits for a change, for at most `ms` milliseconds and at most one slice. */
	private async pause(ms: number): Promise<void> {
		const changed = new Promise<void>((resolve) => this.wake.push(resolve));
		await Promise.race([changed, clock.sleep(Math.min(ms, SLICE_MS))]);
	}

	private notify(): void {
		for (const resolve of this.wake.splice(0)) resolve();
	}
}

/**
 * Whether more requests of a window are used than this process sent: then other processes use the account, too. Each of
 * them sends one request at a time, whose response says what the others have used.
 */
const isUsedByOthers = ({ limit = 0, remaining, ownServed }: Window, inFlight: number): boolean =>
	limit - remaining > ownServed + inFlight;

const throttles = new Map<string, Throttle>();

/** The throttle shared by all requests of this process that share a rate limit. */
export const throttleOf = (key: string, intervalMs?: number): Throttle =>
	getOrCreate(throttles, key, () => new Throttle(intervalMs));
