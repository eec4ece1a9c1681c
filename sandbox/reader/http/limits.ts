import type { Reader } from '../reader.ts';
import { Document } from './response.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const minuteMs = 60_000;
const addressWindowMs = 5 * minuteMs;
const addressLimit = 300;
const countedByAddress = /^\/reader\/(feeds|feed\/|refresh_feeds|river_stories|starred_stories|read_stories)/;

interface Window {
	count: number;
	/** Length of the window in clock minutes, including the current one. */
	minutes: number;
	/** Paths with the same counter share it. */
	counter: string;
}

const shared = (count: number): Window => ({ count, minutes: 2, counter: 'shared' });

/** Limits per session by path. */
const windows: Record<string, Window> = {
	'/reader/feeds': shared(60),
	'/reader/refresh_feeds': shared(30),
	'/rss_feeds/statistics/:id': shared(30),
	'/social/load_user_friends': shared(100),
	'/social/rss/:user_id/:username': shared(5),
};
/** The limits of 2026. */
const newerWindows: Record<string, Window> = {
	...windows,
	'/rss_feeds/original_text': shared(30),
	'/reader/starred_stories': { count: 50, minutes: 6, counter: 'starred' },
};

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
	readonly #counts = new Map<string, number>();

	/** Without `enabled`, only the limit for each IP address applies. */
	constructor(reader: Reader, enabled: boolean) {
		this.#reader = reader;
		this.#enabled = enabled;
	}

	refuse(call: LimitedCall): Document | undefined {
		return this.#refuseAddress(call) ?? this.#refuseShared(call);
	}

	reset(): void {
		this.#counts.clear();
	}

	/** In 2026, Retry-After is exact and rejected requests are not counted; in 2024, they are counted and Retry-After is missing. */
	#refuseShared({ path, caller, feeds }: LimitedCall): Document | undefined {
		const isExact = this.#reader.is2026;
		const window = (isExact ? newerWindows : windows)[path];
		const isLimited = this.#enabled && (isExact || this.#reader.isReal);
		if (!isLimited || window === undefined) return undefined;
		if (path === '/reader/refresh_feeds' && feeds === 1) return undefined;
		const now = this.#reader.now();
		const minute = Math.floor(now / minuteMs);
		const key = (at: number) => `${window.counter} ${caller} ${at}`;
		const countedSince = (first: number): number =>
			first > minute ? 0 : (this.#counts.get(key(first)) ?? 0) + countedSince(first + 1);
		let first = minute - window.minutes + 1;
		const isAllowed = countedSince(first) < window.count;
		if (isAllowed || !isExact) this.#counts.set(key(minute), (this.#counts.get(key(minute)) ?? 0) + 1);
		if (isAllowed) return undefined;
		while (countedSince(first) >= window.count) first++;
		return isExact ? tooMany((first + window.minutes - 1) * minuteMs - now) : tooMany();
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

const banMs = 24 * 3_600_000;
/** Number of bytes of a body that are checked. */
const bodyLength = 8192;

/** Patterns that the service treats as attacks, anywhere in a request. */
const attacks = [
	/\$\s*\{/,
	/<\s*script/i,
	/javascript\s*:/i,
	/on(error|load|click|mouseover)\s*=/i,
	/union\s+(all\s+)?select/i,
	/['"]\s*or\s*['"\d].*=/is,
	/;\s*drop\s+table/i,
	/'\s*;\s*--/,
	/\.\.\/\.\.\//,
	/\0|%00/,
];

/** Bans IP addresses for a day after a request that looks like an attack. */
export class AddressBans {
	readonly #reader: Reader;
	readonly #until = new Map<string, number>();

	constructor(reader: Reader) {
		this.#reader = reader;
	}

	/** Whether a request is rejected because its IP address is banned. Bans it if the request looks like an attack. */
	refuses(request: FastifyRequest): boolean {
		const now = this.#reader.now();
		if ((this.#until.get(request.ip) ?? 0) > now) return true;
		if (!textsOf(request).some((text) => attacks.some((attack) => attack.test(text)))) return false;
		this.#until.set(request.ip, now + banMs);
		return true;
	}

	lift(): void {
		this.#until.clear();
	}
}

/** Rejects requests that look like an attack, before any route. */
export function rejectAttacks(app: FastifyInstance, reader: Reader, bans: AddressBans): void {
	if (!reader.is2026) return;
	app.addHook('preHandler', async (request, reply) => {
		if (!bans.refuses(request)) return undefined;
		return reply
			.code(403)
			.type('text/json')
			.send(JSON.stringify({ error: 'Forbidden', code: -1 }));
	});
}

/** URL and body, encoded and decoded. Multipart forms are not checked. */
function textsOf({ url, body, method }: FastifyRequest): string[] {
	const sent = typeof body === 'string' || body instanceof URLSearchParams ? String(body) : '';
	const texts = [url, method === 'POST' ? sent.slice(0, bodyLength) : ''];
	return texts.flatMap((text) => [text, decoded(text)]);
}

function decoded(text: string): string {
	return text
		.replaceAll('+', ' ')
		.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
}
