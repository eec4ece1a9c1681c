import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../runtime/table/operation';
import { outcomeOf } from '../../runtime/poll/failures';
import { HashSet, type Packed } from './hashSet';
import type { Item, Source, Taken, Watch } from '../../runtime/poll/watch';
import type { Answer } from '../../runtime/transport/http';
import { isRecord } from '../../runtime/values';
import { membersOf } from '../model/answers';
import { HASHES_PER_REQUEST } from '../model/hashes';

/** What is remembered of a list of hashes. All are kept feed by feed, without the feed's number. */
export interface HashMarks {
	/** The stories that are in the list and known. */
	present: Record<string, Packed>;
	/** Known stories that are no longer in it, the last of them. */
	gone: Record<string, Packed>;
	/** How often a story came back into the list. */
	again: Record<string, number>;
	/** How often a story was in the list but could not be read. */
	unreadable: Record<string, number>;
}

/** The list as it is now: by feed, hashes or pairs of hash and date, as the service sent them. */
export type HashSurvey = Map<string, unknown[]>;

export interface HashEvent {
	/** Under which feed the list has it. */
	feed: string;
	hash: string;
	/** The how manieth return into the list it is; 0 for its first time. */
	again: number;
	/** It could not be read so often. */
	unreadable?: number;
}

export interface HashOptions {
	/** What its event ids begin with. */
	name: string;
	survey(source: Source): Promise<HashSurvey>;
	/** Answers up to a hundred stories by hash. */
	byHash: Operation;
	/** Whether stories that come back into the list count as new. */
	countsAgain: boolean;
	/** Whether a story is among what the user wants; left out if all are. */
	isWanted?(story: IDataObject): boolean;
	item(story: IDataObject, answer: Answer): IDataObject;
}

/** Stories that left the list are remembered up to this many. */
const MOST_GONE = 20_000;
/** Returns into the list are counted for this many stories. */
const MOST_AGAIN = 500;
/** So many of the newest stories are looked through for the last ones that are wanted. */
const MOST_LOOKED_THROUGH = 1_000;
/** One poll asks for stories no more often than this; the rest follows at the next. */
const MOST_REQUESTS = 20;
/** A story that is listed but can't be read is given up after so many polls. */
const MOST_TRIES = 5;

const hashOf = (entry: unknown): string => String(Array.isArray(entry) ? entry[0] : entry);
const timeOf = (entry: unknown): number => (Array.isArray(entry) ? Number(entry[1]) || 0 : 0);
const hashesOf = (events: HashEvent[]): string[] => events.map(({ hash }) => hash);
/** The hash without its feed. */
const tail = (hash: string): string => hash.slice(hash.indexOf(':') + 1);

/** Watches a list of story hashes. */
export function hashes(options: HashOptions): Watch<HashMarks, HashSurvey, HashEvent> {
	const idOf = ({ hash, again }: HashEvent): string =>
		`${options.name}:${hash}${again > 0 ? `#${again}` : ''}`;
	const itemOf = (event: HashEvent, story: IDataObject, answer: Answer): Item => ({
		json: { ...options.item(story, answer), eventId: idOf(event) },
	});
	return {
		read: (saved) => (isMarks(saved) ? saved : undefined),
		survey: async (_, source) => await options.survey(source),
		baseline: (survey, spare) => (spare === Infinity ? NO_MARKS : allBut(survey, newest(survey, spare))),
		latest: async (survey, spare, source) =>
			allBut(survey, await newestWanted(newest(survey, MOST_LOOKED_THROUGH), spare, options, source)),
		detect: (marks, survey) => detect(marks, survey, options.countsAgain),
		take: async (events, maximum, source) => {
			const taken: Taken<HashEvent> = { done: [], handed: [], items: [] };
			let requests = 0;
			for (let next = 0; next < events.length && taken.items.length < maximum; requests += 1) {
				const room = options.isWanted ? HASHES_PER_REQUEST : maximum - taken.items.length;
				const chunk = events.slice(next, next + Math.min(room, HASHES_PER_REQUEST));
				next += chunk.length;
				if (requests > 0 && (requests >= MOST_REQUESTS || !source.hasTime())) break;
				const read = await storiesOf(options.byHash, hashesOf(chunk), source, taken.done.length > 0);
				if (!read) break;
				for (const event of chunk) {
					if (taken.items.length >= maximum) break;
					const story = read.stories.get(event.hash);
					if (!story) taken.done.push({ ...event, unreadable: (event.unreadable ?? 0) + 1 });
					if (!story) continue;
					const { unreadable: _, ...done } = event;
					taken.done.push(done);
					if (options.isWanted?.(story) === false) continue;
					taken.handed.push(done);
					taken.items.push(itemOf(event, story, read.answer));
				}
			}
			return taken;
		},
		advance,
		repeat: async (handed, source) => {
			const items: Item[] = [];
			for (let next = 0; next < handed.length; next += HASHES_PER_REQUEST) {
				const chunk = handed.slice(next, next + HASHES_PER_REQUEST);
				const read = await storiesOf(options.byHash, hashesOf(chunk), source, false);
				for (const event of chunk) {
					const story = read?.stories.get(event.hash);
					if (read && story) items.push(itemOf(event, story, read.answer));
				}
			}
			return items;
		},
	};
}

const NO_MARKS: HashMarks = { present: {}, gone: {}, again: {}, unreadable: {} };

/** Marks that know a whole list but these. */
function allBut(survey: HashSurvey, hashesLeft: string[]): HashMarks {
	const left = new Set(hashesLeft);
	const present: HashMarks['present'] = {};
	for (const [feed, entries] of survey) {
		const set = HashSet.of('');
		for (const entry of entries) if (!left.has(hashOf(entry))) set.add(tail(hashOf(entry)));
		present[feed] = set.pack();
	}
	return { ...NO_MARKS, present };
}

/** The first stories of these that are wanted. */
async function newestWanted(
	all: string[],
	count: number,
	{ byHash, isWanted }: HashOptions,
	source: Source,
): Promise<string[]> {
	if (!isWanted) return all.slice(0, count);
	const wanted: string[] = [];
	let next = 0;
	for (let size = count; next < all.length && wanted.length < count; size = HASHES_PER_REQUEST) {
		if (next > 0 && !source.hasTime()) break;
		const chunk = all.slice(next, next + Math.min(size, HASHES_PER_REQUEST));
		next += chunk.length;
		const read = await storiesOf(byHash, chunk, source, false);
		wanted.push(
			...chunk.filter((hash) => {
				const story = read?.stories.get(hash);
				return story !== undefined && isWanted(story);
			}),
		);
	}
	return wanted.slice(0, count);
}

/** The newest hashes of a list. */
function newest(survey: HashSurvey, count: number): string[] {
	if (count === 0) return [];
	const all = [...survey.values()].flat().map((entry) => ({ hash: hashOf(entry), at: timeOf(entry) }));
	return all
		.sort((a, b) => b.at - a.at)
		.slice(0, count)
		.map(({ hash }) => hash);
}

/** Compares a list with what is known: what is in it for the first time or again, oldest first. */
function detect(
	marks: HashMarks,
	survey: HashSurvey,
	countsAgain: boolean,
): { events: HashEvent[]; marks: HashMarks } {
	const found = new Map<string, HashEvent & { at: number }>();
	const present: HashMarks['present'] = {};
	const gone: HashMarks['gone'] = { ...marks.gone };
	for (const feed of new Set([...Object.keys(marks.present), ...survey.keys()])) {
		const entries = survey.get(feed) ?? [];
		const known = HashSet.of(marks.present[feed]);
		const former = HashSet.of(marks.gone[feed]);
		const returned: string[] = [];
		let matched = 0;
		for (let place = entries.length - 1; place >= 0; place -= 1) {
			const hash = hashOf(entries[place]);
			const own = tail(hash);
			const isBack = former.has(own);
			if (known.has(own)) matched += 1;
			else if (isBack && !countsAgain) returned.push(own);
			else {
				const again = isBack ? (marks.again[hash] ?? 0) + 1 : 0;
				const unreadable = marks.unreadable[hash];
				const event = { feed, hash, again, at: timeOf(entries[place]) };
				found.set(hash, unreadable === undefined ? event : { ...event, unreadable });
			}
		}
		if (matched === known.size && returned.length === 0) {
			if (known.size > 0) present[feed] = marks.present[feed] ?? '';
			continue;
		}
		const listed = entries.map((entry) => tail(hashOf(entry)));
		former.addRest(known, listed);
		const kept = HashSet.of('');
		for (const own of listed) if (known.has(own)) kept.add(own);
		for (const own of returned) {
			kept.add(own);
			former.delete(own);
		}
		if (kept.size > 0) present[feed] = kept.pack();
		gone[feed] = former.pack();
		if (former.size === 0) delete gone[feed];
	}
	const events = [...found.values()].sort((a, b) => a.at - b.at).map(({ at: _, ...event }) => event);
	return { events, marks: { ...marks, present, gone: bounded(gone) } };
}

/** Of too many stories that are gone, the oldest are forgotten: in each feed alike. */
function bounded(gone: HashMarks['gone']): HashMarks['gone'] {
	const sets = Object.entries(gone).map(([feed, packed]) => [feed, HashSet.of(packed)] as const);
	const total = sets.reduce((sum, [, set]) => sum + set.size, 0);
	if (total <= MOST_GONE) return gone;
	for (const [, set] of sets) set.keepLast(Math.floor((set.size * MOST_GONE) / total));
	return Object.fromEntries(sets.map(([feed, set]) => [feed, set.pack()]));
}

/** Marks that know these events as well; what could not be read is tried again for a while. */
function advance(marks: HashMarks, done: HashEvent[]): HashMarks {
	if (done.length === 0) return marks;
	const present = new Map<string, HashSet>();
	const gone = new Map<string, HashSet>();
	const again = { ...marks.again };
	const unreadable = { ...marks.unreadable };
	const setIn = (sets: Map<string, HashSet>, packed: Record<string, Packed>, feed: string): HashSet => {
		const set = sets.get(feed) ?? HashSet.of(packed[feed]);
		sets.set(feed, set);
		return set;
	};
	for (const event of done) {
		const { feed, hash } = event;
		if (event.unreadable !== undefined && event.unreadable < MOST_TRIES) {
			unreadable[hash] = event.unreadable;
			continue;
		}
		delete unreadable[hash];
		setIn(present, marks.present, feed).add(tail(hash));
		if (event.again > 0) {
			setIn(gone, marks.gone, feed).delete(tail(hash));
			delete again[hash];
			again[hash] = event.again;
		}
	}
	const packed = (sets: Map<string, HashSet>): Record<string, Packed> =>
		Object.fromEntries([...sets].map(([feed, set]) => [feed, set.pack()]));
	return {
		present: { ...marks.present, ...packed(present) },
		gone: { ...marks.gone, ...packed(gone) },
		again: Object.fromEntries(Object.entries(again).slice(-MOST_AGAIN)),
		unreadable,
	};
}

/** Stories by hash; undefined if they can't be had and that may be. */
async function storiesOf(
	byHash: Operation,
	wanted: string[],
	source: Source,
	mayFail: boolean,
): Promise<{ stories: Map<string, IDataObject>; answer: Answer } | undefined> {
	const outcome = await outcomeOf(source.ask(byHash, { query: { h: wanted } }));
	if ('error' in outcome) {
		if (mayFail) return undefined;
		throw outcome.error;
	}
	const answer = outcome.value;
	const list = isRecord(answer.json) ? (membersOf(answer.json.stories) ?? []) : [];
	const stories = list.filter(isRecord).map((story) => byHash.output.kind.tidy(story) as IDataObject);
	return { stories: new Map(stories.map((story) => [String(story.story_hash), story])), answer };
}

const isMarks = (saved: unknown): saved is HashMarks =>
	isRecord(saved) &&
	[saved.present, saved.gone].every(
		(sets) => isRecord(sets) && Object.values(sets).every(HashSet.isPacked),
	) &&
	[saved.again, saved.unreadable].every(
		(counts) => isRecord(counts) && Object.values(counts).every((count) => typeof count === 'number'),
	);
