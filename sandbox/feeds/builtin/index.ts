/**
 * The feeds the sandbox serves itself, so that it works without a network: invented publications in every format,
 * with home pages, articles, icons and pictures. Their stories are made from numbers: the same everywhere and after every start.
 *
 * `GET /feeds/<slug>/`, `/feeds/<slug>/<document>`, `/feeds/<slug>/<story>`, `/feeds/<slug>/favicon.png`.
 * Any document takes `?every=5`: additionally a new story every five seconds since the start ('live-wire' is made for it).
 *
 * Control, all POST with an optional JSON body, under `/sandbox/feeds/<slug>/`:
 * - `publish` {title?, content?, tags?, author?, publishedAt? (epoch ms), guid?}: a story at once; answers the story with its `path`
 * - `pace` {every}: from now on a story every `every` seconds; 0 ends it
 * - `break`, `repair`: the document answers 500, or again
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

/** Fastify plugin; registered without prefix, since its routes carry their whole paths. */
export async function builtinFeeds(app: FastifyInstance, options: BuiltinFeedsOptions): Promise<void> {
	const newsroom = new Newsroom(options.clock, options);
	feedRoutes(app, newsroom, options.origin);
	controlRoutes(app, newsroom, options.clock);
}

/** The built-in feeds in the order a new account should list them. @param origin 'http://127.0.0.1:8787' */
export function builtinFeedList(origin: string): BuiltinFeed[] {
	return publications.map(({ slug, title, folder, format }) => ({
		slug,
		title,
		folder,
		url: `${origin}/feeds/${slug}/${documentKinds[format].file}`,
	}));
}
