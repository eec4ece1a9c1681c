/** Compares the output of operations with their declared schemas. */
import type { IDataObject } from 'n8n-workflow';
import { outputSchema, resultSchema, type Table } from '../../../nodes/runtime/table/operation';
import { optional, type ValueSchema, type JsonSchema } from '../../../nodes/runtime/table/record';

/** The paths of the members of a schema, such as `replies[].username`. */
export const pathsOf = (schema: JsonSchema, path = ''): string[] =>
	Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
		`${path}${name}`,
		...pathsOf(member.items ?? member, `${path}${name}${member.items ? '[]' : ''}.`),
	]);

/** The paths of a value's members that its schema declares. */
function pathsIn(value: unknown, schema: JsonSchema | undefined, path = ''): string[] {
	if (Array.isArray(value)) {
		return value.flatMap((entry) => pathsIn(entry, schema?.items, `${path.slice(0, -1)}[].`));
	}
	if (typeof value !== 'object' || value === null || !schema?.properties) return [];
	return Object.entries(value).flatMap(([name, member]) => [
		`${path}${name}`,
		...pathsIn(member, schema.properties?.[name], `${path}${name}.`),
	]);
}

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

/** The same members, all optional. */
const optionalOf = (members: Record<string, ValueSchema>): Record<string, ValueSchema> =>
	Object.fromEntries(Object.entries(members).map(([name, kind]) => [name, optional(kind)]));

/** Collects the records of operations, to compare all of them with the declared schemas. */
export class DeclaredOutputs {
	/** The paths of the members that records had, by operation. */
	private readonly seenPaths = new Map<string, Set<string>>();
	private readonly absent = new Set<string>();
	private readonly reportedDates = { all: new Set<string>(), malformed: new Set<string>() };

	constructor(private readonly table: Table) {}

	/** Adds the records of an operation, unless it returned the service's own records. */
	add(name: string, parameters: { simplify?: unknown; options?: unknown }, records: IDataObject[]): void {
		if (parameters.simplify === false || JSON.stringify(parameters.options)?.includes('rawResponse')) return;
		// API Request has no declared schema.
		if (Object.keys(this.schemaOf(name).properties ?? {}).length === 0) return;
		const seen = this.seenPaths.get(name) ?? new Set();
		this.seenPaths.set(name, seen);
		for (const record of records.filter((candidate) => !('error' in candidate))) {
			for (const path of pathsIn(record, this.schemaOf(name))) seen.add(path);
			for (const member of this.requiredMembers(name, record)) {
				if (!(member in record)) this.absent.add(`${name}: ${member}`);
			}
			const { all, malformed } = datesIn([record], name);
			all.forEach((date) => this.reportedDates.all.add(date));
			malformed.forEach((date) => this.reportedDates.malformed.add(date));
		}
	}

	/** Required members that a record did not have. */
	absentMembers(): string[] {
		return [...this.absent];
	}

	/** The paths of dates. */
	dates(): string[] {
		return [...this.reportedDates.all];
	}

	/** Dates that are not ISO 8601 with a zone. */
	malformedDates(): string[] {
		return [...this.reportedDates.malformed];
	}

	/** The members that a record must have. With some parameters, an operation returns `instead` of its usual record. */
	private requiredMembers(name: string, record: IDataObject): string[] {
		const { members, instead = {} } = resultSchema(this.rowOf(name).row.output);
		const isOther = Object.keys(instead).some((member) => member in record);
		return Object.keys(isOther ? instead : members);
	}

	/** Members of records that the schema does not declare. */
	undeclaredMembers(): string[] {
		return [...this.seenPaths].flatMap(([name, seen]) => {
			const declared = new Set(pathsOf(this.schemaOf(name)));
			return [...seen].filter((path) => !declared.has(path)).map((path) => `${name}: ${path}`);
		});
	}

	/**
	 * Declared members that no record had. An optional member must occur in a record of any operation that declares it;
	 * a required one in a record of each.
	 */
	unseenMembers(): string[] {
		const members = [...this.seenPaths.keys()].flatMap((name) => this.membersOf(name));
		return members
			.filter((member) => {
				const sameMembers = members.filter(
					({ path, schema }) => path === member.path && schema === member.schema,
				);
				return !(member.isOptional ? sameMembers : [member]).some(({ name, path }) =>
					this.seenPaths.get(name)?.has(path),
				);
			})
			.map(({ name, path }) => `${name}: ${path}`);
	}

	/** The members of an operation's record, and their nested members, which count as optional. */
	private membersOf(name: string) {
		const { output } = this.rowOf(name).row;
		const { members, instead = {} } = resultSchema(output);
		return Object.entries({ ...members, ...optionalOf(instead) }).flatMap(
			([path, { jsonSchema, optional }]) => [
				{ name, path, schema: jsonSchema, isOptional: optional === true },
				...pathsOf({ type: 'object', properties: { [path]: jsonSchema } })
					.slice(1)
					.map((inner) => ({ name, path: inner, schema: jsonSchema, isOptional: true })),
			],
		);
	}

	private rowOf(name: string) {
		const [resource = '', operation = ''] = name.split('.');
		const { operations } = this.table[resource]!;
		return { resource: this.table[resource]!, row: operations[operation]! };
	}

	private schemaOf(name: string): JsonSchema {
		return outputSchema(this.rowOf(name).row);
	}
}
