/**
 * Tests the package with the oldest supported n8n and the pinned one: it loads, and example workflows succeed. Writes the
 * results to `docs/n8n-versions.md`.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { INodeTypeDescription } from 'n8n-workflow';
import { exampleWorkflows, type Example } from '../../../playground/content.ts';
import { oldestN8n, pinnedN8n } from '../../../playground/settings.ts';
import { failureOf } from '../support/executions.ts';
import { startReal, type Real } from '../support/real.ts';
import { writeResults, type PassedTest } from './results-page.ts';

const nodes = ['linkManager', 'linkManagerTrigger', 'newsReader', 'newsReaderTrigger'];
/** Workflows with both nodes, lists, files, and n8n's own nodes. */
const smokeTests = ['scheduled-links', 'feed-to-share', 'qr-codes-as-files', 'opml-backup'];
const examples = await exampleWorkflows();

const supported = [oldestN8n, pinnedN8n];
/** Versions to test instead: version numbers or npm tags, separated by spaces. */
const others = process.env.N8N_VERSIONS?.split(' ').filter(Boolean);
const passedTests: PassedTest[] = [];

/** Runs an imported workflow from its manual trigger. */
async function runExample(real: Real, { name, nodes: exampleNodes }: Example['workflow']): Promise<void> {
	const imported = (await real.client.workflows()).find((workflow) => workflow.name === name);
	assert.ok(imported, 'was not imported');
	const trigger = exampleNodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger')!;
	const execution = await real.executions.run(imported.id, trigger.name);
	assert.equal(execution.status, 'success', failureOf(execution));
}

for (const version of others ?? supported) {
	describe(`n8n ${version}`, () => {
		let real: Real;
		before(async () => {
			real = await startReal(version === pinnedN8n ? {} : { version });
		});
		after(async () => await real?.stop());

		const check = (name: string, test: () => Promise<void>) =>
			it(name, async () => {
				await test();
				passedTests.push({ version, name });
			});

		void check('loads every node of the package', async () => {
			const types = await real.client.visit(`${real.n8n.url}/types/nodes.json`);
			const names = ((await types.json()) as INodeTypeDescription[]).map(({ name }) => name);
			for (const node of nodes) assert.ok(names.includes(`n8n-nodes-newslink.${node}`), node);
		});

		for (const file of smokeTests) {
			void check(`runs ${file}`, async () => {
				await runExample(real, examples.find((example) => example.file === file)!.workflow);
			});
		}
	});
}

after(async () => {
	if (!others) await writeResults(supported, passedTests);
});
