import { asReader, controls, type ReaderClient } from '../support/clients/reader-client.ts';
import { DAY_MS } from '../support/clock.ts';
import { addStories, LIVE_WIRE, storiesOf, unreadOf } from '../support/cases/wild-checks/check.ts';

/** The variant `wild`: behavior that was observed with the service's public code and has no switch. */

const measured = (name: string, check: (client: ReaderClient) => Promise<void>) =>
	test(name, () => asReader({ variant: 'wild' }, check));

/** An unshared story in a feed of the account. */
async function plainStory(client: ReaderClient) {
	const [story] = await storiesOf(client, 6);
	return { feed_id: 6, story_id: story?.id ?? '', story_hash: story?.story_hash ?? '' };
}

describe('reading', () => {
	measured(
		'ids of stories are taken as they are: a comma belongs to them, a hash is one, unknown ones too',
		async (client) => {
			await client.publish('live-wire', { guid: 'tag:live,2026:56', title: 'Comma' });
			const [story] = await storiesOf(client, LIVE_WIRE);
			const mark = async (story_id: string | string[]) =>
				(await client.post('/reader/mark_story_as_read', { feed_id: LIVE_WIRE, story_id })).body;
			const unread = async () => (await unreadOf(client, LIVE_WIRE)).includes(story?.story_hash ?? '');
			expect(await mark('tag:live,2026:55,tag:live,2026:56')).toMatchObject({ code: 0 });
			expect(await unread()).toBe(true);
			expect(await mark(['tag:live,2026:56', 'never'])).toMatchObject({
				code: 0,
				payload: ['tag:live,2026:56', 'never'],
			});
			expect(await unread()).toBe(false);
			await client.post('/reader/mark_story_hash_as_unread', { story_hash: story?.story_hash ?? '' });
			await mark(story?.story_hash ?? '');
			expect(await unread()).toBe(false);
		},
	);

	measured('marks by feed stop at the first that is not subscribed to', async (client) => {
		const ids = async (feedId: number) => (await storiesOf(client, feedId))[0];
		const [first, third] = [await ids(1), await ids(3)];
		await client.post('/reader/delete_feed', { feed_id: 2 });
		const feeds_stories = JSON.stringify({ 1: [first?.id], 2: ['x'], 3: [third?.id] });
		const { body } = await client.post('/reader/mark_feed_stories_as_read', { feeds_stories });
		expect(body).toMatchObject({ code: -1, error: 'You are not subscribed to this feed_id: 2' });
		expect(await unreadOf(client, 1)).not.toContain(first?.story_hash);
		expect(await unreadOf(client, 3)).toContain(third?.story_hash);
	});

	measured('marking all read does nothing to a feed whose stored count is 0', async (client) => {
		await client.get('/reader/feeds');
		await client.post('/reader/mark_feed_as_read', { feed_id: LIVE_WIRE });
		await client.get('/reader/refresh_feeds');
		client.clock.advance(8 * DAY_MS);
		const [hash = ''] = await addStories(client, 1);
		expect((await client.post('/reader/mark_all_as_read', { days: 0 })).body.code).toBe(1);
		expect(await unreadOf(client, LIVE_WIRE)).toEqual([hash]);
	});

	measured('refreshed counts name share feeds with text, feeds with numbers', async (client) => {
		const { body } = await client.get('/reader/refresh_feeds');
		expect(body.feeds['1']).toMatchObject({ id: 1 });
		expect(body['social_feeds']).toMatchObject({ 'social:2': { id: 'social:2' } });
	});

	measured('the archive plan has the window of 30 days', async (client) => {
		await client.control(controls.settings, { plan: 'archive' });
		const [hash = ''] = await addStories(client, 1);
		client.clock.advance(29 * DAY_MS);
		expect(await unreadOf(client, LIVE_WIRE)).toContain(hash);
		client.clock.advance(2 * DAY_MS);
		expect(await unreadOf(client, LIVE_WIRE)).toEqual([]);
	});

	measured('a free account gets the message with stories by hash, too', async (client) => {
		const { story_hash } = await plainStory(client);
		await client.control(controls.settings, { plan: 'free' });
		expect((await client.get('/reader/river_stories', { h: story_hash })).body).toMatchObject({
			code: 0,
			message: 'The full River of News is a premium feature.',
			stories: [{ story_hash }],
		});
	});

	measured('a share feed has nothing unread once it was marked', async (client) => {
		const unread = async () =>
			(await client.get('/social/stories/2/', { read_filter: 'unread' })).body.stories.length;
		expect(await unread()).toBe(3);
		await client.post('/reader/mark_feed_as_read', { feed_id: 'social:2' });
		expect(await unread()).toBe(0);
	});
});

describe('saved', () => {
	measured('each of several stories saved at once has the counts after it', async (client) => {
		const hashes = await addStories(client, 2);
		const { rows } = await client.post('/reader/mark_story_hash_as_starred', {
			story_hash: [hashes[0]!, '10:nothing', hashes[1]!],
		});
		const [first, missing, last] = rows.map((row) => row['starred_count'] as number | undefined);
		expect([missing, last]).toEqual([undefined, first! + 1]);
	});

	measured('saving again wipes notes, tags and highlights that are not sent', async (client) => {
		const { story_hash } = await plainStory(client);
		const all = { user_notes: 'mine', user_tags: 'later', highlights: 'words' };
		await client.post('/reader/mark_story_hash_as_starred', { story_hash, ...all });
		const saved = async () =>
			(await client.get('/reader/starred_stories', { h: story_hash })).body.stories[0];
		expect(await saved()).toMatchObject({ user_notes: 'mine', user_tags: ['later'], highlights: ['words'] });
		await client.post('/reader/mark_story_hash_as_starred', { story_hash });
		expect(await saved()).toMatchObject({ user_notes: null, user_tags: [], highlights: [] });
	});

	measured('hashes with brackets are not read', async (client) => {
		for (const path of ['starred', 'unstarred']) {
			const { status } = await client.post(`/reader/mark_story_hash_as_${path}`, {
				'story_hash[]': '6:zzzzzz',
			});
			expect([path, status]).toEqual([path, 400]);
		}
	});

	measured('a search looks among the stories with a tag', async (client) => {
		const { story_hash } = await plainStory(client);
		const title = (await storiesOf(client, 6))[0]?.story_title ?? '';
		await client.post('/reader/mark_story_hash_as_starred', { story_hash, user_tags: 'apart' });
		const found = async (query: object) =>
			(await client.get('/reader/starred_stories', { query: title, ...query })).body.stories.length;
		expect([await found({}), await found({ tag: 'apart' }), await found({ tag: 'later' })]).toEqual([
			1, 1, 0,
		]);
	});

	measured(
		'searches are kept once, blank ones too; removing one that is not there succeeds',
		async (client) => {
			const call = async (name: string, feed_id: string, query: string) =>
				(await client.post(`/reader/${name}_search`, { feed_id, query })).body;
			await call('save', 'feed:1', 'x');
			await call('save', 'feed:1', 'x');
			expect(await call('save', '', '')).toMatchObject({ saved_searches: { length: 2 } });
			expect(await call('save', '1', 'x')).toMatchObject({ saved_searches: { length: 3 } });
			expect(await call('delete', 'feed:2', 'x')).toMatchObject({
				result: 'ok',
				saved_searches: { length: 3 },
			});
		},
	);
});

describe('people', () => {
	measured('a reply to somebody who did not share the story is refused', async (client) => {
		const { feed_id: story_feed_id, story_id } = await plainStory(client);
		const reply = { story_feed_id, story_id, comment_user_id: 2, reply_comments: 'x' };
		expect(await client.post('/social/save_comment_reply', reply)).toMatchObject({
			status: 200,
			body: { code: -1, message: 'Shared story cannot be found.' },
		});
	});

	measured('interactions of others are open', async (client) => {
		const { status, body } = await client.get('/social/interactions', { user_id: 2, limit: 50 });
		expect(status).toBe(200);
		expect(body.interactions).toContainEqual(expect.objectContaining({ with_user_id: 1 }));
	});

	measured('public comments leave out the own one', async (client) => {
		const { feed_id, story_id } = await plainStory(client);
		await client.post('/social/share_story', { feed_id, story_id, comments: 'mine' });
		expect((await client.get('/social/public_comments', { feed_id, story_id })).body).toMatchObject({
			comments: [],
		});
		const [story] = await storiesOf(client, 6);
		expect(story?.friend_comments).toMatchObject([{ user_id: 1, comments: 'mine' }]);
	});

	measured('shared stories are searched for a text, and come without their content', async (client) => {
		const of = async (query: object) =>
			(await client.get('/social/stories/2/friend', { ...query })).body.stories;
		const [first] = await of({});
		const part = first!.story_title.slice(1, 9).toUpperCase();
		const found = await of({ query: part, read_filter: 'unread' });
		expect(found.map(({ story_hash }) => story_hash)).toContain(first!.story_hash);
		expect(found.every((story) => JSON.stringify(story).toUpperCase().includes(part))).toBe(true);
		expect(await of({ query: 'no story has this' })).toEqual([]);
		expect((await of({ include_story_content: 'false' }))[0]).not.toHaveProperty('story_content');
	});

	measured('editing a reply that is gone responds as if the reply were new', async (client) => {
		const [story] = (await client.get('/social/stories/2/friend')).body.stories;
		const fields = { story_feed_id: story!.story_feed_id, story_id: story!.id, comment_user_id: 2 };
		const reply_id = '5f0000000000000000000002';
		await client.post('/social/save_comment_reply', { ...fields, reply_id, reply_comments: 'Edited' });
		const { activities } = (await client.get('/social/activities')).body;
		expect(activities[0]).toMatchObject({ category: 'comment_reply', content: 'Edited' });
	});

	measured('subscribing to a feed that others read marks its title', async (client) => {
		const friend = await client.as('friend');
		const own = Object.keys((await friend.get('/reader/feeds')).body.feeds);
		const told = async (feedId: number) => {
			const { feed_address } = (await client.get('/reader/feeds')).body.feeds[feedId]!;
			await friend.post('/reader/add_url', { url: String(feed_address) });
			return (await friend.get('/social/activities')).body.activities[0]!['content'];
		};
		expect(own).not.toContain('10');
		expect(await told(10)).toMatch(/^.{1,29}\*$/);
	});

	measured('publishers of a profile have id, title and count', async (client) => {
		// The profile shows the counts of the last trainer request.
		await client.get('/social/feed_trainer', { user_id: 2 });
		const { body } = await client.get('/social/profile', { user_id: 2 });
		expect((body.user_profile['popular_publishers'] as object[])[0]).toEqual({
			id: expect.any(Number),
			feed_title: expect.any(String),
			story_count: expect.any(Number),
		});
	});
});

describe('feeds', () => {
	measured(
		'classifiers of a feed nobody has are a 404, of one not subscribed to they are kept',
		async (client) => {
			const save = async (feed_id: number) =>
				(await client.post('/classifier/save', { feed_id, like_tag: 'x' })).status;
			await client.post('/reader/delete_feed', { feed_id: 9 });
			expect([await save(999), await save(9)]).toEqual([404, 200]);
			expect((await client.get('/classifier/9')).body).toMatchObject({ payload: { tags: { x: 1 } } });
		},
	);

	measured('a folder without a name field breaks; an order without one changes nothing', async (client) => {
		expect((await client.post('/reader/add_folder')).status).toBe(500);
		const { folders } = (await client.get('/reader/feeds')).body;
		expect((await client.post('/reader/save_feed_order')).body).toMatchObject({ result: 'ok' });
		expect((await client.get('/reader/feeds')).body.folders).toEqual(folders);
	});

	measured(
		'looking for a folder takes the nulls out of the tree, taking a feed out sorts it',
		async (client) => {
			const move = async (fields: Record<string, string>) =>
				(await client.post('/reader/move_folder_to_folder', { in_folder: '', to_folder: '', ...fields }))
					.body;
			expect((await move({ folder_name: 'Nothing' })).folders.at(-1)).toBeNull();
			expect((await move({ folder_name: 'Neither' })).folders.filter((entry) => entry === null)).toHaveLength(
				1,
			);
			const kept = await client.post('/reader/delete_folder', { folder_to_delete: 'None', in_folder: '' });
			expect(kept.body.folders).not.toContain(null);
			const fields = { feed_id: 10, in_folder: 'None', to_folder: '' };
			const { folders } = (await client.post('/reader/move_feed_to_folder', fields)).body;
			const isFeed = folders.map((entry) => typeof entry === 'number');
			expect(isFeed).toEqual(isFeed.toSorted().reverse());
		},
	);

	measured('a folder’s name means every folder of that name', async (client) => {
		await client.post('/reader/add_folder', { folder: 'Cities', parent_folder: 'Science' });
		const fields = { folder_to_rename: 'Cities', new_folder_name: 'Towns', in_folder: '' };
		await client.post('/reader/rename_folder', fields);
		const text = async () => JSON.stringify((await client.get('/reader/feeds')).body.folders);
		expect((await text()).match(/Cities|Towns/g)).toEqual(['Towns', 'Towns']);
		await client.post('/reader/delete_folder', { folder_to_delete: 'Towns', in_folder: '' });
		expect(await text()).not.toContain('Towns');
	});

	measured('a feed that is in no folder stays subscribed when it is removed', async (client) => {
		await client.post('/reader/move_feed_to_folder', { feed_id: 10, in_folder: '', to_folder: 'Nowhere' });
		expect((await client.post('/reader/delete_feed', { feed_id: 10, in_folder: '' })).body.code).toBe(1);
		expect((await client.get('/reader/feeds')).body.feeds).toHaveProperty('10');
	});

	measured('an address without a feed is refused in the words of the service', async (client) => {
		const { body } = await client.post('/reader/add_url', { url: `${client.origin}/nothing` });
		expect(body.message).toBe('This address does not point to an RSS feed or a website with an RSS feed.');
	});

	measured('an opinion about a feed is about the feed that its value names', async (client) => {
		await client.post('/classifier/save', { feed_id: 1, dislike_feed: 2 });
		const opinions = async (id: number) =>
			(await client.get(`/classifier/${id}`)).body['payload'] as { feeds: object };
		expect([(await opinions(1)).feeds, (await opinions(2)).feeds]).toEqual([{}, { 2: -1 }]);
	});

	measured('trainers of all feeds come with the busiest first', async (client) => {
		const { rows } = await client.get('/reader/feeds_trainer');
		const figures = rows.map((row) => Number(row['stories_last_month']));
		expect(new Set(figures).size).toBeGreaterThan(2);
		expect(figures).toEqual(figures.toSorted((a, b) => b - a));
	});

	measured('removing a feed that is not there succeeds, with an empty list', async (client) => {
		expect((await client.post('/reader/delete_feed', { feed_id: 999 })).body).toMatchObject({
			code: 1,
			message: "Removed <QuerySet []> from ''.",
		});
	});
});
