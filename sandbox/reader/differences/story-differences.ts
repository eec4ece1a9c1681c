import type { Difference } from '../../shared/service.ts';

/** Lists of stories and their read state. */
export const storyDifferences = [
	// Lists of stories
	{
		name: 'page-sizes',
		description:
			'pages of 6 (feed, share feed), 12 (river) and 10 stories (others), not 20; feeds have none after 400',
	},
	{
		name: 'page-lists',
		description:
			'later pages come from a list that page 1 made: one for each account and first 30 characters of feed ids, whatever the filter; one for all rivers of shared stories, which are a 500 if one of several users is not followed',
	},
	{
		name: 'starred-filter',
		description: 'the filter `starred` orders by the date of saving, and takes feeds not subscribed to',
	},
	{
		name: 'lone-feeds',
		description:
			'stories of a feed not subscribed to are all read; if one other account alone reads the feed, they are a 404',
	},
	{
		name: 'unbounded-pages',
		description: 'a page of a list has as many stories as `limit` says, even over 100',
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
	{
		name: 'no-read-search',
		until: 'wild',
		description: 'read stories cannot be searched: none, and a message',
	},
	{
		name: 'blind-counts',
		description:
			'unread counts are stored: feeds with 0 are passed over, accounts not seen for a week get none counted, and a feed counted to have only hidden ones is read',
	},
	{ name: 'unread-cap', description: 'at most 500 unread stories of a feed are listed and counted' },
	{
		name: 'free-window',
		description: 'stories too old are refused in other words; free accounts have 14 days',
	},
	{
		name: 'free-limits',
		description:
			'free accounts, as the demo account is, get `code: 0` beside a river, no saved stories by tag or highlights, three shares a day; withheld lists are empty beside a message, without `code: -1`; saving a search is open to them',
	},
	{
		name: 'free-river',
		since: '2026',
		description: 'the river of free accounts is cut to three stories, page 1 by hash is whole',
	},
	{
		name: 'river-bounds',
		since: '2026',
		description:
			'a river has no pages after 400; bad numbers count as absent, and feed ids that are no numbers, so that it is of all subscriptions',
	},
	{
		name: 'kept-pages',
		since: '2026',
		description:
			"later pages of a feed's unread stories come from the list of page 1 for an hour, whatever was read",
	},
	{
		name: 'newer-classifiers',
		since: '2026',
		description:
			'there are super dislikes (score -2), and classifiers by text, address and regular expression, for folders and everything; those by text and for folders and everything score with the archive plan, regular expressions never',
	},
	{
		name: 'cold-feeds',
		since: '2026',
		description:
			'a feed that the account does not read and that was not fetched for a day has no stories but `not_yet_fetched`, until `insta_fetch`',
	},
	{
		name: 'date-ranges',
		since: '2026',
		description:
			'lists of stories take a range of days with the archive plan, and ignore it with others; with unread ones it damages the list of unread hashes for an hour',
	},
	{
		name: 'read-lists',
		since: '2026',
		description:
			'saved and read stories have their real reading state; read stories can be searched, and cut to feeds after paging',
	},

	{
		name: 'clusters',
		since: '2026',
		description:
			'of similar stories in an answer of a feed or a river, also by hash, one stays and lists the others in `cluster_stories`',
	},

	// Reading state
	{
		name: 'reads-echoed',
		group: 'reads',
		description: 'marking hashes read answers with every hash sent, whatever it is',
	},
	{
		name: 'reads-left-out',
		group: 'reads',
		since: '2026',
		description:
			'marking hashes read answers without those read already, and with the groups of similar stories if the account marks them too',
	},
	{
		name: 'forced-marks',
		since: '2026',
		description:
			'feeds and everything are marked read whatever the stored counts are, except with `direction=newer`',
	},
	{
		name: 'unread-batches',
		description:
			'among several hashes marked unread one that is gone is a 500, and one too old has two entries, the second of success, and stays read',
	},
	{
		name: 'friend-ids',
		description: 'the response to marking stories names the followed people who share one',
	},
	{ name: 'nameless-errors', description: 'errors of marking feeds read name no feed' },
	{
		name: 'silent-marks',
		description: 'deprecated marks stop at a feed not subscribed to, or say nothing of unknown ones',
	},
] as const satisfies readonly Difference[];
