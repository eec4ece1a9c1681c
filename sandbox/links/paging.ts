import type { LinkContext } from './context.ts';
import { invalid } from './failure.ts';

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

/** The contract's page envelope. */
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
