import type { Api } from '../api-types';
import { classOf } from '../errors/errors';
import type { TriggerItem, Watch } from '../table/event';
import { reasonOf } from '../values';
import type { Emission, State } from './state';

export interface Subject {
	/** Identifies the watched data. */
	key: string;
	/** Identifies the account by its credential, and the host. */
	account: string;
	host: string;
}

export interface PollSettings {
	/** How many existing records the first poll emits; Infinity for all. */
	firstCount: number;
	maximum: number;
	/** If n8n restarts within this time after an emission, the items are emitted again. In milliseconds; 0 for never. */
	reemitWithinMs: number;
}

/** When a poll happens, and in which process. */
export interface Moment {
	now: number;
	instance: string;
	/** When the process started: epoch milliseconds. */
	startedAt: number;
	/** Whether n8n activated the workflow because it started, or because another main process is gone. */
	isTakeover: boolean;
}

export interface StepInput {
	watch: Watch;
	subject: Subject;
	settings: PollSettings;
	api: Api;
	moment: Moment;
}

export interface Step {
	items: TriggerItem[];
	state: State;
}

/**
 * One poll: (settings, state, moment, responses) → (items, next state). The state may change without items, too. If a
 * restart loses such a change, the next poll finds the same events again; if it loses the state of the first poll, the
 * next poll is the first one.
 */
export async function step(input: StepInput, state: State | undefined): Promise<Step> {
	const { watch, subject, settings, api, moment } = input;
	let previous = state?.key === subject.key ? state : undefined;
	const reemitted = previous?.emitted && (await reemitLost(input, previous, previous.emitted));
	if (reemitted) return reemitted;
	const emitCount = state ? 0 : settings.firstCount;
	let snapshot = await watch.snapshot(previous?.cursor, api, emitCount);
	if (previous && isOtherAccount(previous, input)) {
		// Only the responses named the user: the other account's data is read as in a first poll.
		previous = undefined;
		snapshot = await watch.snapshot(undefined, api, emitCount);
	}
	const known = previous ? previous.cursor : await watch.baseline(snapshot, emitCount, api);
	const { items, cursor, failure, emitted } = await watch.next(known, snapshot, settings.maximum, api);
	if (failure !== undefined) {
		const isRateLimited = classOf(failure) === 'rateLimited';
		// A poll that the rate limit cut short can have changed the cursor: then the next one continues there.
		const isProgress = !previous || JSON.stringify(cursor) !== JSON.stringify(known);
		if (items.length === 0 && !(isRateLimited && isProgress)) throw failure as Error;
		if (!isRateLimited)
			api.hint(`could not read everything that is new; later polls emit the rest. ${reasonOf(failure)}`);
	}
	const { key, account } = subject;
	// These responses may not name the user.
	const user = userOf(input) ?? previous?.user;
	const next = { key, account, ...(user !== undefined && { user }), cursor };
	return items.length === 0 ? { items, state: next } : emission(items, next, emitted ?? items, moment);
}

/** Items to emit, and the state that keeps what is needed to emit them again. */
const emission = (
	items: TriggerItem[],
	state: State,
	events: unknown[],
	{ now: at, instance }: Moment,
): Step => ({ items, state: { ...state, emitted: { at, instance, events } } });

/** The host and the user of a poll's responses; undefined if the service doesn't name the user. */
const userOf = ({ subject, api }: StepInput): string | undefined =>
	api.user === undefined ? undefined : `${subject.host} ${api.user}`;

/** Whether the responses belong to another account. If the service names the user, the account is this user. */
function isOtherAccount(state: State, input: StepInput): boolean {
	const user = userOf(input);
	if (state.user !== undefined && user !== undefined) return state.user !== user;
	return state.account !== input.subject.account;
}

/** Emits the last items again if they may be lost; undefined if they aren't, or no longer exist. */
async function reemitLost(input: StepInput, state: State, emitted: Emission): Promise<Step | undefined> {
	const { watch, settings, api, moment } = input;
	if (!mayBeLost(emitted, moment, settings.reemitWithinMs)) return undefined;
	// If the service names the user, only a response shows whether the credential is still that user's.
	if (state.user !== undefined) await watch.snapshot(state.cursor, api, 0);
	if (isOtherAccount(state, input)) return undefined;
	const items = watch.restore ? await watch.restore(emitted.events, api) : (emitted.events as TriggerItem[]);
	return items.length === 0 ? undefined : emission(items, state, emitted.events, moment);
}

/**
 * Whether the execution of an emission may never have started: n8n saves the state first, and may restart before it starts
 * the execution. If n8n has several main processes, one that ran before the emission can't know whether the other one
 * ended.
 */
function mayBeLost({ at, instance }: Emission, moment: Moment, withinMs: number): boolean {
	if (instance === moment.instance || withinMs <= 0) return false;
	return (moment.startedAt >= at || moment.isTakeover) && moment.now - at <= withinMs;
}

/** What a test run in the editor shows: real data. The state doesn't change. */
export async function sample(watch: Watch, api: Api, count: number): Promise<TriggerItem[]> {
	const snapshot = await watch.snapshot(undefined, api, count);
	const { items, failure } = watch.sample
		? await watch.sample(snapshot, count, api)
		: await watch.next(await watch.baseline(snapshot, count, api), snapshot, count, api);
	if (items.length === 0 && failure !== undefined) throw failure as Error;
	return items;
}
