import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Api } from '../table/operation';

/** One thing to hand over. */
export interface Item extends INodeExecutionData {
	json: IDataObject & { eventId: string };
}

/**
 * The item of an event. One that can't be made says why in its place: no single record stops a poll, whatever is
 * wrong with it.
 */
export async function itemOf(eventId: string, make: () => IDataObject | Promise<IDataObject>): Promise<Item> {
	try {
		return { json: { ...(await make()), eventId } };
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return { json: { error: `What the service sent can't be shown: ${reason}`, eventId } };
	}
}

/** What came of looking closer at events. */
export interface Collected<Event> {
	/** Events that need no more looking at: handed over, or found not to be wanted. In their order. */
	processed: Event[];
	/** Those of them that become items, in the form in which they can be restored. */
	handedOver: Event[];
	items: Item[];
}

/**
 * One way to see what is new: what to ask, what it says, and what to remember. `Cursor` is what is known between
 * polls, `Snapshot` what one poll saw, `Event` one new thing; cursors and events are JSON. Everything but `snapshot`,
 * `collect` and `restore` is pure.
 */
export interface Watch<Cursor = unknown, Snapshot = unknown, Event = unknown> {
	/** A cursor as it was saved; undefined if it can't be read. */
	read(saved: unknown): Cursor | undefined;
	/** Asks what there is; without a cursor, as much of it as a baseline needs. */
	snapshot(cursor: Cursor | undefined, api: Api): Promise<Snapshot>;
	/** A cursor that knows all of a snapshot but the `newest` events; with Infinity, nothing of it. */
	baseline(snapshot: Snapshot, newest: number): Cursor;
	/** The same for a finite number, where telling the newest wanted events takes a closer look. */
	wantedBaseline?(snapshot: Snapshot, newest: number, api: Api): Promise<Cursor>;
	/** What of a snapshot the cursor doesn't know, oldest first; and the cursor after having seen it, which still doesn't know that. */
	detect(cursor: Cursor, snapshot: Snapshot): { events: Event[]; cursor: Cursor };
	/** Looks closer at the first events until there are `maximum` items, or time or the rate limit run out. */
	collect(events: Event[], maximum: number, api: Api, cursor: Cursor): Promise<Collected<Event>>;
	/** A cursor that knows these events as well. */
	advance(cursor: Cursor, processed: Event[]): Cursor;
	/** The items of events that were handed over before, with the same event ids. */
	restore(handedOver: Event[], api: Api): Promise<Item[]>;
	/** Why a snapshot holds only part of what there is, if something failed. */
	failure?(snapshot: Snapshot): unknown;
	/** Completes the cursor of a first poll that hands nothing over. */
	prime?(cursor: Cursor, snapshot: Snapshot, api: Api): Promise<Cursor>;
	/** A cursor with which a test run finds something to show. */
	sample?(snapshot: Snapshot): Cursor;
}
