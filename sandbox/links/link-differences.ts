import type { Difference } from '../shared/service.ts';

/** Differences of real link service hosts from the contract. */
export const linkDifferences = [
	{
		name: 'total-result',
		description: '`data.result` is the number of all matches, not of the entries returned',
	},
	{
		name: 'campaign-key',
		description: 'create and update of a campaign answer the name under `campaign`, not `domain`',
	},
	{
		name: 'swapped-error',
		description: '`error` is a number in lists and a string elsewhere',
		group: 'error',
	},
	{ name: 'number-error', description: '`error` is a number everywhere', group: 'error' },
	{ name: 'channel-record', description: 'channel update answers the whole channel instead of a message' },
	{ name: 'string-ids', description: 'ids are decimal strings', group: 'ids' },
	{
		name: 'string-listed-ids',
		description: 'ids are decimal strings in the entries of lists, numbers elsewhere',
		group: 'ids',
	},
	{ name: 'string-counts', description: 'counts and page numbers are decimal strings', group: 'counts' },
	{
		name: 'string-listed-counts',
		description: 'counts are decimal strings in the entries of lists; page numbers are numbers',
		group: 'counts',
	},
	{ name: 'numeric-booleans', description: 'booleans are 0 or 1' },
	{ name: 'null-nextpage', description: '`nextpage` is null on the last page' },
	{ name: 'failure-400', description: 'every failure is answered with status 400', group: 'failure' },
	{
		name: 'failure-200',
		description: 'every failure has status 200; only the body shows it',
		group: 'failure',
	},
	{ name: 'empty-object', description: 'the collection of an empty list is an empty object', group: 'empty' },
	{ name: 'empty-missing', description: 'the collection of an empty list is left out', group: 'empty' },
	{ name: 'empty-data', description: '`data` of an empty list is an empty array', group: 'empty' },
	{
		name: 'reset-milliseconds',
		description: '`X-RateLimit-Reset` is in milliseconds since the epoch',
		group: 'reset',
	},
	{ name: 'reset-seconds-left', description: '`X-RateLimit-Reset` is in seconds left', group: 'reset' },
	{ name: 'retry-after-date', description: '`Retry-After` is a date, not seconds' },
	{ name: 'html-429', description: 'too many requests are answered with an HTML page', group: '429' },
	{
		name: 'error-429',
		description: 'too many requests are answered with `error` 429 instead of 1',
		group: '429',
	},
	{ name: 'name-case', description: 'names of campaigns and channels are stored In Title Case' },
	{ name: 'domain-201', description: 'domain add is answered with status 201' },
	{ name: 'update-shorturl', description: 'link update answers `shorturl`, not `short`' },
	{ name: 'no-search', description: 'the list of short links ignores `q`' },
	{
		name: 'newer-links',
		description: 'links carry `uniqueclicks`, `domain`, `campaign` and `channel` as well',
	},
	{
		name: 'link-details',
		description: 'a single link also has `location`, `device`, `expiry`, `cta` and `overlay`',
	},
	{ name: 'zero-statistics', description: 'statistics of nobody are 0 instead of an object' },
	{ name: 'short-created', description: 'link creation answers `short`, not `shorturl`', elsewhere: true },
	{
		name: 'named-data',
		description: '`data` of a QR code of several values is an object with names; an array of them is refused',
	},
	{
		name: 'image-link',
		description:
			'the link of a QR code is its image; what is scanned is another address, and there is no `/download`',
		elsewhere: true,
	},
	{
		name: 'token-scheme',
		description: 'the key is taken as `Authorization: Token …`, not as `Bearer`',
		elsewhere: true,
	},
	{ name: 'translated-conflicts', description: 'conflicts (a taken alias or name) are reported in German' },
] as const satisfies readonly Difference[];

export type LinkDifference = (typeof linkDifferences)[number]['name'];
