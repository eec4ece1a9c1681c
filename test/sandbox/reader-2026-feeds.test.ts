import {
	asReader,
	controls,
	withReader,
	type ReaderResponse,
	type ReaderClient,
} from '../support/clients/reader-client.ts';
import { DAY_MS, NOON } from '../support/clock.ts';
import { addStories, LIVE_WIRE, unreadOf } from '../support/cases/wild-checks/check.ts';

/** Endpoints for feeds, stories and tags that only the variant `2026` has. */

const refused = (response: ReaderResponse) =>
	expect([response.status, response.body.code]).toEqual([200, -1]);
const in2026 =
	(check: (client: ReaderClient) => Promise<void>, plan: 'free' | 'premium' | 'archive' = 'premium') =>
	() =>
		asReader({ variant: '2026', plan }, check);

describe('muting a feed', () => {
	const mute = (client: ReaderClient, fields: Record<string, string | number | boolean>) =>
		client.post('/reader/set_feed_mute', { feed_id: LIVE_WIRE, ...fields });
	const record = async (client: ReaderClient) => (await client.get('/reader/feeds')).body.feeds[LIVE_WIRE];

	test(
		'removes its counts, hashes and river stories until it is unmuted',
		in2026(async (client) => {
			await addStories(client, 2);
			const { body } = await mute(client, {});
			expect(body).toMatchObject({ code: 1, feed_id: LIVE_WIRE, muted: true });
			expect(body).not.toHaveProperty('mute_expires_at');
			expect(await record(client)).toMatchObject({ active: false, nt: 0 });
			expect(await unreadOf(client, LIVE_WIRE)).toEqual([]);
			const { stories } = (await client.get('/reader/river_stories', { feeds: LIVE_WIRE })).body;
			expect(stories).toEqual([]);
			expect((await mute(client, { mute: 'no' })).body).toMatchObject({ code: 1, muted: false });
			expect((await unreadOf(client, LIVE_WIRE)).length).toBeGreaterThanOrEqual(2);
		}),
	);

	test(
		'for some days ends when the feeds are listed afterwards',
		in2026(async (client) => {
			const { body } = await mute(client, { mute: 'yes', mute_duration_days: 3 });
			const expiry = new Date(NOON + 3 * DAY_MS).toISOString().slice(0, 19);
			expect(body['mute_expires_at']).toBe(expiry);
			expect((await record(client))?.['mute_expires_at']).toBe(expiry);
			client.clock.advance(3 * DAY_MS);
			expect(await unreadOf(client, LIVE_WIRE)).toEqual([]);
			expect(await record(client)).toMatchObject({ active: true });
		}),
	);

	test(
		'requires a subscribed feed and a number of days',
		in2026(async (client) => {
			const lacking: Record<string, string>[] = [
				{ feed_id: 'x' },
				{ feed_id: '999' },
				{ mute_duration_days: 'x' },
			];
			for (const fields of lacking) refused(await mute(client, fields));
		}),
	);
});

describe('marking the last days unread', () => {
	const mark = (client: ReaderClient, fields: Record<string, string | number>) =>
		client.post('/reader/mark_stories_as_unread', fields);

	test(
		'marks newer stories of a feed, a folder or all feeds unread',
		in2026(async (client) => {
			const unread = async (id: number) => (await unreadOf(client, id)).length;
			await client.post('/reader/mark_all_as_read');
			expect((await mark(client, { days: 2, feed_id: 1 })).body).toMatchObject({ code: 1, async: false });
			const two = await unread(1);
			expect(two).toBeGreaterThan(0);
			expect(await unread(3)).toBe(0);
			expect((await mark(client, { days: 5, feed_id: 1 })).body.code).toBe(1);
			expect(await unread(1)).toBeGreaterThan(two);
			expect((await mark(client, { days: 3, folder: 'Technology' })).body).toMatchObject({
				code: 1,
				async: true,
			});
			expect(await unread(3)).toBeGreaterThan(0);
			expect(await unread(2)).toBe(0);
			expect((await mark(client, { days: 3 })).body).toMatchObject({ code: 1, async: true });
			expect(await unread(2)).toBeGreaterThan(0);
			expect((await mark(client, { days: 3, feed_id: 999 })).body.code).toBe(1);
		}),
	);

	test.each([
		['free', 14],
		['premium', 30],
		['archive', 365],
	] as const)('is limited by the plan %s to %i days', (plan, days) =>
		asReader({ variant: '2026', plan }, async (client) => {
			expect((await mark(client, { days })).body.code).toBe(1);
			for (const bad of [days + 1, 0, 'x', '']) refused(await mark(client, { days: bad }));
		}),
	);
});

describe('saved tags', () => {
	const tags = ({ body }: ReaderResponse) =>
		body.starred_counts.filter(({ tag }) => tag !== null).map(({ tag, count }) => [tag, count]);

	test(
		'are renamed, merged case-insensitively and deleted without deleting stories',
		in2026(async (client) => {
			const rename = (old_tag_name: string, new_tag_name: string) =>
				client.post('/reader/rename_starred_tag', { old_tag_name, new_tag_name });
			expect(tags(await client.get('/reader/starred_counts'))).toEqual([
				['ideas', 1],
				['later', 2],
			]);
			expect(tags(await rename('LATER', 'soon'))).toEqual([
				['ideas', 1],
				['later', 2],
			]);
			expect(tags(await rename('later', 'Soon'))).toEqual([
				['ideas', 1],
				['Soon', 2],
			]);
			expect(tags(await rename('ideas', 'soon'))).toEqual([['Soon', 2]]);
			refused(await rename('Soon', 'x'.repeat(129)));
			const deleted = await client.post('/reader/delete_starred_tag', { tag_name: 'Soon' });
			expect([deleted.body.code, tags(deleted)]).toEqual([1, []]);
			expect((await client.get('/reader/starred_stories')).body.stories).toHaveLength(3);
			refused(await client.post('/reader/delete_starred_tag', {}));
		}),
	);
});

test('a story is found by its URL, even without a login', () =>
	withReader({ variant: '2026' }, async (anybody) => {
		const client = await anybody.as('reader');
		// The service searches only the most subscribed feed of a host, and all built-in feeds have the same host.
		const [story] = (await client.get('/reader/feed/1')).body.stories;
		const find = (by: ReaderClient, story_url: string) =>
			by.get('/reader/find_story_by_permalink', { story_url });
		const found = { code: 1, story_hash: story?.story_hash, story_feed_id: 1, feed: { id: 1 } };
		const url = String(story?.['story_permalink']);
		expect((await find(client, url)).body).toMatchObject({ ...found, is_subscribed: true });
		expect((await find(anybody, url)).body).toMatchObject({ ...found, is_subscribed: false });
		for (const bad of ['', 'nothing', 'https://elsewhere.example/x', `${url}/x`])
			refused(await find(client, bad));
	}));

test('recently read feeds are trending, even without a login', () =>
	withReader({ variant: '2026' }, async (anybody) => {
		const client = await anybody.as('reader');
		const hashes = await addStories(client, 2);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: hashes.slice(0, 2) });
		const trending = async (query: object = {}) =>
			(await anybody.get('/reader/trending_feeds', { ...query })).body['trending_feeds'];
		expect(await trending()).toMatchObject([
			{
				pk: LIVE_WIRE,
				feed_title: expect.any(String) as string,
				num_subscribers: 1,
				trending_read_seconds: 120,
			},
		]);
		client.clock.advance(8 * DAY_MS);
		expect(await trending()).toEqual([]);
		expect(await trending({ days: 30 })).toHaveLength(1);
	}));

describe('adding many feeds', () => {
	const add = (client: ReaderClient, fields: Record<string, string | readonly (string | number)[]>) =>
		client.post('/reader/add_feeds', fields);

	test(
		'reports that the endpoint exists, and its limit',
		in2026(async (client) => {
			expect((await client.get('/reader/add_feeds')).body).toMatchObject({
				batch_add_supported: true,
				max_feeds: 100,
			});
		}),
	);

	test(
		'adds known feeds by id in three notations, each once',
		in2026(async (client) => {
			for (const feed_id of [8, 9, LIVE_WIRE]) await client.post('/reader/delete_feed', { feed_id });
			const some = await add(client, { feed_ids: ['8', '8', '999'], folder: 'Science', new_folder: 'Far' });
			expect(some.body).toMatchObject({
				code: 0,
				results: [
					{ feed_id: 8, code: 1, created: true },
					{ feed_id: 999, code: -1, created: false },
				],
			});
			expect(JSON.stringify(some.body.folders)).toContain('{"Far":[8]}');
			const again = await add(client, {
				'feed_ids[]': ['8', '9'],
				folder_path: '["Science"]',
				new_folder: 'far',
			});
			expect(again.body).toMatchObject({ code: 1, results: [{ created: false }, { created: true }] });
			expect(JSON.stringify(again.body.folders)).toContain('{"Far":[8,9]}');
			expect((await add(client, { feed_ids: JSON.stringify([LIVE_WIRE]) })).body).toMatchObject({ code: 1 });
			refused(await add(client, { feed_ids: '999' }));
			refused(await add(client, { feed_ids: '8', folder: 'Nowhere' }));
			refused(await add(client, {}));
		}),
	);
});

describe('marking as read after days', () => {
	test(
		'is stored for feeds and folders, with its source',
		in2026(async (client) => {
			const feed = (days: string | number) =>
				client.post('/reader/save_feed_auto_mark_read', { feed_id: 3, auto_mark_read_days: days });
			const folder = (days: string | number) =>
				client.post('/reader/save_folder_auto_mark_read', {
					folder_title: 'Technology',
					auto_mark_read_days: days,
				});
			expect((await feed(5)).body).toMatchObject({
				auto_mark_read_days: 5,
				effective_days: 5,
				source: 'feed',
			});
			expect((await folder(7)).body).toMatchObject({ folder_auto_mark_read: { Technology: 7 } });
			expect((await feed('')).body).toMatchObject({
				auto_mark_read_days: null,
				effective_days: 7,
				source: 'folder:Technology',
			});
			const settings = (await client.get('/reader/get_auto_mark_read_settings')).body;
			expect(settings).toMatchObject({ folder_auto_mark_read: { Technology: 7 }, is_archive: true });
			expect((await folder('null')).body['folder_auto_mark_read']).toEqual({});
			refused(await feed(366));
			refused(await feed('x'));
		}, 'archive'),
	);

	test(
		'requires the archive plan',
		in2026(async (client) => {
			refused(await client.post('/reader/save_feed_auto_mark_read', { feed_id: 3, auto_mark_read_days: 5 }));
			expect((await client.get('/reader/get_auto_mark_read_settings')).body['is_archive']).toBe(false);
		}),
	);
});

test('older hosts lack these endpoints', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const { text } = await client.post('/reader/set_feed_mute', { feed_id: LIVE_WIRE });
		expect(text).toContain('<html');
		await client.control(controls.fetch);
		expect((await client.get('/reader/feeds')).body.feeds[LIVE_WIRE]).toMatchObject({ active: true });
	}));

test('the list of feeds has the members of newer servers', () =>
	asReader({ variant: '2026', plan: 'archive' }, async (client) => {
		await client.post('/reader/save_feed_auto_mark_read', { feed_id: LIVE_WIRE, auto_mark_read_days: 5 });
		const { body } = await client.get('/reader/feeds');
		expect(body).toMatchObject({
			folder_icons: {},
			feed_icons: {},
			folder_auto_mark_read: {},
			playback_state: {},
		});
		expect(body.feeds[LIVE_WIRE]).toMatchObject({ auto_mark_read_days: 5 });
		expect(body.feeds[1]).not.toHaveProperty('mute_expires_at');
		expect(body.user_profile).toMatchObject({ is_archive: true, preferences: {} });
	}));
