import { isRecord, omit } from '../../runtime/values';
import type { HashesByFeed } from '../model/hashes';
import { hashOf, horizonOf, latestOf, newSince, timeOf, type Latest } from './hashDates';
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
	/** By feed, up to which date (Unix seconds) stories are older than what is known, where not all are told. */
	horizon?: Record<string, number>;
	/** The newest date of the list, where dates tell when a story came into it. */
	latest?: Latest;
	/** Known stories with a new date, not looked at yet: since when they must be in the list to be new to it. */
	redated?: Record<string, number>;
	/** For how many polls more stories were missing at once than can be remembered; left out if they are not. */
	doubted?: number;
}

/** The list as it is now. */
export type HashSnapshot = HashesByFeed;

/** What is known of a kind of list beforehand. */
export interface HashList {
	/** Whether stories that come back into it count as new. */
	countsAgain: boolean;
	/** The most stories that it tells of one feed, the newest ones; left out if it tells all. */
	mostOfFeed?: number;
	/** Whether its dates tell when a story came into it, or was changed in it; otherwise when it was published. */
	datesEntries?: boolean;
}

export interface HashEvent {
	/** Under which feed the list has it. */
	feed: string;
	hash: string;
	/** The how manieth return into the list it is; 0 for its first time. */
	again: number;
	/** It was known, and its date is new: it came back if it is in the list since then, in Unix seconds. */
	since?: number;
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
	['undefined', 'number'].includes(typeof saved.doubted) &&
	['undefined', 'object'].includes(typeof saved.horizon) &&
	['undefined', 'object'].includes(typeof saved.redated) &&
	(saved.latest === undefined || (isRecord(saved.latest) && Array.isArray(saved.latest.hashes)));

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
export function allKnownBut(snapshot: HashSnapshot, hashes: string[], list: HashList): HashCursor {
	const left = new Set(hashes);
	const present: HashCursor['present'] = {};
	const horizon: Record<string, number> = {};
	for (const [feed, entries] of snapshot) {
		const set = HashSet.of('');
		for (const entry of entries) if (!left.has(hashOf(entry))) set.add(tail(hashOf(entry)));
		present[feed] = set.pack();
		const limit = horizonOf(entries, list.mostOfFeed, undefined, set.size === entries.length);
		if (limit !== undefined) horizon[feed] = limit;
	}
	return { ...NOTHING_KNOWN, present, ...datesOf({}, horizon, snapshot, list) };
}

/** What a cursor keeps of the dates of a list; only what there is. */
function datesOf(
	former: Partial<HashCursor>,
	horizon: Record<string, number>,
	snapshot: HashSnapshot,
	{ datesEntries }: HashList,
): Pick<HashCursor, 'horizon' | 'latest'> {
	const latest = datesEntries ? latestOf([...snapshot.values()].flat(), former.latest) : undefined;
	return { ...(Object.keys(horizon).length > 0 && { horizon }), ...(latest && { latest }) };
}

/** Compares a list with what is known: what is in it for the first time or again, oldest first. */
export function compareHashes(
	cursor: HashCursor,
	snapshot: HashSnapshot,
	list: HashList,
): { events: HashEvent[]; cursor: HashCursor } {
	const found = new Map<string, DatedEvent>();
	const { doubted = 0, horizon: formerHorizon = {}, again, unreadable } = cursor;
	const isDoubted = doubted < MOST_DOUBTED && missing(cursor, snapshot) > MOST_GONE;
	const present: HashCursor['present'] = {};
	const gone: HashCursor['gone'] = { ...cursor.gone };
	const horizon: Record<string, number> = isDoubted ? { ...formerHorizon } : {};
	for (const feed of new Set([...Object.keys(cursor.present), ...snapshot.keys()])) {
		const entries = snapshot.get(feed) ?? [];
		const known = HashSet.of(cursor.present[feed]);
		const former = HashSet.of(cursor.gone[feed]);
		const { events, quiet, isUnchanged } = compareFeed(cursor, { feed, entries, known, former }, list);
		for (const event of events) found.set(event.hash, event);
		const limit = horizonOf(entries, list.mostOfFeed, formerHorizon[feed], events.length === 0);
		if (limit !== undefined) horizon[feed] = limit;
		if (isUnchanged) {
			if (known.size > 0) present[feed] = cursor.present[feed] ?? '';
			continue;
		}
		const kept = moved(isDoubted ? HashSet.of('') : known, former, entries, quiet);
		if (isDoubted) kept.addRest(known, []);
		if (kept.size > 0) present[feed] = kept.pack();
		if (former.size > 0) gone[feed] = former.pack();
		else delete gone[feed];
	}
	const events = [...found.values()].sort((a, b) => a.at - b.at).map((event): HashEvent => omit(event, 'at'));
	const redated = events.filter(({ since }) => since !== undefined).map(({ hash, since }) => [hash, since]);
	const seen = {
		again,
		unreadable,
		present,
		gone: bounded(gone),
		...datesOf(cursor, horizon, snapshot, list),
		...(redated.length > 0 && { redated: Object.fromEntries(redated) as Record<string, number> }),
	};
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

/** The events of one feed, and which stories become known without being one. */
function compareFeed(
	cursor: HashCursor,
	{ feed, entries, known, former }: FeedList,
	{ countsAgain }: HashList,
): { events: DatedEvent[]; quiet: string[]; isUnchanged: boolean } {
	const events: DatedEvent[] = [];
	const quiet: string[] = [];
	const horizon = cursor.horizon?.[feed] ?? -Infinity;
	let matched = 0;
	for (const entry of [...entries].reverse()) {
		const hash = hashOf(entry);
		const own = tail(hash);
		const at = timeOf(entry);
		const isKnown = known.has(own);
		const isBack = former.has(own);
		const since = isKnown ? (cursor.redated?.[hash] ?? newSince(entry, cursor.latest)) : undefined;
		if (isKnown) matched += 1;
		if (isKnown && since === undefined) continue;
		if (!isKnown && ((isBack && !countsAgain) || at <= horizon)) {
			quiet.push(own);
			continue;
		}
		const again = isKnown || isBack ? (cursor.again[hash] ?? 0) + 1 : 0;
		const unreadable = cursor.unreadable[hash];
		events.push({
			feed,
			hash,
			again,
			at,
			...(since !== undefined && { since }),
			...(unreadable !== undefined && { unreadable }),
		});
	}
	return { events, quiet, isUnchanged: matched === known.size && quiet.length === 0 };
}

/** The known stories that are in the list now, and those that become known; the others move to the former ones. */
function moved(known: HashSet, former: HashSet, entries: unknown[], quiet: string[]): HashSet {
	const listed = entries.map((entry) => tail(hashOf(entry)));
	former.addRest(known, listed);
	const kept = HashSet.of('');
	for (const own of listed) if (known.has(own)) kept.add(own);
	for (const own of quiet) {
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
	const redated = { ...cursor.redated };
	for (const event of processed) {
		const { feed, hash } = event;
		if (event.unreadable !== undefined && event.unreadable < MOST_TRIES) {
			unreadable[hash] = event.unreadable;
			continue;
		}
		delete unreadable[hash];
		delete redated[hash];
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
		...(cursor.redated && { redated }),
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
