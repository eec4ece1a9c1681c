import { sleep } from 'n8n-workflow';
import type { Headers } from '../exchange';

/** The clock that waiting goes by; tests put a faster one in its place. */
export const clock = {
	now: (): number => Date.now(),
	sleep: async (ms: number): Promise<void> => await sleep(ms),
	random: (): number => Math.random(),
};

/** How long a wait goes on before it looks again whether the execution was cancelled. */
const SLICE_MS = 1000;
/** What is waited after a 429 that says nothing about when: this, doubled each time, up to a minute. */
const UNTOLD_WAIT_MS = 1000;
const LONGEST_UNTOLD_WAIT_MS = 60_000;
/** A window that has just opened on the server's clock may not have on ours. */
const GRACE_MS = 25;

/** Waits, but not on for an execution that was cancelled. */
export async function sleepUnlessCancelled(ms: number, signal?: AbortSignal): Promise<void> {
	for (let left = ms; left > 0 && !signal?.aborted; left -= SLICE_MS) {
		await clock.sleep(Math.min(left, SLICE_MS));
	}
}

/** One request's patience: how long it may wait in all, and whether anybody still wants it. */
export interface Patience {
	maxWaitMs: number;
	signal?: AbortSignal;
	/** Told before each wait, in milliseconds. */
	onWait?(ms: number): void;
	/** Epoch milliseconds after which waiting is over; set when the first wait begins. */
	deadline?: number;
}

/** Whether a request may go: now, not before `opensAt` (too late for its patience), or never (cancelled). */
export type Turn = { go: true } | { go: false; opensAt: number } | { go: false; cancelled: true };

interface Window {
	remaining: number;
	resetAt: number;
}

/**
 * Keeps the requests of one process to one host with one credential inside the service's rate limit.
 * It knows only what the answers' headers say; without such headers it holds nothing back.
 * Requests go in the order in which they ask.
 */
export class Throttle {
	private window: Window | undefined;
	private blockedUntil = 0;
	private refusals = 0;
	private inFlight = 0;
	/** The server's limit isn't known until its first answer: until then one request goes at a time. */
	private known = false;
	private readonly queue: Patience[] = [];
	private wake: Array<() => void> = [];

	/** Waits for this request's turn. After `{ go: true }`, call `settle` with what came of it. */
	async turn(patience: Patience, again = false): Promise<Turn> {
		if (again) this.queue.unshift(patience);
		else this.queue.push(patience);
		try {
			for (;;) {
				if (patience.signal?.aborted) return { go: false, cancelled: true };
				const first = this.queue[0] === patience;
				const delay = first ? this.delay() : undefined;
				if (delay === 0) {
					this.inFlight += 1;
					return { go: true };
				}
				if (delay !== undefined) {
					const now = clock.now();
					patience.deadline ??= now + patience.maxWaitMs;
					if (now + delay > patience.deadline) return { go: false, opensAt: now + delay };
					patience.onWait?.(delay);
				}
				await this.pause(delay ?? SLICE_MS);
			}
		} finally {
			this.queue.splice(this.queue.indexOf(patience), 1);
			this.notify();
		}
	}

	/** Learns from an answer, or from there being none. */
	settle(answer?: { status: number; headers: Headers }): void {
		this.inFlight -= 1;
		if (answer) {
			this.known = true;
			this.learn(answer.headers);
			if (answer.status === 429) this.block(answer.headers);
			else this.refusals = 0;
		}
		this.notify();
	}

	/** Holds everything back for so many milliseconds from now. */
	hold(ms: number): void {
		this.blockedUntil = Math.max(this.blockedUntil, clock.now() + ms);
	}

	/** Milliseconds until the first in the queue may go: 0 is now, undefined is when an answer has come. */
	private delay(): number | undefined {
		const now = clock.now();
		if (this.blockedUntil > now) return this.blockedUntil - now;
		if (this.window && this.window.resetAt <= now) {
			this.window = undefined;
			this.known = false;
		}
		if (this.window) {
			if (this.window.remaining > this.inFlight) return 0;
			return this.window.remaining > 0 ? undefined : this.window.resetAt - now;
		}
		return this.known || this.inFlight === 0 ? 0 : undefined;
	}

	private learn(headers: Headers): void {
		const now = clock.now();
		const remaining = numeric(headers['x-ratelimit-remaining']);
		const resetAt = resetTime(headers, now);
		if (remaining === undefined || resetAt === undefined || resetAt <= now) return;
		const sameWindow =
			this.window !== undefined &&
			this.window.resetAt > now &&
			Math.abs(this.window.resetAt - resetAt) < 1000;
		this.window = {
			remaining: sameWindow && this.window ? Math.min(this.window.remaining, remaining) : remaining,
			resetAt: resetAt + GRACE_MS,
		};
	}

	private block(headers: Headers): void {
		const now = clock.now();
		const resetAt = retryAfter(headers, now) ?? resetTime(headers, now);
		const untold = Math.min(UNTOLD_WAIT_MS * 2 ** this.refusals, LONGEST_UNTOLD_WAIT_MS);
		if (this.blockedUntil <= now) this.refusals += 1;
		const wait = resetAt === undefined || resetAt <= now ? untold : resetAt - now;
		this.known = false;
		const jitter = clock.random() * Math.min(1000, Math.max(50, wait / 10));
		this.blockedUntil = Math.max(this.blockedUntil, now + wait + jitter);
	}

	/** Waits until something changes, at most `ms`, and never longer than a slice. */
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

const throttles = new Map<string, Throttle>();

/** The throttle shared by everything in this process that uses the same host and credential. */
export function throttleOf(key: string): Throttle {
	const existing = throttles.get(key);
	if (existing) return existing;
	const made = new Throttle();
	throttles.set(key, made);
	return made;
}

const numeric = (value: unknown): number | undefined => {
	const written = String(value ?? '').trim();
	return /^-?\d+(\.\d+)?$/.test(written) ? Number(written) : undefined;
};

/** No window of a rate limit is longer, in milliseconds (31 days): a later moment is in a form we don't know. */
const LONGEST_WINDOW_MS = 31 * 24 * 3600 * 1000;

const plausible = (moment: number, now: number): number | undefined =>
	moment - now <= LONGEST_WINDOW_MS ? moment : undefined;

/**
 * Epoch milliseconds of the window's reset. Hosts send epoch seconds, epoch milliseconds, seconds left
 * or a date: the magnitude tells. A server clock that is off is corrected by its Date header.
 */
function resetTime(headers: Headers, now: number): number | undefined {
	const value = numeric(headers['x-ratelimit-reset']);
	if (value === undefined) return dateIn(headers['x-ratelimit-reset'], headers, now);
	if (value < 0) return undefined;
	if (value < 1e8) return plausible(now + value * 1000, now);
	return plausible((value >= 1e11 ? value : value * 1000) - skew(headers, now), now);
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
