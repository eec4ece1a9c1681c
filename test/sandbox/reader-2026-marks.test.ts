import { asReader, controls, type ReaderBody, type ReaderClient } from '../support/clients/reader-client.ts';
import { NOON } from '../support/clock.ts';
import { addStories, LIVE_WIRE, unreadOf } from '../support/cases/wild-checks/check.ts';

/** Marking stories and feeds as read in the variant `2026`. */

const bitwright = 3;

const mark = async (client: ReaderClient, story_hash: string[], rest: object = {}): Promise<ReaderBody> =>
	(await client.post('/reader/mark_story_hashes_as_read', { story_hash, ...rest })).body;

const countOf = async (client: ReaderClient, feedId: number): Promise<number> => {
	const { body } = await client.get('/reader/refresh_feeds', { feed_id: feedId });
	return body.feeds[feedId]!.nt;
};

test('the response omits stories that were already read individually, but not unknown hashes', () =>
	asReader({ variant: '2026' }, async (client) => {
		const [a = '', b = '', c = ''] = await addStories(client, 3);
		expect(await mark(client, [a])).toMatchObject({ code: 1, story_hashes: [a], feed_ids: ['10'] });
		expect((await mark(client, [a, b, '10:unknown']))['story_hashes']).toEqual([b, '10:unknown']);
		expect(await mark(client, [a, b])).toMatchObject({
			...{ code: 1, story_hashes: [], feed_ids: [], friend_user_ids: [] },
		});
		await client.post('/reader/mark_feed_as_read', { feed_id: LIVE_WIRE });
		expect((await mark(client, [c]))['story_hashes']).toEqual([c]);
	}));

test('the client may send the time when stories were read', () =>
	asReader({ variant: '2026' }, async (client) => {
		const [a = '', b = ''] = await addStories(client, 2);
		const seconds = NOON / 1000;
		await mark(client, [a, b], { read_times: JSON.stringify({ [a]: seconds - 60, [b]: seconds - 30 }) });
		const { stories } = (await client.get('/reader/read_stories')).body;
		expect(stories.slice(0, 2).map(({ story_hash }) => story_hash)).toEqual([b, a]);
	}));

test.each([
	['archive', true],
	['premium', false],
] as const)('with the plan %s, marking a story marks its cluster: %s', (plan, works) =>
	asReader({ variant: '2026', plan }, async (client) => {
		const [a = ''] = await addStories(client, 1);
		const before = await unreadOf(client, bitwright);
		await client.control(controls.bulk, { feed_id: bitwright, count: 1 });
		const [b = ''] = (await unreadOf(client, bitwright)).filter((hash) => !before.includes(hash));
		await client.control(controls.cluster, { story_hashes: [a, b] });
		await client.post('/reader/delete_feed', { feed_id: bitwright });
		expect((await mark(client, ['10:unknown']))['story_hashes']).toEqual(['10:unknown']);
		await client.post('/profile/set_preference', { cluster_mark_read: true });
		const { story_hashes } = await mark(client, [a]);
		expect(new Set(story_hashes as string[])).toEqual(new Set(works ? [a, b] : [a]));
	}),
);

test('a feed with the stored count 0 is marked read up to a time', () =>
	asReader({ variant: '2026' }, async (client) => {
		await client.post('/reader/mark_feed_as_read', { feed_id: LIVE_WIRE });
		expect(await countOf(client, LIVE_WIRE)).toBe(0);
		// After a week without requests, new stories are not counted.
		client.clock.advance(8 * 86_400_000);
		await client.control(controls.bulk, { feed_id: LIVE_WIRE, count: 2, seconds_apart: 1 });
		const cutoff_timestamp = Math.floor(client.clock.now() / 1000) - 60;
		await client.post('/reader/mark_feed_as_read', {
			feed_id: LIVE_WIRE,
			direction: 'newer',
			cutoff_timestamp,
		});
		const stories = async () => (await client.get(`/reader/feed/${LIVE_WIRE}`)).body.stories.slice(0, 2);
		expect(await stories()).toMatchObject([{ read_status: 0 }, { read_status: 0 }]);
		await client.control(controls.fetch);
		await client.post('/reader/mark_feed_as_read', { feed_id: LIVE_WIRE });
		expect(await stories()).toMatchObject([{ read_status: 1 }, { read_status: 1 }]);
	}));

test('marking all but the last days read never marks stories as unread', () =>
	asReader({ variant: '2026' }, async (client) => {
		await addStories(client, 2);
		await client.post('/reader/mark_feed_as_read', { feed_id: LIVE_WIRE });
		await client.post('/reader/mark_all_as_read', { days: 3 });
		expect(await unreadOf(client, LIVE_WIRE)).toEqual([]);
		expect(await unreadOf(client, bitwright)).not.toEqual([]);
	}));
