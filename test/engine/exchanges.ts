import nock from 'nock';
import { randomUUID } from 'node:crypto';

/** A request as it reaches a service. */
export interface Asked {
	method: string;
	path: string;
	query: Record<string, string>;
	/** Parsed JSON; undefined if there is no body. */
	body?: unknown;
	authorization: string | null;
	contentType: string | null;
}

/** One request that is expected, and what is answered to it. */
export interface Exchange {
	asked: Asked;
	answer: object | string;
	status?: number;
	headers?: Record<string, string>;
}

export interface Service {
	baseUrl: string;
	/** Every request that came, in order. */
	requests: Asked[];
}

/**
 * A service that exists only in this test, at an address of its own. It answers each exchange once, in whatever
 * order requests come, and status 599 to any request that is none of them.
 */
export function serviceThat(exchanges: Exchange[], path = ''): Service {
	const origin = `https://${randomUUID()}.test`;
	const requests: Asked[] = [];
	const left = [...exchanges];
	const scope = nock(origin).persist();
	for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
		scope.intercept(/.*/, method).reply(async (request: Request) => {
			const asked = await toAsked(request);
			requests.push(asked);
			const index = left.findIndex((exchange) => identical(exchange.asked, asked));
			const [found] = index < 0 ? [] : left.splice(index, 1);
			if (!found) return [599, { error: 1, message: `Unexpected: ${JSON.stringify(asked)}` }];
			return [found.status ?? 200, found.answer, found.headers ?? {}];
		});
	}
	return { baseUrl: `${origin}${path}`, requests };
}

async function toAsked(request: Request): Promise<Asked> {
	const { pathname, searchParams } = new URL(request.url);
	const text = await request.text();
	return {
		method: request.method,
		path: pathname,
		query: Object.fromEntries(searchParams),
		...(text !== '' && { body: JSON.parse(text) as unknown }),
		authorization: request.headers.get('authorization'),
		contentType: request.headers.get('content-type'),
	};
}

const identical = (one: Asked, other: Asked): boolean => canonical(one) === canonical(other);

/** JSON with the keys of every object in order. */
const canonical = (value: unknown): string =>
	JSON.stringify(value, (_, member: unknown) =>
		typeof member === 'object' && member !== null && !Array.isArray(member)
			? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
			: member,
	);

/** Requests of items that run side by side may come in any order. */
export const inAnyOrder = (requests: Asked[]): Asked[] =>
	[...requests].sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
