import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { failureOf, inputError, sentences } from '../errors/errors';
import { Form, readFields } from '../fields/field';
import { initialForm } from '../table/form';
import type { Operation } from '../table/operation';
import { DEFAULT_CONCURRENCY, DEFAULT_MAX_WAIT_S, runSettings, type Settings } from '../table/settings';
import { Client } from '../transport/client';
import type { Service } from '../transport/service';
import { quoted } from '../values';
import { joined } from './batch';
import { withinBudget } from './budget';
import { report } from './hints';
import { isFailure, Item, type Failure, type Outcome, type Stage } from './item';
import { givenByModel, isLeftOut, isTool, parametersOf, type Run } from './run';

/**
 * Runs the chosen operation for every input item: some at a time, in the order of the items, each
 * output item paired with its input item. An item that fails stops the run, or with Continue on Fail
 * becomes an item that carries `error`: whatever fails then, n8n would take the input for the output.
 */
export async function execute(context: IExecuteFunctions, service: Service): Promise<INodeExecutionData[][]> {
	const count = context.getInputData().length;
	let items: Item[] = [];
	try {
		const run = await runOf(context, service);
		items = Array.from({ length: count }, (_, index) => new Item(run, index));
		await carryOut(run, items);
		const results = items.flatMap(({ outcome = [] }, index) =>
			outcome.map((result) => itemOf(result, index)),
		);
		return [isTool(context.getNode()) ? withinBudget(results) : results];
	} catch (error) {
		if (!context.continueOnFail()) throw failureOf(context.getNode(), error);
		const failures = Array.from({ length: count }, (_, index) => failureOf(context.getNode(), error, index));
		return [
			failures.flatMap((failure, index) =>
				(items[index]?.outcome ?? [failure]).map((result) => itemOf(result, index)),
			),
		];
	}
}

/** Throws the first failure, unless failed items go on. */
async function carryOut(run: Run, items: Item[]): Promise<void> {
	const { batch } = run.row;
	const { concurrency, batchSize = batch?.size ?? 1 } = run.settings;
	const work = batch ? await joined(items, batch, Math.min(batchSize, batch.max ?? Infinity)) : items;
	await inParallel(work, concurrency ?? DEFAULT_CONCURRENCY, run);
	if (run.isStopped) throw asToldTo(run.client.node, withProgress(items));
	report(run, items);
}

async function runOf(context: IExecuteFunctions, service: Service): Promise<Run> {
	const resource = chosen(context, 'resource', service.table);
	const row = chosen(context, 'operation', resource.operations);
	const node = context.getNode();
	const given = parametersOf(context, node);
	const initial = isTool(node) ? initialForm(row, node.typeVersion) : undefined;
	const isReadOnly = initial && context.getNodeParameter('readOnly', 0, false) !== false;
	if (isReadOnly && changes(row, context.getInputData().length, given, initial)) {
		throw inputError(
			node,
			`${resource.name} → ${row.name} was not done: it changes something, and this tool is read only`,
			'Use a tool that only reads, or tell the user that Read Only has to be switched off',
		);
	}
	const settings = await readSettings(context);
	const maxWaitMs = (settings.maximumWait ?? DEFAULT_MAX_WAIT_S) * 1000;
	return {
		context,
		given,
		service,
		client: new Client(context, service, { maxWaitMs }),
		resource,
		row,
		settings,
		...(initial && { initial }),
		memo: new Map(),
		hints: new Set(),
		isStopped: false,
	};
}

/** Whether what a model asks for, by so many items, changes something. */
function changes(
	row: Operation,
	count: number,
	given: Run['given'],
	initial: ReadonlyMap<string, unknown>,
): boolean {
	if (!row.changes) return row.method !== 'GET';
	const forms = Array.from({ length: count }, (_, item) =>
		givenByModel((name) => given(name, item), initial),
	);
	return forms.some(row.changes);
}

/** The options of the whole run: those of its first item. */
async function readSettings(context: IExecuteFunctions): Promise<Settings> {
	const form = new Form((name) => context.getNodeParameter(name, 0, null), {
		timezone: context.getTimezone(),
		version: context.getNode().typeVersion,
		refuse: (label, reason, advice = 'Correct it and run again') =>
			inputError(context.getNode(), `${label}: ${reason}`, advice),
		find: async (_, url) => await Promise.reject(new Error(`${url} is no option`)),
		...(isTool(context.getNode()) && { isBlank: isLeftOut }),
	});
	return await readFields(runSettings, form, form.collection('options', 'Options'));
}

function chosen<Entry>(
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

/** A result as an item; a failed one keeps to the keys from which n8n knows an error. */
const itemOf = (result: Outcome[number], item: number): INodeExecutionData =>
	isFailure(result)
		? {
				json: { error: result.message, ...(result.description && { details: result.description }) },
				pairedItem: { item },
			}
		: { ...result, pairedItem: { item } };

/** The advice of a failure goes into its message where a model reads it: of a tool's failure n8n tells it no more. */
function asToldTo(node: INode, failure: Failure): Failure {
	if (!isTool(node) || !failure.description) return failure;
	failure.message = `${failure.message}\n${failure.description}`;
	failure.description = '';
	return failure;
}

/** The first failure of a stopped run, told how far each item has come. */
function withProgress(items: Item[]): Failure {
	const failure = items.flatMap(({ outcome }) => outcome ?? []).find(isFailure) as Failure;
	const stages = items.map(({ stage }) => stage);
	if (stages.length > 1) failure.description = sentences(failure.description ?? '', progress(stages));
	return failure;
}

/** `Done: 0-2. In doubt: 3. Not begun: 4, 6.` */
function progress(stages: Stage[]): string {
	const of = (stage: Stage): number[] => stages.flatMap((reached, item) => (reached === stage ? [item] : []));
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
