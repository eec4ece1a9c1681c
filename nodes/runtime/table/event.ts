import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Api } from '../api-types';
import { reasonOf } from '../values';
import { readFields, type Fields, type ParameterReader, type Values } from '../fields/field';
import type { RecordSchema } from './record';

/** An item that a trigger emits. */
export interface TriggerItem extends INodeExecutionData {
	json: IDataObject & { eventId: string };
}

/** The item of an event. If its data can't be read, the item contains the error instead: one bad record stops no poll. */
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

/** The result of looking closer at events. */
export interface Collected<Event> {
	/** Events that are done with, in their order: emitted, or filtered out. */
	processed: Event[];
	/** Those of them that became items, in the form that `restore` reads. */
	emitted: Event[];
	items: TriggerItem[];
	/** The rate limit's refusal, if it is the reason why nothing was emitted. */
	refusal?: unknown;
	/** Why some events could not be read, though others were emitted. */
	failure?: unknown;
}

/**
 * How to find new events. Methods that take an `Api` may send requests; all others send nothing and keep
 * nothing.
 *
 *     saved cursor ─► snapshot ─► detect ─► collect ─► items
 *                        │          │          │
 *                     requests   cursor ─► advance ─► cursor to save
 *
 * `Cursor` is what is remembered between polls, `Snapshot` what one poll has read, `Event` one new thing. Cursors and
 * events are JSON.
 */
export interface Watch<Cursor = unknown, Snapshot = unknown, Event = unknown> {
	/** The cursor in the saved state; undefined if it is broken. */
	parseCursor(saved: unknown): Cursor | undefined;
	/** Reads the current data; without a cursor, as much as a baseline needs. */
	snapshot(cursor: Cursor | undefined, api: Api): Promise<Snapshot>;
	/** A cursor that knows all of a snapshot except the newest `emitCount` events; with Infinity it knows nothing. */
	baseline(snapshot: Snapshot, emitCount: number): Cursor;
	/** Like `baseline`, for a finite `emitCount`, if requests are needed to know which events the filters let through. */
	filteredBaseline?(snapshot: Snapshot, emitCount: number, api: Api): Promise<Cursor>;
	/** The events that the cursor doesn't know, oldest first; and the next cursor, which doesn't know them yet. */
	detect(cursor: Cursor, snapshot: Snapshot): { events: Event[]; cursor: Cursor };
	/** Makes items of the first events until there are `maximum`, or until time or the rate limit runs out. */
	collect(events: Event[], maximum: number, api: Api, cursor: Cursor): Promise<Collected<Event>>;
	/** A cursor that knows these events too. */
	advance(cursor: Cursor, processed: Event[]): Cursor;
	/** The items of events that were emitted before, with the same event ids. */
	restore(emitted: Event[], api: Api): Promise<TriggerItem[]>;
	/** Why a snapshot is incomplete, if a request failed. */
	failure?(snapshot: Snapshot): unknown;
	/** Completes the cursor of a first poll that emits nothing, with the data that later events are compared with. */
	warmUp?(cursor: Cursor, snapshot: Snapshot, api: Api): Promise<Cursor>;
	/** A cursor with which a test run finds something to show. */
	sample?(snapshot: Snapshot): Cursor;
}

/** Something that a trigger can wait for: its parameters, and how to find it. */
export interface EventRow {
	name: string;
	description: string;
	fields: Fields;
	/** Optional settings, shown as a collection. */
	filters: Fields;
	/**
	 * Identifies what is watched. If it changes, everything that exists counts as known. `() => null` if a changed
	 * field must not have that effect.
	 */
	watchKey(values: Values<Fields>): unknown;
	watch(values: Values<Fields>): Watch;
	/** The schema of its items; undefined if they are the service's own records. */
	output?(values: Values<Fields>): RecordSchema | undefined;
}

export type Events = Record<string, EventRow>;

/** An event with fields must say what they mean for `watchKey`. */
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
