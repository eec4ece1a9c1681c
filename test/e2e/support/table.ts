/** The operations of both nodes, as they are built and published. */
import { createRequire } from 'node:module';
import type { Table } from '../../../nodes/runtime/table/operation.ts';

const require = createRequire(import.meta.url);
const { linkTable, readerTable } = require('../../../dist/nodes/newslink.js') as Record<string, Table>;

export type Row = Table[string]['operations'][string];

export interface Case {
	/** `linkManager` or `newsReader`. */
	node: string;
	resource: string;
	operation: string;
	row: Row;
}

const casesOf = (node: string, table: Table): Case[] =>
	Object.entries(table).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([operation, row]) => ({ node, resource, operation, row })),
	);

export const cases: Case[] = [...casesOf('linkManager', linkTable!), ...casesOf('newsReader', readerTable!)];
