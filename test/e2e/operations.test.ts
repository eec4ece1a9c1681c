/** Tests every operation of both nodes on a real n8n with three items, whose pairing the next node reads. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { INodeTypeDescription } from 'n8n-workflow';
import type { NodeJson } from '../../engine/index.ts';
import { failureOf, jsonOf } from './support/executions.ts';
import { newestVariant } from '../../sandbox/shared/options.ts';
import type { Fixtures } from '../../cases/fixture.ts';
import { fixturesFor } from '../support/cases/fixtures.ts';
import { startReal, type Real } from './support/real.ts';
import { keys, workflowFor, type Case } from '../support/nodes/workflow.ts';
import { createRequire } from 'node:module';
import type { Table } from '../../nodes/runtime/table/operation.ts';

const require = createRequire(import.meta.url);
const { linkTable, readerTable } = require('../../build/tables.js') as Record<string, Table>;

const casesOf = (node: string, table: Table): Case[] =>
	Object.entries(table).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([operation, row]) => ({ node, resource, operation, row })),
	);

const cases: Case[] = [...casesOf('linkManager', linkTable!), ...casesOf('newsReader', readerTable!)];

let real: Real;
let fixtures: Record<string, Fixtures>;
let descriptions: INodeTypeDescription[];

before(async () => {
	// Newer servers have all routes but this one of the interface document.
	const wild = ['favicons-route'];
	real = await startReal({ sandbox: { variant: newestVariant, wild, plan: 'archive' } });
	fixtures = await fixturesFor(real.sandbox);
	descriptions = (await (
		await real.client.visit(`${real.n8n.url}/types/nodes.json`)
	).json()) as typeof descriptions;
});
after(async () => await real?.stop());

const credentialTypes: Record<string, string> = {
	linkManager: 'linkManagerApi',
	newsReader: 'newsReaderSessionApi',
};

function credentialsFor(node: string): NodeJson['credentials'] {
	const type = credentialTypes[node]!;
	const { id, name } = real.credentials.find((record) => record.type === type)!;
	return { [type]: { id, name } };
}

/** Whether the result of an operation may be empty in a new account. */
const mayBeEmpty = (name: string) => /get|find|search|autocomplete/i.test(name);

describe('every operation with three items', () => {
	for (const testCase of cases) {
		it(`${testCase.node} ${testCase.resource}.${testCase.operation}`, async () => {
			const description = descriptions.find(({ name }) => name === `n8n-nodes-newslink.${testCase.node}`);
			assert.ok(description, 'n8n does not know the node');
			const workflow = await workflowFor(
				testCase,
				description,
				fixtures[testCase.node]!,
				credentialsFor(testCase.node),
			);
			const { id } = await real.client.post<{ id: string }>('/rest/workflows', workflow);
			const execution = await real.executions.run(id, 'Items');
			assert.equal(execution.status, 'success', failureOf(execution));
			const from = jsonOf(execution, 'After').map((json) => json.from);
			const output = jsonOf(execution, 'Node');
			assert.equal(from.length, output.length);
			if (output.length > 0 || !mayBeEmpty(testCase.operation)) assert.deepEqual([...new Set(from)], keys);
		});
	}
});
