import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { type Collected, type TriggerItem, type Watch } from '../../runtime/table/event';
import { aBoolean } from '../../runtime/table/record';

/**
 * The third idea of an event: something switches on or off. A number of unread stories reaches a threshold, or a feed
 * fails. What the trigger remembers:
 *
 *           switches on              switches off
 *     off ────────────────────► on ────────────────────► off
 *          an event, if chosen       an event, if chosen
 *
 * It switches in the cursor when its event is processed, not when the event is detected: so no event is lost.
 */
export interface SwitchCursor {
	/** When the trigger started, in epoch milliseconds. Part of the event ids, so that each start has its own ids. */
	since: number;
	/** The names of all that is on. */
	on: string[];
	/** How many events there were, by name; left out if none. Part of the event ids. */
	counts: Record<string, number>;
}

/** Something that is on or off now. */
export interface Switch {
	name: string;
	isOn: boolean;
	/** Whether its changes are events. The state of others is remembered, too: they may be watched later. */
	isWatched: boolean;
	/** The item, if this is an event. */
	item: IDataObject;
}

export interface SwitchSnapshot {
	/** Epoch milliseconds. */
	at: number;
	/** Undefined if the states are unknown. */
	switches: Switch[] | undefined;
	/** The rate limit's refusal. */
	failure?: unknown;
}

export interface SwitchOptions {
	/** The beginning of the event ids. */
	idPrefix: string;
	/** Reads the states. In a first poll, a refusal by the rate limit is an error. */
	read(poll: 'first' | 'later', api: Api): Promise<SwitchSnapshot>;
	/** Whether switching to a state is an event. */
	isEvent(isOn: boolean): boolean;
	/** What a test run shows if there is no event: the switch as if it had just switched. */
	example(now: Switch): Switch;
	/** Completes the items of events. */
	complete?(items: IDataObject[], api: Api): Promise<IDataObject[]>;
}

interface Switched {
	name: string;
	isOn: boolean;
	/** How many events the switch had, this one included. */
	count: number;
	since: number;
	item: IDataObject;
}

/** The member `example` of an item: whether a test run made the event up, because it found no real one. */
export const exampleFlag = { ...aBoolean, defaultValue: () => false };

export class SwitchWatch implements Watch<SwitchCursor, SwitchSnapshot, Switched> {
	constructor(private readonly options: SwitchOptions) {}

	async snapshot(cursor: SwitchCursor | undefined, api: Api): Promise<SwitchSnapshot> {
		return await this.options.read(cursor ? 'later' : 'first', api);
	}

	failure({ failure }: SwitchSnapshot): unknown {
		return failure;
	}

	/** What is on counts as off if it is to be emitted. */
	baseline({ at, switches = [] }: SwitchSnapshot, emitCount: number): SwitchCursor {
		const on = switches.filter(({ isOn }) => isOn);
		const events = on.filter((now) => this.isEvent(now));
		const emitted = new Set(emitCount > 0 ? events.slice(-emitCount) : []);
		const known = on.filter((now) => !emitted.has(now));
		return { since: at, on: known.map(({ name }) => name), counts: {} };
	}

	/** Shows an event that could have just happened; if there is none, an example. */
	sample({ at, switches = [] }: SwitchSnapshot): { events: Switched[]; cursor: SwitchCursor } {
		const events = switches.filter((now) => this.isEvent(now));
		const others = switches.filter(({ isWatched }) => isWatched);
		const example =
			events.find(({ isOn }) => isOn) ?? [...events, ...others].map((now) => this.options.example(now))[0];
		return {
			events: example ? [{ ...example, since: at, count: 1 }] : [],
			cursor: { since: at, on: [], counts: {} },
		};
	}

	detect(cursor: SwitchCursor, snapshot: SwitchSnapshot): { events: Switched[]; cursor: SwitchCursor } {
		const { since, counts } = cursor;
		const on = new Set(cursor.on);
		const switched = (snapshot.switches ?? []).filter(({ name, isOn }) => isOn !== on.has(name));
		const events = switched.filter((now) => this.isEvent(now));
		const known = switched.filter((now) => !this.isEvent(now));
		return {
			events: events.map((now) => ({ ...now, since, count: (counts[now.name] ?? 0) + 1 })),
			cursor: withStates(cursor, known),
		};
	}

	async collect(events: Switched[], maximum: number, api: Api): Promise<Collected<Switched>> {
		const processed = events.slice(0, maximum);
		const items = processed.map(({ item }) => item);
		const completed = (await this.options.complete?.(items, api)) ?? items;
		const emitted = processed.map((event, index) => ({ ...event, item: completed[index] ?? event.item }));
		return { processed, emitted, items: emitted.map((event) => this.itemOf(event)) };
	}

	advance(cursor: SwitchCursor, processed: Switched[]): SwitchCursor {
		const counts = Object.fromEntries(processed.map(({ name, count }) => [name, count]));
		return withStates({ ...cursor, counts: { ...cursor.counts, ...counts } }, processed);
	}

	async restore(emitted: Switched[]): Promise<TriggerItem[]> {
		return emitted.map((event) => this.itemOf(event));
	}

	private isEvent({ isOn, isWatched }: Switch): boolean {
		return isWatched && this.options.isEvent(isOn);
	}

	private itemOf({ name, count, since, item }: Switched): TriggerItem {
		const id = [this.options.idPrefix, since, ...(name === '' ? [] : [name]), count];
		return { json: { ...item, eventId: id.join(':') } };
	}
}

/** The cursor after these have switched. */
function withStates(cursor: SwitchCursor, switched: Array<Pick<Switch, 'name' | 'isOn'>>): SwitchCursor {
	const names = new Set(switched.map(({ name }) => name));
	const on = switched.filter(({ isOn }) => isOn).map(({ name }) => name);
	return { ...cursor, on: [...cursor.on.filter((name) => !names.has(name)), ...on] };
}
