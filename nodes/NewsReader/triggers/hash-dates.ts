import type { HashCursor, LatestEntries } from './hash-cursor';
import type { HashEntry, HashSnapshot, ListBehavior } from './hash-snapshot';

/**
 * The dates that a cursor remembers of a list:
 *
 *     oldest                                                newest
 *     │ not in the list │ the newest `limitPerFeed` of a feed │
 *                       ▲                                     ▲
 *                   knownUntil                             latest
 *
 * - `knownUntil` is for a list that contains only the newest stories of a feed: when one of them leaves the list, an
 *   older story replaces it, and that story is not new.
 * - `latest` is for a list that is dated by entry: a known story with a newer date was changed, or it left the list and
 *   came back between two polls.
 */
export function datesOf(
	previous: LatestEntries | undefined,
	knownUntil: Record<string, number>,
	snapshot: HashSnapshot,
	{ datedByEntry }: ListBehavior,
): Pick<HashCursor, 'knownUntil' | 'latest'> {
	const latest = datedByEntry ? latestOf([...snapshot.values()].flat(), previous) : undefined;
	return { ...(Object.keys(knownUntil).length > 0 && { knownUntil }), ...(latest && { latest }) };
}

/** A feed's next `knownUntil`; undefined if the list contains all stories of the feed. */
export function knownUntilOf(
	entries: HashEntry[],
	{ limitPerFeed }: ListBehavior,
	previous: number | undefined,
	isAllKnown: boolean,
): number | undefined {
	if (entries.length !== limitPerFeed) return undefined;
	const oldest = entries.reduce((least, { at }) => Math.min(least, at), Infinity);
	if (oldest === 0) return undefined;
	// Stories that are not emitted yet must stay newer than this date.
	return isAllKnown ? Math.max(oldest, previous ?? 0) : (previous ?? oldest - 1);
}

/** The newest entries of a list; the previous ones if they are newer. */
function latestOf(entries: HashEntry[], previous: LatestEntries | undefined): LatestEntries | undefined {
	const dated = entries.map((entry) => ({ ...entry, at: Math.floor(entry.at) }));
	const at = dated.reduce((newest, { at: own }) => Math.max(newest, own), previous?.at ?? 0);
	if (at === 0) return undefined;
	const hashes = dated.filter((entry) => entry.at === at).map(({ hash }) => hash);
	return hashes.length > 0 ? { at, hashes } : previous;
}

/**
 * The value of `redated` for an entry: the time that separates "came back" from "was only changed". Undefined if the
 * entry's date is not new: the last list contained newer dates, or the entry with this date.
 */
export function separatingTime(entry: HashEntry, latest: LatestEntries | undefined): number | undefined {
	const at = Math.floor(entry.at);
	if (!latest || at < latest.at) return undefined;
	if (!latest.hashes.includes(entry.hash)) return latest.at;
	return at > latest.at ? latest.at + 1 : undefined;
}
