import type { IDataObject } from 'n8n-workflow';
import { isInternalError, isRateLimited, isRefusal, isTransient } from '../../runtime/errors/errors';
import { capitalized, isRecord, settled, toInteger } from '../../runtime/values';
import type { Collected, TriggerItem, Watch } from '../../runtime/table/event';
import type { Operation, Api } from '../../runtime/table/operation';
import { clock } from '../../runtime/transport/throttle';
import {
	allKnownIn,
	compareRecords,
	distinct,
	isFull,
	MAX_KNOWN_RECORDS,
	NO_KNOWN_RECORDS,
	parseKnown,
	readListCursor,
	toKey,
	withRecords,
	type Identity,
	type KnownRecord,
	type ListCursor,
} from './known-records';
import { readFrom, type ListSnapshot } from './paged-list';
import { changesOf, readStatistics, rememberStatistics, type Changes, type Statistics } from './statistics';

/** What is known: the counter of every record, and the statistics of those that changed last. */
export interface CounterCursor extends ListCursor {
	statistics: Array<[key: string, statistics: Statistics]>;
}

/** An increase of a record's counter. */
interface Increase {
	key: string;
	/** The counter that was emitted before, and the one that is emitted now. */
	from: number;
	to: number;
	/** The service's counter. */
	total: number;
	generation: number;
	fingerprint: string;
	record: IDataObject;
	/** When it was noticed: ISO 8601. */
	noticedAt: string;
	/** The increase by country, referrer and so on; null if it isn't known. */
	changes: Changes | null;
	statistics?: Statistics;
}

export interface CounterOptions {
	list: Operation;
	/** Returns a record with its statistics; left out if they aren't wanted. */
	get?: Operation;
	/** The beginning of its event ids, such as `qr`. */
	name: string;
	/** What is counted, for names such as `newScans`. */
	singular: string;
	plural: string;
	count(record: IDataObject): number;
	identifiers(record: IDataObject): [address: unknown, date: unknown];
	isWatched(record: IDataObject): boolean;
	/** The record as items contain it. */
	present(record: IDataObject): IDataObject;
	/** One item for each count instead of one for each record. */
	itemPerCount: boolean;
}

/** For how many records a first poll reads statistics, to compare their next ones with. */
const WARMED_UP = 20;
/** After this many failures in a row a poll stops. */
const MAX_FAILURES = 3;
/** An increase that takes many polls to emit, if each count is an item. */
const HUGE_INCREASE = 1_000;

/** Watches a list whose records count something. */
export class CounterWatch implements Watch<CounterCursor, ListSnapshot, Increase> {
	private readonly identity: Identity;

	constructor(private readonly options: CounterOptions) {
		const { count, identifiers } = options;
		this.identity = {
			key: (record) => toKey(record.id),
			order: (record) => toInteger(record.id),
			count,
			identifiers,
		};
	}

	read(saved: unknown): CounterCursor | undefined {
		const cursor = readListCursor(saved);
		const statistics = isRecord(saved) ? readStatistics(saved.statistics) : undefined;
		return cursor && statistics && { ...cursor, statistics };
	}

	async snapshot(cursor: CounterCursor | undefined, api: Api): Promise<ListSnapshot> {
		const { list: row, get } = this.options;
		if (cursor && isFull(cursor)) {
			api.hint(`The list is long: only ${MAX_KNOWN_RECORDS} of its records are watched`);
		}
		const requestsNeeded = get && cursor && !cursor.isFirstPass ? this.increaseCounter(cursor) : () => 0;
		return await readFrom(api, { row, requestsNeeded, isComplete: () => false }, cursor?.page ?? 1);
	}

	failure(snapshot: ListSnapshot): unknown {
		return snapshot.failure;
	}

	baseline(snapshot: ListSnapshot, newest: number): CounterCursor {
		if (newest === Infinity) return { ...NO_KNOWN_RECORDS, statistics: [] };
		const all = allKnownIn(this.identity, snapshot);
		const known = parseKnown(all.entries);
		const toEmit = distinct(this.identity, snapshot.records)
			.filter((record) => this.isIncrease(record, undefined))
			.slice(newest > 0 ? -newest : Infinity)
			.map((record) => this.identity.key(record))
			.map((key): [string, KnownRecord] => [
				key,
				{ count: 0, generation: 0, fingerprint: known.get(key)?.fingerprint ?? '' },
			]);
		return { ...withRecords(all, toEmit), statistics: [] };
	}

	/** Reads the statistics of the records with the highest counters, to compare their next ones with. */
	async warmUp(cursor: CounterCursor, snapshot: ListSnapshot, api: Api): Promise<CounterCursor> {
		const { get, count } = this.options;
		if (!get || !snapshot.isAtomic) return cursor;
		const watched = snapshot.records.filter((record) => this.isIncrease(record, undefined));
		const highest = watched.sort((a, b) => count(b) - count(a)).slice(0, WARMED_UP);
		let { statistics } = cursor;
		for (const record of highest) {
			if (!api.hasTime() || api.requestsLeft() <= MAX_FAILURES) break;
			const details = await readDetails(get, record, count, api);
			if ('failure' in details) break;
			if (!details.statistics) continue;
			const key = this.identity.key(record);
			statistics = rememberStatistics(statistics, key, details.statistics, count(details.record));
		}
		return { ...cursor, statistics };
	}

	detect(cursor: CounterCursor, snapshot: ListSnapshot): { events: Increase[]; cursor: CounterCursor } {
		const events: Increase[] = [];
		const unwatched: Array<[string, KnownRecord]> = [];
		let { statistics } = cursor;
		const noticedAt = new Date(clock.now()).toISOString();
		const seen = compareRecords(this.identity, cursor, snapshot, (change, record, known) => {
			const key = this.identity.key(record);
			const total = this.options.count(record);
			if (change === 'lowered' || change === 'replaced') {
				statistics = statistics.filter(([other]) => other !== key);
			}
			if (change === 'same' || change === 'lowered') return;
			const { count: from, generation, fingerprint } = known;
			if (this.isIncrease(record, known)) {
				events.push({
					...{ key, from, to: total, total, generation, fingerprint, record, noticedAt },
					changes: null,
				});
			} else unwatched.push([key, { count: total, generation, fingerprint }]);
		});
		return { events, cursor: { ...withRecords(seen, unwatched), statistics } };
	}

	async collect(
		events: Increase[],
		maximum: number,
		api: Api,
		cursor: CounterCursor,
	): Promise<Collected<Increase>> {
		const { get, count } = this.options;
		const former = new Map(cursor.statistics);
		const collected: Collected<Increase> = { processed: [], emitted: [], items: [] };
		const failures: unknown[] = [];
		for (const event of this.hugeLast(events)) {
			const room = maximum - collected.items.length;
			if (room <= 0 || failures.length >= MAX_FAILURES || (get && !api.hasTime())) break;
			const details = get && (await readDetails(get, event.record, count, api));
			if (details && 'failure' in details) {
				failures.push(details.failure);
				if (isRateLimited(details.failure)) break;
				continue;
			}
			const increase = this.increaseToEmit(event, details, former.get(event.key), room);
			collected.processed.push(increase);
			collected.emitted.push({ ...increase, statistics: undefined });
			for (const item of this.itemsOf(increase)) collected.items.push(item);
		}
		const failure = failures.find((one) => !isRateLimited(one));
		if (collected.items.length > 0) return { ...collected, failure };
		if (failure !== undefined) throw failure as Error;
		return { ...collected, refusal: failures[0] };
	}

	advance(cursor: CounterCursor, processed: Increase[]): CounterCursor {
		const counted = processed.map(({ key, to, generation, fingerprint }): [string, KnownRecord] => [
			key,
			{ count: to, generation, fingerprint },
		]);
		const statistics = processed.reduce(
			(all, { key, statistics: own, to, total }) =>
				own ? rememberStatistics(all, key, own, to < total ? 0 : total) : all,
			cursor.statistics,
		);
		return { ...withRecords(cursor, counted), statistics };
	}

	async restore(emitted: Increase[]): Promise<TriggerItem[]> {
		return emitted.flatMap((increase) => this.itemsOf(increase));
	}

	private isIncrease(record: IDataObject, known: KnownRecord | undefined): boolean {
		return this.options.isWatched(record) && this.options.count(record) > (known?.count ?? 0);
	}

	/** Huge increases come last, as they would delay all others for many polls. */
	private hugeLast(events: Increase[]): Increase[] {
		const isHuge = ({ from, to }: Increase): boolean =>
			this.options.itemPerCount && to - from > HUGE_INCREASE;
		return [...events.filter((event) => !isHuge(event)), ...events.filter(isHuge)];
	}

	/** Counts the increases in a growing list of records: each needs a request for its statistics. */
	private increaseCounter(cursor: CounterCursor): (records: IDataObject[]) => number {
		const known = parseKnown(cursor.entries);
		let checked = 0;
		let increases = 0;
		return (records) => {
			const more = records.slice(checked);
			checked = records.length;
			increases += more.filter((record) =>
				this.isIncrease(record, known.get(this.identity.key(record))),
			).length;
			return increases;
		};
	}

	/** The part of an increase for which there is room. Its last part gets the changes. */
	private increaseToEmit(
		increase: Increase,
		details: Details | undefined,
		former: Statistics | undefined,
		room: number,
	): Increase {
		const { from } = increase;
		const record = details?.record ?? increase.record;
		const total = Math.max(increase.total, this.options.count(record));
		const to = this.options.itemPerCount ? Math.min(total, from + room) : total;
		const part = { ...increase, record, total, to };
		if (!details) return part;
		if (to === total) {
			const { statistics } = details;
			return { ...part, changes: changesOf(statistics, former, from, total), statistics };
		}
		// The changes since count 0 will be known with the last part: empty statistics are what to compare with.
		const isFromZero = !former && from === 0;
		return { ...part, ...(isFromZero && { statistics: {} }) };
	}

	/** The items of an increase: one, or one for each count. */
	private itemsOf({ key, from, to, total, generation, ...increase }: Increase): TriggerItem[] {
		const { name, singular, plural, itemPerCount, present } = this.options;
		const { noticedAt, changes } = increase;
		const record = present(increase.record);
		const id = `${name}:${key}${generation > 0 ? `.${generation}` : ''}`;
		if (!itemPerCount) {
			const counts = { [`new${capitalized(plural)}`]: to - from, [`previous${capitalized(plural)}`]: from };
			const eventId = `${id}:${plural}:${from + 1}-${to}`;
			return [{ json: { ...record, ...counts, noticedAt, changes: changes as IDataObject, eventId } }];
		}
		return Array.from({ length: to - from }, (_, place) => {
			const number = from + place + 1;
			const known = number === total ? (changes as IDataObject) : null;
			const eventId = `${id}:${singular}:${number}`;
			return { json: { ...record, [singular]: number, noticedAt, changes: known, eventId } };
		});
	}
}

interface Details {
	record: IDataObject;
	statistics?: Statistics;
}

/**
 * A record with its current statistics, or why they can't be read now. If the record is gone or the host fails at it,
 * there are none: that must not delay its counts or those of others.
 */
async function readDetails(
	get: Operation,
	record: IDataObject,
	count: CounterOptions['count'],
	api: Api,
): Promise<Details | { failure: unknown }> {
	const id = toInteger(record.id);
	if (id === undefined) return { record };
	const asked = await settled(api.ask(get, { path: { id } }));
	if ('error' in asked) {
		if (isRefusal(asked.error) || isInternalError(asked.error)) return { record };
		if (isTransient(asked.error)) return { failure: asked.error };
		throw asked.error;
	}
	const selected = get.output.schema.coerce(get.output.select(asked.value, {}), asked.value.zone);
	if (!isRecord(selected)) return { record };
	const { statistics, ...details } = selected as IDataObject;
	const now = { ...record, ...details };
	return {
		record: count(now) >= count(record) ? now : record,
		...(isRecord(statistics) && { statistics }),
	};
}
