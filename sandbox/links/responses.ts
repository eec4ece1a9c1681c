import type { LinkContext, LinkDifference } from './context.ts';

/** A failed request. The response has this message and status, unless a difference changes the status. */
export class Failure extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

export const invalid = (message: string) => new Failure(400, message);
export const conflict = (what: string) => new Failure(409, `${what} is taken. Please choose another one.`);
export const missing = (name: string) => new Failure(404, `${name} does not exist.`);

const counts = new Set([
	'scans',
	'clicks',
	'uniqueclicks',
	'uniqueClicks',
	'result',
	'perpage',
	'currentpage',
	'nextpage',
	'maxpage',
]);

/** The body of a success. */
export function successBody(context: LinkContext, result: RouteResult): object {
	const isList = 'paged' in result;
	const isText = isList !== context.isReal && !context.differs('number-error');
	const body = isList ? { data: envelope(context, result.paged) } : result.fields;
	return { error: isText ? '0' : 0, ...(asHostWrites(context, body, false) as object) };
}

/** Applies the differences of values at any depth. Only lists contain arrays of records. */
function asHostWrites(context: LinkContext, value: unknown, listed: boolean, key = ''): unknown {
	if (Array.isArray(value)) return value.map((item) => asHostWrites(context, item, true));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [name, asHostWrites(context, inner, listed, name)]),
		);
	}
	if (typeof value === 'boolean' && key !== 'rotator' && context.isReal) return Number(value);
	if (typeof value === 'number') {
		const isText = (name: LinkDifference) => context.isReal || (listed && context.differs(name));
		if (key === 'id' && isText('string-listed-ids')) return String(value);
		if (counts.has(key) && isText('string-listed-counts')) return String(value);
	}
	return value;
}

const defaultPageSize = 15;
const maximumPageSize = 100;

export interface Paged {
	collection: string;
	entries: object[];
	/** Number of matches on all pages. */
	total: number;
	page: number;
	limit: number;
}

/** Parses the query parameters `limit` and `page`; reduces `limit` to the maximum. */
export function readPaging(query: Record<string, unknown>): { page: number; limit: number } {
	const limit = wholeNumber(query, 'limit') ?? defaultPageSize;
	return { page: wholeNumber(query, 'page') ?? 1, limit: Math.min(limit, maximumPageSize) };
}

function wholeNumber(query: Record<string, unknown>, name: string): number | undefined {
	const text = query[name];
	if (text === undefined || text === '') return undefined;
	if (typeof text !== 'string' || !/^[1-9]\d{0,8}$/.test(text)) {
		throw invalid(`The parameter ${name} must be an integer from 1.`);
	}
	return Number(text);
}

/** The interface document's page envelope. */
export function envelope(context: LinkContext, { collection, entries, total, page, limit }: Paged): unknown {
	const lastPage = Math.max(1, Math.ceil(total / limit));
	return {
		result: context.isReal ? total : entries.length,
		perpage: limit,
		currentpage: page,
		nextpage: page >= lastPage && context.isReal ? null : page + 1,
		maxpage: lastPage,
		[collection]: entries.length === 0 && context.isReal ? {} : entries,
	};
}

/** A response of the API: the members of a record, or one page of a list. */
export type RouteResult = { fields: object } | { paged: Paged };
