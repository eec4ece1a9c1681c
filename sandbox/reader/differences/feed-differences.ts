import type { Difference } from '../../shared/service.ts';

/** Feeds, folders, and lists of them. */
export const feedDifferences = [
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
		name: 'change-dates',
		description: 'a story has the date of its last change, if it names one when it is fetched first',
	},
	{
		name: 'plain-titles',
		description: 'text that looks like an HTML tag is removed from the titles of stories',
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
		group: 'folders',
		description:
			'folders match by part of their name, unknown ones are accepted silently, deleting one keeps feeds not named',
	},
	{
		name: 'exact-folders',
		group: 'folders',
		since: '2026',
		description:
			'folders match by their exact name; a feed that is not in the folder named is taken from the first that has it; unknown folders are accepted silently, deleting one keeps feeds not named',
	},
	{
		name: 'folder-paths',
		since: '2026',
		description: 'folders can be named by their path (`folder_path`), and /reader/feeds says so',
	},
	{
		name: 'newer-calls',
		since: '2026',
		description:
			'there are calls to mute feeds, mark days unread, rename and delete saved tags, find a story by its address, list trending feeds, add many feeds and mark as read after days',
	},
	{
		name: 'short-trees',
		since: '2026',
		description:
			'saving the folders is refused when more than 15 % of the subscriptions, and more than five, are missing',
	},
	{ name: 'kept-titles', since: '2026', description: 'renaming a feed to a blank title is refused' },
	{
		name: 'feeds-first',
		until: 'wild',
		description: 'deleting a feed puts the feeds of every folder before its folders',
	},
	{
		name: 'folder-needed',
		until: 'wild',
		description: 'deleting a folder without `in_folder`, if only empty, is a 500',
	},
	{ name: 'null-folders', description: 'moving a folder that does not exist leaves a null in the tree' },
	{
		name: 'opml-queued',
		elsewhere: true,
		description: 'an uploaded list of feeds is queued (`code: 2`) and read after the answer',
	},
	{
		name: 'merged-uploads',
		since: '2026',
		description: 'an uploaded list of feeds takes no simultaneous change of the folders back',
	},
	{ name: 'opml-html', description: 'the answer to an upload is JSON labeled text/html, without envelope' },
	{
		name: 'opml-anything',
		description:
			'an upload that is no list of feeds is `code: 1` with nothing in it or the folders as they are, an empty one a 500',
	},
] as const satisfies readonly Difference[];
