import type { INodeProperties } from 'n8n-workflow';
import { showWhen, type Conditions } from '../fields/compound';
import type { Table } from '../table/operation';
import { getOrCreate } from '../values';

/** Parameters that choose the form. Conditions on them don't affect the order of parameters. */
const CHOOSING = new Set(['resource', 'operation', 'event']);

/** The parameters that decide whether another is shown. */
const choosersOf = ({ displayOptions }: Pick<INodeProperties, 'displayOptions'>): string[] =>
	Object.keys(displayOptions?.show ?? {}).filter((key) => !CHOOSING.has(key));

/** Parameters that the runtime adds to an operation's own. */
const ADDED = ['ifExists', 'returnAll', 'limit', 'simplify'] as const;
/** The parts of a form, from its top. */
const PARTS = ['records', 'required', 'optional', ...ADDED, 'output', 'collections'] as const;

/** The part to which a parameter belongs. `records`: which ones it applies to; `output`: depends on Simplify. */
function partOf({ name, type, required, displayOptions }: INodeProperties): (typeof PARTS)[number] {
	const conditions = choosersOf({ displayOptions });
	if (type === 'collection') return 'collections';
	if (conditions.includes('simplify')) return 'output';
	const added = ADDED.find((other) => other === name);
	if (added) return added;
	if (!required) return 'optional';
	return type === 'resourceLocator' && conditions.length === 0 ? 'records' : 'required';
}

const rankOf = (property: INodeProperties): number => PARTS.indexOf(partOf(property));

/** The parameters of all forms in one order; those of one part stay in the order of their declaration. */
const inFormOrder = (properties: INodeProperties[]): INodeProperties[] =>
	[...properties].sort((a, b) => rankOf(a) - rankOf(b));

/**
 * Joins the properties of several forms into those of one node. Properties that are equal in several forms become one
 * property; `conditions` makes its display conditions from the names of the forms.
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
	return inFormOrder(
		[...joined.values()].map(({ property, names }) => showWhen(property, conditions(names))),
	);
}

/** The line below the name of a node in a workflow: `Get Many: Short Link`. An expression of n8n. */
export function subtitleOf(table: Table): string {
	const resources = Object.entries(table);
	const operations = resources.flatMap(([, { operations: rows }]) => Object.entries(rows));
	return `={{ ${nameOf('operation', operations)} + ": " + ${nameOf('resource', resources)} }}`;
}

/** The subtitle of a trigger: `New QR Scan`. */
export const eventSubtitle = (events: Record<string, { name: string }>): string =>
	`={{ ${nameOf('event', Object.entries(events))} }}`;

/** Most names follow from the stored value: the expression lists those that don't. */
function nameOf(parameter: string, named: Array<[string, { name: string }]>): string {
	const value = `$parameter["${parameter}"]`;
	const listed = Object.fromEntries(
		named.flatMap(([key, { name }]) => (name === titleOf(key) ? [] : [[key, name]])),
	);
	const followed = `${value}.replace(/[A-Z]/g, " $&").replace(/^./, (first) => first.toUpperCase())`;
	return Object.keys(listed).length > 0 ? `(${JSON.stringify(listed)}[${value}] ?? ${followed})` : followed;
}

const titleOf = (value: string): string =>
	value.replace(/[A-Z]/g, ' $&').replace(/^./, (first) => first.toUpperCase());
