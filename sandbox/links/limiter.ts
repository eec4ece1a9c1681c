import type { FastifyReply } from 'fastify';
import { RateLimiter, type Allowance } from '../shared/rate-limiter.ts';
import type { RateLimit } from '../shared/options.ts';
import type { LinkContext } from './context.ts';

const message = 'Too many requests. Try again when the window is over.';

/** Enforces the API's rate limit and reports it in the headers of every response. */
export class ApiLimiter {
	readonly #context: LinkContext;
	readonly #limiter: RateLimiter;
	/** Requests since the start. */
	readonly counts = { served: 0, refused: 0 };

	constructor(context: LinkContext, limit: RateLimit) {
		this.#context = context;
		this.#limiter = new RateLimiter(limit, context.clock);
	}

	/** Counts a request and sets its headers. @returns true if the request exceeds the limit and the response was sent */
	refuses(reply: FastifyReply, sender: string): boolean {
		const allowance = this.#limiter.take(sender);
		reply.headers({
			'X-RateLimit-Limit': String(allowance.limit),
			'X-RateLimit-Remaining': String(allowance.remaining),
			'X-RateLimit-Reset': String(this.#reset(allowance)),
		});
		this.counts[allowance.allowed ? 'served' : 'refused']++;
		if (allowance.allowed) return false;
		reply.status(429).header('Retry-After', this.#retryAfter(allowance));
		if (this.#context.isReal) reply.type('text/html; charset=utf-8').send(message);
		else reply.send({ error: 1, message });
		return true;
	}

	#secondsLeft({ resetAt }: Allowance): number {
		return Math.ceil((resetAt - this.#context.clock.now()) / 1000);
	}

	#reset(allowance: Allowance): number {
		if (this.#context.differs('reset-seconds-left')) return this.#secondsLeft(allowance);
		if (this.#context.isReal) return Math.ceil(allowance.resetAt);
		return Math.ceil(allowance.resetAt / 1000);
	}

	#retryAfter(allowance: Allowance): string {
		if (!this.#context.isReal) return String(this.#secondsLeft(allowance));
		// A date has whole seconds. It is rounded up, so that clients do not retry too early.
		return new Date(Math.ceil(allowance.resetAt / 1000) * 1000).toUTCString();
	}
}
