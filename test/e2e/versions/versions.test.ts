/**
 * Tests the package with the oldest supported n8n and the pinned one: it loads, and example workflows succeed. Writes the
 * results to `docs/n8n-versions.md`.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { INodeTypeDescription } from 'n8n-workflow';
import { exampleWorkflows, type Example } from '../../../playground/content.ts';
import { oldestN8n, pinnedN8n, root } from '../../../playground/settings.ts';
import { failureOf } from '../support/executions.ts';
import { startReal, type Real } from '../support/real.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

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

/** Writes the results of the tests with other versions of n8n into the documentation. */

/** A test that passed. */
export interface PassedTest {
	/** The version of n8n. */
	version: string;
	name: string;
}

const page = join(root, 'docs/n8n-versions.md');

/** Writes the page of results. Tests that are not in `passedTests` failed. */
export async function writeResults(versions: string[], passedTests: PassedTest[]): Promise<void> {
	const date = new Date().toISOString().slice(0, 10);
	const passed = (version: string, name: string): boolean =>
		passedTests.some((test) => test.version === version && test.name === name);
	const rows = [...new Set(passedTests.map(({ name }) => name))].map((name) =>
		[name, ...versions.map((version) => (passed(version, name) ? 'passed' : 'failed'))].join(' | '),
	);
	const text = `# Versions of n8n

\`npm run test:versions\` installs the packed package in the two versions of n8n that the README names, and runs example workflows against the sandbox. It writes this page. Last run on ${date}, with Node.js ${process.version} on ${process.platform} ${process.arch}.

| The package | ${versions.map((version) => `n8n ${version}`).join(' | ')} |
| --- |${' --- |'.repeat(versions.length)}
${rows.map((row) => `| ${row} |`).join('\n')}

Everything else is tested with the newer one. Every night, this table is tried with the newest n8n.
`;
	await writeFile(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}
