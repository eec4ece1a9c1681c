import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import type { LinkContext } from './context.ts';
import { firstProblem, object, oneOf, optional, text } from './fields.ts';
import type { ApiLimiter } from './api.ts';
import { readVisit, countVisit } from './visits.ts';

const body = object({
	kind: oneOf(['qr', 'url']),
	/** The code of a QR code's link, or the alias of a short link. */
	code: text,
	count: optional(z.int().min(1).max(10_000)),
	country: optional(text),
	referrer: optional(text),
	userAgent: optional(text),
	/** IP address, which identifies the visitor. */
	ip: optional(text),
});

/** A custom splash page, which the API cannot create. */
const splashBody = object({ name: text, key: text });

/** Control endpoints for demos and tests, which the service lacks: simulated visits, records that the API cannot create, and rate limit counts. */
export function serveControl(
	app: FastifyInstance,
	context: LinkContext,
	limiter: ApiLimiter | undefined,
): void {
	if (limiter) app.get('/requests', () => limiter.counts);
	app.post('/splash', (request, reply) => {
		const parsed = splashBody.safeParse(request.body ?? {});
		if (!parsed.success) return reply.status(400).send({ error: 1, message: firstProblem(parsed.error) });
		const { name, key } = parsed.data;
		const account = context.store.find('accounts', { api_key: key });
		if (!account) return reply.status(404).send({ error: 1, message: 'There is no account with this key.' });
		const page = { account_id: account.id, name, title: name, message: '', date: context.now() };
		return reply.send({ error: 0, id: context.store.insert('splash', page) });
	});
	app.post('/visits', (request, reply) => {
		const parsed = body.safeParse(request.body ?? {});
		if (!parsed.success) return reply.status(400).send({ error: 1, message: firstProblem(parsed.error) });
		const { kind, code, count = 1, country, referrer, userAgent, ip } = parsed.data;
		const headers = { 'x-country': country, referer: referrer, 'user-agent': userAgent };
		const visit = readVisit(headers, ip ?? request.ip);
		const table = kind === 'qr' ? 'qrs' : 'urls';
		const find = () =>
			table === 'qrs' ? context.store.find('qrs', { code }) : context.store.find('urls', { alias: code });
		for (let done = 0; done < count; done++) {
			const target = find();
			if (target === undefined) {
				return reply.status(404).send({ error: 1, message: `There is no ${kind} with the code ${code}.` });
			}
			countVisit(context, table, target, visit);
		}
		return reply.send({ error: 0, clicks: find()?.clicks });
	});
}
