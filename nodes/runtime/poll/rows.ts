import type { Operation, Resource } from '../table/operation';

/** An operation of a resource, which the trigger asks as well. */
export function rowOf({ name, operations }: Resource, operation: string): Operation {
	const row = operations[operation];
	if (!row) throw new Error(`${name} has no ${operation}`);
	return row;
}
