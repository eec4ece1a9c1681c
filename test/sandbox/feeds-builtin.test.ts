import fastify, { type FastifyInstance } from 'fastify';
import sharp from 'sharp';
import {
	builtinFeedList,
	builtinFeeds,
	type PublishedStory,
	type PublishedStoryStore,
} from '../../sandbox/feeds/builtin/index.ts';
import { extractReadable, fetchFeed, fetchPage, type ParsedFeed } from '../../sandbox/feeds/index.ts';

const DAY = 24 * 3_600_000;
const START = Date.UTC(2026, 8, 1, 12);

let now: number;
let app: FastifyInstance;
let origin: string;

async function start(store?: PublishedStoryStore): Promise<void> {
	app = fastify({ forceCloseConnections: true });
	await app.register(builtinFeeds, { clock: { now: () => now }, store });
	origin = await app.listen({ host: '127.0.0.1', port: 0 });
}

const policy = () => ({ allowPrivate: false, ownOrigins: [origin] });

function urlOf(slug: string): string {
	const feed = builtinFeedList(origin).find((candidate) => candidate.slug === slug);
	if (!feed) throw new Error(`There is no feed ${slug}.`);
	return feed.url;
}

async function read(slug: string, query = ''): Promise<ParsedFeed> {
	const { feed } = await fetchFeed(urlOf(slug) + query, policy());
	if (!feed) throw new Error('The feed was not modified.');
	return feed;
}

async function control(slug: string, action: string, payload?: object) {
	return fetch(`${origin}/sandbox/feeds/${slug}/${action}`, {
		method: 'POST',
		...(payload && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(payload) }),
	});
}

beforeEach(async () => {
	now = START;
	await start();
});

afterEach(() => app.close());

describe('the feeds', () => {
	test('has at least eight feeds with four hundred stories, in every format', async () => {
		const list = builtinFeedList(origin);
		const feeds = await Promise.all(list.map(({ slug }) => read(slug)));
		expect(list.length).toBeGreaterThanOrEqual(8);
		expect(new Set(feeds.map(({ format }) => format))).toEqual(new Set(['rss2', 'rss1', 'atom', 'json']));
		const stories = feeds.flatMap((feed) => feed.stories);
		expect(stories.length).toBeGreaterThanOrEqual(400);
		expect(new Set(stories.map(({ guid }) => guid)).size).toBe(stories.length);
		expect(list.some(({ folder }) => folder.length === 0)).toBe(true);
		expect(list.some(({ folder }) => folder.length === 2)).toBe(true);
	});

	test.each(builtinFeedList('').map(({ slug }) => [slug]))('%s is complete', async (slug) => {
		const feed = await read(slug);
		expect(feed.title).toBe(builtinFeedList(origin).find((row) => row.slug === slug)?.title);
		expect(feed.link).toBe(`${origin}/feeds/${slug}/`);
		expect(feed.description).not.toBe('');
		const { stories } = feed;
		expect(new Set(stories.map(({ title }) => title)).size).toBe(stories.length);
		for (const story of stories) {
			expect(story.title + story.content + story.tags.join()).not.toMatch(/[{}]|undefined/);
			expect(story.tags.length).toBeGreaterThan(0);
			expect(story.authors).not.toBe('');
			expect(story.content.length).toBeGreaterThan(100);
			expect(story.publishedAt).toBeLessThanOrEqual(START);
			expect(story.link.startsWith(`${origin}/feeds/${slug}/`)).toBe(true);
		}
		const dates = stories.map(({ publishedAt }) => publishedAt ?? 0);
		expect(dates).toEqual([...dates].sort((a, b) => b - a));
		expect(stories.some(({ imageUrls }) => imageUrls.length > 0)).toBe(
			slug !== 'long-walk' || feed.format === 'rss2',
		);
	});

	test('spreads dates over months, and has one feed with few stories', async () => {
		const ages = async (slug: string) =>
			(await read(slug)).stories.map(({ publishedAt }) => (START - (publishedAt ?? 0)) / DAY);
		expect(Math.max(...(await ages('slow-kitchen')))).toBeGreaterThan(40);
		const seldom = await ages('lighthouse-letters');
		expect(seldom.length).toBe(12);
		expect(Math.max(...seldom)).toBeGreaterThan(200);
	});

	test('has a feed in windows-1252', async () => {
		const response = await fetch(urlOf('cafe-mueller'));
		const bytes = Buffer.from(await response.arrayBuffer());
		expect(bytes.toString('latin1')).toContain('encoding="windows-1252"');
		expect(bytes.includes(Buffer.from('Café Müller \x96 Blätter', 'latin1'))).toBe(true);
		expect(response.headers.get('content-type')).toBe('application/rss+xml');
		expect((await read('cafe-mueller')).title).toBe('Café Müller – Blätter für Kultur');
	});

	test('has a feed with excerpts, whose pages have the full text', async () => {
		const [story] = (await read('long-walk')).stories;
		const page = await fetchPage(story?.link ?? '', policy());
		const text = extractReadable(page.html, page.url)?.text ?? '';
		expect(story?.content.length).toBeLessThan(400);
		expect(text.length).toBeGreaterThan(800);
		expect(text).not.toMatch(/Subscribe|Most read|remembers nothing/);
	});

	test('has the same stories after every start and on every origin', async () => {
		const before = await read('bitwright');
		await app.close();
		await start();
		const after = await read('bitwright');
		expect(after.stories.map(({ guid, title }) => [guid, title])).toEqual(
			before.stories.map(({ guid, title }) => [guid, title]),
		);
	});

	test('adds no story within a day after the start, then adds some', async () => {
		const newest = async () => (await read('harbour-lantern')).stories[0]?.guid;
		const first = await newest();
		now = START + DAY - 1;
		expect(await newest()).toBe(first);
		now = START + DAY;
		expect(await newest()).not.toBe(first);
	});

	test('supports conditional requests', async () => {
		const first = await fetchFeed(urlOf('bitwright'), policy());
		expect(await fetchFeed(urlOf('bitwright'), policy(), { etag: first.etag })).toMatchObject({
			statusCode: 304,
		});
		expect(await fetchFeed(urlOf('bitwright'), policy(), { lastModified: first.lastModified })).toMatchObject(
			{
				statusCode: 304,
			},
		);
		now += 1000;
		await control('bitwright', 'publish', {});
		expect(await fetchFeed(urlOf('bitwright'), policy(), first)).toMatchObject({ statusCode: 200 });
		expect(await fetchFeed(urlOf('bitwright'), policy(), { lastModified: first.lastModified })).toMatchObject(
			{
				statusCode: 200,
			},
		);
	});
});

describe('the sites', () => {
	test('lists every feed in the index', async () => {
		const body = await (await fetch(`${origin}/feeds/`)).text();
		for (const { slug } of builtinFeedList(origin)) expect(body).toContain(`href="${slug}/"`);
	});

	test('has a page and a picture for every story of a feed', async () => {
		const { stories } = await read('kerb-and-crossing');
		const illustrated = stories.find(({ imageUrls }) => imageUrls.length > 0);
		for (const { link, title } of stories.slice(0, 5)) {
			const { html } = await fetchPage(link, policy());
			expect(html).toContain(`<h1>${title.replaceAll('&', '&amp;')}</h1>`);
		}
		const picture = await fetch(illustrated?.imageUrls[0] ?? '');
		expect(picture.headers.get('content-type')).toBe('image/png');
		expect(await sharp(await picture.arrayBuffer()).metadata()).toMatchObject({ width: 640, height: 360 });
	});

	test.each([
		'/feeds/nothing/',
		'/feeds/bitwright/nothing',
		'/feeds/bitwright/99999999-future',
		'/feeds/bitwright/pictures/x.gif',
	])('%s is not found', async (path) => {
		expect((await fetch(origin + path)).status).toBe(404);
	});
});

describe('publishing', () => {
	test('adds stories to every feed, in any format and encoding', async () => {
		for (const { slug } of builtinFeedList(origin)) {
			await control(slug, 'publish', {
				title: 'Žluťoučký 日本 & 🚀',
				content: '<p>Größe 日本 ]]> x</p>',
				guid: slug,
			});
			const story = (await read(slug)).stories.find(({ guid }) => guid === slug);
			expect(story?.title).toBe('Žluťoučký 日本 & 🚀');
			expect(story?.content).toContain('Größe 日本');
		}
	});

	test('adds a story with a date, and changes it when published again', async () => {
		const publishedAt = START - 20 * DAY;
		await control('bitwright', 'publish', { title: 'First', guid: 'g', publishedAt });
		await control('bitwright', 'publish', { title: 'Second', guid: 'g', publishedAt });
		const found = (await read('bitwright')).stories.filter(({ guid }) => guid === 'g');
		expect(found.map((story) => [story.title, story.publishedAt])).toEqual([['Second', publishedAt]]);
	});

	test('adds a different story each time without parameters', async () => {
		const before = (await read('bitwright')).stories.length;
		await control('bitwright', 'publish');
		await control('bitwright', 'publish', {});
		expect((await read('bitwright')).stories.length).toBe(before + 2);
	});

	test('keeps stored stories over a restart', async () => {
		const kept: PublishedStory[] = [];
		const store = { load: () => kept, save: (story: PublishedStory) => void kept.push(story) };
		await app.close();
		await start(store);
		await control('open-bench', 'publish', { title: 'Kept', guid: 'kept' });
		await app.close();
		await start(store);
		expect((await read('open-bench')).stories.map(({ guid }) => guid)).toContain('kept');
	});

	test.each([{ title: 7 }, { tags: 'x' }, { publishedAt: 'now' }, { surprise: 1 }])(
		'rejects %j',
		async (body) => {
			expect((await control('bitwright', 'publish', body)).status).toBe(400);
		},
	);

	test('rejects an unknown feed', async () => {
		const response = await control('nothing', 'publish', {});
		expect(response.status).toBe(404);
		expect(await response.json()).toEqual({ message: 'There is no built-in feed "nothing".' });
	});
});

describe('the live feed', () => {
	const guids = async (query = '') => (await read('live-wire', query)).stories.map(({ guid }) => guid);

	test('adds a story every five seconds since the start with ?every=5', async () => {
		const before = await guids('?every=5');
		now = START + 14_999;
		const [second, first, ...others] = await guids('?every=5');
		expect(others).toEqual(before);
		expect([first, second]).toEqual([
			`tag:live-wire.example,2020:t${START + 5000}`,
			`tag:live-wire.example,2020:t${START + 10_000}`,
		]);
		expect(await guids()).toEqual(before);
	});

	test('lists the newest fifty stories, and keeps the pages of older ones', async () => {
		const regular = (await guids()).length;
		now = START + 3_600_000;
		const stories = (await read('live-wire', '?every=1')).stories;
		expect(stories.length).toBe(regular + 50);
		expect(stories[0]?.publishedAt).toBe(now);
		const old = `${origin}/feeds/live-wire/t${START + 1000}`;
		expect((await fetchPage(old, policy())).html).toContain('Live Wire');
	});

	test('is started and stopped by a control call, and keeps its stories', async () => {
		const before = (await guids()).length;
		await control('live-wire', 'pace', { every: 2 });
		now += 6000;
		expect((await guids()).length).toBe(before + 3);
		await control('live-wire', 'pace', { every: 0 });
		now += 60_000;
		expect((await guids()).length).toBe(before + 3);
		expect((await control('live-wire', 'pace', { every: -1 })).status).toBe(400);
	});

	test.each(['?every=0', '?every=-1', '?every=x', '?every='])('%s adds no stories', async (query) => {
		const before = await guids();
		now += 60_000;
		expect(await guids(query)).toEqual(before);
	});
});

test('a broken feed responds with 500 until it is repaired, without affecting others', async () => {
	await control('bitwright', 'break');
	await expect(read('bitwright')).rejects.toMatchObject({ kind: 'status', statusCode: 500 });
	expect((await read('open-bench')).stories.length).toBeGreaterThan(0);
	await control('bitwright', 'repair');
	expect((await read('bitwright')).stories.length).toBeGreaterThan(0);
});
