/** How far the service got with items and their entries, in errors. */
import type { ApiResponse, Result } from '../api-types';
import { isFailure, isInDoubt, type Failure } from '../errors/errors';

/** The results and failures of one item. */
export type Outcome = Array<Result | Failure>;

/** How far the service got with an item or entry, as far as the node can know. */
export type Stage = 'Done' | 'In doubt' | 'Not done' | 'Not begun';

export const stageOf = (result: Result | Failure | ApiResponse): Stage => {
	if (!isFailure(result)) return 'Done';
	return isInDoubt(result) ? 'In doubt' : 'Not done';
};

/** The stages of a run's items, unless there is only one item. */
export const itemProgress = (stages: Stage[]): string => (stages.length > 1 ? progress(stages, 0) : '');

/** The stages of an item's entries, unless all are the same. */
export const entryProgress = (stages: readonly Stage[], item: number): string =>
	new Set(stages).size > 1 ? `Entries of item ${item}, counted from 1: ${progress(stages, 1)}` : '';

/** `Done: 0-2. In doubt: 3. Not begun: 4, 6.` The numbers begin with `first`. */
function progress(stages: readonly Stage[], first: number): string {
	const numbersAt = (stage: Stage): number[] =>
		stages.flatMap((reached, index) => (reached === stage ? [first + index] : []));
	const headings: Stage[] = ['Done', 'In doubt', 'Not done', 'Not begun'];
	return headings
		.filter((stage) => stage !== 'Not done' || numbersAt(stage).length > 0)
		.map((stage) => `${stage}: ${ranges(numbersAt(stage))}.`)
		.join(' ');
}

/** `0-3, 5` for 0, 1, 2, 3, 5. */
function ranges(numbers: number[]): string {
	const spans: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = spans.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else spans.push([number, number]);
	}
	return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ') || 'none';
}
