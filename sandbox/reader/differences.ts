import type { Difference } from '../shared/service.ts';

/**
 * How hosts of the news reader service seen in the wild differ from the contract. The variant answers as the service's
 * public code of July 2024 does; what only older or newer hosts do is marked `elsewhere`.
 */
export const readerDifferences = [
	// Accounts and sessions
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
	{
		name: 'loose-passwords',
		description: 'a blank password at sign-up is the user name, and who has that one logs in with any',
	},
	{ name: 'long-logins', description: 'names and e-mails of more than 30 characters cannot log in' },
	{
		name: 'one-session',
		description: 'a login or sign-up keeps the session sent along if it is the account’s own, else ends it',
	},
	{ name: 'cookie-name', description: 'the session cookie has another name (settable)' },
	{ name: 'long-tokens', description: 'access tokens last ten years, not one hour' },
	{ name: 'any-scope', description: 'an access token may write whatever its scope is' },
	{ name: 'html-401', description: 'the 401 of /oauth/user/info is labelled text/html' },
	{
		name: 'user-info',
		elsewhere: true,
		description:
			"/oauth/user/info tells name and id only, as in July 2024: the service's own clients of today need more",
	},

	// Failures
	{ name: 'refusals-200', description: 'a refused call answers 200 with `code: -1`' },
	{
		name: 'html-errors',
		description: 'unknown things answer 404, missing mandatory fields 500, as HTML pages',
	},
	{ name: 'bad-fields', description: 'a missing field, or text where a number is read, is a 500' },
	{ name: 'unknown-users', description: 'a numeric user id that nobody has is a 500 on most calls' },
	{
		name: 'unknown-feeds',
		description:
			'of feeds nobody has: a trainer and renaming 404, classifiers empty; classifiers of share feeds not followed 500',
	},
	{ name: 'unknown-shares', description: 'unsharing, or undoing something, on what does not exist is a 500' },
	{
		name: 'reader-home',
		description: 'every unknown address below /reader shows the web client (200, HTML)',
	},
	{ name: 'any-method', description: 'most writes answer GET too, with no parameters' },
	{
		name: 'brackets-ignored',
		description: 'saving classifiers, and calls that check parameters, read `like_tag`, not `like_tag[]`',
	},
	{
		name: 'searches-open',
		description: 'saved searches without a session are a 500; blank ones are kept; their feed leads nowhere',
	},

	// Shapes
	{
		name: 'empty-arrays',
		description: 'an account without subscriptions and folders gets `feeds: []` and little else',
	},
	{
		name: 'string-timestamps',
		description: 'timestamps of starred story hashes are strings, of the last change',
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
		name: 'envelope-wins',
		description: "the envelope's `user_id` (the caller's) replaces that of a record",
	},
	{
		name: 'hidden-key',
		description: 'the count of hidden stories is `hidden_stories_removed`, absent when included',
	},
	{
		name: 'null-counts',
		description:
			'in feeds and rivers a story that nobody ever shared has null for its counts, one nobody shares now no lists of who did',
	},
	{ name: 'silent-sharers', description: '`shared_by_friends` and `_public` leave out who said something' },
	{ name: 'null-messages', description: 'the message of a list of stories is null where there is none' },
	{
		name: 'story-records',
		description:
			'shared, saved and read stories have no score; shared ones the date of the share; saved and read ones a constant `intelligence`',
	},
	{ name: 'profile-records', description: 'profiles are `active`; the fields of one never saved are null' },
	{
		name: 'saved-records',
		description:
			'saved counts are `active` and have `is_highlights: null`; several hashes saved are answered without hashes',
	},
	{ name: 'string-ids', description: 'the answer to marking unread has its feed id as a string' },
	{
		name: 'sparse-statistics',
		description:
			'statistics have classifiers only of kinds that were trained, and a whole number for the load time',
	},
	{ name: 'feed-records', description: '`favicon_url` of a feed is a path, `search_indexed` null' },
	{ name: 'more-activities', description: 'activities tell of the sign-up, of imports and of exports too' },
	{
		name: 'event-contents',
		description:
			'activities of saving and subscribing have the title as their content; those with nobody name the account itself; one of a share has its last comment',
	},
	{
		name: 'lasting-events',
		description:
			'events outlast what they tell of and stay new; follows and likes are told once, requests to follow never',
	},
	{
		name: 'relation-records',
		description:
			'profiles tell how one stands to others only, and of others in common; muting answers without lists',
	},
	{ name: 'loose-mutes', description: 'muting somebody hides their public comments only' },
	{ name: 'date-fractions', description: 'dates of comments, replies and events have fractions of a second' },
	{ name: 'bare-favicons', description: 'inline icons are base64 without the data URI around it' },
	{ name: 'internal-texts', description: 'the message of an unsubscription shows an internal text' },

	// Lists of stories
	{
		name: 'page-sizes',
		description:
			'pages of 6 (feed, share feed), 12 (river) and 10 stories (others), not 20; feeds have none after 400',
	},
	{ name: 'read-overlap', description: 'a page of read stories ends with the first story of the next' },
	{
		name: 'loose-hashes',
		description: 'stories asked for by hash come in no promised order and always as unread',
	},
	{ name: 'hidden-by-hash', description: 'hidden stories are left out by hash too unless `include_hidden`' },
	{ name: 'optional-feeds', description: 'a river without feeds is a river of all subscriptions' },
	{ name: 'no-focus', description: 'a river does not know `read_filter=focus`, and takes it for all' },
	{
		name: 'tag-parts',
		description: 'saved stories of a tag have it as part of one; highlights go before it',
	},
	{ name: 'no-read-search', description: 'read stories cannot be searched: none, and a message' },
	{
		name: 'blind-counts',
		description:
			'unread counts are stored: feeds with 0 are passed over, and accounts not seen for a week get none counted',
	},
	{ name: 'unread-cap', description: 'at most 500 unread stories of a feed are told and counted' },
	{
		name: 'free-window',
		description: 'stories too old are refused in other words; free accounts have 14 days',
	},
	{
		name: 'free-limits',
		description:
			'free accounts get `code: 0` beside a river, no saved stories by tag or highlights, three shares a day; withheld lists are empty beside a message, without `code: -1`; saving a search is open to them',
	},
	{ name: 'free-river', elsewhere: true, description: 'the river of free accounts is cut to three stories' },

	// Reading state
	{
		name: 'reads-echoed',
		group: 'reads',
		description: 'marking hashes read answers with every hash sent, whatever it is',
	},
	{
		name: 'reads-left-out',
		group: 'reads',
		elsewhere: true,
		description: 'story hashes that were read already are left out of the answer that marks them read',
	},
	{
		name: 'unread-batches',
		description:
			'among several hashes marked unread one that is gone is a 500, and one too old has two entries and is unread after all',
	},
	{ name: 'friend-ids', description: 'marking stories tells who of those followed shares one' },
	{ name: 'nameless-errors', description: 'errors of marking feeds read name no feed' },
	{
		name: 'silent-marks',
		description: 'deprecated marks stop at a feed not subscribed to, or say nothing of unknown ones',
	},

	// Feeds and folders
	{ name: 'known-feeds', description: 'a feed is found only if somebody has added it' },
	{ name: 'term-needed', description: 'autocomplete without a term is refused' },
	{ name: 'no-favicons-route', description: '/api/v1/feeds/favicons/ does not exist' },
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
	{
		name: 'folder-traps',
		description:
			'folders match by part of their name, unknown ones are accepted silently, deleting one keeps feeds not named',
	},
	{ name: 'folder-needed', description: 'deleting a folder without `in_folder`, if only empty, is a 500' },
	{ name: 'null-folders', description: 'moving a folder that does not exist leaves a null in the tree' },
	{
		name: 'opml-queued',
		elsewhere: true,
		description: 'an uploaded list of feeds is queued (`code: 2`) and read after the answer',
	},
	{ name: 'opml-html', description: 'the answer to an upload is JSON labelled text/html, without envelope' },
	{
		name: 'opml-anything',
		description:
			'an upload that is no list of feeds is `code: 1` with nothing in it or the folders as they are, an empty one a 500',
	},

	// Social
	{
		name: 'profile-fields',
		description:
			'a profile is saved only with website, location, bio and photo_service present, else 500; a bio too long is cut',
	},
	{ name: 'privacy-reset', description: 'a profile saved without `protected` and `private` loses them' },
	{
		name: 'self-follow',
		description:
			'accounts follow themselves, and are in their own lists; share feeds without shares are in none',
	},
	{
		name: 'silent-replies',
		description: 'changing or removing a reply that is not there, or not one’s own, is `code: 1` and nothing',
	},
	{
		name: 'friend-search',
		description: 'a search for people tries one field after the other, and shows three',
	},
	{ name: 'share-marks', description: 'a share feed marked read shows nothing of before oldest first' },
	{ name: 'html-comments', description: 'public comments as HTML are those of people followed too' },
	{
		name: 'private-feeds',
		description:
			'of a private share feed the RSS is a 403 without a body, for followers too; its stories are none and a message',
	},
	{
		name: 'closed-interactions',
		elsewhere: true,
		description: "another user's interactions, and their view of the river, are refused",
	},
	{
		name: 'slash-after-id',
		description:
			'share feed addresses need the slash after the id; the RSS one redirects to the full address',
	},

	// Rate limits
	{
		name: 'shared-limit',
		group: 'view-limits',
		description:
			'calls have rate limits of their own on one counter per session over two minutes; 429 is text without Retry-After',
	},
	{
		name: 'view-limits',
		group: 'view-limits',
		elsewhere: true,
		description: 'calls have their own rate limits; 429 is text with Retry-After',
	},
	{
		name: 'view-limits-silent',
		group: 'view-limits',
		elsewhere: true,
		description: 'calls have their own rate limits; 429 is text without Retry-After',
	},
] as const satisfies readonly Difference[];

export type ReaderDifference = (typeof readerDifferences)[number]['name'];
