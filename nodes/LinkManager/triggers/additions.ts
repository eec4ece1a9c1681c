import type { IDataObject } from 'n8n-workflow';
import { itemOf, type Collected, type Item, type Watch } from '../../runtime/poll/watch';
import type { Operation, Parts, Api } from '../../runtime/table/operation';
import {
	allKnown,
	compare,
	highestId,
	know,
	NOTHING_KNOWN,
	readListCursor,
	toKey,
	type Identity,
	type Known,
	type ListCursor,
} from './knownRecords';
import { readAround, type ListSnapshot } from './pagedList';

/** What is known of the list, and how far down new records may stand where ids rise with time. */
export interface AdditionCursor extends ListCursor {
	/** All records up to this id are known; 0 or left out if that can't be said. */
	through?: number;
	/** The same once the list, which several polls may read, has been read all round. */
	rising?: number;
}

/** A record that was not in its list before. */
export interface Addition {
	key: string;
	known: Known;
	record: IDataObject;
}

export interface AdditionOptions {
	/** The list, and what of it to ask for. */
	row: Operation;
	parts?: Partial<Parts>;
	/** What its event ids begin with. */
	name: string;
	key?(record: IDataObject): string;
	/** Its id where ids rise with time; its `id` unless told otherwise. */
	order?(record: IDataObject): number | undefined;
	/** What never changes unless another record takes its id. */
	mark?(record: IDataObject): [address: unknown, date: unknown];
}

const numericId = (record: IDataObject): number | undefined =>
	typeof record.id === 'number' ? record.id : undefined;

/** Watches a list for records that are new in it. */
export class AdditionWatch implements Watch<AdditionCursor, ListSnapshot, Addition> {
	private readonly identity: Identity;

	constructor(private readonly options: AdditionOptions) {
		this.identity = {
			key: options.key ?? ((record) => toKey(record.id)),
			order: options.order ?? numericId,
			count: () => 0,
			mark: options.mark ?? (() => [undefined, undefined]),
		};
	}

	read(saved: unknown): AdditionCursor | undefined {
		const cursor: AdditionCursor | undefined = readListCursor(saved);
		const ids = [cursor?.through, cursor?.rising];
		return ids.every((id) => id === undefined || typeof id === 'number') ? cursor : undefined;
	}

	async snapshot(cursor: AdditionCursor | undefined, api: Api): Promise<ListSnapshot> {
		const { row, parts } = this.options;
		const known = cursor && !cursor.isBeginning ? Math.max(cursor.through ?? 0, cursor.floor) : 0;
		const isEnough = (records: IDataObject[]): boolean => reaches(this.identity, records, known);
		return await readAround(api, { row, parts, requestsFor: () => 0, isEnough }, cursor?.page ?? 1);
	}

	failure(snapshot: ListSnapshot): unknown {
		return snapshot.failure;
	}

	baseline(snapshot: ListSnapshot, newest: number): AdditionCursor {
		if (newest === Infinity) return NOTHING_KNOWN;
		const all = allKnown(this.identity, snapshot);
		if (newest === 0) return all;
		const entries = all.entries.split(';').slice(0, -newest).join(';');
		return { ...all, entries, floor: 0 };
	}

	detect(cursor: AdditionCursor, snapshot: ListSnapshot): { events: Addition[]; cursor: AdditionCursor } {
		const events: Addition[] = [];
		const seen = compare(this.identity, cursor, snapshot, (change, record, known) => {
			const isAddition = change === 'new' || change === 'replaced';
			if (isAddition) events.push({ key: this.identity.key(record), known, record });
		});
		return { events, cursor: { ...seen, ...this.reached(cursor, snapshot, events) } };
	}

	async collect(events: Addition[], maximum: number): Promise<Collected<Addition>> {
		const first = events.slice(0, maximum);
		return { processed: first, handedOver: first, items: await this.items(first) };
	}

	advance(cursor: AdditionCursor, processed: Addition[]): AdditionCursor {
		return know(
			cursor,
			processed.map(({ key, known }) => [key, known]),
		);
	}

	async restore(handedOver: Addition[]): Promise<Item[]> {
		return await this.items(handedOver);
	}

	private async items(additions: Addition[]): Promise<Item[]> {
		const items = additions.map(async ({ key, known, record }) => {
			const round = known.round > 0 ? `.${known.round}` : '';
			return await itemOf(`${this.options.name}:${key}${round}`, () => record);
		});
		return await Promise.all(items);
	}

	/** Up to which id all is known after a snapshot. Its own events don't count as known, for not all may be handed over. */
	private reached(
		{ page, through, rising }: AdditionCursor,
		snapshot: ListSnapshot,
		events: Addition[],
	): Pick<AdditionCursor, 'through' | 'rising'> {
		const beforeNews = events.map(({ record }) => (this.identity.order(record) ?? 1) - 1);
		const top = page <= 1 ? highestId(this.identity, snapshot.records) : (rising ?? 0);
		const next = Math.min(top, ...beforeNews);
		return snapshot.next <= 1
			? { through: next }
			: { ...(through !== undefined && { through }), rising: next };
	}
}

/** Whether records come by falling ids, down to one up to which all is known: then nothing new follows. */
function reaches(identity: Identity, records: IDataObject[], known: number): boolean {
	const orders = records.map((record) => identity.order(record) ?? NaN);
	const falls = orders.every((order, place) => place === 0 || order < (orders[place - 1] ?? NaN));
	return falls && orders.some((order) => order <= known);
}
