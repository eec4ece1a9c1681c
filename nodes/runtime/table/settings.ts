import { choice } from '../fields/kinds';
import type { Existing } from './operation';

/** How many items are worked on at the same time, unless the user says otherwise. */
export const DEFAULT_CONCURRENCY = 3;
/** How long one request may wait for the rate limit, in seconds, unless the user says otherwise. */
export const DEFAULT_MAX_WAIT_S = 600;

/** What to do about a record that exists already. */
export const ifExistsField = ({ sameness }: Existing) =>
	choice(
		'If Exists',
		{
			create: { name: 'Create Another', description: 'Create without looking' },
			fail: { name: 'Fail', description: `Stop with an error if there is one ${sameness}` },
			return: {
				name: 'Return Existing',
				description: `Return the one ${sameness}, if there is one`,
			},
		},
		{
			default: 'create',
			description: 'What to do when it already exists, so that a workflow can run again',
		},
	);
