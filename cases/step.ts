/**
 * How `npm run check` tries an operation that writes. The steps run in order, use only records that earlier steps
 * created, and remove them in reverse order.
 */
import type { IDataObject } from 'n8n-workflow';

/** The records that the steps created: ids by parameter, and their names. */
export type Own = Record<string, unknown>;

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
