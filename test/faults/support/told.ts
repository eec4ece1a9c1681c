/** What a node said of each of its input items. */
import type { RunResult } from '../../../engine/index.ts';

export type Told = 'done' | 'in doubt' | 'not done' | 'nothing';

const IN_DOUBT = /may have done|in doubt/i;
const groups: ReadonlyArray<[heading: string, told: Told]> = [
	['Done', 'done'],
	['In doubt', 'in doubt'],
	['Not done', 'not done'],
	['Not begun', 'not done'],
];

/** For each of `count` items what the run of the node said of it. */
export function toldOf(result: RunResult, node: string, count: number): Told[] {
	if (result.error) return toldByError(result.error, count);
	const texts = Array.from({ length: count }, (): string[] => []);
	const outputs = [0, 1].flatMap((output) => result.items(node, output));
	for (const { json, pairedItem } of outputs) {
		const { item } = pairedItem as { item: number };
		// A link service's own answer has the number 0 there.
		texts[item]?.push(
			'error' in json && Number(json.error) !== 0
				? `${String(json.error)} ${String(json.details ?? '')}`
				: '',
		);
	}
	return texts.map(toldByOutputs);
}

/** Of the outputs of one item: the text of each error, empty for a success. */
function toldByOutputs(texts: string[]): Told {
	if (texts.length === 0) return 'nothing';
	if (texts.every((text) => text === '')) return 'done';
	return texts.every((text) => text !== '' && !IN_DOUBT.test(text)) ? 'not done' : 'in doubt';
}

function toldByError(error: Error & { description?: string | null }, count: number): Told[] {
	const text = String(error.description ?? '');
	if (count === 1) return [IN_DOUBT.test(`${error.message} ${text}`) ? 'in doubt' : 'not done'];
	const told = Array.from({ length: count }, (): Told => 'nothing');
	for (const [heading, meaning] of groups) {
		const [, list = ''] = new RegExp(`\\b${heading}: ([\\d, -]+)`).exec(text) ?? [];
		for (const item of numbersOf(list)) told[item] = meaning;
	}
	return told;
}

/** 0, 1, 2, 3, 5 of `0-3, 5`. */
function numbersOf(list: string): number[] {
	return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, from, to]) => {
		const length = Number(to ?? from) - Number(from) + 1;
		return Array.from({ length }, (_, n) => Number(from) + n);
	});
}
