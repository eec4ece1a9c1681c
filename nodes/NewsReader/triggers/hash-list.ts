import type { Api } from '../../runtime/api-types';
import type { Collected, TriggerItem, Watch } from '../../runtime/table/event';
import { chunksOf, getOrCreate, omit } from '../../runtime/values';
import { HASHES_PER_REQUEST, type HashesByFeed, type StoryHash } from '../model/hashes';
import { pack, unpack, type HashEvent, type Packed } from './saved-hashes';
import { advanceGroups, type EmittedGroups } from './similar-groups';
import { collectStories, MAX_READ_ATTEMPTS, restoreItems, type StoryOptions } from './story-items';

/**
 * The first idea of an event: a list of story hashes is compared with what is known. What the trigger remembers, by feed
 * and without the feed's id:
 *
 *                  enters            leaves               comes back
 *     unknown ───────────► present ─────────► gone ───────────────────► present
 *                  new                              returned, if chosen
 *
 * - A story is an event only on its way into `present`.
 * - It enters `present` when its event is processed, not when the event is detected: so no event is lost.
 * - A story that leaves the list enters `gone`: so it is recognized when it comes back.
 */
export interface HashListCursor {
	/** The known stories that the list contains. */
	present: Record<string, Packed>;
	/** Known stories that have left the list. If there are too many, only those that left last. */
	gone: Record<string, Packed>;
	/** Feeds that left the list because they are muted or no longer chosen: their stories stay in `present`. */
	away?: string[];
	/** How often a story came back into the list, by hash. Part of the event ids. */
	returnCounts: Record<string, number>;
	/** How often a listed story could not be read, by hash. */
	unreadable: Record<string, number>;
	/**
	 * By feed, for lists that contain only the newest stories of a feed: a date in Unix seconds. An unknown story with
	 * this date or an earlier one is not new: it fills the place of a story that left.
	 */
	knownUntil: Record<string, number>;
	/**
	 * The newest date of a list with the option `datedByEntry`. A story that comes back with this date or an earlier one
	 * was in the list all the time.
	 */
	newest?: number;
	/** Groups of similar stories that were emitted lately. */
	emittedGroups?: EmittedGroups;
}

interface Snapshot {
	/** The list as it is now, by feed. */
	list: HashesByFeed;
	/** The feeds that are muted or no longer chosen: the list contains their known stories, as if nothing had changed. */
	away: string[];
}

export interface HashListOptions extends StoryOptions {
	/** Reads the list. */
	list(api: Api): Promise<HashesByFeed>;
	/** Whether a story that comes back into the list is an event. */
	emitsReturned: boolean;
	/** The feeds whose stories the list can contain; left out if no feed can leave the list. */
	watchedFeeds?(api: Api): Promise<Set<number>>;
	/** How many stories of one feed the list contains at most, the newest ones; left out if it contains all. */
	limitPerFeed?: number;
	/** Whether the list's dates say when a story entered the list or was last changed; otherwise when it was published. */
	datedByEntry?: boolean;
}

/** The most stories in `gone`. */
const MAX_GONE = 20_000;
/** The most stories whose returns are counted. */
const MAX_RETURN_COUNTS = 500;
/** The most stories that a first poll filters, beginning with the newest. */
const MAX_CANDIDATES = 1_000;

const NOTHING_KNOWN: HashListCursor = {
	present: {},
	gone: {},
	returnCounts: {},
	unreadable: {},
	knownUntil: {},
};

/** The hash without its feed. */
const withoutFeed = (hash: string): string => hash.slice(hash.indexOf(':') + 1);

/** Watches a list of story hashes. The stories of new hashes are requested, a hundred at once. */
export class HashListWatch implements Watch<HashListCursor, Snapshot, HashEvent> {
	constructor(private readonly options: HashListOptions) {}

	async snapshot(cursor: HashListCursor = NOTHING_KNOWN, api: Api): Promise<Snapshot> {
		const list = await this.options.list(api);
		const away = await this.feedsAway(cursor, list, api);
		for (const feed of away) {
			const known = [...unpack(cursor.present[feed])];
			list.set(
				feed,
				known.map((own) => ({ hash: `${feed}:${own}`, at: 0 })),
			);
		}
		return { list, away };
	}

	async baseline({ list, away }: Snapshot, emitCount: number, api: Api): Promise<HashListCursor> {
		if (emitCount === Infinity) return NOTHING_KNOWN;
		const unknown = new Set(emitCount > 0 ? await this.latestPassing(list, emitCount, api) : []);
		const processed = [...list].flatMap(([feed, entries]) =>
			entries.map(({ hash }) => ({ feed, hash, returnCount: 0 })).filter(({ hash }) => !unknown.has(hash)),
		);
		const known = advanceHashes(NOTHING_KNOWN, processed);
		// Sets the dates.
		return compareHashes(known, { list, away }, this.options).cursor;
	}

	detect(cursor: HashListCursor, snapshot: Snapshot): { events: HashEvent[]; cursor: HashListCursor } {
		return compareHashes(cursor, snapshot, this.options);
	}

	async collect(
		events: HashEvent[],
		maximum: number,
		api: Api,
		cursor: HashListCursor,
	): Promise<Collected<HashEvent>> {
		return await collectStories(events, this.options, maximum, cursor.emittedGroups, api);
	}

	advance(cursor: HashListCursor, processed: HashEvent[]): HashListCursor {
		const emittedGroups = advanceGroups(cursor.emittedGroups, processed);
		return { ...advanceHashes(cursor, processed), ...(emittedGroups && { emittedGroups }) };
	}

	async restore(emitted: HashEvent[], api: Api): Promise<TriggerItem[]> {
		return await restoreItems(emitted, this.options, api);
	}

	/** Feeds with known stories that are in the list no more, though these stories may not have left it one by one. */
	private async feedsAway(cursor: HashListCursor, list: Snapshot['list'], api: Api): Promise<string[]> {
		const { watchedFeeds, emitsReturned } = this.options;
		if (!watchedFeeds || !emitsReturned) return [];
		const missing = Object.keys(cursor.present).filter((feed) => !list.get(feed)?.length);
		const previous = missing.filter((feed) => cursor.away?.includes(feed));
		if (previous.length === missing.length) return previous;
		const watched = await watchedFeeds(api);
		return missing.filter((feed) => previous.includes(feed) || !watched.has(Number(feed)));
	}

	/** The newest stories that pass the filters. */
	private async latestPassing(list: Snapshot['list'], count: number, api: Api): Promise<string[]> {
		const { passesFilters, enteredAt } = this.options;
		const newest = [...list.values()].flat().sort((a, b) => b.at - a.at);
		const passing: StoryHash[] = [];
		for (const chunk of chunksOf(newest.slice(0, MAX_CANDIDATES), HASHES_PER_REQUEST)) {
			const hashes = chunk.map(({ hash }) => hash);
			const read = await this.options.stories(api, hashes);
			for (const { hash, at } of chunk) {
				const story = read.stories.get(hash);
				if (story && passesFilters(story)) passing.push({ hash, at: enteredAt?.(story) ?? at });
			}
			passing.sort((a, b) => b.at - a.at);
			// No story entered the list after its date in the list.
			const latestOfOthers = chunk.at(-1)?.at ?? 0;
			if ((passing[count - 1]?.at ?? -Infinity) >= latestOfOthers || !api.hasTime()) break;
		}
		return passing.slice(0, count).map(({ hash }) => hash);
	}
}

type DatedEvent = HashEvent & { at: number };

/** Compares a list with what is known. New and returned stories become events, oldest first. */
function compareHashes(
	cursor: HashListCursor,
	{ list, away }: Snapshot,
	options: HashListOptions,
): { events: HashEvent[]; cursor: HashListCursor } {
	const events = new Map<string, DatedEvent>();
	const present: HashListCursor['present'] = {};
	const gone = new Map<string, string[]>();
	const knownUntil: HashListCursor['knownUntil'] = {};
	const unreadable: HashListCursor['unreadable'] = {};
	for (const feed of new Set([...Object.keys(cursor.present), ...Object.keys(cursor.gone), ...list.keys()])) {
		const entries = list.get(feed) ?? [];
		const compared = compareFeed(cursor, feed, entries, options);
		// A story that the list contains several times is one event.
		for (const event of compared.events) {
			events.set(event.hash, event);
			if (event.unreadable !== undefined) unreadable[event.hash] = event.unreadable;
		}
		if (compared.present.size > 0) present[feed] = pack(compared.present);
		gone.set(feed, compared.gone);
		const previous = cursor.knownUntil[feed];
		const until = away.includes(feed) ? previous : knownUntilOf(entries, options, previous, compared);
		if (until !== undefined) knownUntil[feed] = until;
	}
	// Stories that are back must stay newer than this date until they are processed.
	const isUpToDate = options.datedByEntry && ![...events.values()].some(({ returnCount }) => returnCount > 0);
	const dates = isUpToDate ? [...list.values()].flat().map(({ at }) => at) : [];
	const newest = dates.reduce((latest, at) => Math.max(latest, at), cursor.newest ?? 0);
	return {
		events: [...events.values()].sort((a, b) => a.at - b.at).map((event) => omit(event, 'at')),
		cursor: {
			...omit(cursor, 'away'),
			present,
			gone: packedGone(gone),
			unreadable,
			knownUntil,
			...(away.length > 0 && { away }),
			...(options.datedByEntry && { newest }),
		},
	};
}

/** What became of the stories of one feed. */
interface ComparedFeed {
	/** New and returned stories; they are not in `present` yet. */
	events: DatedEvent[];
	present: Set<string>;
	gone: string[];
}

function compareFeed(
	cursor: HashListCursor,
	feed: string,
	entries: StoryHash[],
	{ emitsReturned, datedByEntry }: HashListOptions,
): ComparedFeed {
	const wasPresent = unpack(cursor.present[feed]);
	const wasGone = unpack(cursor.gone[feed]);
	const events: DatedEvent[] = [];
	const present = new Set<string>();
	for (const { hash, at } of [...entries].reverse()) {
		const own = withoutFeed(hash);
		const isBack = wasGone.has(own);
		const isOld = at <= (cursor.knownUntil[feed] ?? -Infinity);
		const hadNeverLeft = datedByEntry === true && at <= (cursor.newest ?? 0);
		if (wasPresent.has(own) || isOld || (isBack && (!emitsReturned || hadNeverLeft))) {
			present.add(own);
			continue;
		}
		const unreadable = cursor.unreadable[hash];
		const returnCount = isBack ? (cursor.returnCounts[hash] ?? 0) + 1 : 0;
		events.push({ feed, hash, at, returnCount, ...(unreadable !== undefined && { unreadable }) });
	}
	const stillGone = [...wasGone].filter((hash) => !present.has(hash));
	const left = [...wasPresent].filter((hash) => !present.has(hash));
	return { events, present, gone: [...stillGone, ...left] };
}

/** The stories that left. If they are too many, each feed loses the same share, those that left first. */
function packedGone(gone: Map<string, string[]>): HashListCursor['gone'] {
	const total = [...gone.values()].reduce((sum, { length }) => sum + length, 0);
	const kept = ({ length }: string[]): number => Math.ceil((length * Math.min(MAX_GONE, total)) / total);
	return Object.fromEntries(
		[...gone]
			.filter(([, hashes]) => hashes.length > 0)
			.map(([feed, hashes]) => [feed, pack(hashes.slice(-kept(hashes)))]),
	);
}

/** A feed's next `knownUntil`; undefined if the list contains all stories of the feed. */
function knownUntilOf(
	entries: StoryHash[],
	{ limitPerFeed }: HashListOptions,
	previous: number | undefined,
	{ events }: ComparedFeed,
): number | undefined {
	if (entries.length !== limitPerFeed) return undefined;
	const oldest = entries.reduce((least, { at }) => Math.min(least, at), Infinity);
	if (oldest === 0) return undefined;
	// Stories that are not emitted yet must stay newer than this date.
	return events.length === 0 ? Math.max(oldest, previous ?? 0) : (previous ?? oldest - 1);
}

/** The cursor that knows the stories of these events. A story that could not be read stays unknown, and is tried again. */
function advanceHashes(cursor: HashListCursor, processed: HashEvent[]): HashListCursor {
	const present = { ...cursor.present };
	const gone = { ...cursor.gone };
	const returnCounts = { ...cursor.returnCounts };
	const unreadable = { ...cursor.unreadable };
	const byFeed = new Map<string, HashEvent[]>();
	for (const event of processed) getOrCreate(byFeed, event.feed, () => []).push(event);
	for (const [feed, events] of byFeed) {
		const presentOfFeed = unpack(present[feed]);
		const goneOfFeed = unpack(gone[feed]);
		for (const { hash, returnCount, unreadable: attempts } of events) {
			if (attempts !== undefined && attempts < MAX_READ_ATTEMPTS) {
				unreadable[hash] = attempts;
				continue;
			}
			delete unreadable[hash];
			presentOfFeed.add(withoutFeed(hash));
			goneOfFeed.delete(withoutFeed(hash));
			delete returnCounts[hash];
			if (returnCount > 0) returnCounts[hash] = returnCount;
		}
		present[feed] = pack(presentOfFeed);
		if (goneOfFeed.size > 0) gone[feed] = pack(goneOfFeed);
		else delete gone[feed];
	}
	const lastReturns = Object.entries(returnCounts).slice(-MAX_RETURN_COUNTS);
	return { ...cursor, present, gone, returnCounts: Object.fromEntries(lastReturns), unreadable };
}
