import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { clock } from '../../runtime/clock';
import {
	triggerItem,
	triggerItems,
	type Found,
	type TriggerItem,
	type Watch,
} from '../../runtime/table/event';
import { MAX_READINGS } from '../../runtime/transport/lists';
import { oneListAtATime } from '../model/story-lists';
import { KnownEntries, type ListEntry, type SavedOrigins } from './known-entries';

/**
 * The second idea of an event: a list with the newest entries first is read from the newest entry down to a known one.
 * What the trigger remembers:
 *
 *     newest                                                            oldest
 *     │  new, read until  │  known: fingerprints of      │  older: dated up to  │
 *     │  a page is known  │  the last entries            │  `until`             │
 *
 * - An entry is new if it is unknown, its date (if it has one) is after `until`, and its origin has not just joined.
 * - An entry becomes known when it is emitted or dropped by a filter, or when its origin joins the list.
 *
 * For example, with one origin and two known entries, each with its fingerprint and date:
 *
 *     { origins: { '': { known: [['q3k0vX1bD', 1790000000], ['Zb29e_Ksa', 1790000300]], until: 0 } },
 *       unwatched: [] }
 */
export interface NewestFirstCursor {
	/** By origin: the user or search that entries belong to. When an origin joins the list for the first time, its entries are not new. */
	origins: SavedOrigins;
	/** The origins that cannot be read: n8n's log has said so. */
	unwatched: string[];
}

export interface Entry extends ListEntry {
	passesFilters: boolean;
	item(): IDataObject | Promise<IDataObject>;
	/** What is saved to emit the entry again. */
	kept: Record<string, unknown>;
}

export type PageReader = (page: number) => Promise<{ entries: Entry[]; more: boolean }>;

export interface NewestFirstOptions {
	idPrefix: string;
	lists(api: Api): Promise<WatchedLists>;
	/** How many pages of a list are read in the first poll and after an origin joins the list, and at most for late entries. */
	depth: number;
	/** For lists sorted by date: a new entry may be up to this many seconds old when it appears, below newer ones. */
	lateSeconds?: number;
	/** The server keeps one list of this kind for each account: two are never read at the same time. */
	sharedServerList?: 'river' | 'shared';
	/** For each saved entry, the function that makes its item from `kept`; undefined for an entry that no longer exists. */
	restore(kept: Array<Record<string, unknown>>, api: Api): Promise<Array<Entry['item'] | undefined>>;
}

/** A list, and the origins that its entries can have. */
interface WatchedList {
	origins: string[];
	readPage: PageReader;
}

/** Lists, which are read one after another. */
export interface WatchedLists {
	lists: WatchedList[];
	/** Origins that cannot be read, and why: a sentence for n8n's log. */
	unwatched?: Record<string, string>;
}

interface Snapshot {
	lists: ReadList[];
	origins: string[];
	unwatched: string[];
}

/** The entries of a list that were read, newest first, and whether more follow them. */
interface ReadList {
	entries: Entry[];
	more: boolean;
}

type Emitted = Pick<Entry, 'key' | 'kept'>;

const MAX_PAGES = 100;

export class NewestFirstWatch implements Watch<NewestFirstCursor, Snapshot, Emitted> {
	constructor(private readonly options: NewestFirstOptions) {}

	async snapshot(cursor: NewestFirstCursor | undefined, api: Api): Promise<Snapshot> {
		const { lists, unwatched = {} } = await this.options.lists(api);
		for (const [origin, reason] of Object.entries(unwatched)) {
			if (!cursor?.unwatched.includes(origin)) api.hint(reason);
		}
		const { sharedServerList: kind } = this.options;
		const known = new KnownEntries(cursor?.origins ?? {});
		const allRead: ReadList[] = [];
		for (const list of lists) {
			const read = async () => await new ListReader(list, this.options, known, api).read();
			allRead.push(kind ? await oneListAtATime(kind, api, read) : await read());
		}
		const origins = lists.flatMap((list) => list.origins);
		return { lists: allRead, origins, unwatched: Object.keys(unwatched) };
	}

	/**
	 * Reading ends at a page without new entries. So here and in `next`, an entry that the filters drop becomes known after the
	 * older ones that are to be emitted: otherwise later polls would not reach these.
	 */
	baseline(snapshot: Snapshot, emitCount: number): NewestFirstCursor {
		const all = oldestFirst(snapshot);
		const [oldestToEmit] =
			emitCount > 0 ? all.filter(({ passesFilters }) => passesFilters).slice(-emitCount) : [];
		const older = oldestToEmit ? all.slice(0, all.indexOf(oldestToEmit)) : all;
		const olderKeys = new Set(older.map(({ key }) => key));
		const known = new KnownEntries({});
		for (const origin of snapshot.origins)
			addOrigin(known, origin, snapshot, ({ key }) => olderKeys.has(key));
		return { origins: known.saved(), unwatched: snapshot.unwatched };
	}

	async next(
		cursor: NewestFirstCursor,
		snapshot: Snapshot,
		maximum: number,
	): Promise<Found<NewestFirstCursor, Emitted>> {
		const known = new KnownEntries(cursor.origins);
		const found = oldestFirst(snapshot).filter((entry) => known.isNew(entry));
		for (const origin of snapshot.origins)
			if (!known.has(origin)) addOrigin(known, origin, snapshot, () => true);
		const items: TriggerItem[] = [];
		const emitted: Emitted[] = [];
		for (const entry of found) {
			const { key, kept, passesFilters } = entry;
			if (passesFilters && items.length >= maximum) break;
			known.add(entry);
			if (!passesFilters) continue;
			emitted.push({ key, kept });
			items.push(await triggerItem(this.eventId(key), async () => await entry.item()));
		}
		return { items, emitted, cursor: { origins: known.saved(), unwatched: snapshot.unwatched } };
	}

	async restore(emitted: Emitted[], api: Api): Promise<TriggerItem[]> {
		const kept = emitted.map((entry) => entry.kept);
		const makers = await this.options.restore(kept, api);
		return await triggerItems(
			emitted.map(({ key }, index) => ({ eventId: this.eventId(key), make: makers[index] })),
		);
	}

	private eventId(key: string): string {
		return `${this.options.idPrefix}:${key}`;
	}
}

/**
 * Adds an origin. Known are those of its entries that `isKnown` accepts and, if a dated list goes on, all that are older than
 * what was read.
 */
function addOrigin(
	known: KnownEntries,
	origin: string,
	{ lists }: Snapshot,
	isKnown: (entry: Entry) => boolean,
): void {
	const ofOrigin = ({ entries }: ReadList): Entry[] => entries.filter((entry) => entry.origin === origin);
	const all = lists.flatMap(ofOrigin).reverse();
	const dates = lists.filter(({ more }) => more).flatMap((list) => ofOrigin(list).map(({ at }) => at ?? 0));
	const oldest = dates.length > 0 ? Math.min(...dates) : 0;
	// An entry that is not known must be newer than this date.
	known.join(origin, all.every(isKnown) ? oldest : oldest - 1);
	for (const entry of all) if (isKnown(entry)) known.add(entry);
}

/** All entries, each once, by date. Those without a date come first, in the order of their list. */
const oldestFirst = ({ lists }: Snapshot): Entry[] => {
	const entries = lists.flatMap((list) => list.entries).reverse();
	const distinct = new Map(entries.map((entry) => [entry.key, entry]));
	return [...distinct.values()].sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
};

/** Reads one list from the newest entry down to a known one. */
class ListReader {
	private readonly now = clock.now() / 1000;
	/** Whether an origin joins, so that the list is read as deep as in a first poll: its entries must become known. */
	private readonly joins: boolean;

	constructor(
		private readonly list: WatchedList,
		private readonly options: NewestFirstOptions,
		private readonly known: KnownEntries,
		private readonly api: Api,
	) {
		this.joins = list.origins.some((origin) => !known.has(origin));
	}

	/** Reads the list again if entries move between its pages meanwhile. */
	async read(): Promise<ReadList> {
		for (let readings = 1; ; readings += 1) {
			const { pages, more, isCut } = await this.readDown();
			const isLast = isCut || readings === MAX_READINGS || !this.api.hasTime();
			if (!isLast && (await this.hasMoved(pages))) continue;
			if (isCut) {
				this.api.hint(
					`Older events were skipped: this poll read ${pages.length} pages of new entries, and more follow`,
				);
			}
			return { entries: pages.flat(), more };
		}
	}

	/** Reads pages until one has nothing new, or until the poll has read as many as it can. */
	private async readDown(): Promise<{ pages: Entry[][]; more: boolean; isCut: boolean }> {
		const pages: Entry[][] = [];
		for (;;) {
			const { entries, more } = await this.list.readPage(pages.length + 1);
			pages.push(entries.map((entry) => this.notInFuture(entry)));
			if (!more || this.isEnough(pages)) return { pages, more, isCut: false };
			if (pages.length >= MAX_PAGES || !this.api.hasTime()) {
				return { pages, more, isCut: pages.some((page) => this.hasNew(page)) };
			}
		}
	}

	/** Whether the reading may end: the last page has nothing new, and nothing new may follow within `depth` pages. */
	private isEnough(pages: Entry[][]): boolean {
		const last = pages.at(-1) ?? [];
		// The service hid all stories of an empty page, or all are of others. It does not show how the list goes on.
		if (last.length === 0 || this.hasNew(last)) return false;
		return pages.length >= this.options.depth || !(this.joins || this.lateMayFollow(pages));
	}

	/** Whether late entries may follow known ones. */
	private lateMayFollow(pages: Entry[][]): boolean {
		const { lateSeconds = 0 } = this.options;
		const last = pages.at(-1)?.at(-1)?.at ?? -Infinity;
		return lateSeconds > 0 && last > this.now - lateSeconds;
	}

	/**
	 * Whether an entry was removed while pages were read: then the first entry of the next page was skipped, and a page is
	 * different when it is read again. That matters only if one of the two pages has a new entry. (A page is also different if an
	 * entry was added, which the second reading finds.)
	 */
	private async hasMoved(pages: Entry[][]): Promise<boolean> {
		for (let index = pages.length - 2; index >= 0; index -= 1) {
			if (!this.hasNew(pages[index]) && !this.hasNew(pages[index + 1])) continue;
			if (!this.api.hasTime()) return false;
			const { entries } = await this.list.readPage(index + 1);
			if (keysOf(entries) !== keysOf(pages[index] ?? [])) return true;
		}
		return false;
	}

	private hasNew(page: Entry[] = []): boolean {
		return page.some((entry) => this.known.isNew(entry));
	}

	/** Publishers date some stories in the future. Those count as current: otherwise stories that follow would seem older. */
	private notInFuture(entry: Entry): Entry {
		return entry.at !== undefined && entry.at > this.now ? { ...entry, at: this.now } : entry;
	}
}

const keysOf = (entries: Entry[]): string => JSON.stringify(entries.map(({ key }) => key));
