import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../shared/html.ts';
import { notice, sendPage } from '../../shared/page-layout.ts';
import type { LinkContext } from '../context.ts';
import { settingsOf, type UrlRow } from '../tables.ts';
import { parseTimestamp } from '../timestamps.ts';
import { countVisit } from '../visits.ts';
import { readVisit } from './visit.ts';

export const notFoundPage = notice('Nothing here', html`<p>There is no such page, or it was deleted.</p>`);

/** Redirects short links. Rules, passwords, splash pages and overlays are stored, but have no effect. */
export function serveShortLinks(app: FastifyInstance, context: LinkContext): void {
	app.get<{ Params: { alias: string } }>('/s/:alias', (request, reply) => {
		// The service's own domain finds only links without a branded domain.
		const url = context.store.find('urls', { alias: request.params.alias });
		return url === undefined || url.domain_id !== null
			? sendPage(reply, notFoundPage, 404)
			: visit(context, url, request, reply);
	});
}

/** Counts the visit, and redirects to the target. An expired link is not found. */
function visit(
	context: LinkContext,
	url: UrlRow,
	request: FastifyRequest,
	reply: FastifyReply,
): FastifyReply {
	const { expiry = '', parameters = [] } = settingsOf(url);
	if (parseTimestamp(expiry) <= context.clock.now()) return sendPage(reply, notFoundPage, 404);
	if (request.method !== 'HEAD') countVisit(context, 'urls', url, readVisit(request.headers, request.ip));
	const target = new URL(url.longurl);
	for (const { name, value } of parameters) target.searchParams.append(name, value);
	return redirect(reply, parameters.length === 0 ? url.longurl : target.href);
}

/** Redirects without caching, so that every visit is counted. */
export function redirect(reply: FastifyReply, address: string): FastifyReply {
	return reply.header('cache-control', 'no-store').redirect(address, 302);
}
