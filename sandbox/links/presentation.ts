import type { LinkContext } from './context.ts';
import { envelope } from './paging.ts';
import type { Answer } from './route.ts';

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

/** The body of a successful answer. */
export function successBody(context: LinkContext, answer: Answer): object {
	const isList = 'paged' in answer;
	const error = isList !== context.differs('swapped-error') ? '0' : 0;
	const body = isList ? { data: envelope(context, answer.paged) } : answer.fields;
	return { error, ...(inTheWild(context, body) as object) };
}

/** The body of a failed answer. */
export function failureBody(context: LinkContext, message: string): object {
	return { error: context.differs('swapped-error') ? '1' : 1, message };
}

/** Values as the differences have them, all the way down. */
function inTheWild(context: LinkContext, value: unknown, key = ''): unknown {
	if (Array.isArray(value)) return value.map((item) => inTheWild(context, item));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [name, inTheWild(context, inner, name)]),
		);
	}
	if (typeof value === 'boolean' && key !== 'rotator' && context.differs('numeric-booleans'))
		return Number(value);
	if (typeof value === 'number') {
		if (key === 'id' && context.differs('string-ids')) return String(value);
		if (counts.has(key) && context.differs('string-counts')) return String(value);
	}
	return value;
}
