import { hash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { toText } from '../../runtime/values';
import type { ListSnapshot } from './pagedList';

/** What is known of one record of a list. */
export interface Known {
	/** What it had counted; 0 where nothing is counted. */
	count: number;
	/** How often it was counted anew: its counter went down, or another record took its id. */
	round: number;
	/** Fingerprints of its address and of its date; empty where it has none. */
	mark: string;
}

/** The records of a list that are known, by key. */
export type KnownRecords = Map<string, Known>;

/** What is known of a list, and how far reading it has come, as it is saved. */
export interface ListCursor {
	/** `key:count:round:mark`, joined by `;`. */
	entries: string;
	/** The page to go on with. */
	page: number;
	/** Not every page has been read yet: what is found on the others is not new. */
	isBeginning: boolean;
	/** The highest id at the beginning, where the list came in several answers: lower ids were there. */
	floor: number;
}

/** What a list's records are told apart by. */
export interface Identity {
	key(record: IDataObject): string;
	/** Its id where ids rise with time. */
	order(record: IDataObject): number | undefined;
	count(record: IDataObject): number;
	/** What never changes unless another record takes its id: its address and its date. */
	mark(record: IDataObject): [address: unknown, date: unknown];
}

/** Records that are gone stay known, lest one that was overlooked be taken for new: up to so many in all. Of a longer list the first that are read are watched. */
export const MOST_KNOWN = 40_000;
const NO_MARK = '----';

const fingerprint = (part: unknown): string =>
	part === undefined || part === null || part === ''
		? NO_MARK
		: hash('sha256', toText(part), 'base64url').slice(0, 4);

const markOf = (identity: Identity, record: IDataObject): string => {
	const mark = identity.mark(record).map(fingerprint).join('');
	return mark === NO_MARK + NO_MARK ? '' : mark;
};

/** Another record has taken the id: both its address and its date are others. One alone may have been changed. */
const isAnother = (one: string, other: string): boolean =>
	one.length === 8 &&
	other.length === 8 &&
	!`${one}${other}`.includes(NO_MARK) &&
	one.slice(0, 4) !== other.slice(0, 4) &&
	one.slice(4) !== other.slice(4);

/** A value as a key; what would part the entries is escaped. */
export const toKey = (value: unknown): string => toText(value).replace(/[%:;]/g, encodeURIComponent) || '%';

/** The last part of a path: what an address keeps when a host changes its name. */
export const lastSegment = (address: unknown): string =>
	toText(address ?? '')
		.replace(/\/+$/, '')
		.split('/')
		.at(-1) ?? '';

/** The known records, as `entries` holds them. */
export function parseKnown(entries: string): KnownRecords {
	const known: KnownRecords = new Map();
	for (const entry of entries === '' ? [] : entries.split(';')) {
		const [key = '', count, round, mark = ''] = entry.split(':');
		known.set(key, { count: Number(count), round: Number(round), mark });
	}
	return known;
}

/** Whether no more records can be remembered. */
export const isFull = ({ entries }: ListCursor): boolean => entries.split(';').length >= MOST_KNOWN;

const serializeKnown = (known: KnownRecords): string =>
	[...known].map(([key, { count, round, mark }]) => `${key}:${count}:${round}:${mark}`).join(';');

/** A cursor as it was saved; undefined if it can't be read. */
export function readListCursor(saved: unknown): ListCursor | undefined {
	const { entries, page, isBeginning, floor } = (saved ?? {}) as Partial<ListCursor>;
	const isReadable =
		typeof entries === 'string' &&
		(entries === '' || entries.split(';').every((entry) => /^[^:;]+:\d+:\d+:[\w-]*$/.test(entry))) &&
		Number.isInteger(page) &&
		typeof isBeginning === 'boolean' &&
		typeof floor === 'number';
	return isReadable ? (saved as ListCursor) : undefined;
}

/** The cursor that knows nothing of a list. */
export const NOTHING_KNOWN: ListCursor = { entries: '', page: 1, isBeginning: false, floor: 0 };

/** A snapshot's records, each once, in the order of their ids. */
export function distinct(identity: Identity, records: IDataObject[]): IDataObject[] {
	const byKey = new Map(records.map((record) => [identity.key(record), record]));
	return [...byKey.values()].sort((a, b) => (identity.order(a) ?? 0) - (identity.order(b) ?? 0));
}

/** The cursor that knows a whole snapshot. */
export function allKnown(identity: Identity, snapshot: ListSnapshot): ListCursor {
	const known: KnownRecords = new Map();
	for (const record of distinct(identity, snapshot.records)) {
		const count = identity.count(record);
		known.set(identity.key(record), { count, round: 0, mark: markOf(identity, record) });
	}
	return {
		entries: serializeKnown(known),
		page: snapshot.next,
		isBeginning: !snapshot.reachedEnd,
		floor: snapshot.isAtomic ? 0 : highestId(identity, snapshot.records),
	};
}

/** The highest of some records' ids; 0 where ids don't rise with time. */
export const highestId = (identity: Identity, records: IDataObject[]): number =>
	records.reduce((top, record) => Math.max(top, identity.order(record) ?? 0), 0);

/** What became of one record since it was last seen. */
export type Change = 'same' | 'new' | 'counted' | 'lowered' | 'replaced';

/**
 * Compares a snapshot with what is known. Records that were there at the beginning are no news, though they are
 * seen for the first time: their page had not been read yet, or they slipped from page to page.
 */
export function compare(
	identity: Identity,
	cursor: ListCursor,
	snapshot: ListSnapshot,
	visit: (change: Change, record: IDataObject, known: Known) => void,
): ListCursor {
	const records = parseKnown(cursor.entries);
	for (const record of distinct(identity, snapshot.records)) {
		const key = identity.key(record);
		const order = identity.order(record);
		const count = identity.count(record);
		const mark = markOf(identity, record);
		const known = records.get(key);
		const wasThere = cursor.isBeginning || (cursor.floor > 0 && order !== undefined && order <= cursor.floor);
		if (!known && wasThere) {
			// Where there is no room for all, those that are known stay known.
			if (records.size < MOST_KNOWN) records.set(key, { count, round: 0, mark });
		} else if (!known) visit('new', record, { count: 0, round: 0, mark });
		else if (isAnother(known.mark, mark))
			visit('replaced', record, { count: 0, round: known.round + 1, mark });
		else if (count < known.count) {
			const lowered = { count, round: known.round + 1, mark };
			records.set(key, lowered);
			visit('lowered', record, lowered);
		} else if (count > known.count) visit('counted', record, known);
		else visit('same', record, known);
	}
	const floor = cursor.isBeginning
		? Math.max(cursor.floor, highestId(identity, snapshot.records))
		: cursor.floor;
	return {
		...bounded(records, floor),
		page: snapshot.next,
		isBeginning: cursor.isBeginning && !snapshot.reachedEnd,
	};
}

/** The cursor that knows these as well. */
export function know(cursor: ListCursor, learnt: Array<[string, Known]>): ListCursor {
	if (learnt.length === 0) return cursor;
	const known = parseKnown(cursor.entries);
	for (const [key, record] of learnt) known.set(key, record);
	return { ...cursor, ...bounded(known, cursor.floor) };
}

/** The records as they are saved. Of too many, the oldest are dropped: from then on they count as having been there. */
function bounded(known: KnownRecords, floor: number): Pick<ListCursor, 'entries' | 'floor'> {
	const excess = known.size - MOST_KNOWN;
	if (excess <= 0) return { entries: serializeKnown(known), floor };
	const dropped = [...known.keys()].slice(0, excess);
	const highestDropped = Math.max(floor, ...dropped.map(Number).filter(Number.isInteger));
	return { entries: serializeKnown(new Map([...known].slice(excess))), floor: highestDropped };
}
