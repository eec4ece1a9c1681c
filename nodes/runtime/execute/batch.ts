import type { ApiResponse } from '../http-types';
import { isInDoubt, markInDoubt, isRefusal } from '../errors/errors';
import type { Batch, RequestParts, Result } from '../table/operation';
import { isFailure, type Failure, type ItemCall } from './call';
import { stageOf, type Item, type Stage } from './item';

/**
 * Joins the lists of many items into as few requests as their size allows; an entry that several items bring is
 * sent once. Items whose parameters can't be used have failed already, and take no part.
 */
export async function joined(items: Item[], batch: Batch, size: number): Promise<JoinedRequest[]> {
	const open = new Map<string, JoinedRequest>();
	const carriers = new Map<string, JoinedRequest>();
	for (const item of items) {
		const prepared = await item.guarded(async () => {
			const parts = await item.call.prepare();
			return { parts, ...(await split(item.call, parts, batch.field)) };
		});
		if (!prepared) continue;
		const { parts, entries, target } = prepared;
		const carried = new ItemEntries(item, batch);
		for (const entry of entries) {
			let request = carriers.get(`${target} ${entry}`);
			if (!request) {
				request = open.get(target);
				if (!request || request.entries.length >= size) {
					request = new JoinedRequest(item.call, parts, batch);
					open.set(target, request);
				}
				request.entries.push(entry);
				carriers.set(`${target} ${entry}`, request);
			}
			carried.add(entry, request);
		}
	}
	return [...new Set(carriers.values())];
}

/** Where a batched list stands among the parts of a request. */
const placeOf = (parts: RequestParts, field: string): 'query' | 'body' =>
	field in parts.query ? 'query' : 'body';

/** The entries that an item brings, and all that must be alike to join them to others. */
async function split(
	call: ItemCall,
	parts: RequestParts,
	field: string,
): Promise<{ entries: string[]; target: string }> {
	const place = placeOf(parts, field);
	const { [field]: list, ...others } = parts[place];
	const entries = (Array.isArray(list) ? list : [list]).filter((entry) => entry !== undefined).map(String);
	const target = JSON.stringify([await call.account(), { ...parts, [place]: others }]);
	return { entries, target };
}

/** One request for the entries of many items, sent in the name of the first. */
export class JoinedRequest {
	readonly entries: string[] = [];
	readonly carried = new Set<ItemEntries>();
	private readonly responses = new Map<string, ApiResponse | Failure>();

	constructor(
		private readonly first: ItemCall,
		private readonly parts: RequestParts,
		private readonly batch: Batch,
	) {}

	/** Sends it unless the run is stopped; the items that wait for no other request are settled. */
	async perform(): Promise<void> {
		const isSent = await this.first.inTurn(async () => await this.sendAll());
		if (!isSent) return;
		for (const entries of this.carried) await entries.settle();
	}

	/** The response to one of its entries, or why there is none; undefined before it was sent. */
	responseTo(entry: string): ApiResponse | Failure | undefined {
		return this.responses.get(entry);
	}

	private async sendAll(): Promise<true> {
		const response = await this.send(this.entries);
		this.entries.forEach((entry) => this.responses.set(entry, response));
		if (this.entries.length > 1 && isFailure(response) && this.mayBeOfOne(response))
			await this.divide(isInDoubt(response));
		return true;
	}

	/** Whether several entries may have failed for what is wrong with one: hosts refuse it, or fail at it with 500. */
	private mayBeOfOne(failure: Failure): boolean {
		if (!this.batch.splitOnFailure) return false;
		const isFailed = 'httpCode' in failure && failure.httpCode === '500';
		return isFailed ? this.batch.splitOnFailure === 'failed' : isRefusal(failure) && !isInDoubt(failure);
	}

	private async send(entries: string[]): Promise<ApiResponse | Failure> {
		const place = placeOf(this.parts, this.batch.field);
		const list = { ...this.parts[place], [this.batch.field]: entries };
		return await this.first.askFor(entries, { ...this.parts, [place]: list });
	}

	/**
	 * Sends each entry by itself; `inDoubt` tells that the service may have begun with them. Once it fails for one
	 * alone, too, the others keep their common failure.
	 */
	private async divide(inDoubt: boolean): Promise<void> {
		for (const entry of this.entries) {
			const response = await this.send([entry]);
			this.responses.set(entry, isFailure(response) && inDoubt ? markInDoubt(response) : response);
			if (isFailure(response) && !isRefusal(response)) return;
		}
	}
}

/** The entries of one item, and the requests that carry them. */
class ItemEntries {
	private readonly carried: Array<{ entry: string; request: JoinedRequest }> = [];

	constructor(
		private readonly item: Item,
		private readonly batch: Batch,
	) {}

	add(entry: string, request: JoinedRequest): void {
		this.carried.push({ entry, request });
		request.carried.add(this);
	}

	/** Settles the item once all its entries have a response. Until then, a stopped run may leave it half done. */
	async settle(): Promise<void> {
		const responses = this.carried.map(({ entry, request }) => request.responseTo(entry));
		this.note(
			responses.map((response) => (response === undefined ? 'Not begun' : stageOfResponse(response))),
		);
		const known = responses.filter((response) => response !== undefined);
		if (known.length < responses.length) {
			if (known.some((response) => stageOfResponse(response) !== 'Not done')) this.item.touch();
			return;
		}
		const results = await this.item.guarded(async () => await this.results(known));
		if (results) this.item.settle(results);
	}

	private note(stages: Stage[]): void {
		if (stages.length > 1) this.item.entryStages = stages;
	}

	private async results(responses: Array<ApiResponse | Failure>): Promise<Array<Result | Failure>> {
		if (this.item.call.isRaw) {
			const raw = [...new Set(responses)].map(async (response) =>
				isFailure(response) ? [response] : await this.item.call.results([], response),
			);
			return (await Promise.all(raw)).flat();
		}
		const results = await Promise.all(
			this.carried.map(async ({ entry }, index) => await this.result(entry, responses[index]!)),
		);
		this.note(results.map(([result]) => (result && isFailure(result) ? stageOf(result) : 'Done')));
		return results.flat();
	}

	private async result(entry: string, response: ApiResponse | Failure): Promise<Array<Result | Failure>> {
		if (isFailure(response)) return [response];
		const { call } = this.item;
		const outcome = this.batch.outcome(response, entry);
		if ('failure' in outcome) {
			return [call.apiError(outcome.failure, `The service said this of ${entry}.`)];
		}
		return await call.results([outcome.record], response);
	}
}

const stageOfResponse = (response: ApiResponse | Failure): Stage =>
	isFailure(response) ? stageOf(response) : 'Done';
