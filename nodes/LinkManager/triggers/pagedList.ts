import type { IDataObject } from 'n8n-workflow';
import { settled } from '../../runtime/promises';
import type { Operation, Parts, Api } from '../../runtime/table/operation';

/** What one poll read of a list. */
export interface ListSnapshot {
	records: IDataObject[];
	/** One answer held the whole list: nothing can have moved between pages. */
	isAtomic: boolean;
	/** Whether the last page of the list was read. */
	reachedEnd: boolean;
	/** The page to go on with at the next poll; the first one if the list was read all round. */
	next: number;
	/** Why reading stopped, if a page failed after others were read: those count. */
	failure?: unknown;
}

export interface PagedList {
	row: Operation;
	parts?: Partial<Parts>;
	/** How many requests the records so far will need: those go before reading on. */
	requestsFor(records: IDataObject[]): number;
	/** Whether nothing new can follow these records, which were read page by page. */
	isEnough(records: IDataObject[]): boolean;
}

/** Requests of the rate limit's window that a list leaves for others. */
const RESERVE = 3;

/**
 * Reads a list from the page where the last poll stopped, all round if time and the rate limit allow. On going on,
 * one page is read again, so that entries which moved up meanwhile are not missed.
 */
export async function readAround(api: Api, list: PagedList, from: number): Promise<ListSnapshot> {
	const start = Math.max(from - 1, 1);
	const leastPages = from > 1 ? 2 : 1;
	const records: IDataObject[] = [];
	let reachedEnd = false;
	let number = start;
	const stop = (next: number, failure?: unknown): ListSnapshot => ({
		records,
		isAtomic: reachedEnd && start === 1 && number === 1,
		reachedEnd,
		next,
		...(failure !== undefined && { failure }),
	});
	for (let read = 0; ; read += 1) {
		const mayReadOn = api.hasTime() && api.left() > list.requestsFor(records) + RESERVE;
		if (read >= leastPages && !mayReadOn) return stop(number);
		const page = await settled(api.page(list.row, number, list.parts));
		if ('error' in page) {
			if (read === 0) throw page.error;
			return stop(number, page.error);
		}
		records.push(...page.value.records);
		if (list.isEnough(records)) return stop(1);
		const isLast = !page.value.more || page.value.records.length === 0;
		const isAround = reachedEnd ? isLast || number + 1 === start : isLast && start === 1;
		reachedEnd ||= isLast;
		if (isAround) return stop(1);
		number = isLast ? 1 : number + 1;
	}
}
