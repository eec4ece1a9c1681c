/** Every workflow of the gallery, imported and executed on a real n8n as it is. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { exampleWorkflows } from '../../playground/content.ts';
import { owner } from '../../playground/settings.ts';
import { keepPicture, logIn, openBrowser, openWindow } from './support/browser.ts';
import { failureOf, runsOf } from './support/executions.ts';
import { startReal, type Real } from './support/real.ts';
import { LinkAccount, ReaderAccount } from '../support/accounts.ts';

/** By workflow: nodes that wait for an address of the user's own, or for what happens seldom. */
const waiting: Record<string, readonly string[]> = {
	'new-story-to-chat': ['Send to Chat'],
	'qr-scans-to-sheet': ['Has a Chat', 'Send Alert', 'Alert'],
	'weekly-digest': ['Send Mail'],
};

/** Triggers that "Execute workflow" starts from at once; ours show a sample. */
const runnable = /\.(manualTrigger|newsReaderTrigger|linkManagerTrigger)$/;
/** What no run of a test gets to: notes, and triggers that wait for a time or for a message. */
const notRun = /\.(stickyNote|scheduleTrigger|chatTrigger)$/;

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
	const { link } = await links.ask('POST', '/api/qr/add', { type: 'link', data: 'https://example.com/menu' });
	await links.visit('qr', String(link).split('/').at(-1)!);
	await reader.control('/bulk', { feed_id: feedId, count: 20, seconds_apart: 86_400 });
}

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
			await page.getByTestId('zoom-to-fit').click();
			await page.mouse.move(0, 0);
			await keepPicture(page.getByTestId('canvas-wrapper'), `gallery-${file}`);
			await page.close();
		});
	}
});
