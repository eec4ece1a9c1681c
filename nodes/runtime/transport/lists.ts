/** Reads lists page by page, and finds records in them. */
import type { IDataObject } from 'n8n-workflow';
import { isSameAddress, isSimilarAddress, withScheme } from '../addresses';
import type { Api, ListRow, Page, Paging, RequestParts } from '../api-types';
import type { Listing } from '../table/listing';
import type { Operation, Resource } from '../table/operation';
import { inSentence, quoted, unseen } from '../values';

/** A list that moves is read this often. */
const MAX_READINGS = 3;
/** Up to this many pages, overlapping ones rarely take another request. */
const MAX_OVERLAPPING_PAGES = 4;

export interface Reading {
	/** The most records to read. */
	limit?: number;
	/** The page to begin with. */
	first?: number;
	/** Whether to read another page. Default: always. */
	mayReadOn?(): boolean;
	/** Notices every move of a list, even if that takes more requests. */
	isCareful?: boolean;
	/** Called if the list moved during each reading, so that records may be missing. Default: a hint. */
	onUnrest?(): void;
}

/** A page of a list, without the records of earlier pages. */
export interface NumberedPage extends Page {
	number: number;
	/** All records of the page. */
	entries: IDataObject[];
}

/**
 * Reads pages until `limit` records were found or the list ends; yields the new records of each page. Filters are sent
 * with every page. A record on two pages is yielded once.
 *
 * If records are added or removed meanwhile, others move to another page, and the next page lacks them or repeats them.
 * A reading that notices this ends, and the next one begins at the first page.
 */
export async function* readPages(
	api: Api,
	row: ListRow,
	parts?: Partial<RequestParts>,
	reading: Reading = {},
): AsyncGenerator<NumberedPage> {
	const { paging } = row;
	if (!paging) throw new Error(`${row.route} is not a list`);
	const seen = new Set<string>();
	const { identity } = paging;
	const isNew = (records: IDataObject[]) => (identity ? unseen(records, seen, identity) : records);
	const list = new ListReader(api, row, paging, parts, reading);
	const unrest = `The list ${row.template} kept changing while it was read: some of its records may be missing`;
	const reportUnrest = reading.onUnrest ?? (() => api.hint(unrest));
	let left = reading.limit ?? Infinity;
	for (let tries = 1; tries <= MAX_READINGS; tries += 1) {
		let hasMoved = false;
		let foundMore = false;
		let isRepeated = false;
		for await (const page of list.pages(tries < MAX_READINGS)) {
			const fresh = isNew(page.records);
			foundMore ||= fresh.length > 0;
			({ hasMoved, isRepeated } = { hasMoved: hasMoved || page.hasMoved, isRepeated: page.isRepeated });
			yield { ...page, records: fresh.slice(0, left) };
			left -= fresh.length;
			if (left <= 0) return;
		}
		// A host that ignores the page's number repeats its pages, and repeats them again in the next reading.
		if (!hasMoved || (isRepeated && !foundMore)) break;
		if (tries === MAX_READINGS) reportUnrest();
	}
	const query = seen.size === 0 ? paging.otherwise?.(parts?.query ?? {}) : undefined;
	const otherRow = { ...row, paging: { ...paging, otherwise: undefined } };
	if (query) yield* readPages(api, otherRow, { ...parts, query }, reading);
}

/** A page to request: with `overlap` entries that earlier pages have. */
interface Position {
	number: number;
	size: number;
	overlap: number;
}

/**
 * Reads a list from its first page to its last. It notices that the list moved
 * - by the number of all entries, if the service reports it;
 * - by an entry that an earlier page has;
 * - by pages that overlap: each begins with the last entry of the one before.
 */
class ListReader {
	private readonly size: number;
	/** Whether the service uses the sizes of pages that are requested. */
	private takesSizes = true;

	constructor(
		private readonly api: Api,
		private readonly row: ListRow,
		private readonly paging: Paging,
		private readonly parts: Partial<RequestParts> | undefined,
		private readonly reading: Reading,
	) {
		this.size = Math.min(paging.pageSize, reading.limit ?? Infinity);
	}

	async *pages(
		endsIfMoved: boolean,
	): AsyncGenerator<NumberedPage & { hasMoved: boolean; isRepeated: boolean }> {
		const { first = 1, mayReadOn = () => true } = this.reading;
		const seen = new Set<string>();
		let position: Position = { number: first, size: this.size, overlap: 0 };
		let previous: Page | undefined;
		let overlaps = false;
		for (;;) {
			const { number, size, overlap } = position;
			const page = await this.api.page(this.row, number, this.parts, size);
			const ids = page.records.map((record) => this.paging.identity?.(record) ?? '');
			const isRepeated = ids.length > 0 && ids.every((id) => seen.has(id));
			const isShifted = seen.has(ids[overlap] ?? '') || (overlap > 0 && !seen.has(ids[overlap - 1] ?? ''));
			const hasMoved =
				previous?.counts !== undefined && (isShifted || countsDiffer(previous, page, overlaps));
			this.takesSizes &&= page.counts?.size === size;
			yield { ...page, entries: page.records, number, hasMoved, isRepeated };
			if (!page.more || isRepeated || (hasMoved && endsIfMoved) || !mayReadOn()) return;
			for (const id of ids) seen.add(id);
			if (!previous) overlaps = first === 1 && this.shouldOverlap(page);
			const end = (number - 1) * size + ids.length;
			position = overlaps ? overlapping(end, this.size) : { number: number + 1, size, overlap: 0 };
			previous = page;
		}
	}

	private shouldOverlap({ counts }: Page): boolean {
		if (!this.takesSizes || counts?.total !== undefined || counts?.last === undefined) return false;
		return this.reading.isCareful || counts.last <= MAX_OVERLAPPING_PAGES;
	}
}

/** Whether the numbers of entries and pages show that a list moved. If pages have different sizes, only that of entries. */
const countsDiffer = ({ counts: before }: Page, { counts: after }: Page, overlaps: boolean): boolean =>
	before?.total !== after?.total || (!overlaps && before?.last !== after?.last);

/**
 * The page that begins before entry number `end` and reaches furthest. A page begins at a multiple of its size, so pages
 * that overlap have different sizes: 100 entries from the first, 99 from the 100th, 98 from the 197th.
 */
function overlapping(end: number, most: number): Position {
	const candidates = Array.from({ length: Math.ceil(most / 2) }, (_, index) => {
		const size = most - index;
		const number = Math.ceil(end / size);
		return { number, size, overlap: end - (number - 1) * size };
	});
	return candidates.reduce((best, other) =>
		other.number * other.size > best.number * best.size ? other : best,
	);
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

/** The operation that lists a resource's records, and how they are shown. */
export function listingOf(resource: Resource | undefined): { listing: Listing; row: Operation } {
	const listing = resource?.listing;
	const row = listing && resource?.operations[listing.list];
	if (!row) throw new Error('This resource has no list');
	return { listing, row };
}

export const idOf = (listing: Listing, record: IDataObject): number | string =>
	listing.id?.(record) ?? (record.id as number);

/**
 * The id of the record with this URL: the same address or, if there is none, one that differs in its scheme or a trailing
 * slash. Each URL is looked up once for each account.
 */
export async function findByUrl(
	api: Api,
	resource: Resource | undefined,
	url: string,
): Promise<number | string> {
	const { listing, row } = listingOf(resource);
	const name = inSentence(resource?.name ?? 'record');
	return await api.once(`${resource?.name} ${url}`, async () => {
		const similar: IDataObject[] = [];
		for await (const record of recordsOf(api, row, { query: listing.findByUrl?.(url) ?? {} })) {
			const address = listing.url?.(record);
			if (isSameAddress(withScheme(address), withScheme(url))) return idOf(listing, record);
			if (!listing.isOrigin && isSimilarAddress(address, url)) similar.push(record);
		}
		const [found, ...others] = similar;
		if (found && others.length === 0) return idOf(listing, found);
		const ids = similar.map((record) => idOf(listing, record)).join(', ');
		const message = found
			? `Several have nearly the URL ${quoted(url)}: ID ${ids}`
			: `No ${name} has the URL ${quoted(url)}`;
		throw api.inputError(message, 'Check the URL, or choose from the list');
	});
}
