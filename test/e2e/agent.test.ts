/** Tests both nodes as tools of an AI agent with a scripted model, and of an MCP client, on a real n8n. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { operationParameters } from '../../engine/form.ts';
import type { NodeJson } from '../../engine/index.ts';
import { ensureCredentials, modelCredential } from '../../playground/content.ts';
import {
	respond,
	startModel,
	textOf,
	toolResults,
	callTool,
	valueIn,
	type StandInModel,
} from '../../playground/model.ts';
import { LinkClient } from '../support/clients/link-client.ts';
import { ReaderClient, type Story } from '../support/clients/reader-client.ts';
import { failureOf } from './support/executions.ts';
import { startReal, type Real } from './support/real.ts';

const LINKS = 'n8n-nodes-newslink.linkManager';
const READER = 'n8n-nodes-newslink.newsReader';
const TARGET = 'https://example.com/agents';

let real: Real;
let model: StandInModel;
let links: LinkClient;
let reader: ReaderClient;
let types: INodeTypeDescription[];

/** One tool call; its arguments may depend on previous results. */
type Step = [tool: string, args: (results: string[]) => object];

interface Task {
	question: string;
	steps: Step[];
	/** Checks the effects on the services. */
	check(results: string[]): Promise<void>;
}

const hashIn = (results: string[]): string => valueIn(results[0]!, 'hash') ?? '';
const idIn = (results: string[]): string => valueIn(results.at(-1)!, 'id') ?? '';
const starred = async (): Promise<Story[]> => (await reader.read('/reader/starred_stories')).stories;
const ourLink = async (): Promise<Record<string, unknown>> => {
	const found = (await links.allEntries('/urls', 'urls')).find(({ longurl }) => longurl === TARGET);
	return found ?? assert.fail('The link does not exist');
};

/** Optional arguments are missing, empty, `null` or `undefined`, and other types are strings, as models often send them. */
const tasks: Task[] = [
	{
		question: 'Which stories are unread?',
		steps: [['Unread Stories', () => ({ Limit: '3' })]],
		check: async ([stories]) => assert.equal(stories!.match(/feedTitle/g)?.length, 3),
	},
	{
		question: 'Save the newest story for later',
		steps: [
			['Unread Stories', () => ({})],
			['Save Story', (results) => ({ Story_Hash: hashIn(results), Tags: '["agents"]' })],
		],
		check: async (results) => {
			const saved = (await starred()).find(({ story_hash: hash }) => hash === hashIn(results));
			assert.deepEqual(saved?.user_tags, ['agents']);
		},
	},
	{
		question: 'Mark the newest story as read',
		steps: [
			['Unread Stories', () => ({ Limit: '1' })],
			['Mark as Read', (results) => ({ Story_Hash: hashIn(results) })],
		],
		check: async (results) => {
			const unread = [...(await reader.unreadOfFetchedFeeds()).values()].flat();
			assert.ok(!unread.includes(hashIn(results)));
		},
	},
	{
		question: 'Share the newest story',
		steps: [
			['Unread Stories', () => ({ Limit: 1 })],
			[
				'Share',
				(results) => ({ Story_Hash: hashIn(results), Feed: 'undefined', Comment: 'An agent liked it' }),
			],
		],
		check: async ([, shared]) => assert.match(shared!, /An agent liked it/),
	},
	{
		question: 'Rename a feed',
		steps: [
			['Feeds', () => ({ Return_All: 'true' })],
			['Rename Feed', (results) => ({ Feed: idIn(results), Title: 'Renamed by an agent' })],
		],
		check: async () =>
			assert.match(JSON.stringify(await reader.read('/reader/feeds')), /Renamed by an agent/),
	},
	{
		question: `Shorten ${TARGET}`,
		steps: [['Shorten', () => ({ Target_URL: TARGET, Alias: 'agents', Description: 'null' })]],
		check: async () => assert.equal((await ourLink()).alias, 'agents'),
	},
	{
		question: 'How often was that link clicked?',
		steps: [
			['Find Links', () => ({ Search: 'agents', Limit: '' })],
			['Link Statistics', (results) => ({ Short_Link: idIn(results) })],
		],
		check: async ([, statistics]) => assert.match(statistics!, /clicks/),
	},
	{
		question: 'Describe that link',
		steps: [
			['Find Links', () => ({ Search: 'agents' })],
			['Update Link', (results) => ({ Short_Link: idIn(results), Meta_Title: 'Of agents' })],
		],
		check: async () => assert.equal((await ourLink()).title, 'Of agents'),
	},
	{
		question: 'Make a QR code for it',
		steps: [['QR Code', () => ({ Link: TARGET, Name: 'undefined' })]],
		check: async () => assert.equal((await links.allEntries('/qr', 'qrs')).length, 1),
	},
	{
		question: 'Put that link into a campaign',
		steps: [
			['Find Links', () => ({ Search: 'agents' })],
			['Campaign', () => ({ Name: 'Agents', Public: 'false' })],
			['Assign', (results) => ({ Campaign: idIn(results), Short_Link: valueIn(results[0]!, 'id') })],
		],
		check: async () => assert.equal((await links.allEntries('/campaigns', 'campaigns')).length, 1),
	},
	{
		question: 'Delete that link, with a read-only tool',
		steps: [
			['Find Links', () => ({ Search: 'agents' })],
			['Delete Link', (results) => ({ Short_Link: idIn(results) })],
		],
		check: async ([, refusal]) => {
			assert.match(refusal!, /this tool is read only/);
			await ourLink();
		},
	},
];

/** The tools: their fixed parameters, and those that the model sets. */
const tools: Array<[name: string, operation: string, fixed: object, fromModel: string[]]> = [
	['Unread Stories', `${READER} story getUnread`, { whichFeeds: 'all', storyContent: 'none' }, ['limit']],
	['Save Story', `${READER} savedStory save`, {}, ['storyHash', 'additionalFields.userTags']],
	['Mark as Read', `${READER} story markRead`, {}, ['storyHash']],
	['Share', `${READER} share create`, {}, ['storyId', 'feedId', 'comment']],
	['Feeds', `${READER} feed getAll`, {}, ['returnAll']],
	['Rename Feed', `${READER} feed rename`, {}, ['feedId', 'feedTitle']],
	[
		'Shorten',
		`${LINKS} shortLink create`,
		{},
		['url', 'additionalFields.custom', 'additionalFields.description'],
	],
	['Find Links', `${LINKS} shortLink getAll`, {}, ['limit', 'filters.q']],
	['Link Statistics', `${LINKS} shortLink get`, {}, ['linkId']],
	['Update Link', `${LINKS} shortLink update`, {}, ['linkId', 'updateFields.metatitle']],
	['QR Code', `${LINKS} qrCode create`, { qrType: 'link' }, ['qrLink', 'additionalFields.name']],
	['Campaign', `${LINKS} campaign create`, {}, ['name', 'additionalFields.public']],
	['Assign', `${LINKS} campaign assignLink`, {}, ['campaignId', 'linkId']],
	['Delete Link', `${LINKS} shortLink delete`, { readOnly: true }, ['linkId']],
];

/** A parameter of an operation, by its name, or by the names of its collection and itself. */
function propertyOf(typeAndOperation: string, path: string): INodeProperties {
	const [type, resource, operation] = typeAndOperation.split(' ') as [string, string, string];
	const [name, member] = path.split('.');
	const description = types.find(({ name }) => name === type)!;
	const property = operationParameters(description, { resource, operation }).find(
		(candidate) => candidate.name === name,
	);
	if (!property) return assert.fail(`${typeAndOperation} has no ${path}`);
	return member === undefined
		? property
		: (property.options as INodeProperties[]).find((candidate) => candidate.name === member)!;
}

/** The expression that the editor sets if the model decides a parameter; its key is the label. */
function fromModelExpression({ displayName, type }: INodeProperties): unknown {
	const kind = ['number', 'boolean'].includes(type) ? type : 'string';
	const key = displayName.replace(/[^\w-]+/g, '_');
	const value = `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${kind}') }}`;
	return type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
}

function toolNode([name, typeAndOperation, fixed, fromModel]: (typeof tools)[number]): NodeJson {
	const [type, resource, operation] = typeAndOperation.split(' ');
	const parameters: IDataObject = { resource, operation, ...fixed };
	for (const path of fromModel) {
		const value = fromModelExpression(propertyOf(typeAndOperation, path)) as string;
		const [first, member] = path.split('.') as [string, string?];
		if (member === undefined) parameters[first] = value;
		else parameters[first] = { ...(parameters[first] as IDataObject), [member]: value };
	}
	return { name, type: `${type!}Tool`, typeVersion: 1, parameters, credentials: credentialsOf(type!) };
}

/** The newest credential for a node type. */
function credentialsOf(type: string): NodeJson['credentials'] {
	const credentialType = { [LINKS]: 'linkManagerApi', [READER]: 'newsReaderSessionApi' }[type] ?? 'openAiApi';
	const { id, name } = real.credentials.findLast((credential) => credential.type === credentialType)!;
	return { [credentialType]: { id, name } };
}

/** A workflow of an agent with all tools and one question. */
function workflowOf(question: string): object {
	const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
	const agent = {
		...{ name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 3 },
		parameters: { promptType: 'define', text: question, options: {} },
	};
	const chat = {
		...{ name: 'Model', type: '@n8n/n8n-nodes-langchain.lmChatOpenAi', typeVersion: 1.3 },
		parameters: {
			model: { __rl: true, mode: 'id', value: 'stand-in' },
			responsesApiEnabled: false,
			options: {},
		},
		credentials: credentialsOf('openAiApi'),
	};
	const to = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	const toolNodes = tools.map(toolNode);
	return {
		name: question,
		active: false,
		nodes: [start, agent, chat, ...toolNodes].map((node) => ({ id: node.name, position: [0, 0], ...node })),
		connections: Object.fromEntries([
			['Start', to('main')],
			['Model', to('ai_languageModel')],
			...toolNodes.map(({ name }) => [name, to('ai_tool')]),
		]) as object,
		settings: { executionOrder: 'v1' },
	};
}

before(async () => {
	real = await startReal();
	links = new LinkClient(real.sandbox.linksUrl);
	reader = await ReaderClient.logIn(real.sandbox.readerUrl, 'reader');
	await reader.unreadOfFetchedFeeds();
	types = (await (
		await real.client.visit(`${real.n8n.url}/types/nodes.json`)
	).json()) as INodeTypeDescription[];
});
after(async () => {
	await model?.close();
	await real?.stop();
});

describe('an agent', () => {
	/** The results of the tools, by question. */
	const results = new Map<string, string[]>();

	before(async () => {
		model = await startModel((requested) => {
			const responses = toolResults(requested);
			const messages = requested.messages.map(({ content }) => textOf(content)).join('\n');
			const { question, steps } = tasks.find((task) => messages.includes(task.question))!;
			results.set(question, responses);
			const [tool, args] = steps[responses.length] ?? [];
			return tool ? callTool(tool.replaceAll(' ', '_'), args!(responses)) : respond('Done.');
		});
		const credential = { ...modelCredential(model.url), name: 'Scripted Model' };
		real.credentials.push(...(await ensureCredentials(real.client, [credential])));
	});

	for (const { question, steps, check } of tasks) {
		it(question, async () => {
			const { id } = await real.client.post<{ id: string }>('/rest/workflows', workflowOf(question));
			const execution = await real.executions.run(id, 'Start');
			assert.equal(execution.status, 'success', failureOf(execution));
			const replies = results.get(question) ?? [];
			assert.equal(replies.length, steps.length, replies.join('\n'));
			await check(replies);
		});
	}
});

/** Waits until n8n serves an address of a workflow, shortly after it reports the workflow as published. */
async function waitUntilServed(address: string, timeoutMs = 60_000): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while ((await fetch(address, { method: 'POST' })).status === 404) {
		if (Date.now() > deadline) throw new Error(`n8n doesn't serve ${address}`);
		await sleep(50);
	}
}

describe('an MCP client', () => {
	interface Client {
		connect(transport: object): Promise<void>;
		listTools(): Promise<{ tools: Array<{ name: string; description: string }> }>;
		callTool(call: { name: string; arguments: object }): Promise<{ content: Array<{ text: string }> }>;
		close(): Promise<void>;
	}

	it('uses the tools of the gallery’s example', async () => {
		const found = (await real.client.workflows()).find(({ name }) => name.includes('(MCP)'))!;
		const { versionId } = await real.client.get<{ versionId: string }>(`/rest/workflows/${found.id}`);
		await real.client.post(`/rest/workflows/${found.id}/activate`, { versionId });
		// n8n's own version of the library, so that the protocol versions match.
		const load = createRequire(join(real.installation, 'package.json'));
		const { Client: McpClient } = load('@modelcontextprotocol/sdk/client/index.js') as {
			Client: new (about: object) => Client;
		};
		const { StreamableHTTPClientTransport: Transport } = load(
			'@modelcontextprotocol/sdk/client/streamableHttp.js',
		) as { StreamableHTTPClientTransport: new (url: URL) => object };
		const client = new McpClient({ name: 'test', version: '1' });
		const address = `${real.n8n.url}/mcp/newslink`;
		await waitUntilServed(address);
		await client.connect(new Transport(new URL(address)));
		const { tools: offered } = await client.listTools();
		assert.deepEqual(offered.map(({ name }) => name).sort(), [
			...['Find_Links', 'Link_Statistics', 'Save_Story', 'Shorten', 'Unread_Stories'],
		]);
		for (const { description } of offered) assert.match(description, /in (Link Manager|News Reader)$/);

		const call = async (name: string, args: object): Promise<string> =>
			(await client.callTool({ name, arguments: args })).content.map(({ text }) => text).join('\n');
		const stories = await call('Unread_Stories', { limit: 2 });
		await call('Save_Story', { hash: valueIn(stories, 'hash'), tags: 'by MCP', highlights: '' });
		assert.ok((await starred()).some(({ user_tags: tags }) => String(tags) === 'by MCP'));
		const link = await call('Shorten', { url: 'https://example.com/mcp' });
		const clicked = await call('Link_Statistics', { shortUrl: valueIn(link, 'shortUrl') });
		assert.match(clicked, /example\.com\/mcp/);
		assert.match(await call('Find_Links', {}), /example\.com\/mcp/);
		await client.close();
	});
});
