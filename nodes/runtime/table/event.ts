import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Api } from '../api-types';
import { reasonOf } from '../values';
import { readFields, type Fields, type ParameterReader, type Values } from '../fields/field';
import type { RecordSchema } from './record';

export interface TriggerItem extends INodeExecutionData {
	json: IDataObject & { eventId: string };
}

/** The item of an event. If `make` fails, the item contains the error instead, so that one bad record stops no poll. */
export async function triggerItem(
	eventId: string,
	make: () => IDataObject | Promise<IDataObject>,
): Promise<TriggerItem> {
	try {
		return { json: { ...(await make()), eventId } };
	} catch (error) {
		const reason = reasonOf(error);
		return { json: { error: `The service's data for this event can't be read: ${reason}`, eventId } };
	}
}

/** The items of events, in their order. Leaves out events without `make`: what they were made of no longer exists. */
export async function triggerItems(
	events: Array<{ eventId: string; make: Parameters<typeof triggerItem>[1] | undefined }>,
): Promise<TriggerItem[]> {
	const items = events.map(async ({ eventId, make }) => (make ? [await triggerItem(eventId, make)] : []));
	return (await Promise.all(items)).flat();
}

export interface Found<Cursor = unknown, Emitted = unknown> {
	items: TriggerItem[];
	/** What `restore` needs to make the items again: JSON. Default: the items. */
	emitted?: Emitted[];
	/** The next cursor: it also knows the events of the items, and those that the filters dropped. */
	cursor: Cursor;
	/** Why some of what is new could not be read: the next polls try again. */
	failure?: unknown;
}

export type Sample = Pick<Found, 'items' | 'failure'>;

/**
 * How to find new events.
 *
 *     saved cursor ──────────────┐
 *         │                      ▼
 *         └──► snapshot ───────► next ──► items, cursor to save
 *                 │              ▲
 *                 └► baseline ───┘
 *                    (first poll)
 *
 * A `Cursor` is remembered between polls: JSON. A `Snapshot` is what one poll reads first, such as a list.
 */
export interface Watch<Cursor = unknown, Snapshot = unknown, Emitted = unknown> {
	/** Reads the current data. Without a cursor, it reads what a baseline that emits `emitCount` events needs. */
	snapshot(cursor: Cursor | undefined, api: Api, emitCount: number): Promise<Snapshot>;
	/** A cursor with which `next` emits the newest `emitCount` events of a snapshot; all of them with Infinity. */
	baseline(snapshot: Snapshot, emitCount: number, api: Api): Cursor | Promise<Cursor>;
	/** Makes items of unknown events, oldest first, until there are `maximum`, or time or the rate limit runs out. */
	next(cursor: Cursor, snapshot: Snapshot, maximum: number, api: Api): Promise<Found<Cursor, Emitted>>;
	/** Makes the items of a poll again, with the same event ids. Default: they are saved as they are. */
	restore?(emitted: Emitted[], api: Api): Promise<TriggerItem[]>;
	/** Up to `count` items for a test run to show. Default: those that a baseline doesn't know. */
	sample?(snapshot: Snapshot, count: number, api: Api): Promise<Sample>;
}

/** Something that a trigger can wait for: its parameters, and how to find it. */
export interface EventRow {
	name: string;
	description: string;
	fields: Fields;
	/** Optional settings, shown as a collection. */
	filters: Fields;
	/** Identifies what is watched. If it changes, all that exists counts as known. `() => null`: nothing has that effect. */
	watchKey(values: Values<Fields>): unknown;
	watch(values: Values<Fields>): Watch;
	/** The schema of its items; undefined if they are the service's own records. */
	output(values: Values<Fields>): RecordSchema | undefined;
}

export type Events = Record<string, EventRow>;

/** Declares an event, and infers the types of its fields and of its watch. */
export function event<
	const OwnFields extends Fields,
	const Filters extends Fields = Record<never, never>,
	Cursor = unknown,
	Snapshot = unknown,
	Emitted = unknown,
>(row: {
	name: string;
	description: string;
	fields: OwnFields;
	filters?: Filters;
	watchKey(values: Values<OwnFields>): unknown;
	watch(values: Values<OwnFields> & Partial<Values<Filters>>): Watch<Cursor, Snapshot, Emitted>;
	output(values: Values<OwnFields>): RecordSchema | undefined;
}): EventRow {
	return { filters: {}, ...row } as unknown as EventRow;
}

export async function valuesOf(row: EventRow, reader: ParameterReader): Promise<Values<Fields>> {
	const filters = reader.collection('filters', 'Filters');
	return { ...(await readFields(row.fields, reader)), ...(await readFields(row.filters, filters)) };
}
