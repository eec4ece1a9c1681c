import type { Reader } from '../reader.ts';
import { Document } from './response.ts';

const minuteMs = 60_000;

interface Window {
	count: number;
	/** Length of the window in clock minutes, including the current one. */
	minutes: number;
	/** The name of the counter; endpoints with the same name share it. */
	counter: string;
}

const shared = (count: number): Window => ({ count, minutes: 2, counter: 'shared' });

const windows: Record<string, Window> = {
	'/reader/feeds': shared(60),
	'/reader/refresh_feeds': shared(30),
	'/rss_feeds/statistics/:id': shared(30),
	'/rss_feeds/original_text': shared(30),
	'/social/load_user_friends': shared(100),
	'/social/rss/:user_id/:username': shared(5),
	'/reader/starred_stories': { count: 50, minutes: 6, counter: 'starred' },
};

const addressWindowMs = 5 * minuteMs;
const addressLimit = 300;
const countedByAddress = /^\/reader\/(feeds|feed\/|refresh_feeds|river_stories|starred_stories|read_stories)/;

export interface LimitedCall {
	/** Of the route. */
	path: string;
	/** The session, or the IP address without a session. */
	caller: string;
	address: string;
	/** Number of feeds that a POST requests. */
	feeds: number;
}

/**
 * The rate limits of 2026. Requests are counted by clock minutes; rejected ones are not counted. `Retry-After` is
 * exact: one second earlier, a request is still rejected.
 */
export class ExactLimits {
	readonly #reader: Reader;
	readonly #counts = new Map<string, number>();

	constructor(reader: Reader) {
		this.#reader = reader;
	}

	/** Counts a request. @returns the response if it exceeds the limit */
	refuse(call: LimitedCall): Document | undefined {
		const window = windows[call.path];
		if (window === undefined || (call.path === '/reader/refresh_feeds' && call.feeds === 1)) return undefined;
		const now = this.#reader.now();
		const minute = Math.floor(now / minuteMs);
		const key = (at: number) => `${window.counter} ${call.caller} ${at}`;
		const countedFrom = (first: number) => {
			const passed = Array.from({ length: minute - first + 1 }, (_, index) => first + index);
			return passed.reduce((sum, at) => sum + (this.#counts.get(key(at)) ?? 0), 0);
		};
		const first = minute - window.minutes + 1;
		if (countedFrom(first) < window.count) {
			this.#counts.set(key(minute), (this.#counts.get(key(minute)) ?? 0) + 1);
			return undefined;
		}
		let later = 1;
		while (countedFrom(first + later) >= window.count) later++;
		const wait = Math.ceil(((minute + later) * minuteMs - now) / 1000);
		return new Document('text/html; charset=utf-8', 'Rate limit exceeded', refusal(wait));
	}

	/** The same for the limit per IP address, which also counts rejected requests. A setting enables it. */
	refuseAddress({ path, address }: LimitedCall): Document | undefined {
		if (!this.#reader.settings.addressLimit || !countedByAddress.test(path)) return undefined;
		const now = this.#reader.now();
		const window = Math.floor(now / addressWindowMs);
		const key = `address ${address} ${window}`;
		const count = (this.#counts.get(key) ?? 0) + 1;
		this.#counts.set(key, count);
		if (count <= addressLimit) return undefined;
		const wait = Math.ceil(((window + 1) * addressWindowMs - now) / 1000);
		return new Document(
			'application/json',
			JSON.stringify({ error: 'Rate limit exceeded', code: -1 }),
			refusal(wait),
		);
	}

	reset(): void {
		this.#counts.clear();
	}
}

const refusal = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } });
