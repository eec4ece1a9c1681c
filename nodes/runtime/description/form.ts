import type { INodeProperties } from 'n8n-workflow';
import { showWhen, type Conditions } from '../fields/compound';
import type { Table } from '../table/operation';
import { getOrCreate } from '../values';

/** Parameters that the runtime adds to an operation's own. */
const ADDED = ['ifExists', 'returnAll', 'limit', 'simplify'] as const;
const PARTS = ['records', 'required', 'optional', ...ADDED, 'output', 'collections'] as const;

/** The part to which a parameter belongs. `records` choose the records; `output` depends on Simplify. */
function partOf({ name, type, required, displayOptions }: INodeProperties): (typeof PARTS)[number] {
	const conditions = Object.keys(displayOptions?.show ?? {});
	if (type === 'collection') return 'collections';
	if (conditions.includes('simplify')) return 'output';
	const added = ADDED.find((other) => other === name);
	if (added) return added;
	if (!required) return 'optional';
	return type === 'resourceLocator' && conditions.length === 0 ? 'records' : 'required';
}

/**
 * Joins the properties of several forms into those of one node. Properties that are equal in several forms become one
 * property; `conditions` makes its display conditions from the names of the forms. The properties of one part stay in the
 * order of their declaration.
 */
export function joinedForms(
	forms: Array<[string, INodeProperties[]]>,
	conditions: (names: string[]) => Conditions,
): INodeProperties[] {
	const joined = new Map<string, { property: INodeProperties; names: string[] }>();
	for (const [name, properties] of forms) {
		for (const property of properties) {
			const key = JSON.stringify(property);
			getOrCreate(joined, key, () => ({ property, names: [] })).names.push(name);
		}
	}
	return PARTS.flatMap((part) =>
		[...joined.values()]
			.filter(({ property }) => partOf(property) === part)
			.map(({ property, names }) => showWhen(property, conditions(names))),
	);
}

/** The line below a node's name in a workflow, such as `Get Many: Short Link`, as an expression. */
export function subtitleOf(table: Table): string {
	const resources = Object.entries(table);
	const operations = resources.flatMap(([, { operations: rows }]) => Object.entries(rows));
	return `={{ ${nameOf('operation', operations)} + ": " + ${nameOf('resource', resources)} }}`;
}

/** The line below a trigger's name, such as `New QR Scan`, as an expression. */
export const eventSubtitle = (events: Record<string, { name: string }>): string =>
	`={{ ${nameOf('event', Object.entries(events))} }}`;

/** An expression for the name of the chosen entry. */
const nameOf = (parameter: string, named: Array<[string, { name: string }]>): string =>
	`(${JSON.stringify(Object.fromEntries(named.map(([key, { name }]) => [key, name])))})[$parameter["${parameter}"]]`;
