import { isRecord, toInteger } from '../../runtime/values';

/**
 * Statistics as the service sends them: in each group, a count for each label, such as `topCountries.Canada`. Remembered
 * statistics also have `total`, the record's counter at that time.
 */
export type Statistics = Record<string, unknown>;
/** In each group, by how much the count of each label increased. */
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

/** The counts of one group; 0 for a count that is not an integer. */
const countsByLabel = (statistics: Statistics, group: string): Array<[string, number]> => {
	const counts = statistics[group];
	if (!isRecord(counts)) return [];
	return Object.entries(counts).map(([label, count]) => [label, toInteger(count) ?? 0]);
};

/**
 * The changes since the previous statistics. Without previous statistics, they are known only if the counter began at 0.
 * The service lists only the most frequent labels: a label that the previous list may have left out is left out here, too.
 */
export function changesOf(
	statistics: Statistics | undefined,
	previous: Statistics | undefined,
	from: number,
	total: number,
): Changes | null {
	if (!statistics || (!previous && from > 0)) return null;
	return Object.fromEntries(
		Object.entries(GROUPS)
			.filter(([group]) => group in statistics)
			.map(([group, name]) => [
				name,
				Object.fromEntries(increases(statistics, previous ?? {}, group, total)),
			]),
	);
}

function increases(
	statistics: Statistics,
	previous: Statistics,
	group: string,
	total: number,
): Array<[string, number]> {
	const previousTotal = toInteger(previous.total) ?? 0;
	const before = new Map(countsByLabel(previous, group));
	const sumBefore = [...before.values()].reduce((sum, count) => sum + count, 0);
	const wasComplete = group === 'socialCount' || sumBefore >= previousTotal;
	return countsByLabel(statistics, group)
		.filter(([label]) => wasComplete || before.has(label))
		.map(([label, count]): [string, number] => [
			label,
			// No label can increase by more than the counter.
			Math.min(count - (before.get(label) ?? 0), total - previousTotal),
		])
		.filter(([, increase]) => increase > 0);
}

/** Adds a record's statistics, and its counter at that time. If all together are too long, the oldest are forgotten. */
export function rememberStatistics(
	remembered: Array<[string, Statistics]>,
	key: string,
	statistics: Statistics,
	total: number,
): Array<[string, Statistics]> {
	const groups = Object.keys(GROUPS).filter((group) => group in statistics);
	const counts = groups.map(
		(group) => [group, Object.fromEntries(countsByLabel(statistics, group))] as const,
	);
	const added: [string, Statistics] = [key, { ...Object.fromEntries(counts), total }];
	const entries = [...remembered.filter(([other]) => other !== key), added];
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
