import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { createHash } from 'crypto';
import type { Api, ApiRequest, ApiResponse } from '../api-types';
import { clock } from '../clock';
import { baseUrlOf } from '../credential';
import { apiError, classOf, failureOf, inputError, TEMPORARY } from '../errors/errors';
import { withoutSecretMembers } from '../errors/secrets';
import { ParameterReader, readFields } from '../fields/field';
import { valuesOf, type EventRow, type Events, type TriggerItem, type Watch } from '../table/event';
import { fillMissing, type RecordSchema } from '../table/record';
import { POLL_DEFAULTS, firstPollSettings, pollSettings } from '../table/settings';
import { ServiceApi, type Caller } from '../transport/api';
import { Client } from '../transport/client';
import { findByUrl } from '../transport/lists';
import type { Service } from '../transport/service';
import { isRecord, reasonOf, within } from '../values';
import { thisProcess, type RunningPoll } from './process';
import { readState, serialize, type State } from './state';
import { sample, step, type PollSettings, type Step } from './step';

/** The time limit of a poll in n8n before 2.38, which doesn't report it. */
const DEFAULT_BUDGET_MS = 300_000;
/** The share of the time limit in which requests may start. The rest is for the last of them. */
const BUDGET_SHARE = 0.75;
/** The longest wait of a poll for the rate limit; the next poll continues. */
const MAX_WAIT_MS = 10_000;
/** n8n's durable scheduler makes a new context for every poll, and gives a poll less time than this. */
const LASTING_CONTEXT_BUDGET_MS = 60_000;
/** The activation modes of a workflow if n8n started, or if another main process is gone. */
const TAKEOVER_MODES = new Set<string>(['init', 'leadershipChange']);
/** A poll fails if the rate limit has prevented all progress for this long. */
const MAX_REFUSED_MS = 30 * 60_000;
/** Replaces a saved state that can't be read. With a state, `step` treats existing records as known. */
const UNREADABLE: State = { key: '', account: '', cursor: undefined };
/** Of a hash in a state, in characters. */
const DIGEST_LENGTH = 16;
/** How many items a test run shows. */
const SAMPLE_SIZE = 3;

/** Everything that a poll needs. */
interface PollSetup {
	context: IPollFunctions;
	service: Service;
	/** Identifies the node among all nodes that this process polls. */
	nodeKey: string;
	reader: ParameterReader;
	watch: Watch;
	/** The schema of its items; undefined if they are the service's own records. */
	schema?: RecordSchema;
	api: PollApi;
	/** Identifies the watched data. */
	watched: unknown[];
}

/** The poll of every trigger node: reads settings and state, runs the step, saves the state. */
export async function poll(
	context: IPollFunctions,
	service: Service,
	events: Events,
): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return await testEvent(await setUp(context, service, events));
	const budgetMs = budgetOf(context);
	const nodeKey = nodeKeyOf(context);
	const running = thisProcess.begin(nodeKey, clock.uptime());
	if (!running) return null;
	const call = {
		context,
		isLasting: budgetMs >= LASTING_CONTEXT_BUDGET_MS,
		isUpdate: context.getActivationMode() === 'update',
	};
	try {
		const work = setUp(context, service, events).then(async (setup) => await pollAndSave(setup, running));
		const items = await within(AbortSignal.timeout(budgetMs), work, () =>
			tookTooLong(context, service, budgetMs),
		);
		if (!running.isAbandoned()) thisProcess.noteSuccess(nodeKey, call);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		if (TEMPORARY.has(classOf(error)) && thisProcess.noteFailure(nodeKey, call)) {
			const reason = reasonOf(error);
			context.logger.warn(`${context.getNode().name} could not poll yet: ${reason}`);
			return null;
		}
		throw failureOf(context.getNode(), error);
	} finally {
		running.end();
	}
}

const budgetOf = (context: IPollFunctions): number => context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;

const nodeKeyOf = (context: IPollFunctions): string =>
	`${context.getWorkflow().id ?? ''} ${context.getNode().id} ${context.getNode().name}`;

async function setUp(context: IPollFunctions, service: Service, events: Events): Promise<PollSetup> {
	const budgetMs = budgetOf(context);
	const maxWaitMs = Math.min(MAX_WAIT_MS, budgetMs / 4);
	const client = new Client(context, service, { maxWaitMs });
	const deadline = clock.uptime() + budgetMs * BUDGET_SHARE;
	const row = chosenEvent(context, events);
	const api = new PollApi(client, callerOf(context), deadline);
	const reader = parameterReader(context, service, api);
	const values = await valuesOf(row, reader);
	return {
		context,
		service,
		nodeKey: nodeKeyOf(context),
		reader,
		watch: row.watch(values),
		schema: row.output?.(values),
		api,
		watched: [context.getNodeParameter('event'), row.watchKey(values)],
	};
}

/** Runs the step and saves the next state. An abandoned poll saves and emits nothing. */
async function pollAndSave(setup: PollSetup, running: RunningPoll): Promise<TriggerItem[]> {
	const { context, nodeKey } = setup;
	const staticData = context.getWorkflowStaticData('node');
	const saved = staticData.state;
	const { items, state, refusal } = await takeStep(setup, saved);
	if (running.isAbandoned()) return [];
	if (items.length > 0) thisProcess.forget(nodeKey);
	else thisProcess.remember(nodeKey, saved, state);
	const next = serialize(state);
	if (JSON.stringify(saved) !== JSON.stringify(next)) staticData.state = next;
	tolerateRefusal(setup, refusal);
	return presented(items, setup);
}

/** Runs the step on the state that this process remembers, or else on the saved one. */
async function takeStep(setup: PollSetup, saved: unknown): Promise<Step> {
	const { context, nodeKey, reader, watch, api } = setup;
	const settings = { ...(await ownerOf(setup)), ...(await settingsOf(reader)) };
	const previous = thisProcess.recall(nodeKey, saved) ?? stateOf(context, saved);
	const { instance, startedAt } = thisProcess;
	const moment = {
		now: clock.now(),
		instance,
		startedAt,
		isFirstPoll: thisProcess.isFirstPoll(nodeKey),
		isTakeover: TAKEOVER_MODES.has(context.getActivationMode()),
	};
	return await step({ watch, settings, api, moment }, previous);
}

/** Ignores a refusal by the rate limit, because the next poll continues. Throws it if refusals went on for too long. */
function tolerateRefusal({ context, nodeKey }: PollSetup, refusal: unknown): void {
	if (refusal === undefined) return thisProcess.clearRefusals(nodeKey);
	if (thisProcess.noteRefusal(nodeKey, clock.uptime()) < MAX_REFUSED_MS) return;
	thisProcess.clearRefusals(nodeKey);
	context.logger.warn(
		`${context.getNode().name} found and emitted nothing for ${MAX_REFUSED_MS / 60_000} minutes: the rate limit refused its requests`,
	);
	throw refusal as Error;
}

const tookTooLong = (context: IPollFunctions, service: Service, budgetMs: number): Error =>
	apiError(context.getNode(), {
		message: `No response from ${service.name} within ${Math.ceil(budgetMs / 1000)} s, n8n's time limit of a poll`,
		description: 'Nothing is lost: the next poll tries again. Check that the service is running.',
		class: 'unavailable',
	});

/** The items with all members of their schema, and without the account's secrets. */
const presented = (items: TriggerItem[], { service, schema }: PollSetup): TriggerItem[] =>
	items.map((item) => {
		const json = schema && !('error' in item.json) ? fillMissing(schema, item.json) : item.json;
		const masked = withoutSecretMembers(json, (member) => service.isSecretMember?.(member, {}) ?? false);
		return { ...item, json: { ...masked, eventId: item.json.eventId } };
	});

function chosenEvent(context: IPollFunctions, events: Events): EventRow {
	const name = String(context.getNodeParameter('event', ''));
	const row = events[name];
	if (row) return row;
	const known = Object.keys(events).join(', ');
	throw inputError(
		context.getNode(),
		`Trigger On "${name}" is not an event of this node`,
		`Use one of: ${known}`,
	);
}

/** The caller of a poll's requests, which belong to no item. */
const callerOf = (context: IPollFunctions): Caller => ({
	advice: 'Correct it and publish the workflow again',
	hint: (message) => context.logger.info(`${context.getNode().name}: ${message}`),
});

/** The node's parameters. */
const parameterReader = (context: IPollFunctions, service: Service, api: Api): ParameterReader =>
	new ParameterReader((parameter) => context.getNodeParameter(parameter, null), {
		timezone: context.getTimezone(),
		parameterError: (...why) => api.parameterError(...why),
		find: async (resource, url) => await findByUrl(api, service.table[resource], url),
	});

async function settingsOf(reader: ParameterReader): Promise<Omit<PollSettings, keyof Owner>> {
	const firstPoll = (await firstPollSettings.firstPoll.read(reader, 'firstPoll')) ?? POLL_DEFAULTS.firstPoll;
	const firstCount =
		firstPoll === 'last' ? await firstPollSettings.firstCount.read(reader, 'firstCount') : undefined;
	const { maximum = POLL_DEFAULTS.maximum, repeatMinutes = POLL_DEFAULTS.repeatMinutes } = await readFields(
		pollSettings,
		reader.collection('options', 'Options'),
	);
	return {
		firstPoll,
		firstCount: firstCount ?? POLL_DEFAULTS.firstCount,
		maximum,
		reemitWithinMs: repeatMinutes * 60_000,
	};
}

type Owner = Pick<PollSettings, 'key' | 'account' | 'host'>;

/** Identifies the watched data and the account. A new password doesn't change it if the account has a name. */
async function ownerOf({ context, service, watched }: PollSetup): Promise<Owner> {
	const node = context.getNode();
	const data = await context.getCredentials<ICredentialDataDecryptedObject>(service.credentialType(node));
	const identity = service.identity(data, node);
	const secrets = new Set(service.secrets(data));
	const named = identity.filter((part) => part !== '' && !secrets.has(part));
	const host = hostOf(baseUrlOf(data) ?? '');
	return { key: digest(watched), account: digest([host, ...(named.length > 0 ? named : identity)]), host };
}

const digest = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, DIGEST_LENGTH);

/** An address without what can be written in several ways: the scheme, and the names of this machine. */
const hostOf = (address: string): string =>
	address.replace(/^https?:\/\//, '').replace(/^(127\.0\.0\.1|\[::1\])(?=[:/]|$)/, 'localhost');

/** The saved state. A broken state is reported; then all existing records count as known. */
function stateOf(context: IPollFunctions, saved: unknown): State | undefined {
	const read = readState(saved);
	if (read === 'none') return undefined;
	if (read !== 'broken') return read.state;
	context.logger.warn(
		`${context.getNode().name} cannot read its saved state: it starts again, and skips everything that exists now`,
	);
	return UNREADABLE;
}

async function testEvent(setup: PollSetup): Promise<INodeExecutionData[][]> {
	const { context, watch, api } = setup;
	const items = await sample(watch, api, SAMPLE_SIZE);
	if (items.length > 0) return [presented(items, setup)];
	throw new NodeOperationError(context.getNode(), 'There is nothing to show yet', {
		description:
			'This account has no data for this event with these settings. Make the event happen once, or publish the workflow.',
	});
}

/** The `Api` of one poll. It knows when the poll must end, and skips invalid records instead of failing the poll. */
export class PollApi extends ServiceApi {
	private longestMs = 0;

	constructor(
		client: Client,
		caller: Caller,
		/** When the poll should end, on the monotonic clock. */
		private readonly deadline: number,
	) {
		super(client, caller);
	}

	override hasTime(): boolean {
		return clock.uptime() + this.longestMs < this.deadline;
	}

	override async send(request: ApiRequest): Promise<ApiResponse> {
		const startedAt = clock.uptime();
		try {
			return await super.send(request);
		} finally {
			this.longestMs = Math.max(this.longestMs, clock.uptime() - startedAt);
		}
	}

	protected override usable(found: unknown[]): unknown[] {
		const records = found.filter(isRecord);
		const strays = found.length - records.length;
		if (strays > 0) this.hint(`Skipped ${strays} list entries that are not objects`);
		return records;
	}
}
