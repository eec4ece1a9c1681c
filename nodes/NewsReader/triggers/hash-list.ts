import type { Api } from '../../runtime/api-types';
import type { Found, TriggerItem, Watch } from '../../runtime/table/event';
import { chunksOf } from '../../runtime/values';
import { HASHES_PER_REQUEST, type HashesByFeed, type StoryHash } from '../model/hashes';
import { loadFeeds, MAX_GONE, saveFeeds, type KnownFeed, type SavedFeed } from './known-hashes';
import type { EmittedGroups } from './similar-groups';
import {
	collectStories,
	restoreItems,
	type EmittedStory,
	type StoryEvent,
	type StoryOptions,
} from './story-items';

/**
 * The first idea of an event: a list of story hashes is compared with what is known. What the trigger remembers of each
 * feed:
 *
 *                  enters            leaves               comes back
 *     unknown ───────────► present ─────────► gone ───────────────────► present
 *                  new                              returned, if chosen
 *
 * - A story is an event only on its way into `present`. It gets there when it is emitted, not when it is found: so none is lost.
 * - It gets there without being emitted if it is not new: it exists at the first poll, came back and that is not chosen, or is
 *   too old (`until`, `newest`). Or if it is no item: a filter drops it, or its group was emitted. Or if it can't be read.
 * - A story that leaves the list enters `gone`: so it is recognized when it comes back.
 * - If returned stories are events, or the list has only the newest of a feed: those of a feed that is muted or no longer
 *   chosen have not left. They stay in `present`, and `until` stays, until the list has the feed again (`isAway`).
 *
 * The list of unread stories has the dates of publication. That of saved stories has the dates of their last change, and only
 * a story itself says when it was saved (`enteredAt`). So for saved stories:
 *
 * - All stories of a poll are read before the first item is made: items are in the order of `enteredAt` (`StoryReading`).
 * - The latest ones of a first poll are the latest by `enteredAt` (`latestPassing`).
 * - A story that is back with a date up to `newest` had never left: it is no event (`isReturn`).
 *
 * For example, with two stories present and one gone (their hashes without the feed's id):
 *
 *     { feeds: { 42: { present: ['abcdef', '123456'], gone: ['012345'] } }, returnCounts: {}, unreadable: {},
 *       emittedGroups: {} }
 */
export interface HashListCursor {
	/** By the feed's id. */
	feeds: Record<string, SavedFeed>;
	/** How often a story came back into the list, by hash. Part of the event ids. */
	returnCounts: Record<string, number>;
	/** In how many polls a listed story could not be read, by hash. */
	unreadable: Record<string, number>;
	/** With `enteredAt`, the newest date that the list had. */
	newest?: number;
	emittedGroups: EmittedGroups;
}

interface Snapshot {
	list: HashesByFeed;
	/** The feeds that the list lacks because they are muted or no longer chosen. */
	away: string[];
}

export interface HashListOptions extends StoryOptions {
	list(api: Api): Promise<HashesByFeed>;
	/** How many stories of a feed the list contains at most, the newest ones; left out if it contains all. */
	mostOfFeed?: number;
	/** Whether a story that comes back into the list is an event. */
	emitsReturned: boolean;
	/** The feeds whose stories the list can contain; left out if no feed can leave the list. */
	watchedFeeds?(api: Api): Promise<Set<number>>;
}

/** The most stories that a first poll filters, beginning with the newest. */
const MAX_CANDIDATES = 1_000;
/** A listed story that can't be read is given up after this many polls. */
const MAX_READ_ATTEMPTS = 5;

const NOTHING_KNOWN: HashListCursor = { feeds: {}, returnCounts: {}, unreadable: {}, emittedGroups: {} };

/** Watches a list of story hashes. The stories of new hashes are requested, a hundred at once. */
export class HashListWatch implements Watch<HashListCursor, Snapshot, EmittedStory> {
	constructor(private readonly options: HashListOptions) {}

	async snapshot(cursor: HashListCursor = NOTHING_KNOWN, api: Api): Promise<Snapshot> {
		const list = await this.options.list(api);
		return { list, away: await this.feedsAway(cursor, list, api) };
	}

	async baseline(snapshot: Snapshot, emitCount: number, api: Api): Promise<HashListCursor> {
		if (emitCount === Infinity) return NOTHING_KNOWN;
		const toEmit = new Set(emitCount > 0 ? await this.latestPassing(snapshot.list, emitCount, api) : []);
		const comparison = new Comparison(NOTHING_KNOWN, snapshot, this.options);
		comparison.learn(comparison.events.filter(({ hash }) => !toEmit.has(hash)));
		return comparison.saved({});
	}

	async next(
		cursor: HashListCursor,
		snapshot: Snapshot,
		maximum: number,
		api: Api,
	): Promise<Found<HashListCursor, EmittedStory>> {
		const comparison = new Comparison(cursor, snapshot, this.options);
		const { known, missing, emittedGroups, ...found } = await collectStories(
			comparison.events,
			this.options,
			maximum,
			cursor.emittedGroups,
			api,
		);
		const givenUp = comparison.countUnreadable(missing);
		if (givenUp.length > 0) {
			api.hint(
				`Listed stories skipped because the service did not return them in ${MAX_READ_ATTEMPTS} polls: ${givenUp.length}`,
			);
		}
		comparison.learn([...known, ...givenUp]);
		return { ...found, cursor: comparison.saved(emittedGroups) };
	}

	async restore(emitted: EmittedStory[], api: Api): Promise<TriggerItem[]> {
		return await restoreItems(emitted, this.options, api);
	}

	/** Feeds that the list lacks as a whole, because they are muted or no longer chosen: their stories have not left it. */
	private async feedsAway(cursor: HashListCursor, list: HashesByFeed, api: Api): Promise<string[]> {
		const { watchedFeeds, emitsReturned } = this.options;
		if (!watchedFeeds) return [];
		const feeds = Object.entries(cursor.feeds).filter(([feed]) => !list.get(feed)?.length);
		const absent = feeds.filter(([, { present, until }]) => present.length > 0 && (emitsReturned || until));
		const watched = absent.every(([, { isAway }]) => isAway) ? undefined : await watchedFeeds(api);
		const away = absent.filter(([feed, { isAway }]) => isAway || !watched?.has(Number(feed)));
		return away.map(([feed]) => feed);
	}

	private async latestPassing(list: HashesByFeed, count: number, api: Api): Promise<string[]> {
		const { passesFilters, enteredAt } = this.options;
		const newest = [...list.values()].flat().sort((a, b) => b.at - a.at);
		const passing: StoryHash[] = [];
		for (const chunk of chunksOf(newest.slice(0, MAX_CANDIDATES), HASHES_PER_REQUEST)) {
			const hashes = chunk.map(({ hash }) => hash);
			const read = await this.options.readStories(api, hashes);
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

const withoutFeed = (hash: string): string => hash.slice(hash.indexOf(':') + 1);

/**
 * A list compared with what is known. `learn` makes events known; `saved` is what to remember then. The dates that are saved
 * stay before those of all events that are not known yet: so these are found again.
 */
class Comparison {
	/** The feeds as they are now, without the events. */
	private readonly feeds: Map<string, KnownFeed>;
	/** The events that are not known yet, by hash: a story that a feed contains several times is one event. */
	private readonly pending = new Map<string, StoryEvent>();
	private readonly returns: Map<string, number>;
	private readonly unreadable: Map<string, number>;

	constructor(
		private readonly cursor: HashListCursor,
		private readonly snapshot: Snapshot,
		private readonly options: HashListOptions,
	) {
		this.feeds = loadFeeds(cursor.feeds);
		this.returns = new Map(Object.entries(cursor.returnCounts));
		this.unreadable = new Map(Object.entries(cursor.unreadable));
		const lost = options.enteredAt ? this.lost() : new Set<string>();
		for (const feed of new Set([...this.feeds.keys(), ...snapshot.list.keys()])) this.compare(feed, lost);
	}

	/** New and returned stories, oldest first. */
	get events(): StoryEvent[] {
		return [...this.pending.values()].sort((a, b) => a.at - b.at);
	}

	private compare(feed: string, lost: Set<string>): void {
		const before = this.feeds.get(feed) ?? { present: new Set<string>(), gone: new Set<string>() };
		const isAway = this.snapshot.away.includes(feed);
		if (isAway) {
			this.feeds.set(feed, { ...before, isAway });
			return;
		}
		const { until } = before;
		const present = new Set<string>();
		// The list has the newest first. Of stories with the same date, the lower one is older.
		for (const { hash, at } of (this.snapshot.list.get(feed) ?? []).toReversed()) {
			const own = withoutFeed(hash);
			const isBack = before.gone.has(own);
			const isOld = until !== undefined && at <= until;
			const isKnown = before.present.has(own) || lost.has(own);
			if (isKnown || isOld || (isBack && !this.isReturn(at))) present.add(own);
			else {
				const returnCount = isBack ? (this.cursor.returnCounts[hash] ?? 0) + 1 : 0;
				this.pending.set(hash, { feed, hash, at, returnCount });
			}
		}
		const gone = [...before.gone, ...before.present].filter((own) => !present.has(own));
		this.feeds.set(feed, { present, gone: new Set(gone), until });
	}

	/** The saved stories that a feed has lost. If another one has them, the service merged the two (seen in the wild). */
	private lost(): Set<string> {
		const listed = new Set([...this.snapshot.list.values()].flat().map(({ hash }) => hash));
		const known = [...this.feeds];
		const hashes = known.flatMap(([feed, { present }]) => [...present].map((own) => `${feed}:${own}`));
		return new Set(hashes.filter((hash) => !listed.has(hash)).map(withoutFeed));
	}

	/** Whether a story that is back with this date is an event. */
	private isReturn(at: number): boolean {
		const hadNeverLeft = this.options.enteredAt !== undefined && at <= (this.cursor.newest ?? 0);
		return this.options.emitsReturned && !hadNeverLeft;
	}

	/** The `until` of a feed; undefined if the list contains all its stories. */
	private untilOf(feed: string): number | undefined {
		const entries = this.snapshot.list.get(feed) ?? [];
		if (entries.length !== this.options.mostOfFeed) return undefined;
		const oldest = Math.min(...entries.map(({ at }) => at));
		if (oldest === 0) return undefined;
		const previous = this.feeds.get(feed)?.until ?? 0;
		const pending = [...this.pending.values()].filter((event) => event.feed === feed);
		// The events that are left must be newer.
		return Math.max(previous, Math.min(oldest, ...pending.map(({ at }) => at - 1)));
	}

	/** The newest date of the list; 0 as long as a returned story is not known. */
	private newestDate(): number {
		if ([...this.pending.values()].some(({ returnCount }) => returnCount > 0)) return 0;
		return [...this.snapshot.list.values()].flat().reduce((latest, { at }) => Math.max(latest, at), 0);
	}

	/** Makes events known: they enter `present`. */
	learn(events: StoryEvent[]): void {
		for (const { feed, hash, returnCount } of events) {
			this.pending.delete(hash);
			const { present, gone } = this.feeds.get(feed) as KnownFeed;
			present.add(withoutFeed(hash));
			gone.delete(withoutFeed(hash));
			// Sets it as the last one: the first ones are forgotten.
			this.returns.delete(hash);
			if (returnCount > 0) this.returns.set(hash, returnCount);
		}
	}

	/** Counts the stories that could not be read in this poll; returns those to give up. */
	countUnreadable(missing: StoryEvent[]): StoryEvent[] {
		return missing.filter(({ hash }) => {
			const attempts = (this.unreadable.get(hash) ?? 0) + 1;
			this.unreadable.set(hash, attempts);
			return attempts >= MAX_READ_ATTEMPTS;
		});
	}

	saved(emittedGroups: EmittedGroups): HashListCursor {
		return {
			feeds: saveFeeds(this.datedFeeds()),
			returnCounts: Object.fromEntries([...this.returns].slice(-MAX_GONE)),
			unreadable: Object.fromEntries([...this.unreadable].filter(([hash]) => this.pending.has(hash))),
			emittedGroups,
			...(this.options.enteredAt && { newest: Math.max(this.cursor.newest ?? 0, this.newestDate()) }),
		};
	}

	private datedFeeds(): Map<string, KnownFeed> {
		const feeds = [...this.feeds].filter(([, { present, gone }]) => present.size + gone.size > 0);
		return new Map(
			feeds.map(([feed, known]) => [feed, known.isAway ? known : { ...known, until: this.untilOf(feed) }]),
		);
	}
}
