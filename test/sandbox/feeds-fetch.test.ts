/** Fetching and finding feeds: redirects, failures, limits, and addresses that must not be fetched. */
import { lookup } from 'node:dns/promises';
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import type { FeedFailure } from '../../sandbox/feeds/failures.ts';
import { fetchFavicon, fetchFeed, findFeed } from '../../sandbox/feeds/fetch.ts';
import type { NetworkPolicy } from '../../sandbox/feeds/http.ts';
import { extractReadable } from '../../sandbox/feeds/page.ts';
import { isPrivateAddress } from '../../sandbox/feeds/private-addresses.ts';

const rss = '<rss version="2.0"><channel><title>T</title><item><title>One</title></item></channel></rss>';
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
		return reply.type('application/rss+xml').send(rss);
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
		expect(fetched).toMatchObject({ status: 200, url: `${origin}/rss`, etag, sizeBytes: rss.length });
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
