import type { LinkContext } from './context.ts';
import type { LinkDifference } from './link-differences.ts';
import { envelope } from './paging.ts';
import type { RouteResult } from './link-route.ts';

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
