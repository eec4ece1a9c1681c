import { clock } from '../../runtime/transport/rateLimit';
import { omit, toText } from '../../runtime/values';
import type { HashesByFeed } from '../model/hashes';
import { HashSet, NOTHING_KNOWN, tail, type HashCursor, type HashEvent, type Latest } from './hashCursor';

/** One entry of a list: Unix seconds, 0 where the service told no date. */
export interface HashEntry {
	hash: string;
	at: number;
}

/** The list as it is now, feed by feed. */
export type HashSnapshot = Map<string, HashEntry[]>;

/** What is known of a kind of list beforehand. */
export interface HashList {
	/** Whether stories that come back into it count as new. */
	countsAgain: boolean;
	/** The most stories that it tells of one feed, the newest ones; left out if it tells all. */
	mostOfFeed?: number;
	/** Whether its dates tell when a story came into it, or was changed in it; otherwise when it was published. */
	datesEntries?: boolean;
}

/** No list is ahead of the time by more than this. */
const DAY_S = 24 * 3600;

/**
 * The entries of a list as the service tells them: the hash alone, or a pair of hash and Unix seconds. What is called
 * like something that every object has is no feed and no story.
 */
export function snapshotOf(byFeed: HashesByFeed, { datesEntries }: HashList): HashSnapshot {
	const latest = datesEntries ? clock.now() / 1000 + DAY_S : Number.MAX_VALUE;
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

/** Stories that left the list are remembered up to this many. */
const MOST_GONE = 20_000;
/** That more stories than that left at once is believed only after so many polls: the list may come back. */
const MOST_DOUBTED = 60;

/** The newest hashes of a list. */
export const newestHashes = (snapshot: HashSnapshot, count: number): string[] =>
	[...snapshot.values()]
		.flat()
		.sort((a, b) => b.at - a.at)
		.slice(0, count)
		.map(({ hash }) => hash);

/** The cursor that knows a whole list but these. */
export function allKnownBut(snapshot: HashSnapshot, hashes: string[], list: HashList): HashCursor {
	const left = new Set(hashes);
	const present: HashCursor['present'] = {};
	const horizon: Record<string, number> = {};
	for (const [feed, entries] of snapshot) {
		const set = HashSet.of('');
		for (const { hash } of entries) if (!left.has(hash)) set.add(tail(hash));
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
		present,
		gone: bounded(gone),
		again,
		unreadable,
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
		for (const { hash } of snapshot.get(feed) ?? []) left.delete(tail(hash));
		return left.size;
	});
	return gone.reduce((sum, count) => sum + count, 0);
}

type DatedEvent = HashEvent & { at: number };

interface FeedList {
	feed: string;
	entries: HashEntry[];
	/** What is known to be in the list, and what was in it before. */
	known: HashSet;
	former: HashSet;
}

/** The events of one feed, and which stories become known without being one. */
function compareFeed(
	cursor: HashCursor,
	{ feed, entries, known, former }: FeedList,
	{ countsAgain, datesEntries }: HashList,
): { events: DatedEvent[]; quiet: string[]; isUnchanged: boolean } {
	const events: DatedEvent[] = [];
	const quiet: string[] = [];
	const horizon = cursor.horizon?.[feed] ?? -Infinity;
	let matched = 0;
	for (const entry of [...entries].reverse()) {
		const { hash, at } = entry;
		const own = tail(hash);
		const isKnown = known.has(own);
		const isBack = former.has(own);
		// Where dates tell when a story came, one that only was missing for a while didn't come again.
		const tellsReturn = isKnown || (isBack && datesEntries && cursor.latest !== undefined);
		const since = tellsReturn ? (cursor.redated?.[hash] ?? newSince(entry, cursor.latest)) : undefined;
		const isOnlyBack = isBack && (!countsAgain || (tellsReturn && since === undefined));
		if (isKnown) matched += 1;
		if (isKnown && since === undefined) continue;
		if (!isKnown && (isOnlyBack || at <= horizon)) {
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
function moved(known: HashSet, former: HashSet, entries: HashEntry[], quiet: string[]): HashSet {
	const listed = entries.map(({ hash }) => tail(hash));
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

/**
 * Up to which date stories of a feed are older than what is known of it, where the list tells only its `most` newest
 * ones: when those are read, older ones take their place. Undefined if the list tells all.
 */
function horizonOf(
	entries: HashEntry[],
	most: number | undefined,
	former: number | undefined,
	isAllKnown: boolean,
): number | undefined {
	if (entries.length !== most) return undefined;
	const oldest = Math.min(...entries.map(({ at }) => at));
	if (oldest === 0) return undefined;
	// What is not handed over yet must stay on this side of it.
	return isAllKnown ? Math.max(oldest, former ?? 0) : (former ?? oldest - 1);
}

/** The newest date of a list, unless a newer one is known. */
function latestOf(entries: HashEntry[], former: Latest | undefined): Latest | undefined {
	const dated = entries.map((entry) => ({ ...entry, at: Math.floor(entry.at) }));
	const at = dated.reduce((newest, { at: own }) => Math.max(newest, own), former?.at ?? 0);
	if (at === 0) return undefined;
	const hashes = dated.filter((entry) => entry.at === at).map(({ hash }) => hash);
	return hashes.length > 0 ? { at, hashes } : former;
}

/**
 * From which date on a story of the list must have come into it for having come after the list was last seen;
 * undefined if its own date is not newer than the list was. It may have been changed only.
 */
function newSince(entry: HashEntry, latest: Latest | undefined): number | undefined {
	const at = Math.floor(entry.at);
	if (!latest || at < latest.at) return undefined;
	const isKnownThen = latest.hashes.includes(entry.hash);
	if (isKnownThen) return at > latest.at ? latest.at + 1 : undefined;
	return latest.at;
}
