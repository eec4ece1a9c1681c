import fastify, { type FastifyInstance } from 'fastify';
import {
	discoverFeeds,
	extractReadable,
	fetchFavicon,
	type NetworkPolicy,
} from '../../sandbox/feeds/index.ts';

/** The site's responses by path; other paths return 404. */
let site: Record<string, { type: string; body: string | Buffer }>;
let requested: string[];
let app: FastifyInstance;
let origin: string;
let policy: NetworkPolicy;

function rss(title: string) {
	return { type: 'text/xml', body: `<rss version="2.0"><channel><title>${title}</title></channel></rss>` };
}

function page(head: string, body = '') {
	return { type: 'text/html', body: `<!doctype html><html><head>${head}</head><body>${body}</body></html>` };
}

beforeAll(async () => {
	app = fastify({ forceCloseConnections: true });
	app.get('/*', (request, reply) => {
		const path = request.url.split('?')[0] ?? '';
		requested.push(path);
		const response = site[path];
		return response ? reply.type(response.type).send(response.body) : reply.code(404).send('no');
	});
	origin = await app.listen({ host: '127.0.0.1', port: 0 });
	policy = { allowPrivate: false, ownOrigins: [origin] };
});

beforeEach(() => {
	site = {};
	requested = [];
});

afterAll(() => app.close());

describe('discoverFeeds', () => {
	test('returns the URL of a feed', async () => {
		site['/x'] = rss('Weekly');
		expect(await discoverFeeds(`${origin}/x`, policy)).toEqual([{ url: `${origin}/x`, title: 'Weekly' }]);
		expect(requested).toEqual(['/x']);
	});

	test('returns the feeds that the page announces, in order, and tries nothing else', async () => {
		site['/blog/'] = page(
			`<link rel="alternate" type="application/rss+xml" title="All" href="all.xml">
			<link rel="ALTERNATE" type="application/atom+xml" href="/comments">
			<link rel="alternate" type="text/html" hreflang="de" href="/de">
			<link rel="stylesheet" type="text/css" href="/style.css">`,
			'<a href="/other.rss">RSS</a>',
		);
		site['/blog/all.xml'] = rss('All stories');
		site['/comments'] = rss('</title><item><guid>1</guid></item><title>');
		site['/other.rss'] = rss('Other');
		expect(await discoverFeeds(`${origin}/blog/`, policy)).toEqual([
			{ url: `${origin}/blog/all.xml`, title: 'All stories' },
			{ url: `${origin}/comments`, title: `${origin}/comments` },
		]);
		expect(requested).not.toContain('/de');
		expect(requested).not.toContain('/other.rss');
	});

	test('the base of the page counts', async () => {
		site['/'] = page('<base href="/deep/"><link rel="alternate" type="application/feed+json" href="f">');
		site['/deep/f'] = {
			type: 'application/json',
			body: '{"version":"https://jsonfeed.org/version/1","title":"J","items":[]}',
		};
		expect(await discoverFeeds(origin, policy)).toEqual([{ url: `${origin}/deep/f`, title: 'J' }]);
	});

	test('tries links if the page announces no working feed', async () => {
		site['/'] = page(
			'<link rel="alternate" type="application/rss+xml" href="/gone.xml">',
			'<a href="/about">About</a> <a href="/news/rss">RSS</a> <a href="/feedback">Write</a>',
		);
		site['/news/rss'] = rss('News');
		expect(await discoverFeeds(origin, policy)).toEqual([{ url: `${origin}/news/rss`, title: 'News' }]);
		expect(requested).not.toContain('/feedback');
	});

	test.each(['/feed', '/rss', '/atom.xml', '/feed.json', '/index.xml'])(
		'tries the usual path %s',
		async (path) => {
			site['/blog/post'] = page('');
			site[path] = rss('Usual');
			expect(await discoverFeeds(`${origin}/blog/post`, policy)).toEqual([
				{ url: origin + path, title: 'Usual' },
			]);
		},
	);

	test('returns nothing without a feed', async () => {
		site['/'] = page('');
		expect(await discoverFeeds(origin, policy)).toEqual([]);
	});

	test('accepts a missing scheme, and feed:', async () => {
		site['/x'] = rss('Weekly');
		const found = [{ url: `${origin}/x`, title: 'Weekly' }];
		expect(await discoverFeeds(`${origin}/x`.replace('http://', ''), policy)).toEqual(found);
		expect(await discoverFeeds(`${origin}/x`.replace('http://', 'feed://'), policy)).toEqual(found);
		expect(await discoverFeeds(`feed:${origin}/x`, policy)).toEqual(found);
	});

	test('fails if the URL does not respond', async () => {
		await expect(discoverFeeds(`${origin}/nothing`, policy)).rejects.toMatchObject({
			kind: 'status',
			statusCode: 404,
		});
	});

	test('does not request private addresses that a page names', async () => {
		const other = fastify();
		let visits = 0;
		other.get('/rss', () => (visits += 1));
		const otherOrigin = await other.listen({ host: '127.0.0.1', port: 0 });
		site['/'] = page(`<link rel="alternate" type="application/rss+xml" href="${otherOrigin}/rss">`);
		expect(await discoverFeeds(origin, policy)).toEqual([]);
		expect(visits).toBe(0);
		await other.close();
	});
});

describe('fetchFavicon', () => {
	test('returns null without an icon', async () => {
		site['/'] = page('');
		expect(await fetchFavicon(`${origin}/`, policy)).toBeNull();
		expect(await fetchFavicon('http://127.0.0.1:1/', policy)).toBeNull();
	});
});

describe('extractReadable', () => {
	const sentence =
		'The swing bridge was closed for an hour on Tuesday while the engineers looked at it, said the master. ';
	const article = `<article><h1>Title</h1><p>${sentence.repeat(4)}</p><p>${sentence.repeat(3)} <a href="more">more</a><script>alert(1)</script></p><img src="/bridge.png" onerror="alert(1)"></article>`;
	const chrome =
		'<nav><ul><li><a href="/">Home</a></li><li><a href="/subscribe">Subscribe now</a></li></ul></nav>';
	const around = `<html><head><title>T</title></head><body>${chrome}<div class="sidebar"><ul><li><a href="/a">Most read</a></li></ul></div>${article}<footer class="footer">Copyright nobody</footer></body></html>`;

	test('returns the sanitized article with absolute URLs', () => {
		const readable = extractReadable(around, 'https://a.example/2026/bridge');
		expect(readable?.text).toContain(sentence.trim());
		expect(readable?.text).not.toMatch(/Subscribe|Most read|Copyright|alert/);
		expect(readable?.html).toContain('<a href="https://a.example/2026/more">more</a>');
		expect(readable?.html).not.toMatch(/script|onerror/);
		expect(readable?.imageUrls).toEqual(['https://a.example/bridge.png']);
	});

	test('the base of the page counts', () => {
		const readable = extractReadable(
			around.replace('<head>', '<head><base href="https://b.example/x/">'),
			'https://a.example/',
		);
		expect(readable?.html).toContain('https://b.example/x/more');
	});

	test.each(['', '<html><body></body></html>', '<html><body><script>var a;</script></body></html>'])(
		'finds no article in "%s"',
		(html) => {
			expect(extractReadable(html, 'https://a.example/')).toBeNull();
		},
	);
});
