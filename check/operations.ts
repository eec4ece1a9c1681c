/** The operations of both nodes. */
import type { Table } from '../nodes/runtime/table/operation.ts';
import type { JsonSchema } from '../nodes/runtime/table/record.ts';
import { builtTables } from '../scripts/built.ts';

const { linkTable, readerTable, outputSchema } = builtTables();

export type ServiceName = 'linkManager' | 'newsReader';

/** One operation of one of the nodes. */
export interface NamedOperation {
	/** `resource.operation`. */
	name: string;
	resource: string;
	operation: string;
	/** `Get many campaigns`. */
	action: string;
	/** `GET /api/campaigns`. */
	route: string;
	/** Whether the operation changes nothing. */
	reads: boolean;
	schema: JsonSchema;
}

const operationsIn = (table: Table): NamedOperation[] =>
	Object.entries(table).flatMap(([name, resource]) =>
		Object.entries(resource.operations).map(([operation, row]) => ({
			name: `${name}.${operation}`,
			resource: name,
			operation,
			action: row.action,
			route: row.route,
			reads: row.method === 'GET',
			schema: outputSchema(row),
		})),
	);

export const operationsOf: Record<ServiceName, NamedOperation[]> = {
	linkManager: operationsIn(linkTable),
	newsReader: operationsIn(readerTable),
};
