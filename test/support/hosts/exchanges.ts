import nock from 'nock';
import { randomUUID } from 'node:crypto';

/** A request as it reaches a service. */
export interface ReceivedRequest {
	method: string;
	path: string;
	/** The values of a repeated name are an array. */
	query: Record<string, string | string[]>;
	/** Parsed JSON, or a form in the format of `query` (files as their text); undefined if there is no body. */
	body?: unknown;
	authorization: string | null;
	/** Absent if the request has none. */
	cookie?: string;
	/** Without parameters such as the charset. */
	contentType: string | null;
}

/** An expected request and its response. */
export interface Exchange {
	request: ReceivedRequest;
	response: object | string;
	status?: number;
	headers?: Record<string, string>;
	/** The code of a network error, instead of a response. */
	networkError?: string;
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
 * Intercepts requests to a unique address. Each exchange is used for one matching request, in any order; each of
 * `fixedResponses` for any number of requests. All other requests get status 599.
 */
export function createFakeService(
	exchanges: Exchange[],
	path = '',
	fixedResponses: FixedResponses = {},
): FakeService {
	const origin = `https://${randomUUID()}.test`;
	const requests: ReceivedRequest[] = [];
	const backgroundPaths: string[] = [];
	const remaining = [...exchanges];
	const scope = nock(origin).persist();
	for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
		scope.intercept(/.*/, method).reply(async (request: Request) => {
			const received = await receivedRequest(request);
			const index = remaining.findIndex((exchange) => isSameRequest(exchange.request, received));
			const [found] = index < 0 ? [] : remaining.splice(index, 1);
			const fixed = received.method === 'GET' ? fixedResponses[received.path.slice(path.length)] : undefined;
			if (!found && fixed !== undefined) {
				backgroundPaths.push(received.path.slice(path.length));
				return [200, fixed];
			}
			requests.push(received);
			if (!found) return [599, { error: 1, message: `Unexpected: ${JSON.stringify(received)}` }];
			if (found.networkError)
				throw Object.assign(new Error(found.networkError), { code: found.networkError });
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

/** The values of a form or query by name; those of a repeated name are an array. */
export function byName(entries: Iterable<readonly [string, string]>): Record<string, string | string[]> {
	const values: Record<string, string | string[]> = {};
	for (const [name, value] of entries) {
		const previous = values[name];
		values[name] = previous === undefined ? value : [previous, value].flat();
	}
	return values;
}

const isSameRequest = (a: ReceivedRequest, b: ReceivedRequest): boolean =>
	canonicalJson(a) === canonicalJson(b);

/** JSON with the keys of every object sorted. */
const canonicalJson = (value: unknown): string =>
	JSON.stringify(value, (_, member: unknown) =>
		typeof member === 'object' && member !== null && !Array.isArray(member)
			? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
			: member,
	);

/** Sorts requests, because concurrent items send theirs in any order. */
export const sortRequests = (requests: ReceivedRequest[]): ReceivedRequest[] =>
	[...requests].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
