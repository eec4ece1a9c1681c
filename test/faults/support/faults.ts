/** The faults of a connection: the reply of the service is replaced before or after the service processed the request. */
import { clock } from '../../support/nodes/built';
import { bodyText, type Behavior, type Reply } from '../../support/hosts/fake-host';

/** The service that receives the request. */
export type ServiceName = 'links' | 'reader';

export interface Fault {
	name: string;
	/** Whether the reply is sent before or after the service processes the request; `refused`: the connection fails. */
	moment: 'before' | 'after' | 'refused';
	/** The reply that is sent instead of `real`, the service's own reply (undefined before it processed the request). */
	reply(service: ServiceName, real?: Reply): Behavior;
	/** The change of the process's clock during the request, in milliseconds. */
	clockShiftMs?: number;
}

type ReplyFactory = Fault['reply'];

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const PAGE = '<!doctype html><html><body><h1>Sorry</h1></body></html>';
const TRUNCATED = '{"error":0,"code":1,"authenticated":true,"id":';

const htmlReply =
	(status: number, headers: Record<string, string> = {}): ReplyFactory =>
	() => ({ status, headers: { ...html, ...headers }, body: PAGE });
const jsonReply =
	(status: number, body: unknown, headers: Record<string, string> = {}): ReplyFactory =>
	() => ({ status, headers: { ...json, ...headers }, body: JSON.stringify(body) });
/** A failure in the format of the service. */
const failure =
	(status: number): ReplyFactory =>
	(service) => ({
		status,
		headers: json,
		body: JSON.stringify(
			service === 'links'
				? { error: 1, message: 'Something failed' }
				: { code: -1, message: 'Something failed', authenticated: true },
		),
	});
const lengthOf = (real: Reply | undefined): string =>
	String(Buffer.byteLength(real ? bodyText(real) : TRUNCATED) + 1);

/** Replies that do not show whether the service processed the request. */
const ambiguous: Record<string, ReplyFactory> = {
	'connection reset': () => 'drop',
	'500 with HTML': htmlReply(500),
	'502 with HTML': htmlReply(502),
	'503 with HTML': htmlReply(503),
	'503 with Retry-After': htmlReply(503, { 'retry-after': '7' }),
	'504 with HTML': htmlReply(504),
	'500 with JSON': failure(500),
	'503 with JSON': failure(503),
	'500 without a body': () => ({ status: 500 }),
	'502 with JSON in an unexpected format': jsonReply(502, { message: 'Bad gateway' }),
	'408 with HTML': htmlReply(408),
	'a login page': htmlReply(200),
	'200 without a body': () => ({ status: 200, headers: json }),
	'204': () => ({ status: 204 }),
	'a truncated body': (_, real) => ({
		status: 200,
		headers: { ...json, 'content-length': lengthOf(real) },
		body: real?.body ?? TRUNCATED,
		cutAfter: 9,
	}),
	'truncated JSON': (_, real) => ({
		status: 200,
		headers: json,
		body: String(real?.body ?? TRUNCATED).slice(0, 12),
	}),
	'an array': jsonReply(200, []),
	'an empty object': jsonReply(200, {}),
	null: jsonReply(200, null),
	'bytes that are not UTF-8': () => ({
		status: 200,
		headers: json,
		body: Buffer.from([0xff, 0xfe, 0, 0x7b]),
	}),
	'302 to another host': () => ({ status: 302, headers: { location: 'http://elsewhere.invalid/' } }),
	'307 to another host': () => ({ status: 307, headers: { location: 'http://elsewhere.invalid/' } }),
	'400 with HTML': htmlReply(400),
	'404 with HTML': htmlReply(404),
	'405 with HTML': htmlReply(405),
	'410 with HTML': htmlReply(410),
	'451 with HTML': htmlReply(451),
	'a wrong Content-Encoding': () => ({
		status: 200,
		headers: { ...json, 'content-encoding': 'gzip' },
		body: 'not compressed',
	}),
};

/** The reader also sends this after it processed the request. */
const resultError: ReplyFactory = (service) =>
	service === 'reader'
		? jsonReply(200, { result: 'error', authenticated: true })(service)
		: failure(500)(service);

/** Replies that show that the service did not process the request. */
const refusals: Record<string, ReplyFactory> = {
	'a refusal': failure(200),
	'400 with JSON': failure(400),
	'403 without a body': () => ({ status: 403 }),
	'429 with Retry-After': (service) => ({
		...(failure(429)(service) as Reply),
		headers: { ...json, 'retry-after': '2' },
	}),
	'429 with a Retry-After of an hour': (service) => ({
		...(failure(429)(service) as Reply),
		headers: { ...json, 'retry-after': '3600' },
	}),
	'429 without Retry-After': failure(429),
	'the response to another account': (service) =>
		service === 'reader' ? jsonReply(200, { code: 1, authenticated: false })(service) : failure(401)(service),
};

/** Bodies that never end; only a timeout ends the request. */
const endless: Record<string, ReplyFactory> = {
	'a body that stalls before its first byte': (_, real) => ({ headers: json, ...real, stallAfter: 0 }),
	'a body that stalls after nine bytes': (_, real) => ({
		headers: json,
		body: TRUNCATED,
		...real,
		stallAfter: 9,
	}),
	'a body that drips': (_, real) => ({ headers: json, ...real, dripMs: 5 }),
};

const HOUR_MS = 3_600_000;

/** The service's reply with the headers of a rate limit window: the remaining requests, and the seconds until it ends. */
const rateLimitWindow =
	(remaining: number, endsIn: number, hostAheadMs = 0): ReplyFactory =>
	(_, real) => {
		const now = clock.now() + hostAheadMs;
		return {
			...real,
			headers: {
				...real?.headers,
				'x-ratelimit-limit': '30',
				'x-ratelimit-remaining': String(remaining),
				'x-ratelimit-reset': String(Math.ceil(now / 1000) + endsIn),
				// By default, it would be the real date.
				date: new Date(now).toUTCString(),
			},
		};
	};

/** Rate limit windows that differ from what this process expects. */
const rateLimitWindows: Record<string, ReplyFactory> = {
	'a window that another client used up': rateLimitWindow(0, 30),
	'a window that ends before its reported end': rateLimitWindow(0, 50 * 60),
	'a window that ends after its reported end': rateLimitWindow(0, 1),
	'a host whose clock is an hour ahead': rateLimitWindow(2, 20, HOUR_MS),
	'a host whose clock is a day behind': rateLimitWindow(0, 20, -24 * HOUR_MS),
};

const clockShifts: Array<[string, number]> = [
	['set back by an hour', -HOUR_MS],
	['set back by ten seconds', -10_000],
	['set ahead by a day', 24 * HOUR_MS],
];

const faultsOf = (moment: Fault['moment'], replies: Record<string, ReplyFactory>): Fault[] =>
	Object.entries(replies).map(([name, reply]) => ({ name, moment, reply }));

export const faults: readonly Fault[] = [
	{ name: 'connection refused', moment: 'refused', reply: () => 'drop' },
	...faultsOf('before', { ...ambiguous, ...endless, ...refusals, 'result error': resultError }),
	...faultsOf('after', { ...ambiguous, ...endless, ...rateLimitWindows, 'result error': resultError }),
	...clockShifts.map(([name, clockShiftMs]): Fault => ({
		name: `the clock of the process ${name}`,
		moment: 'after',
		reply: rateLimitWindow(0, 20),
		clockShiftMs,
	})),
];
