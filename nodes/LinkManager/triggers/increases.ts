import type { IDataObject } from 'n8n-workflow';
import type { TriggerItem } from '../../runtime/table/event';
import { capitalized } from '../../runtime/values';
import type { RecordDetails } from './record-details';
import { changesOf, type Changes, type Statistics } from './statistics';

/**
 * An increase of a record's counter. If each count is an item, a poll may have no room for all of them: it emits the
 * part up to `to`, and the next poll continues there.
 *
 *     0 ─────────── from ─────────────── to ───────────── total
 *       emitted before     emitted now      emitted later
 */
export interface Increase {
	key: string;
	from: number;
	to: number;
	/** The service's counter. */
	total: number;
	generation: number;
	fingerprint: string;
	record: IDataObject;
	/** When the increase was noticed: ISO 8601. */
	noticedAt: string;
	/** By how much each country, referrer and so on increased; null if unknown. */
	changes: Changes | null;
	/** The record's statistics now, with which those of the next increase are compared. */
	statistics?: Statistics;
}

export interface IncreaseFormat {
	/** The beginning of the event ids, such as `qr`. */
	idPrefix: string;
	/** What is counted, for names such as `newScans`. */
	singular: string;
	plural: string;
	/** One item for each count instead of one for each record. */
	itemPerCount: boolean;
	/** The record as items contain it. */
	present(record: IDataObject): IDataObject;
}

/** The first part of an increase, with at most `maximum` counts. */
export const partOf = (increase: Increase, maximum: number): Increase => ({
	...increase,
	to: Math.min(increase.total, increase.from + maximum),
});

/** The first part of an increase, with the details of its record. Only the last part has the changes of the statistics. */
export function detailedPartOf(
	increase: Increase,
	{ record, statistics }: RecordDetails,
	previous: Statistics | undefined,
	count: (record: IDataObject) => number,
	maximum: number,
): Increase {
	// The counter may have gone up since the list was read.
	const total = Math.max(increase.total, count(record));
	const part = partOf({ ...increase, record, total }, maximum);
	const { from, to } = part;
	if (to === total) return { ...part, changes: changesOf(statistics, previous, from, total), statistics };
	// Later, the last part is compared with the previous statistics. If the counter began at 0, those were empty.
	return { ...part, ...(!previous && from === 0 && { statistics: {} }) };
}

/** The items of an increase: one, or one for each count. */
export function itemsOf(increase: Increase, format: IncreaseFormat): TriggerItem[] {
	const { key, from, to, total, generation, noticedAt } = increase;
	const { idPrefix, singular, plural, itemPerCount } = format;
	const record = format.present(increase.record);
	const changes = increase.changes as IDataObject | null;
	const id = `${idPrefix}:${key}${generation > 0 ? `.${generation}` : ''}`;
	if (!itemPerCount) {
		const counts = { [`new${capitalized(plural)}`]: to - from, [`previous${capitalized(plural)}`]: from };
		const eventId = `${id}:${plural}:${from + 1}-${to}`;
		return [{ json: { ...record, ...counts, noticedAt, changes, eventId } }];
	}
	return Array.from({ length: to - from }, (_, index) => {
		const number = from + index + 1;
		const eventId = `${id}:${singular}:${number}`;
		return {
			json: { ...record, [singular]: number, noticedAt, changes: number === total ? changes : null, eventId },
		};
	});
}
