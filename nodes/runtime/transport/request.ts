import type { ApiRequest, ListRow, Paging, RequestParts, RequestRow } from '../api-types';
import { queryString } from './encoding';

/** Whether a request, or the requests of a row, change nothing. */
export const isSafe = ({ method, safe = false }: Pick<ApiRequest, 'method' | 'safe'>): boolean =>
	safe || ['GET', 'HEAD'].includes(method);

/** Some proxies refuse longer queries. */
const LONGEST_QUERY = 4000;

/** The request of a row, with the ids percent-encoded in its path. */
export function requestOf(row: RequestRow, parts: Partial<RequestParts> = {}): ApiRequest {
	const { path = {}, query = {}, body = {}, labels, ...others } = parts;
	const request = {
		...others,
		path: pathOf(row, path),
		action: row.action,
		labels: { ...labelsOf(row, { ...path, ...query, ...body }), ...labels },
		...(row.batch && { partial: true }),
		...(row.idempotent && { idempotent: true }),
	};
	if (row.postsLongQuery && queryString(query).length > LONGEST_QUERY) {
		return { ...request, method: 'POST', body: query, safe: true };
	}
	const sendsBody = row.method !== 'GET' && Object.keys({ ...row.body, ...body }).length > 0;
	return { ...request, method: row.method, query, ...(sendsBody && { body }) };
}

export function pagingOf({ paging, route }: ListRow): Paging {
	if (!paging) throw new Error(`${route} is not a list`);
	return paging;
}

/** Whether a path would lead elsewhere: with a dot segment (RFC 3986), even percent-encoded, or a control character. */
export const isLostInPath = (value: unknown): boolean => /^\.{1,2}$|\p{Cc}/u.test(String(value));

const pathOf = ({ route, template }: RequestRow, ids: Record<string, unknown>): string =>
	template.replace(/\{(\w+)(\??)\}/g, (_, name: string, optional: string) => {
		const value = ids[name];
		if (value === undefined && optional) return '';
		if (value === undefined) throw new Error(`${route} lacks ${name}`);
		if (isLostInPath(value)) throw new Error(`"${String(value)}" can't be part of a request path`);
		return encodeURIComponent(String(value));
	});

function labelsOf(row: RequestRow, values: Record<string, unknown>): Record<string, string> {
	const labels: Record<string, string> = {};
	for (const [name, { label }] of Object.entries({ ...row.path, ...row.query, ...row.body })) {
		if (values[name] !== undefined) labels[name] = label;
	}
	return labels;
}
