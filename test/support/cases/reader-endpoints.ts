/**
 * The interface of the news reader service, transcribed by hand from its interface document. The tests
 * compare the table of operations with it, so nothing here may be copied from the table. The responses are in
 * reader-cases.
 */
import { optional, required, type Endpoint } from './endpoint';

export interface ReaderEndpoint extends Omit<Endpoint, 'example' | 'collection'> {
	method: 'GET' | 'POST';
	/** The parameter that identifies this call, if the document has two calls with one path. */
	by?: string;
	deprecated?: true;
	/** Parameters that hosts read, but the document does not have. */
	seen?: readonly string[];
}

const order = optional(['newest', 'oldest']);
const readFilter = optional(['all', 'unread']);
const format = optional(['json', 'html']);
const page = optional('integer');
const none = {};

const shareFeed = { user_id: required('integer') };
const story = { feed_id: required('integer'), story_id: required() };
const comment = {
	story_feed_id: required('integer'),
	story_id: required(),
	comment_user_id: required('integer'),
};
/** The names of opinions on a feed's stories, such as `like_tag`. */
export const opinions = ['tag', 'author', 'title', 'feed'].flatMap((kind) =>
	['like', 'dislike', 'remove_like', 'remove_dislike'].map((polarity) => `${polarity}_${kind}`),
);

export const readerEndpoints: ReaderEndpoint[] = [
	// Authentication calls
	{ method: 'POST', path: '/api/login', body: { username: required(), password: optional() } },
	{ method: 'POST', path: '/api/logout', body: none },
	{
		method: 'POST',
		path: '/api/signup',
		body: { username: required(), password: optional(), email: required() },
	},

	// Feeds
	{
		method: 'GET',
		path: '/rss_feeds/search_feed',
		query: { address: required(), offset: optional('integer') },
	},
	{
		method: 'GET',
		path: '/reader/feeds',
		query: {
			include_favicons: optional('boolean'),
			flat: optional('boolean'),
			update_counts: optional('boolean'),
		},
	},
	{ method: 'GET', path: '/reader/favicons', query: { feed_ids: optional('integers') } },
	// The document names no parameters of this second call; we assume those of the first.
	{ method: 'GET', path: '/api/v1/feeds/favicons/', query: { feed_ids: optional('integers') } },
	{ method: 'GET', path: '/reader/page/:id' },
	{ method: 'GET', path: '/reader/refresh_feeds' },
	{ method: 'GET', path: '/reader/feeds_trainer', query: { feed_id: optional('integer') } },
	{ method: 'GET', path: '/rss_feeds/statistics/:id' },
	{ method: 'GET', path: '/rss_feeds/feed_autocomplete', query: { term: optional() } },

	// Stories
	{
		method: 'GET',
		path: '/reader/feed/:id',
		query: {
			page,
			order,
			read_filter: readFilter,
			include_hidden: optional('boolean'),
			include_story_content: optional('boolean'),
			query: optional(),
		},
	},
	{ method: 'GET', path: '/rss_feeds/original_text', query: { story_hash: required() } },
	{ method: 'GET', path: '/rss_feeds/original_story', query: { story_hash: required() } },
	{
		method: 'GET',
		path: '/reader/starred_stories',
		query: {
			page,
			tag: optional(),
			highlights: optional('boolean'),
			query: optional(),
		},
	},
	// One line in the document. Stories by hash have no pages, and other parameters do not apply.
	{ method: 'GET', path: '/reader/starred_stories', by: 'h', query: { h: optional('strings') } },
	{
		method: 'GET',
		path: '/reader/starred_story_hashes',
		query: { include_timestamps: optional('boolean') },
	},
	{
		method: 'GET',
		path: '/reader/river_stories',
		query: {
			feeds: required('integers'),
			page,
			order,
			read_filter: readFilter,
			include_hidden: optional('boolean'),
			query: optional(),
			infrequent: optional('any'),
		},
		seen: ['limit'],
	},
	{ method: 'GET', path: '/reader/river_stories', by: 'h', query: { h: required('strings') } },
	{
		method: 'GET',
		path: '/reader/unread_story_hashes',
		query: { feed_id: optional('integers'), include_timestamps: optional('boolean') },
	},
	{ method: 'GET', path: '/reader/read_stories', query: { page, order } },

	// Reading state
	{
		method: 'POST',
		path: '/reader/mark_story_hashes_as_read',
		body: { story_hash: required('strings') },
	},
	{
		method: 'POST',
		path: '/reader/mark_story_as_read',
		deprecated: true,
		body: { story_id: required('strings'), feed_id: required('integer') },
	},
	{
		method: 'POST',
		path: '/reader/mark_feed_stories_as_read',
		deprecated: true,
		body: { feeds_stories: required('json') },
	},
	{
		method: 'POST',
		path: '/reader/mark_social_stories_as_read',
		deprecated: true,
		body: { users_feeds_stories: required('json') },
	},
	{
		method: 'POST',
		path: '/reader/mark_story_hash_as_unread',
		body: { story_hash: required('strings') },
	},
	{
		method: 'POST',
		path: '/reader/mark_story_hash_as_starred',
		body: { story_hash: required(), user_tags: optional('strings'), highlights: optional('strings') },
		seen: ['user_notes'],
	},
	{
		method: 'POST',
		path: '/reader/mark_story_hash_as_unstarred',
		body: { story_hash: required('strings') },
	},
	{
		method: 'POST',
		path: '/reader/mark_feed_as_read',
		body: {
			feed_id: required('integers'),
			cutoff_timestamp: optional('timestamp'),
			direction: optional(['older', 'newer']),
		},
	},
	{ method: 'POST', path: '/reader/mark_all_as_read', body: { days: optional('integer') } },

	// Social
	{
		method: 'GET',
		path: '/social/river_stories',
		query: { social_user_ids: required('integers'), page, order },
		seen: ['limit'],
	},
	{
		method: 'POST',
		path: '/social/share_story',
		body: {
			...story,
			comments: optional(),
			source_user_id: optional('integer'),
			post_to_services: optional('strings'),
			format,
		},
	},
	{ method: 'POST', path: '/social/unshare_story', body: { ...story, format } },
	{ method: 'GET', path: '/social/load_user_friends' },
	{ method: 'GET', path: '/social/profile', query: { user_id: required('integer') } },
	{ method: 'GET', path: '/social/load_user_profile' },
	{
		method: 'POST',
		path: '/social/save_user_profile',
		body: {
			location: optional(),
			bio: optional(),
			website: optional(),
			photo_service: optional(['twitter', 'facebook', 'gravatar']),
		},
		seen: ['private', 'protected'],
	},
	{
		method: 'GET',
		path: '/social/interactions',
		query: { user_id: optional('integer'), page, format },
	},
	{
		method: 'GET',
		path: '/social/activities',
		query: { user_id: optional('integer'), page, format },
	},
	{ method: 'POST', path: '/social/follow', body: { user_id: required('integer') } },
	{ method: 'POST', path: '/social/unfollow', body: { user_id: required('integer') } },
	{ method: 'POST', path: '/social/mute_user', body: { user_id: required('integer') } },
	{ method: 'POST', path: '/social/unmute_user', body: { user_id: required('integer') } },
	{ method: 'GET', path: '/social/feed_trainer', query: shareFeed },
	{ method: 'GET', path: '/social/public_comments', query: { ...story, format } },
	{
		method: 'POST',
		path: '/social/save_comment_reply',
		body: { ...comment, reply_comments: required(), reply_id: optional(), format },
	},
	{
		method: 'POST',
		path: '/social/remove_comment_reply',
		body: { ...comment, reply_id: optional(), format },
	},
	{ method: 'POST', path: '/social/like_comment', body: { ...comment, format } },
	{ method: 'POST', path: '/social/remove_like_comment', body: { ...comment, format } },
	{ method: 'GET', path: '/social/find_friends', query: { query: required() }, seen: ['limit'] },
	{ method: 'GET', path: '/social/rss/:user_id/:username' },
	{
		method: 'GET',
		path: '/social/stories/:user_id/:username',
		query: { order, read_filter: readFilter },
		seen: ['page'],
	},
	{ method: 'GET', path: '/social/page/:user_id/:username' },
	{ method: 'GET', path: '/social/settings/:user_id/:username' },
	{ method: 'GET', path: '/social/statistics/:user_id/:username' },

	// Feed management
	{ method: 'POST', path: '/reader/add_url', body: { url: required(), folder: optional() } },
	{
		method: 'POST',
		path: '/reader/add_folder',
		body: { folder: required(), parent_folder: optional() },
	},
	{
		method: 'POST',
		path: '/reader/move_feed_to_folder',
		body: { feed_id: required('integer'), in_folder: required(), to_folder: required() },
	},
	{
		method: 'POST',
		path: '/reader/move_folder_to_folder',
		body: { folder_name: required(), in_folder: required(), to_folder: required() },
	},
	{
		method: 'POST',
		path: '/reader/rename_feed',
		body: { feed_title: required(), feed_id: required('integer') },
	},
	{
		method: 'POST',
		path: '/reader/delete_feed',
		body: { feed_id: required('integer'), in_folder: optional() },
	},
	{
		method: 'POST',
		path: '/reader/rename_folder',
		body: { folder_to_rename: required(), new_folder_name: required(), in_folder: required() },
	},
	{
		method: 'POST',
		path: '/reader/delete_folder',
		body: { folder_to_delete: required(), in_folder: optional(), feed_id: optional('integers') },
	},
	{ method: 'POST', path: '/reader/save_feed_order', body: { folders: required('json') } },
	{
		method: 'POST',
		path: '/reader/save_search',
		body: { feed_id: required(), query: required() },
	},
	{
		method: 'POST',
		path: '/reader/delete_search',
		body: { feed_id: required(), query: required() },
	},

	// Classifiers
	{ method: 'GET', path: '/classifier/:id' },
	{
		method: 'POST',
		path: '/classifier/save',
		body: {
			feed_id: required('integer'),
			...Object.fromEntries(opinions.map((name) => [name, optional('strings')])),
		},
	},

	// Import and export
	{ method: 'GET', path: '/import/opml_export' },
	{ method: 'POST', path: '/import/opml_upload', body: { file: required('file') } },
];
