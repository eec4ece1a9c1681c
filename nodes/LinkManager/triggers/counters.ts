import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../runtime/table/operation';
import { toInteger, isRecord } from '../../runtime/values';
import { isPassing, isRateLimit, isRefusal, outcomeOf } from '../../runtime/poll/failures';
import { surveyPages, type PagedSurvey } from './pagedList';
import {
	beginRoster,
	compareRoster,
	distinct,
	learn,
	NO_ROSTER,
	parseRoster,
	readRosterMarks,
	type Identity,
	type Known,
	type RosterMarks,
} from './knownRecords';
import { changesOf, readFigures, rememberFigures, type Changes, type Figures } from './statistics';
import type { Item, Source, Taken, Watch } from '../../runtime/poll/watch';

/** What is remembered: every entry's count, and the statistics of those that changed last. */
export interface CounterMarks extends RosterMarks {
	figures: Array<[key: string, figures: Figures]>;
}

/** An entry that was counted on. */
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
	/** One item for each count, not for each entry. */
	isEach: boolean;
}

type CounterWatch = Watch<CounterMarks, PagedSurvey, Counted>;

/** How many entries' statistics a first poll asks for, so that their next changes can be told. */
const PRIMED = 20;
/** After so many failures in a row the service is given a rest. */
const MOST_FAILURES = 3;

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Watches a list whose records count something. */
export function counters(options: CounterOptions): CounterWatch {
	const { list, get, count, isWatched } = options;
	const identity: Identity = {
		key: (record) => String(record.id),
		order: (record) => toInteger(record.id),
		count,
		mark: options.mark,
	};
	const isNews = (record: IDataObject, known: Known | undefined): boolean =>
		isWatched(record) && count(record) > (known?.count ?? 0);

	return {
		read: (saved) => {
			const roster = readRosterMarks(saved);
			const figures = isRecord(saved) ? readFigures(saved.figures) : undefined;
			return roster && figures && { ...roster, figures };
		},
		survey: async (marks, source) => {
			const roster = marks && parseRoster(marks.entries);
			let read = 0;
			let changes = 0;
			const changed = (records: IDataObject[]): number => {
				const fresh = records
					.slice(read)
					.filter((record) => isNews(record, roster?.get(identity.key(record))));
				read = records.length;
				return (changes += fresh.length);
			};
			const wanted = get && roster && !marks.isBeginning ? changed : () => 0;
			return await surveyPages(source, { row: list, wanted, isEnough: () => false }, marks?.page ?? 1);
		},
		fault: (survey) => survey.fault,
		baseline: (survey, spare) => {
			if (spare === Infinity) return { ...NO_ROSTER, figures: [] };
			const begun = beginRoster(identity, survey);
			const newest = distinct(identity, survey.records)
				.filter((record) => isNews(record, undefined))
				.slice(spare > 0 ? -spare : Infinity)
				.map((record): [string, Known] => [
					identity.key(record),
					{ count: 0, round: 0, mark: parseRoster(begun.entries).get(identity.key(record))?.mark ?? '' },
				]);
			return { ...learn(begun, newest), figures: [] };
		},
		prime: async (marks, survey, source) => {
			if (!get || !survey.isAtomic) return marks;
			const watched = survey.records.filter((record) => isNews(record, undefined));
			const most = watched.sort((a, b) => count(b) - count(a)).slice(0, PRIMED);
			let { figures } = marks;
			for (const record of most) {
				if (!source.hasTime() || source.left() <= MOST_FAILURES) break;
				const closer = await closerLook(get, record, count, source);
				if ('figures' in closer && closer.figures) {
					figures = rememberFigures(figures, identity.key(record), closer.figures, count(closer.record));
				}
				if ('fault' in closer) break;
			}
			return { ...marks, figures };
		},
		detect: (marks, survey) => {
			const events: Counted[] = [];
			const quiet: Array<[string, Known]> = [];
			let { figures } = marks;
			const roster = compareRoster(identity, marks, survey, (change, record, known) => {
				const key = identity.key(record);
				const total = count(record);
				if (change === 'lowered' || change === 'replaced')
					figures = figures.filter(([other]) => other !== key);
				if (change === 'same' || change === 'lowered') return;
				const { round, mark } = known;
				if (isNews(record, known))
					events.push({ key, from: known.count, to: total, total, round, mark, record });
				else quiet.push([key, { count: total, round, mark }]);
			});
			return {
				events,
				marks: { ...learn(roster, quiet), page: roster.page, isBeginning: roster.isBeginning, figures },
			};
		},
		take: async (events, maximum, source, marks) =>
			await takeCounted(options, events, maximum, source, marks),
		advance: (marks, done) => {
			const learnt = done.map(({ key, to, round, mark }): [string, Known] => [
				key,
				{ count: to, round, mark },
			]);
			const figures = done.reduce(
				(all, { key, figures: own, to, total }) =>
					own ? rememberFigures(all, key, own, to < total ? 0 : total) : all,
				marks.figures,
			);
			return { ...marks, ...learn(marks, learnt), figures };
		},
		repeat: async (handed) => handed.flatMap((event) => itemsOf(options, event)),
	};
}

interface Closer {
	record: IDataObject;
	figures?: Figures;
}

/** An entry with its statistics as they are now; or why they can't be had now. Gone entries have none. */
async function closerLook(
	get: Operation,
	record: IDataObject,
	count: CounterOptions['count'],
	source: Source,
): Promise<Closer | { fault: unknown }> {
	const outcome = await outcomeOf(source.ask(get, { path: { id: record.id } }));
	if ('error' in outcome) {
		if (isRefusal(outcome.error)) return { record };
		if (isPassing(outcome.error)) return { fault: outcome.error };
		throw outcome.error;
	}
	const picked = get.output.kind.tidy(get.output.pick(outcome.value, {}));
	if (!isRecord(picked)) return { record };
	const { statistics, ...details } = picked as IDataObject;
	const now = { ...record, ...details };
	return {
		record: count(now) >= count(record) ? now : record,
		...(isRecord(statistics) && { figures: statistics }),
	};
}

async function takeCounted(
	options: CounterOptions,
	events: Counted[],
	maximum: number,
	source: Source,
	marks: CounterMarks,
): Promise<Taken<Counted>> {
	const former = new Map(marks.figures);
	const taken: Taken<Counted> = { done: [], handed: [], items: [] };
	const faults: unknown[] = [];
	for (const event of events) {
		const room = maximum - taken.items.length;
		if (room <= 0 || faults.length >= MOST_FAILURES || (options.get && !source.hasTime())) break;
		const closer = options.get
			? await closerLook(options.get, event.record, options.count, source)
			: undefined;
		if (closer && 'fault' in closer) {
			faults.push(closer.fault);
			if (isRateLimit(closer.fault)) break;
			continue;
		}
		const handed = handedOver(options, event, closer, former.get(event.key), room);
		taken.done.push(handed);
		taken.handed.push({ ...handed, figures: undefined });
		taken.items.push(...itemsOf(options, handed));
	}
	const [fault] = faults.filter((one) => !isRateLimit(one));
	if (fault !== undefined && taken.items.length === 0) throw fault;
	return taken;
}

/** What of an event is handed over: its counts as far as there is room, and with the last of them what changed. */
function handedOver(
	options: CounterOptions,
	event: Counted,
	closer: Closer | undefined,
	former: Figures | undefined,
	room: number,
): Counted {
	const record = closer?.record ?? event.record;
	const total = Math.max(event.total, options.count(record));
	const to = options.isEach ? Math.min(total, event.from + room) : total;
	if (!closer) return { ...event, record, total, to };
	if (to < total) {
		// What changed is told with the last of them, since nothing was counted: remember that.
		const isFirst = !former && event.from === 0;
		return { ...event, record, total, to, ...(isFirst && { figures: {} }) };
	}
	const { figures } = closer;
	return { ...event, record, total, to, changes: changesOf(figures, former, event.from, total), figures };
}

/** The items of an event: one, or one for each count. */
function itemsOf(options: CounterOptions, { key, from, to, total, round, record, changes }: Counted): Item[] {
	const { name, one, many, isEach } = options;
	const id = `${name}:${key}${round > 0 ? `.${round}` : ''}`;
	if (!isEach) {
		const eventId = `${id}:${many}:${from + 1}-${to}`;
		const json = {
			...record,
			[`new${capitalized(many)}`]: to - from,
			[`previous${capitalized(many)}`]: from,
		};
		return [
			{
				json: { ...json, ...(changes !== undefined && { changes: changes as IDataObject | null }), eventId },
			},
		];
	}
	return Array.from({ length: to - from }, (_, place) => {
		const number = from + place + 1;
		const told = number === total && changes !== undefined && { changes: changes as IDataObject | null };
		return { json: { ...record, [one]: number, ...told, eventId: `${id}:${one}:${number}` } };
	});
}
