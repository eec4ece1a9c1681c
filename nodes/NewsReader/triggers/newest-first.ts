import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { clock } from '../../runtime/clock';
import { classOf } from '../../runtime/errors/errors';
import { triggerItem, type Collected, type TriggerItem, type Watch } from '../../runtime/table/event';
import { getOrCreate, settled } from '../../runtime/values';
import { oneListAtATime } from '../model/story-lists';

/**
 * The second idea of an event: a list with the newest entries first is read from the newest entry down to a known one.
 * What the trigger remembers:
 *
 *     newest                                                            oldest
 *     │  new, read until  │  known: fingerprints of      │  older: dated up to  │
 *     │  a page is known  │  the last entries            │  `until`             │
 *
 * - An entry is new if it is unknown, its date (if it has one) is after `until`, and its group has not just joined.
 * - An entry becomes known when its event is processed, or when its group joins the list.
 */
export interface NewestFirstCursor {
	/** By group: the user or search that entries belong to. When a group joins the list, its entries are not new. */
	groups: Record<string, KnownEntries>;
	/** The groups that cannot be read, after n8n's log said so. */
	unwatched?: string[];
}

interface KnownEntries {
	/** The known entries as `fingerprint.seconds`, joined by `;`. The last one became known last. */
	known: string;
	/** An unknown entry with this date (Unix seconds) or an earlier one is not new; 0 if there is no such date. */
	until: number;
	/** For how many polls responses have left out the group. */
	missingPolls?: number;
}

/** An entry of a list. */
export interface Entry {
	/** Identifies the entry. */
	key: string;
	/** The entry's date in Unix seconds, if the list is sorted by date. */
	at?: number;
	/** The user or search that the entry belongs to; the same for all entries of a list without groups. */
	group: string;
	/** Whether the entry passes the filters. */
	passesFilters: boolean;
	/** Makes the entry's item. */
	item(): IDataObject | Promise<IDataObject>;
	/** What is saved to emit the entry again. */
	kept: Record<string, unknown>;
}

/** Reads one page of a list. */
export type PageReader = (page: number) => Promise<{ entries: Entry[]; more: boolean }>;

export interface NewestFirstOptions {
	/** The beginning of the event ids. */
	idPrefix: string;
	/** The lists, which are read one after another, and the groups of their entries. */
	lists(api: Api): Promise<Pick<Snapshot, 'groups' | 'unwatched'> & { lists: PageReader[] }>;
	/**
	 * The server keeps only one list of this kind for each account: two lists of one kind are never read at the same
	 * time.
	 */
	sharedServerList?: 'river' | 'shared';
	/** How many pages of a list are read in the first poll, and after a group joins the list. */
	depth: number;
	/** For lists sorted by date: a new entry may be up to this many seconds old when it appears, below newer ones. */
	lateSeconds?: number;
	/** Makes the items of saved entries, from their `kept`; undefined for an entry that no longer exists. */
	restore(kept: Array<Record<string, unknown>>, api: Api): Promise<Array<IDataObject | undefined>>;
}

/** What a poll read of the lists. */
interface Snapshot {
	groups: string[];
	/** Groups that cannot be read, and why: a sentence for n8n's log. */
	unwatched?: Record<string, string>;
	/** The entries of each list, newest first, and whether the list continues after them. */
	lists: Reading[];
}

interface Reading {
	entries: Entry[];
	hasMore: boolean;
}

/** An entry that is an event. An emitted one is saved without `entry`. */
interface NewEntry {
	key: string;
	kept: Record<string, unknown>;
	entry?: Entry;
}

/** The group of all entries of a list without groups. */
export const ONE_GROUP = '';

/** The most pages of a list that one poll reads. */
const MAX_PAGES = 100;
/** If the rate limit refuses a page, the poll fails and the next one tries again, unless it has read this many pages. */
const ENOUGH_PAGES = 20;
/** A list that changes while it is read is read at most this many times. */
const MAX_READINGS = 3;
/** The most known entries that are remembered. The longest groups forget first. */
const MAX_KNOWN_ENTRIES = 5_000;
/** A response that leaves out a group may be wrong: it is believed after this many polls. */
const MAX_MISSING_POLLS = 60;

const NOTHING_KNOWN: KnownEntries = { known: '', until: 0 };

/** Watches lists of any length that have the newest entries first. */
export class NewestFirstWatch implements Watch<NewestFirstCursor, Snapshot, NewEntry> {
	constructor(private readonly options: NewestFirstOptions) {}

	async snapshot(cursor: NewestFirstCursor | undefined, api: Api): Promise<Snapshot> {
		const { lists, groups, unwatched = {} } = await this.options.lists(api);
		for (const [group, reason] of Object.entries(unwatched)) {
			if (!cursor?.unwatched?.includes(group)) api.hint(reason);
		}
		const { sharedServerList: kind } = this.options;
		const readings: Reading[] = [];
		for (const list of lists) {
			const read = async () => await new ListReader(list, this.options, cursor, api).read();
			readings.push(kind ? await oneListAtATime(kind, api, read) : await read());
		}
		return { groups, unwatched, lists: readings };
	}

	baseline(snapshot: Snapshot, emitCount: number): NewestFirstCursor {
		const passing = oldestFirst(snapshot).filter(({ passesFilters }) => passesFilters);
		const emitted = new Set(emitCount > 0 ? passing.slice(-emitCount) : []);
		const known = (entry: Entry): boolean => emitCount !== Infinity && !emitted.has(entry);
		return { groups: joinedGroups(snapshot, snapshot.groups, known), ...unwatchedIn(snapshot) };
	}

	detect(cursor: NewestFirstCursor, snapshot: Snapshot): { events: NewEntry[]; cursor: NewestFirstCursor } {
		const knowledge = new Knowledge(cursor);
		const events = oldestFirst(snapshot).filter((entry) => knowledge.isNew(entry));
		const joined = snapshot.groups.filter((group) => !knowledge.has(group));
		return {
			events: events.map((entry) => ({ key: entry.key, kept: entry.kept, entry })),
			cursor: {
				groups: { ...groupsAfter(cursor, snapshot.groups), ...joinedGroups(snapshot, joined, () => true) },
				...unwatchedIn(snapshot),
			},
		};
	}

	/**
	 * Processes events that the filters drop in their order, too: if they became known first, unknown entries below
	 * them would not be found.
	 */
	async collect(events: NewEntry[], maximum: number): Promise<Collected<NewEntry>> {
		const collected: Collected<NewEntry> = { processed: [], emitted: [], items: [] };
		for (const event of events) {
			const { key, kept, entry } = event;
			const isEmitted = entry?.passesFilters === true;
			if (isEmitted && collected.items.length >= maximum) break;
			collected.processed.push(event);
			if (!isEmitted) continue;
			collected.emitted.push({ key, kept });
			collected.items.push(await triggerItem(this.eventId(key), async () => await entry.item()));
		}
		return collected;
	}

	advance(cursor: NewestFirstCursor, processed: NewEntry[]): NewestFirstCursor {
		const groups = { ...cursor.groups };
		const added = new Map<string, Entry[]>();
		for (const { entry } of processed) if (entry) getOrCreate(added, entry.group, () => []).push(entry);
		for (const [group, entries] of added) groups[group] = withEntries(groups[group], entries);
		return { ...cursor, groups: bounded(groups) };
	}

	async restore(emitted: NewEntry[], api: Api): Promise<TriggerItem[]> {
		const kept = emitted.map((event) => event.kept);
		const records = await this.options.restore(kept, api);
		const items = emitted.map(async ({ key }, index) => {
			const record = records[index];
			return record ? [await triggerItem(this.eventId(key), () => record)] : [];
		});
		return (await Promise.all(items)).flat();
	}

	private eventId(key: string): string {
		return `${this.options.idPrefix}:${key}`;
	}
}

const fingerprint = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 9);

/** The fingerprints of known entries. */
const fingerprintsIn = ({ known }: KnownEntries): Set<string> =>
	new Set(known.split(';').map((entry) => entry.split('.')[0] ?? ''));

/** The known entries and these. */
const withEntries = ({ known, ...others }: KnownEntries = NOTHING_KNOWN, added: Entry[]): KnownEntries => {
	const written = added.map(({ key, at }) => `${fingerprint(key)}.${at === undefined ? '' : secondsOf(at)}`);
	return { ...others, known: [...(known === '' ? [] : [known]), ...written].join(';') };
};

const secondsOf = (at: number): number => Math.max(Math.floor(at), 0);

/**
 * What is known of groups that join their lists: the entries that `isKnown` accepts; and if a list continues after the
 * entries that were read, everything older.
 */
function joinedGroups(
	{ lists }: Snapshot,
	groups: string[],
	isKnown: (entry: Entry) => boolean,
): NewestFirstCursor['groups'] {
	const joined = groups.map((group): [string, KnownEntries] => {
		const ofGroup = ({ entries }: Reading): Entry[] => entries.filter((entry) => entry.group === group);
		const all = lists.flatMap(ofGroup).reverse();
		const known = all.filter(isKnown);
		const dates = lists
			.filter(({ hasMore }) => hasMore)
			.flatMap((list) => ofGroup(list).map(({ at }) => at ?? 0));
		const oldest = dates.reduce((least, at) => Math.min(least, at), Infinity);
		// An entry that is not known must be newer than this date.
		const until = oldest === Infinity ? 0 : secondsOf(known.length < all.length ? oldest - 1 : oldest);
		return [group, withEntries({ known: '', until }, known)];
	});
	return Object.fromEntries(joined);
}

const unwatchedIn = ({ unwatched = {} }: Snapshot): Pick<NewestFirstCursor, 'unwatched'> => {
	const groups = Object.keys(unwatched);
	return groups.length > 0 ? { unwatched: groups } : {};
};

/** The known groups after a poll that found `listed`. A missing group stays known for some polls. */
function groupsAfter({ groups }: NewestFirstCursor, listed: string[]): NewestFirstCursor['groups'] {
	const kept = Object.entries(groups).map(([group, { missingPolls = 0, ...entries }]) => {
		const isListed = listed.includes(group);
		return [group, isListed ? entries : { ...entries, missingPolls: missingPolls + 1 }] as const;
	});
	return Object.fromEntries(
		kept.filter(([, entries]) => !('missingPolls' in entries) || entries.missingPolls <= MAX_MISSING_POLLS),
	);
}

/**
 * The groups without the entries that are too many. The longest groups forget those that became known first; the latest
 * date of these becomes `until`.
 */
function bounded(groups: NewestFirstCursor['groups']): NewestFirstCursor['groups'] {
	const split = Object.entries(groups).map(([group, entries]) => ({
		group,
		entries,
		list: entries.known.split(';'),
	}));
	const most = mostOfGroup(split.map(({ list }) => list.length));
	const shortened = split.map(({ group, entries, list }): [string, KnownEntries] => {
		const forgotten = list.slice(0, Math.max(list.length - most, 0));
		if (forgotten.length === 0) return [group, entries];
		const dates = forgotten.map((entry) => Number(entry.split('.')[1]));
		const until = dates.reduce((latest, at) => Math.max(latest, at), entries.until);
		return [group, { ...entries, known: list.slice(-most).join(';'), until }];
	});
	return Object.fromEntries(shortened);
}

/** How many entries each group may keep. */
function mostOfGroup(sizes: number[]): number {
	let room = MAX_KNOWN_ENTRIES;
	const ascending = sizes.toSorted((a, b) => a - b);
	for (const [index, size] of ascending.entries()) {
		const share = Math.max(Math.floor(room / (ascending.length - index)), 1);
		if (size > share) return share;
		room -= size;
	}
	return Infinity;
}

/** All entries, each once, by date; entries without a date keep the order of their list. */
const oldestFirst = ({ lists }: Snapshot): Entry[] => {
	const entries = lists.flatMap((list) => list.entries).reverse();
	const distinct = new Map(entries.map((entry) => [entry.key, entry]));
	return [...distinct.values()].sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
};

/** What a cursor knows, to look up entries. */
class Knowledge {
	private readonly known = new Map<string, Set<string>>();

	constructor(private readonly cursor: NewestFirstCursor) {
		for (const [group, entries] of Object.entries(cursor.groups)) {
			this.known.set(group, fingerprintsIn(entries));
		}
	}

	has(group: string): boolean {
		return this.known.has(group);
	}

	/** Whether an entry is new. The entries of a group that has just joined are not. */
	isNew({ key, at, group }: Entry): boolean {
		const known = this.known.get(group);
		if (!known || known.has(fingerprint(key))) return false;
		const { until } = this.cursor.groups[group] ?? NOTHING_KNOWN;
		return at === undefined || until === 0 || at > until;
	}
}

/** Reads one list from the newest entry down to a known one. */
class ListReader {
	private readonly knowledge: Knowledge | undefined;
	/** Now, in Unix seconds; after all dates of the cursor, even if our clock was set back. */
	private readonly latest: number;

	constructor(
		private readonly list: PageReader,
		private readonly options: NewestFirstOptions,
		cursor: NewestFirstCursor | undefined,
		private readonly api: Api,
	) {
		this.knowledge = cursor && new Knowledge(cursor);
		const dates = Object.values(cursor?.groups ?? {}).map(({ until }) => until + 1);
		this.latest = dates.reduce((latest, at) => Math.max(latest, at), clock.now() / 1000);
	}

	/** Reads the list again if entries move between its pages meanwhile. */
	async read(): Promise<Reading> {
		for (let readings = 1; ; readings += 1) {
			const { pages, hasMore, isCut } = await this.readDown();
			const isLast = isCut || readings === MAX_READINGS || !this.api.hasTime();
			if (!isLast && (await this.hasMoved(pages))) continue;
			if (isCut) {
				this.api.hint(
					`Older events were skipped: this poll read ${pages.length} pages of new entries, and more follow`,
				);
			}
			return { entries: pages.flat(), hasMore };
		}
	}

	/** Reads pages until one has nothing new, or until the poll has read as many as it can. */
	private async readDown(): Promise<{ pages: Entry[][]; hasMore: boolean; isCut: boolean }> {
		const pages: Entry[][] = [];
		const isCut = this.knowledge !== undefined;
		for (;;) {
			const read = await settled(this.list(pages.length + 1));
			if ('error' in read) {
				if (pages.length < ENOUGH_PAGES || classOf(read.error) !== 'rateLimited') throw read.error as Error;
				return { pages, hasMore: true, isCut };
			}
			const { entries, more } = read.value;
			pages.push(entries.map((entry) => this.notInFuture(entry)));
			const hasMore = more && entries.length > 0;
			if (!hasMore || this.isEnough(pages)) return { pages, hasMore, isCut: false };
			if (pages.length >= MAX_PAGES || !this.api.hasTime()) return { pages, hasMore, isCut };
		}
	}

	/** Whether no further page is needed. */
	private isEnough(pages: Entry[][]): boolean {
		if (pages.length >= this.options.depth && !this.knowledge) return true;
		const page = pages.at(-1) ?? [];
		if (!this.knowledge || page.some((entry) => this.isNew(entry))) return false;
		return pages.length >= this.options.depth || !this.newMayFollow(pages);
	}

	/** Whether new entries may follow known ones: late entries, or those of a group that has joined the list. */
	private newMayFollow(pages: Entry[][]): boolean {
		const { lateSeconds = 0 } = this.options;
		const last = pages.at(-1)?.at(-1)?.at ?? -Infinity;
		if (lateSeconds > 0 && last > this.latest - lateSeconds) return true;
		return pages.flat().some(({ group }) => this.knowledge?.has(group) === false);
	}

	/**
	 * Whether entries moved between pages while they were read: then a page is different when it is read again.
	 * - If an entry was added, the last one of a page is repeated on the next page.
	 * - If an entry was removed, the first one of the next page is skipped. That matters only if one of the two pages
	 *   has a new entry.
	 */
	private async hasMoved(pages: Entry[][]): Promise<boolean> {
		const keys = pages.flat().map(({ key }) => key);
		const hasRepeats = new Set(keys).size < keys.length;
		const hasNew = pages.map((page) => page.some((entry) => this.isNew(entry)));
		for (let index = pages.length - 2; index >= 0; index -= 1) {
			if (!hasRepeats && !hasNew[index] && !hasNew[index + 1]) continue;
			if (!this.api.hasTime()) return false;
			const { entries } = await this.list(index + 1);
			if (keysOf(entries) !== keysOf(pages[index] ?? [])) return true;
		}
		return false;
	}

	private isNew(entry: Entry): boolean {
		return this.knowledge?.isNew(entry) === true;
	}

	/** Publishers date some stories in the future. Those count as current: otherwise stories that follow would seem older. */
	private notInFuture(entry: Entry): Entry {
		return entry.at !== undefined && entry.at > this.latest ? { ...entry, at: this.latest } : entry;
	}
}

const keysOf = (entries: Entry[]): string => JSON.stringify(entries.map(({ key }) => key));
