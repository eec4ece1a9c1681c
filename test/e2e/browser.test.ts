/** Tests n8n's editor in a browser, with the light and the dark theme. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { NodeJson } from '../../engine/index.ts';
import { sandboxCredentials } from '../../playground/content.ts';
import { owner, root } from '../../playground/settings.ts';
import {
	addFromPanel,
	fillCredential,
	keepPicture,
	logIn,
	openBrowser,
	openNode,
	openWindow,
	themes,
} from './support/browser.ts';
import { startReal, type Real } from './support/real.ts';
import { LinkClient } from '../support/clients/link-client.ts';
import { after as afterNode, linearWorkflow, items, keys } from '../support/nodes/workflow.ts';

interface Codex {
	alias: string[];
}

let real: Real;
let browser: Browser;
let descriptions: INodeTypeDescription[];
let linkIds: number[];

before(async () => {
	real = await startReal();
	browser = await openBrowser();
	const types = await real.client.visit(`${real.n8n.url}/types/nodes.json`);
	descriptions = ((await types.json()) as INodeTypeDescription[]).filter(
		({ name }) => name.startsWith('n8n-nodes-newslink.') && !name.endsWith('Tool'),
	);
	const account = new LinkClient(real.sandbox.linksUrl);
	linkIds = [];
	for (const name of ['harbour', 'kitchen', 'night-sky'])
		linkIds.push((await account.add('/url/add', { url: `https://example.com/${name}`, custom: name })).id);
});
after(async () => {
	await browser?.close();
	await real?.stop();
});

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The version of a node that is added in the editor. */
const newestOf = ({ version }: INodeTypeDescription): number => [version].flat().at(-1)!;

/** Creates a workflow. @returns its id */
async function workflowOf(nodes: NodeJson[], pinned: object[] = []): Promise<string> {
	const { id } = await real.client.post<{ id: string }>(
		'/rest/workflows',
		linearWorkflow(`Browser ${Date.now()}`, nodes, pinned),
	);
	return id;
}

function credential(type: string): NodeJson['credentials'] {
	const { id, name } = real.credentials.find((record) => record.type === type)!;
	return { [type]: { id, name } };
}

/** The node After with only two fields of the link, so that its output fits into a screenshot. */
const shortAfter: NodeJson = {
	...afterNode,
	parameters: { ...afterNode.parameters, include: 'selected', includeFields: 'alias, clicks' },
};

const linkManager = (linkId: object): NodeJson => ({
	name: 'Link Manager',
	type: 'n8n-nodes-newslink.linkManager',
	typeVersion: newestOf(descriptions.find(({ name }) => name === 'n8n-nodes-newslink.linkManager')!),
	parameters: { resource: 'shortLink', operation: 'get', linkId },
	credentials: credential('linkManagerApi'),
});

for (const theme of themes) {
	describe(`n8n's editor, ${theme}`, () => {
		let context: BrowserContext;
		let page: Page;

		before(async () => {
			context = await openWindow(browser, theme);
			page = await context.newPage();
			await logIn(page, real.n8n.url, owner);
		});
		after(async () => await context?.close());

		it('finds every node by its name and aliases', async () => {
			await page.goto(`${real.n8n.url}/workflow/new`);
			await page.getByTestId('node-creator-plus-button').click();
			const search = page.getByTestId('node-creator-search-bar');
			assert.ok(descriptions.length >= 2);
			for (const { name, displayName } of descriptions) {
				const found = page
					.getByTestId('node-creator-item-name')
					.getByText(displayName.replace(/ Trigger$/, ''), {
						exact: true,
					});
				for (const words of [displayName, ...(await aliasesOf(name))]) {
					await search.fill(words);
					await found.first().waitFor();
				}
			}
		});

		it('runs a node with parameters that were entered in the editor', async () => {
			await page.goto(`${real.n8n.url}/workflow/new`);
			await addFromPanel(page, 'url shortener', 'Link Manager', 'Create a short link', async () => {
				const icon = page
					.getByTestId('node-creator')
					.locator(`img[src*="linkManager${theme === 'dark' ? '.dark' : ''}.svg"]`);
				await icon.first().waitFor();
				await keepPicture(page, `node-panel-${theme}`);
			});
			await page.getByTestId('ndv').waitFor();
			await page.getByTestId('parameter-input-url').locator('input').fill('https://example.com/by-hand');
			await page.getByTestId('node-execute-button').click();
			await page.getByTestId('node-run-status-success').waitFor();
			await page
				.getByTestId('output-panel')
				.getByText(/\/links\/s\//)
				.first()
				.waitFor();
		});

		it('shows resources and operations', async () => {
			for (const description of descriptions) {
				const { name, displayName, properties } = description;
				const menus = properties.filter((property) =>
					['resource', 'operation', 'event'].includes(property.name),
				);
				const shown = menus.filter((menu) => isShownByDefault(menu, properties));
				const isTrigger = name.endsWith('Trigger');
				const node: NodeJson = { name: displayName, type: name, typeVersion: newestOf(description) };
				const id = await workflowOf(isTrigger ? [node] : [items, node]);
				await openNode(page, real.n8n.url, id, displayName);
				for (const menu of shown) {
					await page.getByTestId(`parameter-input-${menu.name}`).click();
					const names = (menu.options as INodePropertyOptions[]).map((option) => option.name);
					const list = page.locator('.el-select-dropdown:visible');
					for (const label of names) await list.getByText(label, { exact: true }).first().waitFor();
					if (menu.name === 'resource' && name.endsWith('newsReader'))
						await keepPicture(page, `resources-${theme}`);
					await page.keyboard.press('Escape');
				}
			}
		});

		it('selects a record in a searched list, and runs the node', async () => {
			const id = await workflowOf(
				[items, linkManager({ __rl: true, mode: 'list', value: '' }), afterNode],
				keys.map((key) => ({ key })),
			);
			await openNode(page, real.n8n.url, id, 'Link Manager');
			await page.getByTestId('rlc-input').click();
			const found = page.getByTestId('rlc-item');
			await found.nth(2).waitFor();
			await page.locator('input[data-test-id=rlc-search], [data-test-id=rlc-search] input').fill('kitch');
			await page.getByTestId('rlc-item').filter({ hasText: 'harbour' }).waitFor({ state: 'detached' });
			await found.filter({ hasText: 'kitchen' }).waitFor();
			await keepPicture(page, `searchable-list-${theme}`);
			await found.filter({ hasText: 'kitchen' }).click();
			await page.getByTestId('node-execute-button').click();
			await page.getByTestId('node-run-status-success').waitFor();
			await openNode(page, real.n8n.url, id, 'After');
		});

		it('runs a node for each item and shows the source of each output', async () => {
			const id = await workflowOf(
				[items, linkManager({ __rl: true, mode: 'id', value: '={{ $json.id }}' }), shortAfter],
				keys.map((key, n) => ({ key, id: linkIds[n] })),
			);
			await openNode(page, real.n8n.url, id, 'After');
			await page.getByTestId('node-execute-button').click();
			await page.getByTestId('node-run-status-success').waitFor();
			const output = page.getByTestId('output-panel');
			for (const key of keys) await output.getByText(key, { exact: true }).waitFor();
			await keepPicture(page, `paired-output-${theme}`);
		});

		it('shows the message of a failed node', async () => {
			const id = await workflowOf([items, linkManager({ __rl: true, mode: 'id', value: '99999' })]);
			await openNode(page, real.n8n.url, id, 'Link Manager');
			await page.getByTestId('node-execute-button').click();
			const message = page.getByTestId('node-error-message');
			await message.waitFor();
			assert.match(await message.innerText(), /refused to get a short link.*“Link 99999 does not exist\.”/);
			await page.getByTestId('node-execute-button').getByText('Execute step').waitFor();
			await keepPicture(page, `failure-${theme}`);
		});

		// The guides advise a node for each option for this reason.
		it('shows no fields of a choice that an expression makes, but requires those of all options', async () => {
			const parameters = { resource: 'channel', operation: 'assignItem', itemType: '={{ $json.kind }}' };
			const channelId = { __rl: true, mode: 'id', value: '1' };
			const node = { ...linkManager({}), parameters: { ...parameters, channelId } };
			await openNode(page, real.n8n.url, await workflowOf([items, node]), node.name);
			await page.getByTestId('parameter-input-itemType').waitFor();
			for (const name of ['linkId', 'bioPageId', 'qrCodeId'])
				assert.equal(await page.getByTestId(`parameter-input-${name}`).count(), 0, name);
			await page.getByTestId('node-execute-button').click();
			for (const label of ['Short Link', 'Bio Page', 'QR Code'])
				await page.getByText(`Parameter "${label}" is required`).first().waitFor();
		});

		it('imports a workflow with the menu items that the pages name', async () => {
			await page.goto(`${real.n8n.url}/workflow/new`);
			await page.getByTestId('workflow-menu').click();
			await page.getByRole('menuitem', { name: 'Import', exact: true }).hover();
			const chooser = page.waitForEvent('filechooser');
			await page.getByRole('menuitem', { name: 'From file', exact: true }).click();
			await (await chooser).setFiles(join(root, 'workflows/feed-to-share.json'));
			// The gallery says which nodes n8n gives a credential.
			const issuesOf = (node: string) =>
				page.locator(`[data-test-id=canvas-node][data-node-name="${node}"]`).getByTestId('node-issues');
			await issuesOf('Unread Stories').waitFor();
			assert.equal(await issuesOf('Short Link').count(), 0);
		});
	});
}

describe('credentials in the editor', () => {
	let context: BrowserContext;
	let page: Page;

	before(async () => {
		context = await openWindow(browser, 'light');
		page = await context.newPage();
		await logIn(page, real.n8n.url, owner);
	});
	after(async () => await context?.close());

	/** Opens the dialog for a new credential of a node. */
	async function openNew(node: NodeJson): Promise<void> {
		const id = await workflowOf([items, node]);
		await openNode(page, real.n8n.url, id, node.name);
		await page.getByTestId('node-credentials-select').click();
		await page.getByTestId('node-credentials-select-item-new').click();
		await page.getByTestId('editCredential-modal').waitFor();
	}

	/** Selects the authentication of a node that offers several ones. */
	async function selectAuthentication(name: string): Promise<void> {
		await page.getByTestId('credential-mode-dropdown-trigger').click();
		await page.getByRole('menuitem', { name, exact: true }).click();
	}

	const cases = [
		{
			type: 'linkManagerApi',
			secret: 'apiKey',
			node: 'linkManager',
			message: 'The service does not accept this API key',
		},
		{
			type: 'newsReaderSessionApi',
			secret: 'password',
			node: 'newsReader',
			authentication: 'User Name and Password',
			message: 'Wrong password. Please try again.',
		},
	];
	for (const { type, secret, node, message, authentication } of cases) {
		it(`creates and tests ${type} with a wrong and a correct secret`, async () => {
			const { baseUrl, ...data } = sandboxCredentials(real.sandbox).find(
				(credential) => credential.type === type,
			)!.data;
			await openNew({ name: 'Node', type: `n8n-nodes-newslink.${node}` });
			const modal = page.getByTestId('editCredential-modal');
			if (authentication) await selectAuthentication(authentication);
			const correct = { baseUrl, ...data } as Record<string, string>;
			await fillCredential(page, { ...correct, [secret]: 'not-the-secret' });
			await page.getByTestId('credential-save-button').click();
			await modal.getByText('More details').click();
			await page.getByText(message).first().waitFor();
			await keepPicture(page, `credential-refused-${kebab(type)}`);
			await fillCredential(page, { [secret]: correct[secret]! });
			await page.getByTestId('credential-save-button').click();
			// n8n closes the dialog after a successful test.
			await modal.waitFor({ state: 'hidden' });
			await page.getByTestId('credential-edit-button').click();
			await modal.getByText('Connection tested successfully').waitFor();
			await keepPicture(page, `credential-tested-${kebab(type)}`);
		});
	}

	/** Logs in and allows access in the window that "Connect" opens. @returns that window */
	async function consent(inspect?: (popup: Page) => Promise<void>): Promise<Page> {
		const opened = page.waitForEvent('popup');
		await page
			.getByTestId('editCredential-modal')
			.getByRole('button', { name: /^(Connect|Reconnect)$/ })
			.click();
		const popup = await opened;
		const allow = popup.getByRole('button', { name: 'Allow' });
		const name = popup.getByLabel('User name');
		await name.or(allow).waitFor();
		// The service remembers who logged in.
		if (await name.isVisible()) {
			await name.fill('reader');
			await popup.getByLabel('Password').fill('sandbox-password');
			await popup.getByRole('button', { name: 'Log in' }).click();
			await allow.waitFor();
		}
		await inspect?.(popup);
		await allow.click();
		return popup;
	}

	it('connects OAuth 2.0 through the consent page, and runs a node with it', async () => {
		const { data } = sandboxCredentials(real.sandbox).find(({ type }) => type === 'newsReaderOAuth2Api')!;
		await openNew({
			name: 'News Reader',
			type: 'n8n-nodes-newslink.newsReader',
			parameters: { authentication: 'oAuth2', resource: 'feed', operation: 'getAll' },
		});
		await selectAuthentication('OAuth2');
		const correct = data as Record<string, string>;
		await fillCredential(page, { ...correct, clientSecret: 'not-the-secret' });
		const refused = await consent();
		await refused
			.getByText(/invalid|fail|error/i)
			.first()
			.waitFor();
		await keepPicture(refused, 'oauth-refused');
		await refused.close();
		await fillCredential(page, { clientSecret: correct.clientSecret! });
		await consent(async (popup) => await keepPicture(popup, 'consent'));
		await page.getByTestId('editCredential-modal').waitFor({ state: 'hidden' });
		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('node-run-status-success').waitFor();
		await keepPicture(page, 'oauth-connected');
	});
});

/** A part of the video for n8n's verification, whose script is in docs/verification.md. */
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

async function addToNewWorkflow(page: Page, { search, node }: Scene, action: string): Promise<void> {
	await page.goto(`${real.n8n.url}/workflow/new`);
	await addFromPanel(page, search, node, action);
	await page.getByTestId('ndv').waitFor();
}

async function executeNode(page: Page): Promise<void> {
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('node-run-status-success').waitFor();
}

const steps: Record<string, (page: Page, scene: Scene) => Promise<void>> = {
	'Add an operation': async (page, scene) => {
		await addToNewWorkflow(page, scene, scene.operation);
		for (const [name, value] of Object.entries(scene.parameters))
			await page.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
	},
	'Test the credential': async (page) => {
		await page.getByTestId('ndv').getByText('Credential', { exact: true }).first().waitFor();
		await page.getByTestId('credential-edit-button').click();
		const modal = page.getByTestId('editCredential-modal');
		const reported = modal.getByText(/Connection tested successfully|Account connected/);
		await reported.filter({ visible: true }).first().waitFor();
		await modal.getByRole('button', { name: 'Close this dialog' }).click();
		await modal.waitFor({ state: 'hidden' });
	},
	'Run the operation': executeNode,
	'Fetch an event': async (page, scene) => {
		await addToNewWorkflow(page, scene, scene.event);
		await executeNode(page);
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
		let page: Page;
		before(async () => {
			page = await (await openWindow(browser, 'light')).newPage();
			await logIn(page, real.n8n.url, owner);
		});
		after(async () => await page?.context().close());

		for (const [title, play] of Object.entries(steps)) it(title, async () => await play(page, scene));
	});

/** The aliases by which a node can be found. */
async function aliasesOf(name: string): Promise<string[]> {
	const node = name.replace('n8n-nodes-newslink.', '');
	const file = node.charAt(0).toUpperCase() + node.slice(1);
	const folder = file.replace(/Trigger$/, '');
	const codex = await readFile(join(root, 'nodes', folder, `${file}.node.json`), 'utf8');
	return (JSON.parse(codex) as Codex).alias;
}

/** Whether a menu is shown with the default values of the others. */
function isShownByDefault({ displayOptions }: INodeProperties, properties: INodeProperties[]): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(([name, allowed]) => {
		const other = properties.find((property) => property.name === name);
		return (allowed as unknown[]).includes(other?.default);
	});
}
