import type { IDataObject } from 'n8n-workflow';
import type { Failure, Order, Outcome, Unit } from './outcome';
import type { Batch, Parts, Result } from '../table/operation';
import type { Answer } from '../transport/http';

/** One item's share of a batch: the entries it brings, and all that must be alike to join it to others. */
export interface Share {
	item: number;
	entries: string[];
	/** Where the request goes and in whose name: shares of different kinds never join. */
	kind: string;
	parts: Parts;
}

/** One request for the entries of many items, sent in the name of the first. */
export interface BatchRequest {
	item: number;
	kind: string;
	parts: Parts;
	entries: string[];
}

/** The place of a batched list among the parts of a request. */
const listPlace = (parts: Parts, field: string): 'query' | 'body' =>
	field in parts.query ? 'query' : 'body';

/** Joins shares into as few requests as their size allows; an entry that several items bring is sent once. */
function joinShares(shares: Share[], field: string, size: number): BatchRequest[] {
	const open = new Map<string, BatchRequest>();
	const placed = new Set<string>();
	const requests: BatchRequest[] = [];
	for (const { item, entries, kind, parts } of shares) {
		const place = listPlace(parts, field);
		for (const entry of entries) {
			if (placed.has(entryKey(kind, entry))) continue;
			placed.add(entryKey(kind, entry));
			let request = open.get(kind);
			if (!request || request.entries.length >= size) {
				const sent: string[] = [];
				request = {
					item,
					kind,
					entries: sent,
					parts: { ...parts, [place]: { ...parts[place], [field]: sent } },
				};
				open.set(kind, request);
				requests.push(request);
			}
			request.entries.push(entry);
		}
	}
	return requests;
}

/** What identifies an entry among those of all items. */
const entryKey = (kind: string, entry: string): string => `${kind} ${entry}`;

/** What joining items needs of the run that they belong to. */
export interface Host {
	identity(item: number): Promise<string>;
	send(parts: Parts, item: number): Promise<Answer | Failure>;
	shape(record: IDataObject, answer: Answer, order: Order): IDataObject;
	clean(json: IDataObject, item: number): IDataObject;
	/** The answers of an item's requests untouched, if the user wants those; undefined if not. */
	raw(answers: Array<Answer | Failure>, item: number): Outcome | undefined;
	failure(message: string, description: string, item: number): Failure;
}

/** Joins the lists of many items into few requests, and gives each item the outcome of its own entries. */
export class Batches {
	/** The items that still wait for answers, with what each brought. */
	private readonly waiting = new Map<number, { order: Order; share: Share }>();
	private readonly answers = new Map<string, Answer | Failure>();

	constructor(
		private readonly batch: Batch,
		private readonly host: Host,
	) {}

	/** One piece of work for each request; it tells the items that are complete with its answer. */
	async units(orders: Order[], size: number | undefined): Promise<Unit[]> {
		const shares: Share[] = [];
		for (const order of orders) {
			const share = await this.share(order);
			shares.push(share);
			this.waiting.set(order.item, { order, share });
		}
		const most = Math.min(Math.max(size ?? this.batch.size, 1), this.batch.max ?? Infinity);
		return joinShares(shares, this.batch.field, most).map((request) => async () => {
			const answer = await this.host.send(request.parts, request.item);
			for (const entry of request.entries) this.answers.set(entryKey(request.kind, entry), answer);
			return this.completed();
		});
	}

	private async share({ item, parts }: Order): Promise<Share> {
		const place = listPlace(parts, this.batch.field);
		const { [this.batch.field]: list, ...others } = parts[place];
		const entries = (Array.isArray(list) ? list : [list]).filter((entry) => entry !== undefined).map(String);
		const kind = JSON.stringify([await this.host.identity(item), { ...parts, [place]: others }]);
		return { item, entries, kind, parts };
	}

	private completed(): Array<[number, Outcome]> {
		const done: Array<[number, Outcome]> = [];
		for (const [item, { order, share }] of this.waiting) {
			const answers = share.entries.map((entry) => this.answers.get(entryKey(share.kind, entry)));
			if (answers.includes(undefined)) continue;
			this.waiting.delete(item);
			const known = answers as Array<Answer | Failure>;
			const outcome =
				this.host.raw([...new Set(known)], item) ??
				share.entries.map((entry, index) => this.outcome(known[index] as Answer | Failure, entry, order));
			done.push([item, outcome]);
		}
		return done;
	}

	private outcome(answer: Answer | Failure, entry: string, order: Order): Result | Failure {
		if (!('json' in answer)) return answer;
		const { item } = order;
		const outcome = this.batch.outcome(answer, entry);
		if ('failure' in outcome) {
			return this.host.failure(outcome.failure, `The service said this of ${entry}.`, item);
		}
		const json = 'notice' in outcome ? outcome.notice : this.host.shape(outcome.record, answer, order);
		return { json: this.host.clean(json, item) };
	}
}
