import { isRateLimit } from './failures';
import { HANDED_OVER_SETTLES_MS, isRestart, type Here } from './repeat';
import type { State } from './state';
import type { Item, Source, Watch } from './watch';

/** What the first poll hands over. */
export type FirstPoll = 'nothing' | 'everything' | 'last';

/** How a trigger polls, whatever it watches. */
export interface Settings {
	/** What is watched, in whose account. */
	key: string;
	firstPoll: FirstPoll;
	/** How many, where the first poll hands over the last ones. */
	lastCount: number;
	/** The most items that one poll hands over. */
	maximum: number;
	/** How long after a hand-over a new start of n8n repeats it, in milliseconds; 0 for never. */
	repeatWithinMs: number;
}

export interface Step {
	/** What to hand over; none if nothing is new. */
	items: Item[];
	state: State;
}

/**
 * One poll: from the settings, the state and what the service says to what is handed over and the next state.
 * The state may move without items as well: losing that move changes nothing that is ever handed over.
 */
export async function step(
	watch: Watch,
	settings: Settings,
	state: State | undefined,
	source: Source,
	{ now, here }: { now: number; here: Here },
): Promise<Step> {
	const handedOver = state?.handedOver;
	if (state && handedOver && isRestart(handedOver, here, now, settings.repeatWithinMs)) {
		const items = await watch.repeat(handedOver.events, source);
		if (items.length > 0) {
			return { items, state: { ...state, handedOver: { ...handedOver, at: now, instance: here.instance } } };
		}
	}
	const known = state && watch.read(state.marks);
	const survey = await watch.survey(known, source);
	const user = source.user();
	const isOthers = state?.user !== undefined && user !== undefined && user !== state.user;
	if (state && known !== undefined && !isOthers) {
		return await goOn(watch, settings, { ...state, marks: known }, survey, source, { now, here });
	}
	const all = isOthers ? await watch.survey(undefined, source) : survey;
	return await begin(watch, state ? { ...settings, firstPoll: 'nothing' } : settings, all, source, {
		now,
		here,
	});
}

/** The first poll, or one whose state is of no use: then nothing of what is there counts as new. */
async function begin(
	watch: Watch,
	settings: Settings,
	survey: unknown,
	source: Source,
	moment: { now: number; here: Here },
): Promise<Step> {
	const user = source.user();
	const spare = spareOf(settings);
	const state = {
		key: settings.key,
		...(user !== undefined && { user }),
		marks: await baselineOf(watch, survey, spare, source),
	};
	if (spare > 0) return await goOn(watch, settings, state, survey, source, moment);
	throwFault(watch, survey);
	return { items: [], state: { ...state, marks: await primed(watch, state.marks, survey, source) } };
}

const baselineOf = async (watch: Watch, survey: unknown, spare: number, source: Source): Promise<unknown> =>
	watch.latest && spare > 0 && spare < Infinity
		? await watch.latest(survey, spare, source)
		: watch.baseline(survey, spare);

/** What failed is told unless it is the rate limit: then the next poll goes on. */
function throwFault(watch: Watch, survey: unknown): void {
	const fault = watch.fault?.(survey);
	if (fault !== undefined && !isRateLimit(fault)) throw fault as Error;
}

const primed = async (watch: Watch, marks: unknown, survey: unknown, source: Source): Promise<unknown> =>
	watch.prime ? await watch.prime(marks, survey, source) : marks;

const spareOf = ({ firstPoll, lastCount }: Settings): number => {
	if (firstPoll === 'everything') return Infinity;
	return firstPoll === 'last' ? lastCount : 0;
};

async function goOn(
	watch: Watch,
	{ key, maximum }: Settings,
	state: State,
	survey: unknown,
	source: Source,
	{ now, here }: { now: number; here: Here },
): Promise<Step> {
	const { events, marks } = watch.detect(state.marks, survey);
	const { done, handed, items } = events.length
		? await watch.take(events, maximum, source, marks)
		: { done: [], handed: [], items: [] };
	const user = source.user() ?? state.user;
	const next = { key, ...(user !== undefined && { user }), marks: watch.advance(marks, done) };
	if (items.length > 0) {
		return { items, state: { ...next, handedOver: { at: now, instance: here.instance, events: handed } } };
	}
	throwFault(watch, survey);
	const { handedOver } = state;
	const isCertain =
		handedOver?.instance === here.instance && Math.abs(now - handedOver.at) >= HANDED_OVER_SETTLES_MS;
	return { items, state: { ...next, ...(handedOver && !isCertain && { handedOver }) } };
}

/** What a test run in the editor shows: something real, and the state stays as it is. */
export async function sample(watch: Watch, source: Source, count: number): Promise<Item[]> {
	const survey = await watch.survey(undefined, source);
	const marks = watch.sample?.(survey) ?? (await baselineOf(watch, survey, count, source));
	const { events, marks: seen } = watch.detect(marks, survey);
	if (events.length === 0) return [];
	return (await watch.take(events, count, source, seen)).items;
}
