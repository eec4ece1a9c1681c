import type { IDataObject } from 'n8n-workflow';
import type { Operation, Parts } from '../../runtime/table/operation';
import { surveyPages, type PagedSurvey } from './pagedList';
import {
	beginRoster,
	compareRoster,
	highest,
	learn,
	NO_ROSTER,
	readRosterMarks,
	type Identity,
	type Known,
	type RosterMarks,
} from './knownRecords';
import type { Item, Watch } from '../../runtime/poll/watch';

/** What is remembered: the roster, and how far down new records may stand where ids rise with time. */
export interface AdditionMarks extends RosterMarks {
	/** All records up to this id are known; 0 or left out if that can't be said. */
	through?: number;
	/** The same once the list, which several polls may read, has been read all round. */
	rising?: number;
}

/** A record that was not in its list before. */
export interface Addition {
	key: string;
	known: Known;
	record: IDataObject;
}

export interface AdditionOptions {
	/** The list, and what of it to ask for. */
	row: Operation;
	parts?: Partial<Parts>;
	/** What its event ids begin with. */
	name: string;
	key?(record: IDataObject): string;
	/** Its id where ids rise with time; its `id` unless told otherwise. */
	order?(record: IDataObject): number | undefined;
	/** What never changes unless another record takes its id. */
	mark?(record: IDataObject): [address: unknown, date: unknown];
}

const numericId = (record: IDataObject): number | undefined =>
	typeof record.id === 'number' ? record.id : undefined;

/** Watches a list for records that are new in it. */
export function additions(options: AdditionOptions): Watch<AdditionMarks, PagedSurvey, Addition> {
	const identity: Identity = {
		key: options.key ?? ((record) => String(record.id)),
		order: options.order ?? numericId,
		count: () => 0,
		mark: options.mark ?? (() => [undefined, undefined]),
	};
	const itemOf = ({ key, known, record }: Addition): Item => ({
		json: { ...record, eventId: `${options.name}:${key}${known.round > 0 ? `.${known.round}` : ''}` },
	});
	return {
		read: (saved) => {
			const roster: AdditionMarks | undefined = readRosterMarks(saved);
			const ids = [roster?.through, roster?.rising];
			return ids.every((id) => id === undefined || typeof id === 'number') ? roster : undefined;
		},
		survey: async (marks, source) => {
			const known = marks && !marks.isBeginning ? Math.max(marks.through ?? 0, marks.floor) : 0;
			return await surveyPages(
				source,
				{
					row: options.row,
					parts: options.parts,
					wanted: () => 0,
					isEnough: (records) => newestFirst(identity, records, known),
				},
				marks?.page ?? 1,
			);
		},
		fault: (survey) => survey.fault,
		baseline: (survey, spare) => {
			if (spare === Infinity) return NO_ROSTER;
			const all = beginRoster(identity, survey);
			const kept = all.entries.split(';');
			return {
				...all,
				entries: (spare > 0 ? kept.slice(0, -spare) : kept).join(';'),
				floor: spare > 0 ? 0 : all.floor,
			};
		},
		detect: (marks, survey) => {
			const events: Addition[] = [];
			const seen = compareRoster(identity, marks, survey, (change, record, known) => {
				if (change === 'new' || change === 'replaced')
					events.push({ key: identity.key(record), known, record });
			});
			return { events, marks: { ...seen, ...reached(identity, marks, survey, events) } };
		},
		take: async (events, maximum) => {
			const done = events.slice(0, maximum);
			return { done, handed: done, items: done.map(itemOf) };
		},
		advance: (marks, done) =>
			learn(
				marks,
				done.map(({ key, known }) => [key, known]),
			),
		repeat: async (handed) => handed.map(itemOf),
	};
}

/** Up to which id all is known after a survey. Its own events don't count as known, for not all may be handed over. */
function reached(
	identity: Identity,
	{ page, through, rising }: AdditionMarks,
	survey: PagedSurvey,
	events: Addition[],
): Pick<AdditionMarks, 'through' | 'rising'> {
	const beforeNews = events.map(({ record }) => (identity.order(record) ?? 1) - 1);
	const top = page <= 1 ? highest(identity, survey.records) : (rising ?? 0);
	const next = Math.min(top, ...beforeNews);
	return survey.next <= 1 ? { through: next } : { ...(through !== undefined && { through }), rising: next };
}

/** Whether a list is sorted by falling ids, down to one up to which all is known: then nothing new follows. */
function newestFirst(identity: Identity, records: IDataObject[], known: number): boolean {
	const orders = records.map((record) => identity.order(record) ?? NaN);
	const falls = orders.every((order, place) => place === 0 || order < (orders[place - 1] ?? NaN));
	return falls && orders.some((order) => order <= known);
}
