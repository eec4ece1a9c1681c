/** Stories of feeds and rivers, their hashes, and their states: read, saved, counted. */
import {
	asReader,
	controls,
	LIVE_WIRE,
	unreadOf,
	type ReaderClient,
} from '../support/clients/reader-client.ts';
import { DAY_MS, NOON } from '../support/clock.ts';

const live = 'live-wire';

/** Publishes stories in a feed with few stories. @returns the feed's id and the hashes, oldest first */
async function publishInto(
	client: ReaderClient,
	slug: string,
	stories: object[],
): Promise<[number, string[]]> {
	for (const [index, story] of stories.entries()) {
		await client.control(`/sandbox/feeds/${slug}/publish`, {
			guid: `g${index}`,
			publishedAt: NOON - 3_600_000 + index * 1000,
			...story,
		});
	}
	await client.control(controls.fetch);
	const id = await client.feedId('Live Wire');
	const { body } = await client.get(`/reader/feed/${id}`, { include_hidden: true });
	const byGuid = new Map(body.stories.map((story) => [story.id, story.story_hash]));
	return [id, stories.map((_story, index) => byGuid.get(`g${index}`) ?? '')];
}

async function hashesOf(client: ReaderClient, id: number): Promise<unknown[]> {
	const { body } = await client.get('/reader/unread_story_hashes', { feed_id: id });
	return body.unread_feed_story_hashes[id] ?? [];
}

test('paging returns each story once, in both orders', () =>
	asReader({}, async (client) => {
		const walk = async (query: Record<string, string | number>) => {
			const hashes: string[] = [];
			for (let page = 1; ; page++) {
				const { stories } = (await client.get('/reader/river_stories', { ...query, page })).body;
				if (stories.length === 0) return hashes;
				hashes.push(...stories.map((story) => story.story_hash));
			}
		};
		const newest = await walk({ feeds: 1, read_filter: 'all' });
		expect(newest).toHaveLength(60);
		expect(new Set(newest).size).toBe(60);
		expect(await walk({ feeds: 1, read_filter: 'all', order: 'oldest' })).toEqual([...newest].reverse());
	}));

test('stories by hash: in the requested order, without unknown ones', () =>
	asReader({}, async (client) => {
		const [, [a = '', b = '', c = '']] = await publishInto(client, live, [{}, {}, {}]);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: a });
		const { body } = await client.get('/reader/river_stories', { h: [b, '1:zzzzzz', a, c] });
		expect(body.stories.map((story) => [story.story_hash, story.read_status])).toEqual([
			[b, 0],
			[a, 1],
			[c, 0],
		]);
		const many = Array.from({ length: 150 }, (_, n) => (n === 120 ? a : `1:${n}`));
		expect((await client.post('/reader/river_stories', { 'h[]': many })).body.stories).toEqual([]);
	}));

test('wild: stories by hash are sorted by date, and unread', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const [, [a = '', b = '']] = await publishInto(client, live, [{}, {}]);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: a });
		const { body } = await client.get('/reader/river_stories', { h: [a, b] });
		expect(body.stories.map((story) => [story.story_hash, story.read_status])).toEqual([
			[b, 0],
			[a, 0],
		]);
	}));

test.each([
	[{}, 2],
	[{ variant: 'wild' }, 2],
	[{ variant: '2026' }, 1],
] as const)('%j: marking read again', (options, listed) =>
	asReader(options, async (client) => {
		const [id, [a = '', b = '']] = await publishInto(client, live, [{}, {}]);
		const mark = (hashes: string[]) =>
			client.post('/reader/mark_story_hashes_as_read', { 'story_hash[]': hashes });
		expect((await mark([a])).body).toMatchObject({ code: 1, story_hashes: [a], feed_ids: [String(id)] });
		expect((await mark([a, b])).body['story_hashes']).toHaveLength(listed);
		expect((await mark([])).body).toMatchObject({ code: 1, story_hashes: [], feed_ids: [] });
		expect(await hashesOf(client, id)).not.toContain(b);
	}),
);

test('wild: the response to several hashes is an array', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const [, [a = '', b = '']] = await publishInto(client, live, [{}, {}]);
		const unread = await client.post('/reader/mark_story_hash_as_unread', { story_hash: [a, b] });
		expect(unread.rows).toMatchObject([{ code: 1, story_hash: a }, { code: 1 }]);
		const starred = await client.post('/reader/mark_story_hash_as_starred', { story_hash: [a, '1:zzzzzz'] });
		expect(starred.rows).toMatchObject([{ code: 1 }, { code: -1, story_hash: '1:zzzzzz' }]);
		expect((await client.get('/reader/feeds_trainer', { feed_id: 1 })).rows).toMatchObject([
			{ feed_id: 1, classifiers: { tags: {} }, feed_tags: expect.any(Array) },
		]);
		expect((await client.get('/social/feed_trainer', { user_id: 2 })).rows).toMatchObject([
			{ username: 'friend' },
		]);
	}));

test('older clients mark unread by story id', () =>
	asReader({}, async (client) => {
		const [id, [a = '']] = await publishInto(client, live, [{}]);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: a });
		const unread = (fields: Record<string, string | number>) =>
			client.post('/reader/mark_story_as_unread', fields);
		expect((await unread({ story_id: 'g0', feed_id: id })).body.code).toBe(1);
		expect(await hashesOf(client, id)).toContain(a);
		expect((await unread({ story_id: 'other', feed_id: id })).body).toMatchObject({
			code: -1,
			message: 'Story not found.',
		});
		expect((await unread({ story_id: 'g0' })).status).toBe(400);
	}));

test('marking all read excludes the newest days on request', () =>
	asReader({}, async (client) => {
		const [id, [old = '', young = '']] = await publishInto(client, live, [
			{ publishedAt: NOON - 3 * DAY_MS },
			{ publishedAt: NOON - DAY_MS },
		]);
		expect((await client.post('/reader/mark_all_as_read', { days: 2 })).body.code).toBe(1);
		const left = await hashesOf(client, id);
		expect(left).toContain(young);
		expect(left).not.toContain(old);
		expect((await client.post('/reader/mark_all_as_read', { days: 'abc' })).body).toMatchObject({
			code: -1,
			message: 'Days parameter must be an integer, not: abc',
		});
		await client.post('/reader/mark_all_as_read', { days: 0 });
		expect((await client.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes).toEqual({});
		await publishInto(client, live, [{ guid: 'late', publishedAt: NOON - 5 * DAY_MS }]);
		expect(await hashesOf(client, id)).toHaveLength(1);
	}));

test.each([
	['contract', 20],
	['wild', 11],
] as const)('%s: read stories, most recently read first, in pages of %i', (variant, size) =>
	asReader({ variant }, async (client) => {
		const hashes = (await hashesOf(client, 1)).slice(0, 25) as string[];
		for (const story_hash of hashes) {
			client.clock.advance(1000);
			await client.post('/reader/mark_story_hashes_as_read', { story_hash });
		}
		await client.post('/reader/mark_feed_as_read', { feed_id: 2 });
		const page = async (number: number) =>
			(await client.get('/reader/read_stories', { page: number })).body.stories.map((one) => one.story_hash);
		const last = [...hashes].reverse();
		expect(await page(1)).toEqual(last.slice(0, size));
		const second = variant === 'wild' ? last.slice(10, 21) : last.slice(20);
		expect(await page(2)).toEqual(second);
		const oldest = await client.get('/reader/read_stories', { order: 'oldest', limit: 3 });
		expect(oldest.body.stories[0]?.story_hash).toBe(hashes[0]);
		expect(Array.isArray(oldest.body.feeds)).toBe(true);
	}),
);

test('an archive account can mark any story unread', () =>
	asReader({ variant: 'wild', plan: 'archive' }, async (client) => {
		const [id] = await publishInto(client, live, [{ publishedAt: NOON - 60 * DAY_MS }]);
		const feed = async () => (await client.get(`/reader/feed/${id}`, { order: 'oldest' })).body.stories[0];
		const old = (await feed())?.story_hash ?? '';
		const unread = async () => {
			const { body } = await client.get('/reader/unread_story_hashes', { feed_id: id });
			return (body.unread_feed_story_hashes[id] ?? []).includes(old);
		};
		expect([await unread(), (await feed())?.read_status]).toEqual([false, 1]);
		const { body } = await client.post('/reader/mark_story_hash_as_unread', { story_hash: old });
		expect(body.code).toBe(1);
		expect([await unread(), (await feed())?.read_status]).toEqual([true, 0]);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: old });
		expect([await unread(), (await feed())?.read_status]).toEqual([false, 1]);
	}));

test('a story published with another guid is new, and one with a known guid is edited', () =>
	asReader({}, async (client) => {
		await client.publish('live-wire', { guid: 'one', title: 'First' });
		await client.publish('live-wire', { guid: 'two', title: 'First' }, { guid: 'one', title: 'Edited' });
		const { stories } = (await client.get(`/reader/feed/${LIVE_WIRE}`)).body;
		const titles = stories
			.filter(({ id }) => ['one', 'two'].includes(id))
			.map((story) => [story.id, story.story_title]);
		expect(Object.fromEntries(titles)).toEqual({ one: 'Edited', two: 'First' });
	}));

test.each([
	['contract', 20],
	['wild', 10],
] as const)('%s: returns saved stories in pages of %i', (variant, size) =>
	asReader({ variant }, async (client) => {
		const hashes = (await client.get('/reader/unread_story_hashes', { feed_id: 1 })).body
			.unread_feed_story_hashes['1'] as string[];
		for (const story_hash of hashes.slice(0, size)) {
			await client.post('/reader/mark_story_hash_as_starred', { story_hash, user_tags: 'many' });
		}
		const page = async (query: Record<string, string | number>) =>
			(await client.get('/reader/starred_stories', query)).body.stories.length;
		expect([await page({}), await page({ page: 2 }), await page({ page: 3 })]).toEqual([size, 3, 0]);
		expect(await page({ limit: 5, page: 2 })).toBe(5);
		expect(await page({ query: 'no such words anywhere' })).toBe(0);
	}),
);

test('wild: a new subscription is listed after its feed was counted', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const { body } = await client.get('/reader/feeds');
		const address = body.feeds[LIVE_WIRE]?.['feed_address'];
		await client.post('/reader/delete_feed', { feed_id: LIVE_WIRE, in_folder: '' });
		await client.post('/reader/add_url', { url: String(address) });
		const listed = async () =>
			Object.keys((await client.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes);
		expect(await listed()).not.toContain(String(LIVE_WIRE));
		expect(await unreadOf(client, LIVE_WIRE)).not.toEqual([]);
		await client.get('/reader/feeds', { update_counts: 'false' });
		expect(await listed()).not.toContain(String(LIVE_WIRE));
		await client.get('/reader/feed_unread_count', { feed_id: LIVE_WIRE });
		expect(await listed()).toContain(String(LIVE_WIRE));
	}));

test('wild: a story that was marked as unread is listed after its feed was counted', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const [hash = ''] = await unreadOf(client, LIVE_WIRE);
		const listed = async () =>
			(await client.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes[LIVE_WIRE];
		await client.post('/reader/mark_feed_as_read', { feed_id: LIVE_WIRE });
		await client.get('/reader/refresh_feeds');
		await client.post('/reader/mark_story_hash_as_unread', { story_hash: hash });
		expect(await listed()).toBeUndefined();
		await client.get('/reader/refresh_feeds');
		expect(await listed()).toEqual([hash]);
	}));
