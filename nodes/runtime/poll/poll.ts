import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';
import type { Api } from '../api-types';
import { clock } from '../clock';
import { apiError, chosenEntry, classOf, failureOf, TEMPORARY } from '../errors/errors';
import { withoutSecretMembers } from '../errors/secrets';
import { ParameterReader, readFields } from '../fields/field';
import { valuesOf, type EventRow, type Events, type TriggerItem } from '../table/event';
import { fillMissing, type RecordSchema } from '../table/record';
import { POLL_DEFAULTS, firstPollSettings, pollSettings } from '../table/settings';
import { ServiceApi, type Caller } from '../transport/api';
import { Client } from '../transport/client';
import { findByUrl } from '../transport/find';
import type { Service } from '../transport/service';
import { within } from '../values';
import { thisProcess, type PollOfNode } from './process';
import { digestOf, readState, serialize } from './state';
import { sample, step, type PollSettings, type StepInput } from './step';

/** The time limit of a poll in n8n before 2.38, which doesn't report it. */
const DEFAULT_BUDGET_MS = 300_000;
/** n8n publishes a workflow with a first poll, and gives it up after 84 s (n8n 2.41). */
const FIRST_BUDGET_MS = 80_000;
/** The share of the time limit in which requests may start. The rest is for the last of them. */
const BUDGET_SHARE = 0.75;
/** The longest wait of a poll for the rate limit; the next poll continues. */
const MAX_WAIT_MS = 10_000;
/** The activation modes of a workflow if n8n started, or if another main process is gone. */
const TAKEOVER_MODES = new Set<string>(['init', 'leadershipChange']);
const SAMPLE_SIZE = 3;

interface PollSetup extends Omit<StepInput, 'moment'> {
	context: IPollFunctions;
	service: Service;
	/** The schema of its items; undefined if they are the service's own records. */
	schema?: RecordSchema;
}

/** The poll of every trigger node: reads settings and state, runs the step, saves the state. */
export async function poll(
	context: IPollFunctions,
	service: Service,
	events: Events,
): Promise<INodeExecutionData[][] | null> {
	const pollMs = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	if (context.getMode() === 'manual') return await testEvent(await setUp(context, service, events, pollMs));
	const { id, name, parameters, credentials } = context.getNode();
	const nodeKey = `${context.getWorkflow().id ?? ''} ${id} ${name}`;
	const settings = digestOf(JSON.stringify([parameters, credentials]));
	const running = thisProcess.begin(nodeKey, context, context.getActivationMode(), settings);
	if (!running) return null;
	const budgetMs = running.isFirst ? Math.min(pollMs, FIRST_BUDGET_MS) : pollMs;
	try {
		const signal = AbortSignal.timeout(budgetMs);
		const work = setUp(context, service, events, budgetMs, signal).then(
			async (setup) => await pollAndSave(setup, nodeKey, running),
		);
		const items = await within(signal, work, () => tookTooLong(context, service, budgetMs));
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const failure = failureOf(context.getNode(), error);
		// n8n activates a workflow with a poll. If that fails, n8n does not activate the workflow.
		if (!running.isFirst || !TEMPORARY.has(classOf(error))) throw failure;
		context.logger.warn(`${name} could not poll yet: ${failure.message}`);
		return null;
	} finally {
		running.isOver = true;
	}
}

async function setUp(
	context: IPollFunctions,
	service: Service,
	events: Events,
	budgetMs: number,
	signal?: AbortSignal,
): Promise<PollSetup> {
	const maxWaitMs = Math.min(MAX_WAIT_MS, budgetMs / 4);
	const client = new Client(context, service, { maxWaitMs, signal });
	const deadline = clock.uptime() + budgetMs * BUDGET_SHARE;
	const row = chosenEntry(context.getNode(), 'event', context.getNodeParameter('event', ''), events);
	const api = new ServiceApi(client, { ...callerOf(context, row), deadline });
	const reader = parameterReader(context, service, api);
	const values = await valuesOf(row, reader);
	const key = digestOf(JSON.stringify([context.getNodeParameter('event'), row.watchKey(values)]));
	const { host, lastingAccount } = await api.owner();
	return {
		context,
		service,
		watch: row.watch(values),
		schema: row.output(values),
		subject: { key, account: digestOf(lastingAccount), host },
		settings: await settingsOf(reader),
		api,
	};
}

/** Runs the step and saves the next state. A poll that took too long saves and emits nothing. */
async function pollAndSave(setup: PollSetup, nodeKey: string, running: PollOfNode): Promise<TriggerItem[]> {
	const { context } = setup;
	const staticData = context.getWorkflowStaticData('node');
	const saved = staticData.state;
	const base = digestOf(JSON.stringify(saved ?? null));
	const previous = thisProcess.recall(nodeKey, base) ?? readState(saved);
	const { instance, startedAt } = thisProcess;
	const isTakeover = TAKEOVER_MODES.has(context.getActivationMode());
	const moment = { now: clock.now(), instance, startedAt, isTakeover };
	const { items, state } = await step({ ...setup, moment }, previous);
	if (running.isOver) return [];
	// n8n saves the state of a poll with items, or discards both: then the one before is still needed.
	if (items.length === 0) thisProcess.remember(nodeKey, base, state);
	const next = serialize(state);
	if (JSON.stringify(saved) !== JSON.stringify(next)) staticData.state = next;
	return presented(items, setup);
}

const tookTooLong = (context: IPollFunctions, service: Service, budgetMs: number): Error =>
	apiError(context.getNode(), {
		message: `This poll was not done within ${Math.ceil(budgetMs / 1000)} s, its time limit`,
		description: `Nothing is lost: the next poll tries again. Either ${service.name} is slow or not running, or other nodes of this n8n were first to use its rate limit.`,
		class: 'unavailable',
	});

/** The items with all members of their schema, and without the account's secrets. */
const presented = (items: TriggerItem[], { service, schema }: PollSetup): TriggerItem[] =>
	items.map((item) => {
		const json = schema && !('error' in item.json) ? fillMissing(schema, item.json) : item.json;
		const masked = withoutSecretMembers(json, (member) => service.isSecretMember?.(member, {}) ?? false);
		return { ...item, json: { ...masked, eventId: item.json.eventId } };
	});

/** The caller of a poll's requests, which belong to no item. */
const callerOf = (context: IPollFunctions, { fields }: EventRow): Caller => ({
	labels: Object.values(fields).map(({ label }) => label),
	advice: 'Correct it. If the workflow is published, publish it again.',
	hint: (message) => context.logger.info(`${context.getNode().name}: ${message}`),
});

const parameterReader = (context: IPollFunctions, service: Service, api: Api): ParameterReader =>
	new ParameterReader((parameter) => context.getNodeParameter(parameter, null), {
		timezone: context.getTimezone(),
		parameterError: (...why) => api.parameterError(...why),
		find: async (resource, url) => await findByUrl(api, service.table[resource], url),
	});

async function settingsOf(reader: ParameterReader): Promise<PollSettings> {
	const { maximum = POLL_DEFAULTS.maximum, repeatMinutes = POLL_DEFAULTS.repeatMinutes } = await readFields(
		pollSettings,
		reader.collection('options', 'Options'),
	);
	return { firstCount: await firstCountOf(reader), maximum, reemitWithinMs: repeatMinutes * 60_000 };
}

async function firstCountOf(reader: ParameterReader): Promise<number> {
	const { firstPoll, firstCount } = firstPollSettings;
	const chosen = (await firstPoll.read(reader, 'firstPoll')) ?? POLL_DEFAULTS.firstPoll;
	if (chosen === 'nothing') return 0;
	if (chosen === 'everything') return Infinity;
	return (await firstCount.read(reader, 'firstCount')) ?? POLL_DEFAULTS.firstCount;
}

async function testEvent(setup: PollSetup): Promise<INodeExecutionData[][]> {
	const { context, watch, api } = setup;
	const items = await sample(watch, api, SAMPLE_SIZE);
	if (items.length > 0) return [presented(items, setup)];
	throw new NodeOperationError(context.getNode(), 'There is nothing to show yet', {
		description:
			'Nothing recent matches these settings. Make the event happen once, or publish the workflow.',
	});
}
