import type { Values } from '../fields/field';
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
		description: 'How many entries share one request, for operations that take several',
	}),
	concurrency: integer('Concurrent Requests', {
		min: 1,
		max: 20,
		default: DEFAULT_CONCURRENCY,
		description: 'How many items are processed at the same time; 1 keeps their order',
	}),
	maximumWait: integer('Maximum Wait (Seconds)', {
		min: 0,
		default: DEFAULT_MAX_WAIT_S,
		description: 'How long a request may wait for the rate limit before its item fails',
	}),
};

export type Settings = Partial<Values<typeof runSettings>>;

/** Options of one item. */
export const itemSettings = {
	rawResponse: flag('Raw Response', 'to return the service’s response unchanged, one item per response'),
	wholeRecord: flag(
		'Whole Record',
		'to request the record after writing it, so that every field that the service knows is filled',
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
export const ifExistsField = ({ matchedBy, update }: Existing) =>
	choice(
		'If Exists',
		{
			create: { name: 'Create Another', description: 'Create without checking' },
			fail: { name: 'Fail', description: `Fail if there is one ${matchedBy}` },
			return: {
				name: 'Return Existing',
				description: `Return the one ${matchedBy}; otherwise create it`,
			},
			update: {
				name: 'Update Existing',
				description: `Change the one ${update?.matchedBy ?? matchedBy}; otherwise create it`,
			},
		},
		{
			default: 'create',
			description: 'What to do if it already exists',
		},
	);
