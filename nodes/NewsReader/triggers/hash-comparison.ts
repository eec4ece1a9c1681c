import { clock } from '../../runtime/transport/throttle';
import { omit, toText } from '../../runtime/values';
import type { HashesByFeed } from '../model/hashes';
import {
	HashSet,
	NO_KNOWN_STORIES,
	withoutFeed,
	type HashCursor,
	type HashEvent,
	type LatestEntries,
} from './hash-cursor';
import { MAX_DOUBTED_POLLS } from './newest-first-cursor';

/** An entry of a list: Unix seconds, 0 if the service sent no date. */
export interface HashEntry {
	hash: string;
	at: number;
}

/** The list as it is now, by feed. */
export type HashSnapshot = Map<string, HashEntry[]>;

/** The kind of a list. */
export interface ListKind {
	/** Whether a story that comes back into the list is an event. */
	emitsReturned: boolean;
	/** The most stories of one feed that the list contains, the newest ones; left out if it contains all. */
	limitPerFeed?: number;
	/** Whether its dates say when a story came into the list or was changed in it; otherwise when it was published. */
	datedByEntry?: boolean;
}

/** A list's clock is ahead of ours by no more than this. */
const MAX_CLOCK_LEAD_S = 24 * 3600;

/**
 * The entries of a list as the service sends them: the hash alone, or a pair of hash and Unix seconds. Names that every
 * object has (such as `constructor`) are neither feeds nor stories. `latestKnown`: the newest known date, in case our
 * clock was set back.
 */
export function snapshotOf(byFeed: HashesByFeed, { datedByEntry }: ListKind, latestKnown = 0): HashSnapshot {
	const latest = datedByEntry
		? Math.max(clock.now() / 1000, latestKnown) + MAX_CLOCK_LEAD_S
		: Number.MAX_VALUE;
	const isUsual = (name: string): boolean => !(name in {});
	return new Map(
		[...byFeed]
			.filter(([feed]) => isUsual(feed))
			.map(([feed, entries]) => [
				feed,
				entries.map((entry) => entryOf(entry, latest)).filter(({ hash }) => isUsual(hash)),
			]),
	);
}

function entryOf(entry: unknown, latest: number): HashEntry {
	const [hash, date] = Array.isArray(entry) ? (entry as unknown[]) : [entry];
	const at = Number(toText(date));
	return { hash: toText(hash), at: Number.isFinite(at) && at <= latest ? at : 0 };
}

/** The most stories that left the list and are remembered. If more leave at once, the response is doubted. */
const MAX_GONE = 20_000;

/** The newest hashes of a list. */
export const newestHashes = (snapshot: HashSnapshot, count: number): string[] =>
	[...snapshot.values()]
		.flat()
		.sort((a, b) => b.at - a.at)
		.slice(0, count)
		.map(({ hash }) => hash);

/** The cursor that knows a whole list except these. */
export function allKnownBut(snapshot: HashSnapshot, hashes: string[], list: ListKind): HashCursor {
	const unknown = new Set(hashes);
	const present: HashCursor['present'] = {};
	const knownUntil: Record<string, number> = {};
	for (const [feed, entries] of snapshot) {
		const set = HashSet.of('');
		for (const { hash } of entries) if (!unknown.has(hash)) set.add(withoutFeed(hash));
		present[feed] = set.pack();
		const limit = knownUntilOf(entries, list.limitPerFeed, undefined, set.size === entries.length);
		if (limit !== undefined) knownUntil[feed] = limit;
	}
	return { ...NO_KNOWN_STORIES, present, ...datesOf({}, knownUntil, snapshot, list) };
}

/** The dates of a list that a cursor remembers; empty ones are left out. */
function datesOf(
	former: Partial<HashCursor>,
	knownUntil: Record<string, number>,
	snapshot: HashSnapshot,
	{ datedByEntry }: ListKind,
): Pick<HashCursor, 'knownUntil' | 'latest'> {
	const latest = datedByEntry ? latestOf([...snapshot.values()].flat(), former.latest) : undefined;
	return { ...(Object.keys(knownUntil).length > 0 && { knownUntil }), ...(latest && { latest }) };
}

/** Compares a list with what is known: its new and returned stories, oldest first. */
export function compareHashes(
	cursor: HashCursor,
	snapshot: HashSnapshot,
	list: ListKind,
): { events: HashEvent[]; cursor: HashCursor } {
	const found = new Map<string, DatedEvent>();
	const { doubtedPolls = 0, knownUntil: formerKnownUntil = {} } = cursor;
	const isDoubted = doubtedPolls < MAX_DOUBTED_POLLS && missing(cursor, snapshot) > MAX_GONE;
	const present: HashCursor['present'] = {};
	const gone: HashCursor['gone'] = { ...cursor.gone };
	const knownUntil: Record<string, number> = isDoubted ? { ...formerKnownUntil } : {};
	for (const feed of new Set([...Object.keys(cursor.present), ...snapshot.keys()])) {
		const entries = snapshot.get(feed) ?? [];
		const known = HashSet.of(cursor.present[feed]);
		const former = HashSet.of(cursor.gone[feed]);
		const { events, learnt, isUnchanged } = compareFeed(cursor, { feed, entries, known, former }, list);
		for (const event of events) found.set(event.hash, event);
		const limit = knownUntilOf(entries, list.limitPerFeed, formerKnownUntil[feed], events.length === 0);
		if (limit !== undefined) knownUntil[feed] = limit;
		if (isUnchanged) {
			if (known.size > 0) present[feed] = cursor.present[feed] ?? '';
			continue;
		}
		const kept = splitKnown(isDoubted ? HashSet.of('') : known, former, entries, learnt);
		if (isDoubted) kept.addRest(known, []);
		if (kept.size > 0) present[feed] = kept.pack();
		if (former.size > 0) gone[feed] = former.pack();
		else delete gone[feed];
	}
	const events = [...found.values()].sort((a, b) => a.at - b.at).map((event): HashEvent => omit(event, 'at'));
	const redated = events.filter(({ since }) => since !== undefined).map(({ hash, since }) => [hash, since]);
	const seen: HashCursor = {
		...{ present, gone: boundedGone(gone), returnCounts: cursor.returnCounts, unreadable: cursor.unreadable },
		...datesOf(cursor, knownUntil, snapshot, list),
		...(redated.length > 0 && { redated: Object.fromEntries(redated) as Record<string, number> }),
		...(isDoubted && { doubtedPolls: doubtedPolls + 1 }),
		...(cursor.emittedGroups && { emittedGroups: cursor.emittedGroups }),
	};
	return { events, cursor: seen };
}

/** How many known stories are no longer in the list; 0 if too few are known to doubt the list. */
function missing(cursor: HashCursor, snapshot: HashSnapshot): number {
	const characters = Object.values(cursor.present).reduce((sum, { length }) => sum + length, 0);
	if (characters < 4 * MAX_GONE) return 0;
	const gone = Object.entries(cursor.present).map(([feed, packed]) => {
		const left = HashSet.of(packed);
		for (const { hash } of snapshot.get(feed) ?? []) left.delete(withoutFeed(hash));
		return left.size;
	});
	return gone.reduce((sum, count) => sum + count, 0);
}

type DatedEvent = HashEvent & { at: number };

interface FeedList {
	feed: string;
	entries: HashEntry[];
	/** The known stories of the list, and those that were in it before. */
	known: HashSet;
	former: HashSet;
}

/**
 * What a story of the list is:
 * - `known`: it was in the list before; nothing happened.
 * - `redated`: it was in the list before, and its date is new. It was changed, or it left and came back between polls.
 * - `returned`: it left the list, and is back.
 * - `older`: it is unknown only because newer stories had filled the list, or it never really left.
 * - `new`: all others.
 */
type Kind = 'known' | 'redated' | 'returned' | 'older' | 'new';

/** Returns a function that says what a story of a feed's list is, and for redated ones since when. */
function kindOfEntry(
	cursor: HashCursor,
	{ feed, known, former }: FeedList,
	{ emitsReturned, datedByEntry }: ListKind,
): (entry: HashEntry) => { kind: Kind; since?: number } {
	const knownUntil = cursor.knownUntil?.[feed] ?? -Infinity;
	const redatedSince = (entry: HashEntry): number | undefined =>
		cursor.redated?.[entry.hash] ?? newSince(entry, cursor.latest);
	const isDated = datedByEntry === true && cursor.latest !== undefined;
	return (entry) => {
		const own = withoutFeed(entry.hash);
		if (known.has(own)) {
			const since = redatedSince(entry);
			return since === undefined ? { kind: 'known' } : { kind: 'redated', since };
		}
		if (!former.has(own)) return { kind: entry.at <= knownUntil ? 'older' : 'new' };
		if (!emitsReturned || entry.at <= knownUntil) return { kind: 'older' };
		if (!isDated) return { kind: 'returned' };
		// Dated by entry, a story with its old date never left: a response had left it out.
		const since = redatedSince(entry);
		return since === undefined ? { kind: 'older' } : { kind: 'returned', since };
	};
}

/** The events of one feed, and the stories that become known without an event. */
function compareFeed(
	cursor: HashCursor,
	list: FeedList,
	kindOfList: ListKind,
): { events: DatedEvent[]; learnt: string[]; isUnchanged: boolean } {
	const { feed, entries, known } = list;
	const events: DatedEvent[] = [];
	const learnt: string[] = [];
	const classify = kindOfEntry(cursor, list, kindOfList);
	let stillListed = 0;
	for (const entry of [...entries].reverse()) {
		const { hash, at } = entry;
		const { kind, since } = classify(entry);
		const unreadable = cursor.unreadable[hash];
		const event = { feed, hash, at, ...(unreadable !== undefined && { unreadable }) };
		const returnCount = (cursor.returnCounts[hash] ?? 0) + 1;
		switch (kind) {
			case 'known':
				stillListed += 1;
				break;
			case 'redated':
				stillListed += 1;
				events.push({ ...event, returnCount, since });
				break;
			case 'returned':
				events.push({ ...event, returnCount, ...(since !== undefined && { since }) });
				break;
			case 'older':
				learnt.push(withoutFeed(hash));
				break;
			case 'new':
				events.push({ ...event, returnCount: 0 });
		}
	}
	return { events, learnt, isUnchanged: stillListed === known.size && learnt.length === 0 };
}

/** The known stories that the list still contains, and the learnt ones. The others move to `former`. */
function splitKnown(known: HashSet, former: HashSet, entries: HashEntry[], learnt: string[]): HashSet {
	const listed = entries.map(({ hash }) => withoutFeed(hash));
	former.addRest(known, listed);
	const kept = HashSet.of('');
	for (const own of listed) if (known.has(own)) kept.add(own);
	for (const own of learnt) {
		kept.add(own);
		former.delete(own);
	}
	return kept;
}

/** If too many stories are gone, the oldest are forgotten: the same share of each feed. */
function boundedGone(gone: HashCursor['gone']): HashCursor['gone'] {
	const sets = Object.entries(gone).map(([feed, packed]) => [feed, HashSet.of(packed)] as const);
	const total = sets.reduce((sum, [, set]) => sum + set.size, 0);
	if (total <= MAX_GONE) return gone;
	for (const [, set] of sets) set.keepLast(Math.floor((set.size * MAX_GONE) / total));
	return Object.fromEntries(sets.map(([feed, set]) => [feed, set.pack()]));
}

/**
 * The date up to which a feed's stories are older than the known ones, if the list contains only its `limit` newest:
 * when those are read, older ones take their place. Undefined if the list contains all.
 */
function knownUntilOf(
	entries: HashEntry[],
	limit: number | undefined,
	former: number | undefined,
	isAllKnown: boolean,
): number | undefined {
	if (entries.length !== limit) return undefined;
	const oldest = entries.reduce((least, { at }) => Math.min(least, at), Infinity);
	if (oldest === 0) return undefined;
	// Stories that are not emitted yet must stay newer than this date.
	return isAllKnown ? Math.max(oldest, former ?? 0) : (former ?? oldest - 1);
}

/** The newest date of a list, unless a newer one is known. */
function latestOf(entries: HashEntry[], former: LatestEntries | undefined): LatestEntries | undefined {
	const dated = entries.map((entry) => ({ ...entry, at: Math.floor(entry.at) }));
	const at = dated.reduce((newest, { at: own }) => Math.max(newest, own), former?.at ?? 0);
	if (at === 0) return undefined;
	const hashes = dated.filter((entry) => entry.at === at).map(({ hash }) => hash);
	return hashes.length > 0 ? { at, hashes } : former;
}

/**
 * If a story's date is newer than the last list: the date since which it must be in the list to have come after that
 * list. With an earlier one it was only changed. Otherwise undefined.
 */
function newSince(entry: HashEntry, latest: LatestEntries | undefined): number | undefined {
	const at = Math.floor(entry.at);
	if (!latest || at < latest.at) return undefined;
	if (!latest.hashes.includes(entry.hash)) return latest.at;
	return at > latest.at ? latest.at + 1 : undefined;
}
