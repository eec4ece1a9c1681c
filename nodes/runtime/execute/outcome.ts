import type { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isInDoubt, sentences } from '../errors/errors';
import type { Result } from '../table/operation';
import type { Answer } from '../transport/http';

export type Failure = NodeApiError | NodeOperationError;

/** What one item comes to: its results, and what of it failed. */
export type Outcome = Array<Result | Failure>;

export const isFailure = (result: Result | Failure | Answer): result is Failure => result instanceof Error;

/** How far an item has come, as far as anybody can know. */
export type Stage = 'Done' | 'In doubt' | 'Not done' | 'Not begun';

/** The stage of an item with such an outcome; `touched` tells that the service may have done something for it. */
export function stageOf(outcome: Outcome | undefined, touched: boolean): Stage {
	if (!outcome) return touched ? 'In doubt' : 'Not begun';
	const failures = outcome.filter(isFailure);
	if (failures.length === 0) return 'Done';
	const isPartial = failures.length < outcome.length;
	return touched || isPartial || failures.some(isInDoubt) ? 'In doubt' : 'Not done';
}

/** The first failure of a stopped run, told how far each item has come. */
export function withProgress(outcomes: Array<Outcome | undefined>, stages: Stage[]): Failure {
	const failure = outcomes.flatMap((outcome) => outcome ?? []).find(isFailure) as Failure;
	if (stages.length > 1) failure.description = sentences(failure.description ?? '', progress(stages));
	return failure;
}

/** `Done: 0-2. In doubt: 3. Not begun: 4, 6.` */
function progress(stages: Stage[]): string {
	const of = (stage: Stage): number[] => stages.flatMap((each, item) => (each === stage ? [item] : []));
	const headings: Stage[] = ['Done', 'In doubt', 'Not done', 'Not begun'];
	return headings
		.filter((stage) => stage !== 'Not done' || of(stage).length > 0)
		.map((stage) => `${stage}: ${ranges(of(stage))}.`)
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
