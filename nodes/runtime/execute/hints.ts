import type { Item } from './item';
import type { Run } from './run';

/** Tells the user what the items don't: what made the run long, what did nothing, and what the service said beside them. */
export function report(run: Run, items: Item[]): void {
	const hints = [...run.hints, ...waits(run), ...repeated(run, items), ...useless(run)];
	const shown = hints.map((message) => ({ message, location: 'outputPane' as const }));
	if (shown.length > 0) run.context.addExecutionHints(...shown);
}

const waits = ({ client, service }: Run): string[] =>
	client.waited < 1000
		? []
		: [`Waited ${Math.round(client.waited / 1000)} s in all for the rate limit of ${service.name}`];

/** A list that comes once for each of several items, since they all ask for the same. */
function repeated({ row }: Run, items: Item[]): string[] {
	const isList = row.paging !== undefined || row.limited === true;
	if (!isList || items.length < 2) return [];
	const wishes = new Set(items.map(({ inputs }) => JSON.stringify(inputs)));
	if (wishes.size > 1) return [];
	return [
		`Each of the ${items.length} input items got the same list: turn on Execute Once in the node’s settings to get it once`,
	];
}

/** An option beside one that leaves it nothing to do; n8n itself takes away those that the operation doesn't have. */
const useless = ({ context }: Run): string[] =>
	['rawAnswer', 'wholeRecord'].every((name) => context.getNodeParameter(`options.${name}`, 0, false) === true)
		? ['Whole Record does nothing beside Raw Answer']
		: [];
