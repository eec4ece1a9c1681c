import { lookup } from 'node:dns/promises';
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { fetchFeed, fetchPage, type FeedFailure, type NetworkPolicy } from '../../sandbox/feeds/index.ts';
import { isPrivateAddress } from '../../sandbox/feeds/private-addresses.ts';

const rss = '<rss version="2.0"><channel><title>T</title><item><title>One</title></item></channel></rss>';
const etag = '"v1"';
const lastModified = 'Tue, 01 Sep 2026 12:30:00 GMT';

let own: FastifyInstance;
let other: FastifyInstance;
let ownOrigin: string;
let otherOrigin: string;
let requests: { url: string; headers: Record<string, unknown> }[];
let policy: NetworkPolicy;

function addRoutes(app: FastifyInstance) {
	app.addHook('onRequest', async (request) => {
		requests.push({ url: `${request.host}${request.url}`, headers: request.headers });
	});
	app.get('/rss', (request, reply) => {
		reply.headers({ etag, 'last-modified': lastModified });
		const { 'if-none-match': match, 'if-modified-since': since } = request.headers;
		if (match === etag || since === lastModified) return reply.code(304).send();
		return reply.type('application/rss+xml').send(rss);
	});
	app.get<{ Querystring: { to: string; code?: string } }>('/to', (request, reply) =>
		reply.redirect(request.query.to, Number(request.query.code ?? 302)),
	);
	app.get('/loop', (_request, reply) => reply.redirect('/loop'));
	app.get<{ Params: { code: string } }>('/status/:code', (request, reply) =>
		reply.code(Number(request.params.code)).send('no'),
	);
	app.get('/page', (_request, reply) => reply.type('text/html').send('<html><body>Hello</body></html>'));
	app.get('/latin', (_request, reply) =>
		reply.type('text/html; charset=iso-8859-1').send(Buffer.from('<p>caf\xe9</p>', 'latin1')),
	);
	app.get('/bomb', (_request, reply) =>
		reply.header('content-encoding', 'gzip').send(gzipSync(Buffer.alloc(2_000_000, ' '))),
	);
	app.get('/gzip', (_request, reply) => reply.header('content-encoding', 'gzip').send(gzipSync(rss)));
	// Never responds: only the client's timeout or the end of the server ends the request.
	app.get('/silence', (_request, reply) => {
		reply.hijack();
	});
	app.get('/stall', (_request, reply) => {
		reply.hijack();
		reply.raw.writeHead(200, { 'content-type': 'text/xml' });
		reply.raw.write('<rss version="2.0">');
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
	[own, ownOrigin] = await start();
	[other, otherOrigin] = await start();
	policy = { allowPrivate: false, ownOrigins: [ownOrigin] };
});

beforeEach(() => {
	requests = [];
});

afterAll(async () => {
	await own.close();
	await other.close();
});

describe('fetchFeed', () => {
	test('returns a feed with its validators', async () => {
		const fetched = await fetchFeed(`${ownOrigin}/rss`, policy);
		expect(fetched).toMatchObject({
			notModified: false,
			statusCode: 200,
			url: `${ownOrigin}/rss`,
			etag,
			lastModified,
			sizeBytes: rss.length,
		});
		expect(fetched.feed?.stories.map(({ title }) => title)).toEqual(['One']);
	});

	test.each([
		['etag', { etag }, 'if-none-match'],
		['last modified', { lastModified }, 'if-modified-since'],
	])('returns that the feed is not modified by %s', async (_, validators, header) => {
		const fetched = await fetchFeed(`${ownOrigin}/rss`, policy, validators);
		expect(fetched).toMatchObject({ notModified: true, statusCode: 304, feed: null, sizeBytes: 0 });
		expect(requests[0]?.headers[header]).toBe(Object.values(validators)[0]);
	});

	test('returns the whole feed for an outdated validator', async () => {
		const fetched = await fetchFeed(`${ownOrigin}/rss`, policy, { etag: '"old"' });
		expect(fetched.feed?.title).toBe('T');
	});

	test('reads compressed responses', async () => {
		expect((await fetchFeed(`${ownOrigin}/gzip`, policy)).feed?.title).toBe('T');
	});

	test.each([301, 302, 303, 307, 308])('follows redirect %i to a relative URL', async (code) => {
		const fetched = await fetchFeed(`${ownOrigin}/to?code=${code}&to=/rss`, policy);
		expect(fetched).toMatchObject({ url: `${ownOrigin}/rss`, statusCode: 200 });
	});

	test.each([404, 410, 500, 503])('fails with status %i', async (code) => {
		const failure = await failureOf(fetchFeed(`${ownOrigin}/status/${code}`, policy));
		expect(failure).toMatchObject({ name: 'FeedFailure', kind: 'status', statusCode: code });
	});

	test('rejects a page that is no feed, with its status', async () => {
		const failure = await failureOf(fetchFeed(`${ownOrigin}/page`, policy));
		expect(failure).toMatchObject({ kind: 'not-a-feed', statusCode: 200 });
	});

	test('fails after too many redirects', async () => {
		const failure = await failureOf(fetchFeed(`${ownOrigin}/loop`, policy));
		expect(failure).toMatchObject({ kind: 'network', statusCode: null });
		expect(requests.length).toBeLessThan(12);
	});

	test('limits the size after decompression', async () => {
		const failure = await failureOf(fetchFeed(`${ownOrigin}/bomb`, { ...policy, maxBytes: 1_000_000 }));
		expect(failure).toMatchObject({ kind: 'too-large', statusCode: 200 });
	});

	test.each(['/silence', '/stall'])('limits the time: %s', async (path) => {
		const failure = await failureOf(fetchFeed(ownOrigin + path, { ...policy, timeoutMs: 50 }));
		expect(failure).toMatchObject({ kind: 'timeout', statusCode: null });
	});

	test('fails if the connection is refused', async () => {
		const [app, origin] = await start();
		await app.close();
		const failure = await failureOf(fetchFeed(`${origin}/rss`, { ...policy, allowPrivate: true }));
		expect(failure).toMatchObject({ kind: 'network' });
		expect(failure.message).toContain('ECONNREFUSED');
	});

	test.each(['file:///etc/passwd', 'ftp://a.example/', 'nonsense', ''])(
		'rejects the URL "%s"',
		async (url) => {
			expect(await failureOf(fetchFeed(url, policy))).toMatchObject({ kind: 'network' });
		},
	);

	test('sends credentials in the URL only to its host, and never returns them', async () => {
		const own = ownOrigin.replace('http://', 'http://ada:s%40cret@');
		const fetched = await fetchFeed(`${own}/to?to=${otherOrigin}/rss`, { ...policy, allowPrivate: true });
		expect(fetched.feed?.title).toBe('T');
		expect(requests.map(({ headers }) => headers.authorization)).toEqual([
			`Basic ${Buffer.from('ada:s@cret').toString('base64')}`,
			undefined,
		]);
		const failure = await failureOf(fetchFeed(`${own}/status/404?token=hidden`, policy));
		expect(failure.message).toBe(`${ownOrigin}/status/404 answered with status 404.`);
	});
});

describe('private addresses', () => {
	const refused = async (url: string) => {
		const failure = await failureOf(fetchFeed(url, policy));
		expect(failure).toMatchObject({ kind: 'private-address', statusCode: null });
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
	])('rejects %s', async (origin) => {
		await refused(`${origin}/rss`);
		expect(requests).toEqual([]);
	});

	test('rejects another port of this machine', async () => {
		await refused(`${otherOrigin}/rss`);
		expect(requests).toEqual([]);
	});

	test('checks redirects from the sandbox itself', async () => {
		await refused(`${ownOrigin}/to?to=${encodeURIComponent(`${otherOrigin}/rss`)}`);
		expect(requests.map(({ url }) => url.split('?')[0])).toEqual([`${new URL(ownOrigin).host}/to`]);
	});

	test('rejects a name that resolves to this machine', async () => {
		const { address } = await lookup('localhost');
		expect(isPrivateAddress(address)).toBe(true);
		await refused(otherOrigin.replace('127.0.0.1', 'localhost') + '/rss');
		await refused(
			`${ownOrigin}/to?to=${encodeURIComponent(otherOrigin.replace('127.0.0.1', 'localhost') + '/rss')}`,
		);
		expect(requests.filter(({ url }) => url.endsWith('/rss'))).toEqual([]);
	});

	test('rejects private addresses by default', async () => {
		const open = { allowPrivate: true, ownOrigins: [] };
		expect((await fetchFeed(`${otherOrigin}/rss`, open)).feed?.title).toBe('T');
	});
});

describe('fetchPage', () => {
	test('decodes the page and returns its final URL', async () => {
		expect(await fetchPage(`${ownOrigin}/to?to=/latin`, policy)).toEqual({
			html: '<p>café</p>',
			url: `${ownOrigin}/latin`,
		});
	});

	test('fails for an error page', async () => {
		expect(await failureOf(fetchPage(`${ownOrigin}/status/404`, policy))).toMatchObject({
			kind: 'status',
			statusCode: 404,
		});
	});
});
