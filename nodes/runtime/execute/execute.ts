import {
	deepCopy,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type NodeParameterValueType,
} from 'n8n-workflow';
import type { Result } from '../api-types';
import { failureOf, inputError, isFailure, sentences, type Failure } from '../errors/errors';
import { UNDONE } from '../errors/messages';
import { ParameterReader, readFields } from '../fields/field';
import { resultSchema } from '../table/operation';
import { DEFAULT_CONCURRENCY, DEFAULT_MAX_WAIT_S, runSettings, type RunSettings } from '../table/settings';
import { Client } from '../transport/client';
import type { Service } from '../transport/service';
import { quoted } from '../values';
import { joinRequests } from './batch';
import { Item, type Run, type Stage } from './item';
import {
	defaultsOf,
	isOmitted,
	isTool,
	refuseWrites,
	withAdviceInMessage,
	withDefaults,
	withinBudget,
} from './tool';

/**
 * Runs the chosen operation for every input item: some at a time, in the order of the items. Each output item is paired
 * with its input item. A failed item stops the run; with Continue on Fail, it becomes an item with `error` instead. A
 * failure of the whole run then becomes an error item for each input item, because n8n would return the input.
 */
export async function execute(context: IExecuteFunctions, service: Service): Promise<INodeExecutionData[][]> {
	const count = context.getInputData().length;
	let items: Item[] = [];
	try {
		const run = await runOf(context, service);
		items = Array.from({ length: count }, (_, index) => new Item(run, index));
		await runItems(run, items);
		const results = items.flatMap(outputsOf);
		return [isTool(context.getNode()) ? withinBudget(results) : results];
	} catch (error) {
		const node = context.getNode();
		if (!context.continueOnFail()) throw failureOf(node, error);
		const outputs = Array.from({ length: count }, (_, index) => {
			const item = items[index];
			return item?.outcome ? outputsOf(item, index) : [outputOf(failureOf(node, error, index), index)];
		});
		return [outputs.flat()];
	}
}

/** Runs the items. If one failed and stopped the run, throws its failure. */
async function runItems(run: Run, items: Item[]): Promise<void> {
	const { batch } = run.row;
	const { concurrency, batchSize = batch?.size ?? 1 } = run.settings;
	const work = batch ? await joinRequests(items, batch, Math.min(batchSize, batch.max ?? Infinity)) : items;
	await inParallel(work, concurrency ?? DEFAULT_CONCURRENCY, run);
	// The failure that stopped the run is reported, even if `doubtUndone` now fails an earlier item.
	const before = firstFailure(items);
	doubtUndone(run, items);
	const stoppedBy = before ?? firstFailure(items);
	if (run.isStopped && stoppedBy) {
		const failure = withProgress(items, stoppedBy);
		throw isTool(run.client.node) ? withAdviceInMessage(failure) : failure;
	}
	showHints(run, items);
}

/** Puts items in doubt whose change of a list is missing in the last response with that list. */
function doubtUndone({ changedLists, client }: Run, items: Item[]): void {
	for (const { list, changes } of changedLists.values()) {
		for (const { item: itemIndex, isShown } of changes.values()) {
			const item = items[itemIndex];
			if (item?.stage === 'Done' && !isShown(list)) item.settle([client.apiError({ ...UNDONE, itemIndex })]);
		}
	}
}

const firstFailure = (items: Item[]): Failure | undefined =>
	items.flatMap(({ outcome }) => outcome ?? []).find(isFailure);

async function runOf(context: IExecuteFunctions, service: Service): Promise<Run> {
	const resource = chosenEntry(context, 'resource', service.table);
	const row = chosenEntry(context, 'operation', resource.operations);
	const node = context.getNode();
	const parameter = parametersOf(context, node);
	const defaults = isTool(node) ? defaultsOf(row) : undefined;
	if (defaults && context.getNodeParameter('readOnly', 0, false) !== false) {
		const items = context
			.getInputData()
			.map((_, item) => withDefaults((name) => parameter(name, item), defaults));
		refuseWrites(node, resource, row, items);
	}
	const settings = await readSettings(context);
	const maxWaitMs = (settings.maximumWait ?? DEFAULT_MAX_WAIT_S) * 1000;
	return {
		context,
		parameter,
		service,
		client: new Client(context, service, { maxWaitMs, advice: 'See Options → Maximum Wait (Seconds).' }),
		resource,
		row,
		settings,
		...(defaults && { defaults }),
		memo: new Map(),
		hints: new Set(),
		listInputs: new Set(),
		changedLists: new Map(),
		isStopped: false,
	};
}

/** The options of the whole run, read from the first item. */
async function readSettings(context: IExecuteFunctions): Promise<RunSettings> {
	const reader = new ParameterReader((name) => context.getNodeParameter(name, 0, null), {
		timezone: context.getTimezone(),
		parameterError: (label, reason, advice = 'Correct it and run again') =>
			inputError(context.getNode(), `${label} ${reason}`, advice),
		find: async (_, url) =>
			await Promise.reject(new Error(`A URL (${url}) can't be used in the options of a run`)),
		...(isTool(context.getNode()) && { isBlank: isOmitted }),
	});
	return await readFields(runSettings, reader, reader.collection('options', 'Options'));
}

function chosenEntry<Entry>(
	context: IExecuteFunctions,
	parameter: string,
	entries: Readonly<Record<string, Entry>>,
): Entry {
	const name = String(context.getNodeParameter(parameter, 0, ''));
	const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
	if (entry) return entry;
	const known = Object.keys(entries).join(', ');
	throw inputError(context.getNode(), `There is no ${parameter} ${quoted(name)}`, `Use one of: ${known}`);
}

/**
 * Starts the work in its order, at most `concurrency` at a time, until the run is stopped. Work that is done is released
 * from memory.
 */
async function inParallel(
	work: ReadonlyArray<{ perform(): Promise<void> }>,
	concurrency: number,
	run: Run,
): Promise<void> {
	const left = [...work].reverse();
	const worker = async (): Promise<void> => {
		while (!run.isStopped && left.length > 0) await left.pop()?.perform();
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
}

/** The output of an input item. If it failed, the error lists the stages of its entries. */
const outputsOf = ({ outcome = [], entryStages }: Item, index: number): INodeExecutionData[] =>
	outcome.map((result) => outputOf(result, index, entryProgress(entryStages, index)));

/** A result as an item. The item of a failure has no other keys than those by which n8n recognizes an error. */
function outputOf(result: Result | Failure, item: number, entries = ''): INodeExecutionData {
	if (!isFailure(result)) return { ...result, pairedItem: { item } };
	const details = sentences(result.description ?? '', entries);
	return { json: { error: result.message, ...(details && { details }) }, pairedItem: { item } };
}

/** The failure of a stopped run. Its description lists the stage of each item and of its entries. */
function withProgress(items: Item[], failure: Failure): Failure {
	const stages = items.map(({ stage }) => stage);
	failure.description = sentences(
		failure.description ?? '',
		stages.length > 1 ? progress(stages, 0) : '',
		...items.map(({ entryStages }, index) => entryProgress(entryStages, index)),
	);
	return failure;
}

/** The stages of an item's entries, unless all are the same. */
const entryProgress = (stages: readonly Stage[], item: number): string =>
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

/**
 * Reads parameters for items. A parameter without an expression is the same for all items and is read once, because n8n
 * searches the description each time. n8n's own validation is skipped: the fields check all values.
 */
function parametersOf(context: IExecuteFunctions, { parameters }: INode): Run['parameter'] {
	const sameForAll = new Map<string, NodeParameterValueType | object>();
	return (parameter, item) => {
		if (sameForAll.has(parameter)) return deepCopy(sameForAll.get(parameter));
		const value = context.getNodeParameter(parameter, item, null, { skipValidation: true });
		if (!hasExpression(parameters[parameter])) sameForAll.set(parameter, value);
		return value;
	};
}

/** Whether a parameter, or a text inside it, is an expression: n8n stores it with a leading equals sign. */
const hasExpression = (stored: unknown): boolean => JSON.stringify(stored ?? null).includes('"=');

/** Shows messages that are not part of the items: waits, options without effect, and messages of the service. */
function showHints(run: Run, items: Item[]): void {
	const hints = [
		...run.hints,
		...waits(run),
		...repeatedList(run, items.length),
		...uselessOptions(run),
		...incompleteRecord(run, items),
	];
	for (const message of hints) run.context.addExecutionHints({ message, location: 'outputPane' });
}

const waits = ({ client, service }: Run): string[] =>
	client.waited < 1000
		? []
		: [`Waited ${Math.round(client.waited / 1000)} s in all for the rate limit of ${service.name}`];

/** All items requested the same list. */
function repeatedList({ listInputs }: Run, count: number): string[] {
	if (listInputs.size !== 1 || count < 2) return [];
	return [
		`Each of the ${count} input items got the same list: turn on Execute Once in the node’s settings to get it once`,
	];
}

const isOn = ({ context }: Run, option: string): boolean =>
	context.getNodeParameter(`options.${option}`, 0, false) === true;

/** Options that have no effect because of another option. n8n itself drops options that the operation doesn't have. */
const uselessOptions = (run: Run): string[] =>
	isOn(run, 'rawResponse') && isOn(run, 'wholeRecord')
		? ['Whole Record has no effect with Raw Response']
		: [];

/** A written record without a member that every record has. */
function incompleteRecord(run: Run, items: Item[]): string[] {
	const { output } = run.row;
	if (output.fromBody === undefined || isOn(run, 'rawResponse') || isOn(run, 'wholeRecord')) return [];
	const required = Object.entries(resultSchema(output).members)
		.filter(([, { optional, jsonSchema }]) => !optional && ![jsonSchema.type].flat().includes('null'))
		.map(([name]) => name);
	const isIncomplete = (result: Result | Failure): boolean =>
		!isFailure(result) && required.some((name) => result.json[name] === null);
	return items.some(({ outcome }) => outcome?.some(isIncomplete))
		? ['Fields that the service did not return are null. Options → Whole Record requests them.']
		: [];
}
