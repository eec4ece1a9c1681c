import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { clock } from '../../runtime/clock';
import type { Found, Sample, TriggerItem, Watch } from '../../runtime/table/event';
import { aBoolean } from '../../runtime/table/record';

/**
 * The third idea of an event: something switches on or off. A number of unread stories reaches a threshold, or a feed
 * fails. What the trigger remembers:
 *
 *           switches on              switches off
 *     off ────────────────────► on ────────────────────► off
 *          an event, if chosen       an event, if chosen
 *
 * It switches in the cursor when its event is emitted: an event for which a poll has no room comes with the next one.
 *
 * For example, with feed 42 that fails for the second time: `{ since: 1790000000000, on: ['42'], counts: { 42: 2 } }`
 */
export interface SwitchCursor {
	/** When the trigger started, in epoch milliseconds. Part of the event ids, so that each start has its own ids. */
	since: number;
	/** The names of what is on. */
	on: string[];
	/** How many events there were, by name; left out if none. Part of the event ids. */
	counts: Record<string, number>;
}

export interface Switch {
	/** Its name in the cursor and the event ids, which leave out a blank one: that of an event with one switch. */
	name: string;
	isOn: boolean;
	/** Whether its changes are events. The state of others is remembered, too: they may be watched later. */
	isWatched: boolean;
}

export interface SwitchOptions<State extends Switch> {
	idPrefix: string;
	/** Reads the states; none if they are unknown. */
	read(api: Api): Promise<State[]>;
	/** Whether switching on, or off, is an event. */
	emits(isOn: boolean): boolean;
	item(state: State, api: Api): IDataObject | Promise<IDataObject>;
	/** What a test run shows if there is no event: the switch as if it had just switched. */
	example(state: State): State;
}

/** The member `example` of an item: whether a test run made the event up, because it found no real one. */
export const exampleFlag = { ...aBoolean, defaultValue: () => false };

export class SwitchWatch<State extends Switch> implements Watch<SwitchCursor, State[]> {
	constructor(private readonly options: SwitchOptions<State>) {}

	async snapshot(_: SwitchCursor | undefined, api: Api): Promise<State[]> {
		return await this.options.read(api);
	}

	/** What is on counts as off if it is to be emitted. */
	baseline(switches: State[], emitCount: number): SwitchCursor {
		const on = switches.filter(({ isOn }) => isOn);
		const events = on.filter((state) => this.isEvent(state));
		const toEmit = new Set(emitCount > 0 ? events.slice(-emitCount) : []);
		const known = on.filter((state) => !toEmit.has(state));
		return { since: clock.now(), on: known.map(({ name }) => name), counts: {} };
	}

	async next(
		{ since, ...cursor }: SwitchCursor,
		switches: State[],
		maximum: number,
		api: Api,
	): Promise<Found<SwitchCursor>> {
		const on = new Set(cursor.on);
		const counts = { ...cursor.counts };
		const items: TriggerItem[] = [];
		for (const state of switches) {
			const { name, isOn } = state;
			if (isOn === on.has(name)) continue;
			if (this.isEvent(state)) {
				if (items.length >= maximum) continue;
				const count = (counts[name] ?? 0) + 1;
				counts[name] = count;
				items.push(await this.itemOf(state, since, count, api));
			}
			if (isOn) on.add(name);
			else on.delete(name);
		}
		return { items, cursor: { since, on: [...on], counts } };
	}

	/** Shows something that is on as if it had just switched on, if that is an event; otherwise an example. */
	async sample(switches: State[], _: number, api: Api): Promise<Sample> {
		const events = switches.filter((state) => this.isEvent(state));
		const real = events.find(({ isOn }) => isOn);
		const model = events[0] ?? switches.find(({ isWatched }) => isWatched);
		const shown = real ?? (model && this.options.example(model));
		if (!shown) return { items: [] };
		const { json } = await this.itemOf(shown, clock.now(), 1, api);
		return { items: [{ json: real ? json : { ...json, example: true } }] };
	}

	private isEvent({ isOn, isWatched }: Switch): boolean {
		return isWatched && this.options.emits(isOn);
	}

	/** The item of the event number `count` of a switch. */
	private async itemOf(state: State, since: number, count: number, api: Api): Promise<TriggerItem> {
		const { idPrefix, item } = this.options;
		const id = [idPrefix, since, ...(state.name === '' ? [] : [state.name]), count];
		return { json: { ...(await item(state, api)), eventId: id.join(':') } };
	}
}
