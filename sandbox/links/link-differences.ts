import type { Difference } from '../shared/service.ts';

/** Differences of single link service hosts from their variant. */
export const linkDifferences = [
	{ name: 'number-error', description: '`error` is a number everywhere' },
	{
		name: 'string-listed-ids',
		description: 'ids are decimal strings in the entries of lists, numbers elsewhere',
	},
	{
		name: 'string-listed-counts',
		description: 'counts are decimal strings in the entries of lists; page numbers are numbers',
	},
	{
		name: 'link-details',
		description: 'a single link also has `location`, `device`, `expiry`, `cta` and `overlay`',
	},
	{ name: 'reset-seconds-left', description: '`X-RateLimit-Reset` is the number of seconds left' },
	{
		name: 'image-link',
		description:
			'the link of a QR code is its image, scanners open another address, and there is no `/download`',
	},
	{ name: 'token-scheme', description: 'the API key is sent as `Authorization: Token …`, not as `Bearer`' },
] as const satisfies readonly Difference[];

export type LinkDifference = (typeof linkDifferences)[number]['name'];
