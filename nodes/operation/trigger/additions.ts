import type { IDataObject } from 'n8n-workflow';
import type { Operation, Parts } from '../row';
import { surveyPages, type PagedSurvey } from './pages';
import {
	beginRoster,
	compareRoster,
	learn,
	NO_ROSTER,
	parseRoster,
	readRosterMarks,
	type Identity,
	type Known,
	type Roster,
	type RosterMarks,
} from './roster';
import type { Item, Watch } from './watch';

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
export function additions(options: AdditionOptions): Watch<RosterMarks, PagedSurvey, Addition> {
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
		read: readRosterMarks,
		survey: async (marks, source) => {
			const known = marks && !marks.isBeginning ? parseRoster(marks.entries) : undefined;
			return await surveyPages(
				source,
				{
					row: options.row,
					parts: options.parts,
					wanted: () => 0,
					isEnough: (records) => known !== undefined && newestFirst(identity, records, known),
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
			return { events, marks: seen };
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

/** Whether a list is sorted by falling ids down to a known one: then nothing new follows. */
function newestFirst(identity: Identity, records: IDataObject[], known: Roster): boolean {
	const orders = records.map((record) => identity.order(record) ?? NaN);
	const falls = orders.every((order, place) => place === 0 || order < (orders[place - 1] ?? NaN));
	return falls && records.some((record) => known.has(identity.key(record)));
}
