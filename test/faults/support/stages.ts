/** Reads the stages that a node reports for its input items, or for their entries. */
import type { RunResult } from '../../../engine/index.ts';

/** The stage of an item; one that was not begun counts as not done. `nothing`: none is reported. */
export type Stage = 'done' | 'in doubt' | 'not done' | 'nothing';

const IN_DOUBT = /may have carried out|in doubt/i;
const groups: ReadonlyArray<[ending: string, reported: Stage]> = [
	['(?:was|were) done', 'done'],
	['(?:is|are) in doubt', 'in doubt'],
	['(?:was|were) not done', 'not done'],
	['(?:was|were) not begun', 'not done'],
];

/** The progress of an item's entries in an error; present if their stages differ. */
const ENTRIES = /\s*(?:Entry|Entries|Nothing was done for entries) [\d, to]+ of item (\d+)[^.]*\./g;

/** The reported stage of each of `count` items; of items with several entries, that of each entry. */
export function stagesOf(result: RunResult, node: string, count: number, entries = 1): Stage[] {
	if (result.error) return stagesOfError(result.error, count, entries);
	const texts = Array.from({ length: count }, (): string[] => []);
	const outputs = [0, 1].flatMap((output) => result.items(node, output));
	for (const { json, pairedItem } of outputs) {
		const { item } = pairedItem as { item: number };
		// The link service's own response has `error: 0`.
		texts[item]?.push(
			'error' in json && Number(json.error) !== 0
				? `${String(json.error)} ${String(json.details ?? '')}`
				: '',
		);
	}
	return texts.flatMap((itemTexts, item) =>
		entries > 1 ? entriesByOutputs(itemTexts, item, entries) : [stageOfOutputs(itemTexts)],
	);
}

/**
 * The stages of an item with several entries, which has one output for each entry, or one for all. If they differ, each
 * failed output reports the progress of all entries, because the error output does not keep their order.
 */
function entriesByOutputs(texts: string[], item: number, entries: number): Stage[] {
	const words = texts.map((text) => stageOfOutputs([text]));
	if (new Set(words).size === 1 && [1, entries].includes(words.length))
		return Array.from({ length: entries }, () => words[0]!);
	const reports = texts.filter((text) => text !== '').map((text) => entriesIn(text, item, entries));
	const agree = reports.every(
		(reported) => reported && [...reported].sort().join() === [...words].sort().join(),
	);
	return (agree && reports[0]) || Array.from({ length: entries }, () => 'nothing');
}

/** The stage of an item with these outputs: the text of each error, empty for a success. */
function stageOfOutputs(texts: string[]): Stage {
	if (texts.length === 0) return 'nothing';
	if (texts.every((text) => text === '')) return 'done';
	const isFailed = texts.map(withoutEntries).every((text) => text !== '' && !IN_DOUBT.test(text));
	return isFailed ? 'not done' : 'in doubt';
}

function stagesOfError(
	error: Error & { description?: string | null },
	count: number,
	entries: number,
): Stage[] {
	const description = String(error.description ?? '');
	const text = withoutEntries(description);
	const stage: Stage = IN_DOUBT.test(`${error.message} ${text}`) ? 'in doubt' : 'not done';
	const reported = count === 1 ? [stage] : byProgress(text, count, 0);
	return reported.flatMap((word, item) => {
		const ofEntries = entriesIn(description, item, entries);
		if (entries > 1) return ofEntries ?? Array.from({ length: entries }, () => word);
		return ofEntries ? 'in doubt' : word;
	});
}

const withoutEntries = (text: string): string => text.replaceAll(ENTRIES, '');

/** The stages of an item's entries in a text; undefined if all are the same. */
function entriesIn(text: string, item: number, entries: number): Stage[] | undefined {
	const sentences = [...text.matchAll(ENTRIES)].filter(([, index]) => Number(index) === item);
	if (sentences.length === 0) return undefined;
	return byProgress(sentences.map(([sentence]) => sentence).join(' '), entries, 1);
}

/** The stages in `Items 1 to 2 were done. Item 3 is in doubt.` for `count` items, numbered from `first`. */
function byProgress(text: string, count: number, first: number): Stage[] {
	const isNothing = /Nothing was done for (?:items|entries)/.test(text);
	const reported = Array.from({ length: count }, (): Stage => (isNothing ? 'not done' : 'nothing'));
	for (const [ending, meaning] of groups) {
		const sentence = new RegExp(`(?:Items?|Entry|Entries) ([\\d, to]+?)(?: of item \\d+)? ${ending}\\.`);
		const [, list = ''] = sentence.exec(text) ?? [];
		for (const number of numbersOf(list)) reported[number - first] = meaning;
	}
	return reported;
}

/** 0, 1, 2, 3, 5 of `0 to 3, 5`. */
function numbersOf(list: string): number[] {
	return [...list.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from, to]) => {
		const length = Number(to ?? from) - Number(from) + 1;
		return Array.from({ length }, (_, n) => Number(from) + n);
	});
}
