import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { itemOf, type Collected, type Item, type Watch } from '../../runtime/poll/watch';
import type { Api } from '../../runtime/transport/api';
import { clock } from '../../runtime/transport/rateLimit';
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
	item(): IDataObject;
	/** What of it is kept for handing it over again. */
	kept: Record<string, unknown>;
}

/** An entry that is new, with the number of the occurrence. */
export interface NewEntry {
	id: string;
	at?: number;
	kept: Record<string, unknown>;
	item?(): IDataObject;
	isWanted?: boolean;
}

export interface NewestFirstCursor {
	/** Fingerprints of known entries with their dates, oldest knowledge first: `fingerprint.seconds`, joined by `;`. */
	known: string;
	/** Entries of this date and before are not new; 0 where that isn't known. */
	floor: number;
	/** The groups that were there; null where there are none. */
	groups: string[] | null;
}

export interface NewestFirstSnapshot {
	/** Newest first. */
	entries: Entry[];
	groups: string[] | null;
	/** The list goes on after what was read. */
	hasMore: boolean;
	failure?: unknown;
}

/** Reads one page of a list. */
export type PageReader = (page: number) => Promise<{ entries: Entry[]; more: boolean }>;

export interface NewestFirstOptions {
	/** What its event ids begin with. */
	name: string;
	/** The lists to read, one after another, and the groups they stand for. */
	lists(api: Api): Promise<{ lists: PageReader[]; groups: string[] | null }>;
	/** How many pages of each list a first poll gets to know, and of one that a group joins. */
	depth: number;
	/** Entries stand by their dates, and may come with an older one: down to so many seconds ago it is looked for them. */
	lateSeconds?: number;
	/** The items of what was kept; undefined for those that are gone. */
	restore(kept: Array<Record<string, unknown>>, api: Api): Promise<Array<IDataObject | undefined>>;
}

/** Known entries are remembered up to this many. */
const MOST_KNOWN = 5_000;
/** More pages than this are not read in one poll. */
const MOST_PAGES = 400;

/** Watches lists that show the newest first, and only part of all that ever was. */
export class NewestFirstWatch implements Watch<NewestFirstCursor, NewestFirstSnapshot, NewEntry> {
	constructor(private readonly options: NewestFirstOptions) {}

	read(saved: unknown): NewestFirstCursor | undefined {
		return isCursor(saved) ? saved : undefined;
	}

	async snapshot(cursor: NewestFirstCursor | undefined, api: Api): Promise<NewestFirstSnapshot> {
		const { lists, groups } = await this.options.lists(api);
		const snapshot: NewestFirstSnapshot = { entries: [], groups, hasMore: false };
		for (const list of lists) await readList(list, cursor, this.options, api, snapshot);
		return snapshot;
	}

	failure(snapshot: NewestFirstSnapshot): unknown {
		return snapshot.failure;
	}

	baseline({ entries, groups, hasMore }: NewestFirstSnapshot, newest: number): NewestFirstCursor {
		if (newest === Infinity) return { known: '', floor: 0, groups };
		const all = numbered(entries);
		const wanted = all.filter(({ entry }) => entry.isWanted);
		const left = new Set(wanted.slice(newest > 0 ? -newest : all.length).map(({ id }) => id));
		const dates = entries.map(({ at }) => at).filter((at) => at !== undefined);
		const floor = hasMore && dates.length > 0 ? Math.min(...dates) : 0;
		const known = all.filter(({ id }) => !left.has(id)).map(({ id, entry }) => serialize(id, entry.at));
		return { known: known.join(';'), floor, groups };
	}

	detect(
		cursor: NewestFirstCursor,
		snapshot: NewestFirstSnapshot,
	): { events: NewEntry[]; cursor: NewestFirstCursor } {
		if (snapshot.failure !== undefined) return { events: [], cursor };
		const known = knownIn(cursor);
		const unknown = numbered(snapshot.entries).filter(
			({ id, entry }) => !known.has(fingerprint(id)) && !isOld(entry, cursor.floor),
		);
		const events = unknown
			.filter(({ entry }) => !hasJoined(entry, cursor))
			.map(({ id, entry: { at, kept, item, isWanted } }) => ({ id, at, kept, item, isWanted }));
		const joined = unknown.filter(({ entry }) => hasJoined(entry, cursor));
		const learnt = joined.map(({ id, entry }) => ({ id, at: entry.at }));
		return { events, cursor: { ...know(cursor, learnt), groups: snapshot.groups } };
	}

	/** What is not wanted becomes known in its turn: known entries above others would hide them. */
	async collect(events: NewEntry[], maximum: number): Promise<Collected<NewEntry>> {
		const collected: Collected<NewEntry> = { processed: [], handedOver: [], items: [] };
		for (const event of events) {
			const { id, at, kept, item, isWanted } = event;
			if (isWanted !== false && collected.items.length >= maximum) break;
			collected.processed.push(event);
			if (isWanted === false) continue;
			collected.handedOver.push({ id, at, kept });
			collected.items.push(itemOf(this.eventId(id), () => item?.() ?? {}));
		}
		return collected;
	}

	advance(cursor: NewestFirstCursor, processed: NewEntry[]): NewestFirstCursor {
		return know(cursor, processed);
	}

	async restore(handedOver: NewEntry[], api: Api): Promise<Item[]> {
		const kept = handedOver.map((event) => event.kept);
		const records = await this.options.restore(kept, api);
		return handedOver.flatMap(({ id }, place) => {
			const record = records[place];
			return record ? [itemOf(this.eventId(id), () => record)] : [];
		});
	}

	private eventId(id: string): string {
		return `${this.options.name}:${id}`;
	}
}

const fingerprint = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 9);

const knownIn = (cursor: NewestFirstCursor): Set<string> =>
	new Set(cursor.known === '' ? [] : cursor.known.split(';').map((entry) => entry.split('.')[0] ?? ''));

/** Entries with an id each, oldest first: alike ones are numbered from the oldest, several lists come as one. */
function numbered(entries: Entry[]): Array<{ id: string; entry: Entry }> {
	const counts = new Map<string, number>();
	const all = [...entries].reverse().map((entry) => {
		const number = counts.get(entry.key) ?? 0;
		counts.set(entry.key, number + 1);
		return { id: number === 0 ? entry.key : `${entry.key}#${number}`, entry };
	});
	return all.sort((a, b) => (a.entry.at ?? 0) - (b.entry.at ?? 0));
}

const isOld = ({ at }: Entry, floor: number): boolean => at !== undefined && floor > 0 && at <= floor;

/** Reads a list from its newest entries down to those that are no news, or as deep as a first poll goes. */
async function readList(
	list: PageReader,
	cursor: NewestFirstCursor | undefined,
	{ depth, lateSeconds }: NewestFirstOptions,
	api: Api,
	snapshot: NewestFirstSnapshot,
): Promise<void> {
	const now = clock.now() / 1000;
	const lateFrom = lateSeconds === undefined ? Infinity : now - lateSeconds;
	const known = cursor && knownIn(cursor);
	const own: Entry[] = [];
	for (let number = 1; ; number += 1) {
		const page = await list(number);
		own.push(...page.entries.map((entry) => notAfter(now, entry)));
		const hasMore = page.more && page.entries.length > 0;
		const mayHideMore =
			own.some((entry) => hasJoined(entry, cursor)) || (page.entries.at(-1)?.at ?? -Infinity) > lateFrom;
		const isDeep =
			cursor && known
				? isNoNews(own, page.entries, known, cursor) && (number >= depth || !mayHideMore)
				: number >= depth;
		if (!hasMore || isDeep) {
			snapshot.hasMore ||= hasMore;
			break;
		}
		if (number >= MOST_PAGES || !api.hasTime()) {
			if (known) snapshot.failure = tooMuch(api);
			snapshot.hasMore = true;
			break;
		}
	}
	snapshot.entries.push(...own);
}

/** Dates that are yet to come, as publishers write them, count as now: nothing stands above what comes later. */
const notAfter = (now: number, entry: Entry): Entry =>
	entry.at !== undefined && entry.at > now ? { ...entry, at: now } : entry;

const tooMuch = (api: Api): Error =>
	api.refuse(
		'Trigger On',
		'more is new than one poll has time to read',
		'Poll more often. To begin anew with what is there now, give the node another name',
	);

/** Whether a page holds nothing new, nor ends amid entries that are alike. */
function isNoNews(all: Entry[], page: Entry[], known: Set<string>, cursor: NewestFirstCursor): boolean {
	const last = page.at(-1)?.key;
	if (all.filter(({ key }) => key === last).length > 1) return false;
	const own = new Set(page);
	return numbered(all)
		.filter(({ entry }) => own.has(entry))
		.every(
			({ id, entry }) => known.has(fingerprint(id)) || isOld(entry, cursor.floor) || hasJoined(entry, cursor),
		);
}

/** Whether an entry's group was not there before: what it brings along is not new. */
const hasJoined = ({ group }: Entry, cursor: NewestFirstCursor | undefined): boolean =>
	cursor !== undefined && cursor.groups !== null && group !== undefined && !cursor.groups.includes(group);

const serialize = (id: string, at: number | undefined): string =>
	`${fingerprint(id)}.${at === undefined ? '' : Math.max(Math.floor(at), 0)}`;

/** The cursor that knows these as well. Of too many the oldest are dropped; what is no newer counts as known. */
function know(cursor: NewestFirstCursor, learnt: Array<{ id: string; at?: number }>): NewestFirstCursor {
	if (learnt.length === 0) return cursor;
	const entries = cursor.known === '' ? [] : cursor.known.split(';');
	entries.push(...learnt.map(({ id, at }) => serialize(id, at)));
	const excess = Math.max(entries.length - MOST_KNOWN, 0);
	const dates = entries.slice(0, excess).map((entry) => Number(entry.split('.')[1] ?? 0));
	return { ...cursor, known: entries.slice(excess).join(';'), floor: Math.max(cursor.floor, ...dates) };
}

const isCursor = (saved: unknown): saved is NewestFirstCursor =>
	isRecord(saved) &&
	typeof saved.known === 'string' &&
	(saved.known === '' || saved.known.split(';').every((entry) => /^[\w-]{9}\.\d*$/.test(entry))) &&
	typeof saved.floor === 'number' &&
	(saved.groups === null || Array.isArray(saved.groups));
