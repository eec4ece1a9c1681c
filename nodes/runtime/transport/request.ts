import { queryString, type Request } from './http';
import type { Operation, Parts } from '../table/operation';

/** Longer queries are refused by some servers on the way. */
const LONGEST_QUERY = 4000;

/** The request of a row with its parts: ids percent-encoded in the path, nothing sent that has no value. */
export function requestOf(row: Operation, parts: Parts): Request {
	const path = row.template.replace(/\{(\w+)(\??)\}/g, (_, name: string, optional: string) => {
		const value = parts.path[name];
		if (value === undefined && optional) return '';
		if (value === undefined) throw new Error(`${row.route} lacks ${name}`);
		// No encoding keeps these from leading to another address.
		if (/^\.{1,2}$/.test(String(value)))
			throw new Error(`"${String(value)}" can't stand in the path of a request`);
		return encodeURIComponent(String(value));
	});
	const sendsBody = row.method !== 'GET' && Object.keys({ ...row.body, ...parts.body }).length > 0;
	const asForm = row.postsLongQuery && queryString(parts.query).length > LONGEST_QUERY;
	return {
		...(asForm
			? { method: 'POST', path, body: parts.query }
			: { method: row.method, path, query: parts.query, ...(sendsBody && { body: parts.body }) }),
		...(row.interval && { interval: row.interval }),
		...(parts.accepts && { accepts: parts.accepts }),
		...(row.batch && { partial: true }),
	};
}
