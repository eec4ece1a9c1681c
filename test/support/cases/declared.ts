/** Inspects the output of operations and events. */
import type { Operation } from '../../../nodes/runtime/table/operation';
import type { JsonSchema } from '../../../nodes/runtime/table/record';

/** Whether only newer servers offer an operation, as its description says. */
export const isOnNewerServers = ({ description }: Operation): boolean =>
	description.includes('newer servers');

/** The paths of the members of a schema, such as `replies[].username`. */
export const pathsOf = (schema: JsonSchema, path = ''): string[] =>
	Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
		`${path}${name}`,
		...pathsOf(member.items ?? member, `${path}${name}${member.items ? '[]' : ''}.`),
	]);

/** ISO 8601 with a zone. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
/** Whether a member has the name of a date. A local time has another name, because its zone is unknown. */
const isDateName = (name: string): boolean => /date$|update$/i.test(name);
const EPOCH_S = 1e9;

/** The primitive values in a value, with their paths. */
function leavesOf(value: unknown, path: string): Array<[path: string, leaf: unknown]> {
	if (Array.isArray(value)) return value.flatMap((entry) => leavesOf(entry, `${path}[]`));
	if (typeof value !== 'object' || value === null) return [[path, value]];
	return Object.entries(value).flatMap(([name, member]) => leavesOf(member, path ? `${path}.${name}` : name));
}

/** Whether a value is a date: by its name, or because it looks like one. */
const isDate = (path: string, leaf: unknown): boolean =>
	leaf !== null &&
	!path.endsWith('localTime') &&
	(isDateName(path) ||
		(typeof leaf === 'number' && leaf > EPOCH_S) ||
		(typeof leaf === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\bago$|^\d{10}(\.\d+)?$/.test(leaf)));

/** The paths of dates in records, and those that are not ISO 8601 with a zone. */
export function datesIn(records: unknown[], name: string): { all: string[]; malformed: string[] } {
	const dates = leavesOf(records, '')
		.map(([path, leaf]): [string, unknown] => [path.replace(/^\[\]\.?/, ''), leaf])
		.filter(([path, leaf]) => isDate(path, leaf));
	const malformed = dates.filter(([, leaf]) => !ISO.test(String(leaf)));
	return {
		all: dates.map(([path]) => `${name}: ${path}`),
		malformed: malformed.map(([path, leaf]) => `${name}: ${path}: ${String(leaf)}`),
	};
}
