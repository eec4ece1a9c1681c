import { isRecord, toText } from '../../runtime/values';
import type { HashesByFeed } from '../model/hashes';
import { HashSet, type Packed } from './hashSet';

/** What is known of a list of story hashes. All are kept feed by feed, without the feed's number. */
export interface HashCursor {
	/** The stories that are in the list and known. */
	present: Record<string, Packed>;
	/** Known stories that are no longer in it, the last of them. */
	gone: Record<string, Packed>;
	/** How often a story came back into the list. */
	again: Record<string, number>;
	/** How often a story was in the list but could not be read. */
	unreadable: Record<string, number>;
	/** For how many polls more stories were missing at once than can be remembered; left out if they are not. */
	doubted?: number;
}

/** The list as it is now. */
export type HashSnapshot = HashesByFeed;

export interface HashEvent {
	/** Under which feed the list has it. */
	feed: string;
	hash: string;
	/** The how manieth return into the list it is; 0 for its first time. */
	again: number;
	/** It could not be read so often. */
	unreadable?: number;
}

/** Stories that left the list are remembered up to this many. */
const MOST_GONE = 20_000;
/** That more stories than that left at once is believed only after so many polls: the list may come back. */
const MOST_DOUBTED = 60;
/** Returns into the list are counted for this many stories. */
const MOST_AGAIN = 500;
/** A story that is listed but can't be read is given up after so many polls. */
const MOST_TRIES = 5;

const hashOf = (entry: unknown): string => toText(Array.isArray(entry) ? entry[0] : entry);
const timeOf = (entry: unknown): number => (Array.isArray(entry) ? Number(toText(entry[1])) || 0 : 0);
/** The hash without its feed. */
const tail = (hash: string): string => hash.slice(hash.indexOf(':') + 1);

/** The cursor that knows nothing of a list. */
export const NOTHING_KNOWN: HashCursor = { present: {}, gone: {}, again: {}, unreadable: {} };

/** A cursor as it was saved; undefined if it can't be read. */
export const readHashCursor = (saved: unknown): HashCursor | undefined =>
	isHashCursor(saved) ? saved : undefined;

const isHashCursor = (saved: unknown): saved is HashCursor =>
	isRecord(saved) &&
	[saved.present, saved.gone].every(
		(sets) => isRecord(sets) && Object.values(sets).every(HashSet.isPacked),
	) &&
	[saved.again, saved.unreadable].every(
		(counts) => isRecord(counts) && Object.values(counts).every((count) => typeof count === 'number'),
	) &&
	['undefined', 'number'].includes(typeof saved.doubted);

/** The newest hashes of a list. */
export function newestHashes(snapshot: HashSnapshot, count: number): string[] {
	if (count === 0) return [];
	const all = [...snapshot.values()].flat().map((entry) => ({ hash: hashOf(entry), at: timeOf(entry) }));
	return all
		.sort((a, b) => b.at - a.at)
		.slice(0, count)
		.map(({ hash }) => hash);
}

/** The cursor that knows a whole list but these. */
export function allKnownBut(snapshot: HashSnapshot, hashes: string[]): HashCursor {
	const left = new Set(hashes);
	const present: HashCursor['present'] = {};
	for (const [feed, entries] of snapshot) {
		const set = HashSet.of('');
		for (const entry of entries) if (!left.has(hashOf(entry))) set.add(tail(hashOf(entry)));
		present[feed] = set.pack();
	}
	return { ...NOTHING_KNOWN, present };
}

/** Compares a list with what is known: what is in it for the first time or again, oldest first. */
export function compareHashes(
	cursor: HashCursor,
	snapshot: HashSnapshot,
	countsAgain: boolean,
): { events: HashEvent[]; cursor: HashCursor } {
	const found = new Map<string, DatedEvent>();
	const { doubted = 0, ...believed } = cursor;
	const isDoubted = doubted < MOST_DOUBTED && missing(cursor, snapshot) > MOST_GONE;
	const present: HashCursor['present'] = {};
	const gone: HashCursor['gone'] = { ...cursor.gone };
	for (const feed of new Set([...Object.keys(cursor.present), ...snapshot.keys()])) {
		const entries = snapshot.get(feed) ?? [];
		const known = HashSet.of(cursor.present[feed]);
		const former = HashSet.of(cursor.gone[feed]);
		const { events, returned, isUnchanged } = compareFeed(
			cursor,
			{ feed, entries, known, former },
			countsAgain,
		);
		for (const event of events) found.set(event.hash, event);
		if (isUnchanged) {
			if (known.size > 0) present[feed] = cursor.present[feed] ?? '';
			continue;
		}
		const kept = moved(isDoubted ? HashSet.of('') : known, former, entries, returned);
		if (isDoubted) kept.addRest(known, []);
		if (kept.size > 0) present[feed] = kept.pack();
		if (former.size > 0) gone[feed] = former.pack();
		else delete gone[feed];
	}
	const events = [...found.values()].sort((a, b) => a.at - b.at).map(({ at: _, ...event }) => event);
	const seen = { ...believed, present, gone: bounded(gone) };
	return { events, cursor: isDoubted ? { ...seen, doubted: doubted + 1 } : seen };
}

/** How many known stories are no longer in the list; 0 where there are not enough of them to doubt it. */
function missing(cursor: HashCursor, snapshot: HashSnapshot): number {
	const characters = Object.values(cursor.present).reduce((sum, { length }) => sum + length, 0);
	if (characters < 4 * MOST_GONE) return 0;
	const gone = Object.entries(cursor.present).map(([feed, packed]) => {
		const left = HashSet.of(packed);
		for (const entry of snapshot.get(feed) ?? []) left.delete(tail(hashOf(entry)));
		return left.size;
	});
	return gone.reduce((sum, count) => sum + count, 0);
}

type DatedEvent = HashEvent & { at: number };

interface FeedList {
	feed: string;
	entries: unknown[];
	/** What is known to be in the list, and what was in it before. */
	known: HashSet;
	former: HashSet;
}

/** The events of one feed, and which known stories returned without being one. */
function compareFeed(
	cursor: HashCursor,
	{ feed, entries, known, former }: FeedList,
	countsAgain: boolean,
): { events: DatedEvent[]; returned: string[]; isUnchanged: boolean } {
	const events: DatedEvent[] = [];
	const returned: string[] = [];
	let matched = 0;
	for (const entry of [...entries].reverse()) {
		const hash = hashOf(entry);
		const own = tail(hash);
		const isBack = former.has(own);
		if (known.has(own)) matched += 1;
		else if (isBack && !countsAgain) returned.push(own);
		else {
			const again = isBack ? (cursor.again[hash] ?? 0) + 1 : 0;
			const unreadable = cursor.unreadable[hash];
			events.push({ feed, hash, again, at: timeOf(entry), ...(unreadable !== undefined && { unreadable }) });
		}
	}
	return { events, returned, isUnchanged: matched === known.size && returned.length === 0 };
}

/** The known stories that are in the list now; the others move to the former ones. */
function moved(known: HashSet, former: HashSet, entries: unknown[], returned: string[]): HashSet {
	const listed = entries.map((entry) => tail(hashOf(entry)));
	former.addRest(known, listed);
	const kept = HashSet.of('');
	for (const own of listed) if (known.has(own)) kept.add(own);
	for (const own of returned) {
		kept.add(own);
		former.delete(own);
	}
	return kept;
}

/** Of too many stories that are gone, the oldest are forgotten: in each feed alike. */
function bounded(gone: HashCursor['gone']): HashCursor['gone'] {
	const sets = Object.entries(gone).map(([feed, packed]) => [feed, HashSet.of(packed)] as const);
	const total = sets.reduce((sum, [, set]) => sum + set.size, 0);
	if (total <= MOST_GONE) return gone;
	for (const [, set] of sets) set.keepLast(Math.floor((set.size * MOST_GONE) / total));
	return Object.fromEntries(sets.map(([feed, set]) => [feed, set.pack()]));
}

/** The cursor that knows these events as well; what could not be read is tried again for a while. */
export function advanceHashes(cursor: HashCursor, processed: HashEvent[]): HashCursor {
	if (processed.length === 0) return cursor;
	const present = new UnpackedSets(cursor.present);
	const gone = new UnpackedSets(cursor.gone);
	const again = { ...cursor.again };
	const unreadable = { ...cursor.unreadable };
	for (const event of processed) {
		const { feed, hash } = event;
		if (event.unreadable !== undefined && event.unreadable < MOST_TRIES) {
			unreadable[hash] = event.unreadable;
			continue;
		}
		delete unreadable[hash];
		present.of(feed).add(tail(hash));
		if (event.again > 0) {
			gone.of(feed).delete(tail(hash));
			delete again[hash];
			again[hash] = event.again;
		}
	}
	return {
		...cursor,
		present: present.pack(),
		gone: gone.pack(),
		again: Object.fromEntries(Object.entries(again).slice(-MOST_AGAIN)),
		unreadable,
	};
}

/** Packed sets by feed, of which those that are asked for are unpacked. */
class UnpackedSets {
	private readonly unpacked = new Map<string, HashSet>();

	constructor(private readonly packed: Record<string, Packed>) {}

	of(feed: string): HashSet {
		const set = this.unpacked.get(feed) ?? HashSet.of(this.packed[feed]);
		this.unpacked.set(feed, set);
		return set;
	}

	pack(): Record<string, Packed> {
		const changed = [...this.unpacked].map(([feed, set]) => [feed, set.pack()] as const);
		return { ...this.packed, ...Object.fromEntries(changed) };
	}
}
