import { RateLimiter } from '../../shared/rate-limiter.ts';
import type { Reader } from '../reader.ts';
import { Document } from './response.ts';
import { ExactLimits, type LimitedCall } from './exact-limits.ts';

const minute = 60;

/** Limits by endpoint, seen on real hosts. All use one counter per session, which counts this minute and the last one. */
const sharedLimits: Record<string, number> = {
	'/reader/feeds': 60,
	'/reader/refresh_feeds': 30,
	'/rss_feeds/statistics/:id': 30,
	'/social/load_user_friends': 100,
	'/social/rss/:user_id/:username': 5,
};

/** Limits of single endpoints per session or IP address, seen on other hosts. */
const viewLimits: Record<string, { count: number; seconds: number }> = {
	'/reader/feeds': { count: 60, seconds: minute },
	'/reader/refresh_feeds': { count: 30, seconds: minute },
	'/reader/starred_stories': { count: 100, seconds: 5 * minute },
	'/rss_feeds/statistics/:id': { count: 30, seconds: minute },
	'/rss_feeds/original_text': { count: 30, seconds: minute },
	'/social/load_user_friends': { count: 100, seconds: minute },
	'/social/rss/:user_id/:username': { count: 5, seconds: minute },
};
/** Limit of all endpoints under `/reader/` together, per IP address. */
const readerLimit = { count: 300, seconds: 5 * minute };

/** Counts requests, and returns the response to a request above a limit. */
export class CallLimits {
	readonly #reader: Reader;
	readonly #enabled: boolean;
	readonly #limiters = new Map<string, RateLimiter>();
	readonly #exact: ExactLimits;
	readonly #minutes = new Map<string, number>();

	/** Without `enabled`, only the limit of the settings applies. */
	constructor(reader: Reader, enabled: boolean) {
		this.#reader = reader;
		this.#enabled = enabled;
		this.#exact = new ExactLimits(reader);
	}

	refuse(call: LimitedCall): Document | undefined {
		const { path, caller, address, feeds } = call;
		const { settings } = this.#reader;
		const ofAddress = this.#exact.refuseAddress(call);
		if (ofAddress) return ofAddress;
		if (this.#enabled && this.#reader.differs('exact-limits')) {
			const refused = this.#exact.refuse(call);
			if (refused) return refused;
		}
		if (this.#isOverShared(path, caller, feeds)) return tooMany();
		const general = settings.rateLimit;
		const retryAt =
			(general && this.#take(`general ${general.count}/${general.seconds}`, general, caller)) ??
			this.#refuseView(path, caller, address);
		if (retryAt === undefined || retryAt === null) return undefined;
		const wait = Math.max(1, Math.ceil((retryAt - this.#reader.now()) / 1000));
		return this.#reader.differs('view-limits-silent') ? tooMany() : tooMany({ 'retry-after': String(wait) });
	}

	/** Counts a request, even a rejected one, unless it requests the counts of one feed. */
	#isOverShared(path: string, caller: string, feeds: number): boolean {
		const limit = sharedLimits[path];
		if (limit === undefined || !this.#enabled || !this.#reader.differs('shared-limit')) return false;
		if (path === '/reader/refresh_feeds' && feeds === 1) return false;
		const now = Math.floor(this.#reader.now() / (minute * 1000));
		const countIn = (at: number) => this.#minutes.get(`${caller} ${at}`) ?? 0;
		const counted = countIn(now) + countIn(now - 1);
		this.#minutes.set(`${caller} ${now}`, countIn(now) + 1);
		return counted >= limit;
	}

	/** Clears the counts. */
	reset(): void {
		this.#limiters.clear();
		this.#minutes.clear();
		this.#exact.reset();
	}

	#refuseView(path: string, caller: string, address: string): number | undefined {
		const { differs } = this.#reader;
		const counted = ['view-limits', 'view-limits-silent'] as const;
		if (!this.#enabled || !counted.some((name) => differs.call(this.#reader, name))) return undefined;
		const limit = viewLimits[path];
		const own = limit && this.#take(path, limit, caller);
		if (own !== undefined) return own;
		return path.startsWith('/reader/') ? this.#take('/reader/', readerLimit, address) : undefined;
	}

	/** Counts a request. @returns when the caller may retry; undefined if the request is allowed */
	#take(name: string, limit: { count: number; seconds: number }, caller: string): number | undefined {
		let limiter = this.#limiters.get(name);
		if (limiter === undefined) {
			limiter = new RateLimiter(limit, this.#reader.clock);
			this.#limiters.set(name, limiter);
		}
		const { allowed, resetAt } = limiter.take(caller);
		return allowed ? undefined : resetAt;
	}
}

function tooMany(headers: Record<string, string> = {}): Document {
	return new Document('text/html; charset=utf-8', 'Rate limit exceeded', { status: 429, headers });
}
