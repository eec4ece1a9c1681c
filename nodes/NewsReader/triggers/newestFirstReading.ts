import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/table/operation';
import { clock } from '../../runtime/transport/rateLimit';
import {
	fingerprint,
	hasJoined,
	isOld,
	knownIn,
	numbered,
	type Entry,
	type NewestFirstCursor,
} from './newestFirstCursor';

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

/** More pages than this are not read in one poll. */
const MOST_PAGES = 400;

/** A list as it was read: its pages, and whether it goes on after them. */
interface Reading {
	pages: Entry[][];
	hasMore: boolean;
	/** More was new than the poll had time to read. */
	isCutShort: boolean;
}

/** A list that moves while it is read is read anew, so often at most. */
const MOST_READINGS = 3;

/** Reads a list whose entries may move from page to page meanwhile. */
export async function readList(
	list: PageReader,
	cursor: NewestFirstCursor | undefined,
	options: NewestFirstOptions,
	api: Api,
): Promise<{ entries: Entry[]; hasMore: boolean; failure?: unknown }> {
	let reading = await readDown(list, cursor, options, api);
	for (let readings = 1; await hasMoved(list, reading.pages, cursor, api); readings += 1) {
		if (readings === MOST_READINGS || !api.hasTime()) {
			reading = { ...reading, pages: withoutRepeats(reading.pages) };
			break;
		}
		reading = await readDown(list, cursor, options, api);
	}
	const { pages, hasMore, isCutShort } = reading;
	return { entries: pages.flat(), hasMore, ...(isCutShort && cursor && { failure: tooMuch(api) }) };
}

/** Reads from the newest entries down to those that are no news, or as deep as a first poll goes. */
async function readDown(
	list: PageReader,
	cursor: NewestFirstCursor | undefined,
	{ depth, lateSeconds }: NewestFirstOptions,
	api: Api,
): Promise<Reading> {
	const now = clock.now() / 1000;
	const lateFrom = lateSeconds === undefined ? Infinity : now - lateSeconds;
	const known = cursor && knownIn(cursor);
	const pages: Entry[][] = [];
	for (let number = 1; ; number += 1) {
		const { entries, more } = await list(number);
		const page = entries.map((entry) => notAfter(now, entry));
		pages.push(page);
		const all = pages.flat();
		const hasMore = more && page.length > 0;
		const mayHideMore =
			all.some((entry) => hasJoined(entry, cursor)) || (page.at(-1)?.at ?? -Infinity) > lateFrom;
		const isDeep =
			cursor && known
				? isNoNews(all, page, known, cursor) && (number >= depth || !mayHideMore)
				: number >= depth;
		if (!hasMore || isDeep) return { pages, hasMore, isCutShort: false };
		if (number >= MOST_PAGES || !api.hasTime()) return { pages, hasMore: true, isCutShort: true };
	}
}

/**
 * Whether entries moved from page to page while they were read: a page that is read again is another. An arrival
 * repeats an entry on the next page; a removal hides one between two pages, which matters where there is news.
 */
async function hasMoved(
	list: PageReader,
	pages: Entry[][],
	cursor: NewestFirstCursor | undefined,
	api: Api,
): Promise<boolean> {
	const hasRepeats = withoutRepeats(pages).flat().length < pages.flat().length;
	const hasNews = pages.map((page) => cursor !== undefined && page.some(newsTo(cursor)));
	for (let number = pages.length - 1; number >= 1; number -= 1) {
		if (!hasRepeats && !hasNews[number - 1] && !hasNews[number]) continue;
		if (!api.hasTime()) return hasRepeats;
		const { entries } = await list(number);
		if (keysOf(entries) !== keysOf(pages[number - 1] ?? [])) return true;
	}
	return false;
}

/** Whether a cursor doesn't know an entry, however often it occurs. */
function newsTo(cursor: NewestFirstCursor): (entry: Entry) => boolean {
	const known = knownIn(cursor);
	return (entry) =>
		!known.has(fingerprint(entry.key)) && !isOld(entry, cursor.floor) && !hasJoined(entry, cursor);
}

const keysOf = (entries: Entry[]): string => JSON.stringify(entries.map(({ key }) => key));

/** Pages without the entries that an earlier page had. */
function withoutRepeats(pages: Entry[][]): Entry[][] {
	const former = new Set<string>();
	return pages.map((page) => {
		const fresh = page.filter(({ key }) => !former.has(key));
		for (const { key } of page) former.add(key);
		return fresh;
	});
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
