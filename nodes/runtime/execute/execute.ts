import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';
import { inputError } from '../errors/errors';
import { DEFAULT_CONCURRENCY, DEFAULT_MAX_WAIT_S } from '../table/settings';
import { Client } from '../transport/client';
import type { Service } from '../transport/service';
import { toInteger } from '../values';
import { joined } from './batch';
import { isFailure, Item, type Failure, type Outcome, type Run } from './item';

/**
 * Runs the chosen operation for every input item: some at a time, in the order of the items, each
 * output item paired with its input item. An item that fails stops the run, or with Continue on Fail
 * becomes an item that carries `error`.
 */
export async function execute(context: IExecuteFunctions, service: Service): Promise<INodeExecutionData[][]> {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const run = runOf(context, service, options);
	const { batch } = run.row;
	const items = context.getInputData().map((_, index) => new Item(run, index));
	const wanted = toInteger(options.batchSize) ?? batch?.size ?? 1;
	const work = batch
		? await joined(items, batch, Math.min(Math.max(wanted, 1), batch.max ?? Infinity))
		: items;
	const concurrency = Math.max(toInteger(options.concurrency) ?? DEFAULT_CONCURRENCY, 1);
	await inParallel(work, concurrency, run);

	const outcomes = items.map(({ outcome }) => outcome);
	if (run.isStopped) throw asToldTo(context.getNode(), withProgress(outcomes));
	report(run);
	return [outcomes.flatMap((outcome, item) => (outcome ?? []).map((result) => itemOf(result, item)))];
}

function runOf(context: IExecuteFunctions, service: Service, options: IDataObject): Run {
	const maxWaitS = toInteger(options.maximumWait) ?? DEFAULT_MAX_WAIT_S;
	const resource = chosen(context, 'resource', service.table);
	return {
		context,
		service,
		client: new Client(context, service, { maxWaitMs: maxWaitS * 1000 }),
		resource,
		row: chosen(context, 'operation', resource.operations),
		memo: new Map(),
		hints: new Set(),
		isStopped: false,
	};
}

function chosen<Entry>(
	context: IExecuteFunctions,
	parameter: string,
	entries: Readonly<Record<string, Entry>>,
): Entry {
	const name = String(context.getNodeParameter(parameter, 0, ''));
	const entry = entries[name];
	if (entry) return entry;
	const known = Object.keys(entries).join(', ');
	throw inputError(context.getNode(), `There is no ${parameter} "${name}"`, `Use one of: ${known}`);
}

/** Does some work at a time, in its order, until all is done or the run is stopped. */
async function inParallel(
	work: Array<{ perform(): Promise<void> }>,
	concurrency: number,
	run: Run,
): Promise<void> {
	let next = 0;
	const worker = async (): Promise<void> => {
		while (!run.isStopped && next < work.length) await work[next++]?.perform();
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Tells the user what the items don't: waits that made the run long, and what the service said beside them. */
function report({ context, client, service, hints }: Run): void {
	if (client.waited >= 1000) {
		const seconds = Math.round(client.waited / 1000);
		hints.add(`Waited ${seconds} s in all for the rate limit of ${service.name}`);
	}
	const shown = [...hints].map((message) => ({ message, location: 'outputPane' as const }));
	if (shown.length > 0) context.addExecutionHints(...shown);
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
