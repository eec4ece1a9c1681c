/** Reads lists page by page. */
import type { IDataObject } from 'n8n-workflow';
import type { Api, ListCounts, ListRow, Page, Paging, RequestParts } from '../api-types';
import { unseen } from '../values';
import { pagingOf } from './request';

/** A list that moves is read at most this many times. */
const MAX_READINGS = 3;
/** The longest list, in pages, whose pages overlap. Up to 4 pages, that rarely takes another request. */
const MAX_OVERLAPPING_PAGES = { usual: 4, careful: 25 };

export interface Reading {
	limit?: number;
	first?: number;
	/** Whether to read another page. Default: always. */
	mayReadOn?(): boolean;
	/** Notices moves of long lists, too, even if that takes more requests. */
	isCareful?: boolean;
	/** Called if the list moved during the last reading, so that records may be missing. Default: a hint. */
	onUnrest?(): void;
}

/** What a reading found so far: `repeated` if its last page has only entries of earlier pages. */
type Progress = 'at rest' | 'moved' | 'repeated';

/** A page of one reading of a list. */
interface ReadPage {
	page: Page;
	/** The number of the page. */
	number: number;
	/** The entries of this reading up to this page, in their order, each once. */
	soFar: IDataObject[];
	progress: Progress;
}

interface NumberedPage extends Page, Omit<ReadPage, 'page'> {
	/** Those that no earlier page of any reading had, up to the limit. */
	records: IDataObject[];
}

/**
 * Reads pages until `limit` records were found or the list ends; yields the new records of each page. Filters are sent
 * with every page. A record on two pages is yielded once. If nothing has this query, reads the paging's other one.
 */
export async function* readPages(
	api: Api,
	row: ListRow,
	parts?: Partial<RequestParts>,
	reading?: Reading,
): AsyncGenerator<NumberedPage> {
	let isEmpty = true;
	for await (const page of readUntilAtRest(api, row, parts, reading)) {
		isEmpty &&= page.records.length === 0;
		yield page;
	}
	const query = isEmpty ? pagingOf(row).otherwise?.(parts?.query ?? {}) : undefined;
	if (query) yield* readUntilAtRest(api, row, { ...parts, query }, reading);
}

/**
 * Reads a list again if it moved. If records are added or removed while it is read, others move to another page, and the
 * next page lacks them or repeats them. A reading that notices this ends, unless it is the last; the next one begins where
 * it began.
 */
async function* readUntilAtRest(
	api: Api,
	row: ListRow,
	parts: Partial<RequestParts> | undefined,
	reading: Reading = {},
): AsyncGenerator<NumberedPage> {
	const paging = pagingOf(row);
	const { limit = Infinity, onUnrest } = reading;
	const seen = new Set<string>();
	let left = limit;
	for (let tries = 1; ; tries += 1) {
		const seenBefore = seen.size;
		let end: Progress = 'at rest';
		for await (const { page, ...read } of readOnce(api, row, paging, parts, reading)) {
			const { identity } = paging;
			const records = identity ? unseen(page.records, seen, identity) : page.records;
			yield { ...page, ...read, records: records.slice(0, left) };
			left -= records.length;
			end = read.progress;
			if (left <= 0 || end === 'repeated' || (end === 'moved' && tries < MAX_READINGS)) break;
		}
		// A host that ignores the number of the page repeats the same records in each reading.
		if (end === 'at rest' || (end === 'repeated' && seen.size === seenBefore)) return;
		if (left > 0 && tries < MAX_READINGS) continue;
		if (onUnrest) onUnrest();
		else api.hint(`The list ${row.template} changed while it was read: some of its records may be missing`);
		return;
	}
}

/**
 * Reads a list once, from the page `first` to its last. If the service reports how many entries or pages there are, it
 * notices that the list moved. Without a number of entries, the pages of a list that is not too long overlap for that: each
 * has one entry less than the page before (1 to 100, 100 to 198, 197 to 294).
 */
async function* readOnce(
	api: Api,
	row: ListRow,
	paging: Paging,
	parts: Partial<RequestParts> | undefined,
	{ limit = Infinity, first = 1, mayReadOn = () => true, isCareful }: Reading,
): AsyncGenerator<ReadPage> {
	const { pageSize, identity } = paging;
	const size = Math.min(pageSize, limit);
	const longest = isCareful ? MAX_OVERLAPPING_PAGES.careful : MAX_OVERLAPPING_PAGES.usual;
	const earlier = new Set<string>();
	const soFar: IDataObject[] = [];
	let progress: Progress = 'at rest';
	let before: ListCounts | undefined;
	let overlaps = false;
	for (let number = first; ; number += 1) {
		const overlap = overlaps ? number - 1 : 0;
		const page = await api.page(row, number, parts, size - overlap);
		const { records, counts, more } = page;
		const isRepeat = records.map((record) => identity !== undefined && earlier.has(identity(record)));
		if (before && !isInPlace(isRepeat, overlap, counts, before)) progress = 'moved';
		const isRepeated = isRepeat.length > 0 && isRepeat.every(Boolean);
		if (isRepeated) progress = 'repeated';
		for (const record of identity ? unseen(records, earlier, identity) : records) soFar.push(record);
		yield { page, number, soFar, progress };
		if (!more || isRepeated || !mayReadOn()) return;
		if (number === 1) overlaps = counts?.size === size && !counts.total && Number(counts.last) <= longest;
		before = counts;
	}
}

/**
 * Whether a page is as in a list at rest: of its entries, exactly the first `overlap` are on earlier pages, and it has the
 * counts of the page before. Overlapping pages differ in size, so their number differs, too.
 */
const isInPlace = (
	isRepeat: boolean[],
	overlap: number,
	counts: ListCounts | undefined,
	before: ListCounts,
): boolean =>
	isRepeat.length >= overlap &&
	isRepeat.every((repeats, index) => repeats === index < overlap) &&
	before.total === counts?.total &&
	(overlap > 0 || before.last === counts?.last);

/** The records of a list, one at a time. Pages are read when needed. */
export async function* recordsOf(
	api: Api,
	row: ListRow,
	parts?: Partial<RequestParts>,
	reading?: Reading,
): AsyncGenerator<IDataObject> {
	for await (const { records } of readPages(api, row, parts, reading)) yield* records;
}
