/** The times and numbers of a poll: its time limit, temporary failures and test runs. */
import type { IPollFunctions } from 'n8n-workflow';
import type { Api, FailureClass } from '../../nodes/runtime/api-types';
import { linkManager } from '../../nodes/LinkManager/service';
import { clock } from '../../nodes/runtime/clock';
import { poll } from '../../nodes/runtime/poll/poll';
import type { State } from '../../nodes/runtime/poll/state';
import { step, type Subject } from '../../nodes/runtime/poll/step';
import { event, type Watch } from '../../nodes/runtime/table/event';
import { makeVirtual } from '../support/clock';
import { contextOf } from '../support/hosts/service-context';
import { DEFAULT_SETTINGS, SUBJECT, WorldApi } from './trigger-world';
import { failureOfClass } from '../support/responses';

beforeEach(() => void makeVirtual(clock));

/** A watch that finds nothing, with some members replaced. */
const watchWith = (members: Partial<Watch>): Watch => ({
	snapshot: async () => ({}),
	baseline: () => ({}),
	next: async (cursor) => ({ items: [], emitted: [], cursor }),
	restore: async () => [],
	...members,
});

/** Polls a trigger of a workflow as n8n does, each time with a new context. */
const pollOnce = async (workflow: string, watch: Watch, members: Partial<IPollFunctions> = {}) => {
	const context = {
		...contextOf(() => ({})).context,
		getMode: () => 'trigger',
		getActivationMode: () => 'update',
		getWorkflow: () => ({ id: workflow }),
		getNodeParameter: (name: string, fallback: unknown) => (name === 'event' ? 'any' : fallback),
		getWorkflowStaticData: () => ({}),
		getTimezone: () => 'UTC',
		logger: { warn: () => undefined },
		...members,
	} as unknown as IPollFunctions;
	const any = event({
		name: 'Any',
		description: 'Any event',
		fields: {},
		watchKey: () => null,
		watch: () => watch,
		output: () => undefined,
	});
	return await poll(context, linkManager, { any });
};

it('starts requests during three quarters of n8n’s five minutes; the first poll of a node only for a minute', async () => {
	const hadTime: boolean[] = [];
	const polled = async (ms: number) => {
		const snapshot = async (_: unknown, api: Api): Promise<void> => {
			await clock.sleep(ms - 1);
			hadTime.push(api.hasTime());
			await clock.sleep(1);
			hadTime.push(api.hasTime());
		};
		await pollOnce('slow', watchWith({ snapshot }));
	};
	await polled(60_000);
	await polled(225_000);
	expect(hadTime).toEqual([true, false, true, false]);
});

it('ignores a temporary failure of the first poll of a node in a process, and of no other', async () => {
	const failing = (failureClass: FailureClass) =>
		watchWith({ snapshot: async () => await Promise.reject(failureOfClass(failureClass, 'Away')) });
	expect(await pollOnce('new', failing('unavailable'))).toBeNull();
	await expect(pollOnce('new', failing('unavailable'))).rejects.toThrow('Away');
	await expect(pollOnce('other', failing('loginRefused'))).rejects.toThrow('Away');
});

it('shows the last three items in a test run', async () => {
	const emitCounts: number[] = [];
	const item = { json: { eventId: '1' } };
	const watch = watchWith({
		baseline: (_, emitCount) => emitCounts.push(emitCount),
		next: async (cursor, _, maximum) => {
			emitCounts.push(maximum);
			return { items: [item], emitted: [], cursor };
		},
	});
	expect(await pollOnce('manual', watch, { getMode: () => 'manual' })).toEqual([[item]]);
	expect(emitCounts).toEqual([3, 3]);
});

/** Runs one poll with these members of its subject and state. All others are the same in each test. */
async function stepOf(subject: Partial<Subject>, state: Partial<State>, user?: string) {
	const baseline = jest.fn(() => ({}));
	const api: Api = new WorldApi({ ask: () => ({}) });
	api.user = user;
	const moment = { now: 0, instance: 'process 1', startedAt: 0, isTakeover: false };
	const next = await step(
		{
			watch: watchWith({ baseline }),
			subject: { ...SUBJECT, ...subject },
			settings: DEFAULT_SETTINGS,
			api,
			moment,
		},
		{ key: '', account: '', cursor: {}, ...state },
	);
	return { ...next, startedOver: baseline.mock.calls.length > 0 };
}

it.each([
	['another credential of the same user', 'host 7', 'host', '7', 'two', false],
	['another user of the same credential', 'host 7', 'host', '8', 'one', true],
	['the same user at another host', 'host 7', 'other', '7', 'two', true],
	['another credential, if the service names no user', undefined, 'host', undefined, 'two', true],
	['the same credential, if the service names no user', undefined, 'host', undefined, 'one', false],
])('starts over only for another account: %s', async (_, before, host, user, account, startsOver) => {
	const { startedOver, state } = await stepOf({ account, host }, { account: 'one', user: before }, user);
	expect(startedOver).toBe(startsOver);
	expect(state).toMatchObject({ account });
});
