import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../shared/html.ts';
import { page, sendPage } from '../../shared/page-layout.ts';
import { documentKinds, feedDocument } from './documents.ts';
import type { Newsroom } from './newsroom.ts';
import { articlePage, feedsPage, homePage } from './publication-pages.ts';
import { iconSvg, pictureSvg, toPng } from './pictures.ts';
import type { Publication } from './publication.ts';
import { publicationOf } from './publications/index.ts';

const LINKED_FROM_ARTICLES = 5;

interface FeedRoute {
	Params: { slug: string; name: string };
	Querystring: { every?: string };
}

type FeedRequest = FastifyRequest<FeedRoute>;
type FeedHandler = (publication: Publication, request: FeedRequest, reply: FastifyReply) => unknown;

function sendNotFound(reply: FastifyReply) {
	return sendPage(reply, page('Not found', html`<h1>There is nothing here.</h1>`), 404);
}

function isFresh({ headers }: FeedRequest, etag: string, lastModified: string): boolean {
	const known = headers['if-none-match'];
	if (known) return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
	return Date.parse(headers['if-modified-since'] ?? '') >= Date.parse(lastModified);
}

const sendPicture: FeedHandler = async (publication, request, reply) => {
	const [, name, extension] = /^(.+)\.(png|svg)$/.exec(request.params.name) ?? [];
	if (!name) return sendNotFound(reply);
	const svg = pictureSvg(publication, name);
	return extension === 'svg'
		? reply.type('image/svg+xml').send(svg)
		: reply.type('image/png').send(await toPng(svg));
};

/** Home pages, documents, icons, articles and pictures of the built-in feeds. */
export function feedRoutes(app: FastifyInstance, newsroom: Newsroom, origin: string | undefined): void {
	const homeUrl = (publication: Publication, request: FeedRequest) =>
		`${origin ?? `${request.protocol}://${request.host}`}/feeds/${publication.slug}/`;

	const get = (path: string, handle: FeedHandler) =>
		app.get<FeedRoute>(path, (request, reply) => {
			const publication = publicationOf(request.params.slug);
			return publication ? handle(publication, request, reply) : sendNotFound(reply);
		});

	const sendDocument: FeedHandler = (publication, request, reply) => {
		if (newsroom.isBroken(publication.slug)) return reply.code(500).type('text/plain').send('Out of order.');
		const everySeconds = Number(request.query.every);
		const stories = newsroom.stories(publication, everySeconds > 0 ? everySeconds : undefined);
		const home = homeUrl(publication, request);
		const updatedAt = newsroom.changedAt(publication.slug, stories);
		const documentUrl = home + documentKinds[publication.format].file;
		const { body, contentType, etag } = feedDocument({
			publication,
			homeUrl: home,
			documentUrl,
			stories,
			updatedAt,
		});
		const lastModified = new Date(updatedAt).toUTCString();
		reply.headers({ etag, 'last-modified': lastModified, 'cache-control': 'no-cache' });
		if (isFresh(request, etag, lastModified)) return reply.code(304).send();
		return reply.type(contentType).send(body);
	};

	const sendArticle: FeedHandler = (publication, request, reply) => {
		const story = newsroom.story(publication, request.params.name);
		if (!story) return sendNotFound(reply);
		const others = newsroom.stories(publication).slice(0, LINKED_FROM_ARTICLES);
		return sendPage(reply, articlePage(publication, story, others));
	};

	app.get('/feeds', (_request, reply) => reply.redirect('/feeds/'));
	app.get('/feeds/', (_request, reply) => sendPage(reply, feedsPage()));
	get('/feeds/:slug', ({ slug }, _request, reply) => reply.redirect(`/feeds/${slug}/`));
	get('/feeds/:slug/', (publication, _request, reply) =>
		sendPage(reply, homePage(publication, newsroom.stories(publication))),
	);
	get('/feeds/:slug/favicon.svg', (publication, _request, reply) =>
		reply.type('image/svg+xml').send(iconSvg(publication)),
	);
	get('/feeds/:slug/favicon.png', async (publication, _request, reply) =>
		reply.type('image/png').send(await toPng(iconSvg(publication))),
	);
	get('/feeds/:slug/pictures/:name', sendPicture);
	get('/feeds/:slug/:name', (publication, request, reply) => {
		const isDocument = request.params.name === documentKinds[publication.format].file;
		return isDocument ? sendDocument(publication, request, reply) : sendArticle(publication, request, reply);
	});
}
