/** Every operation succeeds in the sandbox with its fixtures, which test/faults/writes.test.ts and test/e2e also use. */
import type { NodeJson } from '../../engine/index.ts';
import type { Table } from '../../nodes/runtime/table/operation';
import { linkTable, readerTable } from '../../nodes/tables';
import { newestVariant } from '../../sandbox/shared/options.ts';
import { fixturesFor } from '../support/cases/fixtures.ts';
import { makeVirtual } from '../support/clock';
import { RestorableSandbox } from '../support/hosts/database';
import { clock } from '../support/nodes/built';
import { credentialsFor } from '../support/nodes/link-node';
import { sessionCredential } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';
import { workflowFor, type Case } from '../support/nodes/workflow.ts';

const casesOf = (node: string, table: Table): Case[] =>
	Object.entries(table).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([operation, row]) => ({ node, resource, operation, row })),
	);

const credentials: Record<string, NodeJson['credentials']> = {
	linkManager: { linkManagerApi: { id: 'key', name: 'key' } },
	newsReader: { newsReaderSessionApi: { id: 'session', name: 'session' } },
};

it('every operation works with its fixtures', async () => {
	const time = makeVirtual(clock);
	// Newer servers lack this route of the interface document.
	const wild = ['favicons-route'];
	const sandbox = await RestorableSandbox.start({ variant: newestVariant, wild, plan: 'archive' });
	engine.credentials.setAll({
		...credentialsFor({ baseUrl: sandbox.linksUrl }),
		...sessionCredential(sandbox.readerUrl),
	});
	const fixtures = await fixturesFor(sandbox);
	sandbox.save();
	const problems: string[] = [];
	for (const of of [...casesOf('linkManager', linkTable), ...casesOf('newsReader', readerTable)]) {
		const { description } = engine.nodeType(`n8n-nodes-newslink.${of.node}`);
		const error = await workflowFor(of, description, fixtures[of.node]!, credentials[of.node])
			.then(async (workflow) => (await engine.run({ workflow })).error)
			.catch((thrown: Error) => thrown);
		if (error)
			problems.push(
				`${of.resource}.${of.operation} fails with "${error.message}": the sandbox needs its route, and the fixtures of its file in cases need its values`,
			);
		sandbox.restore();
	}
	time.restore();
	await sandbox.stop();
	expect(problems).toEqual([]);
});
