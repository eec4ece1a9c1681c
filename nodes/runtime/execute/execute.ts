import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { failureOf, sentences, type Failure } from '../errors/errors';
import type { Service } from '../transport/service';
import { joinRequests } from './batch';
import { showHints } from './hints';
import { Item } from './item';
import { ItemTask } from './item-task';
import { failedItem, outputsOf } from './output';
import { inTurn, runOf, type Run } from './run';
import { entryProgress, itemProgress } from './stages';
import { isTool, shownToModel, withAdviceShown } from './tool';

/**
 * Runs the chosen operation for every input item: some at a time, in the order of the items. Each output item is paired
 * with its input item. A failed item stops the run; with Continue on Fail, it becomes an item with `error` instead. With
 * Continue on Fail, the run never throws, because n8n would return the input items: if the run itself fails, each input item
 * without an outcome becomes an item with that error.
 */
export async function execute(context: IExecuteFunctions, service: Service): Promise<INodeExecutionData[][]> {
	const inputItems = context.getInputData();
	const node = context.getNode();
	let items: Item[] = [];
	try {
		const run = await runOf(context, service);
		items = inputItems.map((_, index) => new Item(run, index));
		await runItems(run, items);
		showHints(context, run);
		const results = items.flatMap(outputsOf);
		return [isTool(node) ? shownToModel(results) : results];
	} catch (error) {
		if (!context.continueOnFail()) throw withAdviceShown(node, failureOf(node, error));
		const all = inputItems.flatMap((_, index) => {
			const item = items[index];
			return item?.outcome ? outputsOf(item) : [failedItem(failureOf(node, error, index), index)];
		});
		return [all];
	}
}

/** Runs the items. Throws the failure that stopped the run, if one did. */
async function runItems(run: Run, items: Item[]): Promise<void> {
	const { batch } = run.row;
	const work = batch
		? (await joinRequests(run, items, batch)).map((request) => async () => await request.perform())
		: items.map((item) => async () => await performAlone(run, item));
	// Writes go one by one: two may concern one record, and one may create what If Exists finds for the next.
	await inParallel(work, run.writes ? 1 : run.settings.concurrency, run);
	if (run.stoppedBy) throw withProgress(run, items, run.stoppedBy);
}

/** Starts the work in its order, at most `concurrency` at a time, until the run is stopped. */
async function inParallel(work: Array<() => Promise<void>>, concurrency: number, run: Run): Promise<void> {
	// All workers take from the same iterator.
	const left = work.values();
	const worker = async (): Promise<void> => {
		for (const next of left) {
			if (run.stoppedBy) return;
			await next();
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Performs the task of one item in its turn. The item is settled before the next turn begins. */
async function performAlone(run: Run, item: Item): Promise<void> {
	const owner = async () => run.client.ownerOf(await run.client.credential(item.index));
	const work = async (): Promise<void> => {
		const task = await ItemTask.prepare(run, item.index, () => item.notePossibleWrite());
		item.settle(await task.perform());
	};
	// The inner guard settles the item in its turn; the outer one is for a credential that can't be read.
	await item.guarded(async () => await inTurn(run, { owner }, async () => await item.guarded(work)));
}

/** The failure of a stopped run. Its description lists the stages of all items and of their entries. */
function withProgress(run: Run, items: Item[], failure: Failure): Failure {
	failure.description = sentences(
		failure.description ?? '',
		itemProgress(
			items.map(({ stage }) => stage),
			items.flatMap(({ stages }) => stages),
		),
		...items.map(({ stages, index }) => entryProgress(stages, index)),
		run.earlierTries,
	);
	return failure;
}
