import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../runtime/values';

/** An entry of a list that has the newest entries first. */
export interface Entry {
	/** Identifies the entry, except among equal entries: `numbered` distinguishes those. */
	key: string;
	/** The entry's date in Unix seconds, if the list is sorted by date. */
	at?: number;
	/** The user or search that the entry belongs to. When a group joins the list, its entries are not new. */
	group?: string;
	/** Whether the entry passes the filters. */
	passesFilters: boolean;
	/** Makes the entry's item. */
	item(): IDataObject | Promise<IDataObject>;
	/** What is saved to emit the entry again. */
	kept: Record<string, unknown>;
}

/**
 * What a trigger remembers of a list of any length that has the newest entries first:
 *
 *     newest                                                             oldest
 *     │  new, read until   │  known: fingerprints of      │  older: dated up to  │
 *     │  a page is known   │  the last 5,000 entries      │  knownUntil          │
 *
 * - An entry is new if it is unknown, its date (if it has one) is after `knownUntil`, and its group has not just joined
 *   the list.
 * - An entry becomes known when its event is processed, or when its group joins the list.
 * - If there are more new entries than a poll can read, `backlogPages` says where the oldest of them are. The next polls
 *   emit those first, then the newer ones.
 */
export interface NewestFirstCursor {
	/** The known entries as `fingerprint.seconds`, joined by `;`. The last one became known last. */
	known: string;
	/** An unknown entry with this date (Unix seconds) or an earlier one is not new; 0 if there is no such date. */
	knownUntil: number;
	/**
	 * For each list, the last page without a known entry, if there are more new entries than a poll can read; otherwise
	 * 0.
	 */
	backlogPages?: number[];
	/** The groups in the list; null for a list without groups. */
	groups: string[] | null;
	/** For how many polls responses have left out a group, by group. */
	missingPolls?: Record<string, number>;
}

/** The most known entries that are remembered. */
const MAX_KNOWN_ENTRIES = 5_000;
/** A response that leaves out a group, or many stories, may be wrong: it is believed after this many polls. */
export const MAX_DOUBTED_POLLS = 60;

export const fingerprint = (id: string): string =>
	createHash('sha256').update(id).digest('base64url').slice(0, 9);

export const knownIn = (cursor: NewestFirstCursor): Set<string> =>
	new Set(cursor.known === '' ? [] : cursor.known.split(';').map((entry) => entry.split('.')[0] ?? ''));

/** The date up to which no entry is new; 0 if entries have no dates. */
export function oldestKnown({ known, knownUntil }: NewestFirstCursor): number {
	if (knownUntil > 0 || known === '') return knownUntil;
	const dates = known.split(';').map((entry) => Number(entry.split('.')[1]));
	return dates.reduce((oldest, at) => Math.min(oldest, at), Infinity);
}

/** Gives each entry an id: the key, with a number if older entries have the same key. Sorts all entries, oldest first. */
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

/** Whether the entry's group has just joined the list: then the entry is not new. */
export const hasJoined = ({ group }: Entry, cursor: NewestFirstCursor | undefined): boolean =>
	cursor !== undefined && cursor.groups !== null && group !== undefined && !cursor.groups.includes(group);

/** The groups after a poll that found `listed`. */
export function groupsAfter(
	{ groups: previous, missingPolls = {} }: NewestFirstCursor,
	listed: string[] | null,
): Pick<NewestFirstCursor, 'groups' | 'missingPolls'> {
	const missing = (previous ?? [])
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

/**
 * The cursor that knows these entries too. If there are too many, it forgets those that became known first, and their
 * latest date becomes `knownUntil`.
 */
export function withEntries(
	cursor: NewestFirstCursor,
	added: Array<{ id: string; at?: number }>,
): NewestFirstCursor {
	if (added.length === 0) return cursor;
	const previous = cursor.known === '' ? [] : cursor.known.split(';');
	const entries = [...previous, ...added.map(({ id, at }) => serializeEntry(id, at))];
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
