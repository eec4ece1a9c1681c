import type { IDataObject } from 'n8n-workflow';
import type { Api, RequestParts } from '../../runtime/api-types';
import type { Found, TriggerItem, Watch } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { sortedBy, toText } from '../../runtime/values';
import { cutShort, orderOf, readInPoll } from './reading';

/**
 * What a trigger knows of a list whose ids don't rise, such as the items of a channel: the keys of its entries.
 *
 *     entries   ["links-7", "qr-3"]        in the list at the last poll
 *     left      ["links-9"]                taken out; an event again when it comes back
 *     returns   [["qr-3", 1]]              how often those that came back did so: part of their event ids
 */
export interface EntryCursor {
	entries: string[];
	left: string[];
	returns: Array<[key: string, times: number]>;
}

interface EntrySnapshot {
	records: IDataObject[];
	/** Whether the whole list was read while it did not move. */
	isComplete: boolean;
	failure?: unknown;
}

const MAX_LEFT = 20_000;

export class EntryWatch implements Watch<EntryCursor, EntrySnapshot> {
	constructor(
		private readonly row: Operation,
		private readonly idPrefix: string,
		private readonly keyOf: (record: IDataObject) => string,
		private readonly parts?: Partial<RequestParts>,
	) {}

	async snapshot(cursor: EntryCursor | undefined, api: Api): Promise<EntrySnapshot> {
		const { row, parts } = this;
		// The last reading has the order of the list. What it missed because the list moved, the next poll finds.
		const { entries, more, isRestless, failure } = await readInPoll(api, { row, parts, first: 1 });
		const isComplete = !more && !isRestless;
		// What a first poll does not see would seem to be new later.
		if (!cursor && !isComplete) throw cutShort(row, api, failure);
		if (more && failure === undefined) api.hint(cutShort(row, api).message);
		return { records: oldestFirst(entries), isComplete, failure };
	}

	baseline({ records }: EntrySnapshot, emitCount: number): EntryCursor {
		const known = emitCount === 0 ? records : records.slice(0, -emitCount);
		return { entries: known.map(this.keyOf), left: [], returns: [] };
	}

	async next(
		cursor: EntryCursor,
		{ records, isComplete, failure }: EntrySnapshot,
		maximum: number,
	): Promise<Found<EntryCursor>> {
		const present = new Set(records.map(this.keyOf));
		const missing = cursor.entries.filter((key) => isComplete && !present.has(key));
		const left = new Set([...cursor.left, ...missing]);
		const entries = new Set(cursor.entries.filter((key) => !left.has(key)));
		const returns = new Map(cursor.returns);
		const items: TriggerItem[] = [];
		for (const record of records) {
			const key = this.keyOf(record);
			if (entries.has(key)) continue;
			if (items.length >= maximum) break;
			entries.add(key);
			const times = (returns.get(key) ?? 0) + 1;
			const isBack = left.delete(key);
			if (isBack) returns.set(key, times);
			const eventId = `${this.idPrefix}:${isBack ? `${key}.${times}` : key}`;
			items.push({ json: { ...record, eventId } });
		}
		const next = { entries: [...entries], left: [...left].slice(-MAX_LEFT), returns: [...returns] };
		return { items, cursor: next, failure };
	}
}

/** The entries by date; one without a date follows the one before it. Those of one date keep the order of the list. */
function oldestFirst(entries: IDataObject[]): IDataObject[] {
	const dateOf = ({ date }: IDataObject): string => toText(date ?? '');
	const dates = entries.map(dateOf).filter((date) => date !== '');
	const [first = '', last = ''] = [dates[0], dates.at(-1)];
	const isOldestFirst = first === last ? orderOf(entries) === 'rising' : first < last;
	let date = '';
	const dated = (isOldestFirst ? entries : [...entries].reverse()).map((record) => {
		date = dateOf(record) || date;
		return { record, date };
	});
	return sortedBy(dated, (entry) => entry.date).map(({ record }) => record);
}
