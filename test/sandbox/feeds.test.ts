/** Feeds: fetching and finding them, parsing all formats, and sanitizing the HTML of their stories. */
import { lookup } from 'node:dns/promises';
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { FeedFailure, type NetworkPolicy, isPrivateAddress } from '../../sandbox/feeds/http.ts';
import { fetchFavicon, fetchFeed, findFeed } from '../../sandbox/feeds/fetch.ts';
import { extractReadable, cleanHtml } from '../../sandbox/feeds/html.ts';
import { parseFeed } from '../../sandbox/feeds/parse.ts';

const plainFeed =
	'<rss version="2.0"><channel><title>T</title><item><title>One</title></item></channel></rss>';
const etag = '"v1"';

let own: FastifyInstance;
let other: FastifyInstance;
let origin: string;
let otherOrigin: string;
let requests: string[];
let policy: NetworkPolicy;

function addRoutes(app: FastifyInstance) {
	app.addHook('onRequest', async (request) => {
		requests.push(`${request.host}${request.url.split('?')[0]}`);
	});
	app.get('/rss', (request, reply) => {
		reply.header('etag', etag);
		if (request.headers['if-none-match'] === etag) return reply.code(304).send();
		return reply.type('application/rss+xml').send(plainFeed);
	});
	app.get<{ Querystring: { to: string } }>('/to', (request, reply) => reply.redirect(request.query.to));
	app.get('/loop', (_request, reply) => reply.redirect('/loop'));
	app.get('/gone', (_request, reply) => reply.code(410).send('no'));
	app.get<{ Querystring: { feed?: string } }>('/page', (request, reply) => {
		const { feed } = request.query;
		const link = feed === undefined ? '' : `<link rel="alternate" type="application/rss+xml" href="${feed}">`;
		return reply.type('text/html').send(`<html><head>${link}</head><body>Hello</body></html>`);
	});
	app.get('/bomb', (_request, reply) =>
		reply.header('content-encoding', 'gzip').send(gzipSync(Buffer.alloc(2_000_000, ' '))),
	);
	// Never responds: only the client's timeout or the end of the server ends the request.
	app.get('/silence', (_request, reply) => {
		reply.hijack();
	});
}

async function start(): Promise<[FastifyInstance, string]> {
	const app = fastify({ forceCloseConnections: true });
	addRoutes(app);
	return [app, await app.listen({ host: '127.0.0.1', port: 0 })];
}

async function failureOf(promise: Promise<unknown>): Promise<FeedFailure> {
	return promise.then(
		() => Promise.reject(new Error('It did not fail.')),
		(error: FeedFailure) => error,
	);
}

beforeAll(async () => {
	[own, origin] = await start();
	[other, otherOrigin] = await start();
	policy = { allowPrivate: false, origin };
});

beforeEach(() => {
	requests = [];
});

afterAll(async () => {
	await own.close();
	await other.close();
});

describe('fetchFeed', () => {
	test('follows a redirect to a relative URL', async () => {
		const fetched = await fetchFeed(`${origin}/to?to=/rss`, policy);
		expect(fetched).toMatchObject({ status: 200, url: `${origin}/rss`, etag, sizeBytes: plainFeed.length });
		expect(fetched.feed?.stories.map(({ title }) => title)).toEqual(['One']);
	});

	test('returns no feed for its current ETag', async () => {
		expect(await fetchFeed(`${origin}/rss`, policy, etag)).toMatchObject({ status: 304, feed: null });
		expect((await fetchFeed(`${origin}/rss`, policy, '"old"')).feed?.title).toBe('T');
	});

	test.each([
		['/gone', 410],
		['/page', 551],
		['/loop', 503],
	])('fails: %s', async (path, status) => {
		expect(await failureOf(fetchFeed(origin + path, policy))).toMatchObject({ status });
	});

	test('limits the size after decompression', async () => {
		const failure = await failureOf(fetchFeed(`${origin}/bomb`, { ...policy, maxBytes: 1_000_000 }));
		expect(failure).toMatchObject({ status: 413 });
	});

	test('limits the time', async () => {
		const failure = await failureOf(fetchFeed(`${origin}/silence`, { ...policy, timeoutMs: 50 }));
		expect(failure).toMatchObject({ status: 504 });
	});

	test.each(['file:///etc/passwd', 'nonsense', ''])('rejects the URL "%s"', async (url) => {
		expect(await failureOf(fetchFeed(url, policy))).toMatchObject({ status: 503 });
	});
});

describe('private addresses', () => {
	const refused = async (url: string) => {
		expect(await failureOf(fetchFeed(url, policy))).toMatchObject({ status: 403 });
		expect(requests.filter((request) => request.endsWith('/rss'))).toEqual([]);
	};

	test.each([
		'http://127.0.0.1',
		'http://2130706433',
		'http://0x7f.1',
		'http://0.0.0.0',
		'http://[::1]',
		'http://[::ffff:127.0.0.1]',
		'http://10.1.2.3',
		'http://169.254.169.254',
	])('rejects %s', async (address) => {
		await refused(`${address}/rss`);
	});

	test('rejects another port of this machine, also after a redirect', async () => {
		await refused(`${otherOrigin}/rss`);
		await refused(`${origin}/to?to=${encodeURIComponent(`${otherOrigin}/rss`)}`);
	});

	test('rejects a name that resolves to this machine', async () => {
		const { address } = await lookup('localhost');
		expect(isPrivateAddress(address)).toBe(true);
		await refused(otherOrigin.replace('127.0.0.1', 'localhost') + '/rss');
	});

	test('are fetched if that is allowed', async () => {
		expect((await fetchFeed(`${otherOrigin}/rss`, { ...policy, allowPrivate: true })).feed?.title).toBe('T');
	});
});

describe('findFeed', () => {
	test('finds a feed at its URL, with and without scheme, and at the URL of its site', async () => {
		const found = { url: `${origin}/rss`, title: 'T' };
		expect(await findFeed(`${origin}/rss`, policy)).toEqual(found);
		expect(await findFeed(`${origin}/rss`.replace('http://', ''), policy)).toEqual(found);
		expect(await findFeed(`${origin}/page?feed=/rss`, policy)).toEqual(found);
	});

	test('returns nothing for a page without a feed', async () => {
		expect(await findFeed(`${origin}/page`, policy)).toBeUndefined();
		expect(await findFeed(`${origin}/page?feed=/gone`, policy)).toBeUndefined();
	});

	test('does not request private addresses that a page names', async () => {
		expect(await findFeed(`${origin}/page?feed=${otherOrigin}/rss`, policy)).toBeUndefined();
		expect(requests).toEqual([`${new URL(origin).host}/page`]);
	});
});

test('a site without an icon has none', async () => {
	expect(await fetchFavicon(`${origin}/page`, policy)).toBeUndefined();
});

test('extractReadable returns the sanitized article with absolute URLs, or null', () => {
	const sentence = 'The swing bridge was closed for an hour on Tuesday while the engineers looked at it. ';
	const article = `<article><h1>Title</h1><p>${sentence.repeat(4)}</p><p>${sentence.repeat(3)} <a href="more">more</a><script>alert(1)</script></p></article>`;
	const page = `<html><head><title>T</title></head><body><nav><ul><li><a href="/">Home</a></li></ul></nav>${article}<footer class="footer">Copyright nobody</footer></body></html>`;
	const text = extractReadable(page, 'https://a.example/2026/bridge');
	expect(text).toContain(sentence.trim());
	expect(text).toContain('<a href="https://a.example/2026/more">more</a>');
	expect(text).not.toMatch(/Home|Copyright|alert/);
	expect(extractReadable('<html><body></body></html>', 'https://a.example/')).toBeNull();
});

const url = 'https://weekly.example/feeds/all.xml';
const published = Date.UTC(2026, 8, 1, 12, 30);
const parse = (document: string | Buffer, contentType = '') =>
	parseFeed(Buffer.from(document), contentType, url);

const items = `<title>Ten &amp; more</title><link>https://weekly.example/ten</link>`;
const rss = (item: string, prolog = '<?xml version="1.0"?>') =>
	`${prolog}<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Weekly</title><link>https://weekly.example/</link><description>News</description><item>${item}</item></channel></rss>`;

test.each([
	[
		'rss2',
		rss(
			`${items}<guid isPermaLink="false">tag:ten</guid><pubDate>Tue, 01 Sep 2026 14:30:00 +0200</pubDate>
			<dc:creator>Ada</dc:creator><category>tools</category>
			<content:encoded><![CDATA[<p>Long <img src="/a.png" onerror="x()"></p>]]></content:encoded>`,
		),
	],
	[
		'rss1',
		`<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel rdf:about="x"><title>Weekly</title><link>https://weekly.example/</link><description>News</description></channel>
		<item rdf:about="tag:ten">${items}<dc:date>2026-09-01T12:30:00Z</dc:date><dc:creator>Ada</dc:creator><dc:subject>tools</dc:subject><content:encoded>&lt;p>Long &lt;img src="/a.png">&lt;/p></content:encoded></item></rdf:RDF>`,
	],
	[
		'atom',
		`<feed xmlns="http://www.w3.org/2005/Atom"><id>x</id><updated>2026-09-01T12:30:00Z</updated><title>Weekly</title><subtitle>News</subtitle><link href="https://weekly.example/"/>
		<entry><id>tag:ten</id><title>Ten &amp; more</title><link href="https://weekly.example/ten"/><published>2026-09-01T12:30:00Z</published><updated>2026-09-01T12:30:00Z</updated><author><name>Ada</name></author><category term="tools"/><content type="html">&lt;p>Long &lt;img src="/a.png">&lt;/p></content></entry></feed>`,
	],
	[
		'json',
		JSON.stringify({
			version: 'https://jsonfeed.org/version/1.1',
			title: 'Weekly',
			description: 'News',
			home_page_url: 'https://weekly.example/',
			items: [
				{
					id: 'tag:ten',
					url: 'https://weekly.example/ten',
					title: 'Ten & more',
					date_published: '2026-09-01T12:30:00Z',
					authors: [{ name: 'Ada' }],
					tags: ['tools'],
					content_html: '<p>Long <img src="/a.png"></p>',
				},
			],
		}),
	],
])('%s: reads all members', (_format, document) => {
	expect(parse(document)).toEqual({
		title: 'Weekly',
		link: 'https://weekly.example/',
		description: 'News',
		stories: [
			{
				guid: 'tag:ten',
				title: 'Ten & more',
				link: 'https://weekly.example/ten',
				authors: 'Ada',
				publishedAt: published,
				content: '<p>Long <img src="https://weekly.example/a.png" /></p>',
				tags: ['tools'],
				imageUrls: ['https://weekly.example/a.png'],
			},
		],
	});
});

test.each([
	['the XML prolog', '<?xml version="1.0" encoding="windows-1251"?>', undefined],
	['the Content-Type', '', 'text/xml; charset=windows-1251'],
])('reads the encoding in %s', (_, prolog, contentType) => {
	// The letters of the Cyrillic alphabet follow each other in this encoding.
	const document = Buffer.from(rss('<title>\xcf\xf0\xe8\xe2\xe5\xf2</title>', prolog), 'latin1');
	expect(parse(document, contentType).stories[0]?.title).toBe('Привет');
});

test.each(['', 'plain text', '<html><body>no feed</body></html>', '{"title": 1}', '<rss'])(
	'rejects %j',
	(document) => {
		expect(() => parse(document)).toThrow(FeedFailure);
	},
);

const base = 'https://a.example/2026/story';

const dangerous = [
	'<script>alert(1)</script>',
	'<img src="x.png" onerror="alert(1)">',
	'<a href=" JaVaScRiPt:alert(1)">x</a>',
	'<a href="data:text/html,<script>alert(1)</script>">x</a>',
	'<iframe src="https://evil.example/"></iframe>',
	'<form action="/alert"><input name="alert"></form>',
	'<p style="background:url(javascript:alert(1))">x</p>',
];

test.each(dangerous)('removes scripts from %s', (html) => {
	const clean = cleanHtml(`<p>before</p>${html}`, base).html;
	expect(clean).toContain('before');
	expect(clean).not.toMatch(
		/<(?:script|iframe|object|embed|form|input|svg|style|base|meta|math)\b|\son\w+=|style=|(?:javascript|vbscript):|data:/i,
	);
});

test('makes URLs absolute', () => {
	const html = '<a href="../about">a</a><a href="#n">n</a><img src="//cdn.example/i.png">';
	expect(cleanHtml(html, base).html).toBe(
		'<a href="https://a.example/about">a</a><a href="https://a.example/2026/story#n">n</a><img src="https://cdn.example/i.png" />',
	);
});

test('lists images once, in order, without tracking pixels', () => {
	const { html, imageUrls } = cleanHtml(
		'<img src="/a.png"><img src="/b.png"><img src="/a.png"><img src="https://count.example/p.gif" width="1" height="1"><img alt="none">',
		base,
	);
	expect(imageUrls).toEqual(['https://a.example/a.png', 'https://a.example/b.png']);
	expect(html).not.toContain('count.example');
});
