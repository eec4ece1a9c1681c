/** Tests the demo and its workflows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { WorkflowJson } from '../../engine/index.ts';
import { readReadingList, withReadingList } from '../../demo/reading-list.ts';
import { readWorkflow, workflowFile, type WorkflowName } from '../../demo/workflows.ts';

const root = resolve(__dirname, '../..');

/** Runs the demo in a separate process, without a build. */
async function runDemo(...args: string[]): Promise<{ status: number; output: string; errors: string }> {
	const child = spawn(process.execPath, [join(root, 'demo/main.ts'), '--no-build', ...args], {
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
	it('creates short links and QR codes and shares stories, each once', async () => {
		const { articles } = await readReadingList();
		const { status, output, errors } = await runDemo('--rate-limit', '20/0.5');
		expect(errors.replace(/^.*(ExperimentalWarning|--trace-warnings).*$/gm, '').trim()).toBe('');
		expect(status).toBe(0);
		expect(output.match(/\/links\/s\/\w+ +\/qr\/\w+/g)).toHaveLength(articles.length);
		expect(output).toContain(`${articles.length} short links existed already, nothing was created twice`);

		const [first, second] = [
			...output.matchAll(/(\d+) stories were unread, (\d+) are now\. (\d+) (?:was|were) shared/g),
		];
		const [before, after, shared] = first!.slice(1).map(Number);
		expect(shared).toBeGreaterThan(0);
		expect(before! - after!).toBe(shared);
		expect(second!.slice(1).map(Number)).toEqual([after! + 1, after, 1]);
		expect(output.match(/Worth your time: http\S+\/links\/s\/\w+$/gm)).toHaveLength(shared! + 1);
		expect(output).toContain('Everything worked');
	});

	it('reports an error in one sentence, with an exit status', async () => {
		expect(await runDemo('--rate-limit', 'often')).toMatchObject({
			status: 2,
			output: '',
			errors: expect.stringMatching(/^--rate-limit must be .*often.* See npm run demo -- --help\.\n$/),
		});
	});
});

describe('workflows/scheduled-links.json', () => {
	it('contains the list of workflows/articles.json', async () => {
		// After editing the list: node demo/embed-reading-list.ts
		const workflow = await readWorkflow('scheduled-links');
		expect(workflow).toEqual(withReadingList(workflow, await readReadingList()));
	});

	it('has a list of at least forty different articles', async () => {
		const { articles } = await readReadingList();
		expect(new Set(articles.map(({ url }) => new URL(url).href)).size).toBe(articles.length);
		expect(articles.length).toBeGreaterThanOrEqual(40);
		expect(articles.filter(({ title, channel }) => !title.trim() || !channel.trim())).toEqual([]);
	});
});

describe.each<WorkflowName>(['scheduled-links', 'feed-to-share'])('workflows/%s.json', (name) => {
	let workflow: WorkflowJson;
	beforeAll(async () => {
		workflow = await readWorkflow(name);
	});

	it('has complete nodes and connections, so that n8n can import it', () => {
		const { nodes, connections } = workflow;
		const names = nodes.map((node) => node.name);
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
		}
		const targets = Object.values(connections).flatMap(({ main = [] }) => main.flat().map((to) => to?.node));
		expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
		const unconnected = names.filter((node) => !(node in connections) && !targets.includes(node));
		expect(unconnected).toEqual(['About']);
	});

	it('refers only to existing nodes, by paired items', () => {
		const text = JSON.stringify(workflow.nodes);
		const references = [...text.matchAll(/\$\('([^']+)'\)\.(\w+)/g)];
		expect(references.length).toBeGreaterThan(0);
		expect(workflow.nodes.map((node) => node.name)).toEqual(
			expect.arrayContaining(references.map(([, node]) => node)),
		);
		expect(new Set(references.map(([, , accessor]) => accessor))).toEqual(new Set(['item']));
	});

	it('contains names of credentials, but no secret', () => {
		expect(readFileSync(workflowFile(name), 'utf8')).not.toMatch(/sandbox-(api-key|password|secret)/);
		const credentials = workflow.nodes.flatMap((node) => Object.entries(node.credentials ?? {}));
		expect(credentials.length).toBeGreaterThan(0);
		for (const [type, credential] of credentials) {
			expect(type).toMatch(/^(linkManager|newsReaderSession)Api$/);
			expect(Object.keys(credential).sort()).toEqual(['id', 'name']);
		}
	});
});

describe('workflows/feed-to-share.json', () => {
	it('is one chain of nodes of both services', async () => {
		const { nodes, connections } = await readWorkflow('feed-to-share');
		const steps: string[] = [];
		for (let name: string | undefined = 'Every Hour'; name; name = connections[name]?.main?.[0]?.[0]?.node) {
			const node = nodes.find((candidate) => candidate.name === name);
			const { resource, operation } = node?.parameters as Record<string, string | undefined>;
			steps.push(
				[node?.type.replace(/^.*\./, ''), resource, operation].filter((part) => part !== undefined).join(' '),
			);
		}
		expect(steps).toEqual([
			'scheduleTrigger',
			'set',
			'linkManager campaign create',
			'newsReader story getUnread',
			'filter',
			'linkManager shortLink create',
			'newsReader share create',
			'newsReader savedStory save',
			'newsReader story markRead',
		]);
	});
});
