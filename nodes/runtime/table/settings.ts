import { choice, flag, integer } from '../fields/kinds';
import type { Existing } from './listing';
import type { Operation } from './operation';

/** What a run uses unless the user sets it. */
export const RUN_DEFAULTS = { batchSize: 100, concurrency: 3, maximumWait: 600 };

export const runSettings = {
	batchSize: integer('Batch Size', {
		min: 1,
		default: RUN_DEFAULTS.batchSize,
		description: 'How many entries share one request, for operations that take several',
	}),
	concurrency: integer('Concurrent Requests', {
		min: 1,
		max: 20,
		default: RUN_DEFAULTS.concurrency,
		description:
			'How many requests that read are sent at the same time; writes go one after the other, in the order of the items',
	}),
	maximumWait: integer('Maximum Wait (Seconds)', {
		min: 0,
		default: RUN_DEFAULTS.maximumWait,
		description: 'How long a request whose turn it is may wait for the rate limit before its item fails',
	}),
};

export type RunSettings = typeof RUN_DEFAULTS;

export const itemSettings = {
	rawResponse: flag('Raw Response', 'to return the service’s own response; items that share one each get it'),
	wholeRecord: flag(
		'Whole Record',
		'to read the record after writing it, for fields that the response lacks. Has no effect with Raw Response.',
	),
};

export const listSettings = {
	returnAll: flag('Return All', 'to return all results or only up to a given limit'),
	limit: integer('Limit', { min: 1, default: 50, description: 'Max number of results to return' }),
};

export const simplifySetting = flag(
	'Simplify',
	'to return a simplified version of the response instead of the raw data',
	{ default: true },
);

export const ifExistsField = ({ matchedBy }: Existing) =>
	choice(
		'If Exists',
		{
			create: { name: 'Create Another', description: 'Create without checking' },
			fail: { name: 'Fail', description: `Fail if there is one ${matchedBy}` },
			return: {
				name: 'Return Existing',
				description: `Return the one ${matchedBy}; if there is none, create one`,
			},
			update: {
				name: 'Update Existing',
				description: `Change the one ${matchedBy}; if there is none, create one`,
			},
		},
		{
			default: 'create',
			description: 'What to do if the record exists already',
		},
	);

export type IfExists = 'create' | 'fail' | 'return' | 'update';

/** Whether an operation offers Return All and Limit. */
export const isList = ({ paging }: Operation): boolean => paging !== undefined;

/** The default settings of a poll. They also replace blank ones. */
export const POLL_DEFAULTS = {
	firstPoll: 'nothing',
	firstCount: 10,
	maximum: 50,
	repeatMinutes: 10,
} as const;

export const firstPollSettings = {
	firstPoll: choice(
		'When First Published',
		{
			everything: { name: 'All Existing', description: 'Emit all; of some lists, only the newest pages' },
			last: { name: 'Latest Ones', description: 'Emit the newest of what exists already' },
			nothing: { name: 'Skip Existing', description: 'Emit only what is new after publishing' },
		},
		{
			default: POLL_DEFAULTS.firstPoll,
			description: 'What to emit when the workflow is first published; after that, only new events',
		},
	),

	firstCount: integer('How Many', {
		min: 1,
		max: 1000,
		default: POLL_DEFAULTS.firstCount,
		description: 'How many of the newest existing entries to emit',
	}),
};

export const pollSettings = {
	maximum: integer('Maximum per Poll', {
		min: 1,
		max: 1000,
		default: POLL_DEFAULTS.maximum,
		description: 'How many items one poll emits at most; the rest follows at the next poll',
	}),
	repeatMinutes: integer('Repeat After Restart (Minutes)', {
		min: 0,
		max: 1440,
		default: POLL_DEFAULTS.repeatMinutes,
		description:
			'A restart or crash within this time after a poll repeats its items; 0 never repeats, but may lose some',
	}),
};
