import type { IDataObject } from 'n8n-workflow';
import type { TriggerItem } from '../../runtime/table/event';
import { capitalized } from '../../runtime/values';
import { toCount } from '../statistics';
import type { Changes } from './statistics';

/**
 * An increase of a record's counter. If each count is an item, a poll may have no room for all of them: it emits the
 * part up to `to`, and a later poll continues there.
 *
 *     0 ─────────── from ─────────────── to ───────────── total
 *       emitted before     emitted now      emitted later
 */
export interface Increase {
	id: number;
	from: number;
	to: number;
	total: number;
	/** How often the counter went down. Part of the event ids. */
	restarts: number;
	record: IDataObject;
	/** When the increase was noticed: ISO 8601. */
	noticedAt: string;
	/** By how much each country, referrer and so on increased; null if unknown. */
	changes: Changes | null;
	/** One item for each count: the choice when it was noticed. */
	itemPerCount: boolean;
}

export interface Counted {
	/** The member that counts, such as `scans`. It is part of the event ids and of names such as `newScans`. */
	counter: string;
	/** The beginning of the event ids, such as `qr`. */
	idPrefix: string;
	/** One of what is counted: `scan`. */
	singular: string;
	/** One item for each count instead of one for each record. */
	itemPerCount: boolean;
}

/** The part of an increase that makes at most `maximum` items. `record` is the record as it is now. */
export function firstPart(
	increase: Increase,
	record: IDataObject,
	maximum: number,
	{ counter }: Counted,
): Increase {
	// The counter may have gone up since the list was read.
	const total = toCount(record[counter]) ?? increase.total;
	const to = increase.itemPerCount ? Math.min(total, increase.from + maximum) : total;
	return { ...increase, record, total, to };
}

/** The items of an increase: one, or one for each count. */
export function itemsOf(increase: Increase, { idPrefix, singular, counter }: Counted): TriggerItem[] {
	const { id, from, to, total, restarts, noticedAt, itemPerCount } = increase;
	// A `date` would look like that of the scan or click.
	const { date, ...members } = increase.record;
	const record = { ...members, createdDate: date };
	const changes = increase.changes as IDataObject | null;
	const source = `${idPrefix}:${id}${restarts > 0 ? `.${restarts}` : ''}`;
	if (!itemPerCount) {
		const counts = { [`new${capitalized(counter)}`]: to - from, [`previous${capitalized(counter)}`]: from };
		const eventId = `${source}:${counter}:${from + 1}-${to}`;
		return [{ json: { ...record, ...counts, noticedAt, changes, eventId } }];
	}
	return Array.from({ length: to - from }, (_, index) => {
		const number = from + index + 1;
		const ofItem = { [singular]: number, noticedAt, changes: number === total ? changes : null };
		return { json: { ...record, ...ofItem, eventId: `${source}:${singular}:${number}` } };
	});
}
