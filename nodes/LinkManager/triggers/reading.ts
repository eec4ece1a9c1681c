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
	if (others > 0) api.hint(`Entries of ${template} that are not watched because they have no ID: ${others}`);
	return usable.sort((a, b) => idOf(a) - idOf(b));
}

/** A poll leaves this many requests of the rate limit's window to other nodes. */
export const RESERVE = 3;

/** The pages that one poll read of a list. A list that moves is read several times. */
export interface PagesRead {
	/** The entries of the last reading, in their order, each once. */
	entries: IDataObject[];
	/** The same or, if the list moved in each reading so that the last may lack some, those of all readings together. */
	records: IDataObject[];
	last: number;
	more: boolean;
	counts?: ListCounts;
	/** Whether the list moved in each reading. */
	isRestless: boolean;
	/** Why reading stopped, if a page failed after others had been read. */
	failure?: unknown;
}

export interface PollReading {
	row: Operation;
	parts?: Partial<RequestParts>;
	first: number;
	/** Whether no more pages are needed after those of this reading. */
	isEnough?(entries: IDataObject[]): boolean;
	/** How many requests these entries will need: they must stay possible. */
	requestsFor?(entries: IDataObject[]): number;
}

/** Reads pages of a list until there are enough, or until time or the rate limit runs out. */
export async function readInPoll(api: Api, reading: PollReading): Promise<PagesRead> {
	const { row, parts, first, isEnough, requestsFor = () => 0 } = reading;
	// Each poll gets a page further than the one before, even if the rate limit is nearly used up.
	let mustRead = 2;
	const read: PagesRead = { entries: [], records: [], last: first, more: true, isRestless: false };
	const ofAllReadings: IDataObject[] = [];
	/** Whether the list moved during the last reading, so that it may lack some records. */
	let hasGap = false;
	const hasRoom = (): boolean => api.hasTime() && api.requestsLeft > RESERVE + requestsFor(read.entries);
	const mayReadOn = (): boolean => !isEnough?.(read.entries) && (mustRead > 0 || hasRoom());
	const onUnrest = (): void => void (read.isRestless = true);
	const readAll = async (): Promise<void> => {
		for await (const page of readPages(api, row, parts, { first, mayReadOn, onUnrest })) {
			mustRead -= 1;
			ofAllReadings.push(...page.records);
			const { soFar: entries, number: last, more, counts, progress } = page;
			Object.assign(read, { entries, last, more, counts });
			hasGap = progress !== 'at rest';
		}
	};
	const done = await settled(readAll());
	if ('error' in done && (read.entries.length === 0 || hasGap)) throw done.error as Error;
	const records = read.isRestless ? ofAllReadings : read.entries;
	return { ...read, records, ...('error' in done && { failure: done.error }) };
}

/** The error of a poll that can't read as much of a list as it needs. A later one may have more requests left. */
export const cutShort = ({ template }: Operation, api: Api, failure?: unknown): Error =>
	(failure as Error | undefined) ??
	api.apiError(
		`The list ${template} could not be read whole in one poll`,
		'It is too long, or the rate limit left too few requests. The next poll tries again.',
		'rateLimited',
	);

/** The order of ids. Records of the same second can have any order, so a quarter of the neighbours may differ. */
export type Order = 'rising' | 'falling' | 'unknown';

export function orderOf(entries: IDataObject[]): Order {
	const ids = entries.map(idOf);
	const rises = ids.filter((id, index) => index > 0 && id > (ids[index - 1] ?? NaN)).length;
	const neighbours = ids.length - 1;
	if (neighbours < 1) return 'unknown';
	if (rises * 4 <= neighbours) return 'falling';
	return rises * 4 >= neighbours * 3 ? 'rising' : 'unknown';
}
