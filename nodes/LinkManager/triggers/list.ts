import type { IDataObject } from 'n8n-workflow';
import { triggerItem, type Collected, type TriggerItem } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';

/** A record that a list has, and that the trigger does not know. */
export interface NewRecord {
	/** The part of the event id that identifies the record. */
	key: string;
	record: IDataObject;
}

/** What all watches of lists share: each event is a record, and becomes one item. */
export abstract class ListWatch {
	constructor(
		protected readonly row: Operation,
		/** The beginning of the event ids. */
		private readonly idPrefix: string,
	) {}

	async collect(events: NewRecord[], maximum: number): Promise<Collected<NewRecord>> {
		const first = events.slice(0, maximum);
		return { processed: first, emitted: first, items: await this.restore(first) };
	}

	async restore(emitted: NewRecord[]): Promise<TriggerItem[]> {
		const items = emitted.map(
			async ({ key, record }) => await triggerItem(`${this.idPrefix}:${key}`, () => record),
		);
		return await Promise.all(items);
	}

	failure(snapshot: { failure?: unknown }): unknown {
		return snapshot.failure;
	}
}
