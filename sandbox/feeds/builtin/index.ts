/**
 * The sandbox's built-in feeds, which work without a network: fictional publications with home pages, articles, icons
 * and pictures. Their stories are generated from numbers: the same on every machine and after every start.
 *
 * `GET /feeds/<slug>/`, `/feeds/<slug>/rss.xml`, `/feeds/<slug>/<story>`, `/feeds/<slug>/favicon.png`.
 *
 * Control endpoints, all POST with an optional JSON body, under `/sandbox/feeds/<slug>/`:
 * - `publish` {title?, content?, tags?, author?, publishedAt? (epoch ms), guid?}: adds a story; returns it with its `path`
 * - `break`, `repair`: the document returns 500, or works again
 */
import { html } from '../../shared/html.ts';
import { isSince } from '../../shared/options.ts';
import type { Service } from '../../shared/service.ts';
import { controlRoutes } from './newsroom-control.ts';
import { Newsroom } from './newsroom.ts';
import { publications } from './publications/index.ts';
import { feedRoutes } from './routes.ts';

export const builtInFeedsService: Service = {
	name: 'feeds',
	title: 'Feeds of the sandbox itself',
	prefix: '',
	differences: [],
	help: ['POST /sandbox/feeds/<slug>/publish {"title"?, "content"?, "tags"?, "author"?}, /break, /repair.'],
	start(app, { db, clock, origin, options }) {
		const newsroom = new Newsroom(db, clock, isSince(options.variant, '2026'));
		feedRoutes(app, newsroom, origin);
		controlRoutes(app, newsroom, clock);
		return {
			overview: () =>
				html`<h2>Feeds</h2>
					<p><a href="${origin}/feeds/">The feeds that the sandbox publishes</a></p>`,
		};
	},
};

interface BuiltinFeed {
	/** Folder path from the top level, outermost first; [] is the top level. */
	folder: string[];
	title: string;
	/** URL of the feed document. */
	url: string;
}

/** The built-in feeds in the order of a new account. @param origin 'http://127.0.0.1:8787' */
export function builtinFeedList(origin: string): BuiltinFeed[] {
	return publications.map(({ slug, title, folder }) => ({
		title,
		folder,
		url: `${origin}/feeds/${slug}/rss.xml`,
	}));
}
