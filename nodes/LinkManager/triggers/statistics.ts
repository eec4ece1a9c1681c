import { isRecord, toInteger } from '../../runtime/values';

/** Statistics as the service sends them: counts by label, in several groups. Remembered statistics also have `total`. */
export type Statistics = Record<string, unknown>;
/** The increase of each label, by group. */
export type Changes = Record<string, Record<string, number>>;

/** The service's groups, and their names in items. */
const GROUPS: Record<string, string> = {
	topCountries: 'countries',
	topReferrers: 'referrers',
	topBrowsers: 'browsers',
	topOs: 'systems',
	socialCount: 'networks',
};

/** The size limit of all remembered statistics together, in characters. */
const MAX_SAVED_CHARACTERS = 150_000;

const savedCountsIn = (statistics: Statistics, group: string): Array<[string, number]> => {
	const counts = statistics[group];
	if (!isRecord(counts)) return [];
	return Object.entries(counts).map(([label, count]) => [label, toInteger(count) ?? 0]);
};

/**
 * The difference of two statistics; without previous ones, it is known only if nothing had been counted before. Leaves
 * out labels that may have been missing from the previous list, which has only the most frequent ones.
 */
export function changesOf(
	statistics: Statistics | undefined,
	previous: Statistics | undefined,
	from: number,
	to: number,
): Changes | null {
	if (!statistics || (!previous && from > 0)) return null;
	return Object.fromEntries(
		Object.entries(GROUPS)
			.filter(([group]) => group in statistics)
			.map(([group, name]) => [name, Object.fromEntries(increases(statistics, previous ?? {}, group, to))]),
	);
}

function increases(
	statistics: Statistics,
	previous: Statistics,
	group: string,
	total: number,
): Array<[string, number]> {
	const previousTotal = toInteger(previous.total) ?? 0;
	const before = new Map(savedCountsIn(previous, group));
	const counted = [...before.values()].reduce((sum, count) => sum + count, 0);
	const isComplete = group === 'socialCount' || counted >= previousTotal;
	return savedCountsIn(statistics, group)
		.filter(([label]) => isComplete || before.has(label))
		.map(([label, count]): [string, number] => [
			label,
			Math.min(count - (before.get(label) ?? 0), total - previousTotal),
		])
		.filter(([, increase]) => increase > 0);
}

/** Remembers a record's statistics and its counter at that time. If there are too many, the oldest are forgotten. */
export function rememberStatistics(
	all: Array<[string, Statistics]>,
	key: string,
	statistics: Statistics,
	total: number,
): Array<[string, Statistics]> {
	const groups = Object.keys(GROUPS).filter((group) => group in statistics);
	const counts = groups.map(
		(group) => [group, Object.fromEntries(savedCountsIn(statistics, group))] as const,
	);
	const own = { ...Object.fromEntries(counts), total };
	const entries = [...all.filter(([other]) => other !== key), [key, own] as [string, Statistics]];
	let characters = 0;
	const kept = entries.reverse().filter((entry) => {
		characters += JSON.stringify(entry).length;
		return characters <= MAX_SAVED_CHARACTERS;
	});
	return kept.reverse();
}

/** Saved statistics; undefined if they are broken. */
export function parseStatistics(saved: unknown): Array<[string, Statistics]> | undefined {
	const isReadable =
		Array.isArray(saved) &&
		saved.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string' && isRecord(entry[1]));
	return isReadable ? (saved as Array<[string, Statistics]>) : undefined;
}
