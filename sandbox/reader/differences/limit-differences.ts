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
		name: 'exact-limits',
		group: 'view-limits',
		since: '2026',
		description:
			'limits as before, also for original texts and saved stories; refused calls are not counted, Retry-After is exact, and access tokens of one address share a counter',
	},
	{
		name: 'attack-ban',
		since: '2026',
		description:
			'texts that look like an attack (as `${`, `<script`, `javascript:`) are a 403 with JSON, and so is everything from that address for a day',
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
