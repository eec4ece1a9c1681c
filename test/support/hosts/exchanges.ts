import nock from 'nock';
import { randomUUID } from 'node:crypto';

/** A request as it reaches a service. */
export interface ReceivedRequest {
	method: string;
	path: string;
	/** A name that is repeated has a list of its values. */
	query: Record<string, string | string[]>;
	/** Parsed JSON, or a form like `query` (files as their texts); undefined if there is no body. */
	body?: unknown;
	authorization: string | null;
	/** Left out if there is none. */
	cookie?: string;
	/** Without its parameters. */
	contentType: string | null;
}

/** An expected request and its response. */
export interface Exchange {
	request: ReceivedRequest;
	response: object | string;
	status?: number;
	headers?: Record<string, string>;
	/** The network's error code, if there is no response. */
	fails?: string;
}

export interface FakeService {
	baseUrl: string;
	/** Every received request, in order, except those of `backgroundPaths`. */
	requests: ReceivedRequest[];
	/** The paths of the requests that got their response from `fixedResponses`, in order. */
	backgroundPaths: string[];
}

/** Responses to GET requests by path, any number of times. */
export type FixedResponses = Record<string, object | string>;

/**
 * A service that exists only in this test, at an address of its own. It replies to each exchange once, in any order of the
 * requests, those in `fixedResponses` any number of times, and all others with status 599.
 */
export function serviceThat(
	exchanges: Exchange[],
	path = '',
	fixedResponses: FixedResponses = {},
): FakeService {
	const origin = `https://${randomUUID()}.test`;
	const requests: ReceivedRequest[] = [];
	const backgroundPaths: string[] = [];
	const left = [...exchanges];
	const scope = nock(origin).persist();
	for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
		scope.intercept(/.*/, method).reply(async (request: Request) => {
			const received = await receivedRequest(request);
			const index = left.findIndex((exchange) => identical(exchange.request, received));
			const [found] = index < 0 ? [] : left.splice(index, 1);
			const fixed = received.method === 'GET' ? fixedResponses[received.path.slice(path.length)] : undefined;
			if (!found && fixed !== undefined) {
				backgroundPaths.push(received.path.slice(path.length));
				return [200, fixed];
			}
			requests.push(received);
			if (!found) return [599, { error: 1, message: `Unexpected: ${JSON.stringify(received)}` }];
			if (found.fails) throw Object.assign(new Error(found.fails), { code: found.fails });
			return [found.status ?? 200, found.response, found.headers ?? {}];
		});
	}
	return { baseUrl: `${origin}${path}`, requests, backgroundPaths };
}

async function receivedRequest(request: Request): Promise<ReceivedRequest> {
	const { pathname, searchParams } = new URL(request.url);
	const contentType = request.headers.get('content-type')?.split(';')[0] ?? null;
	const body = await bodyOf(request, contentType);
	const cookie = request.headers.get('cookie');
	return {
		method: request.method,
		path: pathname,
		query: byName(searchParams),
		...(body !== undefined && { body }),
		authorization: request.headers.get('authorization'),
		...(cookie !== null && { cookie }),
		contentType,
	};
}

async function bodyOf(request: Request, contentType: string | null): Promise<unknown> {
	if (contentType === 'multipart/form-data') {
		const entries = [...(await request.formData())].map(async ([name, value]) =>
			typeof value === 'string' ? ([name, value] as const) : ([name, await value.text()] as const),
		);
		return byName(await Promise.all(entries));
	}
	const text = await request.text();
	if (contentType === 'application/x-www-form-urlencoded') return byName(new URLSearchParams(text));
	return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/** The values of a form or query by name; those of a repeated name are a list. */
export function byName(entries: Iterable<readonly [string, string]>): Record<string, string | string[]> {
	const values: Record<string, string | string[]> = {};
	for (const [name, value] of entries) {
		const earlier = values[name];
		values[name] = earlier === undefined ? value : [earlier, value].flat();
	}
	return values;
}

const identical = (one: ReceivedRequest, other: ReceivedRequest): boolean =>
	canonical(one) === canonical(other);

/** JSON with the keys of every object in order. */
const canonical = (value: unknown): string =>
	JSON.stringify(value, (_, member: unknown) =>
		typeof member === 'object' && member !== null && !Array.isArray(member)
			? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
			: member,
	);

/** Requests of items that run side by side may come in any order. */
export const inAnyOrder = (requests: ReceivedRequest[]): ReceivedRequest[] =>
	[...requests].sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
