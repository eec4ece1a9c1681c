import type { Difference } from '../../shared/service.ts';

/** People: profiles, shares, comments and replies. */
export const peopleDifferences = [
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
	{
		name: 'share-reads',
		description:
			'stories that were marked read with their whole feed stay unread in share feeds; a share feed with an unread count of zero is marked',
	},
	{
		name: 'follow-order',
		description:
			'share feeds come in the order they were followed, the own one first; of a story in several the last one counts',
	},
	{
		name: 'stale-share-counts',
		description:
			'how many stories somebody shares is counted when they share, follow or are looked at, not when they take one back',
	},
	{
		name: 'kept-figures',
		description:
			'how many stories somebody shares a month, and of which feeds, is counted when their statistics or the trainer are looked at',
	},
	{
		name: 'linked-comments',
		description: 'comments and replies lose their tags, and web addresses in them become links',
	},
	{
		name: 'protected-replies',
		description: 'replies to protected accounts are refused to those who do not follow them',
	},
	{ name: 'last-comments-first', description: 'the comments of a story come newest first' },
	{ name: 'share-marks', description: 'a share feed marked read shows nothing of before oldest first' },
	{ name: 'html-comments', description: 'public comments as HTML are those of people followed too' },
	{
		name: 'private-feeds',
		description:
			'of a private share feed the RSS is a 403 without a body, for followers too; its stories are none and a message',
	},
	{
		name: 'closed-interactions',
		since: '2026',
		description: "another user's interactions, and their view of the river, are refused",
	},
	{
		name: 'slash-after-id',
		description:
			'share feed addresses need the slash after the id; the RSS one redirects to the full address',
	},
] as const satisfies readonly Difference[];
