import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { createHash } from 'crypto';
import type { Answer, Request } from '../exchange';
import type { Api } from '../table/operation';
import { complete, type RecordKind } from '../table/record';
import { baseUrlOf } from '../credential';
import { Client } from '../transport/client';
import { apiError, inputError } from '../errors/errors';
import { Form } from '../fields/field';
import { ServiceApi, type Asker } from '../transport/api';
import { findByUrl } from '../transport/paging';
import type { Service } from '../transport/service';
import { clock } from '../transport/rateLimit';
import { pollingOf, valuesOf, type EventRow, type Events } from './event';
import { isTransient, withCause } from '../errors/failures';
import { thisProcess, type RunningPoll } from './process';
import { readState, serialize, type State } from './state';
import { sample, step, type Step } from './step';
import { within } from '../promises';
import { isRecord, withoutDepth } from '../values';
import type { Item, Watch } from './watch';

/** n8n's own budget where it tells none (before 2.38). */
const DEFAULT_BUDGET_MS = 300_000;
/** What of the budget is used: the rest is for the request under way. */
const BUDGET_SHARE = 0.75;
/** A poll waits for the rate limit no longer than this: the next poll goes on. */
const MAX_WAIT_MS = 10_000;
/** n8n's scheduler that makes a context for every poll gives polls less than this. */
const LASTING_CONTEXT_BUDGET_MS = 60_000;
/** Why n8n activates a workflow when it starts, and when another main process is gone. */
const TAKING_OVER = new Set<string>(['init', 'leadershipChange']);
/** How many items a test run shows. */
const SAMPLE_SIZE = 3;

/** Answers are cut where they are nested deeper than this: nothing that a service tells is. */
const MOST_LEVELS = 100;

/** What a poll works on. */
interface Subject {
	context: IPollFunctions;
	service: Service;
	/** The node, among all that this process polls. */
	node: string;
	watch: Watch;
	/** What whole items hold, if these are. */
	kind?: RecordKind;
	api: PollApi;
	/** What is watched, in the settings' words. */
	watched: unknown[];
	/** How long n8n gives a poll. */
	budgetMs: number;
}

/** The one poll of every trigger node: reads settings and state, takes the step, saves the state. */
export async function poll(
	context: IPollFunctions,
	service: Service,
	events: Events,
): Promise<INodeExecutionData[][] | null> {
	const subject = await subjectOf(context, service, events);
	if (context.getMode() === 'manual') return await shown(subject);
	const { node, budgetMs } = subject;
	const running = thisProcess.begin(node, clock.now());
	if (!running) return null;
	const call = {
		context,
		isLasting: budgetMs >= LASTING_CONTEXT_BUDGET_MS,
		isUpdate: context.getActivationMode() === 'update',
	};
	try {
		const items = await handedOver(subject, running);
		if (!running.isGivenUp()) thisProcess.succeed(node, call);
		return items.length > 0 ? [presented(items, subject)] : null;
	} catch (error) {
		if (isTransient(error) && thisProcess.tolerates(node, call)) {
			const reason = error instanceof Error ? error.message : String(error);
			context.logger.warn(`${context.getNode().name} could not poll yet: ${reason}`);
			return null;
		}
		throw withCause(error, context.getNode());
	} finally {
		running.end();
	}
}

async function subjectOf(context: IPollFunctions, service: Service, events: Events): Promise<Subject> {
	const budgetMs = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const maxWaitMs = Math.min(MAX_WAIT_MS, budgetMs / 4);
	const client = new Client(context, service, { maxWaitMs });
	const deadline = clock.now() + budgetMs * BUDGET_SHARE;
	const row = chosen(context, events);
	const api = new PollApi(client, askerOf(context), deadline);
	const values = await valuesOf(row, formOf(context, service, api));
	return {
		context,
		service,
		node: `${context.getWorkflow().id ?? ''} ${context.getNode().id} ${context.getNode().name}`,
		watch: row.watch(values),
		kind: context.getNode().typeVersion >= service.wholeRecordsSince ? row.gives?.(values) : undefined,
		api,
		watched: [context.getNodeParameter('event'), row.scope(values)],
		budgetMs,
	};
}

/** Takes the step and saves the next state; none is handed over if the poll was given up meanwhile. */
async function handedOver(subject: Subject, running: RunningPoll): Promise<Item[]> {
	const { context, node } = subject;
	const staticData = context.getWorkflowStaticData('node');
	const saved = staticData.state;
	const { items, state } = await nextStep(subject, saved);
	if (running.isGivenUp()) return [];
	if (items.length > 0) thisProcess.forget(node);
	else thisProcess.remember(node, saved, state);
	const next = serialize(state);
	if (JSON.stringify(saved) !== JSON.stringify(next)) staticData.state = next;
	return items;
}

async function nextStep(subject: Subject, saved: unknown): Promise<Step> {
	const { context, service, node, watch, api, watched, budgetMs } = subject;
	const key = await keyOf(context, service, watched);
	const settings = { key, ...(await pollingOf(formOf(context, service, api))) };
	const former = thisProcess.recall(node, saved) ?? stateOf(context, watch, saved);
	const isOfOther = former !== undefined && former.key !== key;
	const { instance, startedAt } = thisProcess;
	const moment = {
		now: clock.now(),
		instance,
		startedAt,
		isFirstPoll: thisProcess.isFirstPoll(node),
		tookOver: TAKING_OVER.has(context.getActivationMode()),
	};
	const next = step(
		{ watch, settings, api, moment },
		isOfOther ? { ...former, cursor: undefined, handedOver: undefined } : former,
	);
	return await within(budgetMs, next, () => tookTooLong(context, service, budgetMs));
}

const tookTooLong = (context: IPollFunctions, service: Service, budgetMs: number): Error =>
	apiError(context.getNode(), {
		message: `No answer from ${service.name} within the ${Math.ceil(budgetMs / 1000)} s that n8n gives a poll`,
		description: 'Nothing is lost: the next poll asks again. Check that the service runs.',
		cause: 'temporarily-unavailable',
	});

/** Items as they are handed on: whole, and without the secrets that answers bring unasked. */
const presented = (items: Item[], { service, kind }: Subject): Item[] =>
	items.map((item) => {
		const json = kind && !('error' in item.json) ? complete(kind, item.json) : item.json;
		return { ...item, json: { ...(service.mask?.(json, {}) ?? json), eventId: item.json.eventId } };
	});

function chosen(context: IPollFunctions, events: Events): EventRow {
	const name = String(context.getNodeParameter('event', ''));
	const row = events[name];
	if (row) return row;
	const known = Object.keys(events).join(', ');
	throw inputError(context.getNode(), `There is no event "${name}" to trigger on`, `Use one of: ${known}`);
}

/** Whom requests and parameters belong to: to no item. */
const askerOf = (context: IPollFunctions): Asker => ({
	item: 0,
	mention: '',
	advice: 'Correct it and publish the workflow again',
	hint: (message) => context.logger.info(`${context.getNode().name}: ${message}`),
});

/** The node's parameters. */
const formOf = (context: IPollFunctions, service: Service, api: Api): Form =>
	new Form((parameter) => context.getNodeParameter(parameter, null), {
		timezone: context.getTimezone(),
		version: context.getNode().typeVersion,
		refuse: (...why) => api.refuse(...why),
		find: async (resource, url) => await findByUrl(api, service.table[resource], url),
	});

/** What tells what is watched, and in whose account: a new password or key of it makes no difference where it has a name. */
async function keyOf(context: IPollFunctions, service: Service, watched: unknown[]): Promise<string> {
	const node = context.getNode();
	const data = await context.getCredentials<ICredentialDataDecryptedObject>(service.credentialType(node));
	const identity = service.identity(data, node);
	const secrets = new Set(service.secrets(data));
	const named = identity.filter((part) => part !== '' && !secrets.has(part));
	const account = [baseUrlOf(data) ?? '', ...(named.length > 0 ? named : identity)];
	return createHash('sha256')
		.update(JSON.stringify([watched, account]))
		.digest('base64url');
}

/** The saved state; one that can't be read is reported, and what is there then counts as known. */
function stateOf(context: IPollFunctions, watch: Watch, saved: unknown): State | undefined {
	const read = readState(saved);
	if (read === 'none') return undefined;
	if (read !== 'broken' && watch.read(read.state.cursor) !== undefined) return read.state;
	context.logger.warn(
		`${context.getNode().name} cannot read what it remembered: it begins anew, and nothing that is there now counts as new`,
	);
	return { key: '', cursor: undefined };
}

async function shown(subject: Subject): Promise<INodeExecutionData[][]> {
	const { context, watch, api } = subject;
	const items = await sample(watch, api, SAMPLE_SIZE);
	if (items.length > 0) return [presented(items, subject)];
	throw new NodeOperationError(context.getNode(), 'There is nothing to show yet', {
		description:
			'Nothing in this account is what this trigger waits for with these settings. Make it happen once, or publish the workflow.',
	});
}

/** Asks a service during one poll, which has so much time. No single record of an answer stops a poll. */
export class PollApi extends ServiceApi {
	private longestMs = 0;

	constructor(
		client: Client,
		asker: Asker,
		/** Epoch milliseconds at which the poll should be over. */
		private readonly deadline: number,
	) {
		super(client, asker);
	}

	override hasTime(): boolean {
		return clock.now() + this.longestMs < this.deadline;
	}

	override async send(request: Request): Promise<Answer> {
		const startedAt = clock.now();
		try {
			const answer = await super.send(request);
			return { ...answer, json: withoutDepth(answer.json, MOST_LEVELS) };
		} finally {
			this.longestMs = Math.max(this.longestMs, clock.now() - startedAt);
		}
	}

	protected override usable(found: unknown[]): unknown[] {
		const records = found.filter(isRecord);
		const strays = found.length - records.length;
		if (strays > 0) this.hint(`Left out of a list, for they are no records: ${strays}`);
		return records;
	}
}
