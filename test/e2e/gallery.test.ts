/** Every workflow of the gallery, imported and executed on a real n8n as it is. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { exampleWorkflows } from '../../playground/content.ts';
import { fillLinks } from '../../playground/links.ts';
import { owner } from '../../playground/settings.ts';
import { keepPicture, logIn, openBrowser, openWindow } from './support/browser.ts';
import { failureOf, runsOf } from './support/executions.ts';
import { startReal, type Real } from './support/real.ts';

/** By workflow: nodes that wait for an address of the user's own, or for what happens seldom. */
const waiting: Record<string, readonly string[]> = {
	// Clients call its tools: mcp.test.ts.
	'mcp-server': ['Unread Stories', 'Save Story', 'Shorten', 'Find Links', 'Link Statistics'],
	'new-story-to-chat': ['Send to Chat'],
	'qr-scans-to-sheet': ['Has a Chat', 'Send Alert', 'Alert'],
	'weekly-digest': ['Send Mail'],
};

/** Triggers that "Execute workflow" starts from at once; ours show a sample. */
const runnable = /\.(manualTrigger|newsReaderTrigger|linkManagerTrigger)$/;
/** What no run of a test gets to: notes, and triggers that wait for a time, for a message or for a client. */
const notRun = /\.(stickyNote|scheduleTrigger|chatTrigger|mcpTrigger)$/;

const examples = await exampleWorkflows();
let real: Real;
let browser: Browser;
let context: BrowserContext;

before(async () => {
	real = await startReal();
	browser = await openBrowser();
	context = await openWindow(browser, 'light');
	await logIn(await context.newPage(), real.n8n.url, owner);
	await fillLinks(real.sandbox.linksUrl);
});
after(async () => {
	await browser?.close();
	await real?.stop();
});

/** The beginnings of notes whose text is longer than they are high. */
const cutNotes = async (page: Page): Promise<string[]> =>
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
				({ name, type }) => !notRun.test(type) && !waiting[file]?.includes(name),
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
			assert.deepEqual(await cutNotes(page), [], 'A note is too small for its text');
			await page.getByTestId('zoom-to-fit').click();
			await page.mouse.move(0, 0);
			await keepPicture(page.getByTestId('canvas-wrapper'), `gallery-${file}`);
			await page.close();
		});
	}
});
