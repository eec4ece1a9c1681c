import type { Table } from '../table/operation';

/** What stands below the name of a node in a workflow: `Get Many: Short Link`. An expression of n8n. */
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
