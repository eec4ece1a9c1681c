import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { Client } from '../transport/client';
import { inputError } from '../errors/errors';
import { readPage, readPages, type ListRequest } from '../execute/paging';
import type { Listing, Resource } from '../table/operation';
import type { Service } from '../transport/service';

/** A list in the editor waits no longer than this for the rate limit. */
const EDITOR_WAIT_MS = 20_000;
/** How many pages one search in the editor reads before it shows what it has. */
const PAGES_PER_SEARCH = 5;

interface Listed {
	listing: Listing;
	request(query: Record<string, unknown>): ListRequest;
}

function listed(client: Client, service: Service, name: string, item: number): Listed {
	const resource: Resource | undefined = service.table[name];
	const listing = resource?.listing;
	const row = listing && resource.operations[listing.list];
	if (!row) throw new Error(`The resource ${name} has no list`);
	return {
		listing,
		request: (query) => ({
			client,
			dialect: service.dialect,
			row,
			parts: { path: {}, query, body: {} },
			item,
		}),
	};
}

const idOf = (listing: Listing, record: IDataObject): number | string =>
	listing.id?.(record) ?? (record.id as number);

const byName = (one: { name: string }, other: { name: string }): number =>
	one.name.localeCompare(other.name, 'en');

const sameAddress = (one: unknown, other: string): boolean => plainAddress(one) === plainAddress(other);

/** An address without what makes no difference: the case of its host, a slash at its end. */
const plainAddress = (written: unknown): string => {
	const address = String(written ?? '').trim();
	return (URL.canParse(address) ? new URL(address).href : address).replace(/\/+$/, '');
};

/** Finds the id of the record that lives at a URL; each URL is looked up once in the account of its item. */
export function finder(client: Client, service: Service) {
	const found = new Map<string, Promise<number | string>>();
	const look = async (resource: string, url: string, item: number): Promise<number | string> => {
		const { listing, request } = listed(client, service, resource, item);
		for await (const page of readPages(request(listing.findByUrl?.(url) ?? {}))) {
			const record = page.records.find((candidate) => sameAddress(listing.url?.(candidate), url));
			if (record) return idOf(listing, record);
		}
		const name = service.table[resource]?.name.toLowerCase() ?? resource;
		throw inputError(
			client.node,
			`No ${name} has the URL "${url}" [item ${item}]`,
			'Check the URL, or choose from the list',
			item,
		);
	};
	return async (resource: string, url: string, item: number): Promise<number | string> => {
		const key = `${await client.identity(item)} ${resource} ${url}`;
		const looking = found.get(key) ?? look(resource, url, item);
		found.set(key, looking);
		looking.catch(() => found.delete(key));
		return await looking;
	};
}

/** n8n's searchable lists, one for each resource of the table that can be listed. */
export function listSearches(service: Service) {
	return Object.fromEntries(
		Object.entries(service.table)
			.filter(([, resource]) => resource.listing)
			.map(([name]) => [name, searchOf(service, name)]),
	);
}

const searchOf = (service: Service, name: string) =>
	async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const client = new Client(this, service.dialect, { maxWaitMs: EDITOR_WAIT_MS });
		const { listing, request } = listed(client, service, name, 0);
		const wanted = (filter ?? '').trim();
		const list = request(wanted ? (listing.search?.(wanted) ?? {}) : {});
		const { pageSize = 0, firstPage = 1 } = list.row.paging ?? {};
		const results: INodeListSearchItems[] = [];
		let number = paginationToken ? Number(paginationToken) : firstPage;
		for (let read = 0; read < PAGES_PER_SEARCH && (read === 0 || results.length === 0); read += 1) {
			const page = await readPage(list, number, pageSize);
			results.push(
				...page.records
					.filter((record) => matches(listing, record, wanted))
					.map((record) => itemOf(listing, record)),
			);
			number += 1;
			if (!page.more || page.records.length === 0) {
				return { results: listing.sorted ? results.sort(byName) : results };
			}
		}
		return { results, paginationToken: String(number) };
	};

function itemOf(listing: Listing, record: IDataObject): INodeListSearchItems {
	const url = listing.url?.(record);
	return {
		name: listing.label(record),
		value: idOf(listing, record),
		...(typeof url === 'string' && url !== '' && { url }),
	};
}

/**
 * Whether a record belongs to what is looked for. A service that searches itself may look at more than
 * the label; the others' records are judged by what the user sees.
 */
function matches(listing: Listing, record: IDataObject, wanted: string): boolean {
	const seen = [listing.label(record), String(idOf(listing, record))];
	const texts = listing.search ? [...seen, ...Object.values(record).map(String)] : seen;
	return texts.some((text) => text.toLowerCase().includes(wanted.toLowerCase()));
}

/** n8n's plain option lists, for parameters that take several ids; named as the list searches are. */
export function optionLists(service: Service, names: readonly string[]) {
	return Object.fromEntries(
		names.map((name) => [
			name,
			async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				const client = new Client(this, service.dialect, { maxWaitMs: EDITOR_WAIT_MS });
				const { listing, request } = listed(client, service, name, 0);
				const options: INodePropertyOptions[] = [];
				for await (const page of readPages(request({}))) {
					options.push(
						...page.records.map((record) => ({ name: listing.label(record), value: idOf(listing, record) })),
					);
				}
				return options.sort(byName);
			},
		]),
	);
}
