import { clock } from '../../runtime/clock';
import { toText } from '../../runtime/values';
import type { HashesByFeed } from '../model/hashes';

/** An entry of a list. */
export interface HashEntry {
	hash: string;
	/** Unix seconds; 0 if the service sent no date. */
	at: number;
}

/** The list as it is now, by feed. */
export type HashSnapshot = Map<string, HashEntry[]>;

/** How a list behaves. */
export interface ListBehavior {
	/** Whether a story that comes back into the list is an event. */
	emitsReturned: boolean;
	/** How many stories of one feed the list contains at most, the newest ones; left out if it contains all. */
	limitPerFeed?: number;
	/** Whether the list's dates say when a story entered the list or was last changed; otherwise when it was published. */
	datedByEntry?: boolean;
}

/** A date is believed if it is at most this far in the future: the service's clock may be ahead of ours. */
const MAX_CLOCK_LEAD_S = 24 * 3600;

/**
 * The entries of a list. The service sends each as the hash alone, or as a pair of hash and Unix seconds. Names that
 * every object has (such as `constructor`) are neither feeds nor stories. `latestKnown` is the newest known date: if our
 * clock was set back, it limits the dates instead.
 */
export function snapshotOf(
	byFeed: HashesByFeed,
	{ datedByEntry }: ListBehavior,
	latestKnown = 0,
): HashSnapshot {
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

/** The newest hashes of a list. */
export const newestHashes = (snapshot: HashSnapshot, count: number): string[] =>
	[...snapshot.values()]
		.flat()
		.sort((a, b) => b.at - a.at)
		.slice(0, count)
		.map(({ hash }) => hash);
