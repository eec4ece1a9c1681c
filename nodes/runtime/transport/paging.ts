import { inSentence, quoted } from '../values';
import type { IDataObject } from 'n8n-workflow';
import type { Listing } from '../table/listing';
import type { Operation, Parts, Resource, Api, Page } from '../table/operation';

/**
 * Reads pages until `limit` records are there or the list ends, and yields the new records of each.
 * Filters go with every page. A page that repeats earlier ones ends the list;
 * a record that slipped onto two pages is yielded once.
 */
export async function* readPages(
	api: Api,
	row: Operation,
	parts?: Partial<Parts>,
	limit = Infinity,
): AsyncGenerator<Page> {
	const { paging } = row;
	if (!paging) throw new Error(`${row.route} is not a list`);
	const size = Math.min(paging.pageSize, limit);
	const seen = new Set<string>();
	let left = limit;
	for (let number = 1; left > 0; number += 1) {
		const page = await api.page(row, number, parts, size);
		const fresh = page.records.filter((record) => {
			const identity = paging.identity(record);
			return !seen.has(identity) && seen.add(identity);
		});
		yield { ...page, records: fresh.slice(0, left) };
		left -= fresh.length;
		const isRepeated = page.records.length > 0 && fresh.length === 0;
		if (!page.more || isRepeated) return;
	}
}

/** The records of a list, one by one, up to `limit`; pages are read as they are needed. */
export async function* recordsOf(
	api: Api,
	row: Operation,
	parts?: Partial<Parts>,
	limit?: number,
): AsyncGenerator<IDataObject> {
	for await (const { records } of readPages(api, row, parts, limit)) yield* records;
}

/** The operation that lists the records of a resource, and how they are shown. */
export function listOf(resource: Resource | undefined): { listing: Listing; row: Operation } {
	const listing = resource?.listing;
	const row = listing && resource?.operations[listing.list];
	if (!row) throw new Error(`${resource?.name ?? 'The resource'} has no list`);
	return { listing, row };
}

export const idOf = (listing: Listing, record: IDataObject): number | string =>
	listing.id?.(record) ?? (record.id as number);

/** The id of the record that lives at a URL; each URL is looked up once in an account. */
export async function findByUrl(
	api: Api,
	resource: Resource | undefined,
	url: string,
): Promise<number | string> {
	const { listing, row } = listOf(resource);
	return await api.once(`${resource?.name} ${url}`, async () => {
		for await (const record of recordsOf(api, row, { query: listing.findByUrl?.(url) ?? {} })) {
			if (plainAddress(listing.url?.(record)) === plainAddress(url)) return idOf(listing, record);
		}
		const message = `No ${inSentence(resource?.name ?? 'record')} has the URL ${quoted(url)}`;
		throw api.invalid(message, 'Check the URL, or choose from the list');
	});
}

/** An address without what makes no difference: the case of its host, a slash at its end. */
const plainAddress = (written: unknown): string => {
	const address = String(written ?? '').trim();
	return (URL.canParse(address) ? new URL(address).href : address).replace(/\/+$/, '');
};
