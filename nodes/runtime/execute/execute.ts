import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';
import { isFailure, type Failure, type Outcome } from './outcome';
import { Run } from './run';
import type { Service } from '../transport/service';

/**
 * Runs the chosen operation for every input item: some at a time, in the order of the items, each
 * output item paired with its input item. An item that fails stops the run, or with Continue on Fail
 * becomes an item that carries `error`.
 */
export async function execute(context: IExecuteFunctions, service: Service): Promise<INodeExecutionData[][]> {
	const run = new Run(context, service);
	const count = context.getInputData().length;
	const outcomes = new Array<Outcome | undefined>(count);
	const units = await run.units(count);
	let stopped = false;
	let next = 0;
	const settle = ([item, outcome]: [number, Outcome]): void => {
		outcomes[item] = outcome;
		if (outcome.some(isFailure) && !context.continueOnFail()) stopped = true;
	};
	const worker = async (): Promise<void> => {
		while (!stopped && next < units.length) (await units[next++]?.())?.forEach(settle);
	};
	await Promise.all(Array.from({ length: run.concurrency }, worker));

	if (stopped) throw asToldTo(context.getNode(), withProgress(outcomes));
	run.report();
	return [outcomes.flatMap((outcome, item) => (outcome ?? []).map((result) => itemOf(result, item)))];
}

/** A result as an item; a failed one keeps to the keys from which n8n knows an error. */
const itemOf = (result: Outcome[number], item: number): INodeExecutionData =>
	isFailure(result)
		? {
				json: { error: result.message, ...(result.description && { details: result.description }) },
				pairedItem: { item },
			}
		: { ...result, pairedItem: { item } };

/** The first failure, told which items were done all the same. */
function withProgress(outcomes: Array<Outcome | undefined>): Failure {
	const failure = outcomes.flatMap((outcome) => outcome ?? []).find(isFailure) as Failure;
	const done = outcomes.flatMap((outcome, item) => (outcome && !outcome.some(isFailure) ? [item] : []));
	if (outcomes.length > 1) {
		const progress =
			done.length === 0
				? 'No item was completed.'
				: `Completed all the same: ${done.length} of ${outcomes.length} items (${ranges(done)}).`;
		failure.description = [sentence(failure.description ?? ''), progress].filter(Boolean).join(' ');
	}
	return failure;
}

/** The advice of a failure goes into its message where a model reads it: of a tool's failure n8n tells it no more. */
function asToldTo(node: INode, failure: Failure): Failure {
	if (node.rewireOutputLogTo !== NodeConnectionTypes.AiTool || !failure.description) return failure;
	failure.message = `${failure.message}\n${failure.description}`;
	failure.description = '';
	return failure;
}

/** A text that another sentence can follow. */
const sentence = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

/** `0-3, 5` for 0, 1, 2, 3, 5. */
function ranges(numbers: number[]): string {
	const spans: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = spans.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else spans.push([number, number]);
	}
	return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
