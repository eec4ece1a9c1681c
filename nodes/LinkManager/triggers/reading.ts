import type { IDataObject } from 'n8n-workflow';
import type { Api, ListCounts, RequestParts } from '../../runtime/api-types';
import type { Operation } from '../../runtime/table/operation';
import { readPages } from '../../runtime/transport/lists';
import { settled, toInteger } from '../../runtime/values';

export const idOf = ({ id }: IDataObject): number => toInteger(id) ?? NaN;

/** The records with an id, sorted by it. Says how many have none. */
export function withIds(records: IDataObject[], { template }: Operation, api: Api): IDataObject[] {
	const usable = records.filter((record) => Number.isInteger(idOf(record)));
	const others = records.length - usable.length;
	if (others > 0) api.hint(`${others} entries of ${template} have no ID and are not watched`);
	return usable.sort((a, b) => idOf(a) - idOf(b));
}

/** A poll leaves this many requests of the rate limit's window to other nodes. */
export const RESERVE = 3;

/** The pages that one poll read of a list. */
export interface PagesRead {
	/** Each record once. */
	records: IDataObject[];
	/** The entries in the order of the list, as the last reading found them. */
	entries: IDataObject[];
	/** The number of the last page read. */
	last: number;
	/** Whether more pages follow. */
	more: boolean;
	counts?: ListCounts;
	/** Whether the list moved in each reading, so that records may be missing. */
	isRestless: boolean;
	/** Why reading stopped, if a page failed after others had been read. */
	failure?: unknown;
}

export interface PollReading {
	row: Operation;
	parts?: Partial<RequestParts>;
	/** The page to begin with. */
	first: number;
	/** Whether no more pages are needed after those of this reading. */
	isEnough?(entries: IDataObject[]): boolean;
	/** How many requests the records of a page will need. More pages are read only if these requests stay possible. */
	requestsFor?(page: IDataObject[]): number;
}

/** Reads pages of a list until there are enough, or until time or the rate limit runs out. */
export async function readInPoll(api: Api, reading: PollReading): Promise<PagesRead> {
	const { row, parts, first, isEnough, requestsFor } = reading;
	// If an earlier poll stopped at a page, each poll gets one page further.
	let mustRead = first > 1 ? 2 : 1;
	let needed = RESERVE;
	const read: PagesRead = { records: [], entries: [], last: first, more: true, isRestless: false };
	const mayReadOn = (): boolean =>
		!isEnough?.(read.entries) && (mustRead > 0 || (api.hasTime() && api.requestsLeft() > needed));
	const onUnrest = (): void => void (read.isRestless = true);
	const readAll = async (): Promise<void> => {
		for await (const page of readPages(api, row, parts, { first, mayReadOn, onUnrest })) {
			mustRead -= 1;
			needed += requestsFor?.(page.records) ?? 0;
			const { number, more, counts } = page;
			const entries = number === first ? page.entries : [...read.entries, ...page.entries];
			Object.assign(read, {
				records: [...read.records, ...page.records],
				entries,
				last: number,
				more,
				counts,
			});
		}
	};
	const done = await settled(readAll());
	if ('value' in done) return read;
	if (read.records.length === 0) throw done.error as Error;
	return { ...read, failure: done.error };
}

/** The order of ids. Records of the same second can have any order, so a quarter of the neighbours may differ. */
export type Order = 'rising' | 'falling' | 'mixed';

export function orderOf(records: IDataObject[]): Order {
	const ids = records.map(idOf);
	const rises = ids.filter((id, index) => index > 0 && id > (ids[index - 1] ?? NaN)).length;
	const neighbours = Math.max(ids.length - 1, 0);
	if (rises * 4 <= neighbours) return 'falling';
	return rises * 4 >= neighbours * 3 ? 'rising' : 'mixed';
}
