/** How far the service got with items and their entries, and how errors say so. */
import type { Result } from '../api-types';
import { capitalized } from '../values';
import { isFailure, isInDoubt, sentences, type Failure } from '../errors/errors';

/** How far the service got with an item or entry, as far as the node can know. */
export type Stage = 'Done' | 'In doubt' | 'Not done' | 'Not begun';

/** The stage of what has this result or failure. */
export const stageOf = (result: Result | Failure): Stage => {
	if (isFailure(result)) return isInDoubt(result) ? 'In doubt' : 'Not done';
	return 'isUndone' in result ? 'Not done' : 'Done';
};

/** The stages of a run's items, unless there is only one: `Items 0, 1 were done.` */
export const itemProgress = (stages: Stage[], ofEntries: readonly Stage[]): string =>
	stages.length > 1 ? sentencesOf(stages, { first: 0, one: 'item', several: 'items' }, ofEntries) : '';

/** The stages of an item's entries, unless all are the same: `Entries 1 to 100 of item 0 were done.` */
export const entryProgress = (stages: readonly Stage[], itemIndex: number): string =>
	new Set(stages).size > 1
		? sentencesOf(stages, { first: 1, one: 'entry', several: 'entries', of: ` of item ${itemIndex}` })
		: '';

const ENDINGS: Record<Stage, [one: string, several: string]> = {
	Done: ['was done', 'were done'],
	'In doubt': ['is in doubt', 'are in doubt'],
	'Not done': ['was not done', 'were not done'],
	'Not begun': ['was not begun', 'were not begun'],
};

/** A sentence for each stage that was reached, or one if nothing was done, nor for `ofEntries`. Numbers begin with `first`. */
function sentencesOf(
	stages: readonly Stage[],
	{ first, one, several, of = '' }: { first: number; one: string; several: string; of?: string },
	ofEntries: readonly Stage[] = [],
): string {
	if (![...stages, ...ofEntries].some((stage) => stage === 'Done' || stage === 'In doubt')) {
		return `Nothing was done for ${several} ${first} to ${first + stages.length - 1}${of}.`;
	}
	const reached = Object.entries(ENDINGS).map(([stage, [isOne, areSeveral]]) => {
		const numbers = stages.flatMap((each, index) => (each === stage ? [first + index] : []));
		const [noun, ending] = numbers.length === 1 ? [one, isOne] : [several, areSeveral];
		return numbers.length > 0 ? `${capitalized(noun)} ${ranges(numbers)}${of} ${ending}.` : '';
	});
	return sentences(...reached);
}

/** `0 to 2, 4, 5` for 0, 1, 2, 4, 5. */
function ranges(numbers: number[]): string {
	const spans: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = spans.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else spans.push([number, number]);
	}
	return spans
		.map(([from, to]) => (to - from < 2 ? [...new Set([from, to])].join(', ') : `${from} to ${to}`))
		.join(', ');
}
