import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { classOf } from '../../runtime/errors/errors';
import type { Collected, TriggerItem, Watch } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { clock } from '../../runtime/clock';
import { isRecord, toInteger } from '../../runtime/values';
import { detailedPartOf, itemsOf, partOf, type Increase, type IncreaseFormat } from './increases';
import {
	allKnownIn,
	compareRecords,
	distinct,
	isFull,
	MAX_KNOWN_RECORDS,
	NO_KNOWN_RECORDS,
	parseKnown,
	parseListCursor,
	toKey,
	withRecords,
	type Identity,
	type KnownRecord,
	type ListCursor,
	type RecordChange,
} from './known-records';
import { readFrom, RESERVE, type ListSnapshot } from './paged-list';
import { readDetails } from './record-details';
import { parseStatistics, rememberStatistics, type Statistics } from './statistics';

/**
 * What a trigger knows: the counter of every record (`entries`), and the statistics of the records that changed last.
 *
 *     list of records ── counter is higher than the known one ──► increase ── details ──► item
 *                        unwatched, or not higher: known              statistics are compared with the known ones
 *
 * A counter becomes known only when its increase is emitted: so no increase is lost if a poll stops before that.
 */
export interface CounterCursor extends ListCursor {
	statistics: Array<[key: string, statistics: Statistics]>;
}

export interface CounterOptions extends IncreaseFormat {
	list: Operation;
	/** The operation that returns a record with its statistics; left out if statistics are not needed. */
	get?: Operation;
	count(record: IDataObject): number;
	identifiers(record: IDataObject): [address: unknown, date: unknown];
	isWatched(record: IDataObject): boolean;
}

/** A first poll reads the statistics of this many records: the next statistics are compared with them. */
const MAX_WARM_UP_RECORDS = 20;
/** A poll stops after this many failed requests for details. */
const MAX_FAILURES = 3;
/** If each count is an item, a larger increase needs many polls. */
const HUGE_INCREASE = 1_000;

/** Watches a list whose records have a counter. */
export class CounterWatch implements Watch<CounterCursor, ListSnapshot, Increase> {
	private readonly identity: Identity;

	constructor(private readonly options: CounterOptions) {
		const { count, identifiers } = options;
		this.identity = {
			key: (record) => toKey(record.id),
			increasingId: (record) => toInteger(record.id),
			count,
			identifiers,
		};
	}

	parseCursor(saved: unknown): CounterCursor | undefined {
		const cursor = parseListCursor(saved);
		const statistics = isRecord(saved) ? parseStatistics(saved.statistics) : undefined;
		return cursor && statistics && { ...cursor, statistics };
	}

	async snapshot(cursor: CounterCursor | undefined, api: Api): Promise<ListSnapshot> {
		const { list: row, get } = this.options;
		if (cursor && isFull(cursor)) {
			api.hint(`The list is long: only ${MAX_KNOWN_RECORDS} of its records are watched`);
		}
		const needsDetails = get && cursor && !cursor.isFirstPass;
		const requestsFor = needsDetails ? this.requestsForDetails(cursor) : () => 0;
		return await readFrom(api, { row, requestsFor, isComplete: () => false }, cursor?.page ?? 1);
	}

	/** Counts the increases among records: each of them takes a request for details. */
	private requestsForDetails({ entries }: CounterCursor): (records: IDataObject[]) => number {
		const known = parseKnown(entries);
		return (records) =>
			records.filter((record) => this.isIncrease(record, known.get(this.identity.key(record)))).length;
	}

	failure(snapshot: ListSnapshot): unknown {
		return snapshot.failure;
	}

	baseline(snapshot: ListSnapshot, emitCount: number): CounterCursor {
		if (emitCount === Infinity) return { ...NO_KNOWN_RECORDS, statistics: [] };
		const all = allKnownIn(this.identity, snapshot);
		const known = parseKnown(all.entries);
		const toEmit = distinct(this.identity, snapshot.records)
			.filter((record) => this.isIncrease(record, undefined))
			.slice(emitCount > 0 ? -emitCount : Infinity)
			.map((record) => this.identity.key(record))
			.map((key): [string, KnownRecord] => [
				key,
				{ count: 0, generation: 0, fingerprint: known.get(key)?.fingerprint ?? '' },
			]);
		return { ...withRecords(all, toEmit), statistics: [] };
	}

	/** Reads the statistics of the records with the highest counters: their next statistics are compared with these. */
	async warmUp(cursor: CounterCursor, snapshot: ListSnapshot, api: Api): Promise<CounterCursor> {
		const { get, count } = this.options;
		if (!get || !snapshot.isAtomic) return cursor;
		const watched = snapshot.records.filter((record) => this.isIncrease(record, undefined));
		const highest = watched.sort((a, b) => count(b) - count(a)).slice(0, MAX_WARM_UP_RECORDS);
		let { statistics } = cursor;
		for (const record of highest) {
			if (!api.hasTime() || api.requestsLeft() <= RESERVE) break;
			const details = await readDetails(get, record, count, api);
			if ('failure' in details) break;
			if (!details.statistics) continue;
			const key = this.identity.key(record);
			statistics = rememberStatistics(statistics, key, details.statistics, count(details.record));
		}
		return { ...cursor, statistics };
	}

	detect(cursor: CounterCursor, snapshot: ListSnapshot): { events: Increase[]; cursor: CounterCursor } {
		const { changes, cursor: seen } = compareRecords(this.identity, cursor, snapshot);
		const isRestart = ({ kind }: RecordChange): boolean => kind === 'lowered' || kind === 'replaced';
		const restarted = new Set(changes.filter(isRestart).map(({ key }) => key));
		const statistics = cursor.statistics.filter(([key]) => !restarted.has(key));
		const risen = changes.filter(({ kind }) => kind !== 'lowered');
		const noticedAt = new Date(clock.now()).toISOString();
		const events = risen
			.filter(({ record, base }) => this.isIncrease(record, base))
			.map((change) => this.increaseOf(change, noticedAt));
		// Records that are not watched become known without an event.
		const unwatched = risen
			.filter(({ record, base }) => !this.isIncrease(record, base))
			.map(({ key, record, base }): [string, KnownRecord] => [
				key,
				{ ...base, count: this.options.count(record) },
			]);
		return { events, cursor: { ...withRecords(seen, unwatched), statistics } };
	}

	async collect(
		events: Increase[],
		maximum: number,
		api: Api,
		cursor: CounterCursor,
	): Promise<Collected<Increase>> {
		const { get, count } = this.options;
		const previous = new Map(cursor.statistics);
		const collected: Collected<Increase> = { processed: [], emitted: [], items: [] };
		const failures: unknown[] = [];
		for (const event of this.hugeLast(events)) {
			const room = maximum - collected.items.length;
			if (room <= 0 || failures.length >= MAX_FAILURES || (get && !api.hasTime())) break;
			const details = get && (await readDetails(get, event.record, count, api));
			if (details && 'failure' in details) {
				failures.push(details.failure);
				if (classOf(details.failure) === 'rateLimited') break;
				continue;
			}
			const maximumCounts = this.options.itemPerCount ? room : Infinity;
			const increase = details
				? detailedPartOf(event, details, previous.get(event.key), count, maximumCounts)
				: partOf(event, maximumCounts);
			collected.processed.push(increase);
			collected.emitted.push({ ...increase, statistics: undefined });
			for (const item of itemsOf(increase, this.options)) collected.items.push(item);
		}
		const [refusal] = failures;
		const failure = failures.find((error) => classOf(error) !== 'rateLimited');
		if (collected.items.length > 0) return { ...collected, failure };
		if (failure !== undefined) throw failure as Error;
		return { ...collected, refusal };
	}

	advance(cursor: CounterCursor, processed: Increase[]): CounterCursor {
		const counted = processed.map(({ key, to, generation, fingerprint }): [string, KnownRecord] => [
			key,
			{ count: to, generation, fingerprint },
		]);
		const statistics = processed.reduce(
			(remembered, { key, statistics: current, to, total }) =>
				current ? rememberStatistics(remembered, key, current, to < total ? 0 : total) : remembered,
			cursor.statistics,
		);
		return { ...withRecords(cursor, counted), statistics };
	}

	async restore(emitted: Increase[]): Promise<TriggerItem[]> {
		return emitted.flatMap((increase) => itemsOf(increase, this.options));
	}

	private increaseOf({ key, record, base }: RecordChange, noticedAt: string): Increase {
		const { count: from, generation, fingerprint } = base;
		const total = this.options.count(record);
		return { key, from, to: total, total, generation, fingerprint, record, noticedAt, changes: null };
	}

	private isIncrease(record: IDataObject, known: KnownRecord | undefined): boolean {
		return this.options.isWatched(record) && this.options.count(record) > (known?.count ?? 0);
	}

	/** Huge increases come last: otherwise they would delay all others for many polls. */
	private hugeLast(events: Increase[]): Increase[] {
		const isHuge = ({ from, to }: Increase): boolean =>
			this.options.itemPerCount && to - from > HUGE_INCREASE;
		return [...events.filter((event) => !isHuge(event)), ...events.filter(isHuge)];
	}
}
