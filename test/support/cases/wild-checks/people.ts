import type { ReaderBody, ReaderClient } from '../../clients/reader-client.ts';
import { storiesOf, type Checks } from './check.ts';

const profileFields = { website: '', location: '', bio: '', photo_service: 'gravatar' };

const save = async (client: ReaderClient, fields: Record<string, string | boolean>) =>
	client.post('/social/save_user_profile', { ...profileFields, ...fields });

/** The fields that identify the comment with which friend shared a story. */
async function commentOfFriend(client: ReaderClient) {
	const story = (await client.get('/social/stories/2/friend')).body.stories.find(
		({ friend_comments: comments }) => comments.length > 0,
	);
	if (story === undefined) throw new Error('Friend has shared no story with a comment.');
	return { story_feed_id: story.story_feed_id, story_id: story.id, comment_user_id: 2 };
}

const idsOf = (profiles: unknown) => (profiles as { user_id: number }[]).map(({ user_id: id }) => id);

/** People: profiles, following, shares, comments and replies. */
export const peopleChecks: Checks = {
	'profile-fields': async (client) => {
		expect((await client.post('/social/save_user_profile', { bio: 'x' })).status).toBe(500);
		expect((await save(client, { location: 'x'.repeat(41) })).status).toBe(500);
		expect((await save(client, { website: 'x'.repeat(201) })).status).toBe(500);
		const long = await save(client, { bio: `<b>${'x'.repeat(200)}</b>`, photo_service: 'any' });
		expect(long.body).toMatchObject({ code: 1, user_profile: { bio: 'x'.repeat(77), photo_service: 'any' } });
		expect((await save(client, { bio: 'x'.repeat(160) })).body.user_profile['bio']).toHaveLength(160);
	},
	'privacy-reset': async (client) => {
		expect((await save(client, { protected: true, private: true })).body.user_profile).toMatchObject({
			protected: true,
			private: true,
		});
		expect((await save(client, {})).body.user_profile).toMatchObject({ protected: false, private: false });
	},
	'self-follow': async (client) => {
		const friends = (await client.get('/social/load_user_friends')).body;
		expect(idsOf(friends['following_profiles'])).toEqual([1, 2]);
		expect(idsOf(friends['follower_profiles'])).toEqual([1, 2]);
		expect(friends.user_profile).toMatchObject({ following_user_ids: [2], follower_user_ids: [2] });
		expect(idsOf((await client.get('/reader/feeds')).body['social_feeds'])).toEqual([1, 2]);
		const river = await client.get('/social/river_stories', { social_user_ids: 1, read_filter: 'all' });
		expect(river.body.stories).toMatchObject([{ shared_comments: 'My favourite of the week.' }]);
		await client.post('/api/signup', { username: 'ada', email: 'ada@reader.example', password: 'x' });
		expect((await client.post('/social/follow', { user_id: 'ada' })).body['follow_subscription']).toEqual([]);
		await client.post('/social/unfollow', { user_id: 'ada' });
		const follow = await client.post('/social/follow', { user_id: 1 });
		expect(follow.body).toMatchObject({ follow_profile: { user_id: 1 } });
		expect(follow.body.user_profile['following_user_ids']).toEqual([2]);
	},
	'lasting-events': async (client) => {
		const friend = await client.as('friend');
		const reported = async (who: ReaderClient, list: 'interactions' | 'activities') =>
			(await who.get(`/social/${list}`, { limit: 50 })).body[list].map(({ category }) => category);
		const comment = await commentOfFriend(client);
		const before = (await reported(friend, 'interactions')).length;
		client.clock.advance(1000);
		for (const path of ['like_comment', 'remove_like_comment', 'like_comment']) {
			await client.post(`/social/${path}`, comment);
		}
		await client.post('/social/save_comment_reply', { ...comment, reply_comments: 'new' });
		await friend.post('/social/unshare_story', { ...comment, feed_id: comment.story_feed_id });
		await reported(friend, 'interactions');
		const after = await friend.get('/social/interactions', { limit: 50 });
		expect(after.body.interactions).toHaveLength(before + 2);
		expect(after.body.interactions[0]).toMatchObject({ category: 'comment_reply', is_new: true });
		expect((await reported(client, 'activities')).slice(0, 2)).toEqual(['comment_reply', 'comment_like']);
		await client.post('/social/unfollow', { user_id: 2 });
		await save(friend, { protected: true });
		await client.post('/social/follow', { user_id: 2 });
		expect(await reported(friend, 'interactions')).toHaveLength(before + 2);
	},
	'relation-records': async (client) => {
		const ownProfile = (await client.get('/social/profile')).body.user_profile;
		expect(ownProfile).not.toHaveProperty('followed_by_you');
		const friends = (await client.get('/social/load_user_friends')).body;
		expect(friends['following_profiles']).toContainEqual(
			expect.objectContaining({ user_id: 2, followed_by_you: true, muted: false }),
		);
		await client.post('/api/signup', { username: 'ada', email: 'ada@reader.example', password: 'x' });
		const ada = await client.as('ada', 'x');
		const { body } = await ada.post('/social/follow', { user_id: 2 });
		expect(body['follow_profile']).toMatchObject({
			followers_youknow: expect.arrayContaining([expect.any(Number)]),
			followers_everybody: [1],
			following_everybody: [1],
		});
		const muted = (await ada.post('/social/mute_user', { user_id: 2 })).body.user_profile;
		expect(muted).not.toHaveProperty('following_user_ids');
	},
	'loose-mutes': async (client) => {
		await client.post('/social/mute_user', { user_id: 2 });
		expect((await client.get('/social/stories/2/friend')).body.stories).toHaveLength(3);
		const comment = await commentOfFriend(client);
		await client.post('/social/unfollow', { user_id: 2 });
		const { stories } = (await client.get('/social/stories/2/friend')).body;
		expect(stories.find(({ id }) => id === comment.story_id)).toMatchObject({
			comment_count: 1,
			comment_count_public: 0,
			public_comments: [],
		});
	},
	'silent-replies': async (client) => {
		const comment = await commentOfFriend(client);
		const friend = await client.as('friend');
		const reply = async (who: ReaderClient, fields: object) => {
			client.clock.advance(1000);
			return (await who.post('/social/save_comment_reply', { ...comment, reply_comments: 'new', ...fields }))
				.body;
		};
		const remove = (fields: object) => client.post('/social/remove_comment_reply', { ...comment, ...fields });
		const textsOf = ({ comment: { replies } }: ReaderBody) => replies.map(({ comments }) => comments);
		const ownReply = String((await reply(client, { reply_comments: 'mine' }))['reply_id']);
		const friendReply = String((await reply(friend, { reply_comments: 'theirs' }))['reply_id']);
		const unknownReply = await reply(client, { reply_id: '0'.repeat(24) });
		expect([unknownReply.code, unknownReply['reply_id'], textsOf(unknownReply)]).toEqual([
			1,
			null,
			['mine', 'theirs'],
		]);
		for (const fields of [{ reply_id: '0'.repeat(24) }, { reply_id: friendReply }, {}]) {
			const { body } = await remove(fields);
			expect([body.code, textsOf(body)]).toEqual([1, ['mine', 'theirs']]);
		}
		expect((await remove({ reply_id: 'nonsense' })).status).toBe(500);
		expect(textsOf((await remove({ reply_id: ownReply })).body)).toEqual(['theirs']);
	},
	'protected-replies': async (client) => {
		const comment = { ...(await commentOfFriend(client)), reply_comments: 'hello' };
		const friend = await client.as('friend');
		await friend.post('/social/save_user_profile', {
			...{ website: '', location: '', bio: '', photo_service: 'gravatar', protected: 'true' },
		});
		const reply = async (who: ReaderClient) => (await who.post('/social/save_comment_reply', comment)).body;
		expect(await reply(client)).toMatchObject({ code: 1 });
		expect(await reply(friend)).toMatchObject({ code: 1 });
		await client.post('/social/unfollow', { user_id: 2 });
		const refusal = { code: -1, message: 'You must be following friend to reply to them.' };
		expect(await reply(client)).toMatchObject(refusal);
		expect(
			(await client.post('/social/save_comment_reply', { ...comment, story_id: 'nothing' })).body,
		).toMatchObject(refusal);
		expect((await client.post('/social/like_comment', comment)).body.code).toBe(1);
	},
	'friend-search': async (client) => {
		for (const n of [1, 2, 3, 4]) {
			await client.post('/api/signup', {
				username: `ada${n}`,
				email: `ada${n}@reader.example`,
				password: 'x',
			});
		}
		const found = async (query: string, limit?: number) =>
			(await client.get('/social/find_friends', { query, ...(limit && { limit }) })).body['profiles'];
		expect(await found('ada')).toHaveLength(3);
		expect(await found('ada', 10)).toHaveLength(4);
		expect(await found('shared stories', 10)).toHaveLength(7);
		expect(await found('ada1')).toMatchObject([{ username: 'ada1' }]);
		expect(await found('friend@reader.example')).toMatchObject([{ username: 'friend' }]);
		await save(client, { location: 'Tromsø' });
		expect(await found('troms')).toMatchObject([{ username: 'reader' }]);
	},
	'share-reads': async (client) => {
		const friend = await client.as('friend');
		const [story] = await storiesOf(client, 6);
		const ids = { feed_id: 6, story_id: story?.id ?? '' };
		client.clock.advance(1000);
		await friend.post('/social/share_story', ids);
		await client.post('/reader/mark_feed_as_read', { feed_id: 6 });
		const shares = async () =>
			(await client.get('/social/stories/2/', { include_hidden: true })).body.stories;
		const read = async () => (await shares())[0]?.read_status;
		expect(await read()).toBe(0);
		// Only hidden stories are left, so counting marks the share feed as read.
		await client.post('/classifier/save', { feed_id: 6, dislike_title: story?.story_title ?? '' });
		const others = (await shares()).slice(1).map((other) => other.story_hash);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: others });
		await client.get('/reader/refresh_feeds');
		expect(await read()).toBe(1);
	},
	'follow-order': async (client) => {
		await client.post('/social/unfollow', { user_id: 2 });
		await client.post('/api/signup', { username: 'ada', email: 'ada@reader.example', password: 'x' });
		const ada = await client.as('ada', 'x');
		const [story] = await storiesOf(client, 6);
		const friend = await client.as('friend');
		const sharers = [client, friend, ada];
		for (const who of sharers) {
			client.clock.advance(1000);
			await who.post('/social/share_story', { feed_id: 6, story_id: story?.id ?? '' });
		}
		for (const user_id of ['ada', 'friend']) {
			client.clock.advance(1000);
			await client.post('/social/follow', { user_id });
		}
		const feeds = (await client.get('/reader/feeds')).body['social_feeds'];
		expect((feeds as { username: string }[]).map(({ username }) => username)).toEqual(['ada', 'friend']);
		const [shared] = (
			await client.get('/social/river_stories', { read_filter: 'all', social_user_ids: [3, 2] })
		).body.stories;
		expect(shared).toMatchObject({ story_hash: story?.story_hash, social_user_id: 2 });
	},
	'linked-comments': async (client) => {
		const comment = await commentOfFriend(client);
		const savedText = async (reply_comments: string) => {
			const { body } = await client.post('/social/save_comment_reply', { ...comment, reply_comments });
			return body.comment.replies.at(-1)?.comments;
		};
		expect(await savedText('<b>Bold</b> &amp; 5 < 6 > 4')).toBe('Bold &amp; 5 < 6 > 4');
		client.clock.advance(1000);
		const link = '<a href="http://x.example/a(b)">http://x.example/a(b)</a>';
		expect(await savedText('see http://x.example/a(b), ok')).toBe(`see ${link}, ok`);
		client.clock.advance(1000);
		expect(await savedText('www.x.example. ftp://x.example')).toBe(
			'<a href="http://www.x.example">www.x.example</a>. ftp://x.example',
		);
		const { story } = (
			await client.post('/social/share_story', {
				feed_id: comment.story_feed_id,
				story_id: comment.story_id,
				comments: '<i>see</i> http://x.example/',
			})
		).body as unknown as { story: Record<string, unknown> };
		expect(story['shared_comments']).toBe('see http://x.example/');
		const page = (await client.get('/social/page/1/reader')).text;
		expect(page).toContain('<p>see <a href="http://x.example/">http://x.example/</a></p>');
	},
	'kept-figures': async (client) => {
		const figures = async () => (await client.get('/social/profile', { user_id: 2 })).body.user_profile;
		expect(await figures()).toMatchObject({
			popular_publishers: null,
			stories_last_month: 0,
			average_stories_per_month: 0,
		});
		await client.get('/social/statistics/2/friend');
		expect(await figures()).toMatchObject({ popular_publishers: [], average_stories_per_month: 3 });
		await client.get('/social/feed_trainer', { user_id: 2 });
		expect((await figures())['popular_publishers']).toMatchObject([
			{ story_count: expect.any(Number) },
			{},
			{},
		]);
	},
	'last-comments-first': async (client) => {
		const friend = await client.as('friend');
		const [story] = await storiesOf(client, 6);
		for (const who of [client, friend]) {
			client.clock.advance(1000);
			await who.post('/social/share_story', { feed_id: 6, story_id: story?.id ?? '', comments: 'x' });
		}
		const [shared] = await storiesOf(client, 6);
		expect(shared?.friend_comments.map(({ user_id: id }) => id)).toEqual([2, 1]);
	},
	'stale-share-counts': async (client) => {
		const count = async () =>
			(await client.get('/social/load_user_profile')).body.user_profile['shared_stories_count'];
		const before = Number(await count());
		const [story] = await storiesOf(client, 6);
		const ids = { feed_id: 6, story_id: story?.id ?? '' };
		await client.post('/social/share_story', ids);
		await client.post('/social/unshare_story', ids);
		expect(await count()).toBe(before + 1);
		await client.get('/social/profile');
		expect(await count()).toBe(before);
	},
	'share-marks': async (client) => {
		const oldest = async () =>
			(await client.get('/social/stories/2/', { order: 'oldest' })).body.stories.length;
		expect(await oldest()).toBe(3);
		await client.post('/reader/mark_feed_as_read', { feed_id: 'social:2' });
		expect(await oldest()).toBe(0);
		expect((await client.get('/social/stories/2/')).body.stories).toHaveLength(3);
		await client.post('/social/unfollow', { user_id: 2 });
		const foreign = { order: 'oldest', read_filter: 'unread' };
		const { stories } = (await client.get('/social/stories/2/', foreign)).body;
		expect(stories).toMatchObject([{ read_status: 1 }, { read_status: 1 }, { read_status: 1 }]);
	},
	'html-comments': async (client) => {
		const { story_feed_id: feed_id, story_id } = await commentOfFriend(client);
		const comments = (format: string) => client.get('/social/public_comments', { feed_id, story_id, format });
		expect((await comments('html')).text).toContain('<strong>friend</strong>');
		expect((await comments('json')).body).toMatchObject({ comments: [] });
	},
	'private-feeds': async (client) => {
		const friend = await client.as('friend');
		await save(friend, { private: true });
		expect(await client.get('/social/rss/2/friend')).toMatchObject({ status: 403, text: '' });
		expect((await client.get('/social/settings/2/')).body).toMatchObject({ private: true });
		expect((await client.get('/social/stories/2/')).body.stories).toHaveLength(3);
		await friend.post('/social/follow', { user_id: 1 });
		const activities = async () => (await client.get('/social/profile', { user_id: 2 })).body.activities;
		expect(await activities()).not.toEqual([]);
		await client.post('/social/unfollow', { user_id: 2 });
		expect(await activities()).toEqual([]);
		expect((await client.get('/social/stories/2/')).body).toMatchObject({
			stories: [],
			message: expect.stringContaining('must be following them'),
		});
	},
	'closed-interactions': async (client) => {
		const denied = { code: -1, message: 'Access denied.' };
		expect((await client.get('/social/interactions', { user_id: 2 })).body).toMatchObject(denied);
		const river = { social_user_ids: 1, relative_user_id: 2 };
		expect((await client.get('/social/river_stories', river)).body).toMatchObject(denied);
	},
	'slash-after-id': async (client) => {
		for (const path of ['/social/rss/2', '/social/rss/2/', '/social/rss/2/nobody']) {
			const { status, headers } = await client.get(path);
			expect([path, status, headers.get('location')]).toEqual([
				path,
				302,
				`${client.url}/social/rss/2/friend`,
			]);
		}
		for (const path of [
			'/social/rss/2/friend/',
			'/social/stories/2',
			'/social/page/2',
			'/social/settings/2',
		]) {
			expect([path, (await client.get(path)).status]).toEqual([path, 404]);
		}
		expect((await client.get('/social/statistics/2')).status).toBe(200);
	},
};
