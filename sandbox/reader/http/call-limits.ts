import { RateLimiter } from '../../shared/rate-limiter.ts';
import type { Reader } from '../reader.ts';
import { Document } from './response.ts';

const minuteMs = 60_000;
const addressWindowMs = 5 * minuteMs;
const addressLimit = 300;
const countedByAddress = /^\/reader\/(feeds|feed\/|refresh_feeds|river_stories|starred_stories|read_stories)/;

/** Limits per session by path. All requests of a session in this and the last clock minute share one counter. */
const sharedLimits: Record<string, number> = {
	'/reader/feeds': 60,
	'/reader/refresh_feeds': 30,
	'/rss_feeds/statistics/:id': 30,
	'/social/load_user_friends': 100,
	'/social/rss/:user_id/:username': 5,
};
/** Additional limits of `exact-limits`. */
const newerLimits: Record<string, number> = { ...sharedLimits, '/rss_feeds/original_text': 30 };

interface LimitedCall {
	/** Path of the route. */
	path: string;
	/** The session, or the IP address without a session. */
	caller: string;
	address: string;
	/** Number of feeds that a POST requests. */
	feeds: number;
}

/** Counts requests, and returns the response to a request above a limit. */
export class CallLimits {
	readonly #reader: Reader;
	readonly #enabled: boolean;
	readonly #limiters = new Map<string, RateLimiter>();
	readonly #counts = new Map<string, number>();

	/** Without `enabled`, only the limits of the settings apply. */
	constructor(reader: Reader, enabled: boolean) {
		this.#reader = reader;
		this.#enabled = enabled;
	}

	refuse(call: LimitedCall): Document | undefined {
		return this.#refuseAddress(call) ?? this.#refuseShared(call) ?? this.#refuseGeneral(call);
	}

	reset(): void {
		this.#limiters.clear();
		this.#counts.clear();
	}

	/** The limit of the settings. */
	#refuseGeneral({ caller }: LimitedCall): Document | undefined {
		const { rateLimit } = this.#reader.settings;
		if (rateLimit === null) return undefined;
		const name = `${rateLimit.count}/${rateLimit.seconds}`;
		const limiter = this.#limiters.get(name) ?? new RateLimiter(rateLimit, this.#reader.clock);
		this.#limiters.set(name, limiter);
		const { allowed, resetAt } = limiter.take(caller);
		return allowed ? undefined : tooMany(resetAt - this.#reader.now());
	}

	/** `exact-limits` sends the exact Retry-After and does not count rejected requests; `shared-limit` does the opposite. */
	#refuseShared({ path, caller, feeds }: LimitedCall): Document | undefined {
		const isExact = this.#reader.differs('exact-limits');
		const limit = (isExact ? newerLimits : sharedLimits)[path];
		const isLimited = this.#enabled && (isExact || this.#reader.differs('shared-limit'));
		if (!isLimited || limit === undefined) return undefined;
		if (path === '/reader/refresh_feeds' && feeds === 1) return undefined;
		const now = this.#reader.now();
		const minute = Math.floor(now / minuteMs);
		const countIn = (at: number) => this.#counts.get(`${caller} ${at}`) ?? 0;
		const isAllowed = countIn(minute) + countIn(minute - 1) < limit;
		if (isAllowed || !isExact) this.#counts.set(`${caller} ${minute}`, countIn(minute) + 1);
		if (isAllowed) return undefined;
		const minutes = countIn(minute) < limit ? 1 : 2;
		return isExact ? tooMany((minute + minutes) * minuteMs - now) : tooMany();
	}

	/** The limit per IP address, which a setting enables. */
	#refuseAddress({ path, address }: LimitedCall): Document | undefined {
		if (!this.#reader.settings.addressLimit || !countedByAddress.test(path)) return undefined;
		const now = this.#reader.now();
		const window = Math.floor(now / addressWindowMs);
		const key = `address ${address} ${window}`;
		const count = (this.#counts.get(key) ?? 0) + 1;
		this.#counts.set(key, count);
		if (count <= addressLimit) return undefined;
		const { headers } = tooMany((window + 1) * addressWindowMs - now);
		const body = JSON.stringify({ error: 'Rate limit exceeded', code: -1 });
		return new Document('application/json', body, { status: 429, headers });
	}
}

function tooMany(waitMs?: number): Document {
	const headers: Record<string, string> =
		waitMs === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) };
	return new Document('text/html; charset=utf-8', 'Rate limit exceeded', { status: 429, headers });
}
