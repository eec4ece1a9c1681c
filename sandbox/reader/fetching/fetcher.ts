/** The feeds in the database, which all accounts share. */
import type { Queries, FeedRow } from '../storage/queries.ts';
import { FeedFailure, type NetworkPolicy } from '../../feeds/http.ts';
import { fetchFavicon, fetchFeed } from '../../feeds/fetch.ts';
import type { Clock } from '../../shared/options.ts';
import type { Settings } from '../settings.ts';
import { keepFetched } from './keep-stories.ts';

export function feedById(db: Queries, id: number): FeedRow | undefined {
	return db.get<FeedRow>('SELECT * FROM reader_feeds WHERE id = ?', id);
}

/** Finds a feed by its URL or that of its site. */
export function feedByAddress(db: Queries, address: string): FeedRow | undefined {
	return db.get<FeedRow>(
		'SELECT * FROM reader_feeds WHERE address = ?1 OR link = ?1 ORDER BY address = ?1 DESC, id LIMIT 1',
		address,
	);
}

/** Finds the feed with exactly this URL, or creates it without fetching it. */
export function ensureFeed(db: Queries, now: number, address: string, title: string): number {
	const known = db.get<{ id: number }>('SELECT id FROM reader_feeds WHERE address = ?', address);
	if (known) return known.id;
	return db.run(
		'INSERT INTO reader_feeds (address, title, created_at) VALUES (?, ?, ?)',
		address,
		title || address,
		now,
	).lastId;
}

export type FetchKind = 'feed' | 'page';

export function recordFetch(
	db: Queries,
	now: number,
	feedId: number,
	kind: FetchKind,
	statusCode: number,
	message: string,
): void {
	db.run(
		'INSERT INTO reader_fetches (feed_id, kind, at, status_code, message) VALUES (?, ?, ?, ?, ?)',
		feedId,
		kind,
		now,
		statusCode,
		message,
	);
}

/** Runs a limited number of tasks at once; the others wait in order. */
class Slots {
	#free: number;
	readonly #waiting: (() => void)[] = [];

	constructor(count: number) {
		this.#free = count;
	}

	async use<Result>(task: () => Promise<Result>): Promise<Result> {
		if (this.#free > 0) this.#free--;
		else await new Promise<void>((resolve) => this.#waiting.push(resolve));
		try {
			return await task();
		} finally {
			const next = this.#waiting.shift();
			if (next) next();
			else this.#free++;
		}
	}
}

const atOnce = 4;
const scheduleMs = 1000;

/** The columns that determine when a feed is due. */
type Planned = Pick<FeedRow, 'id' | 'address' | 'last_fetch_at'>;

/** Fetches feeds when they are due or when a request needs them, with limited concurrency and one fetch per feed at a time. */
export class Fetcher {
	readonly #db: Queries;
	readonly #clock: Clock;
	readonly #policy: NetworkPolicy;
	readonly #settings: Settings;
	readonly #slots = new Slots(atOnce);
	readonly #running = new Map<number, Promise<void>>();
	#timer: NodeJS.Timeout | undefined;
	#closed = false;
	/** Called with the feeds that have new stories after a fetch. */
	onNews: (feedId: number) => void = () => undefined;

	constructor(given: { db: Queries; clock: Clock; policy: NetworkPolicy; settings: Settings }) {
		this.#db = given.db;
		this.#clock = given.clock;
		this.#policy = given.policy;
		this.#settings = given.settings;
	}

	start(): void {
		this.#timer = setInterval(() => void this.fetchDue(), scheduleMs).unref();
	}

	/** Ignores pending responses from now on. */
	get isClosed(): boolean {
		return this.#closed;
	}

	close(): void {
		this.#closed = true;
		clearInterval(this.#timer);
	}

	/** Seconds between two fetches of a feed; 0 if it is not fetched regularly. */
	intervalSeconds(address: string): number {
		const isOwn = address.startsWith(`${this.#policy.origin}/`);
		return isOwn ? this.#settings.fetchSeconds : this.#settings.foreignFetchSeconds;
	}

	/** Fetches a feed now, or waits for the running fetch. Records failures instead of throwing them. */
	fetch(feedId: number): Promise<void> {
		let run = this.#running.get(feedId);
		if (run === undefined) {
			run = this.#slots.use(() => this.#fetch(feedId)).finally(() => this.#running.delete(feedId));
			this.#running.set(feedId, run);
		}
		return run;
	}

	async fetchAll(): Promise<number> {
		const ids = this.#subscribed().map(({ id }) => id);
		await Promise.all(ids.map((id) => this.fetch(id)));
		return ids.length;
	}

	async fetchDue(): Promise<void> {
		const now = this.#clock.now();
		const due = this.#subscribed().filter((feed) => {
			const interval = this.intervalSeconds(feed.address);
			return interval > 0 && now >= (feed.last_fetch_at ?? 0) + interval * 1000;
		});
		await Promise.all(due.map(({ id }) => this.fetch(id)));
	}

	#subscribed(): Planned[] {
		return this.#db.all<Planned>(
			`SELECT id, address, last_fetch_at FROM reader_feeds feeds
			WHERE EXISTS (SELECT 1 FROM reader_subscriptions WHERE feed_id = feeds.id)`,
		);
	}

	async #fetch(feedId: number): Promise<void> {
		if (this.#closed) return;
		const feed = feedById(this.#db, feedId);
		if (feed === undefined) return;
		const startedAt = performance.now();
		try {
			const fetched = await fetchFeed(feed.address, this.#policy, feed.etag);
			if (this.#closed) return;
			this.#db.transaction(() => {
				const added = keepFetched(this.#db, this.#clock.now(), feedId, fetched);
				if (added > 0) this.onNews(feedId);
				this.#recordGood(feedId, fetched.status, performance.now() - startedAt);
			});
			if (!feed.favicon_fetched) await this.#fetchFavicon(feedId, fetched.feed?.link || feed.address);
		} catch (error) {
			if (!this.#closed) this.#recordFailure(feedId, error);
		}
	}

	#recordGood(feedId: number, statusCode: number, loadMs: number): void {
		const now = this.#clock.now();
		this.#db.run(
			`UPDATE reader_feeds SET last_fetch_at = ?, last_load_ms = ?, fetched_once = 1, errors_since_good = 0,
			exception_type = NULL, exception_code = NULL WHERE id = ?`,
			now,
			Math.round(loadMs),
			feedId,
		);
		recordFetch(this.#db, now, feedId, 'feed', statusCode, statusCode === 304 ? 'Not modified' : 'OK');
	}

	/** Adds a failure of any kind to the feed's history; other feeds are not affected. */
	#recordFailure(feedId: number, error: unknown): void {
		const now = this.#clock.now();
		const code = error instanceof FeedFailure ? error.status : 500;
		const message = error instanceof Error ? error.message : String(error);
		this.#db.transaction(() => {
			this.#db.run(
				`UPDATE reader_feeds SET last_fetch_at = ?, errors_since_good = errors_since_good + 1,
				exception_type = 'feed', exception_code = ? WHERE id = ?`,
				now,
				code,
				feedId,
			);
			recordFetch(this.#db, now, feedId, 'feed', code, message);
		});
	}

	async #fetchFavicon(feedId: number, siteUrl: string): Promise<void> {
		const icon = await fetchFavicon(siteUrl, this.#policy);
		if (this.#closed) return;
		this.#db.run(
			'UPDATE reader_feeds SET favicon = ?, favicon_color = ?, favicon_fetched = 1 WHERE id = ?',
			icon?.png ?? null,
			icon?.color ?? null,
			feedId,
		);
	}
}
