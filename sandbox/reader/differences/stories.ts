import type { Difference } from '../../shared/service.ts';

/** Lists of stories, and what was read of them. */
export const storyDifferences = [
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
	{
		name: 'tied-stories',
		description: 'stories of the same second come in the order they were found, newest first too',
	},
	{ name: 'hidden-by-hash', description: 'hidden stories are left out by hash too unless `include_hidden`' },
	{ name: 'optional-feeds', description: 'a river without feeds is a river of all subscriptions' },
	{ name: 'no-focus', description: 'a river does not know `read_filter=focus`, and takes it for all' },
	{
		name: 'tag-parts',
		description: 'saved stories of a tag have it as part of one; highlights go before it',
	},
	{
		name: 'read-repeats',
		description: 'a story read again is in the history again, and a page with it is shorter',
	},
	{ name: 'no-read-search', description: 'read stories cannot be searched: none, and a message' },
	{
		name: 'blind-counts',
		description:
			'unread counts are stored: feeds with 0 are passed over, accounts not seen for a week get none counted, and a feed counted to have only hidden ones is read',
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
			'among several hashes marked unread one that is gone is a 500, and one too old has two entries, the second of success, and stays read',
	},
	{ name: 'friend-ids', description: 'marking stories tells who of those followed shares one' },
	{ name: 'nameless-errors', description: 'errors of marking feeds read name no feed' },
	{
		name: 'silent-marks',
		description: 'deprecated marks stop at a feed not subscribed to, or say nothing of unknown ones',
	},
] as const satisfies readonly Difference[];
