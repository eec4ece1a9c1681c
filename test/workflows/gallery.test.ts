/** The files of the gallery's workflows contain no secrets, no unconnected nodes and only known parameters. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, IConnections, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { createEngine, type Engine } from '../../engine/index.ts';
import { root } from '../support/nodes/built';

interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	pinData?: object;
}

const folder = join(root, 'workflows');
const gallery = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.map((file): [string, WorkflowFile] => [
		file,
		JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowFile,
	])
	.filter(([, workflow]) => Array.isArray(workflow.nodes));

/** The credentials of the playground; users select their own after the import. */
const credentialNames = [
	'Link Manager Sandbox',
	'News Reader Sandbox',
	'News Reader Sandbox OAuth2',
	'Stand-In Model',
	'SMTP account',
];

/** Matches the known secrets of the sandbox, and long tokens. */
const secret = /sandbox-(api-key|password|secret)|eyJ[\w-]{20,}|[\da-f]{40,}/;

let engine: Engine;
beforeAll(async () => {
	engine = await createEngine({ packageDirs: [root] });
});

const isOurs = ({ type }: INode) => type.startsWith('n8n-nodes-newslink.');
const description = ({ type, typeVersion }: INode): INodeTypeDescription =>
	engine.nodeType(type.replace(/Tool$/, ''), typeVersion).description;

it('has at least ten workflows with different names', () => {
	const names = gallery.map(([, { name }]) => name);
	expect(names.length).toBeGreaterThanOrEqual(10);
	expect(new Set(names).size).toBe(names.length);
});

it('is documented with a picture of each workflow', () => {
	const page = readFileSync(join(root, 'docs', 'gallery.md'), 'utf8');
	for (const [file, { name }] of gallery) {
		expect(page).toContain(name);
		expect(page).toContain(`workflows/${file}`);
		expect(page).toContain(`images/gallery-${file.replace('.json', '.png')}`);
	}
});

it('sends the tags and highlights wherever it saves a story, because saving drops others', () => {
	const saving = gallery
		.flatMap(([, { nodes }]) => nodes)
		.filter(({ parameters: { resource, operation } }) => resource === 'savedStory' && operation === 'save');
	expect(saving.length).toBeGreaterThan(0);
	for (const { parameters } of saving)
		expect(parameters.additionalFields).toMatchObject({
			userTags: expect.stringContaining('userTags'),
			highlights: expect.stringContaining('highlights'),
		});
});

it('asks a model for JSON lists, because a highlight can contain line breaks', () => {
	const nodes = JSON.stringify(gallery.flatMap(([, workflow]) => workflow.nodes));
	const described = nodes.match(/\$fromAI\('(tags|highlights)', '.*?;/g);
	expect(described).toHaveLength(2);
	for (const text of described!) expect(text).toContain('as the text of a JSON list;');
});

it('sends a chat one message for all items, or one a second, because chats refuse bursts', () => {
	for (const [file, { nodes }] of gallery)
		for (const { type, parameters } of nodes)
			if (type === 'n8n-nodes-base.httpRequest' && !nodes.some(({ executeOnce }) => executeOnce))
				expect([file, parameters.options]).toEqual([
					file,
					{ batching: { batch: { batchSize: 1, batchInterval: 1000 } } },
				]);
});

it('remembers no events in a Remove Duplicates node, which fails in each run once it is full', () => {
	const nodes = gallery.flatMap(([, workflow]) => workflow.nodes);
	const keys = nodes.flatMap(({ parameters }) => parameters.dedupeValue ?? []);
	expect(keys).toEqual(['={{ $now.toISODate() }}', expect.stringContaining('$now')]);
	const repeating = nodes.filter(
		(node) =>
			isOurs(node) &&
			node.type.endsWith('Trigger') &&
			(node.parameters.options as { repeatMinutes?: number } | undefined)?.repeatMinutes !== 0,
	);
	// Its workflow saves stories: once or twice is the same.
	expect(repeating.map(({ parameters }) => parameters.filters)).toEqual([{ titleContains: 'weather' }]);
});

it('says that a message that could not be sent is not sent again, because a node remembers it before', () => {
	const remembering = gallery.filter(([, { nodes }]) =>
		nodes.some(({ type }) => /removeDuplicates$/.test(type)),
	);
	expect(remembering).toHaveLength(2);
	for (const [, { nodes }] of remembering)
		expect(JSON.stringify(nodes)).toContain('even if sending it fails');
});

it('says that a restart can lose messages of several polls: n8n ends all runs that take longer than 30 seconds', () => {
	const unrepeated = gallery.filter(([, { nodes }]) => /"repeatMinutes":0/.test(JSON.stringify(nodes)));
	expect(unrepeated).toHaveLength(4);
	for (const [, { nodes }] of unrepeated)
		expect(JSON.stringify(nodes)).toMatch(
			/A restart or crash of n8n repeats no \w+, but can lose those that are not (sent|written) yet\./,
		);
});

it('warns of two runs at once of lists whose records may exist already: both create what neither finds', () => {
	const looking = gallery.filter(
		([, { nodes }]) =>
			!nodes.some(({ type }) => /newsReaderTrigger|agent|mcpTrigger/.test(type)) &&
			/"ifExists":"(return|update)"/.test(JSON.stringify(nodes)),
	);
	expect(looking).toHaveLength(3);
	for (const [, { nodes }] of looking) expect(JSON.stringify(nodes)).toMatch(/twice at the same time/);
});

it('names the Authentication of a trigger that others can reach, because it has none', () => {
	const reachable = gallery.filter(([, { nodes }]) =>
		nodes.some(({ type }) => /\.(form|mcp)Trigger$/.test(type)),
	);
	expect(reachable.map(([file]) => file)).toEqual(['feeds-that-broke.json', 'mcp-server.json']);
	for (const [, { nodes }] of reachable)
		expect(JSON.stringify(nodes)).toMatch(/choose an Authentication in \*\*(Form|MCP Server)\*\*/i);
});

describe.each(gallery)('%s', (_file, workflow) => {
	const { nodes, connections } = workflow;
	const steps = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');

	it('has a note that describes the workflow and what to change', () => {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		const text = notes.map(({ parameters }) => String(parameters.content)).join('\n');
		expect(text).toContain(`## ${workflow.name}`);
		expect(text).toMatch(/1\. Choose your credential/);
		// The editor's button is labeled Publish.
		expect(text).not.toMatch(/activate/i);
		for (const [, named] of text.matchAll(/\*\*(.+?)\*\*/g))
			expect(nodes.map(({ name }) => name)).toContain(named);
	});

	it('has no secrets, and names its credentials', () => {
		expect(JSON.stringify(workflow)).not.toMatch(secret);
		expect(workflow.pinData ?? {}).toEqual({});
		const named = steps.flatMap(({ credentials = {} }) => Object.values(credentials));
		for (const { name } of named) expect(credentialNames).toContain(name);
	});

	it('connects every node, and has unique node names', () => {
		const names = nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		const ends = Object.entries(connections).flatMap(([from, kinds]) =>
			Object.values(kinds).flatMap((outputs) =>
				outputs.flatMap((targets) => (targets ?? []).map(({ node }) => [from, node])),
			),
		);
		expect(ends.flat().filter((name) => !names.includes(name))).toEqual([]);
		expect(steps.filter(({ name }) => !ends.flat().includes(name)).map(({ name }) => name)).toEqual([]);
		expect(nodes.filter(({ disabled }) => disabled)).toEqual([]);
	});

	it('uses the current versions of our nodes with known parameters', () => {
		const ours = nodes.filter(isOurs);
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			const type = description(node);
			expect(node.typeVersion).toBe([type.version].flat().at(-1));
			const known = new Set(['pollTimes', 'descriptionType', 'toolDescription']);
			for (const { name } of type.properties) known.add(name);
			expect(Object.keys(node.parameters).filter((name) => !known.has(name))).toEqual([]);
			const parameters = NodeHelpers.getNodeParameters(
				type.properties,
				node.parameters,
				true,
				false,
				node,
				type,
			)!;
			const issues = NodeHelpers.getNodeParametersIssues(type.properties, { ...node, parameters }, type);
			expect(issues).toBeNull();
		}
	});
});
