import type { Difference } from '../shared/service.ts';

/**
 * Differences of news reader hosts from the contract on which a client depends. The variant `wild` responds like the
 * service's public code of July 2024, `2026` like that of autumn 2026.
 */
export const readerDifferences = [
	// Accounts and failures
	{
		name: 'anonymous-demo',
		group: 'anonymous',
		description:
			'without a session, reads return the data of the demo account with `authenticated: false`; writes return 403 without a body',
	},
	{
		name: 'anonymous-403',
		group: 'anonymous',
		description: 'without a session, every call returns 403 without a body',
	},
	{ name: 'refusals-200', description: 'a rejected call has status 200 and `code: -1`' },
	{ name: 'html-errors', description: 'errors 404 and 500 are HTML pages' },
	{
		name: 'reader-home',
		description: 'an unknown path below /reader returns the web client (status 200, HTML)',
	},
	{
		name: 'attack-ban',
		since: '2026',
		description:
			'a request with a text that looks like an attack (`${`, `<script`, `javascript:`) returns 403 with JSON, and bans its IP address for a day',
	},
	{
		name: 'shared-limit',
		group: 'limits',
		description:
			'some calls share a rate limit for each session; a response with status 429 is text without Retry-After',
	},
	{
		name: 'exact-limits',
		group: 'limits',
		since: '2026',
		description: 'rejected calls are not counted, and Retry-After is exact',
	},

	// Feeds and folders
	{ name: 'no-favicons-route', description: '/api/v1/feeds/favicons/ does not exist' },
	{
		name: 'empty-arrays',
		description:
			'the list of feeds of an account without feeds and folders has only `feeds: []` and `folders: []`',
	},
	{
		name: 'folder-traps',
		group: 'folders',
		description:
			'a folder matches if its name contains the requested text; unknown folders are accepted; deleting a folder keeps feeds whose ids were not sent',
	},
	{
		name: 'exact-folders',
		group: 'folders',
		since: '2026',
		description:
			'a folder matches by its exact name; a feed that is not in the requested folder is removed from its first folder; otherwise as `folder-traps`',
	},
	{
		name: 'folder-paths',
		since: '2026',
		description: 'requests can name a folder by its path, and the list of feeds says so',
	},
	{
		name: 'short-trees',
		since: '2026',
		description:
			'saving folders is rejected if more than 15 % of the subscriptions, and more than five, are missing',
	},
	{
		name: 'newer-calls',
		since: '2026',
		description:
			'calls to mute feeds, mark days as unread, rename and delete saved tags, find a story by its URL, list trending feeds, add several feeds, and mark as read after days',
	},
	{
		name: 'cold-feeds',
		since: '2026',
		description:
			'a feed without a subscription that was not fetched for a day returns no stories until `insta_fetch` is sent',
	},
	{
		name: 'opml-html',
		description:
			'the response to an upload is JSON with the type text/html; a file that is no list of feeds has `code: 1`',
	},
	{
		name: 'opml-queued',
		elsewhere: true,
		description: 'an uploaded list of feeds is imported after the response (`code: 2`)',
	},

	// Lists of stories
	{ name: 'bare-arrays', description: 'some responses are a JSON array instead of an object' },
	{
		name: 'page-sizes',
		description:
			'pages have 6 stories (feed, shared stories of one user), 12 (river) or 10 (others) instead of 20; a feed has 400 pages at most',
	},
	{
		name: 'loose-hashes',
		description: 'stories by hash are sorted by date, are always unread, and do not include hidden ones',
	},
	{
		name: 'read-repeats',
		description:
			'a story that was read twice is in the history twice; a page ends with the first story of the next',
	},
	{ name: 'no-read-search', until: 'wild', description: 'read stories cannot be searched' },
	{
		name: 'read-lists',
		since: '2026',
		description:
			'saved and read stories have their reading state; read stories can be searched and limited to feeds',
	},
	{
		name: 'stored-counts',
		description:
			'unread counts are stored; unread stories of a feed are listed only if its stored count is not 0',
	},
	{
		name: 'forced-marks',
		since: '2026',
		description: 'feeds are marked as read even if their stored count is 0',
	},
	{ name: 'unread-cap', description: 'at most 500 unread stories of a feed are listed and counted' },
	{
		name: 'reads-left-out',
		since: '2026',
		description: 'the response to marking hashes as read omits those that were already read',
	},
	{
		name: 'free-limits',
		description:
			'free accounts cannot search, read saved stories by tag, or share more than three stories a day; the response is an empty list with a message',
	},
	{ name: 'free-river', since: '2026', description: 'the river of free accounts has three stories' },
	{
		name: 'date-ranges',
		since: '2026',
		description: 'with the archive plan, lists of stories can be limited to a range of days',
	},
	{
		name: 'clusters',
		since: '2026',
		description: 'of similar stories, a response has one, which lists the others in `cluster_stories`',
	},
	{
		name: 'newer-classifiers',
		since: '2026',
		description: 'classifiers by text and URL, for folders and all feeds, and super dislikes',
	},

	// People
	{
		name: 'closed-interactions',
		since: '2026',
		description: 'interactions of another user, and their river of shared stories, are rejected',
	},
	{ name: 'self-follow', description: 'accounts follow themselves' },
] as const satisfies readonly Difference[];

export type ReaderDifference = (typeof readerDifferences)[number]['name'];
