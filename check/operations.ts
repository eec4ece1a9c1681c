/** The operations of both nodes. */
import { createRequire } from 'node:module';
import type { Operation, Table } from '../nodes/runtime/table/operation.ts';
import type { JsonSchema } from '../nodes/runtime/table/record.ts';

const require = createRequire(import.meta.url);
const { linkTable, readerTable, outputSchema } = require('../build/tables.js') as {
	linkTable: Table;
	readerTable: Table;
	outputSchema(row: Operation): JsonSchema;
};

export type Service = 'linkManager' | 'newsReader';

/** One operation of one of the nodes. */
export interface Named {
	/** `resource.operation`. */
	name: string;
	resource: string;
	operation: string;
	/** `Get many campaigns`. */
	action: string;
	/** `GET /api/campaigns`. */
	route: string;
	/** Whether it changes nothing. */
	reads: boolean;
	schema: JsonSchema;
}

const operationsIn = (table: Table): Named[] =>
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

export const operationsOf: Record<Service, Named[]> = {
	linkManager: operationsIn(linkTable),
	newsReader: operationsIn(readerTable),
};
