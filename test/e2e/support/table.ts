/** The operations of both nodes that the sandbox's default variant offers. */
import { createRequire } from 'node:module';
import type { Operation, Table } from '../../../nodes/runtime/table/operation.ts';
import type { Case } from '../../support/nodes/workflow.ts';

const require = createRequire(import.meta.url);
const { linkTable, readerTable, isOnNewerServers } = require('../../../build/tables.js') as Record<
	string,
	Table
> & { isOnNewerServers: (row: Operation) => boolean };

const casesOf = (node: string, table: Table): Case[] =>
	Object.entries(table).flatMap(([resource, { operations }]) =>
		Object.entries(operations)
			.filter(([, row]) => !isOnNewerServers(row))
			.map(([operation, row]) => ({ node, resource, operation, row })),
	);

export const cases: Case[] = [...casesOf('linkManager', linkTable!), ...casesOf('newsReader', readerTable!)];
