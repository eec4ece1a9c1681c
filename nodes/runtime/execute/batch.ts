import type { ApiResponse, RequestParts, Result } from '../api-types';
import { classOf, failureOf, isFailure, isInDoubt, markInDoubt, type Failure } from '../errors/errors';
import { unmentioned } from '../transport/api';
import type { Batch } from '../table/operation';
import { chunksOf, getOrCreate } from '../values';
import type { Item } from './item';
import { ItemTask } from './item-task';
import { rawResult } from './presenter';
import { inTurn, type Run } from './run';
import { stageOf } from './stages';

/** One entry of the joined lists. It is sent once, for all items that contain it. */
interface Entry {
	readonly text: string;
	/** The task of the first item that contains it. */
	readonly task: ItemTask;
	readonly items: JoinedItem[];
	/** Undefined until the entry was sent. */
	response?: ApiResponse | Failure;
}

/** Joins the lists of many items into few requests, in the order of the items. Items with invalid parameters fail here. */
export async function joinRequests(run: Run, items: Item[], batch: Batch): Promise<JoinedRequest[]> {
	/** The entries by target and text. */
	const targets = new Map<string, Map<string, Entry>>();
	for (const item of items) {
		if (run.stoppedBy) break;
		const prepared = await item.guarded(async () => {
			// A possible write is not noted for the item: the responses say what was done for each entry.
			const task = await ItemTask.prepare(run, item.index, () => undefined);
			return { task, ...(await entriesOf(task, batch.field)) };
		});
		if (!prepared) continue;
		const { task, texts, target } = prepared;
		const joined = new JoinedItem(item, task, batch);
		const entries = getOrCreate(targets, target, () => new Map<string, Entry>());
		for (const text of texts) {
			const entry = getOrCreate(entries, text, () => ({ text, task, items: [] }));
			entry.items.push(joined);
			joined.entries.push(entry);
		}
	}
	const size = Math.min(run.settings.batchSize, batch.max ?? Infinity);
	return [...targets.values()]
		.flatMap((entries) => chunksOf([...entries.values()], size))
		.map((chunk) => new JoinedRequest(chunk, batch))
		.sort((one, other) => one.first.itemIndex - other.first.itemIndex);
}

const listPart = (parts: RequestParts, field: string): 'query' | 'body' =>
	field in parts.query ? 'query' : 'body';

/**
 * The entries of an item, and its `target`: a key for the account, Read Only, and everything else in the request. Only
 * items with the same target share a request.
 */
async function entriesOf(
	{ api, input: { parts } }: ItemTask,
	field: string,
): Promise<{ texts: string[]; target: string }> {
	const part = listPart(parts, field);
	const { [field]: list, ...others } = parts[part];
	const { account, isReadOnly } = await api.owner();
	const target = JSON.stringify([account, isReadOnly, { ...parts, [part]: others }]);
	return { texts: (list as unknown[]).map(String), target };
}

/** One request for entries of many items, sent with the credential of the first item. */
class JoinedRequest {
	readonly first: ItemTask;

	constructor(
		private readonly entries: Entry[],
		private readonly batch: Batch,
	) {
		this.first = entries[0]!.task;
	}

	/** Sends the request in its turn, and settles the items whose last entries it has. */
	async perform(): Promise<void> {
		const { first, entries } = this;
		await inTurn(
			first.run,
			async () => await first.api.owner(),
			async () => {
				const responses = await this.responses();
				for (const [index, entry] of entries.entries()) entry.response = responses[index];
				const items = [...new Set(entries.flatMap((entry) => entry.items))];
				for (const item of items) item.noteStages();
				// Nothing is awaited before this: so the request that completes an item is the only one that settles it.
				for (const item of items.filter(({ isComplete }) => isComplete)) await item.settle();
			},
		);
		// Releases the responses: a run may have 100,000 items.
		entries.length = 0;
	}

	/** The response or failure for each entry. If the joined request fails and one entry may be the cause, each is sent alone. */
	private async responses(): Promise<Array<ApiResponse | Failure>> {
		const { entries } = this;
		const joined = await this.send(entries);
		const sendsAlone = entries.length > 1 && isFailure(joined) && this.mayBeCausedByOneEntry(joined);
		const alone = sendsAlone ? await this.sendEachAlone(isInDoubt(joined)) : [];
		return entries.map((_, index) => alone[index] ?? joined);
	}

	/** Whether one bad entry may have made the request fail: hosts refuse such a request, or respond with 500. */
	private mayBeCausedByOneEntry(failure: Failure): boolean {
		if (!this.batch.splitOnFailure) return false;
		const reason = classOf(failure);
		if (reason === 'failed') return this.first.run.row.idempotent === true;
		return reason === 'refused' && !isInDoubt(failure);
	}

	/** Sends these entries with the credential of the first item among theirs. Returns the response or the failure. */
	private async send(sent: Entry[]): Promise<ApiResponse | Failure> {
		const { api, input, run, itemIndex } = sent[0]!.task;
		const { parts } = input;
		const { field, send } = this.batch;
		const part = listPart(parts, field);
		const isShared = new Set(sent.flatMap(({ items }) => items)).size > 1;
		const ask = async (entries: string[]): Promise<ApiResponse> =>
			await api.ask(run.row, { ...parts, isShared, [part]: { ...parts[part], [field]: entries } });
		const entries = sent.map(({ text }) => text);
		try {
			return await (send ? send(entries, api, ask) : ask(entries));
		} catch (error) {
			return failureOf(run.node, error, itemIndex);
		}
	}

	/**
	 * Sends each entry alone, until one fails that was not refused: such a failure would meet the other entries, too. Returns
	 * nothing for the entries that were not sent. `inDoubt`: the service may have carried out the joined request in part.
	 */
	private async sendEachAlone(inDoubt: boolean): Promise<Array<ApiResponse | Failure>> {
		const responses: Array<ApiResponse | Failure> = [];
		for (const entry of this.entries) {
			const response = await this.send([entry]);
			responses.push(isFailure(response) && inDoubt ? markInDoubt(response) : response);
			if (isFailure(response) && classOf(response) !== 'refused') break;
		}
		return responses;
	}
}

/** An item and its entries, whose responses settle it. */
class JoinedItem {
	readonly entries: Entry[] = [];

	constructor(
		private readonly item: Item,
		private readonly task: ItemTask,
		private readonly batch: Batch,
	) {}

	get isComplete(): boolean {
		return this.entries.every(({ response }) => response !== undefined);
	}

	/** Notes how far the service got with the entries. If it fails, the run stops; a refused entry waits for the others. */
	noteStages(): void {
		const { item, entries } = this;
		item.stages = entries.map(({ response }) => (response ? stageOf(response) : 'Not begun'));
		const failures = entries.flatMap(({ response }) => (response && isFailure(response) ? [response] : []));
		const failure = failures.find((each) => classOf(each) !== 'refused');
		if (failure) item.stopRun(failure);
	}

	/** Settles the item with the results of its entries. With Raw Response, there is one result for each response. */
	async settle(): Promise<void> {
		const { item, entries } = this;
		const { isRaw, presenter } = this.task.api;
		await item.guarded(async () => {
			const results = isRaw
				? this.rawResults()
				: await Promise.all(entries.map(async (entry) => await this.result(entry)));
			// The stage of each entry: one response to all can say that one of them was refused.
			item.settle(presenter.withoutSecrets(results), isRaw ? item.stages : undefined);
		});
	}

	private rawResults(): Array<Result | Failure> {
		const responses = new Set(this.entries.map(({ response }) => response!));
		return [...responses].map((response) => (isFailure(response) ? response : rawResult(response)));
	}

	private async result({ text, response }: Entry): Promise<Result | Failure> {
		const { api } = this.task;
		if (isFailure(response!)) return response;
		const read = this.batch.readEntry(response!, text);
		if (!read) return unmentioned(api, text);
		if ('refusal' in read) return api.refusal(read.refusal, text);
		return await api.presenter.result(read.record, response!);
	}
}
