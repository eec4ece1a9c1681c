import {
	asReader,
	controls,
	withReader,
	type ReaderBody,
	type ReaderClient,
} from '../support/clients/reader-client.ts';
import { DAY_MS, NOON } from '../support/clock.ts';
import { addStories, LIVE_WIRE, unreadOf } from '../support/cases/wild-checks/check.ts';

/** Lists of stories in the variant `2026`: free accounts, limits, date ranges, and read stories. */

const river = async (client: ReaderClient, query: object): Promise<ReaderBody> =>
	(await client.get('/reader/river_stories', { ...query })).body;
const hashesIn = ({ stories }: ReaderBody): string[] => stories.map(({ story_hash }) => story_hash);

describe('a free account', () => {
	const message = 'The full River of News is a premium feature.';

	test('gets three stories on page 1 of a river, and none on later pages, with code 0', () =>
		asReader({ variant: '2026', plan: 'free' }, async (client) => {
			for (const rest of [{}, { include_feeds: true }]) {
				const first = await river(client, { read_filter: 'all', ...rest });
				expect(first).toMatchObject({ code: 0, message, stories: { length: 3 } });
				const second = await river(client, { read_filter: 'all', page: 2, ...rest });
				expect(second).toMatchObject({ code: 0, message, stories: [], classifiers: {} });
			}
			const searched = await river(client, { query: 'the' });
			expect(searched.message).toBe('You must be a premium subscriber to search.');
		}));

	test('gets all stories of a river by hash, but none on page 2', () =>
		asReader({ variant: '2026', plan: 'free' }, async (client) => {
			const hashes = await addStories(client, 5);
			for (const page of [{}, { page: 1 }]) {
				const whole = await river(client, { h: hashes.slice(0, 5), ...page });
				expect(whole).toMatchObject({ code: 0, message, stories: { length: 5 } });
			}
			expect((await river(client, { h: hashes.slice(0, 5), page: 2 })).stories).toEqual([]);
		}));
});

describe('a river', () => {
	test('ends after page 400, except by hash', () =>
		asReader({ variant: '2026' }, async (client) => {
			const status = async (query: object) =>
				(await client.get('/reader/river_stories', { feeds: 10, read_filter: 'all', ...query })).status;
			expect([await status({ page: 400 }), await status({ page: 401 })]).toEqual([200, 404]);
			const [hash = ''] = await unreadOf(client, LIVE_WIRE);
			expect(await status({ page: 401, h: hash })).toBe(200);
		}));

	test('replaces invalid numbers by defaults', () =>
		asReader({ variant: '2026' }, async (client) => {
			const query = { feeds: 10, read_filter: 'all' };
			const plain = hashesIn(await river(client, query));
			expect(hashesIn(await river(client, { ...query, page: 'x', limit: 'many' }))).toEqual(plain);
		}));

	test('ignores feed ids that are no numbers, and reads all subscriptions if none remains', () =>
		asReader({ variant: '2026' }, async (client) => {
			const feedsOf = async (feeds: string[]) => {
				const { stories } = await river(client, { feeds, read_filter: 'all', limit: 100 });
				return [...new Set(stories.map(({ story_feed_id: id }) => id))].length;
			};
			expect(await feedsOf(['10', 'abc'])).toBe(1);
			expect(await feedsOf(['abc'])).toBeGreaterThan(5);
		}));

	test('treats the filter focus as all, and every story as unread', () =>
		asReader({ variant: '2026' }, async (client) => {
			const [hash = ''] = await unreadOf(client, LIVE_WIRE);
			await client.post('/reader/mark_story_hashes_as_read', { story_hash: hash });
			const { stories } = await river(client, { feeds: LIVE_WIRE, read_filter: 'focus' });
			expect(stories.find(({ story_hash }) => story_hash === hash)).toMatchObject({ read_status: 0 });
		}));
});

test('has stable pages of unread stories while they are read', () =>
	asReader({ variant: '2026' }, async (client) => {
		const hashes = await addStories(client, 20);
		for (const path of [`/reader/feed/${LIVE_WIRE}`, `/reader/river_stories?feeds=${LIVE_WIRE}`]) {
			const page = async (number: number) =>
				hashesIn(
					(await client.get(path.split('?')[0]!, { feeds: LIVE_WIRE, read_filter: 'unread', page: number }))
						.body,
				);
			const first = await page(1);
			await client.post('/reader/mark_story_hashes_as_read', { story_hash: first });
			const second = await page(2);
			expect([...first, ...second]).toEqual(hashes.filter((hash) => [...first, ...second].includes(hash)));
			expect(hashes.indexOf(second[0]!)).toBe(hashes.indexOf(first.at(-1)!) + 1);
			await client.post('/reader/mark_story_hash_as_unread', { story_hash: first });
		}
	}));

test('keeps stories that were read meanwhile on pages of unread stories', () =>
	asReader({ variant: '2026' }, async (client) => {
		const hashes = await addStories(client, 20);
		const page = async (number: number) =>
			(await client.get(`/reader/feed/${LIVE_WIRE}`, { read_filter: 'unread', page: number })).body.stories;
		const first = await page(1);
		const next = hashes.slice(first.length, first.length * 2);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: next });
		expect(await page(2)).toMatchObject(next.map((story_hash) => ({ story_hash, read_status: 0 })));
	}));

test('fetches a feed without readers first if it was not fetched for a day', () =>
	asReader({ variant: '2026' }, async (client) => {
		const feed = async (query: object = {}) =>
			(await client.get(`/reader/feed/${LIVE_WIRE}`, { ...query })).body;
		await client.control(controls.settings, { fetch_seconds: 0 });
		await client.post('/reader/delete_feed', { feed_id: LIVE_WIRE });
		expect((await feed()).stories.length).toBeGreaterThan(0);
		client.clock.advance(DAY_MS + 1);
		expect(await feed()).toMatchObject({ stories: [], not_yet_fetched: true, fetched_once: false });
		const fetched = await feed({ insta_fetch: 1 });
		expect(fetched['fetched_once']).toBe(true);
		expect(fetched.stories.length).toBeGreaterThan(0);
		expect((await feed()).stories.length).toBeGreaterThan(0);
	}));

describe('a range of days', () => {
	/** Adds three stories, a day apart; the newest is from noon today. */
	const withStories = (
		plan: 'premium' | 'archive',
		check: (client: ReaderClient, hashes: string[]) => Promise<void>,
	) =>
		asReader({ variant: '2026', plan }, async (client) => {
			const before = await unreadOf(client, LIVE_WIRE);
			await client.control(controls.bulk, { feed_id: LIVE_WIRE, count: 3, seconds_apart: 86_400 });
			const hashes = (await unreadOf(client, LIVE_WIRE)).filter((hash) => !before.includes(hash));
			await check(client, hashes);
		});
	const dayBefore = (days: number) => new Date(NOON - days * DAY_MS).toISOString().slice(0, 10);
	const range = (from: number, to: number) => ({
		date_filter_start: dayBefore(from),
		date_filter_end: dayBefore(to),
	});
	const among = (hashes: string[], body: ReaderBody) =>
		hashesIn(body).filter((hash) => hashes.includes(hash));

	test('includes both dates in feeds, rivers and read stories', () =>
		withStories('archive', async (client, hashes) => {
			const query = { read_filter: 'all', feeds: LIVE_WIRE, limit: 100, ...range(1, 1) };
			const [, middle = ''] = hashes;
			expect(among(hashes, (await client.get(`/reader/feed/${LIVE_WIRE}`, query)).body)).toEqual([middle]);
			expect(among(hashes, await river(client, query))).toEqual([middle]);
			expect(among(hashes, await river(client, { ...query, date_filter_end: dayBefore(0) }))).toEqual(
				hashes.slice(0, 2),
			);
			await client.post('/reader/mark_story_hashes_as_read', { story_hash: hashes });
			expect(hashesIn((await client.get('/reader/read_stories', range(1, 1))).body)).toEqual([middle]);
		}));

	test('uses the saved date for saved stories', () =>
		withStories('archive', async (client, [, , oldest = '']) => {
			await client.post('/reader/mark_story_hash_as_starred', { story_hash: oldest });
			const saved = async (query: object) =>
				hashesIn((await client.get('/reader/starred_stories', { ...query })).body);
			expect(await saved(range(0, 0))).toContain(oldest);
			expect(await saved(range(2, 2))).not.toContain(oldest);
		}));

	test('is ignored without the archive plan, with invalid dates, by hash and in a search', async () => {
		await withStories('premium', async (client, hashes) => {
			const query = { read_filter: 'all', feeds: LIVE_WIRE, limit: 100, ...range(1, 1) };
			expect(among(hashes, await river(client, query))).toEqual(hashes);
		});
		await withStories('archive', async (client, hashes) => {
			const query = { read_filter: 'all', feeds: LIVE_WIRE, limit: 100 };
			const bad = { date_filter_start: '1 September', date_filter_end: '2026-13-01' };
			expect(among(hashes, await river(client, { ...query, ...bad }))).toEqual(hashes);
			expect(among(hashes, await river(client, { h: hashes, ...range(1, 1) }))).toEqual(hashes);
			expect(among(hashes, await river(client, { ...query, query: 'Synthetic', ...range(1, 1) }))).toEqual(
				hashes,
			);
		});
	});

	test('of unread stories corrupts the list of unread hashes for an hour', () =>
		withStories('archive', async (client, hashes) => {
			const listed = async () => (await unreadOf(client, LIVE_WIRE)).filter((hash) => hashes.includes(hash));
			const query = { read_filter: 'unread', feeds: LIVE_WIRE, limit: 100 };
			expect(among(hashes, await river(client, { ...query, ...range(1, 0) }))).toEqual(hashes.slice(0, 2));
			expect(await listed()).toEqual(hashes.slice(0, 2));
			client.clock.advance(DAY_MS / 24);
			expect(await listed()).toEqual(hashes);
		}));

	test('that begins before the unread cutoff includes all unread stories', () =>
		withStories('archive', async (client, hashes) => {
			await client.post('/reader/mark_story_hashes_as_read', { story_hash: hashes[0]! });
			const query = { read_filter: 'unread', feeds: LIVE_WIRE, limit: 100, ...range(60, 0) };
			expect(among(hashes, await river(client, query))).toEqual(hashes);
		}));
});

describe('read stories', () => {
	test('are searched within the history, in whole pages', () =>
		asReader({ variant: '2026' }, async (client) => {
			const hashes = (await addStories(client, 14)).slice(0, 14);
			for (const hash of hashes) {
				client.clock.advance(1000);
				await client.post('/reader/mark_story_hashes_as_read', { story_hash: hash });
			}
			const pages = [1, 2].map(async (page) =>
				hashesIn((await client.get('/reader/read_stories', { query: 'synthetic', page })).body),
			);
			const [first = [], second = []] = await Promise.all(pages);
			expect([first.length, new Set([...first, ...second]).size]).toEqual([10, first.length + second.length]);
			expect((await client.get('/reader/read_stories')).body.stories).toHaveLength(11);
		}));

	test('of some feeds are filtered after paging', () =>
		asReader({ variant: '2026' }, async (client) => {
			const hashes = (await addStories(client, 3)).slice(0, 3);
			await client.post('/reader/mark_story_hashes_as_read', { story_hash: hashes });
			const listed = async (feed_id: number) =>
				hashesIn((await client.get('/reader/read_stories', { feed_id })).body).length;
			expect([await listed(LIVE_WIRE), await listed(3)]).toEqual([3, 0]);
		}));

	test('and saved stories have their read state', () =>
		asReader({ variant: '2026' }, async (client) => {
			const [a = '', b = ''] = await addStories(client, 2);
			for (const story_hash of [a, b])
				await client.post('/reader/mark_story_hash_as_starred', { story_hash });
			await client.post('/reader/mark_story_hashes_as_read', { story_hash: a });
			const { stories } = (await client.get('/reader/starred_stories')).body;
			const states = Object.fromEntries(
				stories.map(({ story_hash, read_status }) => [story_hash, read_status]),
			);
			expect([states[a], states[b]]).toEqual([1, 0]);
		}));
});

test('activities and shared stories of other users are forbidden', () =>
	withReader({ variant: '2026' }, async (anybody) => {
		const client = await anybody.as('reader');
		const closed = { status: 200, body: { code: -1, message: 'Access denied.' } };
		expect(await client.get('/social/interactions', { user_id: 2 })).toMatchObject(closed);
		expect(await client.get('/social/river_stories', { relative_user_id: 2 })).toMatchObject(closed);
	}));
