/** How operations are tried: records and values for three input items, and the steps of `npm run check`. */
import type { IDataObject } from 'n8n-workflow';

/** By parameter: an array with the values of three input items, or one value for all of them. */
export type Values = Record<string, unknown>;

/** By operation: values that neither the makers nor the placeholders of the parameters provide. */
export type ValuesByOperation = Record<string, Values | (() => Promise<Values>)>;

/** Records and values for the operations of one node. */
export interface Fixtures {
	/** By parameter: creates records, and returns three values that refer to them. */
	makers: Record<string, () => Promise<unknown[]>>;
	values: ValuesByOperation;
}

export async function makeThree<T>(make: () => Promise<T> | T): Promise<T[]> {
	return [await make(), await make(), await make()];
}

/** The records that the steps created: ids by parameter, and their names. */
export type Own = Record<string, unknown>;

/**
 * How `npm run check` tries an operation that writes. The steps run in order, use only records that earlier steps created,
 * and remove them in reverse order.
 */
export interface Step {
	operation: string;
	/** The parameters. The step is skipped if one of them is undefined. */
	values(own: Own): Record<string, unknown>;
	/** Stores the ids of the new record. */
	store?(record: IDataObject, own: Own): void;
	/** The operation that removes the record again. */
	undo?: Pick<Step, 'operation' | 'values'>;
}

export const step = (operation: string, values: Step['values'], more: Partial<Step> = {}): Step => ({
	operation,
	values,
	...more,
});
