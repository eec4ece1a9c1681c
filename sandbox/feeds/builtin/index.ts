/**
 * The sandbox's built-in feeds, which work without a network: fictional publications in every format, with home pages,
 * articles, icons and pictures. Their stories are generated from numbers: the same on every machine and after every start.
 *
 * `GET /feeds/<slug>/`, `/feeds/<slug>/<document>`, `/feeds/<slug>/<story>`, `/feeds/<slug>/favicon.png`.
 * Every document supports `?every=5`, which adds a story every five seconds since the start ('live-wire' is made for it).
 *
 * Control endpoints, all POST with an optional JSON body, under `/sandbox/feeds/<slug>/`:
 * - `publish` {title?, content?, tags?, author?, publishedAt? (epoch ms), guid?}: adds a story; returns it with its `path`
 * - `pace` {every}: adds a story every `every` seconds from now on; 0 stops it
 * - `break`, `repair`: the document returns 500, or works again
 */
import type { FastifyInstance } from 'fastify';
import { controlRoutes } from './newsroom-control.ts';
import { documentKinds } from './documents.ts';
import { Newsroom } from './newsroom.ts';
import { publications } from './publications/index.ts';
import { feedRoutes } from './routes.ts';
import type { BuiltinFeed, BuiltinFeedsOptions } from './builtin-types.ts';

export type {
	BuiltinFeed,
	BuiltinFeedsOptions,
	PublishedStory,
	PublishedStoryStore,
} from './builtin-types.ts';

/** Fastify plugin; register it without a prefix, because its routes have full paths. */
export async function builtinFeeds(app: FastifyInstance, options: BuiltinFeedsOptions): Promise<void> {
	const newsroom = new Newsroom(options.clock, options);
	feedRoutes(app, newsroom, options.origin);
	controlRoutes(app, newsroom, options.clock);
}

/** The built-in feeds in the order of a new account. @param origin 'http://127.0.0.1:8787' */
export function builtinFeedList(origin: string): BuiltinFeed[] {
	return publications.map(({ slug, title, folder, format }) => ({
		slug,
		title,
		folder,
		url: `${origin}/feeds/${slug}/${documentKinds[format].file}`,
	}));
}
