import type { Difference } from '../../shared/service.ts';

/** The shapes of responses. */
export const recordDifferences = [
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
	{
		name: 'local-dates',
		description:
			'short and long dates of stories are in the time zone of the account, those of today without a day',
	},
	{
		name: 'local-statistics',
		description: 'statistics have fetch dates and hours of the day in the time zone of the account, New York',
	},
	{
		name: 'feed-records',
		description:
			'`favicon_url` of a feed is a path; only lists of feeds say how a feed stands to the account, and feeds just added or found bring their icon',
	},
	{
		name: 'account-records',
		description:
			'lists of feeds say little of the account and of share feeds, and refreshing single feeds counts no share feeds',
	},
	{ name: 'proxied-images', description: 'stories name addresses of their pictures on the service, too' },
	{
		name: 'tag-slugs',
		description: 'the count of all saved stories comes first, and addresses hold tags as slugs',
	},
	{ name: 'more-activities', description: 'activities include the sign-up, imports and exports' },
	{
		name: 'event-contents',
		description:
			'activities of saving and subscribing have the title as their content; those with nobody name the account itself; one of a share has its last comment, one of a follow no feed',
	},
	{
		name: 'lasting-events',
		description:
			'events outlast their cause and stay new; follows and likes are reported once, requests to follow never',
	},
	{
		name: 'relation-records',
		description:
			'profiles show the relation to others only, and whom the two have in common; muting answers without lists',
	},
	{ name: 'loose-mutes', description: 'muting somebody hides their public comments only' },
	{ name: 'date-fractions', description: 'dates of comments, replies and events have fractions of a second' },
	{ name: 'bare-favicons', description: 'inline icons are base64 without the data URI around it' },
	{
		name: 'internal-texts',
		description:
			'messages have the words of the service: of a wrong password, an unknown address, and an internal text of an unsubscription',
	},
	{
		name: 'search-state',
		description:
			'feeds are indexed for searches (`search_indexed`) at the first search of an account that reads them, and answers to searches hold the state of its index as JSON text in `user_search`',
	},
] as const satisfies readonly Difference[];
