import type { Service } from '../shared/service.ts';
import { serveControl } from './reader-control.ts';
import { Reader } from './reader.ts';
import { readerDifferences, initialSettings } from './settings.ts';
import { Fetcher } from './fetching/fetcher.ts';
import { AddressBans, rejectAttacks, CallLimits } from './http/limits.ts';
import { readForms } from './http/parameters.ts';
import { registerRoutes, sendNotFound } from './http/dispatch.ts';
import { registerOAuth } from './routes/oauth-routes.ts';
import { overview } from './reader-overview.ts';
import { readerRoutes } from './routes/index.ts';
import { seedAccounts, moveToOrigin, isSeeded, seedSocial } from './seed.ts';
import { clusterSameTitles } from './stories/clusters.ts';
import { countAfterFetch } from './stories/stored-counts.ts';
import { Queries } from './storage/queries.ts';

/** The reader service. Control endpoints for tests and demos are below `/sandbox`. */
export const readerService: Service = {
	name: 'reader',
	title: 'News reader service',
	prefix: '/reader-service',
	differences: readerDifferences,
	help: [
		'Accounts: reader, friend (password sandbox-password). OAuth client: sandbox-client, sandbox-secret, any loopback redirect.',
		'POST /reader-service/sandbox/settings {"plan"?, "username"?, "fetch_seconds"?, "cookie_name"?, "address_limit"?, "reset_limits"?},',
		'/cluster {"story_hashes", "id"?}, /revoke-sessions {"username"}, /expire-tokens {"username"}, /fetch {}, /bulk {"feed_id", "count"}.',
	],
	async start(app, { db: database, clock, options, origin, baseUrl }) {
		const db = new Queries(database);
		const settings = initialSettings(options.plan);
		const policy = { allowPrivate: options.allowPrivate, origin };
		const fetcher = new Fetcher({ db, clock, policy, settings });
		const reader = new Reader({ db, origin, baseUrl, policy, settings, fetcher, options });
		const limits = new CallLimits(reader, options.rateLimit !== null);
		const bans = new AddressBans(reader);
		fetcher.onNews = (feedId) => {
			countAfterFetch(reader, feedId);
			clusterSameTitles(reader, feedId);
		};
		moveToOrigin(db, origin);

		/** The first start fetches the built-in feeds. Requests wait for that, so that no client sees an empty account. */
		let prepared: Promise<void> | undefined;
		seedAccounts(db, clock.now(), origin);
		const prepare = async () => {
			if (isSeeded(db)) return;
			await fetcher.fetchAll();
			if (!fetcher.isClosed) seedSocial(reader);
		};
		const prepareOnce = () => (prepared ??= prepare());

		app.addHook('onRequest', prepareOnce);
		await app.register(async (calls) => {
			await readForms(calls);
			rejectAttacks(calls, reader, bans);
			registerRoutes(calls, reader, limits, readerRoutes(reader));
			registerOAuth(calls, reader);
		});
		await app.register(async (control) => serveControl(control, reader, limits, bans), {
			prefix: '/sandbox',
		});
		app.setNotFoundHandler((request, reply) => sendNotFound(reader, request, reply));
		app.addHook('onReady', async () => {
			void prepareOnce();
			fetcher.start();
		});
		app.addHook('onClose', async () => fetcher.close());
		return { overview: () => overview(reader) };
	},
};
