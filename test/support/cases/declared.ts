/** What operations put out, compared with what they declare. */
import type { IDataObject } from 'n8n-workflow';
import { outputSchema } from '../../../nodes/runtime/table/operation';
import { resultSchema, type Table } from '../../../nodes/runtime/table/operation';
import { optional, type ValueSchema, type JsonSchema } from '../../../nodes/runtime/table/record';

/** The paths of the members of a schema, as `replies[].username`; an object without members may hold anything. */
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
/** Names of moments; a local time says itself that it is one of no known zone. */
const isMomentName = (name: string): boolean => /date$|update$/i.test(name);
const EPOCH_S = 1e9;

/** Texts and numbers of a value, with their paths. */
function leavesOf(value: unknown, path: string): Array<[path: string, leaf: unknown]> {
	if (Array.isArray(value)) return value.flatMap((entry) => leavesOf(entry, `${path}[]`));
	if (typeof value !== 'object' || value === null) return [[path, value]];
	return Object.entries(value).flatMap(([name, member]) => leavesOf(member, path ? `${path}.${name}` : name));
}

/** Whether a value is a date: by its name, or because it looks like one. */
const isMoment = (path: string, leaf: unknown): boolean =>
	leaf !== null &&
	!path.endsWith('localTime') &&
	(isMomentName(path) ||
		(typeof leaf === 'number' && leaf > EPOCH_S) ||
		(typeof leaf === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\bago$|^\d{10}(\.\d+)?$/.test(leaf)));

/** The paths of dates in records, and those that are not ISO 8601 with zone. */
export function momentsIn(records: unknown[], name: string): { all: string[]; odd: string[] } {
	const moments = leavesOf(records, '')
		.map(([path, leaf]): [string, unknown] => [path.replace(/^\[\]\.?/, ''), leaf])
		.filter(([path, leaf]) => isMoment(path, leaf));
	const odd = moments.filter(([, leaf]) => !ISO.test(String(leaf)));
	return {
		all: moments.map(([path]) => `${name}: ${path}`),
		odd: odd.map(([path, leaf]) => `${name}: ${path}: ${String(leaf)}`),
	};
}

/** The same members, all optional. */
const optionalOf = (members: Record<string, ValueSchema>): Record<string, ValueSchema> =>
	Object.fromEntries(Object.entries(members).map(([name, kind]) => [name, optional(kind)]));

export class DeclaredOutputs {
	/** What came out, by operation. */
	private readonly seen = new Map<string, Set<string>>();
	private readonly lacks = new Set<string>();
	private readonly reported = { all: new Set<string>(), odd: new Set<string>() };

	constructor(private readonly table: Table) {}

	/** Notes the records of an operation, unless they were wanted as the service made them. */
	note(name: string, parameters: { simplify?: unknown; options?: unknown }, records: IDataObject[]): void {
		if (parameters.simplify === false || JSON.stringify(parameters.options)?.includes('rawResponse')) return;
		// What any path of a service answers nobody declares.
		if (Object.keys(this.schemaOf(name).properties ?? {}).length === 0) return;
		const seen = this.seen.get(name) ?? new Set();
		this.seen.set(name, seen);
		for (const record of records.filter((one) => !('error' in one))) {
			for (const path of pathsIn(record, this.schemaOf(name))) seen.add(path);
			for (const member of this.shapeOf(name, record)) {
				if (!(member in record)) this.lacks.add(`${name}: ${member}`);
			}
			const { all, odd } = momentsIn([record], name);
			all.forEach((moment) => this.reported.all.add(moment));
			odd.forEach((moment) => this.reported.odd.add(moment));
		}
	}

	/** Members that are declared and that a record lacked. */
	lacking(): string[] {
		return [...this.lacks];
	}

	/** The paths of dates. */
	moments(): string[] {
		return [...this.reported.all];
	}

	/** Dates that are not ISO 8601 with a zone. */
	oddMoments(): string[] {
		return [...this.reported.odd];
	}

	/** The names that a record has to have: it may be what the form asked for in place of the usual one. */
	private shapeOf(name: string, record: IDataObject): string[] {
		const { members, instead = {} } = resultSchema(this.rowOf(name).row.output);
		const isOther = Object.keys(instead).some((member) => member in record);
		return Object.keys(isOther ? instead : members);
	}

	/** What came out undeclared. */
	undeclared(): string[] {
		return [...this.seen].flatMap(([name, seen]) => {
			const declared = new Set(pathsOf(this.schemaOf(name)));
			return [...seen].filter((path) => !declared.has(path)).map((path) => `${name}: ${path}`);
		});
	}

	/**
	 * What is declared but never came. What a record may lack has to come once, of any operation that declares the
	 * same member; everything else of each operation.
	 */
	missing(): string[] {
		const members = [...this.seen.keys()].flatMap((name) => this.membersOf(name));
		return members
			.filter((member) => {
				const alike = members.filter(({ path, schema }) => path === member.path && schema === member.schema);
				return !(member.isOptional ? alike : [member]).some(({ name, path }) =>
					this.seen.get(name)?.has(path),
				);
			})
			.map(({ name, path }) => `${name}: ${path}`);
	}

	/** The members of an operation's own record and, as if it could lack them, theirs. */
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
