import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { readReadingList, readWorkflow, withReadingList } from '../../demo/reading-list.ts';

const root = resolve(__dirname, '../..');

/** The demo as its user runs it, after the build. */
async function demo(...args: string[]): Promise<{ status: number; output: string; errors: string }> {
	const child = spawn(process.execPath, [join(root, 'demo/main.ts'), ...args], {
		cwd: root,
		env: { ...process.env, JEST_WORKER_ID: undefined, NODE_ENV: undefined, FORCE_COLOR: undefined },
	});
	const [output, errors, [status]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, 'close') as Promise<[number]>,
	]);
	return { status, output, errors };
}

describe('the demo', () => {
	it('makes a short link and a QR code for every article, once, waits for the rate limit, and proves that they answer', async () => {
		const { articles } = await readReadingList();
		const { status, output, errors } = await demo('--rate-limit', '10/0.3');
		expect(errors.replace(/^.*(ExperimentalWarning|--trace-warnings).*$/gm, '').trim()).toBe('');
		expect(status).toBe(0);
		expect(output.match(/\/links\/s\/\w+ +\/qr\/\w+/g)).toHaveLength(articles.length);
		expect(output).toContain(`${articles.length} short links were there already, nothing was made twice`);
		expect(output).toMatch(/Short Link: Waited .* for the rate limit/);
		expect(output).toContain('All of it worked');
	});

	it('says in a sentence what is wrong, with an exit status', async () => {
		expect(await demo('--rate-limit', 'often')).toMatchObject({
			status: 1,
			output: '',
			errors: expect.stringMatching(/^\nThe demo did not work\. .*often.*\n$/),
		});
		expect(await demo('--fast')).toMatchObject({
			status: 1,
			errors: expect.stringContaining("Unknown option '--fast'"),
		});
	});
});

describe('its workflow', () => {
	it('carries the list of workflows/articles.json', async () => {
		// After editing the list: node demo/embed-reading-list.ts
		const workflow = await readWorkflow();
		expect(workflow).toEqual(withReadingList(workflow, await readReadingList()));
	});

	it('has a list of at least forty different articles', async () => {
		const { articles } = await readReadingList();
		expect(new Set(articles.map(({ url }) => new URL(url).href)).size).toBe(articles.length);
		expect(articles.length).toBeGreaterThanOrEqual(40);
		expect(articles.filter(({ title, channel }) => !title.trim() || !channel.trim())).toEqual([]);
	});

	it('is what an n8n editor imports: whole nodes, whole connections, no secret', async () => {
		const { nodes, connections } = await readWorkflow();
		expect(readFileSync(join(root, 'workflows/scheduled-links.json'), 'utf8')).not.toContain(
			'sandbox-api-key',
		);
		const names = nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(nodes.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		for (const node of nodes) {
			expect(node).toMatchObject({
				id: expect.stringMatching(/^[\da-f-]{36}$/),
				type: expect.stringMatching(/^n8n-nodes-(base|newslink)\./),
				typeVersion: expect.any(Number),
				position: [expect.any(Number), expect.any(Number)],
				parameters: expect.any(Object),
			});
			for (const credential of Object.values(node.credentials ?? {})) {
				expect(Object.keys(credential).sort()).toEqual(['id', 'name']);
			}
		}
		const targets = Object.values(connections).flatMap(({ main = [] }) => main.flat().map((to) => to?.node));
		expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
		const unconnected = names.filter((name) => !(name in connections) && !targets.includes(name));
		expect(unconnected).toEqual(['About']);
	});
});
