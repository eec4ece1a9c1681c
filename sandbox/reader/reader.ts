import { type Plan, type Clock, isSince, type SandboxOptions } from '../shared/options.ts';
import type { NetworkPolicy } from '../feeds/http.ts';
import type { Fetcher } from './fetching/fetcher.ts';
import type { Queries, UserRow } from './storage/queries.ts';
import type { ReaderDifference, Settings } from './settings.ts';

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
	/** Whether the service behaves like the public code of July 2024 or later, and not like the interface document. */
	readonly isReal: boolean;
	/** Whether the service behaves like the public code of autumn 2026. */
	readonly is2026: boolean;
	readonly #wild: readonly string[];

	constructor(given: {
		db: Queries;
		origin: string;
		baseUrl: string;
		policy: NetworkPolicy;
		settings: Settings;
		fetcher: Fetcher;
		options: SandboxOptions;
	}) {
		const { clock, variant, wild } = given.options;
		this.db = given.db;
		this.clock = clock;
		this.origin = given.origin;
		this.baseUrl = given.baseUrl;
		this.policy = given.policy;
		this.settings = given.settings;
		this.fetcher = given.fetcher;
		this.isReal = isSince(variant, 'wild');
		this.is2026 = isSince(variant, '2026');
		this.#wild = wild;
	}

	/** Whether a difference of single hosts is switched on. */
	differs(name: ReaderDifference): boolean {
		return this.#wild.includes(name);
	}

	now(): number {
		return this.clock.now();
	}

	planOf(user: UserRow): Plan {
		const ofDemo = user.is_demo === 1 && this.isReal ? 'free' : undefined;
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
		this.db.run(sql, user.id, this.now());
	}

	/** Maximum age of unread stories in days. Interface document, "Limits"; the free plan's 14 days were seen on real hosts. */
	unreadDays(user: UserRow): number {
		if (this.isPremium(user)) return 30;
		return this.isReal ? 14 : 15;
	}

	/** Stories published before this always count as read. Epoch milliseconds. */
	unreadSince(user: UserRow): number {
		return this.now() - this.unreadDays(user) * dayMs;
	}
}
