import { sleep } from 'n8n-workflow';
import type { Headers } from '../exchange';
import { resetTime, retryAfter, Share, WindowEnd, windowTold, type Told, type Window } from './window';

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

/**
 * Keeps the requests of one process to one host with one credential inside the service's rate limit.
 * It knows only what the answers' headers say; without such headers it holds nothing back.
 * Requests go in the order in which they ask.
 */
export class Throttle {
	private window: Window | undefined;
	/** The window before. */
	private former: Window | undefined;
	private readonly windowEnd = new WindowEnd();
	private readonly share = new Share();
	/** When the only request on its way was sent that finds out about the window, in epoch milliseconds. */
	private probedAt: number | undefined;
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
					if (!this.known && this.inFlight === 0) this.probedAt = clock.now();
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
		this.close(clock.now());
		if (answer && !this.isLate(answer.headers)) {
			const served = answer.status !== 429;
			this.known = true;
			this.learn(answer.headers, served);
			if (served) this.refusals = 0;
			else this.block(answer.headers);
		}
		this.probedAt = undefined;
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
		this.close(now);
		const { window, inFlight } = this;
		if (!window) return this.known || inFlight === 0 ? 0 : undefined;
		const left = window.endsAt - now;
		if (window.remaining <= 0) return left;
		if (window.remaining <= inFlight) return undefined;
		const opensIn = this.share.opensAt(window, inFlight) - now;
		if (opensIn <= 0) return 0;
		return inFlight > 0 ? undefined : Math.min(opensIn, left);
	}

	/** Forgets a window that is over. */
	private close(now: number): void {
		if (!this.window || this.window.endsAt > now) return;
		this.former = this.window;
		this.window = undefined;
		this.known = false;
	}

	/** Whether an answer tells of a window that is over, and nothing of the one that is open by now. */
	private isLate(headers: Headers): boolean {
		const now = clock.now();
		if (this.probedAt !== undefined || !this.former) return false;
		const told = windowTold(headers, now);
		return told ? told.rounded && isSame(told, this.former) : resetTime(headers, now) !== undefined;
	}

	private learn(headers: Headers, served: boolean): void {
		const now = clock.now();
		const told = windowTold(headers, now);
		if (told) this.window = this.windowOf(told, served, now);
		if (!this.window) return;
		if (told) this.window.remaining = Math.min(this.window.remaining, told.remaining);
		this.share.settle(this.window, served, now);
	}

	/** The window that an answer tells of. */
	private windowOf(told: Told, served: boolean, now: number): Window {
		const { window, former } = this;
		if (window && isSame(told, window)) return window;
		if (!told.rounded || !former || !isSame(told, former)) return this.opened(told, served, now);
		this.windowEnd.wentOn();
		return { ...former, endsAt: told.resetAt + GRACE_MS };
	}

	private opened(told: Told, served: boolean, now: number): Window {
		const { limit, remaining, resetAt } = told;
		const isFirst = limit !== undefined && remaining === limit - 1;
		if (this.probedAt !== undefined) this.windowEnd.opened(told, this.probedAt, now, isFirst);
		const endsAt = (served ? this.windowEnd.of(told, now) : resetAt) + GRACE_MS;
		return { limit, remaining, firstAt: now, told: resetAt, endsAt, mine: 0 };
	}

	private block(headers: Headers): void {
		const now = clock.now();
		const opensAt = this.opensAgain(headers, now);
		if (this.blockedUntil <= now) this.refusals += 1;
		this.known = false;
		this.blockedUntil = Math.max(this.blockedUntil, opensAt);
	}

	/** Epoch milliseconds from which to ask again after a refusal: not all at once, where no window says how many may. */
	private opensAgain(headers: Headers, now: number): number {
		const toldAt = retryAfter(headers, now) ?? resetTime(headers, now);
		const { window } = this;
		if (window && toldAt !== undefined && Math.abs(toldAt - window.told) < 2000) return window.endsAt;
		const untold = Math.min(UNTOLD_WAIT_MS * 2 ** this.refusals, LONGEST_UNTOLD_WAIT_MS);
		const wait = toldAt === undefined || toldAt <= now ? untold : toldAt - now;
		return now + wait + clock.random() * Math.min(1000, Math.max(50, wait / 10));
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

/** Whether an answer tells of this window: of one told in seconds left the end moves a little. */
const isSame = ({ resetAt }: Told, { told }: Window): boolean => Math.abs(resetAt - told) < 1000;

const throttles = new Map<string, Throttle>();

/** The throttle shared by everything in this process that uses the same host and credential. */
export function throttleOf(key: string): Throttle {
	const existing = throttles.get(key);
	if (existing) return existing;
	const made = new Throttle();
	throttles.set(key, made);
	return made;
}
