import type { NetworkPolicy } from '../feeds/http.ts';
import type { Clock } from '../shared/clock.ts';
import type { Plan } from '../shared/options.ts';
import type { ReaderDifference } from './reader-differences.ts';
import type { Fetcher } from './fetching/fetcher.ts';
import type { Settings } from './settings.ts';
import type { Queries } from './storage/queries.ts';
import type { UserRow } from './storage/rows.ts';

const dayMs = 86_400_000;

/** The state and options that all parts of the news reader service share. */
export class Reader {
	readonly db: Queries;
	readonly clock: Clock;
	/** URL of the sandbox, without trailing slash. */
	readonly origin: string;
	/** URL of the service, without trailing slash. */
	readonly baseUrl: string;
	readonly policy: NetworkPolicy;
	readonly settings: Settings;
	readonly fetcher: Fetcher;
	readonly #differences: ReadonlySet<string>;

	constructor(given: {
		db: Queries;
		clock: Clock;
		origin: string;
		baseUrl: string;
		policy: NetworkPolicy;
		settings: Settings;
		fetcher: Fetcher;
		differences: ReadonlySet<string>;
	}) {
		this.db = given.db;
		this.clock = given.clock;
		this.origin = given.origin;
		this.baseUrl = given.baseUrl;
		this.policy = given.policy;
		this.settings = given.settings;
		this.fetcher = given.fetcher;
		this.#differences = given.differences;
	}

	/** Whether a difference of real hosts is enabled. */
	differs(name: ReaderDifference): boolean {
		return this.#differences.has(name);
	}

	now(): number {
		return this.clock.now();
	}

	planOf(user: UserRow): Plan {
		const ofDemo = user.is_demo === 1 && this.differs('free-limits') ? 'free' : undefined;
		return user.plan ?? ofDemo ?? this.settings.plan;
	}

	isPremium(user: UserRow): boolean {
		return this.planOf(user) !== 'free';
	}

	/** Whether the plan lets stories of any age be marked unread (seen on real hosts). */
	keepsEverything(user: UserRow): boolean {
		return this.planOf(user) === 'archive';
	}

	/** Marks an account as active. */
	see(user: UserRow): void {
		const sql = 'INSERT INTO reader_seen VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at';
		this.db.note(() => this.db.run(sql, user.id, this.now()));
	}

	/** Maximum age of unread stories in days. Contract, "Limits"; the free plan's 14 days were seen on real hosts. */
	unreadDays(user: UserRow): number {
		if (this.isPremium(user)) return 30;
		return 14;
	}

	/** Stories published before this always count as read. Epoch milliseconds. */
	unreadSince(user: UserRow): number {
		return this.now() - this.unreadDays(user) * dayMs;
	}
}
