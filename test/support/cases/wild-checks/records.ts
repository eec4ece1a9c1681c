import { DAY_MS, NOON } from '../../clock.ts';
import { addStories, LIVE_WIRE, storiesOf, type Checks } from './check.ts';

const fraction = /^2026-09-01 12:00:00\.250000$/;

/** The members of responses. */
export const recordChecks: Checks = {
	'null-messages': async (client) => {
		for (const path of ['river_stories?feeds=1', 'starred_stories', 'read_stories', 'feed/1']) {
			expect((await client.get(`/reader/${path}`)).body).toMatchObject({ message: null });
		}
	},
	'story-records': async (client) => {
		const [saved] = (await client.get('/reader/starred_stories')).body.stories;
		expect(saved).toMatchObject({ intelligence: { feed: 1, author: 0, tags: 0, title: 0 }, read_status: 1 });
		expect(saved).not.toHaveProperty('score');
		const [hash = ''] = await addStories(client, 1);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: hash });
		const history = (await client.get('/reader/read_stories')).body;
		expect(history.stories[0]).not.toHaveProperty('score');
		expect(history.feeds).toEqual([]);
		client.clock.advance(3_600_000);
		const friend = await client.as('friend');
		await friend.post('/social/share_story', { feed_id: LIVE_WIRE, story_id: hash });
		const query = { social_user_ids: 2, read_filter: 'all' };
		const river = (await client.get('/social/river_stories', query)).body;
		expect(river.stories[0]).toMatchObject({
			story_hash: hash,
			story_date: '2026-09-01 13:00:00',
			story_timestamp: String(NOON / 1000),
		});
		expect(river.stories[0]).not.toHaveProperty('score');
		expect(river).not.toHaveProperty('hidden_stories_count');
		expect(river['classifiers']).toHaveProperty(String(LIVE_WIRE));
		const shared = (await client.get('/social/stories/2/friend')).body.stories[0];
		expect(shared).toMatchObject({ story_hash: hash, story_date: '2026-09-01 12:00:00' });
		expect(shared).not.toHaveProperty('score');
		const response = await friend.post('/social/share_story', { feed_id: LIVE_WIRE, story_id: hash });
		for (const key of ['score', 'read_status', 'intelligence']) {
			expect(response.body['story']).not.toHaveProperty(key);
		}
		expect((await client.get('/social/stories/2/friend')).body).not.toHaveProperty('elapsed_time');
	},
	'silent-sharers': async (client) => {
		const { stories } = (await client.get('/social/stories/2/friend')).body;
		expect(stories.map((story) => story['shared_by_friends'])).toContainEqual([2]);
		const commented = stories.filter(({ friend_comments: comments }) => comments.length > 0);
		expect(commented.map((story) => story['shared_by_friends'])).toEqual([[], []]);
	},
	'null-counts': async (client) => {
		const [story] = await storiesOf(client, 6);
		expect(story).toMatchObject({ comment_count: null, share_count: null, friend_comments: [] });
		expect(story).not.toHaveProperty('shared_by_friends');
		const single = { feed_id: 6, story_id: story?.id ?? '' };
		await client.post('/social/share_story', single);
		expect((await client.post('/social/unshare_story', single)).body['story']).toMatchObject({
			share_count: 0,
		});
		expect((await storiesOf(client, 6))[0]).toMatchObject({ comment_count: 0, share_count: 0 });
		await client.post('/social/share_story', single);
		const [again] = await storiesOf(client, 6);
		expect(again).toMatchObject({ share_count: 1 });
		expect(again).not.toHaveProperty('comment_count_friends');
	},
	'profile-records': async (client) => {
		const own = async () => (await client.get('/social/load_user_profile')).body.user_profile;
		const blank = { location: null, bio: null, website: null, photo_service: null, custom_css: null };
		expect(await own()).toMatchObject({ ...blank, protected: null, private: null, active: true });
		const profile = { location: 'Here', bio: '', website: '', photo_service: 'gravatar' };
		await client.post('/social/save_user_profile', profile);
		expect(await own()).toMatchObject({ ...profile, protected: false, private: false });
		const { profiles } = (await client.get('/social/find_friends', { query: 'friend' })).body;
		expect(profiles).toMatchObject([{ active: true, location: null }]);
	},
	'saved-records': async (client) => {
		const { body } = await client.get('/reader/starred_counts');
		expect(body.starred_counts).toContainEqual(
			expect.objectContaining({ tag: 'later', is_highlights: null, active: true }),
		);
		expect(body.starred_counts.filter((row) => 'is_highlights' in row && row['is_highlights'])).toMatchObject(
			[{ tag: null, feed_id: null }],
		);
		const [a, b] = await storiesOf(client, 6);
		const story_hash = [a?.story_hash ?? '', '6:zzzzzz', b?.story_hash ?? ''];
		const several = (await client.post('/reader/mark_story_hash_as_starred', { story_hash })).body.stories;
		expect(several.map((row) => [row['code'], row.story_hash])).toEqual([
			[1, undefined],
			[-1, '6:zzzzzz'],
			[1, undefined],
		]);
		const unsave = { story_hash: '6:zzzzzz' };
		const unsaved = await client.post('/reader/mark_story_hash_as_unstarred', unsave);
		expect(unsaved.body).toMatchObject({ code: 1, starred_counts: null });
	},
	'string-ids': async (client) => {
		const [story_hash = ''] = await addStories(client, 1);
		const { body } = await client.post('/reader/mark_story_hash_as_unread', { story_hash });
		expect(body).toMatchObject({ code: 1, feed_id: String(LIVE_WIRE) });
	},
	'sparse-statistics': async (client) => {
		const statistics = async (path: string) => (await client.get(path)).body;
		const before = await statistics('/rss_feeds/statistics/1');
		expect(before).toMatchObject({ classifier_counts: null, last_load_time: expect.any(Number) });
		expect(Number.isInteger(before['last_load_time'])).toBe(true);
		expect(await statistics('/social/statistics/2')).toMatchObject({ classifier_counts: {} });
		await client.post('/classifier/save', { feed_id: 1, like_tag: 'x' });
		expect((await statistics('/rss_feeds/statistics/1'))['classifier_counts']).toEqual({
			tag: [{ tag: 'x', pos: 1, neg: 0 }],
		});
	},
	'local-dates': async (client) => {
		const [hash = ''] = await addStories(client, 1);
		const dates = async () => {
			const { stories } = (await client.get('/reader/river_stories', { h: hash })).body;
			return [stories[0]?.['short_parsed_date'], stories[0]?.['long_parsed_date']];
		};
		expect(await dates()).toEqual(['8:00am', 'Today, September 1st 8:00am']);
		client.clock.advance(15 * 3_600_000);
		expect(await dates()).toEqual(['8:00am', 'Today, September 1st 8:00am']);
		client.clock.advance(2 * 3_600_000);
		expect(await dates()).toEqual(['Yesterday, 8:00am', 'Yesterday, September 1st 8:00am']);
		client.clock.advance(DAY_MS);
		expect(await dates()).toEqual(['01 Sep 2026, 8:00am', 'Tuesday, September 1st 8:00am']);
		client.clock.advance(30 * DAY_MS);
		expect((await dates())[1]).toBe('Tuesday, September 1st, 2026 8:00am');
	},
	'account-records': async (client) => {
		const { body } = await client.get('/reader/feeds');
		expect(body.user_profile).toMatchObject({ is_premium: true, premium_expire: 0 });
		expect(body.user_profile).not.toHaveProperty('username');
		const [friends] = body['social_feeds'] as Record<string, unknown>[];
		expect(friends).toMatchObject({ page_url: '/social/page/2/friend', shared_stories_count: 3 });
		expect(friends).not.toHaveProperty('bio');
		const refreshed = async (feed_id: (string | number)[]) =>
			(await client.get('/reader/refresh_feeds', { feed_id })).body['social_feeds'];
		expect(await refreshed([1])).toEqual({});
		expect(await refreshed([1, 'social:2'])).toMatchObject({ 'social:2': { shared_stories_count: 3 } });
		const counts = (await client.get('/reader/feed_unread_count', { feed_id: 1 })).body.feeds;
		expect(counts['1']).toMatchObject({ id: 1 });
	},
	'tag-slugs': async (client) => {
		const [story_hash = ''] = await addStories(client, 1);
		await client.post('/reader/mark_story_hash_as_starred', { story_hash, user_tags: 'Größe, x/y_z' });
		const counts = (await client.get('/reader/starred_counts')).body.starred_counts;
		expect(counts[0]).toMatchObject({ tag: null, feed_id: null, is_highlights: false });
		const address = counts.find(({ tag }) => tag === 'Größe, x/y_z')?.feed_address ?? '';
		expect(address).toMatch(/\/groe-xy_z$/);
		const { stories } = (await client.get('/reader/river_stories', { h: story_hash })).body;
		expect(await (await fetch(address)).text()).toContain(stories[0]?.story_title);
	},
	'proxied-images': async (client) => {
		const { stories } = (
			await client.get('/reader/river_stories', { feeds: [8, 5, 3, 7], read_filter: 'all' })
		).body;
		const [image, proxied] = Object.entries(
			stories
				.map((story) => story['secure_image_urls'] as Record<string, string>)
				.find((all) => Object.keys(all).length > 0) ?? {},
		)[0] ?? ['', ''];
		expect(proxied).toContain('/imageproxy/');
		const { status, headers } = await fetch(proxied, { redirect: 'manual' });
		expect([status, headers.get('location')]).toEqual([302, image]);
		expect((await fetch(proxied.replace('sc,s', 'sc,sx'), { redirect: 'manual' })).status).toBe(404);
	},
	'local-statistics': async (client) => {
		const at = async () => (await client.get('/rss_feeds/statistics/1')).body;
		const { story_hours_history: hours, feed_fetch_history: fetches } = await at();
		// New York's time in summer: four hours before UTC.
		expect(fetches).toMatchObject([{ fetch_date: '2026-09-01 08:00:00' }]);
		expect(Object.keys(hours as object).every((hour) => Number(hour) >= -4 && Number(hour) < 20)).toBe(true);
		await addStories(client, 2);
		const live = (await client.get(`/rss_feeds/statistics/${LIVE_WIRE}`)).body['story_hours_history'];
		expect(live).toMatchObject({ 8: expect.any(Number), '-4': expect.any(Number) });
	},
	'feed-records': async (client) => {
		const { feeds } = (await client.get('/reader/feeds')).body;
		expect(feeds['1']).toMatchObject({ favicon_url: '/rss_feeds/icon/1' });
	},
	'search-state': async (client) => {
		const indexed = async () =>
			Object.values((await client.get('/reader/feeds')).body.feeds).map((feed) => feed['search_indexed']);
		const state = async (path: string, query: Record<string, string | number>) => {
			const { user_search: text } = (await client.get(path, query)).body;
			return typeof text === 'string' ? (JSON.parse(text) as object) : text;
		};
		expect(await state('/reader/feed/1', {})).toBe(null);
		expect(new Set(await indexed())).toEqual(new Set([null]));
		const identity = { _id: { $oid: expect.stringMatching(/^[0-9a-f]{24}$/) as string }, user_id: 1 };
		const now = { last_search_date: { $date: client.clock.now() }, subscriptions_indexing: true };
		expect(await state('/reader/feed/1', { query: 'harbour' })).toEqual({ ...identity, ...now });
		expect(await state('/reader/river_stories', { feeds: 1, query: 'harbour' })).toEqual({
			...identity,
			...now,
			subscriptions_indexed: true,
		});
		expect(new Set(await indexed())).toEqual(new Set([true]));
	},
	'more-activities': async (client) => {
		await client.get('/import/opml_export');
		const categories = async (who: typeof client) =>
			(await who.get('/social/activities', { limit: 20 })).body.activities.map((event) => event['category']);
		expect(await categories(client)).toContain('opml_export');
		await client.post('/api/signup', { username: 'ada', email: 'ada@reader.example', password: 'x' });
		const ada = await client.as('ada', 'x');
		expect(await categories(ada)).toEqual(['signup']);
		for (const folder_to_delete of ['x', 'y']) {
			await ada.post('/reader/delete_folder', { folder_to_delete, in_folder: '' });
		}
		expect(await categories(ada)).toEqual(['opml_export', 'signup']);
	},
	'event-contents': async (client) => {
		const events = (await client.get('/social/activities', { category: 'star' })).body.activities;
		expect(events[0]).toMatchObject({ category: 'star', title: null, content: expect.any(String) });
		expect(events[0]).toMatchObject({ with_user_id: 1, feed_id: events[0]?.['story_feed_id'] });
		const [follow] = (await client.get('/social/activities', { category: 'follow' })).body.activities;
		expect(follow).toMatchObject({ with_user_id: 2, feed_id: null, story_feed_id: null });
		const [story] = await storiesOf(client, 6);
		for (const comments of ['first', 'second']) {
			await client.post('/social/share_story', { feed_id: 6, story_id: story?.id ?? '', comments });
		}
		const [shared] = (await client.get('/social/activities', { category: 'sharedstory' })).body.activities;
		expect(shared).toMatchObject({ content: 'second' });
	},
	'date-fractions': async (client) => {
		client.clock.advance(250);
		const [story] = await storiesOf(client, 6);
		const fields = { feed_id: 6, story_id: story?.id ?? '', comments: 'x' };
		const { body } = await client.post('/social/share_story', fields);
		const [shared] = [body['story']] as unknown as { friend_comments: { date: string }[] }[];
		expect(shared?.friend_comments[0]?.date).toMatch(fraction);
		const [activity] = (await client.get('/social/activities')).body.activities;
		expect(activity?.['date']).toMatch(fraction);
	},
	'internal-texts': async (client) => {
		const removal = await client.post('/reader/delete_feed', { feed_id: 1, in_folder: 'News' });
		expect(removal.body.message).toMatch(
			/^Removed <QuerySet \[<Feed: 1: The Harbour Lantern - (\d+)\/\1\/\1\/0\/0 \d+ stories \(\d+ bytes\)>\]> from 'News'\.$/,
		);
		const message = async (path: string, fields: Record<string, string | number>) =>
			(await client.post(path, fields)).body.message;
		expect(await message('/reader/delete_feed_by_url', { url: 'https://a.example/' })).toBe('URL not found.');
		const loginErrors = (await client.post('/api/login', { username: 'reader', password: 'x' })).body[
			'errors'
		];
		expect(loginErrors).toEqual({ __all__: ['Whoopsy-daisy, wrong password. Try again.'] });
	},
};
