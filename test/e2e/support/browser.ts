/** Controls n8n's editor in Debian's Chromium, with playwright-core. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	chromium,
	selectors,
	type Browser,
	type BrowserContext,
	type Locator,
	type Page,
} from 'playwright-core';
import sharp from 'sharp';

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The last ones stop Chromium from contacting Google's services at every start. */
const chromiumArguments = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

selectors.setTestIdAttribute('data-test-id');

export async function openBrowser(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM ?? programs.find((program) => existsSync(program));
	if (!executablePath)
		throw new Error('There is no Chromium here. On Debian: "apt-get install chromium"; or set CHROMIUM.');
	return await chromium.launch({ executablePath, args: chromiumArguments });
}

export type Theme = 'light' | 'dark';

/** Opens a window whose screenshots have two pixels for each CSS pixel, because readers see them scaled down. */
export async function openWindow(browser: Browser, theme: Theme): Promise<BrowserContext> {
	const context = await browser.newContext({
		colorScheme: theme,
		deviceScaleFactor: 2,
		viewport: { width: 1440, height: 900 },
		locale: 'en-US',
	});
	context.setDefaultTimeout(60_000);
	return context;
}

export async function logIn(
	page: Page,
	url: string,
	owner: { email: string; password: string },
): Promise<void> {
	await page.goto(`${url}/signin`);
	await page.locator('input[type=email], input[name=emailOrLdapLoginId]').fill(owner.email);
	await page.locator('input[type=password]').fill(owner.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL(/\/(home|workflow)/);
}

/** Where to save screenshots: `docs/images` for those of the documentation. Without it, none are taken, which saves minutes. */
const screenshotFolder = process.env.E2E_SCREENSHOTS;

/** The dark theme is only opened for screenshots. */
export const themes: readonly Theme[] = screenshotFolder ? ['light', 'dark'] : ['light'];

/** Hides buttons that cover a workflow. */
const style = [
	'[data-test-id=canvas-controls]',
	'[data-test-id=canvas-wrapper] div:has(> [data-test-id^=execute-workflow-button])',
	'[data-test-id=canvas-wrapper] [data-test-id^=execute-workflow-button]',
	'[data-test-id=canvas-wrapper] button[class*=_chevron_]',
]
	.map((selector) => `${selector} { visibility: hidden !important; }`)
	.join('\n');

/** A part of the page, in pixels. */
interface Clip {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Saves a compressed screenshot of the page, or of a part of it. */
export async function keepPicture(
	shown: Page | Locator,
	name: string,
	clip?: () => Promise<Clip>,
): Promise<void> {
	if (!screenshotFolder) return;
	await mkdir(screenshotFolder, { recursive: true });
	// Wait until the labels of buttons have faded in.
	await sleep(500);
	const png = await shown.screenshot({ animations: 'disabled', style, clip: await clip?.() });
	await sharp(png)
		.png({ palette: true, quality: 90, effort: 10 })
		.toFile(join(screenshotFolder, `${name}.png`));
}

/** Saves a screenshot of an open workflow, cropped to `parts`: its nodes, with or without notes. */
export async function keepWorkflow(page: Page, name: string, parts: Locator): Promise<void> {
	await page.getByTestId('zoom-to-fit').click();
	await page.mouse.move(0, 0);
	await keepPicture(page, name, async () => await boundsOf(page, parts));
}

/** The area of parts of an open workflow, including the names below them. */
async function boundsOf(page: Page, parts: Locator): Promise<Clip> {
	const [side, below] = [40, 70];
	const canvas = (await page.getByTestId('canvas-wrapper').boundingBox())!;
	const boxes = await Promise.all((await parts.all()).map(async (part) => (await part.boundingBox())!));
	const left = Math.max(canvas.x, Math.min(...boxes.map(({ x }) => x)) - side);
	const top = Math.max(canvas.y, Math.min(...boxes.map(({ y }) => y)) - side);
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + side;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + below;
	return {
		x: left,
		y: top,
		width: Math.min(right, canvas.x + canvas.width) - left,
		height: Math.min(bottom, canvas.y + canvas.height) - top,
	};
}

/** Opens a workflow and one of its nodes. */
export async function openNode(page: Page, url: string, workflowId: string, node: string): Promise<void> {
	await page.goto(`${url}/workflow/${workflowId}`);
	await page.locator(`[data-test-id=canvas-node][data-node-name="${node}"]`).dblclick();
	await page.getByTestId('ndv').waitFor();
}

/** Finds a node in the node panel, and clicks one of its actions or triggers; `inspect` is called before the click. */
export async function addFromPanel(
	page: Page,
	search: string,
	node: string,
	action: string,
	inspect?: () => Promise<void>,
): Promise<void> {
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill(search);
	const names = page.getByTestId('node-creator-item-name');
	await names.getByText(node, { exact: true }).first().click();
	const entry = names.getByText(action, { exact: true });
	const actions = page.getByTestId('node-creator-category-item').filter({ hasText: 'Actions' });
	await actions.waitFor();
	// A node that has a trigger shows its triggers first.
	if (!(await entry.isVisible())) await actions.click();
	await entry.waitFor();
	await inspect?.();
	await entry.click();
}

/** Fills fields of an open credential. */
export async function fillCredential(page: Page, fields: Record<string, string>): Promise<void> {
	const modal = page.getByTestId('editCredential-modal');
	for (const [name, value] of Object.entries(fields))
		await modal.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
}
