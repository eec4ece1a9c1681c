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
import { html, page, sendPage } from '../../shared/html.ts';
import { isSince, type Clock } from '../../shared/options.ts';
import type { Service } from '../../shared/service.ts';
import { Newsroom, publishedPath, type PublishedStory } from './newsroom.ts';
import { publications, publicationOf } from './publications/index.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sha1 } from '../text.ts';
import { articlePage, feedsPage, homePage, iconPng, picturePng, rssOf } from './documents.ts';
import type { Publication } from './publication.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

export const builtInFeedsService: Service = {
	name: 'feeds',
	title: 'Feeds of the sandbox itself',
	prefix: '',
	differences: [],
	help: [
		'POST /sandbox/feeds/<slug>/publish {"title"?, "content"?, "tags"?, "author"?}, /break, /repair. A restart repairs all.',
	],
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

const LINKED_FROM_ARTICLES = 5;

interface FeedRequest {
	name: string;
	headers: Record<string, string | string[] | undefined>;
	reply: FastifyReply;
}

type FeedHandler = (publication: Publication, request: FeedRequest) => unknown;

function sendNotFound(reply: FastifyReply) {
	return sendPage(reply, page('Not found', html`<h1>There is nothing here.</h1>`), 404);
}

/** Home pages, documents, icons, articles and pictures of the built-in feeds. */
function feedRoutes(app: FastifyInstance, newsroom: Newsroom, origin: string): void {
	const get = (path: string, handle: FeedHandler) =>
		app.get<{ Params: { slug: string; name: string } }>(path, ({ params, headers }, reply) => {
			const publication = publicationOf(params.slug);
			return publication ? handle(publication, { name: params.name, headers, reply }) : sendNotFound(reply);
		});

	app.get('/feeds', (_request, reply) => reply.redirect('/feeds/'));
	app.get('/feeds/', (_request, reply) => sendPage(reply, feedsPage()));
	get('/feeds/:slug', ({ slug }, { reply }) => reply.redirect(`/feeds/${slug}/`));
	get('/feeds/:slug/', (publication, { reply }) =>
		sendPage(reply, homePage(publication, newsroom.stories(publication))),
	);
	get('/feeds/:slug/rss.xml', (publication, { headers, reply }) => {
		if (newsroom.isBroken(publication.slug)) return reply.code(500).type('text/plain').send('Out of order.');
		const home = `${origin}/feeds/${publication.slug}/`;
		const document = rssOf(publication, home, newsroom.stories(publication));
		const etag = `"${sha1(document)}"`;
		reply.header('etag', etag);
		if (headers['if-none-match'] === etag) return reply.code(304).send();
		return reply.type('application/rss+xml; charset=utf-8').send(document);
	});
	get('/feeds/:slug/favicon.png', async (publication, { reply }) =>
		reply.type('image/png').send(await iconPng(publication)),
	);
	get('/feeds/:slug/pictures/:name', async (publication, { name, reply }) =>
		reply.type('image/png').send(await picturePng(publication, name)),
	);
	get('/feeds/:slug/:name', (publication, { name, reply }) => {
		const stories = newsroom.stories(publication);
		const story = stories.find(({ path }) => path === name);
		if (!story) return sendNotFound(reply);
		return sendPage(reply, articlePage(publication, story, stories.slice(0, LINKED_FROM_ARTICLES)));
	});
}

const storySchema = z.strictObject({
	title: z.string().default('Untitled'),
	content: z.string().default('<p>A story published by a control call.</p>'),
	tags: z.array(z.string()).default([]),
	author: z.string().default(''),
	/** Epoch ms. Default: now. */
	publishedAt: z.int().optional(),
	/** Default: a new guid. The guid of a published story replaces that story. */
	guid: z.string().min(1).optional(),
});

type SlugRoute = { Params: { slug: string }; Body: unknown };

/** Control endpoints of the built-in feeds, for tests and demonstrations. */
function controlRoutes(app: FastifyInstance, newsroom: Newsroom, clock: Clock): void {
	const post = (action: string, handle: (slug: string, body: unknown) => object | Promise<object>) =>
		app.post<SlugRoute>(`/sandbox/feeds/:slug/${action}`, async (request, reply) => {
			const { slug } = request.params;
			if (!publicationOf(slug))
				return reply.code(404).send({ message: `There is no built-in feed "${slug}".` });
			try {
				return await handle(slug, request.body ?? {});
			} catch (error) {
				if (!(error instanceof z.ZodError)) throw error;
				return reply.code(400).send({ message: z.prettifyError(error) });
			}
		});

	post('publish', (feed, body) => {
		const {
			publishedAt = clock.now(),
			guid = `urn:uuid:${randomUUID()}`,
			...given
		} = storySchema.parse(body);
		const story: PublishedStory = { feed, guid, publishedAt, ...given };
		newsroom.publish(story);
		return { ...story, path: `/feeds/${feed}/${publishedPath(guid)}` };
	});
	post('break', (feed) => {
		newsroom.setBroken(feed, true);
		return { feed, broken: true };
	});
	post('repair', (feed) => {
		newsroom.setBroken(feed, false);
		return { feed, broken: false };
	});
}
