import type { IDataObject } from 'n8n-workflow';
import type { Api, RequestParts } from '../../runtime/api-types';
import type { Watch } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { sortedBy, toText } from '../../runtime/values';
import { ListWatch, type NewRecord } from './list';
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
	/** Oldest first. */
	records: IDataObject[];
	/** Whether the whole list was read while it did not move. */
	isComplete: boolean;
	failure?: unknown;
}

/** The most entries that are remembered after they left. */
const MAX_LEFT = 20_000;

/** Watches a list by comparing its entries with those of the last poll. */
export class EntryWatch extends ListWatch implements Watch<EntryCursor, EntrySnapshot, NewRecord> {
	constructor(
		row: Operation,
		idPrefix: string,
		private readonly keyOf: (record: IDataObject) => string,
		private readonly parts?: Partial<RequestParts>,
	) {
		super(row, idPrefix);
	}

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

	detect(cursor: EntryCursor, { records, isComplete }: EntrySnapshot) {
		const present = new Set(records.map(this.keyOf));
		const stays = (key: string): boolean => present.has(key) || !isComplete;
		const entries = cursor.entries.filter(stays);
		const left = [...cursor.left, ...cursor.entries.filter((key) => !stays(key))];
		const [known, away, returns] = [new Set(entries), new Set(left), new Map(cursor.returns)];
		const events = records.flatMap((record) => {
			const key = this.keyOf(record);
			if (known.has(key)) return [];
			return { key: away.has(key) ? `${key}.${(returns.get(key) ?? 0) + 1}` : key, record };
		});
		return { events, cursor: { ...cursor, entries, left: left.slice(-MAX_LEFT) } };
	}

	advance(cursor: EntryCursor, processed: NewRecord[]): EntryCursor {
		const keys = processed.map(({ record }) => this.keyOf(record));
		const [added, away, returns] = [new Set(keys), new Set(cursor.left), new Map(cursor.returns)];
		for (const key of keys) if (away.has(key)) returns.set(key, (returns.get(key) ?? 0) + 1);
		return {
			entries: [...cursor.entries, ...keys],
			left: cursor.left.filter((key) => !added.has(key)),
			returns: [...returns],
		};
	}
}

/**
 * The entries sorted by date; one without a date follows the one before it. Those of the same date have the order of the
 * list, which its dates or else its ids show.
 */
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
