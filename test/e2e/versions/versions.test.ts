/**
 * The package in the oldest n8n that it claims to work with and in the pinned one: it loads, and example workflows pass. What was tried of the claim is kept in `docs/n8n-versions.md`.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { INodeTypeDescription } from 'n8n-workflow';
import { exampleWorkflows, type Example } from '../../../playground/content.ts';
import { oldestN8n, pinnedN8n } from '../../../playground/settings.ts';
import { failureOf } from '../support/executions.ts';
import { startReal, type Real } from '../support/real.ts';
import { keep, type Tried } from './kept.ts';

const nodes = ['linkManager', 'linkManagerTrigger', 'newsReader', 'newsReaderTrigger'];
/** Both nodes, lists, files, and n8n's own nodes around them. */
const smoke = ['scheduled-links', 'feed-to-share', 'qr-codes-as-files', 'opml-backup'];
const examples = await exampleWorkflows();

const claimed = [oldestN8n, pinnedN8n];
/** Others than those of the claim: versions or npm's tags, with spaces between them. */
const others = process.env.N8N_VERSIONS?.split(' ').filter(Boolean);
const tried: Tried[] = [];

/** Runs a workflow that n8n has by its manual trigger. */
async function runs(real: Real, { name, nodes: its }: Example['workflow']): Promise<void> {
	const imported = (await real.client.workflows()).find((workflow) => workflow.name === name);
	assert.ok(imported, 'was not imported');
	const trigger = its.find(({ type }) => type === 'n8n-nodes-base.manualTrigger')!;
	const execution = await real.executions.run(imported.id, trigger.name);
	assert.equal(execution.status, 'success', failureOf(execution));
}

for (const version of others ?? claimed) {
	describe(`n8n ${version}`, () => {
		let real: Real;
		before(async () => {
			real = await startReal(version === pinnedN8n ? {} : { version });
		});
		after(async () => await real?.stop());

		const check = (what: string, work: () => Promise<void>) =>
			it(what, async () => {
				await work();
				tried.push({ version, what });
			});

		void check('loads every node of the package', async () => {
			const types = await real.client.visit(`${real.n8n.url}/types/nodes.json`);
			const names = ((await types.json()) as INodeTypeDescription[]).map(({ name }) => name);
			for (const node of nodes) assert.ok(names.includes(`n8n-nodes-newslink.${node}`), node);
		});

		for (const file of smoke) {
			void check(`runs ${file}`, async () => {
				await runs(real, examples.find((example) => example.file === file)!.workflow);
			});
		}
	});
}

after(async () => {
	if (!others) await keep(claimed, tried);
});
