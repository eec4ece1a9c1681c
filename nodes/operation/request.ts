import type { Request } from './transport';
import type { Operation, Parts } from './row';

/** The request of a row with its parts: ids percent-encoded in the path, nothing sent that has no value. */
export function requestOf(row: Operation, parts: Parts): Request {
	const path = row.template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = parts.path[name];
		if (value === undefined) throw new Error(`${row.route} lacks ${name}`);
		return encodeURIComponent(String(value));
	});
	const sendsBody = row.method !== 'GET' && Object.keys({ ...row.body, ...parts.body }).length > 0;
	return {
		method: row.method,
		path,
		query: parts.query,
		...(sendsBody && { body: parts.body }),
		...(parts.accepts && { accepts: parts.accepts }),
		...(row.batch && { partial: true }),
	};
}
