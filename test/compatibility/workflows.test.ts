/**
 * The gallery as version 0.1 had it: every workflow that was saved then opens, runs, and gives what others may have
 * built on. `0.1/members.json` was made with that version: the members of what each of our nodes gave.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import type { CredentialRecord, Engine, NodeJson, WorkflowJson } from '../../engine/index.ts';
import { standInNodes } from '../../engine/nodes/index.ts';
import { LinkClient } from '../support/linkClient';
import { credentialsFor } from '../support/link-node';
import { startEngine } from '../support/node';
import { HandClock, ReaderClient } from '../support/readerClient';
import { sessionCredential } from '../support/reader-node';
import members from './0.1/members.json';

type Workflow = Omit<WorkflowJson, 'nodes'> & { nodes: INode[] };

const folder = join(__dirname, '0.1/workflows');
const workflows = readdirSync(folder).map((file): [string, Workflow] => [
	file.replace('.json', ''),
	JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow,
]);

const isOurs = ({ type }: { type: string }) => type.startsWith('n8n-nodes-newslink.');
/** A tool is the node it was made of, with parameters of its own. */
const isTool = ({ type }: { type: string }) => type.endsWith('Tool');
const toolParameters = ['descriptionType', 'toolDescription'];

/** What is told no more, for no host tells it: that a story which was marked as read had been unread. */
const withdrawn = ['changed'];

let engine: Engine;
let sandbox: Sandbox;
let credentials: Record<string, CredentialRecord>;

beforeAll(async () => {
	engine = await startEngine();
	sandbox = await startSandbox({ port: 0, rateLimit: null });
	credentials = {
		...credentialsFor({ baseUrl: sandbox.linksUrl }),
		...sessionCredential(sandbox.readerUrl),
	};
	await prepare();
});
afterAll(async () => await sandbox.close());

/** What the accounts hold before: a channel with a link, a scanned code, and a starred story. */
async function prepare(): Promise<void> {
	const links = new LinkClient(sandbox.linksUrl);
	const { id: channel } = await links.add('/channel/add', { name: 'Newsletter' });
	const { id: link } = await links.add('/url/add', { url: 'https://example.com/one' });
	await links.add(`/channel/${channel}/assign/links/${link}`, undefined);
	const { link: code } = await links.add('/qr/add', { type: 'link', data: 'https://example.com/menu' });
	await fetch(String(code), { redirect: 'manual' });
	const anybody = new ReaderClient(sandbox.url, new HandClock());
	await anybody.publish('bitwright', { title: 'The newest of all' });
	const reader = await anybody.as('reader');
	const feed = await reader.feedId('Bitwright');
	const [story] = (await reader.get(`/reader/feed/${feed}`)).body.stories;
	await reader.post('/reader/mark_story_hash_as_starred', { story_hash: story!.story_hash });
}

const descriptionOf = ({ type, typeVersion }: INode): INodeTypeDescription =>
	engine.nodeType(type.replace(/Tool$/, ''), typeVersion).description;

/** Other nodes do what the engine's stand-ins can, or hand on what they get: ours run all the same. */
function onlyOurs(node: INode): NodeJson {
	const [type] = Object.keys(node.credentials ?? {});
	const id = Object.keys(credentials).find((key) => credentials[key]!.type === type);
	if (isOurs(node)) return { ...node, credentials: { [type!]: { id: id!, name: id! } } };
	const { version, properties = [] } = standInNodes[node.type]?.description ?? {};
	if ([version].flat().includes(node.typeVersion)) {
		const known = properties.map(({ name }) => name).filter((name) => !['options', 'rule'].includes(name));
		const parameters = Object.entries(node.parameters).filter(([name]) => known.includes(name));
		return { ...node, parameters: Object.fromEntries(parameters) };
	}
	return { ...node, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
}

describe.each(workflows)('%s', (file, { nodes, connections }) => {
	it.each(nodes.filter(isOurs).map((node) => [node.name, node] as const))('opens: %s', (_, node) => {
		const { properties, ...type } = descriptionOf(node);
		const { pollTimes: _poll, ...saved } = node.parameters;
		const known = [...properties.map(({ name }) => name), ...(isTool(node) ? toolParameters : [])];
		expect(known).toEqual(expect.arrayContaining(Object.keys(saved)));
		const parameters = NodeHelpers.getNodeParameters(properties, saved, true, false, node, {
			...type,
			properties,
		})!;
		expect(parameters).toMatchObject(
			Object.fromEntries(known.filter((name) => name in saved).map((name) => [name, saved[name]])),
		);
		const issues = NodeHelpers.getNodeParametersIssues(
			properties,
			{ ...node, parameters },
			{ ...type, properties },
		);
		expect(issues).toBeNull();
	});

	const starts = nodes.filter(({ type }) =>
		/\.(manualTrigger|\w+ReaderTrigger|\w+ManagerTrigger)$/.test(type),
	);
	// An agent decides by itself whether it uses its tools.
	if (nodes.some(isTool)) return;
	it.each(starts.map(({ name }) => name))('runs from: %s', async (startNode) => {
		const { error, runData, json } = await engine.run({
			workflow: { nodes: nodes.map(onlyOurs), connections },
			startNode,
			credentials,
		});
		expect(error).toBeUndefined();
		const given = nodes
			.filter((node) => isOurs(node) && node.name in runData)
			.map(({ name }) => [name, [...new Set(json(name).flatMap((record) => Object.keys(record)))].sort()]);
		const expected = members[`${file}: ${startNode}` as keyof typeof members];
		for (const [name, names] of Object.entries(expected)) {
			const kept = names.filter((member) => !withdrawn.includes(member));
			expect([name, Object.fromEntries(given)[name]]).toEqual([name, expect.arrayContaining(kept)]);
		}
	});
});
