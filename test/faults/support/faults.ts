/** What can go wrong between a node and its service, before and after the service acted. */
import { clock } from '../../support/nodes/built';
import { textOf, type Behavior, type Reply } from '../../support/hosts/fake-host';

/** Which of the two services speaks. */
export type ServiceName = 'links' | 'reader';

export interface Fault {
	name: string;
	/** Whether the service gets the request and acts before this is answered; `refused` keeps it from being sent. */
	moment: 'before' | 'after' | 'refused';
	/** What replaces `real`, the service's own answer, which there is only after it acted. */
	reply(service: ServiceName, real?: Reply): Behavior;
	/** By how many milliseconds somebody sets the clock of the process meanwhile. */
	clockMoves?: number;
}

type Make = Fault['reply'];

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const PAGE = '<!doctype html><html><body><h1>Sorry</h1></body></html>';
const TRUNCATED = '{"error":0,"code":1,"authenticated":true,"id":';

const page =
	(status: number, headers: Record<string, string> = {}): Make =>
	() => ({ status, headers: { ...html, ...headers }, body: PAGE });
const says =
	(status: number, body: unknown, headers: Record<string, string> = {}): Make =>
	() => ({ status, headers: { ...json, ...headers }, body: JSON.stringify(body) });
/** A failure in the service's own words. */
const failure =
	(status: number): Make =>
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
	String(Buffer.byteLength(real ? textOf(real) : TRUNCATED) + 1);

/** Nobody can know from these whether the service acted. */
const silent: Record<string, Make> = {
	'connection reset': () => 'drop',
	'500 with HTML': page(500),
	'502 with HTML': page(502),
	'503 with HTML': page(503),
	'503 with Retry-After': page(503, { 'retry-after': '7' }),
	'504 with HTML': page(504),
	'500 with JSON': failure(500),
	'503 with JSON': failure(503),
	'500 without a body': () => ({ status: 500 }),
	'502 with JSON in an unexpected format': says(502, { message: 'Bad gateway' }),
	'408 with HTML': page(408),
	'a login page': page(200),
	'200 without a body': () => ({ status: 200, headers: json }),
	'204': () => ({ status: 204 }),
	'a body cut short': (_, real) => ({
		status: 200,
		headers: { ...json, 'content-length': lengthOf(real) },
		body: real?.body ?? TRUNCATED,
		cutAfter: 9,
	}),
	'a body of half the JSON': (_, real) => ({
		status: 200,
		headers: json,
		body: String(real?.body ?? TRUNCATED).slice(0, 12),
	}),
	'a list': says(200, []),
	'an empty object': says(200, {}),
	null: says(200, null),
	'bytes that are no text': () => ({ status: 200, headers: json, body: Buffer.from([0xff, 0xfe, 0, 0x7b]) }),
	'302 to another host': () => ({ status: 302, headers: { location: 'http://elsewhere.invalid/' } }),
	'307 to another host': () => ({ status: 307, headers: { location: 'http://elsewhere.invalid/' } }),
	'400 with HTML': page(400),
	'404 with HTML': page(404),
	'405 with HTML': page(405),
	'410 with HTML': page(410),
	'451 with HTML': page(451),
	'a wrong Content-Encoding': () => ({
		status: 200,
		headers: { ...json, 'content-encoding': 'gzip' },
		body: 'not compressed',
	}),
};

/** The reader sends this where it acted, too. */
const resultError: Make = (service) =>
	service === 'reader' ? says(200, { result: 'error', authenticated: true })(service) : failure(500)(service);

/** From these it is certain that the service did not act. */
const refusals: Record<string, Make> = {
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
	'somebody else’s answer': (service) =>
		service === 'reader' ? says(200, { code: 1, authenticated: false })(service) : failure(401)(service),
};

/** Bodies that never end: only a time limit ends the request. */
const endless: Record<string, Make> = {
	'a body that stalls before its first byte': (_, real) => ({ headers: json, ...real, stallAfter: 0 }),
	'a body that stalls in its middle': (_, real) => ({
		headers: json,
		body: TRUNCATED,
		...real,
		stallAfter: 9,
	}),
	'a body that drips': (_, real) => ({ headers: json, ...real, dripMs: 5 }),
};

const HOUR_MS = 3_600_000;

/** The service's response with the headers of a window: the requests that are left, and its end in seconds. */
const window =
	(remaining: number, endsIn: number, hostAheadMs?: number): Make =>
	(_, real) => {
		const now = clock.now() + (hostAheadMs ?? 0);
		return {
			...real,
			headers: {
				...real?.headers,
				'x-ratelimit-limit': '30',
				'x-ratelimit-remaining': String(remaining),
				'x-ratelimit-reset': String(Math.ceil(now / 1000) + endsIn),
				...(hostAheadMs !== undefined && { date: new Date(now).toUTCString() }),
			},
		};
	};

/** Nothing is broken, but the window is not what this process knows of it. */
const windows: Record<string, Make> = {
	'a window that another client used up': window(0, 30),
	'a window that ends before its reported end': window(0, 50 * 60),
	'a window that ends after its reported end': window(0, 1),
	'a host whose clock is an hour ahead': window(2, 20, HOUR_MS),
	'a host whose clock is a day behind': window(0, 20, -24 * HOUR_MS),
};

const movedClocks: Array<[string, number]> = [
	['set back by an hour', -HOUR_MS],
	['set back by ten seconds', -10_000],
	['set ahead by a day', 24 * HOUR_MS],
];

const each = (moment: Fault['moment'], makes: Record<string, Make>): Fault[] =>
	Object.entries(makes).map(([name, reply]) => ({ name, moment, reply }));

export const faults: readonly Fault[] = [
	{ name: 'connection refused', moment: 'refused', reply: () => 'drop' },
	...each('before', { ...silent, ...endless, ...refusals, 'result error': resultError }),
	...each('after', { ...silent, ...endless, ...windows, 'result error': resultError }),
	...movedClocks.map(([name, clockMoves]): Fault => ({
		name: `the clock of the process ${name}`,
		moment: 'after',
		reply: window(0, 20),
		clockMoves,
	})),
];
