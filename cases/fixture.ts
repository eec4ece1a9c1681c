/** Records and values with which a service accepts each operation, for three input items. */

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
