/** The package in the oldest and the newest n8n that it claims to work with: it loads, and example workflows pass. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { INodeTypeDescription } from 'n8n-workflow';
import { exampleWorkflows } from '../../../playground/content.ts';
import { supported } from '../../../playground/settings.ts';
import { failureOf } from '../support/executions.ts';
import { startReal, type Real } from '../support/real.ts';

const nodes = ['linkManager', 'linkManagerTrigger', 'newsReader', 'newsReaderTrigger'];
/** Both nodes, lists, files, and n8n's own nodes around them. */
const smoke = ['scheduled-links', 'feed-to-share', 'qr-codes-as-files', 'opml-backup'];
const examples = await exampleWorkflows();

/** Others than those of the claim: versions or npm's tags, with spaces between them. */
const wanted = process.env.N8N_VERSIONS?.split(' ').filter(Boolean) ?? [supported.oldest, supported.newest];

for (const version of wanted) {
	describe(`n8n ${version}`, () => {
		let real: Real;
		before(async () => {
			real = await startReal({ version });
		});
		after(async () => await real?.stop());

		it('loads every node of the package', async () => {
			const types = await real.client.visit(`${real.n8n.url}/types/nodes.json`);
			const names = ((await types.json()) as INodeTypeDescription[]).map(({ name }) => name);
			for (const node of nodes) assert.ok(names.includes(`n8n-nodes-newslink.${node}`), node);
		});

		for (const file of smoke) {
			it(`runs ${file}`, async () => {
				const { workflow } = examples.find((example) => example.file === file)!;
				const imported = (await real.client.workflows()).find(({ name }) => name === workflow.name);
				assert.ok(imported, 'was not imported');
				const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger')!;
				const execution = await real.executions.run(imported.id, trigger.name);
				assert.equal(execution.status, 'success', failureOf(execution));
			});
		}
	});
}
