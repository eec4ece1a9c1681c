import type { LinkContext } from './context.ts';
import { envelope } from './paging.ts';
import type { RouteResult } from './link-route.ts';

const counts = new Set([
	'scans',
	'clicks',
	'uniqueclicks',
	'uniqueClicks',
	'facebook',
	'twitter',
	'instagram',
	'result',
	'perpage',
	'currentpage',
	'nextpage',
	'maxpage',
]);

/** The body of a success. */
export function successBody(context: LinkContext, result: RouteResult): object {
	const isList = 'paged' in result;
	const isText = isList !== context.differs('swapped-error') && !context.differs('number-error');
	const body = isList ? { data: envelope(context, result.paged) } : result.fields;
	return { error: isText ? '0' : 0, ...(inTheWild(context, body, false) as object) };
}

/** The body of a failure. */
export function failureBody(context: LinkContext, message: string): object {
	return { error: context.differs('swapped-error') ? '1' : 1, message };
}

/** Applies the enabled differences to values at any depth. Only lists contain arrays of records. */
function inTheWild(context: LinkContext, value: unknown, listed: boolean, key = ''): unknown {
	if (Array.isArray(value)) return value.map((item) => inTheWild(context, item, true));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [name, inTheWild(context, inner, listed, name)]),
		);
	}
	if (typeof value === 'boolean' && key !== 'rotator' && context.differs('numeric-booleans'))
		return Number(value);
	if (typeof value === 'number') {
		const isText = (what: 'ids' | 'counts'): boolean =>
			context.differs(`string-${what}`) || (listed && context.differs(`string-listed-${what}`));
		if ((key === 'id' && isText('ids')) || (counts.has(key) && isText('counts'))) return String(value);
	}
	return value;
}
