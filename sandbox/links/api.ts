import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LinkContext } from './context.ts';
import { Failure, successBody } from './responses.ts';
import { routes } from './resources/index.ts';
import { Call } from './link-route.ts';
import type { AccountRow } from './tables.ts';
import { RateLimiter, type Allowance } from '../shared/rate-limiter.ts';
import type { RateLimit } from '../shared/options.ts';

/** The API: counts each request, identifies its sender, reads its body, and responds in the format of the interface document. */
export function serveApi(app: FastifyInstance, context: LinkContext, limiter: ApiLimiter | undefined): void {
	const senders = new WeakMap<FastifyRequest, AccountRow>();

	app.removeAllContentTypeParsers();
	const parseJson = app.getDefaultJsonParser('error', 'error');
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
		// Requests without a body may also have the header.
		if (body === '') done(null, undefined);
		else void parseJson(request, body as string, done);
	});

	app.addHook('onRequest', async (request, reply) => {
		const { authorization } = request.headers;
		const account = findAccount(context, authorization);
		if (limiter?.refuses(reply, account === undefined ? `no key, ${request.ip}` : `account ${account.id}`)) {
			return reply;
		}
		senders.set(request, authenticated(context, authorization, account));
	});

	app.setErrorHandler((error, request, reply) => fail(context, request, reply, error));
	app.setNotFoundHandler((request) => {
		throw new Failure(404, `There is no ${request.method} ${pathOf(request)} here.`);
	});

	for (const route of routes) {
		app.route({
			method: route.method,
			url: route.path,
			exposeHeadRoute: false,
			async handler(request, reply) {
				const account = senders.get(request);
				if (account === undefined) throw new Error('A request reached its endpoint without its sender.');
				const result = await route.handle(
					new Call({
						context,
						account,
						params: request.params as Record<string, string>,
						query: request.query as Record<string, unknown>,
						body: request.body,
					}),
				);
				return reply.send(successBody(context, result));
			},
		});
	}
}

/** The authorization scheme of the host. */
const schemeOf = (context: LinkContext): string => (context.differs('token-scheme') ? 'Token' : 'Bearer');

function findAccount(context: LinkContext, authorization: string | undefined): AccountRow | undefined {
	const [, scheme, key] = /^(\w+) +(\S+) *$/.exec(authorization ?? '') ?? [];
	if (key === undefined || scheme?.toLowerCase() !== schemeOf(context).toLowerCase()) return undefined;
	return context.store.find('accounts', { api_key: key });
}

function authenticated(
	context: LinkContext,
	authorization: string | undefined,
	account: AccountRow | undefined,
): AccountRow {
	if (authorization === undefined) {
		const header = `Authorization: ${schemeOf(context)} API_KEY`;
		throw new Failure(401, `An API key is required. Send it in the header ${header}.`);
	}
	if (account === undefined) throw new Failure(401, 'The API key is not valid.');
	if (account.expires <= context.now()) throw new Failure(401, 'The API key has expired.');
	return account;
}

function pathOf(request: FastifyRequest): string {
	return request.url.replace(/\?.*/, '');
}

function fail(
	context: LinkContext,
	request: FastifyRequest,
	reply: FastifyReply,
	error: unknown,
): FastifyReply {
	const { status, message } = failureOf(error);
	if (status >= 500) request.log.error(error);
	// Real hosts send every failure with the same status.
	return reply.status(context.isReal ? 400 : status).send({ error: 1, message });
}

/** Status and message for an error. Fastify's errors (invalid JSON, body too large) have a status. */
function failureOf(error: unknown): { status: number; message: string } {
	if (error instanceof Failure) return error;
	if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
		return { status: error.statusCode, message: error.message };
	}
	return { status: 500, message: 'The sandbox failed; its log has the error.' };
}

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
