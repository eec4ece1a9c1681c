import type { IDataObject } from 'n8n-workflow';
import type { Api, RequestParts } from '../../runtime/api-types';
import { triggerItem, type Collected, type TriggerItem, type Watch } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { sortedBy, toText } from '../../runtime/values';
import { idOf, orderOf, readInPoll, withIds, type PagesRead } from './reading';

/**
 * What a trigger knows of a list whose ids rise with time: the highest id that it emitted or skipped.
 *
 *     newest first:   │ new │ known                one page, if it has a known id
 *     oldest first:             known │ new │      from the page where the list ended
 *
 * New records are emitted from the lowest id. If a poll can't read as far as the known ones, the next one goes on at `page`,
 * and nothing is emitted until they are reached.
 */
export interface IdCursor {
	highest: number;
	/** The page at which the next poll begins. */
	page: number;
}

interface IdSnapshot {
	/** The records without gaps from the known ones on, sorted by id. */
	records: IDataObject[];
	/** Where the next poll begins. */
	page: number;
	failure?: unknown;
}

interface NewRecord {
	/** The part of the event id that identifies the record. */
	key: string;
	record: IDataObject;
}

/** What all watches of lists share: each event is a record, and becomes one item. */
abstract class ListWatch {
	constructor(
		protected readonly row: Operation,
		/** The beginning of the event ids. */
		private readonly idPrefix: string,
	) {}

	async collect(events: NewRecord[], maximum: number): Promise<Collected<NewRecord>> {
		const first = events.slice(0, maximum);
		return { processed: first, emitted: first, items: await this.restore(first) };
	}

	async restore(emitted: NewRecord[]): Promise<TriggerItem[]> {
		const items = emitted.map(
			async ({ key, record }) => await triggerItem(`${this.idPrefix}:${key}`, () => record),
		);
		return await Promise.all(items);
	}

	failure(snapshot: { failure?: unknown }): unknown {
		return snapshot.failure;
	}
}

/** After a page far down the list, the next poll begins this much higher: the largest Maximum per Poll fits in. */
const PAGES_UP = 10;

/** Watches a list whose ids rise with time. */
export class IdWatch extends ListWatch implements Watch<IdCursor, IdSnapshot, NewRecord> {
	async snapshot(cursor: IdCursor | undefined, api: Api, emitCount = 0): Promise<IdSnapshot> {
		if (cursor) return await this.readNew(cursor, api);
		return emitCount === Infinity
			? await this.readNew({ highest: 0, page: 1 }, api)
			: await this.readLatest(emitCount, api);
	}

	baseline({ records, page }: IdSnapshot, emitCount: number): IdCursor {
		const ids = records.map(idOf);
		if (emitCount === 0) return { highest: ids.at(-1) ?? 0, page };
		return { highest: (ids.at(-emitCount) ?? 1) - 1, page };
	}

	detect(cursor: IdCursor, { records, page }: IdSnapshot): { events: NewRecord[]; cursor: IdCursor } {
		const found = records.filter((record) => idOf(record) > cursor.highest);
		const events = found.map((record) => ({ key: String(idOf(record)), record }));
		return { events, cursor: { ...cursor, page } };
	}

	advance(cursor: IdCursor, processed: NewRecord[]): IdCursor {
		const ids = processed.map(({ record }) => idOf(record));
		return { ...cursor, highest: ids.reduce((highest, id) => Math.max(highest, id), cursor.highest) };
	}

	/** Reads what is new, from `page` on. */
	private async readNew({ highest, page }: IdCursor, api: Api): Promise<IdSnapshot> {
		const { row } = this;
		const isKnown = (record: IDataObject): boolean => idOf(record) <= highest;
		for (let first = page; ; first = Math.max(1, first - PAGES_UP)) {
			/** Whether the known records end before the first page: records may have been deleted. */
			const isTooFar = (entries: IDataObject[]): boolean =>
				first > 1 && (orderOf(entries) === 'rising' ? !entries.some(isKnown) : entries.every(isKnown));
			const isEnough = (entries: IDataObject[]): boolean =>
				isTooFar(entries) || (orderOf(entries) === 'falling' && reaches(entries, isKnown));
			const read = await readInPoll(api, { row, first, isEnough });
			if (isTooFar(read.entries)) continue;
			const order = orderOf(read.entries);
			if (order === 'rising') return { ...this.sorted(read, api), page: Math.max(1, read.last - 1) };
			if (order === 'falling' && read.more && !reaches(read.entries, isKnown)) {
				return { records: [], page: read.last, failure: read.failure };
			}
			if (order === 'mixed' && read.more) {
				api.hint(
					`The list ${row.template} has no order and is too long for one poll: the rest is not watched`,
				);
			}
			return { ...this.sorted(read, api), page: first === 1 ? 1 : Math.max(1, first - PAGES_UP) };
		}
	}

	/** Reads the newest `count` records, at least one. */
	private async readLatest(count: number, api: Api): Promise<IdSnapshot> {
		const { row } = this;
		const isEnough = (entries: IDataObject[]): boolean =>
			orderOf(entries) === 'rising' || (orderOf(entries) === 'falling' && entries.length >= count);
		const read = await readInPoll(api, { row, first: 1, isEnough });
		if (orderOf(read.entries) === 'falling' && read.more && !isEnough(read.entries)) {
			throw cutShort(row, api, read.failure);
		}
		if (orderOf(read.entries) !== 'rising' || !read.more) return { ...this.sorted(read, api), page: 1 };
		// The newest are on the last pages.
		const pages = Math.ceil(count / read.entries.length);
		const first = read.counts?.last === undefined ? 1 : Math.max(1, read.counts.last - pages);
		const latest = await readInPoll(api, { row, first });
		if (latest.more) throw cutShort(row, api, latest.failure);
		return { ...this.sorted(latest, api), page: Math.max(1, latest.last - 1) };
	}

	private sorted({ records, failure }: PagesRead, api: Api): Pick<IdSnapshot, 'records' | 'failure'> {
		return { records: withIds(records, this.row, api), failure };
	}
}

/** The error of a first poll that can't read what it needs. A later one may have more requests left. */
const cutShort = ({ template }: Operation, api: Api, failure?: unknown): Error =>
	(failure as Error | undefined) ??
	api.apiError(
		`The list ${template} could not be read whole in one poll`,
		'It is too long, or the rate limit left too few requests. The next poll tries again.',
		'rateLimited',
	);

/** Whether entries with falling ids go down to the known ones. If a few are out of order, all of a page must be known. */
function reaches(entries: IDataObject[], isKnown: (record: IDataObject) => boolean): boolean {
	const falls = entries.every((entry, index) => index === 0 || idOf(entry) < idOf(entries[index - 1] ?? {}));
	const last = entries.slice(falls ? -1 : -LAST_ENTRIES);
	return last.length > 0 && last.every(isKnown);
}
/** Records of the same second can have any order. No host creates more than this in a second. */
const LAST_ENTRIES = 50;

/**
 * What a trigger knows of a list whose ids don't rise, such as the items of a channel: its entries at the last poll, and
 * how often an entry came back after it was taken out. `-` marks an entry that is out.
 *
 *     links-7;qr-3:1;-links-9
 */
export interface EntryCursor {
	entries: string;
}

interface EntrySnapshot {
	/** Oldest first. */
	records: IDataObject[];
	/** Whether the whole list was read while it did not move. */
	isComplete: boolean;
	failure?: unknown;
}

/** How often an entry came back, and whether it is out now. */
interface KnownEntry {
	returns: number;
	isOut: boolean;
}

/** The most entries that are remembered. */
const MAX_ENTRIES = 40_000;

/** Watches a list by comparing its entries with those of the last poll. */
export class EntryWatch extends ListWatch implements Watch<EntryCursor, EntrySnapshot, NewRecord> {
	constructor(
		row: Operation,
		idPrefix: string,
		private readonly keyOf: (record: IDataObject) => string,
		private readonly parts?: Partial<RequestParts>,
	) {
		super(row, idPrefix);
	}

	async snapshot(cursor: EntryCursor | undefined, api: Api): Promise<EntrySnapshot> {
		const { row, parts } = this;
		const { records, entries, more, isRestless, failure } = await readInPoll(api, { row, parts, first: 1 });
		const isComplete = !more && !isRestless;
		// What a first poll does not see would seem to be new later.
		if (!cursor && !isComplete) throw cutShort(row, api, failure);
		if (more && failure === undefined) api.hint(cutShort(row, api).message);
		// The last reading has the order of the list; records of earlier ones may be gone.
		const inOrder = new Map([...entries, ...records].map((record) => [this.keyOf(record), record]));
		const all = oldestFirst([...inOrder.values()], entries);
		return { records: all, isComplete, failure };
	}

	baseline({ records }: EntrySnapshot, emitCount: number): EntryCursor {
		const known = emitCount === 0 ? records : records.slice(0, -emitCount);
		return serialized(new Map(known.map((record) => [this.keyOf(record), { returns: 0, isOut: false }])));
	}

	detect(cursor: EntryCursor, { records, isComplete }: EntrySnapshot) {
		const known = parsed(cursor);
		const present = new Set(records.map((record) => this.keyOf(record)));
		for (const [key, entry] of known) if (isComplete && !present.has(key)) entry.isOut = true;
		const isNew = (record: IDataObject): boolean => known.get(this.keyOf(record))?.isOut ?? true;
		const events = records.filter(isNew).map((record) => {
			const key = this.keyOf(record);
			const before = known.get(key);
			return { key: before ? `${key}.${before.returns + 1}` : key, record };
		});
		return { events, cursor: serialized(known) };
	}

	advance(cursor: EntryCursor, processed: NewRecord[]): EntryCursor {
		const known = parsed(cursor);
		for (const { record } of processed) {
			const key = this.keyOf(record);
			const before = known.get(key);
			known.set(key, { returns: before ? before.returns + 1 : 0, isOut: false });
		}
		return serialized(known);
	}
}

const parsed = ({ entries }: EntryCursor): Map<string, KnownEntry> =>
	new Map(
		(entries === '' ? [] : entries.split(';')).map((entry) => {
			const [, out, key, returns] = /^(-?)([^:]*):?(\d*)$/.exec(entry) ?? ['', '', entry, ''];
			return [key ?? '', { returns: Number(returns), isOut: out === '-' }];
		}),
	);

const serialized = (known: Map<string, KnownEntry>): EntryCursor => ({
	entries: [...known]
		.slice(-MAX_ENTRIES)
		.map(([key, { returns, isOut }]) => `${isOut ? '-' : ''}${key}${returns > 0 ? `:${returns}` : ''}`)
		.join(';'),
});

/** A value as part of a key, without the marks of `entries`. */
export const toKey = (value: unknown): string =>
	toText(value).replace(/[%:;]/g, encodeURIComponent).replace(/^-/, '%2D') || '%';

/**
 * The records sorted by date; one without a date follows the one before it. Those of the same date have the order of the
 * list, which its dates or else its ids show.
 */
function oldestFirst(records: IDataObject[], entries: IDataObject[]): IDataObject[] {
	const dateOf = ({ date }: IDataObject): string => toText(date ?? '');
	const dates = entries.map(dateOf).filter((date) => date !== '');
	const [first = '', last = ''] = [dates[0], dates.at(-1)];
	const isOldestFirst = first === last ? orderOf(entries) === 'rising' : first < last;
	let date = '';
	const dated = (isOldestFirst ? records : [...records].reverse()).map((record) => {
		date = dateOf(record) || date;
		return { record, date };
	});
	return sortedBy(dated, (entry) => entry.date).map(({ record }) => record);
}
