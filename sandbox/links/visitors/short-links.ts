import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../shared/page-layout.ts';
import { isPassword } from '../../shared/secrets.ts';
import type { LinkContext } from '../context.ts';
import { settingsOf, type UrlRow } from '../tables.ts';
import { parseTimestamp } from '../timestamps.ts';
import { countVisit } from '../visits.ts';
import {
	expiredPage,
	framePage,
	notFoundPage,
	overlayPage,
	passwordPage,
	previewPage,
	splashPage,
} from './visitor-pages.ts';
import { targetFor } from './target.ts';
import { readVisitor } from './visitor.ts';

const defaultSplash = { title: 'One moment', message: 'You are on your way to:' };

export function serveShortLinks(app: FastifyInstance, context: LinkContext): void {
	app.route<{ Params: { alias: string } }>({
		method: ['GET', 'POST'],
		url: '/s/:alias',
		handler(request, reply) {
			// The service's own domain finds only links without a branded domain.
			const url = context.store.find('urls', { alias: request.params.alias });
			return url === undefined || url.domain_id !== null
				? sendPage(reply, notFoundPage, 404)
				: visit(context, url, request, reply);
		},
	});

	// Serves requests to a branded domain; see `pathForHost`.
	app.route<{ Params: { domain: string; '*': string } }>({
		method: ['GET', 'POST'],
		url: '/d/:domain/*',
		handler(request, reply) {
			const domain = context.store.find('domains', { id: Number(request.params.domain) });
			if (domain === undefined) return sendPage(reply, notFoundPage, 404);
			const alias = request.params['*'];
			const url = context.store.find('urls', { alias, domain_id: domain.id });
			if (url !== undefined) return visit(context, url, request, reply);
			const elsewhere = alias === '' ? domain.redirectroot : domain.redirect404;
			return elsewhere === '' ? sendPage(reply, notFoundPage, 404) : leadTo(reply, elsewhere);
		},
	});
}

/** The path that serves a request to a branded domain. */
export function pathForHost({ store }: LinkContext, host: string, path: string): string | undefined {
	const domain =
		store.find('domains', { domain: `http://${host}` }) ??
		store.find('domains', { domain: `https://${host}` });
	return domain === undefined ? undefined : `/d/${domain.id}${path}`;
}

/** Responds to a visit of a short link. Counts it unless the response is the password page or an expired link. */
export function visit(
	context: LinkContext,
	url: UrlRow,
	request: FastifyRequest,
	reply: FastifyReply,
): FastifyReply {
	const { expiry = '', passwordHash, type = 'direct' } = settingsOf(url);
	if (expiry !== '' && parseTimestamp(expiry) <= context.clock.now())
		return sendPage(reply, expiredPage, 410);
	if (passwordHash !== undefined) {
		const { password } = (request.body ?? {}) as { password?: string };
		const isSubmitted = request.method === 'POST';
		if (!isSubmitted || password === undefined || !isPassword(password, passwordHash)) {
			return sendPage(reply, passwordPage(isSubmitted), isSubmitted ? 403 : 200);
		}
	}
	const visitor = readVisitor(request.headers, request.ip);
	const target = targetFor(url, visitor);
	if (visitor.isPreview) return sendPage(reply, previewPage(context, url, target));
	if (request.method !== 'HEAD') countVisit(context, 'urls', url, visitor.visit);

	if (type === 'frame') return sendPage(reply, framePage(context, url, target));
	if (type === 'splash') return sendPage(reply, splashPage(context, url, target, defaultSplash));
	const splash = context.store.find('splash', { id: Number(type) });
	if (splash !== undefined) return sendPage(reply, splashPage(context, url, target, splash));
	const overlay = context.store.find('overlays', { id: Number(type.replace('overlay-', '')) });
	if (overlay !== undefined) return sendPage(reply, overlayPage(context, url, target, overlay));
	return leadTo(reply, target, request.method === 'POST' ? 303 : 302);
}

/** Redirects without caching, so that every visit is counted. */
export function leadTo(reply: FastifyReply, address: string, status = 302): FastifyReply {
	return reply.header('cache-control', 'no-store').redirect(address, status);
}
