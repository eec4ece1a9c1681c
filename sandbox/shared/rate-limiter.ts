import type { Clock, RateLimit } from './options.ts';

/** The rate limit window of an account after a request; times are epoch milliseconds. */
export interface Allowance {
	allowed: boolean;
	limit: number;
	remaining: number;
	resetAt: number;
}

/** Counts requests per account in fixed windows. A window starts with the first request after the previous window. */
export class RateLimiter {
	readonly #windows = new Map<string, { resetAt: number; used: number }>();
	readonly #limit: RateLimit;
	readonly #clock: Clock;

	constructor(limit: RateLimit, clock: Clock) {
		this.#limit = limit;
		this.#clock = clock;
	}

	take(account: string): Allowance {
		const now = this.#clock.now();
		let window = this.#windows.get(account);
		if (window === undefined || window.resetAt <= now) {
			window = { resetAt: now + this.#limit.seconds * 1000, used: 0 };
			this.#windows.set(account, window);
		}
		const allowed = window.used < this.#limit.count;
		if (allowed) window.used++;
		return {
			allowed,
			limit: this.#limit.count,
			remaining: this.#limit.count - window.used,
			resetAt: window.resetAt,
		};
	}
}
