import { sendPage } from '../shared/html.ts';
import type { Service } from '../shared/service.ts';
import { serveApi, ApiLimiter } from './api.ts';
import { LinkContext, linkDifferences } from './context.ts';
import { serveControl } from './link-control.ts';
import { overview } from './link-overview.ts';
import { seed } from './seed.ts';
import { Store } from './link-store.ts';
import { serveAssets, serveQrCodes, notFoundPage, serveShortLinks } from './visitors.ts';

/** The link service: its API under `/api`, and the pages for visitors. */
export const linkService: Service = {
	name: 'links',
	title: 'Link service',
	prefix: '/links',
	differences: linkDifferences,
	help: [
		'API keys: sandbox-api-key, sandbox-second-key (another account), sandbox-expired-key (always refused).',
		'Visits are counted by country (header CF-IPCountry or X-Country), referrer, browser and system. To simulate some,',
		'POST /links/sandbox/visits {"kind": "qr" or "url", "code": "…", "count"?, "country"?, "referrer"?, "userAgent"?, "ip"?}.',
		'GET /links/sandbox/requests returns how many requests the rate limit accepted and refused (not with --rate-limit none).',
	],
	async start(app, { db, options, baseUrl }) {
		const context = new LinkContext(new Store(db), baseUrl, options);
		seed(context);
		const limiter = options.rateLimit === null ? undefined : new ApiLimiter(context, options.rateLimit);
		await app.register(async (api) => serveApi(api, context, limiter), { prefix: '/api' });
		await app.register(async (control) => serveControl(control, context, limiter), { prefix: '/sandbox' });
		await app.register(async (pages) => {
			serveShortLinks(pages, context);
			serveQrCodes(pages, context);
			serveAssets(pages);
		});
		app.setNotFoundHandler((_request, reply) => sendPage(reply, notFoundPage, 404));
		return { overview: () => overview(context) };
	},
};
