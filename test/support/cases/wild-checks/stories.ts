import { controls, type ReaderClient } from '../../clients/reader-client.ts';
import { DAY_MS } from '../../clock.ts';
import { addStories, LIVE_WIRE, storiesOf, unreadOf, type Checks } from './check.ts';

const mark = (client: ReaderClient, story_hash: string[]) =>
	client.post('/reader/mark_story_hashes_as_read', { story_hash });

const refreshed = async (client: ReaderClient) =>
	(await client.get('/reader/refresh_feeds')).body.feeds[LIVE_WIRE];

/** The ids of the feeds in the list of all unread hashes. */
const reported = async (client: ReaderClient) =>
	Object.keys((await client.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes);

/** If all unread stories are hidden, refreshing the counts marks them as read. */
async function hiddenAreRead(client: ReaderClient): Promise<void> {
	await client.post('/reader/mark_all_as_read');
	const [a = '', b = ''] = await addStories(client, 2);
	const disliked = (await storiesOf(client, LIVE_WIRE)).find(({ story_hash }) => story_hash === b);
	const dislike_title = disliked?.story_title ?? '';
	await client.post('/classifier/save', { feed_id: LIVE_WIRE, dislike_title });
	await refreshed(client);
	expect(await unreadOf(client, LIVE_WIRE)).toEqual([a, b]);
	await mark(client, [a]);
	await refreshed(client);
	expect(await unreadOf(client, LIVE_WIRE)).toEqual([]);
}

/** Lists of stories, and their read status. */
export const storyChecks: Checks = {
	'page-sizes': async (client) => {
		expect((await client.get('/reader/river_stories', { feeds: 1, page: 401 })).body.stories).toEqual([]);
		expect((await client.get('/reader/feed/1', { page: 401 })).status).toBe(404);
	},
	'friend-ids': async (client) => {
		const [shared] = (await client.get('/social/stories/2/friend')).body.stories;
		const { body } = await mark(client, [shared?.story_hash ?? '']);
		expect(body).toMatchObject({ code: 1, friend_user_ids: [2] });
	},
	'tied-stories': async (client) => {
		await client.control(controls.bulk, { feed_id: LIVE_WIRE, count: 2, seconds_apart: 0 });
		const titles = (await storiesOf(client, LIVE_WIRE)).slice(0, 2).map(({ story_title: title }) => title);
		expect(titles).toEqual(titles.toSorted());
		expect(new Set(titles).size).toBe(2);
	},
	'hidden-by-hash': async (client) => {
		const [a = '', b = ''] = await addStories(client, 2);
		const disliked = (await storiesOf(client, LIVE_WIRE)).find(({ story_hash }) => story_hash === b);
		const dislike_title = disliked?.story_title ?? '';
		await client.post('/classifier/save', { feed_id: LIVE_WIRE, dislike_title });
		const byHash = async (query: object) =>
			(await client.get('/reader/river_stories', { h: [a, b], ...query })).body;
		expect(await byHash({})).toMatchObject({ stories: [{ story_hash: a }], hidden_stories_count: 1 });
		expect(await byHash({ include_hidden: true })).toMatchObject({ stories: { length: 2 } });
	},
	'no-focus': async (client) => {
		const focused = { feeds: 1, read_filter: 'focus' };
		const { stories } = (await client.get('/reader/river_stories', focused)).body;
		expect(stories.length).toBeGreaterThan(0);
		await mark(client, [stories[0]?.story_hash ?? '']);
		const again = (await client.get('/reader/river_stories', focused)).body.stories[0];
		expect(again).toMatchObject({ story_hash: stories[0]?.story_hash, read_status: 0 });
	},
	'tag-parts': async (client) => {
		const tagged = async (tag: string) =>
			(await client.get('/reader/starred_stories', { tag })).body.stories.length;
		expect([await tagged('lat'), await tagged('LAT')]).toEqual([2, 0]);
		const filters = { highlights: true, tag: 'nowhere', h: '6:zzzzzz' };
		const highlighted = await client.get('/reader/starred_stories', { highlights: true });
		expect((await client.get('/reader/starred_stories', filters)).body.stories).toEqual(
			highlighted.body.stories,
		);
		expect(highlighted.body.stories.length).toBeGreaterThan(0);
	},
	'read-repeats': async (client) => {
		const hashes = await addStories(client, 3);
		for (const hash of [...hashes.slice(0, 3), hashes[0] ?? '']) {
			client.clock.advance(1000);
			await mark(client, [hash]);
		}
		const history = async (limit: number) =>
			(await client.get('/reader/read_stories', { limit })).body.stories.map(({ story_hash: hash }) => hash);
		expect((await history(4)).slice(0, 3)).toEqual([hashes[0], hashes[2], hashes[1]]);
		expect(await history(4)).toHaveLength(3);
	},
	'no-read-search': async (client) => {
		const { body } = await client.get('/reader/read_stories', { query: 'x' });
		expect(body).toMatchObject({ stories: [], message: 'Not implemented yet.' });
	},
	'blind-counts': async (client) => {
		await client.control(controls.settings, { fetch_seconds: 0 });
		await client.get('/reader/feeds');
		await addStories(client, 3);
		await client.post('/reader/mark_feed_as_read', { feed_id: LIVE_WIRE });
		expect(await reported(client)).toContain(String(LIVE_WIRE));
		expect(await refreshed(client)).toMatchObject({ ps: 0, nt: 0 });
		expect(await reported(client)).not.toContain(String(LIVE_WIRE));

		// The account was not used for a week, so a new story is not counted: only a request for its feed alone returns it.
		client.clock.advance(8 * DAY_MS);
		const [hash = ''] = await addStories(client, 1);
		expect(await unreadOf(client, LIVE_WIRE)).toEqual([hash]);
		expect(await reported(client)).not.toContain(String(LIVE_WIRE));
		const river = { feeds: [1, LIVE_WIRE], read_filter: 'unread', limit: 100 };
		const { stories } = (await client.get('/reader/river_stories', river)).body;
		expect(stories.filter((story) => story.story_feed_id === LIVE_WIRE)).toEqual([]);
		await client.post('/reader/mark_feed_as_read', { feed_id: LIVE_WIRE });
		expect(await unreadOf(client, LIVE_WIRE)).toEqual([hash]);
		expect(await refreshed(client)).toMatchObject({ nt: 0 });

		// Once the feed is opened and its counts are refreshed, the story is counted, because the account is in use again.
		await client.get(`/reader/feed/${LIVE_WIRE}`);
		expect(await refreshed(client)).toMatchObject({ nt: 1 });
		expect(await reported(client)).toContain(String(LIVE_WIRE));
		await hiddenAreRead(client);
	},
	'unread-cap': async (client) => {
		const hashes = await addStories(client, 510);
		expect(hashes).toHaveLength(500);
		expect(await refreshed(client)).toMatchObject({ nt: 500 });
		await mark(client, hashes.slice(0, 5));
		const rest = await unreadOf(client, LIVE_WIRE);
		expect([rest.length, hashes.includes(rest[499] ?? '')]).toEqual([500, false]);
		await client.post('/classifier/save', { feed_id: LIVE_WIRE, like_tag: 'tag-1' });
		const counts = await refreshed(client);
		expect((counts?.ps ?? 0) + (counts?.nt ?? 0)).toBe(500);
	},
	'free-window': async (client) => {
		const [story_hash = ''] = await addStories(client, 1);
		const message = async (plan: string, days: number) => {
			client.clock.advance(days * DAY_MS);
			await client.control(controls.settings, { plan });
			return (await client.post('/reader/mark_story_hash_as_unread', { story_hash })).body.message;
		};
		expect(await message('free', 15)).toBe(
			'Story is older than 14 days. Premium has 30 days, and Premium Archive can mark anything unread.',
		);
		expect(await message('free', 20)).toBe(
			'Story is more than 14 days old, only Premium Archive can mark older stories unread.',
		);
		expect(await message('premium', 0)).toBe(
			'Story is more than 30 days old. Premium Archive accounts can mark any story as unread.',
		);
		expect(await message('archive', 0)).toBeUndefined();
	},
	'free-river': async (client) => {
		await client.control(controls.settings, { plan: 'free' });
		const page = async (number: number) =>
			(await client.get('/reader/river_stories', { feeds: 1, page: number })).body.stories.length;
		expect([await page(1), await page(2)]).toEqual([3, 0]);
	},
	'free-limits': async (client) => {
		await client.control(controls.settings, { plan: 'free' });
		const river = async (query: object) =>
			(await client.get('/reader/river_stories', { feeds: 1, query: 'x', ...query })).body;
		const message = 'The full River of News is a premium feature.';
		expect(await river({ query: '' })).toMatchObject({ code: 0, message });
		expect(await river({})).toMatchObject({ code: 0, message, stories: [] });
		expect(await river({ include_feeds: true })).toMatchObject({ code: 1, message: /to search/ });
	},
	'reads-echoed': async (client) => {
		const { body } = await mark(client, ['nonsense', 'nonsense', '99:zzzzzz']);
		expect(body).toMatchObject({
			story_hashes: ['nonsense', 'nonsense', '99:zzzzzz'],
			feed_ids: [null, '99'],
		});
	},
	'reads-left-out': async (client) => {
		const [a = '', b = ''] = await addStories(client, 2);
		await mark(client, [a]);
		expect((await mark(client, [a, b])).body['story_hashes']).toEqual([b]);
	},
	'unread-batches': async (client) => {
		const [a = '', b = ''] = await addStories(client, 2);
		await client.post('/reader/mark_all_as_read');
		const unread = (story_hash: string[]) => client.post('/reader/mark_story_hash_as_unread', { story_hash });
		expect((await unread([a, '10:zzzzzz', b])).status).toBe(500);
		expect(await unreadOf(client, LIVE_WIRE)).toEqual([a]);
		client.clock.advance(31 * DAY_MS);
		expect((await unread([a, b])).body.stories.map(({ code }) => code)).toEqual([-1, 1, -1, 1]);
		expect(await unreadOf(client, LIVE_WIRE)).toEqual([]);
		expect((await unread([a])).body).toMatchObject({ code: -1 });
	},
	'nameless-errors': async (client) => {
		await client.post('/reader/delete_feed', { feed_id: 9 });
		const feed_id = ['9', '999', 'abc', 'social:99', '1'];
		expect((await client.post('/reader/mark_feed_as_read', { feed_id })).body).toMatchObject({
			code: 1,
			errors: [
				'User not subscribed: UserSubscription matching query does not exist.',
				'User not subscribed: Feed matching query does not exist.',
				"Invalid feed_id: Field 'id' expected a number but got 'abc'.",
			],
		});
		expect(await unreadOf(client, 1)).toEqual([]);
	},
	'silent-marks': async (client) => {
		const [first] = await storiesOf(client, 1);
		const [second] = await storiesOf(client, 2);
		const feeds_stories = `{"1":["${first?.id}"],"999":["x"],"1000":["${second?.id}"]}`;
		expect((await client.post('/reader/mark_feed_stories_as_read', { feeds_stories })).body).toMatchObject({
			error: 'You are not subscribed to this feed_id: 999',
		});
		const users_feeds_stories = JSON.stringify({ 99: { 1: ['x'] } });
		const social = await client.post('/reader/mark_social_stories_as_read', { users_feeds_stories });
		expect(social.body).toMatchObject({ code: 1, errors: [] });
		expect(
			(await client.post('/reader/mark_story_as_read', { feed_id: 999, story_id: 'x' })).body,
		).toMatchObject({
			errors: ['User is not subscribed to this feed.'],
		});
	},
};
