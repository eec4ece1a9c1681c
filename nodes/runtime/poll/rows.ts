import type { Operation, Resource } from '../table/operation';

/** An operation of a resource, which the trigger asks as well. */
export function rowOf({ name, operations }: Resource, operation: string): Operation {
	const row = operations[operation];
	if (!row) throw new Error(`${name} has no ${operation}`);
	return row;
}

/** The last part of a path: what an address keeps when a host changes its name. */
export const lastSegment = (address: unknown): string =>
	String(address ?? '')
		.replace(/\/+$/, '')
		.split('/')
		.at(-1) ?? '';
