import type { Difference } from '../shared/service.ts';

/** How hosts of the link service seen in the wild differ from the contract. */
export const linkDifferences = [
	{
		name: 'total-result',
		description: '`data.result` is the number of all matches, not of the entries returned',
	},
] as const satisfies readonly Difference[];

export type LinkDifference = (typeof linkDifferences)[number]['name'];
