import type { IDataObject } from 'n8n-workflow';
import { isRefusal } from '../../runtime/errors/errors';
import { settled } from '../../runtime/values';
import type { Api } from '../../runtime/table/operation';
import { clock } from '../../runtime/transport/throttle';
import {
	fingerprint,
	hasJoined,
	isOlderThan,
	knownIn,
	numbered,
	oldestKnown,
	type Entry,
	type NewestFirstCursor,
} from './newest-first-cursor';

/** Reads one page of a list. */
export type PageReader = (page: number) => Promise<{ entries: Entry[]; more: boolean }>;

export interface NewestFirstOptions {
	/** The beginning of its event ids. */
	name: string;
	/** The lists to read, one after another, and the groups of their entries. */
	lists(api: Api): Promise<{ lists: PageReader[]; groups: string[] | null }>;
	/** The kind of lists that the server keeps one of for each account: they are read one after the other. */
	sharedServerList?: 'river' | 'shared';
	/** How many pages of each list the first poll reads, and of a list that a group joins. */
	depth: number;
	/** For lists sorted by date: entries may come this many seconds late, among older ones. */
	lateSeconds?: number;
	/** Makes items of what was kept; undefined for entries that no longer exist. */
	restore(kept: Array<Record<string, unknown>>, api: Api): Promise<Array<IDataObject | undefined>>;
}

/** What a poll read of a list. */
export interface ListReading {
	/** Newest first. */
	entries: Entry[];
	/** Whether the list continues after them. */
	hasMore: boolean;
	/** If more is new than a poll can read, the last page without a known entry; otherwise 0. */
	backlogPage: number;
}

/** The pages from `first` on that were read in one go. */
interface Reading {
	first: number;
	pages: Entry[][];
	hasMore: boolean;
	/** Whether reading stopped before a known entry. */
	isCutShort: boolean;
}

/** If no known entry is within these pages, the poll continues with the oldest new entries. */
const MAX_PAGES = 100;
/** How many pages of a backlog one poll reads. */
const BACKLOG_PAGES = 20;
/** How often a list is read again that changes meanwhile. */
const MAX_READINGS = 3;

/** Reads what is new in a list: all of it, or the oldest part if that is too much for one poll. */
export async function readList(
	list: PageReader,
	cursor: NewestFirstCursor | undefined,
	options: NewestFirstOptions,
	api: Api,
	backlogPage = 0,
): Promise<ListReading> {
	if (cursor && backlogPage > 0) return await readBacklog(list, cursor, options, api, backlogPage);
	const { pages, hasMore, isCutShort } = await readStable(list, cursor, options, api);
	if (!cursor || !isCutShort) return { entries: pages.flat(), hasMore, backlogPage: 0 };
	api.hint('One poll cannot read all that is new: the next polls emit the rest, oldest first');
	return await readBacklog(list, cursor, options, api, pages.length);
}

/**
 * Reads the oldest new entries, which are just above the known ones:
 *
 *     page 1 ······· new ······· │ BACKLOG_PAGES ▼ │ known ······
 *                      backlogPage (last page without a known entry)
 */
async function readBacklog(
	list: PageReader,
	cursor: NewestFirstCursor,
	options: NewestFirstOptions,
	api: Api,
	backlogPage: number,
): Promise<ListReading> {
	const { below, above } = await findKnown(list, cursor, options, api, backlogPage);
	if (above - below > 1) return { entries: [], hasMore: true, backlogPage: Math.max(below, 1) };
	const first = Math.max(above - BACKLOG_PAGES, 1);
	const { pages, hasMore, isCutShort } = await readStable(list, cursor, options, api, first);
	if (isCutShort) throw tooSlow(api);
	return { entries: pages.flat(), hasMore, backlogPage: first === 1 ? 0 : below };
}

/**
 * Searches for the first page with a known entry, from `hint` on. No entry is known up to page `below`, one is known on
 * page `above`; they are not neighbors if time runs out.
 */
async function findKnown(
	list: PageReader,
	cursor: NewestFirstCursor,
	{ depth }: NewestFirstOptions,
	api: Api,
	hint: number,
): Promise<{ below: number; above: number }> {
	const known = knownIn(cursor);
	const oldest = oldestKnown(cursor);
	const isKnown = (entry: Entry): boolean => known.has(fingerprint(entry.key)) || isOlderThan(entry, oldest);
	let below = 0;
	let above = Infinity;
	let step = Math.max(Math.floor(depth / 2), 1);
	for (let page = hint; above - below > 1;) {
		const entries = await pageEntries(list, page);
		if (entries.length === 0 || entries.some(isKnown)) above = page;
		else below = page;
		if (!api.hasTime()) break;
		// Without dates, only the entries of the last polls are known: a wider step could miss them.
		if (entries.every(({ at }) => at !== undefined)) step *= 2;
		page = above === Infinity ? below + step : Math.floor((below + above) / 2);
	}
	return { below, above };
}

/** The entries of a page; none if the service refuses it, as it does beyond its last page. */
async function pageEntries(list: PageReader, page: number): Promise<Entry[]> {
	const read = await settled(list(page));
	if ('value' in read) return read.value.entries;
	if (isRefusal(read.error)) return [];
	throw read.error;
}

/** Reads pages again if entries moved meanwhile. */
async function readStable(
	list: PageReader,
	cursor: NewestFirstCursor | undefined,
	options: NewestFirstOptions,
	api: Api,
	first = 1,
): Promise<Reading> {
	for (let readings = 1; ; readings += 1) {
		const reading = await readDown(list, cursor, options, api, first);
		if (!(await hasMoved(list, reading, cursor, api))) return reading;
		if (readings === MAX_READINGS || !api.hasTime()) {
			return { ...reading, pages: withoutRepeats(reading.pages) };
		}
	}
}

/** Reads down to a page without new entries, or as deep as a first poll reads. */
async function readDown(
	list: PageReader,
	cursor: NewestFirstCursor | undefined,
	{ depth, lateSeconds }: NewestFirstOptions,
	api: Api,
	first: number,
): Promise<Reading> {
	// Entries dated later than `latest` count as new, even if our clock was set back.
	const latest = Math.max(clock.now() / 1000, (cursor?.knownUntil ?? 0) + 1);
	const lateFrom = lateSeconds === undefined ? Infinity : latest - lateSeconds;
	const known = cursor && knownIn(cursor);
	const pages: Entry[][] = [];
	for (let number = first; ; number += 1) {
		const { entries, more } = await list(number);
		const page = entries.map((entry) => notAfter(latest, entry));
		pages.push(page);
		const all = pages.flat();
		const hasMore = more && page.length > 0;
		const mayHideMore =
			all.some((entry) => hasJoined(entry, cursor)) || (page.at(-1)?.at ?? -Infinity) > lateFrom;
		const isDeep =
			cursor && known
				? isAllKnown(all, page, known, cursor) && (number >= depth || !mayHideMore)
				: number >= depth;
		if (!hasMore || isDeep) return { first, pages, hasMore, isCutShort: false };
		if (pages.length >= MAX_PAGES || !api.hasTime()) {
			return { first, pages, hasMore: true, isCutShort: true };
		}
	}
}

/**
 * Whether entries moved between pages while they were read: then a page that is read again is different. A new entry
 * repeats one on the next page; a removed one hides one between two pages, which matters only where something is new.
 */
async function hasMoved(
	list: PageReader,
	{ first, pages }: Reading,
	cursor: NewestFirstCursor | undefined,
	api: Api,
): Promise<boolean> {
	const hasRepeats = withoutRepeats(pages).flat().length < pages.flat().length;
	const hasNew = pages.map((page) => cursor !== undefined && page.some(isNewTo(cursor)));
	for (let place = pages.length - 2; place >= 0; place -= 1) {
		if (!hasRepeats && !hasNew[place] && !hasNew[place + 1]) continue;
		if (!api.hasTime()) return hasRepeats;
		const { entries } = await list(first + place);
		if (keysOf(entries) !== keysOf(pages[place] ?? [])) return true;
	}
	return false;
}

/** Whether a cursor doesn't know an entry, however often it occurs. */
function isNewTo(cursor: NewestFirstCursor): (entry: Entry) => boolean {
	const known = knownIn(cursor);
	return (entry) =>
		!known.has(fingerprint(entry.key)) && !isOlderThan(entry, cursor.knownUntil) && !hasJoined(entry, cursor);
}

const keysOf = (entries: Entry[]): string => JSON.stringify(entries.map(({ key }) => key));

/** Pages without the entries that an earlier page contains. */
function withoutRepeats(pages: Entry[][]): Entry[][] {
	const former = new Set<string>();
	return pages.map((page) => {
		const fresh = page.filter(({ key }) => !former.has(key));
		for (const { key } of page) former.add(key);
		return fresh;
	});
}

/** Publishers date some stories in the future. They count as current: otherwise later ones would seem older. */
const notAfter = (latest: number, entry: Entry): Entry =>
	entry.at !== undefined && entry.at > latest ? { ...entry, at: latest } : entry;

const tooSlow = (api: Api): Error =>
	api.apiError(
		`The service is too slow: one poll could not read ${BACKLOG_PAGES} pages`,
		'Nothing is lost: the next poll tries again.',
	);

/** Whether a page contains nothing new. One that ends amid equal entries may. */
function isAllKnown(all: Entry[], page: Entry[], known: Set<string>, cursor: NewestFirstCursor): boolean {
	const last = page.at(-1)?.key;
	if (all.filter(({ key }) => key === last).length > 1) return false;
	const own = new Set(page);
	return numbered(all)
		.filter(({ entry }) => own.has(entry))
		.every(
			({ id, entry }) =>
				known.has(fingerprint(id)) || isOlderThan(entry, cursor.knownUntil) || hasJoined(entry, cursor),
		);
}
