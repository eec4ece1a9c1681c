import { hash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { toText } from '../../runtime/values';
import type { ListSnapshot } from './paged-list';

/** What a trigger knows of one record of a list. */
export interface KnownRecord {
	/** The record's counter; 0 for a record without one. */
	count: number;
	/** How often the counter went down, or another record took the id. Part of the event ids. */
	generation: number;
	/** Digests of the record's address and date, four characters each; empty if it has neither. */
	fingerprint: string;
}

/** The known records of a list, by key. */
type KnownRecords = Map<string, KnownRecord>;

/**
 * What a trigger remembers of a list: every record that it has seen, and how far it has read. A long list takes
 * several polls, which read it page by page and then start again.
 *
 *     first pass          unknown records are old: they had only not been read
 *     ├────────────────►
 *     p. 1  p. 2  p. 3 │ p. 1  p. 2 …       then unknown records are new,
 *                      │                    unless their id is not above the highWaterMark
 */
export interface ListCursor {
	/** `key:count:generation:fingerprint`, joined by `;`. */
	entries: string;
	/** The page at which the next poll continues. */
	page: number;
	/** Whether some pages have not been read yet. */
	isFirstPass: boolean;
	/**
	 * Unknown records up to this id are old: they existed in the first pass, or were forgotten. 0 if one response
	 * contained the whole list.
	 */
	highWaterMark: number;
}

/** How a list's records are identified. */
export interface Identity {
	key(record: IDataObject): string;
	/** The record's id, if ids increase with time. */
	increasingId(record: IDataObject): number | undefined;
	count(record: IDataObject): number;
	/** The record's address and date: both change only if another record takes the id. */
	identifiers(record: IDataObject): [address: unknown, date: unknown];
}

/**
 * The most records that are remembered. Deleted ones stay known, because a response may only have left them out. In a
 * longer list, only the records that are read first are watched.
 */
export const MAX_KNOWN_RECORDS = 40_000;
const DIGEST_LENGTH = 4;
const NO_DIGEST = '----';

const digestOf = (identifier: unknown): string =>
	identifier === undefined || identifier === null || identifier === ''
		? NO_DIGEST
		: hash('sha256', toText(identifier), 'base64url').slice(0, DIGEST_LENGTH);

const fingerprintOf = (identity: Identity, record: IDataObject): string => {
	const fingerprint = identity.identifiers(record).map(digestOf).join('');
	return fingerprint === NO_DIGEST + NO_DIGEST ? '' : fingerprint;
};

/** Whether another record has taken the id: address and date are both different. A user can edit one of them. */
function isOtherRecord(one: string, other: string): boolean {
	const isComplete = (fingerprint: string): boolean =>
		fingerprint.length === 2 * DIGEST_LENGTH && !fingerprint.includes(NO_DIGEST);
	return (
		isComplete(one) &&
		isComplete(other) &&
		one.slice(0, DIGEST_LENGTH) !== other.slice(0, DIGEST_LENGTH) &&
		one.slice(DIGEST_LENGTH) !== other.slice(DIGEST_LENGTH)
	);
}

/** A value as a key, with the separators of `entries` escaped. */
export const toKey = (value: unknown): string => toText(value).replace(/[%:;]/g, encodeURIComponent) || '%';

/** The known records that a cursor's `entries` contain. */
export function parseKnown(entries: string): KnownRecords {
	const known: KnownRecords = new Map();
	for (const entry of entries === '' ? [] : entries.split(';')) {
		const [key = '', count, generation, fingerprint = ''] = entry.split(':');
		known.set(key, { count: Number(count), generation: Number(generation), fingerprint });
	}
	return known;
}

/** Whether no more records can be remembered. */
export const isFull = ({ entries }: ListCursor): boolean => entries.split(';').length >= MAX_KNOWN_RECORDS;

const serializeKnown = (known: KnownRecords): string =>
	[...known]
		.map(([key, { count, generation, fingerprint }]) => `${key}:${count}:${generation}:${fingerprint}`)
		.join(';');

/** A saved cursor; undefined if it is broken. */
export function parseListCursor(saved: unknown): ListCursor | undefined {
	const { entries, page, isFirstPass, highWaterMark } = (saved ?? {}) as Partial<ListCursor>;
	const isReadable =
		typeof entries === 'string' &&
		(entries === '' || entries.split(';').every((entry) => /^[^:;]+:\d+:\d+:[\w-]*$/.test(entry))) &&
		Number.isInteger(page) &&
		typeof isFirstPass === 'boolean' &&
		typeof highWaterMark === 'number';
	return isReadable ? (saved as ListCursor) : undefined;
}

/** The cursor that knows no records. */
export const NO_KNOWN_RECORDS: ListCursor = { entries: '', page: 1, isFirstPass: false, highWaterMark: 0 };

/** A snapshot's records, each once, sorted by id. */
export function distinct(identity: Identity, records: IDataObject[]): IDataObject[] {
	const byKey = new Map(records.map((record) => [identity.key(record), record]));
	return [...byKey.values()].sort(
		(a, b) => (identity.increasingId(a) ?? 0) - (identity.increasingId(b) ?? 0),
	);
}

/** The cursor that knows all records of a snapshot. */
export function allKnownIn(identity: Identity, snapshot: ListSnapshot): ListCursor {
	const known: KnownRecords = new Map();
	for (const record of distinct(identity, snapshot.records)) {
		const count = identity.count(record);
		known.set(identity.key(record), { count, generation: 0, fingerprint: fingerprintOf(identity, record) });
	}
	return {
		entries: serializeKnown(known),
		page: snapshot.nextPage,
		isFirstPass: !snapshot.reachedEnd,
		highWaterMark: snapshot.isAtomic ? 0 : highestId(identity, snapshot.records),
	};
}

/** The highest id of some records; 0 if ids don't increase with time. */
export const highestId = (identity: Identity, records: IDataObject[]): number =>
	records.reduce((top, record) => Math.max(top, identity.increasingId(record) ?? 0), 0);

/**
 * What happened to a record since the last poll:
 * - `new`: the record was added to the list.
 * - `counted`: the record's counter went up.
 * - `lowered`: the record's counter went down, and counts on from there.
 * - `replaced`: another record took the id.
 */
type ChangeKind = 'new' | 'counted' | 'lowered' | 'replaced';

export interface RecordChange {
	kind: ChangeKind;
	key: string;
	record: IDataObject;
	/** What the record's counter is compared with: 0 for a record that is new or replaced. */
	base: KnownRecord;
}

/**
 * Compares a snapshot with what is known. The next cursor knows old and lowered records; other changes become known when
 * they are processed.
 */
export function compareRecords(
	identity: Identity,
	cursor: ListCursor,
	snapshot: ListSnapshot,
): { changes: RecordChange[]; cursor: ListCursor } {
	const known = parseKnown(cursor.entries);
	const changes: RecordChange[] = [];
	for (const record of distinct(identity, snapshot.records)) {
		const key = identity.key(record);
		const count = identity.count(record);
		const fingerprint = fingerprintOf(identity, record);
		const previous = known.get(key) ?? { count: 0, generation: 0, fingerprint };
		const kind = kindOf({ count, fingerprint, order: identity.increasingId(record) }, known.get(key), cursor);
		switch (kind) {
			case 'same':
				break;
			case 'old':
				if (known.size < MAX_KNOWN_RECORDS) known.set(key, { ...previous, count });
				break;
			case 'new':
			case 'counted':
				changes.push({ kind, key, record, base: previous });
				break;
			case 'lowered': {
				const base = { count, generation: previous.generation + 1, fingerprint };
				known.set(key, base);
				changes.push({ kind, key, record, base });
				break;
			}
			case 'replaced': {
				const base = { count: 0, generation: previous.generation + 1, fingerprint };
				changes.push({ kind, key, record, base });
			}
		}
	}
	const highest = cursor.isFirstPass ? highestId(identity, snapshot.records) : 0;
	const next = {
		...bounded(known, Math.max(cursor.highWaterMark, highest)),
		page: snapshot.nextPage,
		isFirstPass: cursor.isFirstPass && !snapshot.reachedEnd,
	};
	return { changes, cursor: next };
}

/** What happened to a record. `old`: the record is unknown, but existed before the trigger did. */
function kindOf(
	{ count, fingerprint, order }: { count: number; fingerprint: string; order: number | undefined },
	known: KnownRecord | undefined,
	{ isFirstPass, highWaterMark }: ListCursor,
): ChangeKind | 'same' | 'old' {
	if (!known) {
		const isBelow = highWaterMark > 0 && order !== undefined && order <= highWaterMark;
		return isFirstPass || isBelow ? 'old' : 'new';
	}
	if (isOtherRecord(known.fingerprint, fingerprint)) return 'replaced';
	if (count === known.count) return 'same';
	return count < known.count ? 'lowered' : 'counted';
}

/** The cursor that knows these records too. */
export function withRecords(cursor: ListCursor, added: Array<[string, KnownRecord]>): ListCursor {
	if (added.length === 0) return cursor;
	const known = parseKnown(cursor.entries);
	for (const [key, record] of added) known.set(key, record);
	return { ...cursor, ...bounded(known, cursor.highWaterMark) };
}

/**
 * Serializes the known records. If there are too many, the oldest are forgotten; the high-water mark makes them count
 * as old.
 */
function bounded(known: KnownRecords, highWaterMark: number): Pick<ListCursor, 'entries' | 'highWaterMark'> {
	const forgotten = [...known.keys()].slice(0, -MAX_KNOWN_RECORDS).map(Number).filter(Number.isInteger);
	return {
		entries: serializeKnown(new Map([...known].slice(-MAX_KNOWN_RECORDS))),
		highWaterMark: forgotten.reduce((top, id) => Math.max(top, id), highWaterMark),
	};
}
