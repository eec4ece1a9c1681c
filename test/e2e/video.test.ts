/** Tests the script in docs/verification.md of the video for n8n's verification: its steps work in a browser. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { fillLinks } from '../../playground/links.ts';
import { owner, root } from '../../playground/settings.ts';
import { addFromPanel, logIn, openBrowser, openWindow } from './support/browser.ts';
import { startReal, type Real } from './support/real.ts';

let real: Real;
let browser: Browser;
let page: Page;

before(async () => {
	real = await startReal();
	await fillLinks(real.sandbox.linksUrl);
	browser = await openBrowser();
	page = await (await openWindow(browser, 'light')).newPage();
	await logIn(page, real.n8n.url, owner);
});
after(async () => {
	await browser?.close();
	await real?.stop();
});

interface Scene {
	node: string;
	search: string;
	operation: string;
	/** The values of the operation's required parameters, by name. */
	parameters: Record<string, string>;
	event: string;
}

const scenes: Scene[] = [
	{
		node: 'News Reader',
		search: 'rss',
		operation: 'Get unread stories',
		parameters: {},
		event: 'On new unread story',
	},
	{
		node: 'Link Manager',
		search: 'url shortener',
		operation: 'Create a short link',
		parameters: { url: 'https://example.com/video' },
		event: 'On new short link',
	},
];

async function addToNewWorkflow({ search, node }: Scene, action: string): Promise<void> {
	await page.goto(`${real.n8n.url}/workflow/new`);
	await addFromPanel(page, search, node, action);
	await page.getByTestId('ndv').waitFor();
}

async function executeNode(): Promise<void> {
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('node-run-status-success').waitFor();
}

const steps: Record<string, (scene: Scene) => Promise<void>> = {
	'Add an operation': async (scene) => {
		await addToNewWorkflow(scene, scene.operation);
		for (const [name, value] of Object.entries(scene.parameters))
			await page.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
	},
	'Test the credential': async () => {
		await page.getByTestId('credential-edit-button').click();
		const modal = page.getByTestId('editCredential-modal');
		const reported = modal.getByText(/Connection tested successfully|Account connected/);
		await reported.filter({ visible: true }).first().waitFor();
		await modal.getByRole('button', { name: 'Close this dialog' }).click();
		await modal.waitFor({ state: 'hidden' });
	},
	'Run the operation': executeNode,
	'Fetch an event': async (scene) => {
		await addToNewWorkflow(scene, scene.event);
		await executeNode();
		await page.getByTestId('output-panel').getByText('eventId').first().waitFor();
	},
};

it('the script has these steps and names every clicked element', async () => {
	const text = await readFile(join(root, 'docs/verification.md'), 'utf8');
	const script = text.split('### The video')[1]!.split('\n## ')[0]!;
	const titles = [...script.matchAll(/^\d\. \*\*(.+?)\.\*\*/gm)].map(([, title]) => title);
	assert.deepEqual(titles, Object.keys(steps));
	for (const { search, operation, event } of scenes)
		for (const words of [`\`${search}\``, `**${operation}**`, `**${event}**`])
			assert.ok(script.includes(words), words);
});

for (const scene of scenes)
	describe(`the video of ${scene.node}`, () => {
		for (const [title, play] of Object.entries(steps)) it(title, async () => await play(scene));
	});
