/** The workflows of the migration page are valid, and the migrated ones run against the sandbox. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newestVariant } from '../../sandbox/shared/options.ts';
import { startSandbox, type Sandbox } from '../../sandbox/start-sandbox.ts';
import type { CredentialRecord, Engine, WorkflowJson } from '../../engine/index.ts';
import { root } from '../support/nodes/built';
import { credentialsFor } from '../support/nodes/link-node';
import { startEngine } from '../support/nodes/node';
import { controls, ReaderClient } from '../support/clients/reader-client';
import { sessionCredential } from '../support/nodes/reader-node';

const folder = join(root, 'docs/coming-from');
const files = readdirSync(folder);
const read = (file: string): WorkflowJson =>
	JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;

const isOurs = ({ type }: { type: string }) => type.startsWith('n8n-nodes-newslink.');

let engine: Engine;
let sandbox: Sandbox;

beforeAll(async () => {
	engine = await startEngine();
	sandbox = await startSandbox({ port: 0, rateLimit: null, variant: newestVariant });
	await new ReaderClient(sandbox.url).control(controls.fetch);
});
afterAll(async () => await sandbox.close());

it('the page shows every workflow before and after migration', () => {
	const page = readFileSync(join(root, 'docs/coming-from.md'), 'utf8');
	const subjects = [...new Set(files.map((file) => file.replace(/-(before|after)\.json$/, '')))];
	expect(subjects).toHaveLength(3);
	for (const subject of subjects) {
		for (const when of ['before', 'after']) expect(page).toContain(`](coming-from/${subject}-${when}.json)`);
	}
});

it.each(files)('%s connects existing nodes in one line', (file) => {
	const { nodes, connections } = read(file);
	const ends = Object.values(connections).flatMap(({ main }) => main!.flat().map((end) => end!.node));
	expect(
		[...Object.keys(connections), ...ends].filter((name) => !nodes.some((node) => node.name === name)),
	).toEqual([]);
	expect(ends).toHaveLength(nodes.length - 1);
	expect(nodes.every(isOurs)).toBe(false);
});

it.each(files)('%s uses the newest version of our nodes', (file) => {
	for (const node of read(file).nodes.filter(isOurs)) {
		const { version } = engine.nodeType(node.type).description;
		expect(node.typeVersion).toBe([version].flat().at(-1));
	}
});

it.each([
	['http-request-after.json', 50, ['hash', 'title', 'content', 'date']],
	['bitly-after.json', 1, ['id', 'shortUrl']],
	['rss-read-after.json', 1, ['hash', 'title', 'permalink', 'content', 'date', 'feedTitle', 'tags', 'score']],
])('%s runs', async (file, least, members) => {
	const accounts = {
		...credentialsFor({ baseUrl: sandbox.linksUrl }),
		...sessionCredential(sandbox.readerUrl),
	};
	const credentials: Record<string, CredentialRecord> = accounts;
	const nodes = read(file).nodes.map((node) => {
		const [type] = Object.keys(node.credentials ?? {});
		const id = Object.keys(credentials).find((key) => credentials[key]!.type === type);
		return type && id ? { ...node, credentials: { [type]: { id, name: id } } } : node;
	});
	const { error, json } = await engine.run({
		workflow: { ...read(file), nodes },
		startNode: nodes[0]!.name,
		credentials,
	});
	expect(error).toBeUndefined();
	const given = json(nodes.at(-1)!.name);
	expect(given.length).toBeGreaterThanOrEqual(least);
	for (const record of given) expect(Object.keys(record)).toEqual(expect.arrayContaining(members));
});
