import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import type { Found, TriggerItem, Watch } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { cutShort, idOf, orderOf, readInPoll, withIds } from './reading';

/**
 * What a trigger knows of a list whose ids rise with time: the highest id that it emitted or skipped.
 *
 *     newest first:   │ new │ known          is read from its first page down to the known records
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
	/** Where the next poll begins. */
	page: number;
	failure?: unknown;
}

export class IdWatch implements Watch<IdCursor, IdSnapshot> {
	constructor(
		private readonly row: Operation,
		private readonly idPrefix: string,
	) {}

	async snapshot(cursor: IdCursor | undefined, api: Api, emitCount: number): Promise<IdSnapshot> {
		if (cursor) return await this.readNew(cursor, api);
		return emitCount === Infinity
			? await this.readNew({ highest: 0, page: 1 }, api)
			: await this.readNewest(emitCount, api);
	}

	baseline({ records, page }: IdSnapshot, emitCount: number): IdCursor {
		const ids = records.map(idOf);
		if (emitCount === 0) return { highest: ids.at(-1) ?? 0, page };
		return { highest: (ids.at(-emitCount) ?? 1) - 1, page };
	}

	async next(
		cursor: IdCursor,
		{ records, page, failure }: IdSnapshot,
		maximum: number,
	): Promise<Found<IdCursor>> {
		const found = records.filter((record) => idOf(record) > cursor.highest).slice(0, maximum);
		const items = found.map((record): TriggerItem => ({
			json: { ...record, eventId: `${this.idPrefix}:${idOf(record)}` },
		}));
		const highest = found.map(idOf).at(-1) ?? cursor.highest;
		return { items, cursor: { highest, page }, failure };
	}

	private async readNew({ highest, page }: IdCursor, api: Api): Promise<IdSnapshot> {
		const { row } = this;
		const isKnown = (record: IDataObject): boolean => idOf(record) <= highest;
		const isEnough = (entries: IDataObject[]): boolean =>
			orderOf(entries) === 'falling' && reaches(entries, isKnown);
		const read = await readInPoll(api, { row, first: page, isEnough });
		const { entries, last, more, failure } = read;
		const records = withIds(read.records, row, api);
		const order = orderOf(entries);
		// Records were deleted: new ones may be before the page where an earlier poll ended.
		const isTooFar = order === 'unknown' || (order === 'rising' && !entries.some(isKnown));
		if (page > 1 && isTooFar) return { records: [], page: 1, failure };
		if (order === 'rising') {
			const end = more ? last : Math.max(1, last - 1);
			return { records, page: entries.every(isKnown) ? end : page, failure };
		}
		if (!more || isEnough(entries)) return { records, page: 1, failure };
		return order === 'falling'
			? { records: [], page: last, failure }
			: { records: [], page: 1, failure: cutShort(row, api, failure) };
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
	const last = entries.slice(falls ? -1 : -LAST_ENTRIES);
	return last.length > 0 && last.every(isKnown);
}
/** Records of the same second can have any order. No host creates more than this in a second. */
const LAST_ENTRIES = 50;
