import type { IDataObject } from 'n8n-workflow';
import type { Operation, Parts } from '../../runtime/table/operation';
import { outcomeOf } from '../../runtime/poll/failures';
import type { Source } from '../../runtime/poll/watch';

/** What one poll read of a list. */
export interface PagedSurvey {
	records: IDataObject[];
	/** One answer held the whole list: nothing can have moved between pages. */
	isAtomic: boolean;
	/** Whether the last page of the list was read. */
	reachedEnd: boolean;
	/** The page to go on with at the next poll; the first one if the list was read all round. */
	next: number;
	/** Why reading stopped, if a page failed after others were read: those count. */
	fault?: unknown;
}

export interface PagedList {
	row: Operation;
	parts?: Partial<Parts>;
	/** How many requests the records so far will need: those go before reading on. */
	wanted(records: IDataObject[]): number;
	/** Whether nothing new can follow these records, which were read page by page. */
	isEnough(records: IDataObject[]): boolean;
}

/** Requests of the rate limit's window that a list leaves for others. */
const RESERVE = 3;

/**
 * Reads a list from the page where the last poll stopped, all round if time and the rate limit allow. On going on,
 * one page is read again, so that entries which moved up meanwhile are not missed.
 */
export async function surveyPages(source: Source, list: PagedList, from: number): Promise<PagedSurvey> {
	const first = list.row.paging?.firstPage ?? 1;
	const start = Math.max(from - 1, first);
	const leastPages = from > first ? 2 : 1;
	const records: IDataObject[] = [];
	let reachedEnd = false;
	let number = start;
	const stop = (next: number, fault?: unknown): PagedSurvey => ({
		records,
		isAtomic: reachedEnd && start === first && number === first,
		reachedEnd,
		next,
		...(fault !== undefined && { fault }),
	});
	for (let read = 0; ; read += 1) {
		const mayReadOn = source.hasTime() && source.left() > list.wanted(records) + RESERVE;
		if (read >= leastPages && !mayReadOn) return stop(number);
		const outcome = await outcomeOf(source.page(list.row, number, list.parts));
		if ('error' in outcome) {
			if (read === 0) throw outcome.error;
			return stop(number, outcome.error);
		}
		const { records: found, more } = outcome.value;
		records.push(...found);
		if (list.isEnough(records)) return stop(first);
		const isLast = !more || found.length === 0;
		const isAround = reachedEnd ? isLast || number + 1 === start : isLast && start === first;
		reachedEnd ||= isLast;
		if (isAround) return stop(first);
		number = isLast ? first : number + 1;
	}
}
