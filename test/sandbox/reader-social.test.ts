import { asReader, withReader, type ReaderClient, type Story } from '../support/clients/reader-client.ts';
import { DAY_MS } from '../support/clock.ts';

/** Sharing, commenting, following, and notifications between accounts. */

async function aStory(client: ReaderClient, feed = 9, index = 5): Promise<Story> {
	const story = (await client.get(`/reader/feed/${feed}`, { include_hidden: true })).body.stories[index];
	if (!story) throw new Error('No story.');
	return story;
}

async function both(client: ReaderClient): Promise<[ReaderClient, ReaderClient]> {
	return [client, await client.as('friend')];
}

test.each(['contract', 'wild'] as const)(
	'%s: shares, comments, replies and likes are created and removed',
	(variant) =>
		asReader({ variant }, async (client) => {
			const [reader, friend] = await both(client);
			const story = await aStory(reader);
			const about = { feed_id: story.story_feed_id, story_id: story.id };
			const comment = { story_feed_id: story.story_feed_id, story_id: story.id, comment_user_id: 1 };

			reader.clock.advance(60_000);
			const shared = await reader.post('/social/share_story', { ...about, comments: 'Read this' });
			expect(shared.body).toMatchObject({
				code: 1,
				story: { story_hash: story.story_hash, shared: true, shared_comments: 'Read this', share_count: 1 },
				user_profiles: [{ user_id: 1, username: 'reader' }],
			});
			const seen = await aStory(friend);
			expect(seen.friend_comments).toMatchObject([
				{ user_id: 1, comments: 'Read this', replies: [], liking_users: [] },
			]);

			const reply = await friend.post('/social/save_comment_reply', { ...comment, reply_comments: 'I did' });
			const reply_id = String(reply.body['reply_id']);
			expect(reply.body).toMatchObject({
				code: 1,
				comment: { user_id: 1, replies: [{ reply_id, user_id: 2, comments: 'I did' }] },
			});
			await friend.post('/social/save_comment_reply', { ...comment, reply_comments: 'I did!', reply_id });
			const liked = await friend.post('/social/like_comment', comment);
			expect(liked.body.comment).toMatchObject({ liking_users: [2], replies: [{ comments: 'I did!' }] });

			const heard = (await reader.get('/social/interactions')).body;
			expect(heard.interactions.slice(0, 2)).toMatchObject([
				{ category: 'comment_like', with_user_id: 2, with_user: { username: 'friend' }, is_new: true },
				{
					category: 'comment_reply',
					content: 'I did!',
					title: story.story_title,
					story_hash: story.story_hash,
					content_id: story.id,
					feed_id: 'social:1',
				},
			]);
			expect((await reader.get('/social/interactions')).body.interactions[0]).toMatchObject({
				is_new: variant === 'wild',
			});

			await friend.post('/social/remove_like_comment', comment);
			const removed = await friend.post('/social/remove_comment_reply', { ...comment, reply_id });
			expect(removed.body.comment).toMatchObject({ liking_users: [], replies: [] });
			const left = (await reader.get('/social/interactions')).body.interactions;
			expect(left.every((event) => event['content'] !== 'I did!')).toBe(true);

			const unshared = await reader.post('/social/unshare_story', about);
			expect(unshared.body).toMatchObject({ code: 1, message: 'Story unshared.' });
			expect((await aStory(friend)).friend_comments).toEqual([]);
			expect((await reader.post('/social/unshare_story', about)).body).toMatchObject({
				code: -1,
				message: 'Shared story not found.',
			});
		}),
);

test('invalid shares, replies and likes are rejected with a message', () =>
	asReader({}, async (client) => {
		const [reader, friend] = await both(client);
		const story = await aStory(reader);
		const comment = { story_feed_id: story.story_feed_id, story_id: story.id, comment_user_id: 1 };
		await reader.post('/social/share_story', { feed_id: 9, story_id: story.story_hash, comments: 'mine' });
		const refused: [ReaderClient, string, Record<string, string | number>, RegExp][] = [
			[reader, 'share_story', { feed_id: 9, story_id: 'nothing' }, /original story/],
			[reader, 'share_story', { feed_id: 9, story_id: story.id, post_to_services: 'x' }, /no service x/],
			[reader, 'share_story', { feed_id: 9, story_id: story.id, source_user_id: 99 }, /no user 99/],
			[reader, 'like_comment', comment, /own/],
			[reader, 'like_comment', { ...comment, comment_user_id: 2 }, /cannot be found/],
			[reader, 'remove_like_comment', { ...comment, comment_user_id: 2 }, /cannot be found/],
			[friend, 'save_comment_reply', { ...comment, reply_comments: ' ' }, /empty/],
			[friend, 'save_comment_reply', { ...comment, reply_comments: 'x', reply_id: 'x' }, /no reply x/],
			[friend, 'remove_comment_reply', comment, /no such reply/],
			[reader, 'follow', { user_id: 1 }, /yourself/],
		];
		for (const [who, call, fields, message] of refused) {
			const { body, status } = await who.post(`/social/${call}`, fields);
			expect([call, body.code, body.message]).toEqual([call, -1, expect.stringMatching(message)]);
			expect(status).toBeGreaterThanOrEqual(400);
		}
		expect((await reader.post('/social/share_story', { feed_id: 9 })).body.message).toBe(
			'Missing parameter: story_id',
		);
		const own = await friend.post('/social/save_comment_reply', { ...comment, reply_comments: 'one' });
		expect(own.body.comment.replies).toHaveLength(1);
		expect((await friend.post('/social/remove_comment_reply', comment)).body.comment.replies).toEqual([]);
	}));

test('all repliers are notified of a reply; sharing again changes the comment; resharing has its source', () =>
	asReader({}, async (client) => {
		const [reader, friend] = await both(client);
		await client.post('/api/signup', { username: 'third', email: 'third@reader.example' });
		const third = await client.as('third', '');
		const story = await aStory(reader);
		const about = { feed_id: story.story_feed_id, story_id: story.id };
		const comment = { story_feed_id: story.story_feed_id, story_id: story.id, comment_user_id: 1 };
		await reader.post('/social/share_story', { ...about, comments: 'first' });
		await friend.post('/social/save_comment_reply', { ...comment, reply_comments: 'from friend' });
		await third.post('/social/save_comment_reply', { ...comment, reply_comments: 'from third' });
		const newest = async (who: ReaderClient) =>
			(await who.get('/social/interactions')).body.interactions[0]?.['category'];
		expect([await newest(reader), await newest(friend)]).toEqual(['comment_reply', 'reply_reply']);
		await reader.post('/social/share_story', { ...about, comments: 'second' });
		const reshared = await third.post('/social/share_story', { ...about, source_user_id: 1 });
		expect(reshared.body['story']).toMatchObject({ source_user_id: 1, share_count: 2, comment_count: 1 });
		expect(await newest(reader)).toBe('story_reshare');
		const comments = await third.get('/social/public_comments', about);
		expect(comments.body['comments']).toMatchObject([{ user_id: 1, comments: 'second', replies: [{}, {}] }]);
		const html = await third.get('/social/public_comments', { ...about, format: 'html' });
		expect(html.headers.get('content-type')).toMatch(/^text\/html/);
		expect(html.text).toContain('from friend');
		expect((await third.get('/social/public_comments', { feed_id: 6 })).status).toBe(400);
		expect((await third.get('/social/public_comments', { feed_id: 6, story_id: 'x' })).body.message).toBe(
			'Story not found.',
		);
		await reader.post('/social/unshare_story', about);
		const back = { ...about, source_user_id: Number(reshared.body['user_id']) };
		expect((await reader.post('/social/share_story', back)).body['story']).toMatchObject({
			source_user_id: null,
			share_count: 2,
		});
	}));

test('following subscribes to the share feed, unfollowing unsubscribes', () =>
	asReader({}, async (client) => {
		const [reader] = await both(client);
		const river = () => reader.get('/social/river_stories', { social_user_ids: 2 });
		expect((await river()).body.stories).toHaveLength(3);
		const unfollowed = await reader.post('/social/unfollow', { user_id: 'social:2' });
		expect(unfollowed.body).toMatchObject({ unfollow_profile: { user_id: 2, followed_by_you: false } });
		expect(unfollowed.body).not.toHaveProperty('code');
		expect((await river()).body.stories).toEqual([]);
		expect((await reader.get('/reader/feeds')).body['social_feeds']).toEqual([]);
		const followed = await reader.post('/social/follow', { user_id: 'friend' });
		expect(followed.body).toMatchObject({
			follow_profile: { user_id: 2, followed_by_you: true, following_you: true },
			follow_subscription: [{ id: 'social:2', subscription_user_id: 2, nt: 3 }],
		});
		const friends = (await reader.get('/social/load_user_friends')).body;
		expect(friends).toMatchObject({
			following_profiles: [{ username: 'friend' }],
			follower_profiles: [{ username: 'friend' }],
			services: { twitter: {}, facebook: {} },
		});
		expect((await reader.post('/social/follow', { user_id: 'nobody' })).status).toBe(404);
		expect((await reader.post('/social/follow')).status).toBe(500);
	}));

test('following a protected account sends a request', () =>
	asReader({}, async (client) => {
		const [reader, friend] = await both(client);
		await reader.post('/social/unfollow', { user_id: 2 });
		await friend.post('/social/save_user_profile', { protected: true });
		const { body } = await reader.post('/social/follow', { user_id: 2 });
		expect(body).toMatchObject({ follow_profile: { requested_follow: true, followed_by_you: false } });
		expect((await reader.get('/social/river_stories', { social_user_ids: 2 })).body.stories).toEqual([]);
	}));

test('muting hides shares and replies, unmuting shows them', () =>
	asReader({}, async (client) => {
		const [reader] = await both(client);
		const shared = (await reader.get('/social/stories/2')).body.stories[0];
		const feed = shared?.story_feed_id ?? 0;
		const seen = async () =>
			(await reader.get(`/reader/feed/${feed}`)).body.stories.find(
				(story) => story.story_hash === shared?.story_hash,
			)?.['share_count'];
		expect(await seen()).toBe(1);
		const muted = await reader.post('/social/mute_user', { user_id: 2 });
		expect(muted.body).toMatchObject({ code: 1, user_profile: { muting_user_ids: [2] } });
		expect(await seen()).toBe(0);
		expect((await reader.get('/social/river_stories', { social_user_ids: 2 })).body.stories).toEqual([]);
		expect((await reader.get('/social/stories/2/friend')).body.stories).toEqual([]);
		const mine = (await reader.get('/social/stories/1/reader')).body.stories[0];
		expect(mine?.friend_comments[0]?.replies).toEqual([]);
		await reader.post('/social/unmute_user', { user_id: 2 });
		expect(await seen()).toBe(1);
		expect((await reader.post('/social/mute_user')).body).toEqual({
			code: -1,
			message: 'Missing parameter: user_id',
		});
	}));

test.each([
	['contract', 20],
	['wild', 10],
] as const)('%s: the river of shares has unread stories in pages of %i', (variant, size) =>
	asReader({ variant }, async (client) => {
		const [reader, friend] = await both(client);
		const hashes = (await friend.get('/reader/unread_story_hashes', { feed_id: 1 })).body
			.unread_feed_story_hashes['1'] as string[];
		for (const story_id of hashes.slice(5, 5 + size)) {
			friend.clock.advance(1000);
			await friend.post('/social/share_story', { feed_id: 1, story_id });
		}
		const river = async (page: number, query = {}) =>
			(await reader.get('/social/river_stories', { 'social_user_ids[]': [2], page, ...query })).body.stories;
		expect([(await river(1)).length, (await river(2)).length]).toEqual([size, 3]);
		const [first] = await river(1);
		expect(first).toMatchObject({ shared_by_friends: [2] });
		// On real hosts, only the share feed of a single user names the sharer.
		expect(first?.['social_user_id']).toBe(variant === 'wild' ? undefined : 2);
		await reader.post('/reader/mark_story_hashes_as_read', { story_hash: first?.story_hash ?? '' });
		expect((await river(1))[0]?.story_hash).not.toBe(first?.story_hash);
		expect((await river(1, { read_filter: 'all' }))[0]?.story_hash).toBe(first?.story_hash);
		expect(
			(await reader.get('/social/stories/2/friend', { read_filter: 'unread', limit: 100 })).body.stories,
		).toHaveLength(size + 2);
		await reader.post('/classifier/save', { feed_id: 'social:2', dislike_feed: 'social:2' });
		// Real hosts hide nothing in the river of shares.
		expect(await river(1)).toHaveLength(variant === 'wild' ? size : 0);
		const { body } = await reader.get('/reader/refresh_feeds');
		expect(body['social_feeds']).toMatchObject({ 'social:2': { ps: 0, nt: 0, ng: size + 2 } });
	}),
);

test('activities: four per page; private ones only for the account itself', () =>
	asReader({}, async (client) => {
		const [reader, friend] = await both(client);
		await reader.post('/reader/mark_story_hash_as_starred', {
			story_hash: (await aStory(reader)).story_hash,
		});
		const own = (await reader.get('/social/activities')).body;
		expect(own).toMatchObject({ page: 1, has_next_page: true, username: 'You' });
		expect(own.activities).toHaveLength(4);
		const walk = async (who: ReaderClient) => {
			const categories: unknown[] = [];
			for (let page = 1; ; page++) {
				const { body } = await who.get('/social/activities', { user_id: 1, page });
				categories.push(...body.activities.map((event) => event['category']));
				if (!body['has_next_page']) return categories;
			}
		};
		expect((await walk(reader)).sort()).toEqual(['follow', 'sharedstory', 'star', 'star', 'star', 'star']);
		expect((await walk(friend)).sort()).toEqual(['follow', 'sharedstory']);
		expect((await friend.get('/social/activities', { user_id: 1 })).body['username']).toBe('reader');
		expect((await friend.get('/social/interactions', { user_id: 1 })).body.interactions).toMatchObject([
			{ category: 'comment_like', with_user_id: 2 },
			{ category: 'comment_reply', with_user_id: 2 },
			{ category: 'follow', with_user_id: 2 },
		]);
		expect((await reader.get('/reader/interactions_count')).body['interactions_count']).toBe(0);
		const html = await reader.get('/social/activities', { format: 'html' });
		expect(html.text).toMatch(/^<ol class="events">/);
		const some = await reader.get('/social/activities', { category: 'follow', limit: 10 });
		expect(some.body.activities).toHaveLength(1);
	}));

test('profiles: own, others, and common followers', () =>
	asReader({}, async (client) => {
		await client.post('/api/signup', { username: 'third', email: 'third@reader.example' });
		const third = await client.as('third', '');
		await third.post('/social/follow', { user_id: 2 });
		const own = (await client.get('/social/load_user_profile')).body.user_profile;
		expect(own).toMatchObject({ id: 'social:1', photo_service: 'gravatar', following_user_ids: [2] });
		expect(own).not.toHaveProperty('email');
		const friend = (await third.get('/social/profile', { user_id: 1 })).body;
		expect(friend).toMatchObject({
			user_profile: { username: 'reader', shared_stories_count: 1 },
			followers_youknow: [2],
			followers_everybody: [2],
			following_everybody: [2],
			profiles: { 2: { username: 'friend' } },
		});
		expect((await third.get('/social/find_friends', { query: 'READ' })).body['profiles']).toMatchObject([
			{ username: 'reader' },
		]);
		expect(
			(await third.get('/social/find_friends', { query: 'friend@reader.example' })).body['profiles'],
		).toHaveLength(1);
		expect((await third.get('/social/find_friends')).status).toBe(400);
		const trainer = await client.get('/social/feed_trainer', { user_id: 2 });
		expect(trainer.body.feeds).toMatchObject([{ username: 'friend', classifiers: { tags: {} } }]);
	}));

test('contract: saves single profile fields; rejects a long bio', () =>
	asReader({}, async (client) => {
		await client.post('/social/save_user_profile', { bio: 'b'.repeat(160), website: 'reader.example' });
		const saved = await client.post('/social/save_user_profile', { location: 'Here' });
		expect(saved.body).toMatchObject({
			code: 1,
			user_profile: { location: 'Here', bio: 'b'.repeat(160), website: 'http://reader.example' },
		});
		expect((await client.post('/social/save_user_profile', { bio: 'b'.repeat(161) })).body.message).toMatch(
			/160/,
		);
		expect((await client.post('/social/save_user_profile', { photo_service: 'x' })).body.code).toBe(-1);
	}));

test('wild: saves only complete profiles', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const broken = await client.post('/social/save_user_profile', { bio: 'x' });
		expect([broken.status, broken.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
		const fields = { bio: '', website: '', location: 'Here', photo_service: 'twitter' };
		const saved = await client.post('/social/save_user_profile', fields);
		expect(saved.body).toMatchObject({ code: 1, user_profile: { photo_service: 'twitter' } });
		const settings = (await client.get('/social/settings/2/')).body;
		expect([settings['id'], settings['user_id']]).toEqual(['social:2', 1]);
		const comment = { story_feed_id: 1, story_id: 'x', comment_user_id: 2 };
		expect((await client.post('/social/remove_comment_reply', comment)).status).toBe(500);
		expect((await client.post('/social/remove_like_comment', comment)).status).toBe(500);
	}));

test('contract: share feeds in all formats, with and without the name', () =>
	withReader({}, async (anybody) => {
		const reader = await anybody.as('reader');
		for (const address of ['/social/rss/2', '/social/rss/2/', '/social/rss/2/friend']) {
			const feed = await anybody.get(address);
			expect(feed.headers.get('content-type')).toMatch(/^application\/rss\+xml/);
			expect(feed.text.match(/<entry>/g)).toHaveLength(3);
		}
		const page = await anybody.get('/social/page/2/friend');
		expect(page.text).toContain('Worth the time.');
		expect((await reader.get('/social/settings/2')).body).toMatchObject({ user_id: 2, username: 'friend' });
		expect((await reader.get('/social/statistics/2')).body).toMatchObject({
			subscriber_count: 1,
			story_count_history: [['2026-9', 3]],
		});
		expect((await anybody.get('/social/photo/2')).headers.get('content-type')).toMatch(/^image\/svg/);
		expect((await anybody.get('/social/rss/99')).status).toBe(404);
		await (await anybody.as('friend')).post('/social/save_user_profile', { private: true });
		expect((await anybody.get('/social/rss/2')).status).toBe(403);
		expect(
			(await reader.post('/reader/add_url', { url: `${reader.url}/social/rss/1/reader` })).body,
		).toMatchObject({
			code: 1,
			feed: { feed_title: "reader's shared stories" },
		});
	}));

test('wild: the slash after the id matters', () =>
	asReader({ variant: 'wild' }, async (client) => {
		for (const kind of ['stories', 'page', 'settings']) {
			expect([kind, (await client.get(`/social/${kind}/2`)).status]).toEqual([kind, 404]);
			expect([kind, (await client.get(`/social/${kind}/2/`)).status]).toEqual([kind, 200]);
		}
		expect((await client.get('/social/statistics/2')).status).toBe(200);
		const moved = await client.get('/social/rss/2/');
		expect([moved.status, moved.headers.get('location')]).toEqual([302, `${client.url}/social/rss/2/friend`]);
		expect((await client.get('/social/rss/2/friend/')).status).toBe(404);
	}));

test('free-limits: three shares a day', () =>
	asReader({ plan: 'free', wild: ['free-limits'] }, async (client) => {
		const share = async (index: number) => {
			const story = await aStory(client, 7, index);
			return client.post('/social/share_story', { feed_id: 7, story_id: story.id });
		};
		// The sandbox starts with one shared story.
		expect((await share(1)).body.code).toBe(1);
		expect((await share(2)).body.code).toBe(1);
		expect(await share(3)).toMatchObject({
			status: 403,
			body: { message: expect.stringMatching(/3 stories per day/) },
		});
		client.clock.advance(DAY_MS + 1000);
		expect((await share(3)).body.code).toBe(1);
	}));
