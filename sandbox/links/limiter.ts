import type { FastifyReply } from 'fastify';
import { html } from '../shared/html.ts';
import { page } from '../shared/page-layout.ts';
import { RateLimiter, type Allowance } from '../shared/rate-limiter.ts';
import type { RateLimit } from '../shared/options.ts';
import type { LinkContext } from './context.ts';
import { failureBody } from './presentation.ts';

const words = 'Too many requests. Try again when the window is over.';

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
		if (this.#context.differs('html-429')) {
			reply.type('text/html; charset=utf-8').send(page('Too many requests', html`<h1>${words}</h1>`).text);
		} else {
			const body = failureBody(this.#context, words);
			reply.send(this.#context.differs('error-429') ? { ...body, error: 429 } : body);
		}
		return true;
	}

	#secondsLeft({ resetAt }: Allowance): number {
		return Math.ceil((resetAt - this.#context.clock.now()) / 1000);
	}

	#reset(allowance: Allowance): number {
		if (this.#context.differs('reset-milliseconds')) return Math.ceil(allowance.resetAt);
		if (this.#context.differs('reset-seconds-left')) return this.#secondsLeft(allowance);
		return Math.ceil(allowance.resetAt / 1000);
	}

	#retryAfter(allowance: Allowance): string {
		if (!this.#context.differs('retry-after-date')) return String(this.#secondsLeft(allowance));
		// A date has whole seconds. It is rounded up, so that clients do not retry too early.
		return new Date(Math.ceil(allowance.resetAt / 1000) * 1000).toUTCString();
	}
}
