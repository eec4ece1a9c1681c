import type { IDataObject } from 'n8n-workflow';
import { isInternalError, isRateLimited, isRefusal, isTransient } from '../../runtime/errors/failures';
import { settled } from '../../runtime/promises';
import type { Collected, Item, Watch } from '../../runtime/poll/watch';
import type { Operation, Api } from '../../runtime/table/operation';
import { isRecord, toInteger } from '../../runtime/values';
import {
	allKnown,
	compare,
	distinct,
	isFull,
	know,
	MOST_KNOWN,
	NOTHING_KNOWN,
	parseKnown,
	readListCursor,
	toKey,
	type Identity,
	type Known,
	type ListCursor,
} from './knownRecords';
import { readAround, type ListSnapshot } from './pagedList';
import { changesOf, readFigures, rememberFigures, type Changes, type Figures } from './statistics';

/** What is known: every record's count, and the statistics of those that changed last. */
export interface CounterCursor extends ListCursor {
	figures: Array<[key: string, figures: Figures]>;
}

/** A record that was counted on. */
export interface Counted {
	key: string;
	/** What was counted before, and up to where it was handed over. */
	from: number;
	to: number;
	/** What the service has counted in all. */
	total: number;
	round: number;
	mark: string;
	record: IDataObject;
	/** What changed in the statistics; null if that can't be told. */
	changes?: Changes | null;
	figures?: Figures;
}

export interface CounterOptions {
	list: Operation;
	/** Answers one record with its statistics; left out if those are not wanted. */
	get?: Operation;
	/** What its event ids begin with: `qr`. */
	name: string;
	/** What is counted, as in `newScans`: one, and many. */
	one: string;
	many: string;
	count(record: IDataObject): number;
	mark(record: IDataObject): [address: unknown, date: unknown];
	/** Which records are watched. */
	isWatched(record: IDataObject): boolean;
	/** One item for each count, not for each record. */
	itemPerCount: boolean;
}

/** How many records' statistics a first poll asks for, so that their next changes can be told. */
const PRIMED = 20;
/** After so many failures in a row the service is given a rest. */
const MOST_FAILURES = 3;

/** More counts of one record than any poll can hand over. */
const HUGE = 1_000;

/** Watches a list whose records count something. */
export class CounterWatch implements Watch<CounterCursor, ListSnapshot, Counted> {
	private readonly identity: Identity;

	constructor(private readonly options: CounterOptions) {
		const { count, mark } = options;
		this.identity = {
			key: (record) => toKey(record.id),
			order: (record) => toInteger(record.id),
			count,
			mark,
		};
	}

	read(saved: unknown): CounterCursor | undefined {
		const cursor = readListCursor(saved);
		const figures = isRecord(saved) ? readFigures(saved.figures) : undefined;
		return cursor && figures && { ...cursor, figures };
	}

	async snapshot(cursor: CounterCursor | undefined, api: Api): Promise<ListSnapshot> {
		const { list: row, get } = this.options;
		if (cursor && isFull(cursor)) api.hint(`The list is long: ${MOST_KNOWN} of its records are watched`);
		const requestsFor = get && cursor && !cursor.isBeginning ? this.countingNews(cursor) : () => 0;
		return await readAround(api, { row, requestsFor, isEnough: () => false }, cursor?.page ?? 1);
	}

	failure(snapshot: ListSnapshot): unknown {
		return snapshot.failure;
	}

	baseline(snapshot: ListSnapshot, newest: number): CounterCursor {
		if (newest === Infinity) return { ...NOTHING_KNOWN, figures: [] };
		const all = allKnown(this.identity, snapshot);
		const known = parseKnown(all.entries);
		const left = distinct(this.identity, snapshot.records)
			.filter((record) => this.isNews(record, undefined))
			.slice(newest > 0 ? -newest : Infinity)
			.map((record) => this.identity.key(record))
			.map((key): [string, Known] => [key, { count: 0, round: 0, mark: known.get(key)?.mark ?? '' }]);
		return { ...know(all, left), figures: [] };
	}

	/** Asks for the statistics of the records that counted most: their next changes can then be told. */
	async prime(cursor: CounterCursor, snapshot: ListSnapshot, api: Api): Promise<CounterCursor> {
		const { get, count } = this.options;
		if (!get || !snapshot.isAtomic) return cursor;
		const watched = snapshot.records.filter((record) => this.isNews(record, undefined));
		const most = watched.sort((a, b) => count(b) - count(a)).slice(0, PRIMED);
		let { figures } = cursor;
		for (const record of most) {
			if (!api.hasTime() || api.left() <= MOST_FAILURES) break;
			const closer = await closerLook(get, record, count, api);
			if ('failure' in closer) break;
			if (!closer.figures) continue;
			figures = rememberFigures(figures, this.identity.key(record), closer.figures, count(closer.record));
		}
		return { ...cursor, figures };
	}

	detect(cursor: CounterCursor, snapshot: ListSnapshot): { events: Counted[]; cursor: CounterCursor } {
		const events: Counted[] = [];
		const unwatched: Array<[string, Known]> = [];
		let { figures } = cursor;
		const seen = compare(this.identity, cursor, snapshot, (change, record, known) => {
			const key = this.identity.key(record);
			const total = this.options.count(record);
			if (change === 'lowered' || change === 'replaced') figures = figures.filter(([other]) => other !== key);
			if (change === 'same' || change === 'lowered') return;
			const { round, mark } = known;
			if (this.isNews(record, known))
				events.push({ key, from: known.count, to: total, total, round, mark, record });
			else unwatched.push([key, { count: total, round, mark }]);
		});
		return { events, cursor: { ...know(seen, unwatched), figures } };
	}

	async collect(
		events: Counted[],
		maximum: number,
		api: Api,
		cursor: CounterCursor,
	): Promise<Collected<Counted>> {
		const { get, count } = this.options;
		const former = new Map(cursor.figures);
		const collected: Collected<Counted> = { processed: [], handedOver: [], items: [] };
		const failures: unknown[] = [];
		for (const event of this.hugeLast(events)) {
			const room = maximum - collected.items.length;
			if (room <= 0 || failures.length >= MOST_FAILURES || (get && !api.hasTime())) break;
			const closer = get && (await closerLook(get, event.record, count, api));
			if (closer && 'failure' in closer) {
				failures.push(closer.failure);
				if (isRateLimited(closer.failure)) break;
				continue;
			}
			const counted = countedOn(this.options, event, closer, former.get(event.key), room);
			collected.processed.push(counted);
			collected.handedOver.push({ ...counted, figures: undefined });
			collected.items.push(...itemsOf(this.options, counted));
		}
		const failure = failures.find((one) => !isRateLimited(one));
		if (failure !== undefined && collected.items.length === 0) throw failure as Error;
		return collected;
	}

	advance(cursor: CounterCursor, processed: Counted[]): CounterCursor {
		const counted = processed.map(({ key, to, round, mark }): [string, Known] => [
			key,
			{ count: to, round, mark },
		]);
		const figures = processed.reduce(
			(all, { key, figures: own, to, total }) =>
				own ? rememberFigures(all, key, own, to < total ? 0 : total) : all,
			cursor.figures,
		);
		return { ...know(cursor, counted), figures };
	}

	async restore(handedOver: Counted[]): Promise<Item[]> {
		return handedOver.flatMap((event) => itemsOf(this.options, event));
	}

	private isNews(record: IDataObject, known: Known | undefined): boolean {
		return this.options.isWatched(record) && this.options.count(record) > (known?.count ?? 0);
	}

	/** A record that was counted on so often that it takes many polls to tell comes last: it must not hold up the others. */
	private hugeLast(events: Counted[]): Counted[] {
		const isHuge = ({ from, to }: Counted): boolean => this.options.itemPerCount && to - from > HUGE;
		return [...events.filter((event) => !isHuge(event)), ...events.filter(isHuge)];
	}

	/** Counts the news among more and more records: each needs a request for its statistics. */
	private countingNews(cursor: CounterCursor): (records: IDataObject[]) => number {
		const known = parseKnown(cursor.entries);
		let looked = 0;
		let news = 0;
		return (records) => {
			const more = records.slice(looked);
			looked = records.length;
			news += more.filter((record) => this.isNews(record, known.get(this.identity.key(record)))).length;
			return news;
		};
	}
}

interface Closer {
	record: IDataObject;
	figures?: Figures;
}

/** A record with its statistics as they are now; or why they can't be had now. One that is gone has none, nor one at which the service fails. */
async function closerLook(
	get: Operation,
	record: IDataObject,
	count: CounterOptions['count'],
	api: Api,
): Promise<Closer | { failure: unknown }> {
	const id = toInteger(record.id);
	if (id === undefined) return { record };
	const asked = await settled(api.ask(get, { path: { id } }));
	if ('error' in asked) {
		// A host that fails at one record's statistics, and goes on to, must not hold up its counts or those of others.
		if (isRefusal(asked.error) || isInternalError(asked.error)) return { record };
		if (isTransient(asked.error)) return { failure: asked.error };
		throw asked.error;
	}
	const picked = get.output.kind.tidy(get.output.pick(asked.value, {}), asked.value.zone);
	if (!isRecord(picked)) return { record };
	const { statistics, ...details } = picked as IDataObject;
	const now = { ...record, ...details };
	return {
		record: count(now) >= count(record) ? now : record,
		...(isRecord(statistics) && { figures: statistics }),
	};
}

/** What of an event is handed over: its counts as far as there is room, and with the last of them what changed. */
function countedOn(
	options: CounterOptions,
	event: Counted,
	closer: Closer | undefined,
	former: Figures | undefined,
	room: number,
): Counted {
	const record = closer?.record ?? event.record;
	const total = Math.max(event.total, options.count(record));
	const to = options.itemPerCount ? Math.min(total, event.from + room) : total;
	if (!closer) return { ...event, record, total, to };
	if (to < total) {
		// What changed is told with the last of them, since nothing was counted: remember that.
		const isFirst = !former && event.from === 0;
		return { ...event, record, total, to, ...(isFirst && { figures: {} }) };
	}
	const { figures } = closer;
	return { ...event, record, total, to, changes: changesOf(figures, former, event.from, total), figures };
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The items of an event: one, or one for each count. */
function itemsOf(
	{ name, one, many, itemPerCount }: CounterOptions,
	{ key, from, to, total, round, record, changes }: Counted,
): Item[] {
	const id = `${name}:${key}${round > 0 ? `.${round}` : ''}`;
	const changed = changes !== undefined && { changes: changes as IDataObject | null };
	if (!itemPerCount) {
		const news = { [`new${capitalized(many)}`]: to - from, [`previous${capitalized(many)}`]: from };
		return [{ json: { ...record, ...news, ...changed, eventId: `${id}:${many}:${from + 1}-${to}` } }];
	}
	return Array.from({ length: to - from }, (_, place) => {
		const number = from + place + 1;
		return {
			json: {
				...record,
				[one]: number,
				...(number === total && changed),
				eventId: `${id}:${one}:${number}`,
			},
		};
	});
}
