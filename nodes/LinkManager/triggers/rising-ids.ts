import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import type { Found, TriggerItem, Watch } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { cutShort, idOf, orderOf, readInPoll, withIds } from './reading';

/**
 * What a trigger knows of a list whose ids rise with time: the highest id that it emitted or skipped.
 *
 *     newest first:   │ new │ known          is read down to the known records, from its first page, or `page` after a burst
 *     oldest first:           known │ new │  is read from the page where it ended
 *     in no order                            is read whole
 *
 * New records are emitted from the lowest id. What one poll can't read is left to the next one, which begins at `page`.
 */
export interface IdCursor {
	highest: number;
	page: number;
}

interface IdSnapshot {
	/** The records that follow the known ones without a gap, and perhaps known ones; sorted by id. */
	records: IDataObject[];
	/** Where the next poll begins. `knownAt`: the page of the known records in a list with the newest first, and its size. */
	page: number;
	knownAt?: { page: number; size: number };
	failure?: unknown;
}

export class IdWatch implements Watch<IdCursor, IdSnapshot> {
	constructor(
		private readonly row: Operation,
		private readonly idPrefix: string,
	) {}

	async snapshot(cursor: IdCursor | undefined, api: Api, emitCount: number): Promise<IdSnapshot> {
		if (!cursor && emitCount !== Infinity) return await this.readNewest(emitCount, api);
		return await this.readNew(cursor ?? { highest: 0, page: 1 }, api);
	}

	baseline({ records, page }: IdSnapshot, emitCount: number): IdCursor {
		const ids = records.map(idOf);
		if (emitCount === 0) return { highest: ids.at(-1) ?? 0, page };
		return { highest: (ids.at(-emitCount) ?? 1) - 1, page };
	}

	async next(
		cursor: IdCursor,
		{ records, page, knownAt, failure }: IdSnapshot,
		maximum: number,
	): Promise<Found<IdCursor>> {
		const found = records.filter((record) => idOf(record) > cursor.highest).slice(0, maximum);
		const items = found.map((record): TriggerItem => ({
			json: { ...record, eventId: `${this.idPrefix}:${idOf(record)}` },
		}));
		const highest = found.map(idOf).at(-1) ?? cursor.highest;
		// After a burst, the next poll reads only what it may emit, above what is known then.
		const above = knownAt ? knownAt.page - Math.ceil((found.length + maximum) / knownAt.size) - 1 : 1;
		return { items, cursor: { highest, page: Math.max(page, above) }, failure };
	}

	private async readNew({ highest, page }: IdCursor, api: Api): Promise<IdSnapshot> {
		const isKnown = (record: IDataObject): boolean => idOf(record) <= highest;
		const isEnough = (entries: IDataObject[]): boolean =>
			orderOf(entries) === 'falling' && reaches(entries, isKnown);
		const read = await readInPoll(api, { row: this.row, first: page, isEnough });
		const { entries, last, more, failure } = read;
		const records = withIds(read.records, this.row, api);
		const order = orderOf(entries);
		// Records were deleted: new ones may be before the page where an earlier poll ended.
		const isTooFar = order === 'unknown' || (order === 'rising' && !entries.some(isKnown));
		if (page > 1 && isTooFar) return { records: [], page: 1, failure };
		if (order === 'rising') {
			const end = more ? last : Math.max(1, last - 1);
			return { records, page: entries.every(isKnown) ? end : page, failure };
		}
		const size = entries.length / (last - page + 1);
		const knownAt = order === 'falling' && !entries.every(isKnown) ? { page: last, size } : undefined;
		if (!more || isEnough(entries)) return { records, page: 1, knownAt, failure };
		return order === 'falling'
			? { records: [], page: last, failure }
			: { records: [], page: 1, failure: cutShort(this.row, api, failure) };
	}

	/** Reads the newest `count` records, at least one. */
	private async readNewest(count: number, api: Api): Promise<IdSnapshot> {
		const { row } = this;
		const isEnough = (entries: IDataObject[]): boolean =>
			orderOf(entries) === 'rising' || (orderOf(entries) === 'falling' && entries.length >= count);
		const start = await readInPoll(api, { row, first: 1, isEnough });
		const { entries, more, counts } = start;
		if (more && !isEnough(entries)) throw cutShort(row, api, start.failure);
		if (!more || orderOf(entries) === 'falling')
			return { records: withIds(start.records, row, api), page: 1 };
		const pages = Math.ceil(Math.max(count, 1) / entries.length);
		const page = Math.max(1, (counts?.last ?? 1) - pages);
		const end = await readInPoll(api, { row, first: page });
		if (end.more) throw cutShort(row, api, end.failure);
		return { records: withIds(end.records, row, api), page };
	}
}

/** Whether entries with falling ids go down to the known ones. If a few are out of order, all of a page must be known. */
function reaches(entries: IDataObject[], isKnown: (record: IDataObject) => boolean): boolean {
	const falls = entries.every((entry, index) => index === 0 || idOf(entry) < idOf(entries[index - 1] ?? {}));
	return entries.slice(falls ? -1 : -LAST_ENTRIES).every(isKnown);
}
/** Records of the same second can have any order. No host creates more than this in a second. */
const LAST_ENTRIES = 50;
