import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { clock } from '../../runtime/clock';
import { classOf } from '../../runtime/errors/errors';
import type { Found, Sample, TriggerItem, Watch } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { isBlank, quoted } from '../../runtime/values';
import { toCount } from '../statistics';
import { firstPart, itemsOf, type Counted, type Increase } from './increase';
import { idOf, orderOf, readInPoll, RESERVE, withIds, type PagesRead } from './reading';
import { changesOf, notePart, readDetails, rememberStatistics, type Remembered } from './statistics';

/**
 * What a trigger knows of a list whose records have a counter.
 *
 *     first pass            unknown records are old, unless their id is higher than `highest`
 *     ├──────────────────►
 *     p. 1  p. 2  p. 3     │ p. 1  p. 2 …      a count that is higher than the known one ──► increase ──► item
 *
 * A long list takes several polls, which read it page by page and then start again. A count becomes known when its increase
 * is emitted, so no increase is lost if a poll stops before that.
 */
export interface CounterCursor {
	/** The known counts: `id:count`, or `id:count:restarts` if the counter went down, joined by `;`. */
	counts: string;
	/** The ids of increases that were found but not emitted yet. What waited longest is first. */
	waiting: number[];
	/** The page at which the next poll continues. It also reads the page before, in case entries moved there. */
	page: number;
	/** The highest id at the start of the first pass; null until its end if the newest records are not first. */
	highest: number | null;
	statistics: Remembered;
}

interface Known {
	count: number;
	restarts: number;
}

interface CounterSnapshot extends Pick<PagesRead, 'records' | 'failure'> {
	highest: number | null;
	/** 1 if the whole list was read. */
	nextPage: number;
}

export interface CounterOptions extends Counted {
	list: Operation;
	/** The operation that returns a record with its statistics; left out if statistics are not needed. */
	get?: Operation;
	isWatched(record: IDataObject): boolean;
}

/** A first poll reads the statistics of this many records: the next statistics are compared with them. */
const MAX_FIRST_STATISTICS = 20;
/** A poll stops after this many failed requests for details. */
const MAX_FAILURES = 3;

const NOTHING_KNOWN: CounterCursor = { counts: '', waiting: [], page: 1, highest: 0, statistics: [] };

export class CounterWatch implements Watch<CounterCursor, CounterSnapshot, Increase> {
	constructor(private readonly options: CounterOptions) {}

	async snapshot(cursor: CounterCursor | undefined, api: Api, emitCount: number): Promise<CounterSnapshot> {
		const { list: row, get } = this.options;
		const known = cursor && get && parsed(cursor.counts);
		const requestsFor = (entries: IDataObject[]): number =>
			known ? this.compare(cursor, known, entries).increases.size : 0;
		const first = Math.max((cursor?.page ?? 1) - 1, 1);
		const read = await readInPoll(api, { row, first, requestsFor });
		const records = withIds(read.records, row, api);
		this.reportUnreadable(records, api);
		if (emitCount === Infinity && read.more) {
			api.hint(
				'The list is too long for one poll: what exists is emitted page by page, as far as it was read',
			);
		}
		return {
			records,
			failure: read.failure,
			highest: read.more && orderOf(read.entries) !== 'falling' ? null : highestOf(records.map(idOf)),
			nextPage: read.more ? read.last + 1 : 1,
		};
	}

	async baseline(snapshot: CounterSnapshot, emitCount: number, api: Api): Promise<CounterCursor> {
		const cursor = this.countsOf(snapshot, emitCount);
		return { ...cursor, statistics: await this.firstStatistics(cursor, snapshot, emitCount, api) };
	}

	/** Needs no statistics, unlike a baseline. */
	async sample(snapshot: CounterSnapshot, count: number, api: Api): Promise<Sample> {
		return await this.next(this.countsOf(snapshot, count), snapshot, count, api);
	}

	/** The counts of a snapshot without the last `emitCount` items. */
	private countsOf({ records, highest, nextPage: page }: CounterSnapshot, emitCount: number): CounterCursor {
		if (emitCount === Infinity) return NOTHING_KNOWN;
		const known = new Map<number, Known>();
		let left = emitCount;
		for (const record of [...records].reverse()) {
			const count = this.countOf(record);
			if (count === undefined) continue;
			const room = this.options.isWatched(record) ? left : 0;
			const items = Math.min(this.options.itemPerCount ? count : Math.min(count, 1), room);
			const emitted = this.options.itemPerCount ? items : items * count;
			known.set(idOf(record), { count: count - emitted, restarts: 0 });
			left -= items;
		}
		return { ...NOTHING_KNOWN, counts: serialized(known), page, highest };
	}

	/** The statistics of the known records with the highest counters: their next statistics are compared with these. */
	private async firstStatistics(
		cursor: CounterCursor,
		{ records }: CounterSnapshot,
		emitCount: number,
		api: Api,
	): Promise<Remembered> {
		const { get, isWatched, counter } = this.options;
		if (!get) return [];
		const known = parsed(cursor.counts);
		const counted = records.filter((record) => (known.get(idOf(record))?.count ?? 0) > 0);
		const watched = counted.filter(isWatched);
		const highestFirst = watched.sort((a, b) => (this.countOf(b) ?? 0) - (this.countOf(a) ?? 0));
		let statistics: Remembered = [];
		for (const record of highestFirst.slice(0, MAX_FIRST_STATISTICS)) {
			// The items of this poll need requests, too.
			if (!api.hasTime() || api.requestsLeft <= RESERVE + emitCount) break;
			const details = await readDetails(get, record, counter, api);
			if ('failure' in details) break;
			const count = this.countOf(details.record) ?? 0;
			if (!details.statistics || count !== known.get(idOf(record))?.count) continue;
			statistics = rememberStatistics(statistics, idOf(record), details.statistics, count);
		}
		return statistics;
	}

	async next(
		cursor: CounterCursor,
		snapshot: CounterSnapshot,
		maximum: number,
		api: Api,
	): Promise<Found<CounterCursor, Increase>> {
		const before = parsed(cursor.counts);
		const { counts, increases } = this.compare(cursor, before, snapshot.records);
		const known = new Map([...before, ...counts]);
		// Statistics from before a counter went down say nothing about the counts after it.
		const comparable = cursor.statistics.filter(
			([id]) => known.get(id)?.restarts === before.get(id)?.restarts,
		);
		// The changes of an item for a record must not contain scans that were emitted one by one before it.
		const usable = comparable.filter(([, { upTo }]) => this.options.itemPerCount || upTo === undefined);
		const read = new Set(snapshot.records.map(idOf));
		const stillWaiting = cursor.waiting.filter((id) => increases.has(id) || !read.has(id));
		const waiting = new Set([...stillWaiting, ...increases.keys()]);
		const found = [...waiting].flatMap((id) => increases.get(id) ?? []);
		const collected = await this.collect(found, usable, maximum, api);
		for (const { id, to, total, restarts } of collected.emitted) {
			known.set(id, { count: to, restarts });
			waiting.delete(id);
			// What was emitted in part waits behind all others.
			if (to < total) waiting.add(id);
		}
		return {
			items: collected.emitted.flatMap((increase) => itemsOf(increase, this.options)),
			emitted: collected.emitted,
			cursor: {
				counts: serialized(known),
				waiting: [...waiting],
				page: snapshot.nextPage,
				highest: cursor.highest ?? (snapshot.nextPage === 1 ? highestOf([...known.keys()]) : null),
				statistics: collected.statistics,
			},
			failure: collected.failure ?? snapshot.failure,
		};
	}

	/** The increases of these records and the counts known of them, by id. An increase is not known yet. */
	private compare(
		cursor: CounterCursor,
		known: ReadonlyMap<number, Known>,
		records: IDataObject[],
	): { counts: Map<number, Known>; increases: Map<number, Increase> } {
		const counts = new Map<number, Known>();
		const increases = new Map<number, Increase>();
		const noticedAt = new Date(clock.now()).toISOString();
		for (const record of records) {
			const [id, total] = [idOf(record), this.countOf(record)];
			if (total === undefined) continue;
			const isOld = cursor.highest === null || id <= cursor.highest;
			const last = known.get(id) ?? { count: isOld ? total : 0, restarts: 0 };
			if (total > last.count && this.options.isWatched(record)) {
				const { count: from, restarts } = last;
				const increase = { id, from, to: total, total, restarts, record, noticedAt, changes: null };
				increases.set(id, { ...increase, itemPerCount: this.options.itemPerCount });
				counts.set(id, last);
			} else {
				counts.set(id, { count: total, restarts: last.restarts + (total < last.count ? 1 : 0) });
			}
		}
		return { counts, increases };
	}

	/** Requests the changes since `remembered`, until these make `maximum` items, or time or the rate limit runs out. */
	private async collect(
		increases: Increase[],
		remembered: Remembered,
		maximum: number,
		api: Api,
	): Promise<{ emitted: Increase[]; statistics: Remembered; failure?: unknown }> {
		const { get, counter, itemPerCount } = this.options;
		const emitted: Increase[] = [];
		const failures: unknown[] = [];
		const known = new Map(remembered);
		let statistics = remembered;
		let room = maximum;
		for (const increase of increases) {
			if (room <= 0 || failures.length >= MAX_FAILURES || (get && !api.hasTime())) break;
			const { id, from, record } = increase;
			const details = get ? await readDetails(get, record, counter, api) : { record };
			if ('failure' in details) {
				failures.push(details.failure);
				if (classOf(details.failure) === 'rateLimited') break;
				continue;
			}
			const part = firstPart(increase, details.record, room, this.options);
			const { to, total } = part;
			room -= itemPerCount ? to - from : 1;
			if (to < total) {
				emitted.push(part);
				statistics = notePart(statistics, id, from, to);
				continue;
			}
			const changes = changesOf(details.statistics, known.get(id), from, total);
			emitted.push({ ...part, changes });
			if (details.statistics) statistics = rememberStatistics(statistics, id, details.statistics, total);
		}
		return { emitted, statistics, failure: failures[0] };
	}

	async restore(emitted: Increase[]): Promise<TriggerItem[]> {
		return emitted.flatMap((increase) => itemsOf(increase, this.options));
	}

	/** A record's counter; undefined if the record lacks it or if it can't be read. */
	private countOf(record: IDataObject): number | undefined {
		return toCount(record[this.options.counter]);
	}

	/** Says which counters can't be read. A record without one may only lack it in this response. */
	private reportUnreadable(records: IDataObject[], api: Api): void {
		const { counter } = this.options;
		const odd = records.filter((record) => !isBlank(record[counter]) && this.countOf(record) === undefined);
		const [example] = odd;
		if (example) {
			const text = quoted(example[counter]);
			api.hint(`Records not watched because ${counter} can't be read, such as ${text}: ${odd.length}`);
		}
	}
}

const highestOf = (ids: number[]): number => ids.reduce((highest, id) => (id > highest ? id : highest), 0);

function parsed(counts: string): Map<number, Known> {
	const entries = counts === '' ? [] : counts.split(';').map((entry) => entry.split(':').map(Number));
	return new Map(entries.map(([id = 0, count = 0, restarts = 0]) => [id, { count, restarts }]));
}

const serialized = (known: Map<number, Known>): string =>
	[...known]
		.map(([id, { count, restarts }]) => `${id}:${count}${restarts > 0 ? `:${restarts}` : ''}`)
		.join(';');
