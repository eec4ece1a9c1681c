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
import { KnownEntries, type ListEntry, type SavedSources } from './known-entries';

/**
 * The second idea of an event: a list with the newest entries first is read from the newest entry down to a known one.
 * What the trigger remembers:
 *
 *     newest                                                            oldest
 *     │  new, read until  │  known: fingerprints of      │  older: dated up to  │
 *     │  a page is known  │  the last entries            │  `until`             │
 *
 * - An entry is new if it is unknown, its date (if it has one) is after `until`, and its source has not just joined.
 * - An entry becomes known when it is emitted or dropped by a filter, or when its source joins the list.
 *
 * For example, with one source and two known entries, `fingerprint.seconds`:
 *
 *     { sources: { '': { known: 'q3k0vX1bD.1790000000;Zb29e_Ksa.1790000300', until: 0 } }, unwatched: [] }
 */
export interface NewestFirstCursor {
	/** By source: the user or search that entries belong to. When a source joins the list for the first time, its entries are not new. */
	sources: SavedSources;
	/** The sources that cannot be read: n8n's log has said so. */
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
	/** How many pages of a list are read in the first poll and after a source joins the list, and at most for late entries. */
	depth: number;
	/** For lists sorted by date: a new entry may be up to this many seconds old when it appears, below newer ones. */
	lateSeconds?: number;
	/** The server keeps one list of this kind for each account: two are never read at the same time. */
	sharedServerList?: 'river' | 'shared';
	/** Makes the items of saved entries, from their `kept`; undefined for an entry that no longer exists. */
	restore(kept: Array<Record<string, unknown>>, api: Api): Promise<Array<Entry['item'] | undefined>>;
}

/** Lists, which are read one after another, and the sources of their entries. */
export interface WatchedLists {
	lists: PageReader[];
	sources: string[];
	/** Sources that cannot be read, and why: a sentence for n8n's log. */
	unwatched?: Record<string, string>;
}

interface Snapshot {
	lists: ReadList[];
	sources: string[];
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
		const { lists, sources, unwatched = {} } = await this.options.lists(api);
		for (const [source, reason] of Object.entries(unwatched)) {
			if (!cursor?.unwatched.includes(source)) api.hint(reason);
		}
		const { sharedServerList: kind } = this.options;
		const known = cursor && new KnownEntries(cursor.sources);
		const allRead: ReadList[] = [];
		for (const readPage of lists) {
			const read = async () => await new ListReader(readPage, this.options, known, api).read();
			allRead.push(kind ? await oneListAtATime(kind, api, read) : await read());
		}
		return { lists: allRead, sources, unwatched: Object.keys(unwatched) };
	}

	/** Here and in `next`, a dropped entry becomes known after the events below it: known first, it would hide them. */
	baseline(snapshot: Snapshot, emitCount: number): NewestFirstCursor {
		const all = oldestFirst(snapshot);
		const [first] = emitCount > 0 ? all.filter(({ passesFilters }) => passesFilters).slice(-emitCount) : [];
		const older = new Set(all.slice(0, first && all.indexOf(first)).map(({ key }) => key));
		const known = new KnownEntries({});
		for (const source of snapshot.sources) join(known, source, snapshot, ({ key }) => older.has(key));
		return { sources: known.saved(), unwatched: snapshot.unwatched };
	}

	async next(
		cursor: NewestFirstCursor,
		snapshot: Snapshot,
		maximum: number,
	): Promise<Found<NewestFirstCursor, Emitted>> {
		const known = new KnownEntries(cursor.sources);
		const found = oldestFirst(snapshot).filter((entry) => known.isNew(entry));
		for (const source of snapshot.sources) if (!known.has(source)) join(known, source, snapshot, () => true);
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
		return { items, emitted, cursor: { sources: known.saved(), unwatched: snapshot.unwatched } };
	}

	async restore(emitted: Emitted[], api: Api): Promise<TriggerItem[]> {
		const kept = emitted.map((entry) => entry.kept);
		const makers = await this.options.restore(kept, api);
		return await triggerItems(
			emitted.map(({ key }) => this.eventId(key)),
			makers,
		);
	}

	private eventId(key: string): string {
		return `${this.options.idPrefix}:${key}`;
	}
}

/** Adds a source. Known are the entries that `isKnown` accepts, and all below those that were read of a longer list. */
function join(
	known: KnownEntries,
	source: string,
	{ lists }: Snapshot,
	isKnown: (entry: Entry) => boolean,
): void {
	const ofSource = ({ entries }: ReadList): Entry[] => entries.filter((entry) => entry.source === source);
	const all = lists.flatMap(ofSource).reverse();
	const dates = lists.filter(({ more }) => more).flatMap((list) => ofSource(list).map(({ at }) => at ?? 0));
	const oldest = dates.reduce((least, at) => Math.min(least, at), Infinity);
	// An entry that is not known must be newer than this date.
	const until = all.every(isKnown) ? oldest : oldest - 1;
	known.join(source, oldest === Infinity ? 0 : until);
	for (const entry of all) if (isKnown(entry)) known.add(entry);
}

/** All entries, each once, by date; entries without a date keep the order of their list. */
const oldestFirst = ({ lists }: Snapshot): Entry[] => {
	const entries = lists.flatMap((list) => list.entries).reverse();
	const distinct = new Map(entries.map((entry) => [entry.key, entry]));
	return [...distinct.values()].sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
};

/** Reads one list from the newest entry down to a known one. */
class ListReader {
	private readonly now = clock.now() / 1000;

	constructor(
		private readonly readPage: PageReader,
		private readonly options: NewestFirstOptions,
		/** Undefined in the first poll. */
		private readonly known: KnownEntries | undefined,
		private readonly api: Api,
	) {}

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
			const { entries, more } = await this.readPage(pages.length + 1);
			pages.push(entries.map((entry) => this.notInFuture(entry)));
			if (!more || this.isEnough(pages)) return { pages, more, isCut: false };
			if (pages.length >= MAX_PAGES || !this.api.hasTime()) {
				return { pages, more, isCut: this.known !== undefined };
			}
		}
	}

	/** Whether the reading may end: the last page has nothing new, and nothing new may follow within `depth` pages. */
	private isEnough(pages: Entry[][]): boolean {
		const last = pages.at(-1) ?? [];
		// The service hid all stories of an empty page. It does not show how the list goes on.
		if (last.length === 0 || this.hasNew(last)) return false;
		return pages.length >= this.options.depth || (this.known !== undefined && !this.newMayFollow(pages));
	}

	/** Whether new entries may follow known ones: late entries, or those of a source that has joined the list. */
	private newMayFollow(pages: Entry[][]): boolean {
		const { lateSeconds = 0 } = this.options;
		const last = pages.at(-1)?.at(-1)?.at ?? -Infinity;
		if (lateSeconds > 0 && last > this.now - lateSeconds) return true;
		return pages.flat().some(({ source }) => this.known?.has(source) === false);
	}

	/**
	 * Whether an entry was removed while pages were read: then the first entry of the next page was skipped, and a page is
	 * different when it is read again. That matters only if one of the two pages has a new entry. An entry that was added
	 * comes with the next poll.
	 */
	private async hasMoved(pages: Entry[][]): Promise<boolean> {
		for (let index = pages.length - 2; index >= 0; index -= 1) {
			if (!this.hasNew(pages[index]) && !this.hasNew(pages[index + 1])) continue;
			if (!this.api.hasTime()) return false;
			const { entries } = await this.readPage(index + 1);
			if (keysOf(entries) !== keysOf(pages[index] ?? [])) return true;
		}
		return false;
	}

	private hasNew(page: Entry[] = []): boolean {
		return page.some((entry) => this.known?.isNew(entry) === true);
	}

	/** Publishers date some stories in the future. Those count as current: otherwise stories that follow would seem older. */
	private notInFuture(entry: Entry): Entry {
		return entry.at !== undefined && entry.at > this.now ? { ...entry, at: this.now } : entry;
	}
}

const keysOf = (entries: Entry[]): string => JSON.stringify(entries.map(({ key }) => key));
