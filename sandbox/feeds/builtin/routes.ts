import type { FastifyInstance, FastifyReply } from 'fastify';
import { html } from '../../shared/html.ts';
import { page, sendPage } from '../../shared/page-layout.ts';
import { sha1 } from '../hash.ts';
import type { Newsroom } from './newsroom.ts';
import { articlePage, feedsPage, homePage } from './publication-pages.ts';
import { iconPng, picturePng } from './pictures.ts';
import type { Publication } from './publication.ts';
import { publicationOf } from './publications/index.ts';
import { rssOf } from './rss.ts';

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
export function feedRoutes(app: FastifyInstance, newsroom: Newsroom, origin: string): void {
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
