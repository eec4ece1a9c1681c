import { toText } from '../../runtime/values';

/** One entry of a list of hashes: the hash alone, or a pair of hash and Unix seconds. */
export const hashOf = (entry: unknown): string => toText(Array.isArray(entry) ? entry[0] : entry);
/** Its date; 0 where the service told none. */
export const timeOf = (entry: unknown): number => (Array.isArray(entry) ? Number(toText(entry[1])) || 0 : 0);

/**
 * Up to which date stories of a feed are older than what is known of it, where the list tells only its `most` newest
 * ones: when those are read, older ones take their place. Undefined if the list tells all.
 */
export function horizonOf(
	entries: unknown[],
	most: number | undefined,
	former: number | undefined,
	isAllKnown: boolean,
): number | undefined {
	if (entries.length !== most) return undefined;
	const oldest = Math.min(...entries.map(timeOf));
	if (oldest === 0) return undefined;
	// What is not handed over yet must stay on this side of it.
	return isAllKnown ? Math.max(oldest, former ?? 0) : (former ?? oldest - 1);
}

/** The newest date of a list, in Unix seconds, and the hashes that have it. */
export interface Latest {
	at: number;
	hashes: string[];
}

/** The newest date of a list, unless a newer one is known. */
export function latestOf(entries: unknown[], former: Latest | undefined): Latest | undefined {
	const dated = entries.map((entry) => ({ hash: hashOf(entry), at: Math.floor(timeOf(entry)) }));
	const at = dated.reduce((newest, { at: own }) => Math.max(newest, own), former?.at ?? 0);
	if (at === 0) return undefined;
	const hashes = dated.filter((entry) => entry.at === at).map(({ hash }) => hash);
	return hashes.length > 0 ? { at, hashes } : former;
}

/**
 * From which date on a story of the list must have come into it for having come after the list was last seen;
 * undefined if its own date is not newer than the list was. It may have been changed only.
 */
export function newSince(entry: unknown, latest: Latest | undefined): number | undefined {
	const at = Math.floor(timeOf(entry));
	if (!latest || at < latest.at) return undefined;
	const isKnownThen = latest.hashes.includes(hashOf(entry));
	if (isKnownThen) return at > latest.at ? latest.at + 1 : undefined;
	return latest.at;
}
