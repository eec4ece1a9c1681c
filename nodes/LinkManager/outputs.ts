import type { Paging } from '../runtime/api-types';
import type { IDataObject } from 'n8n-workflow';
import { isRecord, omit, quoted, toInteger, toText, withoutBlanks } from '../runtime/values';
import {
	aBoolean,
	aText,
	anInteger,
	exact,
	extended,
	optional,
	record,
	type ValueSchema,
	type RecordSchema,
} from '../runtime/table/record';
import type { Existing } from '../runtime/table/listing';
import type { Output } from '../runtime/table/operation';
import { clock } from '../runtime/clock';

/** A record that was created or updated: the response body itself. Its blank members are unknown, so others stay. */
export const written = (schema: RecordSchema): Output => ({
	schema,
	select: ({ json }, path) =>
		isRecord(json) ? { ...path, ...withoutBlanks(omit(json, 'error')) } : undefined,
	fromBody: (body) => body,
});

/** For a response that has only a message: the message, with the ids from the request. */
export const confirmed = (ids: Record<string, ValueSchema>): Output => ({
	...written(record({ ...ids, message: aText.described('Message of the service') })),
	fromBody: undefined,
});

/** An updated record with the service's message. */
export const updated = (schema: RecordSchema): Output =>
	written(extended(schema, { message: aText.described('Message of the service') }));

/** A created record: `members` are the same in every new one, and `date` is now, in whole seconds, as hosts store it. */
export const created = (output: Output, members: IDataObject = {}): Output => ({
	...output,
	initial: () => ({
		...members,
		date: new Date(Math.floor(clock.now() / 1000) * 1000).toISOString(),
	}),
});

const reference = record({
	id: optional(anInteger).described('ID of the record'),
	name: optional(aText).described('Name of the record'),
});
/** A reference to another record. Some lists return only its name (seen in the wild). */
export const aReference: ValueSchema = {
	...reference,
	coerce: (value, zone) => (typeof value === 'string' ? { name: value } : reference.coerce(value, zone)),
};

const deletion = record({
	deleted: aBoolean.described('true: the record was deleted'),
	id: anInteger.described('ID of the deleted record'),
});
export const deleted: Output = {
	schema: deletion,
	select: (_, { id }) => exact(deletion, { deleted: true, id }),
};

/** The largest page that hosts accept; they refuse or cut larger ones. Most accounts' lists fit into one such page. */
const PAGE_SIZE = 100;

/**
 * The page envelope of lists (interface document, Resources). A page is the last if it is page `maxpage`, or if its
 * `nextpage` is null or not higher. An empty list can be `[]`, `{}` or missing (seen in the wild).
 */
export const pages = (
	collection: string,
	identity = (entry: IDataObject): unknown => entry.id ?? JSON.stringify(entry),
): Paging => ({
	collection,
	pageSize: PAGE_SIZE,
	query: (page, size) => ({ limit: size, page }),
	identity: (entry) => toText(identity(entry as IDataObject)),
	read: (response, page) => {
		const data = isRecord(response.json) ? response.json.data : undefined;
		if (entriesOf(data)?.length === 0) return { records: [], more: false };
		if (!isRecord(data)) return undefined;
		const missing = data[collection] === undefined || data[collection] === null;
		const records = missing ? [] : entriesOf(data[collection]);
		const isPage = !missing || 'result' in data || 'currentpage' in data || 'maxpage' in data;
		const last = toInteger(data.maxpage);
		// A list that became shorter may count its entries on a page after its last.
		const lacksEntries = !isPage || (records?.length === 0 && countIn(data) > 0 && page <= (last ?? 1));
		if (!records || lacksEntries) return undefined;
		const counts = {
			...(countIn(data) > records.length && { total: countIn(data) }),
			size: toInteger(data.perpage),
			last,
		};
		return { records, more: records.length > 0 && hasMore(data, page), counts };
	},
});

/** The entries of a collection, which can also be an object with numeric keys; undefined for anything else. */
function entriesOf(collection: unknown): unknown[] | undefined {
	if (Array.isArray(collection)) return collection;
	if (isRecord(collection) && Object.keys(collection).every((key) => /^\d+$/.test(key))) {
		return Object.values(collection);
	}
	return undefined;
}

/** The number of entries on the page, or on all pages (seen in the wild). */
const countIn = ({ result }: Record<string, unknown>): number => toInteger(result) ?? 0;

function hasMore(data: Record<string, unknown>, page: number): boolean {
	const last = toInteger(data.maxpage);
	const next = toInteger(data.nextpage) ?? Infinity;
	if ('nextpage' in data && !data.nextpage) return false;
	return last === undefined ? next > page : page < last;
}

const nameOf = (record: Record<string, unknown>): string => toText(record.name ?? '').trim();

/** Recognizes an existing record by its name: an equal one, or else one that differs only in case. */
export const existingByName: Existing = {
	matchedBy: 'with the same name',
	keysOf: (entry) => [`named ${nameOf(entry)}`, `any case of ${nameOf(entry).toLowerCase()}`],
	lookUps: (body) => {
		const name = nameOf(body);
		if (name === '') return [];
		const refuses = { above: 1, reason: `Several have the name ${quoted(name)} in another case` };
		return [{ key: `named ${name}` }, { key: `any case of ${name.toLowerCase()}`, refuses }];
	},
};

/** A list that shows records by their names. */
export const listedByName = { list: 'getAll' as const, label: ({ name }: IDataObject) => toText(name) };
