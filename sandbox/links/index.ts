import { html } from '../shared/html.ts';
import type { Service } from '../shared/service.ts';
import { serveApi } from './api.ts';
import { LinkContext } from './context.ts';
import { linkDifferences } from './differences.ts';
import { ApiLimiter } from './limiter.ts';
import { seed } from './seed.ts';
import { Store } from './store.ts';

export const linkService: Service = {
	name: 'links',
	title: 'Link service',
	prefix: '/links',
	differences: linkDifferences,
	help: [
		'API keys: sandbox-api-key, sandbox-second-key (another account), sandbox-expired-key (always refused).',
	],
	async start(app, { db, clock, options, baseUrl, differences }) {
		const context = new LinkContext({
			store: new Store(db),
			clock,
			baseUrl,
			allowPrivate: options.allowPrivate,
			differences,
		});
		seed(context);
		const limiter = options.rateLimit === null ? undefined : new ApiLimiter(context, options.rateLimit);
		await app.register(async (api) => serveApi(api, context, limiter), { prefix: '/api' });
		return { overview: () => html`` };
	},
};
