import type { ApiResponse, RequestParts } from '../api-types';
import { classOf, failureOf, isFailure, isInDoubt, markInDoubt, type Failure } from '../errors/errors';
import { unmentioned } from '../transport/api';
import type { Batch } from '../table/operation';
import { getOrCreate } from '../values';
import { inTurn, type Item } from './item';
import type { ItemRequest } from './item-request';
import { rawResult } from './presenter';
import { stageOf, type Outcome } from './stages';

/**
 * Joins the lists of many items into as few requests as possible. An entry that several items contain is sent once.
 * Items with invalid parameters have failed already and are left out.
 */
export async function joinRequests(items: Item[], batch: Batch, size: number): Promise<JoinedRequest[]> {
	/** For each target, the request that may have room for more entries. */
	const open = new Map<string, JoinedRequest>();
	/** The request of each entry, by target and entry. */
	const byEntry = new Map<string, JoinedRequest>();
	for (const item of items) {
		const prepared = await item.guarded(async () => {
			const request = await item.prepare();
			return { request, ...(await split(request, batch.field)) };
		});
		if (!prepared) continue;
		const { request, entries, target } = prepared;
		const requestFor = (entry: string): JoinedRequest =>
			getOrCreate(byEntry, `${target} ${entry}`, () => {
				const last = open.get(target);
				const joined = last && last.entries.length < size ? last : new JoinedRequest(request, batch);
				open.set(target, joined);
				joined.entries.push(entry);
				return joined;
			});
		const own = new ItemEntries(item, request, batch);
		for (const entry of entries) own.add(entry, requestFor(entry));
	}
	return [...new Set(byEntry.values())];
}

/** The part of a request that contains the batched list. */
const listPart = (parts: RequestParts, field: string): 'query' | 'body' =>
	field in parts.query ? 'query' : 'body';

/**
 * The entries of an item, and its `target`: a key for the account and everything else in the request. Only items with the
 * same target share a request.
 */
async function split(prepared: ItemRequest, field: string): Promise<{ entries: string[]; target: string }> {
	const { parts } = prepared;
	const place = listPart(parts, field);
	const { [field]: list, ...others } = parts[place];
	const entries = (Array.isArray(list) ? list : [list]).filter((entry) => entry !== undefined).map(String);
	const target = JSON.stringify([await prepared.api.account(), { ...parts, [place]: others }]);
	return { entries, target };
}

/**
 * One request for entries of many items, sent with the credential of the first item. `ItemEntries` reads the response to
 * each of its entries here.
 */
class JoinedRequest {
	readonly entries: string[] = [];
	readonly waitingItems = new Set<ItemEntries>();
	private readonly responses = new Map<string, ApiResponse | Failure>();

	constructor(
		private readonly first: ItemRequest,
		private readonly batch: Batch,
	) {}

	/** Sends the request unless the run is stopped, and settles the items that wait for no other request. */
	async perform(): Promise<void> {
		const { first } = this;
		// `split` cached the account, so this can't fail and leave the items without a stage.
		const account = async (): Promise<string> => await first.api.account();
		const isSent = await inTurn(first.run, account, async () => {
			await this.sendAll();
			return true;
		});
		if (!isSent) return;
		for (const entries of this.waitingItems) await entries.settle();
		this.waitingItems.clear();
	}

	/** The response for one entry, or its failure; undefined before the request was sent. */
	responseTo(entry: string): ApiResponse | Failure | undefined {
		return this.responses.get(entry);
	}

	/** Sends all entries together. If that fails and one entry may be the cause, sends each entry alone. */
	private async sendAll(): Promise<void> {
		const response = await this.send(this.entries);
		this.entries.forEach((entry) => this.responses.set(entry, response));
		if (this.entries.length > 1 && isFailure(response) && this.mayBeCausedByOneEntry(response)) {
			await this.sendEachAlone(isInDoubt(response));
		}
	}

	/** Whether one bad entry may have made the request fail: hosts refuse such a request, or respond with 500. */
	private mayBeCausedByOneEntry(failure: Failure): boolean {
		if (!this.batch.splitOnFailure) return false;
		const reason = classOf(failure);
		if (reason === 'failed') return this.first.run.row.idempotent === true;
		return reason === 'refused' && !isInDoubt(failure);
	}

	/** Sends these entries with the first item's credential. Returns the response or the failure. */
	private async send(entries: string[]): Promise<ApiResponse | Failure> {
		const { first, batch } = this;
		const { row, client } = first.run;
		const place = listPart(first.parts, batch.field);
		const parts = { ...first.parts, [place]: { ...first.parts[place], [batch.field]: entries } };
		let hasWritten = false;
		const ask = async (asked: RequestParts): Promise<ApiResponse> => {
			const response = await first.api.ask(row, asked);
			hasWritten = row.method !== 'GET';
			return response;
		};
		try {
			return await (batch.send?.(entries, first.api, parts, ask) ?? ask(parts));
		} catch (error) {
			const failure = failureOf(client.node, error, first.item);
			// A write succeeded, and a later step of `send` failed.
			return hasWritten ? markInDoubt(failure) : failure;
		}
	}

	/**
	 * Sends each entry alone. If an entry fails for another reason than a refusal, stops: the remaining entries keep the
	 * failure of the joined request. `inDoubt`: the service may have carried out some entries of the joined request.
	 */
	private async sendEachAlone(inDoubt: boolean): Promise<void> {
		for (const entry of this.entries) {
			const response = await this.send([entry]);
			this.responses.set(entry, isFailure(response) && inDoubt ? markInDoubt(response) : response);
			if (isFailure(response) && classOf(response) !== 'refused') return;
		}
	}
}

/** The entries of one item, and the requests that carry them. */
class ItemEntries {
	private readonly entries: Array<{ entry: string; request: JoinedRequest }> = [];

	constructor(
		private readonly item: Item,
		private readonly request: ItemRequest,
		private readonly batch: Batch,
	) {}

	add(entry: string, request: JoinedRequest): void {
		this.entries.push({ entry, request });
		request.waitingItems.add(this);
	}

	/** Settles the item if all its entries have a response. In a stopped run, some may never get one. */
	async settle(): Promise<void> {
		const responses = this.entries.map(({ entry, request }) => request.responseTo(entry));
		this.item.noteEntries(
			responses.map((response) => (response === undefined ? 'Not begun' : stageOf(response))),
		);
		const known = responses.filter((response) => response !== undefined);
		if (known.length < responses.length) {
			if (known.some((response) => stageOf(response) !== 'Not done')) this.item.notePossibleWrite();
			return;
		}
		const results = await this.item.guarded(async () => await this.results(known));
		if (results) this.item.settle(this.request.presenter.finished(results));
	}

	/** The results of the item's entries. With Raw Response, one result for each response. */
	private async results(responses: Array<ApiResponse | Failure>): Promise<Outcome> {
		if (this.request.api.isRaw) {
			return [...new Set(responses)].map((response) =>
				isFailure(response) ? response : rawResult(response),
			);
		}
		const results = await Promise.all(
			this.entries.map(async ({ entry }, index) => await this.result(entry, responses[index]!)),
		);
		this.item.noteEntries(results.map(([result]) => (result ? stageOf(result) : 'Done')));
		return results.flat();
	}

	private async result(entry: string, response: ApiResponse | Failure): Promise<Outcome> {
		const { api } = this.request;
		if (isFailure(response)) return [response];
		const read = this.batch.readEntry(response, entry);
		if (!read) return [unmentioned(api, entry)];
		if ('failure' in read) {
			return [api.refusal(read.failure, entry)];
		}
		return await api.results([read.record], response);
	}
}
