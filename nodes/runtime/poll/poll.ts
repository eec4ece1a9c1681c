import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { createHash } from 'crypto';
import { baseUrlOf, Client } from '../transport/client';
import { apiError, inputError } from '../errors/errors';
import type { Form } from '../fields/field';
import { ServiceApi, type Asker } from '../transport/api';
import { findByUrl } from '../transport/paging';
import type { Service } from '../transport/service';
import { clock } from '../transport/rateLimit';
import { within } from './timeLimit';
import { pollingOf, valuesOf, type EventRow, type Events } from './event';
import { explained, isPassing } from './failures';
import { here } from './here';
import { PollApi } from './source';
import { readState, written, type State } from './state';
import { sample, step } from './step';
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

/** The one poll of every trigger node: reads settings and state, takes the step, saves the state. */
export async function poll(
	context: IPollFunctions,
	service: Service,
	events: Events,
): Promise<INodeExecutionData[][] | null> {
	const budgetMs = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const source = sourceOf(context, service, budgetMs);
	const row = chosen(context, events);
	const form = formOf(context, service);
	const values = await valuesOf(row, form);
	const watch = row.watch(values);
	if (context.getMode() === 'manual') return await shown(context, service, watch, source);

	const node = `${context.getWorkflow().id ?? ''} ${context.getNode().id} ${context.getNode().name}`;
	const { memory, instance, startedAt } = here;
	const call = {
		context,
		isLasting: budgetMs >= LASTING_CONTEXT_BUDGET_MS,
		isUpdate: context.getActivationMode() === 'update',
	};
	const turn = memory.enter(node, clock.now());
	if (!turn) return null;
	try {
		const key = await keyOf(context, service, [context.getNodeParameter('event'), row.scope(values)]);
		const settings = { key, ...pollingOf((name) => context.getNodeParameter(name, null)) };
		const held = context.getWorkflowStaticData('node');
		const state = memory.recall(node, held.state) ?? stateOf(context, watch, held.state);
		const now = clock.now();
		const tookOver = TAKING_OVER.has(context.getActivationMode());
		const present = { instance, startedAt, isFirstPoll: memory.isFirstPoll(node), tookOver };
		const former = state && state.key !== key ? { ...state, marks: undefined, handedOver: undefined } : state;
		const taken = step(watch, settings, former, source, { now, here: present });
		const { items, state: next } = await within(budgetMs, taken, () =>
			tookTooLong(context, service, budgetMs),
		);
		if (turn.isOver()) return null;
		if (items.length > 0) memory.forget(node);
		else memory.remember(node, held.state, next);
		save(held, next);
		memory.succeed(node, call);
		return items.length > 0 ? [masked(items, service)] : null;
	} catch (error) {
		if (isPassing(error) && memory.forgives(node, call)) {
			const reason = error instanceof Error ? error.message : String(error);
			context.logger.warn(`${context.getNode().name} could not poll yet: ${reason}`);
			return null;
		}
		throw explained(error, context.getNode());
	} finally {
		turn.leave();
	}
}

const tookTooLong = (context: IPollFunctions, { dialect }: Service, budgetMs: number): Error =>
	apiError(context.getNode(), {
		message: `No answer from ${dialect.service} within the ${Math.ceil(budgetMs / 1000)} s that n8n gives a poll`,
		description: 'Nothing is lost: the next poll asks again. Check that the service runs.',
		cause: 'temporarily-unavailable',
	});

/** Secrets that answers bring unasked never come out. */
const masked = (items: Item[], { dialect }: Service): Item[] =>
	items.map((item) => ({
		...item,
		json: { ...(dialect.mask?.(item.json, []) ?? item.json), eventId: item.json.eventId },
	}));

function sourceOf(context: IPollFunctions, service: Service, budgetMs: number): PollApi {
	const maxWaitMs = Math.min(MAX_WAIT_MS, budgetMs / 4);
	const client = new Client(context, service.dialect, { maxWaitMs });
	return new PollApi(client, askerOf(context), clock.now() + budgetMs * BUDGET_SHARE);
}

/** Those who ask for a trigger: its parameters and requests belong to no item. */
const askerOf = (context: IPollFunctions): Asker => ({
	item: 0,
	mention: '',
	advice: 'Correct it and activate the workflow again',
	hint: (message) => context.logger.info(`${context.getNode().name}: ${message}`),
});

function chosen(context: IPollFunctions, events: Events): EventRow {
	const name = String(context.getNodeParameter('event', ''));
	const row = events[name];
	if (row) return row;
	const known = Object.keys(events).join(', ');
	throw inputError(context.getNode(), `There is no event "${name}" to trigger on`, `Use one of: ${known}`);
}

/** The node's parameters. */
function formOf(context: IPollFunctions, service: Service): Form {
	const client = new Client(context, service.dialect, { maxWaitMs: MAX_WAIT_MS });
	const api = new ServiceApi(client, askerOf(context));
	const form = (get: Form['get']): Form => ({
		get,
		timezone: context.getTimezone(),
		within: (members) => form((parameter) => members[parameter]),
		refuse: (...why) => api.refuse(...why),
		find: async (resource, url) => await findByUrl(api, service.table[resource], url),
	});
	return form((parameter) => context.getNodeParameter(parameter, null));
}

/** What tells what is watched, and in whose account: a new password or key of it makes no difference where it has a name. */
async function keyOf(context: IPollFunctions, { dialect }: Service, watched: unknown[]): Promise<string> {
	const data = await context.getCredentials<ICredentialDataDecryptedObject>(dialect.credentialType(context));
	const identity = dialect.identity(data, context.getNode());
	const secrets = new Set(dialect.secrets(data));
	const named = identity.filter((part) => part !== '' && !secrets.has(part));
	const account = [baseUrlOf(data) ?? '', ...(named.length > 0 ? named : identity)];
	return createHash('sha256')
		.update(JSON.stringify([watched, account]))
		.digest('base64url');
}

/** The saved state; one that can't be read is reported, and what is there then counts as known. */
function stateOf(context: IPollFunctions, watch: Watch, held: unknown): State | undefined {
	const saved = readState(held);
	if (saved === 'none') return undefined;
	if (saved !== 'broken' && watch.read(saved.state.marks) !== undefined) return saved.state;
	context.logger.warn(
		`${context.getNode().name} cannot read what it remembered: it begins anew, and nothing that is there now counts as new`,
	);
	return { key: '', marks: undefined };
}

function save(held: Record<string, unknown>, state: State): void {
	const next = written(state);
	if (JSON.stringify(held.state) !== JSON.stringify(next)) held.state = next;
}

async function shown(
	context: IPollFunctions,
	service: Service,
	watch: Watch,
	source: PollApi,
): Promise<INodeExecutionData[][]> {
	const items: Item[] = await sample(watch, source, SAMPLE_SIZE);
	if (items.length > 0) return [masked(items, service)];
	throw new NodeOperationError(context.getNode(), 'There is nothing to show yet', {
		description:
			'Nothing in this account is what this trigger waits for with these settings. Make it happen once, or activate the workflow.',
	});
}
