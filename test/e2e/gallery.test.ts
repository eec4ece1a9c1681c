/** Every workflow of the gallery, imported and executed on a real n8n as it is. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { exampleWorkflows } from '../../playground/content.ts';
import { owner } from '../../playground/settings.ts';
import { keepPicture, logIn, openBrowser, openWindow } from './support/browser.ts';
import { failureOf } from './support/executions.ts';
import { startReal, type Real } from './support/real.ts';
import { LinkAccount, ReaderAccount } from './support/services.ts';

/** By workflow: nodes that wait for an address of the user's own. */
const waiting: Record<string, readonly string[]> = {
	'new-story-to-chat': ['New Story', 'Send to Chat'],
	'qr-scans-to-sheet': ['New Scan', 'Has a Chat', 'Send Alert', 'Alert'],
	'weekly-digest': ['Send Mail'],
};

const examples = await exampleWorkflows();
let real: Real;
let browser: Browser;
let context: BrowserContext;

before(async () => {
	real = await startReal();
	browser = await openBrowser();
	context = await openWindow(browser, 'light');
	await logIn(await context.newPage(), real.n8n.url, owner);
	await prepare();
});
after(async () => {
	await browser?.close();
	await real?.stop();
});

/** What the accounts hold before: a channel with links, a starred story, and stories of long ago. */
async function prepare(): Promise<void> {
	const links = new LinkAccount(real.sandbox.linksUrl);
	const reader = await ReaderAccount.logIn(real.sandbox.readerUrl, 'reader');
	const channel = await links.add('channel', { name: 'Newsletter' });
	for (const name of ['one', 'two']) {
		const id = await links.add('url', { url: `https://example.com/${name}` });
		await links.ask('POST', `/api/channel/${channel}/assign/links/${id}`);
	}
	const [[feedId, [hash]]] = [...(await reader.unread())] as [[number, [string]]];
	await reader.post('/reader/mark_story_hash_as_starred', { story_hash: hash });
	await reader.control('/bulk', { feed_id: feedId, count: 20, seconds_apart: 86_400 });
}

describe('gallery', () => {
	it('has at least ten workflows', () => assert.ok(examples.length >= 10));

	for (const { file, workflow } of examples) {
		it(file, async () => {
			const imported = (await real.client.workflows()).find(({ name }) => name === workflow.name);
			assert.ok(imported, 'was not imported');
			const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
			if (trigger) {
				const execution = await real.executions.run(imported.id, trigger.name);
				assert.equal(execution.status, 'success', failureOf(execution));
				const ran = execution.data.resultData.runData;
				const expected = workflow.nodes.filter(
					({ name, type }) =>
						!type.endsWith('.stickyNote') && !/Trigger$/.test(type) && !waiting[file]?.includes(name),
				);
				assert.deepEqual(
					expected.map(({ name }) => name).filter((name) => !(name in ran)),
					[],
				);
			}
			const page = await context.newPage();
			await page.goto(`${real.n8n.url}/workflow/${imported.id}`);
			const nodes = page.getByTestId('canvas-node');
			const steps = workflow.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
			await nodes.nth(steps.length - 1).waitFor();
			await page.getByTestId('zoom-to-fit').click();
			await page.mouse.move(0, 0);
			await keepPicture(page.getByTestId('canvas-wrapper'), `gallery-${file}`);
			await page.close();
		});
	}
});
