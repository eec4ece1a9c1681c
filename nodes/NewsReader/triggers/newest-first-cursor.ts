import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../runtime/values';

/** An entry of a list that has the newest first. */
export interface Entry {
	/** Identifies it; a number distinguishes equal entries. */
	key: string;
	/** Its date in Unix seconds, if the list is sorted by date. */
	at?: number;
	/** The user or search that it belongs to. Entries of a group that is new to the list are old. */
	group?: string;
	/** Whether the filters let it through. */
	isWanted: boolean;
	/** Makes its item. */
	item(): IDataObject | Promise<IDataObject>;
	/** What is kept to emit it again. */
	kept: Record<string, unknown>;
}

/**
 * What a trigger remembers of a list that has the newest first and any length:
 *
 *     newest                                                             oldest
 *     │  new, read until   │  known: fingerprints of      │  older: dated up to  │
 *     │  a page is known   │  the last 5,000 entries      │  knownUntil          │
 *
 * If more is new than a poll can read, `backlogPage` says where the oldest new entries are; the next polls emit those
 * first, and the newer ones after them.
 */
export interface NewestFirstCursor {
	/** Fingerprints of known entries with their dates, `fingerprint.seconds`, joined by `;`. The latest learnt are last. */
	known: string;
	/** Entries up to this date are old, though unknown; 0 if there is no such date. */
	knownUntil: number;
	/** The groups of the list; null if it has none. */
	groups: string[] | null;
	/** The groups that responses have left out, and for how many polls. */
	missingPolls?: Record<string, number>;
	/** For each list in which more is new than a poll can read, the last page without a known entry; 0 for others. */
	backlogPages?: number[];
}

/** The most known entries that are remembered. */
const MAX_KNOWN_ENTRIES = 5_000;
/** A response that leaves out a group, or many stories, may be wrong: it is believed only after this many polls. */
export const MAX_DOUBTED_POLLS = 60;

export const fingerprint = (id: string): string =>
	createHash('sha256').update(id).digest('base64url').slice(0, 9);

export const knownIn = (cursor: NewestFirstCursor): Set<string> =>
	new Set(cursor.known === '' ? [] : cursor.known.split(';').map((entry) => entry.split('.')[0] ?? ''));

/** The date up to which all entries are known or old; 0 if they have no dates. */
export function oldestKnown({ known, knownUntil }: NewestFirstCursor): number {
	if (knownUntil > 0 || known === '') return knownUntil;
	const dates = known.split(';').map((entry) => Number(entry.split('.')[1]));
	return dates.reduce((oldest, at) => Math.min(oldest, at), Infinity);
}

/** Entries with an id each, oldest first. Equal entries are numbered from the oldest; several lists become one. */
export function numbered(entries: Entry[]): Array<{ id: string; entry: Entry }> {
	const counts = new Map<string, number>();
	const all = [...entries].reverse().map((entry) => {
		const number = counts.get(entry.key) ?? 0;
		counts.set(entry.key, number + 1);
		return { id: number === 0 ? entry.key : `${entry.key}#${number}`, entry };
	});
	return all.sort((a, b) => (a.entry.at ?? 0) - (b.entry.at ?? 0));
}

export const isOlderThan = ({ at }: Entry, knownUntil: number): boolean =>
	at !== undefined && knownUntil > 0 && at <= knownUntil;

/** Whether an entry's group is new to the list: then the entry is old. */
export const hasJoined = ({ group }: Entry, cursor: NewestFirstCursor | undefined): boolean =>
	cursor !== undefined && cursor.groups !== null && group !== undefined && !cursor.groups.includes(group);

/** The groups that are known after a poll that found `listed`. */
export function groupsAfter(
	{ groups: former, missingPolls = {} }: NewestFirstCursor,
	listed: string[] | null,
): Pick<NewestFirstCursor, 'groups' | 'missingPolls'> {
	const missing = (former ?? [])
		.filter((group) => listed?.includes(group) === false)
		.map((group): [string, number] => [group, (missingPolls[group] ?? 0) + 1])
		.filter(([, polls]) => polls <= MAX_DOUBTED_POLLS);
	if (!listed || missing.length === 0) return { groups: listed, missingPolls: undefined };
	return {
		groups: [...listed, ...missing.map(([group]) => group)],
		missingPolls: Object.fromEntries(missing),
	};
}

export const serializeEntry = (id: string, at: number | undefined): string =>
	`${fingerprint(id)}.${at === undefined ? '' : Math.max(Math.floor(at), 0)}`;

/** The cursor that knows these entries too. If there are too many, the oldest are forgotten; up to their date all is old. */
export function withEntries(
	cursor: NewestFirstCursor,
	learnt: Array<{ id: string; at?: number }>,
): NewestFirstCursor {
	if (learnt.length === 0) return cursor;
	const former = cursor.known === '' ? [] : cursor.known.split(';');
	const entries = [...former, ...learnt.map(({ id, at }) => serializeEntry(id, at))];
	const excess = Math.max(entries.length - MAX_KNOWN_ENTRIES, 0);
	const forgotten = entries.slice(0, excess).map((entry) => Number(entry.split('.')[1]));
	const knownUntil = forgotten.reduce((latest, at) => Math.max(latest, at), cursor.knownUntil);
	return { ...cursor, known: entries.slice(excess).join(';'), knownUntil };
}

export const isCursor = (saved: unknown): saved is NewestFirstCursor =>
	isRecord(saved) &&
	typeof saved.known === 'string' &&
	(saved.known === '' || saved.known.split(';').every((entry) => /^[\w-]{9}\.\d*$/.test(entry))) &&
	typeof saved.knownUntil === 'number' &&
	(saved.groups === null || Array.isArray(saved.groups)) &&
	['undefined', 'object'].includes(typeof saved.missingPolls) &&
	(saved.backlogPages === undefined || Array.isArray(saved.backlogPages));
