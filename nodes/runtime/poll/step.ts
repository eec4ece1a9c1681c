import type { Api } from '../table/operation';
import { isRateLimited } from '../errors/failures';
import type { HandOver, State } from './state';
import type { Item, Watch } from './watch';

/** How a trigger polls, whatever it watches. */
export interface Settings {
	/** What is watched, in whose account. */
	key: string;
	/** What the first poll hands over. */
	firstPoll: 'nothing' | 'everything' | 'last';
	/** How many, where the first poll hands over the last ones. */
	lastCount: number;
	/** The most items that one poll hands over. */
	maximum: number;
	/** How long after a hand-over a new start of n8n repeats it, in milliseconds; 0 for never. */
	repeatWithinMs: number;
}

/** When a poll happens, and in which process. */
export interface Moment {
	/** Epoch milliseconds. */
	now: number;
	/** The process. */
	instance: string;
	/** When the process started: epoch milliseconds. */
	startedAt: number;
	/** Whether the process polls this node for the first time. */
	isFirstPoll: boolean;
	/** Whether n8n says that it activated the workflow because it started, or because another main process is gone. */
	tookOver: boolean;
}

/** What a step needs to know beside the state. */
export interface Poll {
	watch: Watch;
	settings: Settings;
	api: Api;
	moment: Moment;
}

export interface Step {
	/** What to hand over; none if nothing is new. */
	items: Item[];
	state: State;
}

/** After so long n8n has certainly started the execution that it was handed. */
const HANDED_OVER_SETTLES_MS = 30_000;

/**
 * One poll: from the settings, the state and what the service says to what is handed over and the next state.
 * The state may move without items as well: losing that move changes nothing that is ever handed over.
 */
export async function step(poll: Poll, state: State | undefined): Promise<Step> {
	const { watch, api } = poll;
	const repeated = state?.handedOver && (await repeatLost(poll, state, state.handedOver));
	if (repeated) return repeated;
	const cursor = state && watch.read(state.cursor);
	const snapshot = await watch.snapshot(cursor, api);
	const user = api.user();
	const isOthers = state?.user !== undefined && user !== undefined && user !== state.user;
	if (state && cursor !== undefined && !isOthers) return await goOn(poll, { ...state, cursor }, snapshot);
	return await begin(
		state ? { ...poll, settings: { ...poll.settings, firstPoll: 'nothing' } } : poll,
		isOthers ? await watch.snapshot(undefined, api) : snapshot,
	);
}

/** Hands the last hand-over over again if it may be lost; undefined if not, or if nothing of it is left. */
async function repeatLost(
	{ watch, settings, api, moment }: Poll,
	state: State,
	handedOver: HandOver,
): Promise<Step | undefined> {
	if (!mayBeLost(handedOver, moment, settings.repeatWithinMs)) return undefined;
	const items = await watch.restore(handedOver.events, api);
	if (items.length === 0) return undefined;
	const { now: at, instance } = moment;
	return { items, state: { ...state, handedOver: { ...handedOver, at, instance } } };
}

/**
 * Whether n8n started anew since a hand-over, so shortly after it that the execution may never have begun: n8n saves
 * the state first and starts the execution then. Where several main processes take turns, one that ran before the
 * hand-over already doesn't mean that: nothing was lost. A hand-over in the future means that the clock was set back.
 */
function mayBeLost({ at, instance, events }: HandOver, moment: Moment, withinMs: number): boolean {
	if (events.length === 0 || instance === moment.instance || withinMs <= 0) return false;
	if (at > moment.now) return moment.isFirstPoll;
	return (moment.startedAt >= at || moment.tookOver) && moment.now - at <= withinMs;
}

/** The first poll, or one whose state is of no use: then nothing of what is there counts as new. */
async function begin(poll: Poll, snapshot: unknown): Promise<Step> {
	const { watch, settings, api } = poll;
	const user = api.user();
	const newest = newestWanted(settings);
	const state = {
		key: settings.key,
		...(user !== undefined && { user }),
		cursor: await baselineOf(watch, snapshot, newest, api),
	};
	if (newest > 0) return await goOn(poll, state, snapshot);
	throwFailure(watch, snapshot);
	const cursor = watch.prime ? await watch.prime(state.cursor, snapshot, api) : state.cursor;
	return { items: [], state: { ...state, cursor } };
}

/** How many of what is there already the first poll hands over. */
const newestWanted = ({ firstPoll, lastCount }: Settings): number => {
	if (firstPoll === 'everything') return Infinity;
	return firstPoll === 'last' ? lastCount : 0;
};

const baselineOf = async (watch: Watch, snapshot: unknown, newest: number, api: Api): Promise<unknown> =>
	watch.wantedBaseline && newest > 0 && newest < Infinity
		? await watch.wantedBaseline(snapshot, newest, api)
		: watch.baseline(snapshot, newest);

/** What failed is told unless it is the rate limit: then the next poll goes on. */
function throwFailure(watch: Watch, snapshot: unknown): void {
	const failure = watch.failure?.(snapshot);
	if (failure !== undefined && !isRateLimited(failure)) throw failure as Error;
}

/** Hands over what a snapshot holds that the state doesn't know. */
async function goOn({ watch, settings, api, moment }: Poll, state: State, snapshot: unknown): Promise<Step> {
	const { events, cursor } = watch.detect(state.cursor, snapshot);
	const { processed, handedOver, items } = events.length
		? await watch.collect(events, settings.maximum, api, cursor)
		: { processed: [], handedOver: [], items: [] };
	const user = api.user() ?? state.user;
	const next = {
		key: settings.key,
		...(user !== undefined && { user }),
		cursor: watch.advance(cursor, processed),
	};
	if (items.length > 0) {
		const { now: at, instance } = moment;
		return { items, state: { ...next, handedOver: { at, instance, events: handedOver } } };
	}
	throwFailure(watch, snapshot);
	const { handedOver: former } = state;
	return { items, state: { ...next, ...(former && !isSettled(former, moment) && { handedOver: former }) } };
}

/** Whether a hand-over has certainly arrived: the process that made it still runs. */
const isSettled = ({ at, instance }: HandOver, moment: Moment): boolean =>
	instance === moment.instance && Math.abs(moment.now - at) >= HANDED_OVER_SETTLES_MS;

/** What a test run in the editor shows: something real, and the state stays as it is. */
export async function sample(watch: Watch, api: Api, count: number): Promise<Item[]> {
	const snapshot = await watch.snapshot(undefined, api);
	const before = watch.sample?.(snapshot) ?? (await baselineOf(watch, snapshot, count, api));
	const { events, cursor } = watch.detect(before, snapshot);
	if (events.length === 0) return [];
	return (await watch.collect(events, count, api, cursor)).items;
}
