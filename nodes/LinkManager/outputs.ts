import type { IDataObject } from 'n8n-workflow';
import { isRecord, omit, toInteger, toText } from '../runtime/values';
import {
	aBoolean,
	aText,
	anInteger,
	make,
	record,
	type Kind,
	type RecordKind,
} from '../runtime/table/record';
import type { Paging } from '../runtime/table/listing';
import type { Output } from '../runtime/table/operation';

/** The answer itself is the record: creations, and updates of hosts that return it. */
export const written = (kind: RecordKind): Output => ({
	kind,
	pick: ({ json }, path) => (isRecord(json) ? { ...path, ...omit(json, 'error') } : undefined),
	sent: (body) => body,
});

/** Nothing but the service's message: the ids it concerns, and what it says. */
export const confirmed = (ids: Record<string, Kind>): Output => ({
	...written(record({ ...ids, message: aText })),
	sent: undefined,
});

/** The service's message beside the record. */
export const updated = ({ members }: RecordKind): Output => written(record({ ...members, message: aText }));

/** A deleted record, in n8n's usual form. */
const deletion = record({ deleted: aBoolean, id: anInteger });
export const deleted: Output = {
	kind: deletion,
	pick: (_, { id }) => make(deletion, { deleted: true, id }),
};

/** Larger pages are refused or cut by hosts; this one holds most accounts' lists whole. */
const PAGE_SIZE = 100;

/**
 * The page envelope of list calls (interface document, Resources). The list ends at `maxpage`, or when
 * `nextpage` is null or leads back; an empty list may come as `[]`, `{}` or not at all (seen in the wild).
 */
export const pages = (
	collection: string,
	identity = (entry: IDataObject): unknown => entry.id ?? JSON.stringify(entry),
): Paging => ({
	pageSize: PAGE_SIZE,
	query: (page, size) => ({ limit: size, page }),
	identity: (entry) => toText(identity(entry as IDataObject)),
	read: (answer, page, refuse) => {
		const data = isRecord(answer.json) ? answer.json.data : undefined;
		if (Array.isArray(data) && data.length === 0) return { records: [], more: false };
		if (!isRecord(data)) throw refuse(`JSON that holds no list of ${collection}`);
		const missing = data[collection] === undefined || data[collection] === null;
		const records = missing ? [] : entriesOf(data[collection]);
		if (!records || (missing && !saysEmpty(data))) throw refuse(`JSON that holds no list of ${collection}`);
		return { records, more: records.length > 0 && hasMore(data, page) };
	},
});

/** The entries of a collection; undefined if it is none. A list may come as an object with numbered keys. */
function entriesOf(collection: unknown): unknown[] | undefined {
	if (Array.isArray(collection)) return collection;
	if (isRecord(collection) && Object.keys(collection).every((key) => /^\d+$/.test(key))) {
		return Object.values(collection);
	}
	return undefined;
}

/** Whether an envelope without its collection is the service's own, and doesn't count any entries. */
const saysEmpty = (data: Record<string, unknown>): boolean =>
	('result' in data || 'currentpage' in data || 'maxpage' in data) && (toInteger(data.result) ?? 0) === 0;

function hasMore(data: Record<string, unknown>, page: number): boolean {
	const next = toInteger(data.nextpage);
	const last = toInteger(data.maxpage);
	if ('nextpage' in data && !data.nextpage) return false;
	if (last !== undefined) return page < last;
	return next === undefined || next > page;
}

/** Compares names as hosts do: they may change the case. */
export const sameCase = (name: unknown): string | undefined => {
	const text = toText(name ?? '')
		.trim()
		.toLowerCase();
	return text === '' ? undefined : text;
};
