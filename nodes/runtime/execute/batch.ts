import type { ApiResponse, RequestParts } from '../api-types';
import { classOf, failureOf, isFailure, isInDoubt, markInDoubt, type Failure } from '../errors/errors';
import { unmentioned } from '../transport/api';
import type { Batch } from '../table/operation';
import { chunksOf, getOrCreate } from '../values';
import type { Item } from './item';
import { ItemRequest } from './item-request';
import { rawResult } from './presenter';
import { inTurn, type Run } from './run';
import { stageOf, type Outcome } from './stages';

/** One entry of the joined lists. It is sent once, for all items that contain it. */
interface Entry {
	readonly text: string;
	/** The request of the first item that contains it. */
	readonly request: ItemRequest;
	readonly shares: ItemShare[];
	/** Undefined until the entry was sent. */
	response?: ApiResponse | Failure;
}

/** Joins the lists of many items into few requests, in the order of the items. Items with invalid parameters fail here. */
export async function joinRequests(run: Run, items: Item[], batch: Batch): Promise<JoinedRequest[]> {
	/** The entries by target and text. */
	const targets = new Map<string, Map<string, Entry>>();
	for (const item of items) {
		if (run.isStopped) break;
		const prepared = await item.guarded(async () => {
			// A possible write is not noted: the request is for several items, and its responses say what was done for each.
			const request = await ItemRequest.prepare(run, item.index, () => undefined);
			return { request, ...(await entriesOf(request, batch.field)) };
		});
		if (!prepared) continue;
		const { request, texts, target } = prepared;
		const share = new ItemShare(item, request, batch);
		const entries = getOrCreate(targets, target, () => new Map<string, Entry>());
		for (const text of texts) {
			const entry = getOrCreate(entries, text, () => ({ text, request, shares: [] }));
			entry.shares.push(share);
			share.entries.push(entry);
		}
	}
	const size = Math.min(run.settings.batchSize, batch.max ?? Infinity);
	return [...targets.values()]
		.flatMap((entries) => chunksOf([...entries.values()], size))
		.map((chunk) => new JoinedRequest(chunk, batch))
		.sort((one, other) => one.first.item - other.first.item);
}

const listPart = (parts: RequestParts, field: string): 'query' | 'body' =>
	field in parts.query ? 'query' : 'body';

/**
 * The entries of an item, and its `target`: a key for the account, Read Only, and everything else in the request. Only
 * items with the same target share a request.
 */
async function entriesOf(
	{ api, input: { parts } }: ItemRequest,
	field: string,
): Promise<{ texts: string[]; target: string }> {
	const part = listPart(parts, field);
	const { [field]: list, ...others } = parts[part];
	const texts = (Array.isArray(list) ? list : [list]).filter((entry) => entry !== undefined).map(String);
	const { account, isReadOnly } = await api.owner();
	const target = JSON.stringify([account, isReadOnly, { ...parts, [part]: others }]);
	return { texts, target };
}

/** One request for entries of many items, sent with the credential of the first item. */
class JoinedRequest {
	readonly first: ItemRequest;

	constructor(
		private readonly entries: Entry[],
		private readonly batch: Batch,
	) {
		this.first = entries[0]!.request;
	}

	/** Sends the request in its turn, and reports to its items. */
	async perform(): Promise<void> {
		const { first } = this;
		// The owner was read when the requests were joined: reading it again could fail, and hide what other requests did.
		await inTurn(
			first.run,
			async () => (await first.api.owner()).lastingAccount,
			async () => {
				await this.sendAll();
				for (const share of new Set(this.entries.flatMap(({ shares }) => shares))) await share.report();
			},
		);
		// Releases the responses: a run may have 100,000 items.
		this.entries.length = 0;
	}

	/** Sends all entries together. If that fails and one entry may be the cause, sends each entry alone. */
	private async sendAll(): Promise<void> {
		const joined = await this.send(this.entries);
		const sendsAlone = this.entries.length > 1 && isFailure(joined) && this.mayBeCausedByOneEntry(joined);
		const alone = sendsAlone ? await this.sendEachAlone(isInDoubt(joined)) : [];
		// Not before: another request may report to the same items, and must not see a response that is not final.
		for (const [index, entry] of this.entries.entries()) entry.response = alone[index] ?? joined;
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
		const { api, input, run, item } = sent[0]!.request;
		const { parts } = input;
		const { field, send } = this.batch;
		const part = listPart(parts, field);
		const isShared = new Set(sent.flatMap(({ shares }) => shares)).size > 1;
		const ask = async (entries: string[]): Promise<ApiResponse> =>
			await api.ask(run.row, { ...parts, isShared, [part]: { ...parts[part], [field]: entries } });
		const entries = sent.map(({ text }) => text);
		try {
			return await (send ? send(entries, api, ask) : ask(entries));
		} catch (error) {
			return failureOf(run.node, error, item);
		}
	}

	/**
	 * Sends each entry alone: then only the bad ones are refused. Any other failure would meet the other entries, too: this
	 * stops, and the remaining entries keep the failure of the joined request. `inDoubt`: the service may have carried out that
	 * request in part.
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

/** An item's part in the joined requests: its entries, and the item that they settle. */
class ItemShare {
	readonly entries: Entry[] = [];
	private isComplete = false;

	constructor(
		private readonly item: Item,
		private readonly request: ItemRequest,
		private readonly batch: Batch,
	) {}

	/** Notes the stages of the entries, and settles the item: with all responses, or with a failure that stops the run. */
	async report(): Promise<void> {
		const { item, request } = this;
		if (this.isComplete) return;
		const responses = this.entries.map(({ response }) => response);
		const received = responses.filter((response) => response !== undefined);
		this.isComplete = received.length === responses.length;
		item.noteEntries(responses.map((response) => (response ? stageOf(response) : 'Not begun')));
		if (this.isComplete) {
			await item.guarded(async () => await this.settle(received));
			return;
		}
		// If the service fails in a run that stops, the item fails with it. Requests under way can still complete the item.
		const failure = received.filter(isFailure).find((response) => classOf(response) !== 'refused');
		if (failure && !request.run.goesOnAfterFailure) item.settle([failure]);
	}

	/** Settles the item with the results of its entries. With Raw Response, there is one result for each response. */
	private async settle(responses: Array<ApiResponse | Failure>): Promise<void> {
		const { item } = this;
		const { isRaw, presenter } = this.request.api;
		if (isRaw) {
			const results = [...new Set(responses)].map((response) =>
				isFailure(response) ? response : rawResult(response),
			);
			return item.settle(presenter.withoutSecrets(results));
		}
		const results = await Promise.all(
			this.entries.map(async ({ text }, index) => await this.result(text, responses[index]!)),
		);
		// The response to several entries can say that one of them was refused.
		item.noteEntries(results.map(([result]) => (result ? stageOf(result) : 'Done')));
		item.settle(presenter.withoutSecrets(results.flat()));
	}

	private async result(entry: string, response: ApiResponse | Failure): Promise<Outcome> {
		const { api } = this.request;
		if (isFailure(response)) return [response];
		const read = this.batch.readEntry(response, entry);
		if (!read) return [unmentioned(api, entry)];
		if ('refusal' in read) return [api.refusal(read.refusal, entry)];
		return await api.results([read.record], response);
	}
}
