import {
	asReader,
	controls,
	withReader,
	type ReaderBody,
	type ReaderClient,
	type Story,
} from '../support/clients/reader-client.ts';
import { DAY_MS } from '../support/clock.ts';

/** Clusters of similar stories in the variant `2026`: which story a response contains, and how it lists the others. */

const bitwright = 3;
const nightSky = 5;
const liveWire = 10;

type Entry = Record<string, unknown>;

/** Adds stories to several feeds. @returns their hashes, newest first within each feed */
async function added(client: ReaderClient, feeds: readonly number[], count = 1): Promise<string[]> {
	const hashes: string[] = [];
	for (const feed_id of feeds) {
		const before = await unread(client, feed_id);
		await client.control(controls.bulk, { feed_id, count, seconds_apart: 1 });
		hashes.push(...(await unread(client, feed_id)).filter((hash) => !before.includes(hash)));
	}
	return hashes;
}

async function unread(client: ReaderClient, feed_id: number): Promise<string[]> {
	const { body } = await client.get('/reader/unread_story_hashes', { feed_id });
	return (body.unread_feed_story_hashes[feed_id] ?? []).map(String);
}

const cluster = (client: ReaderClient, story_hashes: string[], rest: object = {}): Promise<ReaderBody> =>
	client.control(controls.cluster, { story_hashes, ...rest });

const byHash = async (client: ReaderClient, h: readonly string[], query: object = {}): Promise<ReaderBody> =>
	(await client.get('/reader/river_stories', { h: [...h], ...query })).body;

const river = async (client: ReaderClient, query: object): Promise<ReaderBody> =>
	(
		await client.get('/reader/river_stories', {
			feeds: [bitwright, nightSky, liveWire],
			limit: 100,
			...query,
		})
	).body;

const entriesOf = (story: Story | undefined): Entry[] => (story?.['cluster_stories'] ?? []) as Entry[];
const hashesOf = (stories: readonly { story_hash?: unknown }[]): unknown[] =>
	stories.map((story) => story.story_hash);

const in2026 =
	(check: (client: ReaderClient) => Promise<void>, plan: 'free' | 'premium' | 'archive' = 'archive') =>
	() =>
		asReader({ variant: '2026', plan }, check);

test(
	'by hash, returns the first story of equal score, which lists all others',
	in2026(async (client) => {
		const hashes = await added(client, [bitwright, nightSky, liveWire]);
		const { story_hashes } = await cluster(client, hashes, { tier: 'title' });
		expect(story_hashes).toEqual(hashes);
		const { stories } = await byHash(client, hashes);
		expect(stories).toHaveLength(1);
		expect(new Set([...hashesOf(stories), ...hashesOf(entriesOf(stories[0]))])).toEqual(new Set(hashes));
		expect(Object.keys(entriesOf(stories[0])[0]!).sort()).toEqual([
			...['cluster_tier', 'feed_title', 'image_urls', 'intelligence', 'read_status', 'score'],
			...['secure_image_thumbnails', 'story_authors', 'story_date', 'story_feed_id', 'story_hash'],
			...['story_timestamp', 'story_title'],
		]);
		expect(entriesOf(stories[0])[0]).toMatchObject({
			cluster_tier: 'title',
			story_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as string,
			story_timestamp: expect.stringMatching(/^\d{10}$/) as string,
			score: 0,
			read_status: 0,
		});
	}),
);

test(
	'never omits a story that is requested alone',
	in2026(async (client) => {
		const hashes = await added(client, [bitwright, nightSky]);
		await cluster(client, hashes);
		for (const hash of hashes) expect(hashesOf((await byHash(client, [hash])).stories)).toEqual([hash]);
	}),
);

test(
	'returns the story with the highest score, even if it was read',
	in2026(async (client) => {
		const hashes = await added(client, [bitwright, nightSky, liveWire]);
		await cluster(client, hashes);
		await client.post('/classifier/save', { feed_id: liveWire, like_feed: liveWire });
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: hashes[2]! });
		const { stories } = await river(client, { read_filter: 'all' });
		const shown = stories.filter(({ story_hash }) => hashes.includes(story_hash));
		expect(shown).toMatchObject([{ story_hash: hashes[2], score: 1, read_status: 1 }]);
		expect(hashesOf(entriesOf(shown[0]))).toEqual(hashes.slice(0, 2));
	}),
);

test(
	'removes hidden stories first, and does not count them as clustered',
	in2026(async (client) => {
		const hashes = await added(client, [bitwright, nightSky, liveWire]);
		await cluster(client, hashes);
		await client.post('/classifier/save', { feed_id: liveWire, dislike_feed: liveWire });
		const hidden = await byHash(client, hashes);
		expect(hidden).toMatchObject({ stories: { length: 1 }, hidden_stories_removed: 1 });
		const whole = await byHash(client, hashes, { include_hidden: true });
		expect(whole.stories).toHaveLength(1);
		expect(entriesOf(whole.stories[0])).toHaveLength(2);
		expect(
			entriesOf(whole.stories[0])
				.map(({ score }) => score)
				.sort(),
		).toEqual([-1, 0]);
	}),
);

test(
	'returns ten stories and ninety entries for a hundred hashes of ten clusters',
	in2026(async (client) => {
		const all = await added(client, [bitwright, nightSky], 50);
		const groups = Array.from({ length: 10 }, (_, n) => all.filter((_hash, index) => index % 10 === n));
		for (const group of groups) await cluster(client, group);
		const { stories } = await byHash(client, all);
		expect(stories).toHaveLength(10);
		expect(stories.flatMap(entriesOf)).toHaveLength(90);
		expect(new Set([...hashesOf(stories), ...hashesOf(stories.flatMap(entriesOf))])).toEqual(new Set(all));
	}, 'free'),
);

test.each([
	['archive', 2],
	['premium', 1],
	['free', 1],
] as const)('with the plan %s, a response lists %i omitted members', (plan, count) =>
	asReader({ variant: '2026', plan }, async (client) => {
		const hashes = await added(client, [bitwright, nightSky, liveWire]);
		await cluster(client, hashes);
		const { stories } = (await client.get(`/reader/feed/${bitwright}`, { read_filter: 'all' })).body;
		const entries = entriesOf(stories.find(({ story_hash }) => story_hash === hashes[0]));
		expect(entries).toHaveLength(count);
		expect(entries[0]!['story_date']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
	}),
);

test(
	'lists members of other subscribed feeds, with their state except in lists of unread stories',
	in2026(async (client) => {
		const hashes = await added(client, [bitwright, nightSky, liveWire]);
		await cluster(client, hashes);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: hashes[1]! });
		await client.post('/reader/mark_feed_as_read', { feed_id: liveWire });
		const statesIn = async (read_filter: string) => {
			const { stories } = (await client.get(`/reader/feed/${bitwright}`, { read_filter })).body;
			const entries = entriesOf(stories.find(({ story_hash }) => story_hash === hashes[0]));
			return Object.fromEntries(entries.map((entry) => [entry['story_hash'], entry['read_status']]));
		};
		expect(await statesIn('all')).toEqual({ [hashes[1]!]: 1, [hashes[2]!]: 0 });
		expect(await statesIn('unread')).toEqual({ [hashes[1]!]: 0, [hashes[2]!]: 0 });
		await client.post('/reader/delete_feed', { feed_id: nightSky });
		expect(await statesIn('all')).toEqual({ [hashes[2]!]: 0 });
	}),
);

test(
	'clusters stories of one feed, and returns shorter pages',
	in2026(async (client) => {
		const own = await added(client, [liveWire], 8);
		const [other = ''] = await added(client, [bitwright]);
		await cluster(client, [...own.slice(0, 3), other]);
		const page = async (number: number) =>
			(await client.get(`/reader/feed/${liveWire}`, { page: number })).body.stories;
		expect(hashesOf(await page(1))).toEqual([own[0], ...own.slice(3, 6)]);
		expect(hashesOf(await page(2)).slice(0, 2)).toEqual(own.slice(6));
	}),
);

test(
	'returns members on different pages, which list each other',
	in2026(async (client) => {
		const own = await added(client, [liveWire], 8);
		const [other = ''] = await added(client, [bitwright]);
		await cluster(client, [own[0]!, own[7]!, other]);
		const first = (await client.get(`/reader/feed/${liveWire}`)).body.stories[0];
		const last = (await client.get(`/reader/feed/${liveWire}`, { page: 2 })).body.stories[1];
		expect([first?.story_hash, last?.story_hash]).toEqual([own[0], own[7]]);
		expect(hashesOf(entriesOf(first))).toContain(own[7]);
		expect(hashesOf(entriesOf(last))).toContain(own[0]);
	}),
);

test(
	'does not cluster saved, read and shared stories and hashes',
	in2026(async (client) => {
		const hashes = await added(client, [bitwright, nightSky]);
		await cluster(client, hashes);
		for (const story_hash of hashes) await client.post('/reader/mark_story_hash_as_starred', { story_hash });
		const starred = (await client.get('/reader/starred_stories')).body.stories;
		expect(hashesOf(starred)).toEqual(expect.arrayContaining(hashes));
		const { starred_story_hashes } = (await client.get('/reader/starred_story_hashes')).body;
		expect(starred_story_hashes).toEqual(expect.arrayContaining(hashes));
		expect([...(await unread(client, bitwright)), ...(await unread(client, nightSky))]).toEqual(
			expect.arrayContaining(hashes),
		);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: hashes });
		const read = (await client.get('/reader/read_stories')).body.stories;
		expect(hashesOf(read)).toEqual(expect.arrayContaining(hashes));
	}),
);

test(
	'omits a previous member of a cluster that was created again, without listing it',
	in2026(async (client) => {
		const [a = '', b = '', c = ''] = await added(client, [bitwright, nightSky, liveWire]);
		const { id } = await cluster(client, [a, b, c]);
		await cluster(client, [a, b], { id });
		const { stories } = await byHash(client, [a, b, c]);
		expect(stories).toHaveLength(1);
		expect([stories[0]?.story_hash, ...hashesOf(entriesOf(stories[0]))]).not.toContain(
			stories[0]?.story_hash === c ? undefined : c,
		);
		expect(hashesOf((await byHash(client, [c])).stories)).toEqual([c]);
	}),
);

test(
	'preferences disable clusters, limit them to equal titles, and add a preview',
	in2026(async (client) => {
		const hashes = await added(client, [bitwright, nightSky]);
		await cluster(client, hashes);
		const prefer = async (preferences: Record<string, string | boolean>) => {
			const { body } = await client.post('/profile/set_preference', preferences);
			expect(body.code).toBe(1);
			return (await byHash(client, hashes)).stories;
		};
		const preferences = async () => (await client.get('/reader/feeds')).body.user_profile['preferences'];
		expect(await preferences()).toEqual({});
		const [story] = await prefer({ cluster_preview_style: 'expanded' });
		expect(entriesOf(story)[0]!['story_content']).toMatch(/^<p>Content of synthetic story/);
		expect(await prefer({ cluster_mode: 'title' })).toHaveLength(2);
		expect(await prefer({ cluster_mode: 'related' })).toHaveLength(1);
		expect(await prefer({ story_clustering: false })).toHaveLength(2);
		expect(await preferences()).toEqual({
			cluster_mode: 'related',
			cluster_preview_style: 'expanded',
			story_clustering: false,
		});
	}),
);

test(
	'has no clusters if the operator disables them, and after two weeks',
	in2026(async (client) => {
		const hashes = await added(client, [bitwright, nightSky]);
		await cluster(client, hashes);
		await client.control(controls.settings, { clustering: false });
		expect((await byHash(client, hashes)).stories).toHaveLength(2);
		await client.control(controls.settings, { clustering: true });
		expect((await byHash(client, hashes)).stories).toHaveLength(1);
		client.clock.advance(14 * DAY_MS);
		expect((await byHash(client, hashes)).stories).toHaveLength(2);
	}),
);

test('without a login, stories are not clustered', () =>
	withReader({ variant: '2026' }, async (anybody) => {
		const client = await anybody.as('reader');
		const hashes = await added(client, [1, 2]);
		await cluster(client, hashes);
		expect((await byHash(anybody, hashes)).stories).toHaveLength(2);
		expect((await byHash(client, hashes)).stories).toHaveLength(1);
	}));

test(
	'clusters fetched stories with the same title in several feeds',
	in2026(async (client) => {
		const title = 'Ferry to the north quay is late again';
		await client.publish('bitwright', { title });
		await client.publish('night-sky', { title: title.toUpperCase() });
		await client.publish('live-wire', { title: 'Untitled' });
		await client.publish('night-sky', { title: 'Untitled' });
		const { stories } = await river(client, { read_filter: 'unread' });
		const [kept] = stories.filter(({ story_title }) => story_title.toLowerCase() === title.toLowerCase());
		expect(entriesOf(kept)).toMatchObject([{ cluster_tier: 'title' }]);
		expect(stories.filter(({ story_title }) => story_title === 'Untitled')).toHaveLength(2);
	}),
);

test(
	'the built-in feeds share reports with separate pages',
	in2026(async (client) => {
		await client.control(controls.fetch);
		const { stories } = (await client.get('/reader/river_stories', { read_filter: 'unread', limit: 100 }))
			.body;
		const groups = stories.filter((story) => entriesOf(story).length > 0);
		expect(groups.length).toBeGreaterThanOrEqual(3);
		for (const story of groups) {
			expect(entriesOf(story).every(({ story_title }) => story_title === story.story_title)).toBe(true);
			expect((await fetch(String(story['story_permalink']))).status).toBe(200);
		}
	}),
);

test('a cluster requires known stories of two feeds', () =>
	asReader({ variant: '2026' }, async (client) => {
		const hashes = await added(client, [liveWire], 2);
		await expect(cluster(client, hashes)).rejects.toThrow('two feeds');
		await expect(cluster(client, [hashes[0]!, '3:nothing'])).rejects.toThrow('There is no story 3:nothing.');
	}));

test('wild has no clusters', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const hashes = await added(client, [bitwright, nightSky]);
		await cluster(client, hashes);
		expect((await byHash(client, hashes)).stories).toHaveLength(2);
	}));
