import type { Api } from '../../runtime/api-types';
import {
	triggerItem,
	triggerItems,
	type Found,
	type TriggerItem,
	type Watch,
} from '../../runtime/table/event';
import { oneListAtATime } from '../model/story-lists';
import { KnownEntries, type SavedOrigins } from './known-entries';
import { ListReader, type Entry, type ReadingDepth, type ReadList, type WatchedList } from './list-reader';

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
 *       unwatched: [], waits: false }
 */
export interface NewestFirstCursor {
	/** By origin: the user or search that entries belong to. When an origin joins a list, its entries are not new. */
	origins: SavedOrigins;
	/** The origins that cannot be read: n8n's log has said so. */
	unwatched: string[];
	/** Whether events wait for the next poll. Known entries can be above them: those of an origin that joined meanwhile. */
	waits: boolean;
}

export interface NewestFirstOptions extends ReadingDepth {
	idPrefix: string;
	lists(api: Api): Promise<WatchedLists>;
	/** The server keeps one list of this kind for each account: two are never read at the same time. */
	sharedServerList?: 'river' | 'shared';
	/** For each saved entry, the function that makes its item from `kept`; undefined for an entry that no longer exists. */
	restore(kept: Array<Record<string, unknown>>, api: Api): Promise<Array<Entry['item'] | undefined>>;
}

/** Lists, which are read one after another. */
export interface WatchedLists {
	lists: WatchedList[];
	/** Origins that cannot be read, and why: a sentence for n8n's log. */
	unwatched?: Record<string, string>;
}

interface Snapshot {
	lists: ReadList[];
	unwatched: string[];
}

type Emitted = Pick<Entry, 'key' | 'kept'>;

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
			const isDeep = cursor?.waits === true || list.origins.some((origin) => !known.has(origin));
			const read = async () => await new ListReader(list, this.options, isDeep, known, api).read();
			allRead.push(kind ? await oneListAtATime(kind, api, read) : await read());
		}
		return { lists: allRead, unwatched: Object.keys(unwatched) };
	}

	/**
	 * Known is what is older than the oldest entry to emit. Newer entries that the filters drop stay unknown here, so that the
	 * next poll does not stop reading above the entries to emit.
	 */
	baseline(snapshot: Snapshot, emitCount: number): NewestFirstCursor {
		const all = oldestFirst(snapshot);
		const [oldestToEmit] =
			emitCount > 0 ? all.filter(({ passesFilters }) => passesFilters).slice(-emitCount) : [];
		const older = oldestToEmit ? all.slice(0, all.indexOf(oldestToEmit)) : all;
		const olderKeys = new Set(older.map(({ key }) => key));
		const known = new KnownEntries({});
		joinNewOrigins(known, snapshot, ({ key }) => olderKeys.has(key));
		return { origins: known.saved(), unwatched: snapshot.unwatched, waits: false };
	}

	async next(
		cursor: NewestFirstCursor,
		snapshot: Snapshot,
		maximum: number,
	): Promise<Found<NewestFirstCursor, Emitted>> {
		const known = new KnownEntries(cursor.origins);
		const newEntries: Entry[] = [];
		for (const entry of oldestFirst(snapshot)) {
			if (known.isNew(entry)) newEntries.push(entry);
			// What is read again is forgotten last.
			else known.add(entry);
		}
		joinNewOrigins(known, snapshot, () => true);
		const items: TriggerItem[] = [];
		const emitted: Emitted[] = [];
		let waits = false;
		for (const entry of newEntries) {
			const { key, kept, passesFilters } = entry;
			if (passesFilters && items.length >= maximum) {
				waits = true;
				break;
			}
			known.add(entry);
			if (!passesFilters) continue;
			emitted.push({ key, kept });
			items.push(await triggerItem(this.eventId(key), async () => await entry.item()));
		}
		return { items, emitted, cursor: { origins: known.saved(), unwatched: snapshot.unwatched, waits } };
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
 * Lets the origins join that are not known. The entries that `isKnown` accepts become known. If a list goes on below what was
 * read, its older entries count as known by their date (`until`), which stays below the dates of the entries to emit.
 */
function joinNewOrigins(known: KnownEntries, { lists }: Snapshot, isKnown: (entry: Entry) => boolean): void {
	for (const { origins, entries, more } of lists) {
		for (const origin of origins.filter((each) => !known.has(each))) {
			const own = entries.filter((entry) => entry.origin === origin).reverse();
			const oldest = more && own.length > 0 ? Math.min(...own.map(({ at }) => at ?? 0)) : 0;
			known.join(origin, own.every(isKnown) ? oldest : oldest - 1);
			for (const entry of own.filter(isKnown)) known.add(entry);
		}
	}
}

/** All entries, each once, by date, the oldest first. Those without a date come first, the last of the list before the others. */
const oldestFirst = ({ lists }: Snapshot): Entry[] => {
	const entries = lists.flatMap((list) => list.entries).reverse();
	const distinct = new Map(entries.map((entry) => [entry.key, entry]));
	return [...distinct.values()].sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
};
