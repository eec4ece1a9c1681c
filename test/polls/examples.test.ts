/** Every example workflow, run twice and across a restart of n8n: nothing is written or sent twice. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { createEngine, type Engine, type NodeJson, type WorkflowJson } from '../../engine/index.ts';
import { fillLinks } from '../../playground/links.ts';
import { services } from '../../sandbox/services.ts';
import type { RunningServer } from '../../sandbox/shared/start-server.ts';
import { controls, ReaderClient } from '../support/clients/reader-client';
import { LinkClient } from '../support/clients/link-client';
import { ManualClock } from '../support/clock';
import { copyDatabase, startWithDatabase } from '../support/hosts/database';
import { root } from '../support/nodes/built';
import { credentialsFor } from '../support/nodes/link-node';
import { nodesOfN8n } from '../support/nodes/n8n-nodes';
import { sessionCredential } from '../support/nodes/reader-node';
import { holdTime, releaseTime, TriggerRun, type Json } from '../support/triggers/trigger-run';

type Workflow = WorkflowJson & { name: string };

const folder = join(root, 'workflows');
const examples = readdirSync(folder)
	.map((file): [string, Workflow] => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow])
	.filter(([, { nodes }]) => Array.isArray(nodes));

const isOurTrigger = ({ type }: NodeJson): boolean => /^n8n-nodes-newslink\..*Trigger$/.test(type);
const isTool = ({ type }: NodeJson): boolean => /^n8n-nodes-newslink\..*Tool$/.test(type);

/** Nodes that begin a run without waiting for a service or a client. */
const isStart = ({ type }: NodeJson): boolean => /\.(manualTrigger|scheduleTrigger|formTrigger)$/.test(type);
const isSchedule = ({ type }: NodeJson): boolean => type.endsWith('.scheduleTrigger');
const isSender = ({ type }: NodeJson): boolean => /\.(httpRequest|emailSend)$/.test(type);

/** Tables that reading changes as well. */
const changedByReading = /^reader_(sessions|seen|facts|fetches|stored_counts)$/;

let database: DatabaseSync;
let server: RunningServer;
let engine: Engine;
let reader: ReaderClient;
let links: LinkClient;

beforeAll(async () => {
	const workflows = examples.map(([, workflow]) => workflow);
	engine = await createEngine({ packageDirs: [root], extraNodes: nodesOfN8n(workflows) });
	const clock = new ManualClock();
	// Workflows ask for the stories of the last day by n8n's clock.
	clock.time = Date.now();
	({ server, db: database } = await startWithDatabase(services, { clock }));
	const anybody = new ReaderClient(server.url, clock);
	await anybody.control(controls.settings, { fetch_seconds: 0 });
	reader = await anybody.as('reader');
	links = new LinkClient(`${server.url}/links`);
	await fillLinks(`${server.url}/links`);
	engine.credentials.setAll(credentials());
});
beforeEach(async () => {
	holdTime();
	await publish({ title: 'Stop press', tags: ['standards'] });
});
afterEach(releaseTime);
afterAll(async () => await server.close());

const credentials = () => ({
	...credentialsFor({ baseUrl: `${server.url}/links` }),
	...sessionCredential(`${server.url}/reader-service`),
});

/** Everything that the two accounts hold. */
function held(): Record<string, SQLOutputValue[][]> {
	const tables = [...copyDatabase(database).tables].filter(([name]) => !changedByReading.test(name));
	return Object.fromEntries(tables);
}

/** A workflow with its credentials chosen, and with an address where it sends something. */
function filledIn(workflow: Workflow): Workflow {
	const given = JSON.parse(JSON.stringify(workflow)) as Workflow;
	for (const node of given.nodes) {
		for (const [type, chosen] of Object.entries(node.credentials ?? {})) {
			const [id] = Object.entries(credentials()).find(([, own]) => own.type === type) ?? [];
			if (id) chosen.id = id;
		}
		const { assignments } = (node.parameters ?? {}) as { assignments?: { assignments: Json[] } };
		for (const field of assignments?.assignments ?? []) {
			if (/^(chatUrl|to)$/.test(String(field.name))) field.value = 'https://example.com/receiver';
		}
	}
	return given;
}

/** The nodes at the ends of a workflow: those that write, send, or return the result. */
const endsOf = ({ nodes, connections }: Workflow): string[] =>
	nodes
		.filter(({ name, type }) => !type.endsWith('.stickyNote') && !(name in connections))
		.map(({ name }) => name);

interface Run {
	/** How many items the ends of the workflow returned. */
	returned: number;
	/** How many messages and mails it sent. */
	sent: number;
}

async function run(workflow: Workflow, start: NodeJson, input?: Json[]): Promise<Run> {
	const { error, items } = await engine.run({
		workflow,
		startNode: start.name,
		input,
		mode: input && 'trigger',
	});
	if (error) throw error;
	const itemsOf = (nodes: string[]): number => nodes.reduce((sum, name) => sum + items(name).length, 0);
	const senders = workflow.nodes.filter(isSender).map(({ name }) => name);
	return { returned: itemsOf(endsOf(workflow)), sent: itemsOf(senders) };
}

async function publish(story: object): Promise<void> {
	reader.clock.advance(60_000);
	await reader.publish('bitwright', story);
}

/** Makes happen what a trigger waits for. */
const happenings: Record<string, () => Promise<void>> = {
	newUnreadStory: async () => await publish({ title: 'Weather ships' }),
	newQrScan: async () => {
		const [code] = await links.entries('/qr', 'qrs');
		const body = { kind: 'qr', code: String(code!.link).split('/').at(-1), count: 120 };
		await links.control('visits', body);
	},
	feedBroken: async () => await breakFeed('night-sky'),
};

async function breakFeed(slug: string): Promise<void> {
	await reader.control(`/sandbox/feeds/${slug}/break`);
	reader.clock.advance(3_600_000);
	await reader.control(controls.fetch);
}

/** One of those that lead to the same node. */
const starting = examples.flatMap(([file, workflow]) => {
	const starts = workflow.nodes.filter((node) => isStart(node) && !workflow.nodes.some(isTool));
	const byTarget = new Map(starts.map((node) => [JSON.stringify(workflow.connections[node.name]), node]));
	return [...byTarget.values()].map((node) => [file, node.name, workflow, node] as const);
});
it('runs every example', () => {
	const run = [...starting, ...waiting, ...tools].map(([file]) => file);
	expect([...new Set(run)].sort()).toEqual(examples.map(([file]) => file).sort());
});
it.each(starting)('%s from %s', async (_file, _name, given, start) => {
	const workflow = filledIn(given);
	if (start.type.endsWith('.formTrigger')) await breakFeed('slow-kitchen');
	const before = held();
	const first = await run(workflow, start);
	expect(first.returned).toBeGreaterThan(0);
	const once = held();
	const second = await run(workflow, start);
	expect(held()).toEqual(once);
	const isScheduled = workflow.nodes.some(isSchedule);
	if (isScheduled) expect(second.sent).toBe(0);
	// A test that sees nothing happen at the first run would prove nothing at the second.
	if (isScheduled && workflow.nodes.some(isSender)) expect(first.sent).toBeGreaterThan(0);
	else if (start.type.endsWith('.formTrigger')) expect(once).not.toEqual(before);
});

const waiting = examples.flatMap(([file, workflow]) =>
	workflow.nodes.filter(isOurTrigger).map((node) => [file, node.name, workflow, node] as const),
);
it.each(waiting)('%s from %s, across a restart', async (_file, _name, given, { name }) => {
	const workflow = filledIn(given);
	const trigger = workflow.nodes.find((node) => node.name === name)!;
	const { event, pollTimes: _, ...own } = trigger.parameters as { event: string; pollTimes: unknown };
	const polls = new TriggerRun(engine, { ...trigger, parameters: { event, ...own } }, credentials());
	await polls.activate();
	expect(Object.keys(happenings)).toContain(event);
	await happenings[event]!();
	const items = await polls.poll();
	expect(items.length).toBeGreaterThan(0);
	expect((await run(workflow, trigger, items)).returned).toBeGreaterThan(0);
	const once = held();
	polls.restart();
	const repeated = await polls.activate();
	expect(repeated.map(({ eventId }) => eventId)).toEqual(items.map(({ eventId }) => eventId));
	expect((await run(workflow, trigger, repeated)).returned).toBe(0);
	expect(held()).toEqual(once);
});

const tools = examples.flatMap(([file, workflow]) =>
	workflow.nodes.filter(isTool).map((node) => [file, node.name, workflow, node] as const),
);
it.each(tools)('%s: the tool %s', async (_file, name, given) => {
	const [hash] = Object.values(
		(await reader.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes,
	).flat();
	const [link] = await links.entries('/urls', 'urls');
	/** What a model sends. */
	const sent: Record<string, unknown> = {
		hash: String(hash),
		id: link!.id,
		limit: 2,
		shortUrl: link!.shorturl,
		tags: 'kept',
		url: 'https://example.com/shortened',
		words: 'example',
	};
	const call = JSON.stringify(filledIn(given).nodes.find((node) => node.name === name)).replace(
		/"=\{\{ \$fromAI\('(\w+)'.*?\) \}\}"/g,
		(_, key: string) => {
			expect(Object.keys(sent)).toContain(key);
			return JSON.stringify(sent[key]);
		},
	);
	const { readOnly: _, ...node } = JSON.parse(call) as NodeJson & { readOnly?: boolean };
	const { readOnly: __, ...parameters } = node.parameters as { readOnly?: boolean };
	const start: NodeJson = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
	const workflow: Workflow = {
		name: 'Tool',
		nodes: [start, { ...node, type: node.type.replace(/Tool$/, ''), parameters }],
		connections: { Start: { main: [[{ node: name, type: 'main', index: 0 }]] } },
	};
	expect((await run(workflow, start)).returned).toBeGreaterThan(0);
	const once = held();
	await run(workflow, start);
	expect(held()).toEqual(once);
});
