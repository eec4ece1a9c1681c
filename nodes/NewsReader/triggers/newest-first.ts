import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { triggerItem, type Collected, type TriggerItem, type Watch } from '../../runtime/table/event';
import { getOrCreate } from '../../runtime/values';
import { oneListAtATime } from '../model/story-lists';
import {
	ListReader,
	type Entry,
	type KnownList,
	type PageReader,
	type Reading,
	type ReadingOptions,
} from './list-reader';

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
	/** The groups that cannot be read: n8n's log has said so. */
	unwatched: string[];
}

interface KnownEntries {
	/** The known entries as `fingerprint.seconds`, joined by `;`. The last one became known last. */
	known: string;
	/** An unknown entry with this date (Unix seconds) or an earlier one is not new; 0 if there is no such date. */
	until: number;
}

export interface NewestFirstOptions extends ReadingOptions {
	/** The beginning of the event ids. */
	idPrefix: string;
	/** What to read. */
	lists(api: Api): Promise<WatchedLists>;
	/**
	 * The server keeps only one list of this kind for each account: two lists of one kind are never read at the same
	 * time.
	 */
	sharedServerList?: 'river' | 'shared';
	/** Makes the items of saved entries, from their `kept`; undefined for an entry that no longer exists. */
	restore(kept: Array<Record<string, unknown>>, api: Api): Promise<Array<IDataObject | undefined>>;
}

/** Lists, which are read one after another, and the groups of their entries. */
export interface WatchedLists {
	lists: PageReader[];
	groups: string[];
	/** Groups that cannot be read, and why: a sentence for n8n's log. */
	unwatched?: Record<string, string>;
}

/** What a poll read of the lists. */
interface Snapshot {
	lists: Reading[];
	groups: string[];
	/** Groups that cannot be read. */
	unwatched: string[];
}

/** An entry that is an event. An emitted one is saved without `entry`. */
interface NewEntry {
	key: string;
	kept: Record<string, unknown>;
	entry?: Entry;
}

/** The group of all entries of a list without groups. */
export const ONE_GROUP = '';

/** The most known entries that are remembered. All groups have the same share, but at least what one reading shows. */
const MAX_KNOWN_ENTRIES = 5_000;
const MIN_KNOWN_OF_GROUP = 300;

const NOTHING_KNOWN: KnownEntries = { known: '', until: 0 };

/** Watches lists of any length that have the newest entries first. */
export class NewestFirstWatch implements Watch<NewestFirstCursor, Snapshot, NewEntry> {
	constructor(private readonly options: NewestFirstOptions) {}

	async snapshot(cursor: NewestFirstCursor | undefined, api: Api): Promise<Snapshot> {
		const { lists, groups, unwatched = {} } = await this.options.lists(api);
		for (const [group, reason] of Object.entries(unwatched)) {
			if (!cursor?.unwatched.includes(group)) api.hint(reason);
		}
		const { sharedServerList: kind } = this.options;
		const knowledge = cursor && new Knowledge(cursor);
		const readings: Reading[] = [];
		for (const list of lists) {
			const read = async () => await new ListReader(list, this.options, knowledge, api).read();
			readings.push(kind ? await oneListAtATime(kind, api, read) : await read());
		}
		return { lists: readings, groups, unwatched: Object.keys(unwatched) };
	}

	baseline(snapshot: Snapshot, emitCount: number): NewestFirstCursor {
		const passing = oldestFirst(snapshot).filter(({ passesFilters }) => passesFilters);
		const emitted = new Set(emitCount > 0 ? passing.slice(-emitCount) : []);
		const isKnown = (entry: Entry): boolean => emitCount !== Infinity && !emitted.has(entry);
		return {
			groups: joinedGroups(snapshot, snapshot.groups, isKnown),
			unwatched: snapshot.unwatched,
		};
	}

	detect(cursor: NewestFirstCursor, snapshot: Snapshot): { events: NewEntry[]; cursor: NewestFirstCursor } {
		const knowledge = new Knowledge(cursor);
		const events = oldestFirst(snapshot).filter((entry) => knowledge.isNew(entry));
		const joined = snapshot.groups.filter((group) => !knowledge.has(group));
		return {
			events: events.map((entry) => ({ key: entry.key, kept: entry.kept, entry })),
			cursor: {
				groups: { ...cursor.groups, ...joinedGroups(snapshot, joined, () => true) },
				unwatched: snapshot.unwatched,
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

/** A known entry: its fingerprint, and its date in Unix seconds; blank if it has none. */
type Known = [fingerprint: string, seconds: string];

const parsed = (known: string): Known[] =>
	known === '' ? [] : known.split(';').map((entry) => entry.split('.') as Known);
const serialized = (known: Known[]): string => known.map((entry) => entry.join('.')).join(';');

/** The known entries and these. */
const withEntries = ({ known, ...others }: KnownEntries = NOTHING_KNOWN, added: Entry[]): KnownEntries => {
	const more = added.map(({ key, at }): Known => [
		fingerprint(key),
		at === undefined ? '' : String(secondsOf(at)),
	]);
	return { ...others, known: serialized([...parsed(known), ...more]) };
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

/** The groups without the entries that are too many: those that became known first. Their latest date becomes `until`. */
function bounded(groups: NewestFirstCursor['groups']): NewestFirstCursor['groups'] {
	const share = Math.floor(MAX_KNOWN_ENTRIES / Object.keys(groups).length);
	const most = Math.max(share, MIN_KNOWN_OF_GROUP);
	const shortened = Object.entries(groups).map(([group, entries]): [string, KnownEntries] => {
		const all = parsed(entries.known);
		const forgotten = all.slice(0, -most).map(([, seconds]) => Number(seconds));
		const until = forgotten.reduce((latest, at) => Math.max(latest, at), entries.until);
		return [group, { ...entries, known: serialized(all.slice(-most)), until }];
	});
	return Object.fromEntries(shortened);
}

/** All entries, each once, by date; entries without a date keep the order of their list. */
const oldestFirst = ({ lists }: Snapshot): Entry[] => {
	const entries = lists.flatMap((list) => list.entries).reverse();
	const distinct = new Map(entries.map((entry) => [entry.key, entry]));
	return [...distinct.values()].sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
};

/** What a cursor knows, to look up entries. */
class Knowledge implements KnownList {
	private readonly groups: Map<string, { fingerprints: Set<string>; until: number }>;

	constructor(cursor: NewestFirstCursor) {
		const groups = Object.entries(cursor.groups).map(([group, { known, until }]) => {
			const fingerprints = new Set(parsed(known).map(([own]) => own));
			return [group, { fingerprints, until }] as const;
		});
		this.groups = new Map(groups);
	}

	has(group: string): boolean {
		return this.groups.has(group);
	}

	/** Whether an entry is new. The entries of a group that has just joined are not. */
	isNew({ key, at, group }: Entry): boolean {
		const known = this.groups.get(group);
		if (!known || known.fingerprints.has(fingerprint(key))) return false;
		return at === undefined || known.until === 0 || at > known.until;
	}
}
