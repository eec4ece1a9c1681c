/** Reads lists page by page. */
import type { IDataObject } from 'n8n-workflow';
import type { Api, ListCounts, ListRow, Page, Paging, RequestParts } from '../api-types';
import { classOf } from '../errors/errors';
import { unseen } from '../values';
import { pagingOf } from './request';

/** A list that moves is read at most this many times. */
export const MAX_READINGS = 3;
/** The longest list, in pages, whose pages overlap. Up to 4 pages, overlapping rarely takes another request. */
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
interface ReadPage extends Page {
	/** The number of the page. */
	number: number;
	/** The entries of this reading up to this page, in their order, each once. */
	soFar: IDataObject[];
	progress: Progress;
}

/**
 * Reads pages until `limit` records were found or the list ends; yields the new records of each page, all of the last one.
 * Filters go with every page. A record on two pages comes once. If nothing has this query, reads the paging's other one.
 */
export async function* readPages(
	api: Api,
	row: ListRow,
	parts?: Partial<RequestParts>,
	reading?: Reading,
): AsyncGenerator<ReadPage> {
	const other = pagingOf(row).otherwise?.(parts?.query ?? {});
	let isEmpty = true;
	try {
		for await (const page of readUntilAtRest(api, row, parts, reading)) {
			isEmpty &&= page.records.length === 0;
			yield page;
		}
	} catch (error) {
		// The service may refuse a query because nothing has it.
		if (!other || !isEmpty || classOf(error) !== 'refused') throw error as Error;
	}
	if (other && isEmpty) yield* readUntilAtRest(api, row, { ...parts, query: other }, reading);
}

/**
 * Reads a list again if it moved. If records are added or removed while it is read, others move to another page, and the
 * next page lacks them or repeats them. A reading that notices this ends, unless it is the last; the next one begins where
 * it began. Yields the records of each page that no earlier page of any reading had.
 */
async function* readUntilAtRest(
	api: Api,
	row: ListRow,
	parts: Partial<RequestParts> | undefined,
	reading: Reading = {},
): AsyncGenerator<ReadPage> {
	const { identity } = pagingOf(row);
	const { limit = Infinity, onUnrest } = reading;
	const seen = new Set<string>();
	let left = limit;
	for (let tries = 1; ; tries += 1) {
		const seenBefore = seen.size;
		let end: Progress = 'at rest';
		for await (const page of readOnce(api, row, parts, reading)) {
			const records = identity ? unseen(page.records, seen, identity) : page.records;
			yield { ...page, records };
			left -= records.length;
			end = page.progress;
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

/** Reads a list once, from the page `first` to its last. */
async function* readOnce(
	api: Api,
	row: ListRow,
	parts: Partial<RequestParts> | undefined,
	{ limit = Infinity, first = 1, mayReadOn = () => true, isCareful }: Reading,
): AsyncGenerator<ReadPage> {
	const { pageSize, identity } = pagingOf(row);
	const size = Math.min(pageSize, limit);
	const longest = isCareful ? MAX_OVERLAPPING_PAGES.careful : MAX_OVERLAPPING_PAGES.usual;
	const trace = new Trace(size, longest, identity);
	for (let number = first; ; number += 1) {
		const page = await api.page(row, number, parts, size - trace.overlapOf(number));
		trace.add(page, number);
		const { soFar, progress } = trace;
		yield { ...page, number, soFar, progress };
		if (!page.more || progress === 'repeated' || !mayReadOn()) return;
	}
}

/**
 * What one reading of a list has read. It notices that the list moved if the service reports how many entries or pages there
 * are. Without a number of entries, the pages of a list that is not too long overlap for that: each has one entry less than
 * the page before (1 to 100, 100 to 198, 197 to 294).
 */
class Trace {
	readonly soFar: IDataObject[] = [];
	progress: Progress = 'at rest';
	/** The identities of the entries so far. */
	private readonly seen = new Set<string>();
	private before: ListCounts | undefined;
	private overlaps = false;

	/** `size`: the number of entries in the first page. `longest`: the longest list, in pages, whose pages overlap. */
	constructor(
		private readonly size: number,
		private readonly longest: number,
		private readonly identity: Paging['identity'],
	) {}

	/** How many entries of a page are on earlier pages, too, if the list is at rest. */
	overlapOf(number: number): number {
		return this.overlaps ? number - 1 : 0;
	}

	add({ records, counts }: Page, number: number): void {
		const { seen, identity, before } = this;
		const repeats = records.map((record) => identity !== undefined && seen.has(identity(record)));
		if (before && !isInPlace(repeats, this.overlapOf(number), counts, before)) this.progress = 'moved';
		if (repeats.length > 0 && repeats.every(Boolean)) this.progress = 'repeated';
		for (const record of identity ? unseen(records, seen, identity) : records) this.soFar.push(record);
		if (number === 1) {
			this.overlaps = counts?.size === this.size && !counts.total && Number(counts.last) <= this.longest;
		}
		this.before = counts;
	}
}

/**
 * Whether a page is as in a list at rest: of its entries, exactly the first `overlap` repeat, and it has the counts of the
 * page before. Overlapping pages differ in size, so their number differs, too.
 */
const isInPlace = (
	repeats: boolean[],
	overlap: number,
	counts: ListCounts | undefined,
	before: ListCounts,
): boolean =>
	repeats.length >= overlap &&
	repeats.every((isRepeat, index) => isRepeat === index < overlap) &&
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
