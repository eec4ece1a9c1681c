import { hash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { PagedSurvey } from './pagedList';

/** What is known of one entry of a list. */
export interface Known {
	/** What it had counted; 0 where nothing is counted. */
	count: number;
	/** How often it was counted anew: its counter went down, or another entry took its id. */
	round: number;
	/** Fingerprints of its address and of its date; empty where it has none. */
	mark: string;
}

/** The entries of a list that are known, by key. */
export type Roster = Map<string, Known>;

/** A roster and how far reading it has come, as it is saved. */
export interface RosterMarks {
	/** `key:count:round:mark`, joined by `;`. */
	entries: string;
	/** The page to go on with. */
	page: number;
	/** Not every page has been read yet: what is found on the others is not new. */
	isBeginning: boolean;
	/** The highest id when the roster began, where its list came in several answers: lower ids were there. */
	floor: number;
}

/** What a list's records are told apart by. */
export interface Identity {
	key(record: IDataObject): string;
	/** Its id where ids rise with time. */
	order(record: IDataObject): number | undefined;
	count(record: IDataObject): number;
	/** What never changes unless another entry takes its id: its address and its date. */
	mark(record: IDataObject): [address: unknown, date: unknown];
}

/** Entries that are gone stay known, lest one that was overlooked be taken for new: up to so many in all. */
const MOST_ENTRIES = 40_000;
const NO_MARK = '----';

const short = (part: unknown): string =>
	part === undefined || part === null || part === ''
		? NO_MARK
		: hash('sha256', String(part), 'base64url').slice(0, 4);

const markOf = (identity: Identity, record: IDataObject): string => {
	const mark = identity.mark(record).map(short).join('');
	return mark === NO_MARK + NO_MARK ? '' : mark;
};

/** Another entry has taken the id: both its address and its date are others. One alone may have been changed. */
const isAnother = (one: string, other: string): boolean =>
	one.length === 8 &&
	other.length === 8 &&
	!`${one}${other}`.includes(NO_MARK) &&
	one.slice(0, 4) !== other.slice(0, 4) &&
	one.slice(4) !== other.slice(4);

/** The last part of a path: what an address keeps when a host changes its name. */
export const lastSegment = (address: unknown): string =>
	String(address ?? '')
		.replace(/\/+$/, '')
		.split('/')
		.at(-1) ?? '';

export function parseRoster(entries: string): Roster {
	const roster: Roster = new Map();
	for (const entry of entries === '' ? [] : entries.split(';')) {
		const [key = '', count, round, mark = ''] = entry.split(':');
		roster.set(key, { count: Number(count), round: Number(round), mark });
	}
	return roster;
}

export const writeRoster = (roster: Roster): string =>
	[...roster].map(([key, { count, round, mark }]) => `${key}:${count}:${round}:${mark}`).join(';');

/** Marks as they were saved; undefined if they can't be read. */
export function readRosterMarks(saved: unknown): RosterMarks | undefined {
	const { entries, page, isBeginning, floor } = (saved ?? {}) as Partial<RosterMarks>;
	const isReadable =
		typeof entries === 'string' &&
		(entries === '' || entries.split(';').every((entry) => /^[^:;]+:\d+:\d+:[\w-]*$/.test(entry))) &&
		Number.isInteger(page) &&
		typeof isBeginning === 'boolean' &&
		typeof floor === 'number';
	return isReadable ? (saved as RosterMarks) : undefined;
}

export const NO_ROSTER: RosterMarks = { entries: '', page: 1, isBeginning: false, floor: 0 };

/** A survey's records, each once, in the order of their ids. */
export function distinct(identity: Identity, records: IDataObject[]): IDataObject[] {
	const byKey = new Map(records.map((record) => [identity.key(record), record]));
	return [...byKey.values()].sort((a, b) => (identity.order(a) ?? 0) - (identity.order(b) ?? 0));
}

/** The marks that know a whole survey. */
export function beginRoster(identity: Identity, survey: PagedSurvey): RosterMarks {
	const roster: Roster = new Map();
	for (const record of distinct(identity, survey.records)) {
		const count = identity.count(record);
		roster.set(identity.key(record), { count, round: 0, mark: markOf(identity, record) });
	}
	return {
		entries: writeRoster(roster),
		page: survey.next,
		isBeginning: !survey.reachedEnd,
		floor: survey.isAtomic ? 0 : highest(identity, survey.records),
	};
}

/** The highest of some records' ids; 0 where ids don't rise with time. */
export const highest = (identity: Identity, records: IDataObject[]): number =>
	records.reduce((top, record) => Math.max(top, identity.order(record) ?? 0), 0);

/** What became of one record since it was last seen. */
export type Change = 'same' | 'new' | 'counted' | 'lowered' | 'replaced';

/**
 * Compares a survey with what is known. Entries that were there when the roster began are no news, though they are
 * seen for the first time: their page had not been read yet, or they slipped from page to page.
 */
export function compareRoster(
	identity: Identity,
	marks: RosterMarks,
	survey: PagedSurvey,
	visit: (change: Change, record: IDataObject, known: Known) => void,
): RosterMarks {
	const roster = parseRoster(marks.entries);
	for (const record of distinct(identity, survey.records)) {
		const key = identity.key(record);
		const order = identity.order(record);
		const count = identity.count(record);
		const mark = markOf(identity, record);
		const known = roster.get(key);
		const wasThere = marks.isBeginning || (marks.floor > 0 && order !== undefined && order <= marks.floor);
		if (!known && wasThere) roster.set(key, { count, round: 0, mark });
		else if (!known) visit('new', record, { count: 0, round: 0, mark });
		else if (isAnother(known.mark, mark))
			visit('replaced', record, { count: 0, round: known.round + 1, mark });
		else if (count < known.count) {
			const lowered = { count, round: known.round + 1, mark };
			roster.set(key, lowered);
			visit('lowered', record, lowered);
		} else if (count > known.count) visit('counted', record, known);
		else visit('same', record, known);
	}
	const floor = marks.isBeginning ? Math.max(marks.floor, highest(identity, survey.records)) : marks.floor;
	return {
		...bounded(roster, floor),
		page: survey.next,
		isBeginning: marks.isBeginning && !survey.reachedEnd,
	};
}

/** Adds what was handed over to what is known. */
export function learn(marks: RosterMarks, learnt: Array<[string, Known]>): RosterMarks {
	if (learnt.length === 0) return marks;
	const roster = parseRoster(marks.entries);
	for (const [key, known] of learnt) roster.set(key, known);
	return { ...marks, ...bounded(roster, marks.floor) };
}

/** The entries as they are saved. Of too many, the oldest are dropped: from then on they count as having been there. */
function bounded(roster: Roster, floor: number): Pick<RosterMarks, 'entries' | 'floor'> {
	const excess = roster.size - MOST_ENTRIES;
	if (excess <= 0) return { entries: writeRoster(roster), floor };
	const dropped = [...roster.keys()].slice(0, excess);
	const highestDropped = Math.max(floor, ...dropped.map(Number).filter(Number.isInteger));
	return { entries: writeRoster(new Map([...roster].slice(excess))), floor: highestDropped };
}
