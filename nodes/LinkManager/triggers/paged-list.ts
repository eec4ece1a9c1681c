import type { IDataObject } from 'n8n-workflow';
import type { Api, RequestParts } from '../../runtime/api-types';
import { settled } from '../../runtime/values';
import type { Operation } from '../../runtime/table/operation';

/** What one poll read of a list. */
export interface ListSnapshot {
	records: IDataObject[];
	/** Whether one response contained the whole list: then no record can have moved between pages. */
	isAtomic: boolean;
	/** Whether the last page of the list was read. */
	reachedEnd: boolean;
	/** Where the next poll continues; 1 after all pages were read. */
	nextPage: number;
	/** Why reading stopped, if a page failed after others had been read. */
	failure?: unknown;
}

export interface PagedList {
	row: Operation;
	parts?: Partial<RequestParts>;
	/**
	 * How many requests the new records of one page will need. A poll reads more pages only if these requests stay
	 * possible.
	 */
	requestsFor(page: IDataObject[]): number;
	/** Whether no new record can follow the records that were read. */
	isComplete(records: IDataObject[]): boolean;
}

/** A poll leaves this many requests of the rate limit's window to other nodes. */
export const RESERVE = 3;

/**
 * The page numbers of a list: from page `first` to the last page, then from page 1 to the page before `first`.
 *
 *     first = 3, last = 6:   3 4 5 6, then 1 2
 */
function* pagesFrom(first: number, isLast: () => boolean): Generator<number> {
	let number = first;
	do yield number++;
	while (!isLast());
	for (number = 1; number < first; number += 1) {
		yield number;
		if (isLast()) return;
	}
}

/**
 * Reads every page of a list once, beginning one page before the page where the last poll stopped: records may have moved
 * up since then. Stops early when time or the rate limit runs out, or when no new record can follow.
 */
export async function readFrom(api: Api, list: PagedList, continueAt: number): Promise<ListSnapshot> {
	const first = Math.max(continueAt - 1, 1);
	// Each poll gets at least one page further.
	const leastPages = continueAt > 1 ? 2 : 1;
	const records: IDataObject[] = [];
	let requestsNeeded = RESERVE;
	let pagesRead = 0;
	let isLast = false;
	let reachedEnd = false;
	const snapshot = (nextPage: number, failure?: unknown): ListSnapshot => ({
		records,
		isAtomic: reachedEnd && first === 1 && pagesRead === 1,
		reachedEnd,
		nextPage,
		...(failure !== undefined && { failure }),
	});
	for (const number of pagesFrom(first, () => isLast)) {
		const mayReadOn = api.hasTime() && api.requestsLeft() > requestsNeeded;
		if (pagesRead >= leastPages && !mayReadOn) return snapshot(number);
		const page = await settled(api.page(list.row, number, list.parts));
		if ('error' in page) {
			if (pagesRead === 0) throw page.error;
			return snapshot(number, page.error);
		}
		pagesRead += 1;
		requestsNeeded += list.requestsFor(page.value.records);
		for (const record of page.value.records) records.push(record);
		if (list.isComplete(records)) return snapshot(1);
		isLast = !page.value.more || page.value.records.length === 0;
		reachedEnd ||= isLast;
	}
	return snapshot(1);
}
