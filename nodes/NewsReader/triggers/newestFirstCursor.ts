import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../runtime/values';

/** One entry of a list that shows the newest first. */
export interface Entry {
	/** What tells it from others; entries alike are told apart by their number. */
	key: string;
	/** Its date in seconds, where entries come in the order of their dates. */
	at?: number;
	/** Whose it is, or what it was found by: what a group that joins the list brings along is not new. */
	group?: string;
	/** Whether it is among what the user wants. */
	isWanted: boolean;
	/** Makes its item. */
	item(): IDataObject | Promise<IDataObject>;
	/** What of it is kept for handing it over again. */
	kept: Record<string, unknown>;
}

export interface NewestFirstCursor {
	/** Fingerprints of known entries with their dates, oldest knowledge first: `fingerprint.seconds`, joined by `;`. */
	known: string;
	/** Entries of this date and before are not new; 0 where that isn't known. */
	floor: number;
	/** The groups that were there; null where there are none. */
	groups: string[] | null;
	/** Those of them that are no longer told, and since how many polls. */
	missing?: Record<string, number>;
}

/** Known entries are remembered up to this many. */
const MOST_KNOWN = 5_000;
/** That a group left is believed only after so many polls: an answer without it may be a mistake of the service. */
const MOST_DOUBTED = 60;

export const fingerprint = (id: string): string =>
	createHash('sha256').update(id).digest('base64url').slice(0, 9);

export const knownIn = (cursor: NewestFirstCursor): Set<string> =>
	new Set(cursor.known === '' ? [] : cursor.known.split(';').map((entry) => entry.split('.')[0] ?? ''));

/** Entries with an id each, oldest first: alike ones are numbered from the oldest, several lists come as one. */
export function numbered(entries: Entry[]): Array<{ id: string; entry: Entry }> {
	const counts = new Map<string, number>();
	const all = [...entries].reverse().map((entry) => {
		const number = counts.get(entry.key) ?? 0;
		counts.set(entry.key, number + 1);
		return { id: number === 0 ? entry.key : `${entry.key}#${number}`, entry };
	});
	return all.sort((a, b) => (a.entry.at ?? 0) - (b.entry.at ?? 0));
}

export const isOld = ({ at }: Entry, floor: number): boolean => at !== undefined && floor > 0 && at <= floor;

/** Whether an entry's group was not there before: what it brings along is not new. */
export const hasJoined = ({ group }: Entry, cursor: NewestFirstCursor | undefined): boolean =>
	cursor !== undefined && cursor.groups !== null && group !== undefined && !cursor.groups.includes(group);

/** The groups that count as having been there after a poll that told these. */
export function groupsAfter(
	{ groups: former, missing = {} }: NewestFirstCursor,
	told: string[] | null,
): Pick<NewestFirstCursor, 'groups' | 'missing'> {
	const left = (former ?? [])
		.filter((group) => told?.includes(group) === false)
		.map((group): [string, number] => [group, (missing[group] ?? 0) + 1])
		.filter(([, polls]) => polls <= MOST_DOUBTED);
	if (!told || left.length === 0) return { groups: told, missing: undefined };
	return { groups: [...told, ...left.map(([group]) => group)], missing: Object.fromEntries(left) };
}

export const serialize = (id: string, at: number | undefined): string =>
	`${fingerprint(id)}.${at === undefined ? '' : Math.max(Math.floor(at), 0)}`;

/** The cursor that knows these as well. Of too many the oldest are dropped; what is no newer counts as known. */
export function know(
	cursor: NewestFirstCursor,
	learnt: Array<{ id: string; at?: number }>,
): NewestFirstCursor {
	if (learnt.length === 0) return cursor;
	const entries = cursor.known === '' ? [] : cursor.known.split(';');
	entries.push(...learnt.map(({ id, at }) => serialize(id, at)));
	const excess = Math.max(entries.length - MOST_KNOWN, 0);
	const dates = entries.slice(0, excess).map((entry) => Number(entry.split('.')[1] ?? 0));
	return { ...cursor, known: entries.slice(excess).join(';'), floor: Math.max(cursor.floor, ...dates) };
}

export const isCursor = (saved: unknown): saved is NewestFirstCursor =>
	isRecord(saved) &&
	typeof saved.known === 'string' &&
	(saved.known === '' || saved.known.split(';').every((entry) => /^[\w-]{9}\.\d*$/.test(entry))) &&
	typeof saved.floor === 'number' &&
	(saved.groups === null || Array.isArray(saved.groups)) &&
	['undefined', 'object'].includes(typeof saved.missing);
