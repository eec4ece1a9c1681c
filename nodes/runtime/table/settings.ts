import type { Values } from '../fields/field';
import { shownIf, SINCE_VERSION_1_1 } from '../fields/compound';
import { choice, flag, integer } from '../fields/kinds';
import type { Existing } from './listing';

/** How many items are worked on at the same time, unless the user says otherwise. */
export const DEFAULT_CONCURRENCY = 3;
/** How long one request may wait for the rate limit, in seconds, unless the user says otherwise. */
export const DEFAULT_MAX_WAIT_S = 600;

/** Options of a whole run. */
export const runSettings = {
	batchSize: integer('Batch Size', {
		min: 1,
		default: 100,
		description: 'How many entries of all items go into one request, where an operation takes many',
	}),
	concurrency: integer('Concurrent Requests', {
		min: 1,
		max: 20,
		default: DEFAULT_CONCURRENCY,
		description: 'How many items are worked on at the same time; 1 keeps strictly to their order',
	}),
	maximumWait: integer('Maximum Wait (Seconds)', {
		min: 0,
		default: DEFAULT_MAX_WAIT_S,
		description: 'How long one request may wait for the rate limit before its item fails',
	}),
};

export type Settings = Partial<Values<typeof runSettings>>;

/** Options of one item. */
export const itemSettings = {
	rawAnswer: flag('Raw Answer', 'to return what the service answered untouched, one item per answer'),
	wholeRecord: shownIf(
		SINCE_VERSION_1_1,
		flag(
			'Whole Record',
			'to ask for the record that was written, so that nothing of it is blank that the service knows',
		),
	),
};

/** What lists offer beside their filters. */
export const listSettings = {
	returnAll: flag('Return All', 'to return all results or only up to a given limit'),
	limit: integer('Limit', { min: 1, default: 50, description: 'Max number of results to return' }),
};

/** Offered where a record has a form that most people want. */
export const simplifySetting = flag(
	'Simplify',
	'to return a simplified version of the response instead of the raw data',
	{ default: true },
);

/** What to do about a record that exists already. */
export const ifExistsField = ({ sameness, update }: Existing) =>
	choice(
		'If Exists',
		{
			create: { name: 'Create Another', description: 'Create without looking' },
			fail: { name: 'Fail', description: `Stop with an error if there is one ${sameness}` },
			return: {
				name: 'Return Existing',
				description: `Return the one ${sameness}, if there is one`,
			},
			update: {
				name: 'Update Existing',
				description: `Change the one ${update?.sameness ?? sameness}, if there is one`,
			},
		},
		{
			default: 'create',
			description: 'What to do when it already exists, so that a workflow can run again',
		},
	);
