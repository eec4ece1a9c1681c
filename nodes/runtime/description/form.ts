import type { INodeProperties } from 'n8n-workflow';
import { showWhen, type Conditions } from '../fields/compound';
import type { Table } from '../table/operation';

/** Parameters that choose the form: conditions on these don't affect its order. */
const CHOOSING = new Set(['resource', 'operation', 'event']);

/** These come after the operation's own parameters, in this order. */
const LAST = ['ifExists', 'returnAll', 'limit', 'simplify'];

/** The parameters that decide whether another is shown. */
const choosersOf = ({ displayOptions }: Pick<INodeProperties, 'displayOptions'>): string[] =>
	Object.keys(displayOptions?.show ?? {}).filter((key) => !CHOOSING.has(key));

/**
 * The place of a parameter in its form: first the records that it is about, then what else is required, what is not,
 * how a list is cut, how its records come out, and the collections.
 */
function rankOf({ name, type, required, displayOptions }: INodeProperties): number {
	const conditions = choosersOf({ displayOptions });
	if (type === 'collection') return LAST.length + 4;
	if (conditions.includes('simplify')) return LAST.length + 3;
	if (LAST.includes(name)) return 3 + LAST.indexOf(name);
	if (!required) return 2;
	return type === 'resourceLocator' && conditions.length === 0 ? 0 : 1;
}

/** The parameters of forms in the order in which they stand in every one of them; what hangs on another right behind it. */
export function inFormOrder(properties: INodeProperties[]): INodeProperties[] {
	const ordered: INodeProperties[] = [];
	for (const property of [...properties].sort((a, b) => rankOf(a) - rankOf(b))) {
		const choosers = choosersOf(property);
		const last = ordered.findLastIndex((other) =>
			[other.name, ...choosersOf(other)].some((name) => choosers.includes(name)),
		);
		ordered.splice(last < 0 ? ordered.length : last + 1, 0, property);
	}
	return ordered;
}

/**
 * The properties of several forms as those of one node. Equal properties become one that is shown for all their forms:
 * `conditions` says when, from the names of the forms.
 */
export function joinedForms(
	forms: Array<[string, INodeProperties[]]>,
	conditions: (names: string[]) => Conditions,
): INodeProperties[] {
	const joined = new Map<string, { property: INodeProperties; names: string[] }>();
	for (const [name, properties] of forms) {
		for (const property of properties) {
			const key = JSON.stringify(property);
			const entry = joined.get(key) ?? { property, names: [] };
			entry.names.push(name);
			joined.set(key, entry);
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

/** The same of a trigger: `New QR Scan`. */
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
