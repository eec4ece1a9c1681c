import type { Difference } from '../shared/service.ts';

/** How hosts of the news reader service seen in the wild differ from the contract. */
export const readerDifferences = [
	{
		name: 'anonymous-demo',
		group: 'anonymous',
		description:
			'without a session reads answer 200 with the demo account and `authenticated: false`, writes 403 with an empty body',
	},
	{
		name: 'anonymous-403',
		group: 'anonymous',
		description: 'without a session everything answers 403 with an empty body',
	},
	{ name: 'refusals-200', description: 'a refused call answers 200 with `code: -1`' },
	{
		name: 'html-errors',
		description: 'unknown things answer 404, missing mandatory fields 500, as HTML pages',
	},
	{ name: 'cookie-name', description: 'the session cookie has another name (settable)' },
	{
		name: 'any-method',
		description: 'most writes answer GET too, with all parameters absent',
	},
	{ name: 'long-tokens', description: 'access tokens last ten years, not one hour' },
	{
		name: 'empty-arrays',
		description: 'an account without subscriptions gets `feeds: []` and little else',
	},
	{
		name: 'string-timestamps',
		description: 'timestamps of starred story hashes are strings, not numbers (those of stories always are)',
	},
	{
		name: 'float-timestamps',
		description: 'timestamps of unread story hashes may have fractions of seconds',
	},
	{
		name: 'bare-arrays',
		description: 'the trainers, autocomplete and calls with several hashes answer a bare array',
	},
	{
		name: 'page-sizes',
		description:
			'pages of 6 (feed, share feed), 12 (river) and 10 stories (others), not 20; feeds and rivers have none after 400',
	},
	{ name: 'read-overlap', description: 'a page of read stories ends with the first story of the next' },
	{
		name: 'hidden-key',
		description:
			'the count of hidden stories is called `hidden_stories_removed`, and absent when they are included',
	},
	{ name: 'null-counts', description: 'counts of comments and shares are null instead of 0' },
	{
		name: 'loose-hashes',
		description: 'stories asked for by hash come in no promised order and always as unread',
	},
	{ name: 'optional-feeds', description: 'a river without feeds is a river of all subscriptions' },
	{
		name: 'reads-left-out',
		description: 'story hashes that were read already are left out of the answer that marks them read',
	},
	{
		name: 'opml-queued',
		description: 'an uploaded list of feeds is queued (`code: 2`) and read after the answer',
	},
	{ name: 'opml-html', description: 'the answer to an upload is JSON labelled text/html, without envelope' },
	{
		name: 'profile-fields',
		description: 'a profile is saved only with website, location, bio and photo_service present, else 500',
	},
	{
		name: 'reply-id-needed',
		description: 'removing a reply without its id, or of an unknown share, answers 500',
	},
	{ name: 'brackets-ignored', description: 'saving classifiers reads `like_tag`, not `like_tag[]`' },
	{ name: 'bare-favicons', description: 'inline icons are base64 without the data URI around it' },
	{ name: 'no-favicons-route', description: '/api/v1/feeds/favicons/ does not exist' },
	{
		name: 'slash-after-id',
		description:
			'share feed addresses need the slash after the id; the RSS one redirects to the full address',
	},
	{
		name: 'envelope-wins',
		description: "the envelope's `user_id` (the caller's) replaces that of a record",
	},
	{
		name: 'folder-traps',
		description:
			'folders match by part of their name, unknown ones are accepted silently, deleting one keeps feeds not named',
	},
	{
		name: 'own-clients',
		description:
			"the service's own command line is a known application, and addresses that it and the agent server ask exist",
	},
	{
		name: 'split-tags',
		description: 'tags of stories are lowercased and split at commas and slashes, twelve at most',
	},
	{
		name: 'possible-dates',
		description: 'stories dated in the future or before 2000 have the date of their first fetch',
	},
	{
		name: 'merged-stories',
		description:
			'a story whose publisher changed its guid is the same one under a new hash; edits are taken over only if small, three a fetch',
	},
	{ name: 'free-window', description: 'free accounts may mark stories unread for 14 days, not 15' },
	{
		name: 'free-limits',
		description:
			'free accounts get a cut river (`code: 0`), no saved stories by tag or highlights, three shares a day; withheld lists are empty beside a message, without `code: -1`; saving a search is open to them',
	},
	{
		name: 'view-limits',
		group: 'view-limits',
		description: 'calls have their own rate limits; 429 is text with Retry-After',
	},
	{
		name: 'view-limits-silent',
		group: 'view-limits',
		description: 'calls have their own rate limits; 429 is text without Retry-After',
	},
] as const satisfies readonly Difference[];

export type ReaderDifference = (typeof readerDifferences)[number]['name'];
