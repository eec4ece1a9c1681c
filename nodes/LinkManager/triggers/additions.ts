import type { IDataObject } from 'n8n-workflow';
import type { RequestParts, Api } from '../../runtime/api-types';
import { triggerItem, type Collected, type TriggerItem, type Watch } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import {
	allKnownIn,
	compareRecords,
	highestId,
	withRecords,
	NO_KNOWN_RECORDS,
	parseListCursor,
	toKey,
	type Identity,
	type KnownRecord,
	type ListCursor,
} from './known-records';
import { readFrom, type ListSnapshot } from './paged-list';

/**
 * What a trigger knows of a list, and where reading may stop if the list has the highest ids first:
 *
 *     highest id                                         lowest id
 *     │ new, or known │ knownUpTo: all are known from here on │
 *       read in each poll             not read again
 *
 * A pass over a long list takes several polls. Only after its last page are all records known; until then,
 * `knownAfterPass` holds the next `knownUpTo`.
 */
export interface AdditionCursor extends ListCursor {
	/** All records up to this id are known, so reading may stop there. 0 or undefined if no such id is certain. */
	knownUpTo?: number;
	/** Becomes `knownUpTo` at the end of the current pass. */
	knownAfterPass?: number;
}

/** A record that was not in the list before. */
interface Addition {
	key: string;
	known: KnownRecord;
	record: IDataObject;
}

export interface AdditionOptions {
	/** The list, and the parts of the request for it. */
	row: Operation;
	parts?: Partial<RequestParts>;
	/** The beginning of the event ids. */
	idPrefix: string;
	key?(record: IDataObject): string;
	/** The record's id, if ids increase with time; default: `id`. */
	increasingId?(record: IDataObject): number | undefined;
	/** The record's address and date: both change only if another record takes the id. */
	identifiers?(record: IDataObject): [address: unknown, date: unknown];
}

const numericId = (record: IDataObject): number | undefined =>
	typeof record.id === 'number' ? record.id : undefined;

/** Watches a list for new records. */
export class AdditionWatch implements Watch<AdditionCursor, ListSnapshot, Addition> {
	private readonly identity: Identity;

	constructor(private readonly options: AdditionOptions) {
		this.identity = {
			key: options.key ?? ((record) => toKey(record.id)),
			increasingId: options.increasingId ?? numericId,
			count: () => 0,
			identifiers: options.identifiers ?? (() => [undefined, undefined]),
		};
	}

	parseCursor(saved: unknown): AdditionCursor | undefined {
		const cursor: AdditionCursor | undefined = parseListCursor(saved);
		const ids = [cursor?.knownUpTo, cursor?.knownAfterPass];
		return ids.every((id) => id === undefined || typeof id === 'number') ? cursor : undefined;
	}

	async snapshot(cursor: AdditionCursor | undefined, api: Api): Promise<ListSnapshot> {
		const { row, parts } = this.options;
		const knownUpTo =
			cursor && !cursor.isFirstPass ? Math.max(cursor.knownUpTo ?? 0, cursor.highWaterMark) : 0;
		const isComplete = (records: IDataObject[]): boolean => reachesKnown(this.identity, records, knownUpTo);
		return await readFrom(api, { row, parts, requestsFor: () => 0, isComplete }, cursor?.page ?? 1);
	}

	failure(snapshot: ListSnapshot): unknown {
		return snapshot.failure;
	}

	baseline(snapshot: ListSnapshot, emitCount: number): AdditionCursor {
		if (emitCount === Infinity) return NO_KNOWN_RECORDS;
		const all = allKnownIn(this.identity, snapshot);
		if (emitCount === 0) return all;
		const entries = all.entries.split(';').slice(0, -emitCount).join(';');
		return { ...all, entries, highWaterMark: 0 };
	}

	detect(cursor: AdditionCursor, snapshot: ListSnapshot): { events: Addition[]; cursor: AdditionCursor } {
		const { changes, cursor: seen } = compareRecords(this.identity, cursor, snapshot);
		const events = changes
			.filter(({ kind }) => kind === 'new' || kind === 'replaced')
			.map(({ key, record, base }): Addition => ({ key, known: base, record }));
		return { events, cursor: { ...seen, ...this.knownRange(cursor, snapshot, events) } };
	}

	async collect(events: Addition[], maximum: number): Promise<Collected<Addition>> {
		const first = events.slice(0, maximum);
		return { processed: first, emitted: first, items: await this.items(first) };
	}

	advance(cursor: AdditionCursor, processed: Addition[]): AdditionCursor {
		return withRecords(
			cursor,
			processed.map(({ key, known }) => [key, known]),
		);
	}

	async restore(emitted: Addition[]): Promise<TriggerItem[]> {
		return await this.items(emitted);
	}

	private async items(additions: Addition[]): Promise<TriggerItem[]> {
		const items = additions.map(async ({ key, known, record }) => {
			const generation = known.generation > 0 ? `.${known.generation}` : '';
			return await triggerItem(`${this.options.idPrefix}:${key}${generation}`, () => record);
		});
		return await Promise.all(items);
	}

	/**
	 * The id up to which all records are known. It stays below the events of this snapshot, which may be processed only in
	 * later polls.
	 */
	private knownRange(
		{ page, knownUpTo, knownAfterPass }: AdditionCursor,
		snapshot: ListSnapshot,
		events: Addition[],
	): Pick<AdditionCursor, 'knownUpTo' | 'knownAfterPass'> {
		const highest = page <= 1 ? highestId(this.identity, snapshot.records) : (knownAfterPass ?? 0);
		const beforeEvents = events.reduce(
			(lowest, { record }) => Math.min(lowest, (this.identity.increasingId(record) ?? 1) - 1),
			highest,
		);
		return snapshot.nextPage <= 1
			? { knownUpTo: beforeEvents }
			: { ...(knownUpTo !== undefined && { knownUpTo }), knownAfterPass: beforeEvents };
	}
}

/** Whether the ids of these records decrease, and reach `knownUpTo`: then no new record follows. */
function reachesKnown(identity: Identity, records: IDataObject[], knownUpTo: number): boolean {
	const ids = records.map((record) => identity.increasingId(record) ?? NaN);
	const decrease = ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? NaN));
	return decrease && ids.some((id) => id <= knownUpTo);
}
