/** The packages with one service: each has its own files only, loads alone, and runs workflows that were moved to it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Load } from '../../bench/load.ts';
import { chain, createEngine, type Engine, type NodeJson } from '../../engine/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/start-sandbox.ts';
import { singlePackages } from '../../scripts/single-packages';
import { root } from '../support/nodes/built';

const folderOf = (name: string): string => join(root, 'build/packages', name);

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ port: 0, rateLimit: null });
	await fetch(`${sandbox.linksUrl}/api/url/add`, {
		method: 'POST',
		headers: { authorization: 'Bearer sandbox-api-key', 'content-type': 'application/json' },
		body: JSON.stringify({ url: 'https://example.com/' }),
	});
});
afterAll(async () => await sandbox.close());

const credentials = () => ({
	linkManagerApi: { type: 'linkManagerApi', data: { baseUrl: sandbox.linksUrl, apiKey: 'sandbox-api-key' } },
	newsReaderSessionApi: {
		type: 'newsReaderSessionApi',
		data: { baseUrl: sandbox.readerUrl, username: 'reader', password: 'sandbox-password' },
	},
});

const engineFor = async (folder: string): Promise<Engine> =>
	await createEngine({ packageDirs: [folder], credentials: credentials() });

const uses = (type: string): NodeJson['credentials'] => ({ [type]: { id: type, name: type } });
const cases = {
	LinkManager: {
		credentials: uses('linkManagerApi'),
		operation: { resource: 'shortLink', operation: 'getAll' },
		event: { event: 'newShortLink' },
	},
	NewsReader: {
		credentials: uses('newsReaderSessionApi'),
		operation: { resource: 'feed', operation: 'getAll' },
		event: { event: 'newUnreadStory' },
	},
};

/** The command of the page that moves workflows, applied to one. */
function moved<Json>(json: Json): Json {
	const page = readFileSync(join(root, 'docs/packages.md'), 'utf8');
	const [, script = ''] = /sed -i '([^']+)' workflows\.json/.exec(page) ?? [];
	return JSON.parse(execFileSync('sed', [script], { input: JSON.stringify(json), encoding: 'utf8' })) as Json;
}

describe.each(singlePackages)('$name', ({ name, node }) => {
	const other = node === 'LinkManager' ? 'NewsReader' : 'LinkManager';

	it('has the files of its service only, and no name of the other', () => {
		const files = globSync('**/*', { cwd: folderOf(name) });
		expect(files.filter((file) => file.includes(other))).toEqual([]);
		expect(files.filter((file) => file.endsWith('.node.js'))).toHaveLength(2);
		const code = readFileSync(join(folderOf(name), 'dist/nodes/newslink.js'), 'utf8');
		expect(code).not.toContain(`nodes/${other}/`);
		expect(code).toContain(`nodes/${node}/`);
		const manifest = readFileSync(join(folderOf(name), 'package.json'), 'utf8');
		expect(manifest).not.toContain(other);
		for (const file of files.filter((each) => each.endsWith('.node.json')))
			expect(JSON.parse(readFileSync(join(folderOf(name), file), 'utf8'))).toMatchObject({
				node: expect.stringContaining(`${name}.`) as string,
			});
	});

	it('loads little when n8n starts', () => {
		const script = ['--expose-gc', 'bench/load.ts', folderOf(name)];
		const { modules, types, heap } = JSON.parse(
			execFileSync(process.execPath, script, { cwd: root, encoding: 'utf8' }),
		) as Load;
		expect(modules.filter((file) => /newslink|libraries/.test(file))).toEqual([]);
		expect(types).toBe(node === 'LinkManager' ? 3 : 4);
		expect(heap).toBeLessThan(500_000);
	});

	it('packs to the same bytes every time', () => {
		const to = mkdtempSync(join(tmpdir(), 'newslink-pack-'));
		const packed = (): string => {
			const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', to];
			const file = execFileSync('npm', args, { cwd: folderOf(name), encoding: 'utf8' }).trim();
			return createHash('sha256')
				.update(readFileSync(join(to, file)))
				.digest('hex');
		};
		expect(packed()).toBe(packed());
		rmSync(to, { recursive: true });
	});

	it('runs a workflow that was moved to it, and its trigger continues', async () => {
		const type = `n8n-nodes-newslink.${node.charAt(0).toLowerCase()}${node.slice(1)}`;
		const { credentials: chosen, operation, event } = cases[node];
		const before: NodeJson = { name: 'Node', type, parameters: operation, credentials: chosen };
		const trigger: NodeJson = {
			name: 'Trigger',
			type: `${type}Trigger`,
			parameters: event,
			credentials: chosen,
		};
		const combined = await engineFor(root);
		const single = await engineFor(folderOf(name));
		const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
		const run = async (engine: Engine, one: NodeJson) => {
			const { error, json } = await engine.run({ workflow: chain(start, one) });
			if (error) throw error;
			return json('Node');
		};
		try {
			const expected = await run(combined, before);
			expect(expected.length).toBeGreaterThan(0);
			expect(await run(single, moved(before))).toEqual(expected);
			const all = { ...trigger, parameters: { ...event, firstPoll: 'everything' } };
			const first = await combined.poll({ node: all });
			expect(first.items?.length).toBeGreaterThan(0);
			const next = await single.poll({ node: moved(all), staticData: first.staticData });
			const ids = [...first.items!, ...(next.items ?? [])].map(({ json }) => json.eventId);
			expect(new Set(ids).size).toBe(ids.length);
		} finally {
			await combined.close();
			await single.close();
		}
	});
});
