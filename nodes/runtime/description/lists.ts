import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { isSimilarAddress } from '../addresses';
import type { Api } from '../api-types';
import { Client } from '../transport/client';
import { ServiceApi } from '../transport/api';
import { idOf, listingOf } from '../transport/find';
import { recordsOf } from '../transport/lists';
import type { Listing } from '../table/listing';
import type { Resource } from '../table/operation';
import type { Service } from '../transport/service';
import { contains, quoted, sortedBy, textsIn, toText, unseen } from '../values';

/** How long a list in the editor waits for the rate limit. */
const EDITOR_WAIT_MS = 20_000;
/** A search in the editor reads pages until it found enough to fill the list: n8n asks for more only if one scrolls. */
const FULL_LIST = 10;
const PAGES_PER_SEARCH = 10;

/** Sends requests for the editor, where there are no items. */
function editorApi(context: ILoadOptionsFunctions, service: Service): Api {
	const client = new Client(context, service, { maxWaitMs: EDITOR_WAIT_MS });
	return new ServiceApi(client, { advice: '', hint: () => undefined });
}

const byName = <Named extends { name: string }>(entries: Named[]): Named[] =>
	sortedBy(entries, ({ name }) => name);

/** n8n's searchable lists, one for each resource with a list. */
export function listSearches(service: Service) {
	return Object.fromEntries(
		Object.entries(service.table)
			.filter(([, resource]) => resource.listing)
			.map(([name, resource]) => [name, searchOf(service, resource)]),
	);
}

export const searchOf = (service: Service, resource: Resource) =>
	async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const api = editorApi(this, service);
		const { listing, row } = listingOf(resource);
		const wanted = filter.trim();
		const query = wanted ? (listing.search?.(wanted) ?? {}) : {};
		const results: INodeListSearchItems[] = [];
		let number = paginationToken ? Number(paginationToken) : 1;
		const seen = new Set<string>();
		let recordsRead = 0;
		for (let pagesRead = 0; pagesRead < PAGES_PER_SEARCH && results.length < FULL_LIST; pagesRead += 1) {
			const page = await api.page(row, number, { query });
			const found = page.records.filter((record) => matchesFilter(listing, record, wanted));
			for (const record of unseen(found, seen, (entry) => toText(idOf(listing, entry)))) {
				results.push(searchResult(listing, record));
			}
			recordsRead += page.records.length;
			number += 1;
			if (!page.more || page.records.length === 0) {
				return { results: listing.sorted ? byName(results) : results };
			}
		}
		if (results.length === 0 && !paginationToken) {
			const message = `${quoted(wanted)} is not among the first ${recordsRead} entries of the list`;
			throw api.inputError(message, 'Enter the ID instead');
		}
		return { results, paginationToken: String(number) };
	};

export const fixedLists = (lists: Record<string, () => INodeListSearchItems[]>) =>
	Object.fromEntries(
		Object.entries(lists).map(([name, list]) => [
			name,
			async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
				const found = list().filter((entry) => contains(entry.name, filter));
				return { results: byName(found) };
			},
		]),
	);

/** The paths of all operations with their methods and purposes, as a list for API Request. */
export const routesOf = ({ table }: Service): INodeListSearchItems[] =>
	Object.values(table).flatMap(({ name, operations }) =>
		Object.values(operations)
			.filter(({ isExtra }) => !isExtra)
			.map((row) => ({
				name: `${row.template} (${row.method}, ${name}: ${row.name})`,
				value: row.template,
			})),
	);

function searchResult(listing: Listing, record: IDataObject): INodeListSearchItems {
	const url = listing.url?.(record);
	return {
		name: listing.label(record),
		value: idOf(listing, record),
		...(typeof url === 'string' && url !== '' && { url }),
	};
}

/**
 * Whether a record contains the text that the user searches. If the service itself searched, all texts in the record
 * count, as they may for the service; otherwise, only what identifies it.
 */
function matchesFilter(listing: Listing, record: IDataObject, wanted: string): boolean {
	const seen = [listing.label(record), idOf(listing, record), listing.url?.(record)];
	const values = listing.search ? [...seen, ...textsIn(record)] : seen;
	if (isSimilarAddress(listing.url?.(record), wanted)) return true;
	return values.some((value) => contains(value, wanted));
}

/** n8n's lists for parameters that take several ids. Each has the name of its resource. */
export function optionLists(service: Service, names: readonly string[]) {
	return Object.fromEntries(
		names.map((name) => [
			name,
			async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				const { listing, row } = listingOf(service.table[name]);
				const options: INodePropertyOptions[] = [];
				for await (const record of recordsOf(editorApi(this, service), row)) {
					options.push({ name: listing.label(record), value: idOf(listing, record) });
				}
				return byName(options);
			},
		]),
	);
}
