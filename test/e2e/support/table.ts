/** The operations of both nodes. */
import { createRequire } from 'node:module';
import type { Table } from '../../../nodes/runtime/table/operation.ts';
import type { Case } from '../../support/nodes/workflow.ts';

const require = createRequire(import.meta.url);
const { linkTable, readerTable } = require('../../../build/tables.js') as Record<string, Table>;

const casesOf = (node: string, table: Table): Case[] =>
	Object.entries(table).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([operation, row]) => ({ node, resource, operation, row })),
	);

export const cases: Case[] = [...casesOf('linkManager', linkTable!), ...casesOf('newsReader', readerTable!)];
