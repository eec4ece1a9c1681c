import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Api } from '../api-types';
import { reasonOf } from '../values';
import { readFields, type Fields, type ParameterReader, type Values } from '../fields/field';
import type { RecordSchema } from './record';

/** An item that a trigger emits. */
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

/** The items of some events, and what became of these events. */
export interface Collected<Event> {
	/** The events that became items, were filtered out, or could not be read, in their order: `advance` notes them. */
	processed: Event[];
	/** The events that became items, as `restore` reads them. */
	emitted: Event[];
	items: TriggerItem[];
	/** Why some events could not be read. */
	failure?: unknown;
}

/**
 * How to find new events. Methods with an `Api` may send requests; the others are pure functions.
 *
 *     saved cursor ─► snapshot ─► detect ─► collect ─► items
 *                        │          │          │
 *                     requests   cursor ─► advance ─► cursor to save
 *
 * A `Cursor` is remembered between polls, a `Snapshot` is what one poll reads, and an `Event` is what the trigger waits
 * for. Cursors and events are JSON.
 */
export interface Watch<Cursor = unknown, Snapshot = unknown, Event = unknown> {
	/** Reads the current data. Without a cursor, it reads what a baseline that emits `emitCount` events needs. */
	snapshot(cursor: Cursor | undefined, api: Api, emitCount?: number): Promise<Snapshot>;
	/** A cursor that knows everything in a snapshot but its newest `emitCount` events. With Infinity, it knows nothing. */
	baseline(snapshot: Snapshot, emitCount: number, api: Api): Cursor | Promise<Cursor>;
	/** The events that the cursor doesn't know, oldest first, and the next cursor: it knows them only after `advance`. */
	detect(cursor: Cursor, snapshot: Snapshot): { events: Event[]; cursor: Cursor };
	/**
	 * Makes items of the first events, until there are `maximum` items, or time or the rate limit runs out. `cursor` is the
	 * one that `detect` returned.
	 */
	collect(events: Event[], maximum: number, api: Api, cursor: Cursor): Promise<Collected<Event>>;
	/** A cursor that also knows the processed events. */
	advance(cursor: Cursor, processed: Event[]): Cursor;
	/** Makes the items of emitted events again, with the same event ids. */
	restore(emitted: Event[], api: Api): Promise<TriggerItem[]>;
	/** Why a snapshot is incomplete, if a request failed. */
	failure?(snapshot: Snapshot): unknown;
	/** Up to `count` events for a test run to show. Default: those that a baseline doesn't know. */
	sample?(snapshot: Snapshot, count: number): { events: Event[]; cursor: Cursor };
}

/** Something that a trigger can wait for: its parameters, and how to find it. */
export interface EventRow {
	name: string;
	description: string;
	fields: Fields;
	/** Optional settings, shown as a collection. */
	filters: Fields;
	/**
	 * Identifies what is watched. If it changes, everything that exists counts as known. For an event whose fields must
	 * not have that effect: `() => null`.
	 */
	watchKey(values: Values<Fields>): unknown;
	watch(values: Values<Fields>): Watch;
	/** The schema of its items; undefined if they are the service's own records. */
	output?(values: Values<Fields>): RecordSchema | undefined;
}

export type Events = Record<string, EventRow>;

/** An event with fields must declare `watchKey`. */
type RequiredWatchKey<OwnFields> = [keyof OwnFields] extends [never] ? unknown : { watchKey: unknown };

/** Declares an event, and infers the types of its fields, cursor, snapshots and events. */
export function event<
	const OwnFields extends Fields,
	const Filters extends Fields = Record<never, never>,
	Cursor = unknown,
	Snapshot = unknown,
	Event = unknown,
>(
	row: {
		name: string;
		description: string;
		fields: OwnFields;
		filters?: Filters;
		watchKey?(values: Values<OwnFields> & Values<Filters>): unknown;
		watch(values: Values<OwnFields> & Partial<Values<Filters>>): Watch<Cursor, Snapshot, Event>;
		output?(values: Values<OwnFields>): RecordSchema | undefined;
	} & RequiredWatchKey<NoInfer<OwnFields>>,
): EventRow {
	return { watchKey: () => null, filters: {}, ...row } as unknown as EventRow;
}

/** The values of an event's parameters. */
export async function valuesOf(row: EventRow, reader: ParameterReader): Promise<Values<Fields>> {
	const filters = reader.collection('filters', 'Filters');
	return { ...(await readFields(row.fields, reader)), ...(await readFields(row.filters, filters)) };
}
