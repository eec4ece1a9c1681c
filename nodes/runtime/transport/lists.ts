/** Reads lists page by page. */
import type { IDataObject } from 'n8n-workflow';
import type { Api, ListCounts, ListRow, Page, Paging, RequestParts } from '../api-types';
import { unseen } from '../values';
import { pagingOf } from './request';

/** A list that moves is read this often. */
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

/** What a reading found so far: `repeated` if its last page has only records of earlier pages. */
type Progress = 'at rest' | 'moved' | 'repeated';

interface NumberedPage extends Page {
	/** The records that no earlier page of any reading had. */
	records: IDataObject[];
	entries: IDataObject[];
	number: number;
	progress: Progress;
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
		for await (const { page, number, progress } of readOnce(api, row, paging, parts, reading)) {
			const { records: entries } = page;
			const { identity } = paging;
			const records = identity ? unseen(entries, seen, identity) : entries;
			yield { ...page, records: records.slice(0, left), entries, number, progress };
			left -= records.length;
			end = progress;
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
 * Reads a list once, from the page `first` to its last. It notices that the list moved
 * - by a record of an earlier page that comes again, or by the numbers of entries and pages, if they are reported;
 * - without a number of entries, in lists of few pages, by pages that overlap: each has one entry less than the page before
 *   (1 to 100, 100 to 198, 197 to 294). In a list at rest, exactly the first n - 1 entries of page n repeat.
 */
async function* readOnce(
	api: Api,
	row: ListRow,
	paging: Paging,
	parts: Partial<RequestParts> | undefined,
	{ limit = Infinity, first = 1, mayReadOn = () => true, isCareful }: Reading,
): AsyncGenerator<{ page: Page; number: number; progress: Progress }> {
	const size = Math.min(paging.pageSize, limit);
	const longest = isCareful ? MAX_OVERLAPPING_PAGES.careful : MAX_OVERLAPPING_PAGES.usual;
	const onEarlierPages = new Set<string>();
	let progress: Progress = 'at rest';
	let before: ListCounts | undefined;
	let overlaps = false;
	for (let number = first; ; number += 1) {
		const overlap = overlaps ? number - 1 : 0;
		const page = await api.page(row, number, parts, size - overlap);
		const { records, counts, more } = page;
		const ids = records.map((record) => paging.identity?.(record) ?? '');
		const isShifted =
			ids.length < overlap || ids.some((id, index) => onEarlierPages.has(id) !== index < overlap);
		const hasOtherCounts = before?.total !== counts?.total || (!overlaps && before?.last !== counts?.last);
		if (before && (isShifted || hasOtherCounts)) progress = 'moved';
		const isRepeated = ids.length > 0 && ids.every((id) => onEarlierPages.has(id));
		if (isRepeated) progress = 'repeated';
		yield { page, number, progress };
		if (!more || isRepeated || !mayReadOn()) return;
		for (const id of ids) onEarlierPages.add(id);
		if (number === 1) overlaps = counts?.size === size && !counts.total && Number(counts.last) <= longest;
		before = counts;
	}
}

/** The records of a list, one at a time. Pages are read when needed. */
export async function* recordsOf(
	api: Api,
	row: ListRow,
	parts?: Partial<RequestParts>,
	reading?: Reading,
): AsyncGenerator<IDataObject> {
	for await (const { records } of readPages(api, row, parts, reading)) yield* records;
}
