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
 * `knownUntil` is for lists that contain only the newest stories: if some of those are read, older ones take their
 * place, and are not new. `latest` is for lists that are dated by entry: a known story with a later date was changed, or
 * it left the list and came back between two polls.
 */
export function datesOf(
	former: LatestEntries | undefined,
	knownUntil: Record<string, number>,
	snapshot: HashSnapshot,
	{ datedByEntry }: ListBehavior,
): Pick<HashCursor, 'knownUntil' | 'latest'> {
	const latest = datedByEntry ? latestOf([...snapshot.values()].flat(), former) : undefined;
	return { ...(Object.keys(knownUntil).length > 0 && { knownUntil }), ...(latest && { latest }) };
}

/** A feed's next `knownUntil`; undefined if the list contains all of its stories. */
export function knownUntilOf(
	entries: HashEntry[],
	{ limitPerFeed }: ListBehavior,
	former: number | undefined,
	isAllKnown: boolean,
): number | undefined {
	if (entries.length !== limitPerFeed) return undefined;
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
export function newSince(entry: HashEntry, latest: LatestEntries | undefined): number | undefined {
	const at = Math.floor(entry.at);
	if (!latest || at < latest.at) return undefined;
	if (!latest.hashes.includes(entry.hash)) return latest.at;
	return at > latest.at ? latest.at + 1 : undefined;
}
