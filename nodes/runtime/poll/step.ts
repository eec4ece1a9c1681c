import type { Api } from '../api-types';
import { classOf } from '../errors/errors';
import type { Collected, TriggerItem, Watch } from '../table/event';
import { reasonOf } from '../values';
import type { Emission, State } from './state';

/** Identifies what a trigger watches. */
export interface Subject {
	/** Identifies the watched data. */
	key: string;
	/** Identifies the account by its credential, and the host. */
	account: string;
	host: string;
}

/** The polling settings of a trigger. */
export interface PollSettings {
	/** How many existing records the first poll emits; Infinity for all. */
	firstCount: number;
	/** The most items that one poll emits. */
	maximum: number;
	/** If n8n restarts within this time after an emission, the items are emitted again. In milliseconds; 0 for never. */
	reemitWithinMs: number;
}

/** When a poll happens, and in which process. */
export interface Moment {
	/** Epoch milliseconds. */
	now: number;
	/** The process. */
	instance: string;
	/** When the process started: epoch milliseconds. */
	startedAt: number;
	/** Whether n8n activated the workflow because it started, or because another main process is gone. */
	isTakeover: boolean;
}

/** What a step needs apart from the state. */
export interface StepInput {
	watch: Watch;
	subject: Subject;
	settings: PollSettings;
	api: Api;
	moment: Moment;
}

export interface Step {
	/** The items to emit. */
	items: TriggerItem[];
	state: State;
}

/** After this time, n8n has certainly started the execution of an emission. */
const EMISSION_SETTLES_MS = 30_000;

/**
 * One poll: (settings, state, moment, responses) → (items, next state). The state may change without items, too. If a
 * restart loses such a change, the next poll finds the same events again; if it loses the state of the first poll, the
 * next poll is the first one.
 */
export async function step(input: StepInput, state: State | undefined): Promise<Step> {
	const { watch, subject, settings, api } = input;
	const previous = state?.key === subject.key ? state : undefined;
	const reemitted = previous?.emitted && (await reemitLost(input, previous, previous.emitted));
	if (reemitted) return reemitted;
	const emitCount = state ? 0 : settings.firstCount;
	const snapshot = await watch.snapshot(previous?.cursor, api, emitCount);
	if (!previous) return await firstStep(input, snapshot, emitCount);
	if (!isOtherAccount(previous, input)) return await nextStep(input, previous, snapshot);
	return await firstStep(input, await watch.snapshot(undefined, api), 0);
}

/** The host and the user of a poll's responses; undefined if the service doesn't name the user. */
const userOf = ({ subject, api }: StepInput): string | undefined => {
	const user = api.user();
	return user === undefined ? undefined : `${subject.host} ${user}`;
};

/** Whether the responses belong to another account. If the service names the user, the account is this user. */
function isOtherAccount(state: State, input: StepInput): boolean {
	const user = userOf(input);
	if (state.user !== undefined && user !== undefined) return state.user !== user;
	return state.account !== input.subject.account;
}

/** Emits the last items again if they may be lost; undefined if they aren't, or no longer exist. */
async function reemitLost(
	{ watch, subject, settings, api, moment }: StepInput,
	state: State,
	emitted: Emission,
): Promise<Step | undefined> {
	if (state.account !== subject.account) return undefined;
	if (!mayBeLost(emitted, moment, settings.reemitWithinMs)) return undefined;
	const items = await watch.restore(emitted.events, api);
	if (items.length === 0) return undefined;
	const { now: at, instance } = moment;
	return { items, state: { ...state, emitted: { ...emitted, at, instance } } };
}

/**
 * Whether the execution of an emission may never have started: n8n saves the state first, and may restart before it starts
 * the execution. If n8n has several main processes, one that ran before the emission can't know whether the other one
 * ended.
 */
function mayBeLost({ at, instance, events }: Emission, moment: Moment, withinMs: number): boolean {
	if (events.length === 0 || instance === moment.instance || withinMs <= 0) return false;
	return (moment.startedAt >= at || moment.isTakeover) && moment.now - at <= withinMs;
}

/** The state after a poll. `user` is the one of earlier polls, in case that these responses don't name the user. */
function stateWith(input: StepInput, cursor: unknown, user?: string): State {
	const { key, account } = input.subject;
	const known = userOf(input) ?? user;
	return { key, account, ...(known !== undefined && { user: known }), cursor };
}

/** The first poll, or one with a useless state: what exists counts as known, but for the newest `emitCount` records. */
async function firstStep(input: StepInput, snapshot: unknown, emitCount: number): Promise<Step> {
	const { watch, api } = input;
	const state = stateWith(input, await watch.baseline(snapshot, emitCount, api));
	if (emitCount > 0) return await nextStep(input, state, snapshot);
	// Throws if the snapshot is incomplete for any other reason than the rate limit.
	snapshotRefusal(watch, snapshot);
	return { items: [], state };
}

/** The rate limit's refusal that cut a snapshot short, since the next poll continues; any other failure is thrown. */
function snapshotRefusal(watch: Watch, snapshot: unknown): unknown {
	const failure = watch.failure?.(snapshot);
	if (failure !== undefined && classOf(failure) !== 'rateLimited') throw failure as Error;
	return failure;
}

/** Emits the events of a snapshot that the cursor doesn't know. */
async function nextStep(input: StepInput, state: State, snapshot: unknown): Promise<Step> {
	const { watch, settings, api, moment } = input;
	const { events, cursor } = watch.detect(state.cursor, snapshot);
	const { processed, emitted, items, failure }: Collected<unknown> = events.length
		? await watch.collect(events, settings.maximum, api, cursor)
		: { processed: [], emitted: [], items: [] };
	const next = stateWith(input, watch.advance(cursor, processed), state.user);
	if (items.length > 0) {
		reportFailures([failure, watch.failure?.(snapshot)], api);
		const { now: at, instance } = moment;
		return { items, state: { ...next, emitted: { at, instance, events: emitted } } };
	}
	const refusal = snapshotRefusal(watch, snapshot);
	if (failure !== undefined && processed.length === 0) throw failure as Error;
	// A snapshot that was cut short can change the cursor: that is progress.
	const isProgress = JSON.stringify(next.cursor) !== JSON.stringify(state.cursor);
	if (refusal !== undefined && !isProgress) throw refusal as Error;
	return { items, state: { ...next, ...unsettledEmission(state, moment) } };
}

/** The last emission, to keep in the next state as long as it may have to be emitted again. */
const unsettledEmission = ({ emitted }: State, moment: Moment): Pick<State, 'emitted'> =>
	emitted && !isSettled(emitted, moment) ? { emitted } : {};

/** Says why a poll that emits something could not read all; the next polls try again. */
function reportFailures(failures: unknown[], api: Api): void {
	const failure = failures.find((error) => error !== undefined && classOf(error) !== 'rateLimited');
	if (failure === undefined) return;
	api.hint(`could not read everything that is new; later polls emit the rest. ${reasonOf(failure)}`);
}

/** Whether an emission has certainly started its execution: the process that made it is still running. */
const isSettled = ({ at, instance }: Emission, moment: Moment): boolean =>
	instance === moment.instance && Math.abs(moment.now - at) >= EMISSION_SETTLES_MS;

/** What a test run in the editor shows: real data. The state doesn't change. */
export async function sample(watch: Watch, api: Api, count: number): Promise<TriggerItem[]> {
	const snapshot = await watch.snapshot(undefined, api, count);
	const { events, cursor } =
		watch.sample?.(snapshot, count) ?? watch.detect(await watch.baseline(snapshot, count, api), snapshot);
	if (events.length === 0) return [];
	const { items, failure } = await watch.collect(events, count, api, cursor);
	if (items.length === 0 && failure !== undefined) throw failure as Error;
	return items;
}
