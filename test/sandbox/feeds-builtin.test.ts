/** The feeds that the sandbox publishes: their stories, sites and control calls. */
import sharp from 'sharp';
import { builtinFeedList, builtInFeedsService } from '../../sandbox/feeds/builtin/index.ts';
import { fetchFeed } from '../../sandbox/feeds/fetch.ts';
import { fetchPage } from '../../sandbox/feeds/http.ts';
import { extractReadable } from '../../sandbox/feeds/html.ts';
import type { ParsedFeed } from '../../sandbox/feeds/parse.ts';
import { startServer, type RunningServer } from '../../sandbox/shared/start-server.ts';

const DAY = 24 * 3_600_000;
const START = Date.UTC(2026, 8, 1, 12);
const slugs = builtinFeedList('').map(({ url }) => url.split('/')[2] ?? '');

let now: number;
let server: RunningServer;

async function start(): Promise<void> {
	server = await startServer([builtInFeedsService], { port: 0, clock: { now: () => now } });
}

const policy = () => ({ allowPrivate: false, origin: server.url });
const urlOf = (slug: string) => `${server.url}/feeds/${slug}/rss.xml`;

async function read(slug: string): Promise<ParsedFeed> {
	const { feed } = await fetchFeed(urlOf(slug), policy());
	if (!feed) throw new Error('The feed was not modified.');
	return feed;
}

async function control(slug: string, action: string, payload?: object) {
	return fetch(`${server.url}/sandbox/feeds/${slug}/${action}`, {
		method: 'POST',
		...(payload && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(payload) }),
	});
}

beforeEach(async () => {
	now = START;
	await start();
});

afterEach(() => server.close());

describe('the feeds', () => {
	test.each(slugs)('%s is complete', async (slug) => {
		const feed = await read(slug);
		expect(feed.link).toBe(`${server.url}/feeds/${slug}/`);
		expect(feed.description).not.toBe('');
		const { stories } = feed;
		expect(new Set(stories.map(({ guid }) => guid)).size).toBe(stories.length);
		expect(new Set(stories.map(({ title }) => title)).size).toBe(stories.length);
		for (const story of stories) {
			expect(story.title + story.content + story.tags.join()).not.toMatch(/[{}]|undefined/);
			expect(story.tags.length).toBeGreaterThan(0);
			expect(story.authors).not.toBe('');
			expect(story.content.length).toBeGreaterThan(100);
			expect(story.publishedAt).toBeLessThanOrEqual(START);
			expect(story.link.startsWith(`${server.url}/feeds/${slug}/`)).toBe(true);
		}
		const dates = stories.map(({ publishedAt }) => publishedAt ?? 0);
		expect(dates).toEqual([...dates].sort((a, b) => b - a));
		expect(stories.some(({ imageUrls }) => imageUrls.length > 0)).toBe(true);
	});

	test('have dates over months, and one feed has few stories', async () => {
		const ages = async (slug: string) =>
			(await read(slug)).stories.map(({ publishedAt }) => (START - (publishedAt ?? 0)) / DAY);
		expect(Math.max(...(await ages('slow-kitchen')))).toBeGreaterThan(40);
		expect((await ages('lighthouse-letters')).length).toBe(12);
	});

	test('have the same stories after every start', async () => {
		const before = await read('bitwright');
		await server.close();
		await start();
		const after = await read('bitwright');
		expect(after.stories.map(({ guid, title }) => [guid, title])).toEqual(
			before.stories.map(({ guid, title }) => [guid, title]),
		);
	});

	test('add no story within a day after the start, then add some', async () => {
		const newest = async () => (await read('harbour-lantern')).stories[0]?.guid;
		const first = await newest();
		now = START + DAY - 1;
		expect(await newest()).toBe(first);
		now = START + DAY;
		expect(await newest()).not.toBe(first);
	});

	test('are sent again only when they have changed', async () => {
		const { etag } = await fetchFeed(urlOf('bitwright'), policy());
		expect(await fetchFeed(urlOf('bitwright'), policy(), etag)).toMatchObject({ status: 304 });
		await control('bitwright', 'publish', {});
		expect(await fetchFeed(urlOf('bitwright'), policy(), etag)).toMatchObject({ status: 200 });
	});
});

describe('the sites', () => {
	test('have a page with the full text for every story of a feed, and pictures', async () => {
		const { stories } = await read('long-walk');
		expect(stories[0]?.content.length).toBeLessThan(400);
		for (const { link, title } of stories.slice(0, 3)) {
			const { html } = await fetchPage(link, policy());
			expect(html).toContain(`<h1>${title.replaceAll('&', '&amp;')}</h1>`);
			const text = extractReadable(html, link) ?? '';
			expect(text.length).toBeGreaterThan(800);
			expect(text).not.toMatch(/Subscribe|Most read|remembers nothing/);
		}
		const illustrated = stories.find(({ imageUrls }) => imageUrls.length > 0);
		const picture = await fetch(illustrated?.imageUrls[0] ?? '');
		expect(picture.headers.get('content-type')).toBe('image/png');
		expect(await sharp(await picture.arrayBuffer()).metadata()).toMatchObject({ width: 640, height: 360 });
	});

	test.each(['/feeds/nothing/', '/feeds/bitwright/nothing', '/feeds/bitwright/99999999-future'])(
		'%s is not found',
		async (path) => {
			expect((await fetch(server.url + path)).status).toBe(404);
		},
	);
});

describe('publishing', () => {
	test('adds a story with a date, and changes it when published again', async () => {
		const story = { guid: 'g', publishedAt: START - 20 * DAY };
		await control('bitwright', 'publish', { ...story, title: 'First' });
		await control('bitwright', 'publish', { ...story, title: '日本 & 🚀', content: '<p>Größe ]]> x</p>' });
		const found = (await read('bitwright')).stories.filter(({ guid }) => guid === 'g');
		expect(found).toMatchObject([{ title: '日本 & 🚀', publishedAt: story.publishedAt }]);
		expect(found[0]?.content).toContain('Größe');
	});

	test('adds a different story each time without parameters', async () => {
		const before = (await read('bitwright')).stories.length;
		await control('bitwright', 'publish');
		await control('bitwright', 'publish', {});
		expect((await read('bitwright')).stories.length).toBe(before + 2);
	});

	test('rejects invalid stories and unknown feeds', async () => {
		expect((await control('bitwright', 'publish', { title: 7 })).status).toBe(400);
		expect((await control('nothing', 'publish', {})).status).toBe(404);
	});
});

test('a broken feed responds with 500 until it is repaired, without affecting others', async () => {
	await control('bitwright', 'break');
	await expect(read('bitwright')).rejects.toMatchObject({ status: 500 });
	expect((await read('open-bench')).stories.length).toBeGreaterThan(0);
	await control('bitwright', 'repair');
	expect((await read('bitwright')).stories.length).toBeGreaterThan(0);
});
