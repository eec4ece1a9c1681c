import type { Difference } from '../../shared/service.ts';

/** Rate limits. */
export const limitDifferences = [
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
