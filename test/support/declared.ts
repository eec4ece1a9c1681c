/** What operations put out, compared with what they declare. */
import type { IDataObject } from 'n8n-workflow';
import { outputSchema } from '../../nodes/runtime/description/outputSchema';
import type { Table } from '../../nodes/runtime/table/operation';
import type { Schema } from '../../nodes/runtime/table/record';

/** The paths of the members of a schema, as `replies[].username`; an object without members may hold anything. */
const pathsOf = (schema: Schema, path = ''): string[] =>
	Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
		`${path}${name}`,
		...pathsOf(member.items ?? member, `${path}${name}${member.items ? '[]' : ''}.`),
	]);

/** The paths of a value's members, as far as its schema tells of them. */
function pathsIn(value: unknown, schema: Schema | undefined, path = ''): string[] {
	if (Array.isArray(value)) {
		return value.flatMap((entry) => pathsIn(entry, schema?.items, `${path.slice(0, -1)}[].`));
	}
	if (typeof value !== 'object' || value === null || !schema?.properties) return [];
	return Object.entries(value).flatMap(([name, member]) => [
		`${path}${name}`,
		...pathsIn(member, schema.properties?.[name], `${path}${name}.`),
	]);
}

export class DeclaredOutputs {
	/** What came out, by operation. */
	private readonly seen = new Map<string, Set<string>>();

	constructor(private readonly table: Table) {}

	/** Notes the records of an operation, unless they were wanted as the service made them. */
	note(name: string, parameters: { simplify?: unknown; options?: unknown }, records: IDataObject[]): void {
		if (parameters.simplify === false || JSON.stringify(parameters.options)?.includes('rawAnswer')) return;
		// What any path of a service answers nobody declares.
		if (Object.keys(this.schemaOf(name).properties ?? {}).length === 0) return;
		const seen = this.seen.get(name) ?? new Set();
		this.seen.set(name, seen);
		for (const record of records.filter((one) => !('error' in one))) {
			for (const path of pathsIn(record, this.schemaOf(name))) seen.add(path);
		}
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
		const { members } = (output.simple ?? output).kind;
		return Object.entries(members).flatMap(([path, { schema, optional }]) => [
			{ name, path, schema, isOptional: optional === true },
			...pathsOf({ type: 'object', properties: { [path]: schema } })
				.slice(1)
				.map((inner) => ({ name, path: inner, schema, isOptional: true })),
		]);
	}

	private rowOf(name: string) {
		const [resource = '', operation = ''] = name.split('.');
		const { operations } = this.table[resource]!;
		return { resource: this.table[resource]!, row: operations[operation]! };
	}

	private schemaOf(name: string): Schema {
		return outputSchema(this.rowOf(name).row);
	}
}
