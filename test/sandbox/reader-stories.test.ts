/** Stories of feeds and rivers, their hashes, and their states: read, saved, counted. */
import {
	asReader,
	controls,
	LIVE_WIRE,
	unreadOf,
	type ReaderClient,
} from '../support/clients/reader-client.ts';
import { DAY_MS, NOON } from '../support/clock.ts';

/** Publishes stories in a feed with few stories. @returns their hashes, oldest first */
async function publish(client: ReaderClient, stories: object[]): Promise<string[]> {
	for (const [index, story] of stories.entries()) {
		await client.control('/sandbox/feeds/live-wire/publish', {
			guid: `g${index}`,
			publishedAt: NOON - 3_600_000 + index * 1000,
			...story,
		});
	}
	await client.control(controls.fetch);
	const { body } = await client.get(`/reader/feed/${LIVE_WIRE}`, { include_hidden: true });
	const byGuid = new Map(body.stories.map((story) => [story.id, story.story_hash]));
	return stories.map((_story, index) => byGuid.get(`g${index}`) ?? '');
}

test('older clients mark unread by story id', () =>
	asReader({}, async (client) => {
		const [a = ''] = await publish(client, [{}]);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: a });
		const unread = (fields: Record<string, string | number>) =>
			client.post('/reader/mark_story_as_unread', fields);
		expect((await unread({ story_id: 'g0', feed_id: LIVE_WIRE })).body.code).toBe(1);
		expect(await unreadOf(client, LIVE_WIRE)).toContain(a);
		expect((await unread({ story_id: 'other', feed_id: LIVE_WIRE })).body).toMatchObject({
			code: -1,
			message: 'Story not found.',
		});
		expect((await unread({ story_id: 'g0' })).status).toBe(400);
	}));

test('marking all read excludes the newest days on request', () =>
	asReader({}, async (client) => {
		const [old = '', young = ''] = await publish(client, [
			{ publishedAt: NOON - 3 * DAY_MS },
			{ publishedAt: NOON - DAY_MS },
		]);
		expect((await client.post('/reader/mark_all_as_read', { days: 2 })).body.code).toBe(1);
		const left = await unreadOf(client, LIVE_WIRE);
		expect(left).toContain(young);
		expect(left).not.toContain(old);
		expect((await client.post('/reader/mark_all_as_read', { days: 'abc' })).body).toMatchObject({
			code: -1,
			message: 'Days parameter must be an integer, not: abc',
		});
		await client.post('/reader/mark_all_as_read', { days: 0 });
		expect((await client.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes).toEqual({});
		await publish(client, [{ guid: 'late', publishedAt: NOON - 5 * DAY_MS }]);
		expect(await unreadOf(client, LIVE_WIRE)).toHaveLength(1);
	}));

test('the stories of a muted feed can be marked as read', () =>
	asReader({ variant: '2026' }, async (client) => {
		await client.post('/reader/set_feed_mute', { feed_id: 2, mute: true });
		const { body } = await client.post('/reader/mark_feed_as_read', { feed_id: 2 });
		expect(body).toMatchObject({ code: 1, errors: [] });
		await client.post('/reader/set_feed_mute', { feed_id: 2, mute: false });
		expect(await unreadOf(client, 2)).toEqual([]);
	}));

test('2026: an emoji in the new name of a tag is one of its 128 characters', () =>
	asReader({ variant: '2026' }, async (client) => {
		const names = { old_tag_name: 'later', new_tag_name: '😀'.repeat(128) };
		expect((await client.post('/reader/rename_starred_tag', names)).body).toMatchObject({ code: 1 });
	}));

test('a mark after a date takes the newest 500 stories of a feed', () =>
	asReader({ variant: 'wild' }, async (client) => {
		await client.control(controls.bulk, { feed_id: LIVE_WIRE, count: 600 });
		const newer = { feed_id: LIVE_WIRE, cutoff_timestamp: 1, direction: 'newer' };
		await client.post('/reader/mark_feed_as_read', newer);
		expect(await unreadOf(client, LIVE_WIRE)).toHaveLength(110);
	}));

test.each([
	['contract', 20],
	['wild', 11],
] as const)('%s: read stories, most recently read first, in pages of %i', (variant, size) =>
	asReader({ variant }, async (client) => {
		const hashes = (await unreadOf(client, 1)).slice(0, 25) as string[];
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

test.each([
	['wild', true],
	['2026', false],
] as const)('%s: an archive account can mark any story unread', (variant, staysUnread) =>
	asReader({ variant, plan: 'archive' }, async (client) => {
		await publish(client, [{ publishedAt: NOON - 60 * DAY_MS }]);
		const feed = async () =>
			(await client.get(`/reader/feed/${LIVE_WIRE}`, { order: 'oldest' })).body.stories[0];
		const old = (await feed())?.story_hash ?? '';
		const unread = async () => (await unreadOf(client, LIVE_WIRE)).includes(old);
		expect([await unread(), (await feed())?.read_status]).toEqual([false, 1]);
		const { body } = await client.post('/reader/mark_story_hash_as_unread', { story_hash: old });
		expect(body.code).toBe(1);
		expect([await unread(), (await feed())?.read_status]).toEqual([true, 0]);
		await client.get('/reader/feed_unread_count', { feed_id: LIVE_WIRE });
		await client.post('/reader/mark_feed_as_read', { feed_id: LIVE_WIRE });
		expect(await unreadOf(client, LIVE_WIRE)).toEqual(staysUnread ? [old] : []);
		await client.post('/reader/mark_all_as_read', { days: 1 });
		expect(await unread()).toBe(staysUnread);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: old });
		expect([await unread(), (await feed())?.read_status]).toEqual([false, 1]);
	}),
);

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
