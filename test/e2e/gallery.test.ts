/** Tests every workflow of the gallery: it is imported and executed on a real n8n. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { WorkflowJson } from '../../engine/index.ts';
import { exampleWorkflows } from '../../playground/content.ts';
import { fillLinks } from '../../playground/links.ts';
import { startN8n, type N8n } from '../../playground/n8n.ts';
import { owner, root } from '../../playground/settings.ts';
import { newestVariant } from '../../sandbox/shared/options.ts';
import { ReaderClient } from '../support/clients/reader-client.ts';
import { keepWorkflow, logIn, openBrowser, openWindow, themes } from './support/browser.ts';
import { failureOf, jsonOf, runsOf } from './support/executions.ts';
import { startReal, type Real } from './support/real.ts';

/** By workflow: nodes that do not run in this test, because they need the user's address or a rare event. */
const notReached: Record<string, readonly string[]> = {
	// Clients call its tools: agent.test.ts.
	'mcp-server': ['Unread Stories', 'Save Story', 'Shorten', 'Find Links', 'Link Statistics'],
	'digest-of-the-day': ['Once a Day', 'Send to Chat'],
	// A separate test below uses its form.
	'feeds-that-broke': [
		'Send to Chat',
		'Form',
		'Feeds',
		'Broken',
		'Choose Feeds',
		'Feeds Now',
		'Chosen',
		'Each Folder',
		'Unsubscribe',
	],
	'new-story-to-chat': ['Send to Chat'],
	'qr-scans-to-sheet': ['Has a Chat', 'Send Alert', 'Alert'],
	'weekly-digest': ['Once a Week', 'Send Mail'],
};

/** Triggers that "Execute workflow" runs immediately; the package's triggers return a sample. */
const runnable = /\.(manualTrigger|newsReaderTrigger|linkManagerTrigger)$/;
/** Nodes that never run in this test: notes, and triggers that wait for a time, a message or a client. */
const notRun = /\.(stickyNote|scheduleTrigger|chatTrigger|mcpTrigger)$/;

/** The workflow in the README: it uses both nodes, and is narrow enough to be legible. */
const shownInReadme = 'New unread story to a chat message';

const comingFrom = join(root, 'docs/coming-from');
const examples = await exampleWorkflows();
let real: Real;
let browser: Browser;
let context: BrowserContext;

before(async () => {
	real = await startReal({ sandbox: { variant: newestVariant } });
	browser = await openBrowser();
	context = await openWindow(browser, 'light');
	await logIn(await context.newPage(), real.n8n.url, owner);
	await fillLinks(real.sandbox.linksUrl);
});
after(async () => {
	await browser?.close();
	await real?.stop();
});

/** The first words of each note whose text does not fit. */
const overflowingNotes = async (page: Page): Promise<string[]> =>
	await page
		.getByTestId('sticky')
		.locator('*')
		.evaluateAll((parts) =>
			parts
				.filter(({ scrollHeight, clientHeight }) => clientHeight > 0 && scrollHeight > clientHeight + 1)
				.map(({ textContent }) => (textContent ?? '').trim().slice(0, 40)),
		);

describe('gallery', () => {
	it('has at least ten workflows', () => assert.ok(examples.length >= 10));

	for (const { file, workflow } of examples) {
		it(file, async () => {
			const imported = (await real.client.workflows()).find(({ name }) => name === workflow.name);
			assert.ok(imported, 'was not imported');
			const ran = new Set<string>();
			for (const { name } of workflow.nodes.filter(({ type }) => runnable.test(type))) {
				const execution = await real.executions.run(imported.id, name);
				assert.equal(execution.status, 'success', `From ${name}: ${failureOf(execution)}`);
				for (const node of Object.keys(runsOf(execution))) ran.add(node);
			}
			const expected = workflow.nodes.filter(
				({ name, type }) => !notRun.test(type) && !notReached[file]?.includes(name),
			);
			assert.deepEqual(
				expected.map(({ name }) => name).filter((name) => !ran.has(name)),
				[],
			);
			const page = await context.newPage();
			await page.goto(`${real.n8n.url}/workflow/${imported.id}`);
			const nodes = page.getByTestId('canvas-node');
			const steps = workflow.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
			await nodes.nth(steps.length - 1).waitFor();
			assert.deepEqual(await overflowingNotes(page), [], 'A note is too small for its text');
			await keepWorkflow(page, `gallery-${file}`, nodes.or(page.getByTestId('sticky')));
			await page.close();
		});
	}
});

describe('a run of an example in the editor', () => {
	for (const theme of themes) {
		it(`succeeds, ${theme}`, async () => {
			const window = await openWindow(browser, theme);
			const page = await window.newPage();
			await logIn(page, real.n8n.url, owner);
			const { id } = (await real.client.workflows()).find(({ name }) => name === shownInReadme)!;
			await page.goto(`${real.n8n.url}/workflow/${id}`);
			await page.locator('button[data-test-id=execute-workflow-button]').click();
			await page.getByText('Workflow executed successfully').waitFor();
			await page.locator('.el-notification__closeBtn').first().click();
			await keepWorkflow(page, `run-${theme}`, page.getByTestId('canvas-node'));
			await window.close();
		});
	}
});

describe('workflows of the migration guides', () => {
	/** Replaces addresses and logins by those of the sandbox, as the guide says. */
	const configure = (text: string): string =>
		text
			.replaceAll('https://www.newsblur.com', real.sandbox.readerUrl)
			.replaceAll('YOUR NAME', 'reader')
			.replaceAll('YOUR PASSWORD', 'sandbox-password')
			.replaceAll('https://news.example.com', `${real.sandbox.url}/feeds/harbour-lantern`);

	const createWorkflow = async (text: string): Promise<{ id: string; nodes: WorkflowJson['nodes'] }> =>
		await real.client.post('/rest/workflows', JSON.parse(text) as WorkflowJson);

	for (const file of readdirSync(comingFrom)) {
		it(file, async () => {
			const text = readFileSync(join(comingFrom, file), 'utf8');
			const shown = await createWorkflow(text);
			const page = await context.newPage();
			await page.goto(`${real.n8n.url}/workflow/${shown.id}`);
			const nodes = page.getByTestId('canvas-node');
			await nodes.nth(shown.nodes.length - 1).waitFor();
			await keepWorkflow(page, `coming-from-${file.replace('.json', '')}`, nodes);
			await page.close();
			// There is no test account for this service.
			if (file === 'bitly-before.json') return;
			const { id, nodes: steps } = await createWorkflow(configure(text));
			const execution = await real.executions.run(id, steps[0]!.name);
			assert.equal(execution.status, 'success', failureOf(execution));
			assert.ok(jsonOf(execution, steps.at(-1)!.name).length > 0);
		});
	}
});

describe('the form of feeds that broke', () => {
	const slug = 'slow-kitchen';
	const broken = 'Slow Kitchen Notes';
	let restarted: N8n | undefined;
	after(async () => await restarted?.stop());

	const titles = async (reader: ReaderClient): Promise<string[]> => {
		const { feeds } = await reader.read('/reader/feeds');
		return Object.values(feeds).map(({ feed_title: title }) => title);
	};

	it('unsubscribes from the selected feeds, even if n8n is killed while the form waits', async () => {
		const control = async (path: string) => await fetch(`${real.sandbox.url}${path}`, { method: 'POST' });
		const { id, versionId } = (await real.client.workflows()).find(
			({ name }) => name === 'Feeds that broke',
		)!;
		await real.client.post(`/rest/workflows/${id}/activate`, { versionId });
		const { nodes } = await real.client.get<WorkflowJson>(`/rest/workflows/${id}`);
		const { webhookId } = nodes.find(({ name }) => name === 'Form')!;
		const form = `${real.n8n.url}/form/${webhookId}`;
		const reader = await ReaderClient.logIn(real.sandbox.readerUrl, 'reader');
		const subscribed = await titles(reader);
		assert.ok(subscribed.includes(broken));

		// n8n reports a workflow as published before it serves the form.
		while (!(await fetch(form)).ok) await sleep(100);
		const page = await context.newPage();
		const open = async () => {
			await page.goto(form);
			await page.getByRole('button', { name: 'List feeds' }).click();
		};
		await open();
		await page.getByText('No feed is broken.').waitFor();

		await control(`/sandbox/feeds/${slug}/break`);
		await control('/reader-service/sandbox/fetch');
		await open();
		const choices = page.getByRole('checkbox');
		await choices.first().waitFor();
		assert.equal(await choices.count(), 1);
		await page.getByLabel(broken).check();
		await real.n8n.kill();
		restarted = await startN8n({
			installation: real.installation,
			userFolder: join(real.folder, 'n8n'),
			port: Number(new URL(real.n8n.url).port),
			log: join(real.folder, 'n8n.log'),
		});
		await page.getByRole('button', { name: 'Unsubscribe' }).click();
		await page.getByText('Form Submitted').waitFor();
		const executions = await real.executions.of(id);
		await real.executions.finished(executions.at(-1)!.id);
		assert.deepEqual(
			await titles(reader),
			subscribed.filter((title) => title !== broken),
		);
		await page.close();
	});
});
