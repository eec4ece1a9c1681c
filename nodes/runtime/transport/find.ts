/** Finds single records in the list of their resource. */
import type { IDataObject } from 'n8n-workflow';
import { isSameAddress, isSimilarAddress, withScheme } from '../addresses';
import type { Api, ListRow } from '../api-types';
import type { Listing } from '../table/listing';
import type { Operation, Resource } from '../table/operation';
import { inSentence, isBlank, quoted, toText } from '../values';
import { recordsOf } from './lists';

/**
 * The operation that lists a resource's records, and how they are shown. `name` is the resource's. The operation has no fields
 * for its query: the form of another one lacks them, so errors must not name them.
 */
export function listingOf(resource: Resource | undefined): {
	name: string;
	listing: Listing;
	row: Operation;
} {
	const listing = resource?.listing;
	const row = listing && resource.operations[listing.list];
	if (!row) throw new Error('This resource has no list');
	return { name: resource.name, listing, row: { ...row, query: {} } };
}

export const idOf = (listing: Listing, record: IDataObject): number | string =>
	listing.id?.(record) ?? (record.id as number);

/** The id of a record, for a request about it; some hosts list records without one. */
export function shownId(api: Api, listing: Listing, record: IDataObject): number | string {
	const id = idOf(listing, record);
	if (!isBlank(id)) return id;
	const message = `The service does not show the ID of ${quoted(listing.label(record))}`;
	throw api.inputError(message, 'Without it, the record cannot be changed or deleted');
}

/** Makes what throws for a list that moved in each reading: a record that was not found may be in it. */
export const refuseRestless =
	({ template }: ListRow, api: Api) =>
	(): never => {
		throw api.apiError(
			`The list ${template} kept changing while it was read`,
			'Nothing was done, because the record may be in it. Run the item again.',
		);
	};

/** The id of the record with this URL, or else of the only one that differs in its scheme or a trailing slash. */
export async function findByUrl(
	api: Api,
	resource: Resource | undefined,
	url: string,
): Promise<number | string> {
	const { name, listing, row } = listingOf(resource);
	return await api.once(`${name} ${url}`, async () => {
		const similar: IDataObject[] = [];
		const reading = { onUnrest: refuseRestless(row, api) };
		for await (const record of recordsOf(api, row, listing.findByUrl?.(url), reading)) {
			const address = listing.url?.(record);
			if (isSameAddress(withScheme(address), withScheme(url))) return shownId(api, listing, record);
			if (isSimilarAddress(address, url)) similar.push(record);
		}
		const [found, ...others] = similar;
		if (found && others.length === 0) return shownId(api, listing, found);
		const ids = similar.map((record) => idOf(listing, record)).join(', ');
		const message = found
			? `Several have nearly the URL ${quoted(url)}: ID ${ids}`
			: `You have no ${inSentence(name)} with the URL ${quoted(url)}`;
		throw api.inputError(message, 'Check the URL, or choose from the list');
	});
}

/**
 * A written record as the service lists it. If the list can't be read or lacks it, adds a hint and returns the record as it
 * is, because the write succeeded.
 */
export async function asListed(api: Api, resource: Resource, record: IDataObject): Promise<IDataObject> {
	const { listing, row } = listingOf(resource);
	const parts = listing.findByUrl?.(toText(listing.url?.(record) ?? ''));
	try {
		for await (const found of recordsOf(api, row, parts)) {
			if (!isBlank(found.id) && found.id === record.id) return { ...record, ...found };
		}
	} catch {
		// The hint says so.
	}
	api.hint(`${resource.name} ${toText(record.id ?? 'without ID')} could not be read back`);
	return record;
}
