import { isRecord, toInteger } from '../../runtime/values';

/** Statistics as a service tells them: kinds of labels, each with its count. What is remembered has `told` as well. */
export type Figures = Record<string, unknown>;
/** By kind, what was counted on for each label. */
export type Changes = Record<string, Record<string, number>>;

/** How a kind of label is called in what is handed over. */
const KINDS: Record<string, string> = {
	topCountries: 'countries',
	topReferrers: 'referrers',
	topBrowsers: 'browsers',
	topOs: 'systems',
	socialCount: 'networks',
};

/** All remembered statistics together take no more than this many characters. */
const MOST_CHARACTERS = 150_000;

const countsIn = (figures: Figures, kind: string): Array<[string, number]> => {
	const counts = figures[kind];
	if (!isRecord(counts)) return [];
	return Object.entries(counts).map(([label, count]) => [label, toInteger(count) ?? 0]);
};

/**
 * What changed between two statistics. Without former ones it can be told only if nothing was counted before;
 * a label that may have been cut from a former list of the most frequent ones is left out.
 */
export function changesOf(
	figures: Figures | undefined,
	former: Figures | undefined,
	from: number,
	to: number,
): Changes | null {
	if (!figures || (!former && from > 0)) return null;
	const formerCount = former ? (toInteger(former.told) ?? 0) : 0;
	return Object.fromEntries(
		Object.entries(KINDS)
			.filter(([kind]) => kind in figures)
			.map(([kind, name]) => [name, Object.fromEntries(grown(figures, former ?? {}, kind, formerCount, to))]),
	);
}

function grown(
	figures: Figures,
	former: Figures,
	kind: string,
	formerCount: number,
	to: number,
): Array<[string, number]> {
	const before = new Map(countsIn(former, kind));
	const counted = [...before.values()].reduce((sum, count) => sum + count, 0);
	const isComplete = kind === 'socialCount' || counted >= formerCount;
	return countsIn(figures, kind)
		.filter(([label]) => isComplete || before.has(label))
		.map(([label, count]): [string, number] => [
			label,
			Math.min(count - (before.get(label) ?? 0), to - formerCount),
		])
		.filter(([, growth]) => growth > 0);
}

/**
 * What is remembered of statistics, with those of one entry put last; the oldest make room. `told` is what was counted
 * when they were told.
 */
export function rememberFigures(
	all: Array<[string, Figures]>,
	key: string,
	figures: Figures,
	told: number,
): Array<[string, Figures]> {
	const kinds = Object.keys(KINDS).filter((kind) => kind in figures);
	const counts = kinds.map((kind) => [kind, Object.fromEntries(countsIn(figures, kind))] as const);
	const own = { ...Object.fromEntries(counts), told };
	const entries = [...all.filter(([other]) => other !== key), [key, own] as [string, Figures]];
	let characters = 0;
	const kept = entries.reverse().filter((entry) => {
		characters += JSON.stringify(entry).length;
		return characters <= MOST_CHARACTERS;
	});
	return kept.reverse();
}

/** Remembered statistics as they were saved; undefined if they can't be read. */
export function readFigures(saved: unknown): Array<[string, Figures]> | undefined {
	const isReadable =
		Array.isArray(saved) &&
		saved.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string' && isRecord(entry[1]));
	return isReadable ? (saved as Array<[string, Figures]>) : undefined;
}
