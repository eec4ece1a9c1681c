/** Tests the packages with one service in a real n8n: installed by the Community Nodes page, and with workflows of the combined package. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { IDataObject, INodeTypeDescription } from 'n8n-workflow';
import type { NodeJson } from '../../engine/index.ts';
import { ensureCredentials, sandboxCredentials } from '../../playground/content.ts';
import { installN8n } from '../../playground/install.ts';
import { commandOf, environmentOf, freePort, startN8n, type N8n } from '../../playground/n8n.ts';
import { installPackage, packPackage } from '../../playground/package.ts';
import { npm, run } from '../../playground/processes.ts';
import { N8nClient, type CredentialRecord } from '../../playground/rest.ts';
import { owner, root } from '../../playground/settings.ts';
import { startSandbox, type Sandbox } from '../../sandbox/start-sandbox.ts';
import { singlePackages } from '../../scripts/single-packages.ts';
import { LinkClient } from '../support/clients/link-client.ts';
import { ReaderClient } from '../support/clients/reader-client.ts';
import { linearWorkflow, items } from '../support/nodes/workflow.ts';
import { Executions, failureOf, jsonOf } from './support/executions.ts';
import { everyTenSeconds } from './support/real.ts';

const COMBINED = 'n8n-nodes-newslink';
const feed = 'open-bench';
const timeoutMs = 180_000;

let folder: string;
let installation: string;
let sandbox: Sandbox;
let reader: ReaderClient;
/** The paths of the packed packages, by name. */
const packed: Record<string, string> = {};

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'newslink-packages-'));
	installation = await installN8n(undefined, console.log);
	packed[COMBINED] = await packPackage(folder);
	for (const { name } of singlePackages)
		packed[name] = await packPackage(folder, join(root, 'build/packages', name));
	sandbox = await startSandbox({ port: 0, rateLimit: null });
	reader = await ReaderClient.logIn(sandbox.readerUrl, 'reader');
	await reader.unreadOfFetchedFeeds();
	await new LinkClient(sandbox.linksUrl).add('/url/add', { url: 'https://example.com/first' });
});
after(async () => {
	await sandbox?.close();
	await rm(folder, { recursive: true, force: true });
});

interface RunningN8n {
	n8n: N8n;
	client: N8nClient;
}

async function start(userFolder: string, environment?: Record<string, string>): Promise<RunningN8n> {
	const log = join(userFolder, 'n8n.log');
	const n8n = await startN8n({ installation, userFolder, port: await freePort(), log, environment });
	const client = new N8nClient(n8n.url);
	await client.logIn(owner);
	return { n8n, client };
}

/** For each service: one operation, one event, and how to cause the event. */
const services = {
	LinkManager: {
		credential: 'linkManagerApi',
		operation: { resource: 'shortLink', operation: 'getAll' },
		event: { event: 'newShortLink' },
		cause: async (text: string) => {
			const url = `https://example.com/${text}`;
			await new LinkClient(sandbox.linksUrl).add('/url/add', { url });
		},
		textOf: ({ longUrl }: IDataObject) => String(longUrl).replace('https://example.com/', ''),
	},
	NewsReader: {
		credential: 'newsReaderSessionApi',
		operation: { resource: 'feed', operation: 'getAll' },
		event: { event: 'newUnreadStory', whichFeeds: 'all' },
		cause: async (text: string) => await reader.publish(feed, { title: text }),
		textOf: ({ title }: IDataObject) => String(title),
	},
};
type Service = keyof typeof services;

function nodesOf(packageName: string, service: Service, records: CredentialRecord[]): [NodeJson, NodeJson] {
	const type = `${packageName}.${service.charAt(0).toLowerCase()}${service.slice(1)}`;
	const { credential, operation, event } = services[service];
	const { id, name } = records.find((record) => record.type === credential)!;
	const credentials = { [credential]: { id, name } };
	return [
		{ name: `${service} List`, type, parameters: operation, credentials },
		{
			name: `${service} News`,
			type: `${type}Trigger`,
			parameters: { ...event, pollTimes: everyTenSeconds },
			credentials,
		},
	];
}

interface Saved {
	id: string;
	name: string;
	versionId: string;
}

const save = async (client: N8nClient, name: string, nodes: NodeJson[]): Promise<Saved> =>
	await client.post<Saved>('/rest/workflows', linearWorkflow(name, nodes));

/** Runs a saved workflow of an operation. @returns its output */
async function list(executions: Executions, id: string, node: string): Promise<IDataObject[]> {
	const execution = await executions.run(id, items.name);
	assert.equal(execution.status, 'success', failureOf(execution));
	return jsonOf(execution, node);
}

/** Waits until `get` returns a value. */
async function waitFor<T>(get: () => Promise<T | undefined>, what: string): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const found = await get();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`No ${what} in three minutes`);
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

/** The items that reach the node Seen of a workflow, as soon as there are any. */
const waitForOutput = async (executions: Executions, id: string): Promise<IDataObject[]> =>
	await waitFor(async () => {
		const emitted = await executions.outputsOf(id, 'Seen');
		return emitted.length > 0 ? emitted : undefined;
	}, 'event');

/** Publishes a workflow and waits until its trigger has saved its state. */
async function publish(client: N8nClient, { id, versionId }: Saved): Promise<void> {
	await client.post(`/rest/workflows/${id}/activate`, { versionId });
	await waitFor(async () => {
		const { staticData } = await client.get<{ staticData: object | null }>(`/rest/workflows/${id}`);
		return staticData ?? undefined;
	}, 'state of the trigger');
}

/**
 * Replaces `npm` for n8n, because npm's registry does not have the packages: it installs them from the folder. Other
 * requests fail, because no server listens at the address of the proxy.
 */
async function fakeRegistry(): Promise<Record<string, string>> {
	const bin = await mkdtemp(join(folder, 'bin-'));
	const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
	const script = `#!/bin/sh
case "$1" in
	view) echo '"${version}"' ;;
	pack) cp '${folder}'/"\${2%@*}"-*.tgz . && ls "\${2%@*}"-*.tgz ;;
	*) PATH="\${PATH#*:}" exec npm "$@" ;;
esac
`;
	await writeFile(join(bin, 'npm'), script);
	await chmod(join(bin, 'npm'), 0o755);
	const closedAddress = `http://127.0.0.1:${await freePort()}`;
	return { PATH: [bin, process.env.PATH].join(delimiter), HTTPS_PROXY: closedAddress };
}

describe("the editor's Community Nodes page", () => {
	let running: RunningN8n;
	before(async () => (running = await start(join(folder, 'installed'), await fakeRegistry())));
	after(async () => await running?.n8n.stop());

	for (const { name, node } of singlePackages) {
		it(`installs ${name}, whose node and trigger work`, async () => {
			const { client } = running;
			const installed = await client.post<{ installedNodes: Array<{ type: string }> }>(
				'/rest/community-packages',
				{ name },
			);
			const type = `${name}.${node.charAt(0).toLowerCase()}${node.slice(1)}`;
			assert.deepEqual(installed.installedNodes.map((node) => node.type).sort(), [type, `${type}Trigger`]);
			const needed = sandboxCredentials(sandbox).filter(({ type }) => type === services[node].credential);
			const records = await ensureCredentials(client, needed);
			const [action, trigger] = nodesOf(name, node, records);
			const executions = await Executions.of(client);

			const { id } = await save(client, `${node} list`, [items, action]);
			assert.ok((await list(executions, id, action.name)).length > 0);

			const first = { ...trigger, parameters: { ...trigger.parameters, firstPoll: 'everything' } };
			const seen = { name: 'Seen', type: 'n8n-nodes-base.noOp' };
			const watching = await save(client, `${node} news`, [first, seen]);
			await client.post(`/rest/workflows/${watching.id}/activate`, { versionId: watching.versionId });
			const emitted = await waitForOutput(executions, watching.id);
			assert.ok(emitted.every(({ eventId }) => typeof eventId === 'string'));
		});
	}
});

/** The command in docs/packages.md that matches a pattern. */
async function commandIn(page: string, pattern: RegExp): Promise<string> {
	const text = await readFile(join(root, 'docs', page), 'utf8');
	const [, command] = pattern.exec(text) ?? [];
	assert.ok(command, `docs/${page} has no ${pattern}`);
	return command;
}

describe('the move from the combined package to those for one service', () => {
	it('moves workflows and continues their triggers', async () => {
		const userFolder = join(folder, 'moved');
		await installPackage(userFolder, packed[COMBINED]!);
		const before = await start(userFolder);
		const saved: Record<string, Saved> = {};
		try {
			const records = await ensureCredentials(before.client, sandboxCredentials(sandbox));
			for (const { node } of singlePackages) {
				const [action, trigger] = nodesOf(COMBINED, node, records);
				saved[action.name] = await save(before.client, action.name, [items, action]);
				const seen = { name: 'Seen', type: 'n8n-nodes-base.noOp' };
				saved[trigger.name] = await save(before.client, trigger.name, [trigger, seen]);
				await publish(before.client, saved[trigger.name]!);
			}
		} finally {
			await before.n8n.stop();
		}

		const environment = await environmentOf({ installation, userFolder, port: await freePort() });
		const runInShell = async (command: string) => {
			const { code, output } = await run('sh', ['-c', command], { cwd: userFolder, env: environment });
			assert.equal(code, 0, `${command}\n${output}`);
		};
		const runN8n = async (command: string) =>
			await runInShell(command.replace(/^n8n/, `'${process.execPath}' '${commandOf(installation)}'`));
		await runN8n(await commandIn('packages.md', /`(n8n export:workflow [^`]+)`/));
		await runInShell(await commandIn('packages.md', /(sed -i\S* '[^']+' workflows\.json)/));
		const { code, output } = await npm(['uninstall', COMBINED], join(userFolder, '.n8n/nodes'));
		assert.equal(code, 0, output);
		for (const { name } of singlePackages) await installPackage(userFolder, packed[name]!);
		await runN8n(await commandIn('packages.md', /`(n8n import:workflow [^`]+)`/));
		for (const { node } of singlePackages) await services[node].cause('while-it-moved');

		const { n8n, client } = await start(userFolder);
		try {
			const types = await (await client.visit(`${n8n.url}/types/nodes.json`)).json();
			const known = (types as INodeTypeDescription[]).map(({ name }) => name);
			assert.deepEqual(
				known.filter((name) => name.startsWith(`${COMBINED}.`)),
				[],
			);
			const executions = await Executions.of(client);
			for (const { node } of singlePackages) {
				const { id } = saved[`${node} List`]!;
				assert.ok((await list(executions, id, `${node} List`)).length > 0);
				const news = saved[`${node} News`]!;
				const { versionId } = await client.get<Saved>(`/rest/workflows/${news.id}`);
				await client.post(`/rest/workflows/${news.id}/activate`, { versionId });
				const seen = await waitForOutput(executions, news.id);
				assert.deepEqual(seen.map(services[node].textOf), ['while-it-moved']);
			}
		} finally {
			await n8n.stop();
		}
	});
});
