import { asReader, type ReaderBody, type ReaderClient } from '../support/clients/reader-client.ts';

/** Requests of the interface document in sequence return the documented responses in both variants. */

type Fields = Record<string, string | number>;

interface Row {
	call: string;
	fields?: (story: ReaderBody['stories'][number]) => Fields;
	/** Members of the response, or the beginning of the content type if it is not JSON. */
	holds: object | string;
}

const of = (story: ReaderBody['stories'][number]) => ({ feed_id: story.story_feed_id, story_id: story.id });
const commentOf = (story: ReaderBody['stories'][number]) => ({
	story_feed_id: story.story_feed_id,
	story_id: story.id,
	comment_user_id: 2,
});
const done = { code: 1 };

/** In the order of the document: each request depends on the effects of the previous ones. */
const rows: readonly Row[] = [
	{ call: 'GET /rss_feeds/search_feed', fields: () => ({ address: '/feeds/bitwright/' }), holds: { id: 3 } },
	{ call: 'GET /reader/feeds', holds: { feeds: {}, folders: expect.any(Array) } },
	{ call: 'GET /reader/favicons', holds: { 1: expect.any(String) } },
	{ call: 'GET /reader/page/1', holds: 'text/html' },
	{ call: 'GET /reader/refresh_feeds', holds: { feeds: { 1: { ps: 0, nt: 60, ng: 0 } } } },
	{ call: 'GET /reader/feeds_trainer', fields: () => ({ feed_id: 1 }), holds: { rows: [{ feed_id: 1 }] } },
	{ call: 'GET /rss_feeds/statistics/1', holds: { feed_fetch_history: expect.any(Array) } },
	{
		call: 'GET /rss_feeds/feed_autocomplete',
		fields: () => ({ term: 'lantern' }),
		holds: { rows: [{ id: 1 }] },
	},
	{ call: 'GET /reader/feed/1', holds: { feed_id: 1, stories: expect.any(Array) } },
	{
		call: 'GET /rss_feeds/original_text',
		fields: ({ story_hash }) => ({ story_hash }),
		holds: { failed: false },
	},
	{ call: 'GET /rss_feeds/original_story', fields: ({ story_hash }) => ({ story_hash }), holds: 'text/html' },
	{ call: 'GET /reader/starred_stories', holds: { stories: { length: 3 } } },
	{ call: 'GET /reader/starred_story_hashes', holds: { starred_story_hashes: { length: 3 } } },
	{ call: 'GET /reader/river_stories', fields: () => ({ feeds: 1 }), holds: { code: 1 } },
	{
		call: 'GET /reader/river_stories',
		fields: ({ story_hash }) => ({ h: story_hash }),
		holds: { stories: { length: 1 } },
	},
	{ call: 'GET /reader/unread_story_hashes', holds: { unread_feed_story_hashes: { 1: { length: 60 } } } },
	{
		call: 'POST /reader/mark_story_hashes_as_read',
		fields: ({ story_hash }) => ({ story_hash }),
		holds: done,
	},
	{ call: 'GET /reader/read_stories', holds: { stories: [{ read_status: 1 }] } },
	{
		call: 'POST /reader/mark_story_hash_as_unread',
		fields: ({ story_hash }) => ({ story_hash }),
		holds: done,
	},
	{ call: 'POST /reader/mark_story_as_read', fields: of, holds: { code: 0 } },
	{
		call: 'POST /reader/mark_feed_stories_as_read',
		fields: (story) => ({ feeds_stories: JSON.stringify({ 1: [story.id] }) }),
		holds: { code: 0 },
	},
	{
		call: 'POST /reader/mark_social_stories_as_read',
		fields: (story) => ({ users_feeds_stories: JSON.stringify({ 2: { 1: [story.id] } }) }),
		holds: { code: 1, errors: [] },
	},
	{
		call: 'POST /reader/mark_story_hash_as_starred',
		fields: ({ story_hash }) => ({ story_hash, user_tags: 'x' }),
		holds: { code: 1, starred_count: 4 },
	},
	{
		call: 'POST /reader/mark_story_hash_as_unstarred',
		fields: ({ story_hash }) => ({ story_hash }),
		holds: { code: 1, starred_count: 3, messages: [] },
	},
	{ call: 'POST /reader/mark_feed_as_read', fields: () => ({ feed_id: 2 }), holds: done },
	{ call: 'POST /reader/mark_all_as_read', fields: () => ({ days: 7 }), holds: done },
	{
		call: 'GET /social/river_stories',
		fields: () => ({ social_user_ids: 2 }),
		holds: { feeds: expect.any(Array) },
	},
	{ call: 'POST /social/share_story', fields: (story) => ({ ...of(story), comments: 'x' }), holds: done },
	{ call: 'POST /social/unshare_story', fields: of, holds: done },
	{ call: 'GET /social/load_user_friends', holds: { following_profiles: expect.any(Array) } },
	{ call: 'GET /social/profile', fields: () => ({ user_id: 2 }), holds: { user_profile: { user_id: 2 } } },
	{ call: 'GET /social/load_user_profile', holds: { user_profile: { user_id: 1 } } },
	{
		call: 'POST /social/save_user_profile',
		fields: () => ({ location: 'Here', bio: '', website: '', photo_service: 'gravatar' }),
		holds: { code: 1, user_profile: { location: 'Here' } },
	},
	{ call: 'GET /social/interactions', holds: { interactions: expect.any(Array), has_next_page: false } },
	{ call: 'GET /social/interactions?format=html', holds: 'text/html' },
	{ call: 'GET /social/activities', holds: { activities: { length: 4 }, has_next_page: true } },
	{
		call: 'POST /social/unfollow',
		fields: () => ({ user_id: 2 }),
		holds: { unfollow_profile: { user_id: 2 } },
	},
	{ call: 'POST /social/follow', fields: () => ({ user_id: 2 }), holds: { follow_profile: { user_id: 2 } } },
	{ call: 'POST /social/mute_user', fields: () => ({ user_id: 2 }), holds: done },
	{ call: 'POST /social/unmute_user', fields: () => ({ user_id: 2 }), holds: done },
	{ call: 'GET /social/feed_trainer', fields: () => ({ user_id: 2 }), holds: { rows: [{ user_id: 2 }] } },
	{ call: 'GET /social/public_comments', fields: of, holds: { comments: [] } },
	{
		call: 'POST /social/save_comment_reply',
		fields: (story) => ({ ...commentOf(story), reply_comments: 'x' }),
		holds: { code: 1, comment: { replies: [{ comments: 'x' }] } },
	},
	{ call: 'POST /social/like_comment', fields: commentOf, holds: { comment: { liking_users: [1] } } },
	{ call: 'POST /social/remove_like_comment', fields: commentOf, holds: { comment: { liking_users: [] } } },
	{
		call: 'GET /social/find_friends',
		fields: () => ({ query: 'friend' }),
		holds: { profiles: [{ user_id: 2 }] },
	},
	{ call: 'GET /social/rss/2/friend', holds: 'application/rss+xml' },
	{ call: 'GET /social/stories/2/friend', holds: { stories: { length: 3 } } },
	{ call: 'GET /social/page/2/friend', holds: 'text/html' },
	{ call: 'GET /social/settings/2/friend', holds: { id: 'social:2' } },
	{ call: 'GET /social/statistics/2/friend', holds: { subscriber_count: 1 } },
	{
		call: 'POST /reader/add_url',
		fields: () => ({ url: '/feeds/bitwright/' }),
		holds: { code: 1, feed: { id: 3 } },
	},
	{ call: 'POST /reader/add_folder', fields: () => ({ folder: 'Made' }), holds: done },
	{
		call: 'POST /reader/move_feed_to_folder',
		fields: () => ({ feed_id: 10, in_folder: '', to_folder: 'Made' }),
		holds: { folders: expect.arrayContaining([{ Made: [10] }]) },
	},
	{
		call: 'POST /reader/move_folder_to_folder',
		fields: () => ({ folder_name: 'Made', in_folder: '', to_folder: 'Science' }),
		holds: { folders: expect.arrayContaining([{ Science: [5, { Made: [10] }] }]) },
	},
	{ call: 'POST /reader/rename_feed', fields: () => ({ feed_id: 1, feed_title: 'Mine' }), holds: done },
	{
		call: 'POST /reader/rename_folder',
		fields: () => ({ folder_to_rename: 'Made', new_folder_name: 'Renamed', in_folder: 'Science' }),
		holds: done,
	},
	{ call: 'POST /reader/delete_feed', fields: () => ({ feed_id: 9, in_folder: 'Food' }), holds: done },
	{
		call: 'POST /reader/delete_folder',
		fields: () => ({ folder_to_delete: 'Renamed', in_folder: 'Science', feed_id: 10 }),
		holds: { folders: expect.arrayContaining([{ Science: [5] }]) },
	},
	{
		call: 'POST /reader/save_feed_order',
		fields: () => ({ folders: '[1,2,{"All":[3,4,5,6,7,8]}]' }),
		holds: { result: 'ok' },
	},
	{
		call: 'POST /reader/save_search',
		fields: () => ({ feed_id: 'feed:1', query: 'x' }),
		holds: { saved_searches: [{ query: 'x' }] },
	},
	{
		call: 'POST /reader/delete_search',
		fields: () => ({ feed_id: 'feed:1', query: 'x' }),
		holds: { saved_searches: [] },
	},
	{ call: 'POST /classifier/save', fields: () => ({ feed_id: 1, like_tag: 'x' }), holds: { code: 0 } },
	{ call: 'GET /classifier/1', holds: { code: 0, payload: { tags: { x: 1 } } } },
	{ call: 'GET /import/opml_export', holds: 'text/xml' },
	{ call: 'POST /api/logout', holds: { code: 1, authenticated: false } },
];

/** Addresses of the sandbox's own feeds are written without its origin in the table. */
function withOrigin(client: ReaderClient, fields: Fields): Fields {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [
			name,
			typeof value === 'string' && value.startsWith('/feeds/') ? client.origin + value : value,
		]),
	);
}

test.each(['contract', 'wild'] as const)('%s: requests return the documented responses', (variant) =>
	asReader({ variant }, async (client) => {
		// The story that `friend` shared with a comment.
		const story = (await client.get('/reader/feed/1')).body.stories[0];
		if (story === undefined) throw new Error('No story.');
		for (const { call, fields, holds } of rows) {
			const [method, path = ''] = call.split(' ');
			const given = withOrigin(client, fields?.(story) ?? {});
			const response = await (method === 'GET' ? client.get(path, given) : client.post(path, given));
			expect([call, response.status]).toEqual([call, 200]);
			const type = response.headers.get('content-type') ?? '';
			if (typeof holds === 'string') {
				expect([call, type]).toEqual([call, expect.stringContaining(holds)]);
				continue;
			}
			expect([call, type]).toEqual([call, expect.stringContaining('application/json')]);
			const list = response.rows.length > 0 ? response.rows : response.body.feeds;
			expect({ call, ...response.body, rows: list }).toMatchObject({ call, ...holds });
			const bare = variant === 'wild' && 'rows' in holds;
			if (!bare) expect(response.body).toMatchObject({ result: 'ok', authenticated: path !== '/api/logout' });
		}
	}),
);
