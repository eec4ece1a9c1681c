/** Tests that no example workflow writes or sends anything twice when it runs twice, or after a restart of n8n. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { createEngine, type Engine, type NodeJson, type WorkflowJson } from '../../engine/index.ts';
import { fillLinks } from '../../playground/links.ts';
import { services } from '../../sandbox/start-sandbox.ts';
import type { RunningServer } from '../../sandbox/shared/start-server.ts';
import { controls, ReaderClient } from '../support/clients/reader-client';
import { LinkClient } from '../support/clients/link-client';
import { ManualClock } from '../support/clock';
import { copyDatabase, startWithDatabase } from '../support/hosts/database';
import { root } from '../support/nodes/built';
import { credentialsFor } from '../support/nodes/link-node';
import { nodesOfN8n } from '../support/nodes/n8n-nodes';
import { sessionCredential } from '../support/nodes/reader-node';
import { holdTime, TriggerRun, type Json } from '../support/triggers/trigger-run';

type Workflow = WorkflowJson & { name: string };

const folder = join(root, 'workflows');
const examples = readdirSync(folder)
	.map((file): [string, Workflow] => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow])
	.filter(([, { nodes }]) => Array.isArray(nodes));

const isOurTrigger = ({ type }: NodeJson): boolean => /^n8n-nodes-newslink\..*Trigger$/.test(type);
const isTool = ({ type }: NodeJson): boolean => /^n8n-nodes-newslink\..*Tool$/.test(type);

/** Triggers that start a run without an event of a service. */
const isStart = ({ type }: NodeJson): boolean => /\.(manualTrigger|scheduleTrigger|formTrigger)$/.test(type);
const isSchedule = ({ type }: NodeJson): boolean => type.endsWith('.scheduleTrigger');
const isSender = ({ type }: NodeJson): boolean => /\.(httpRequest|emailSend)$/.test(type);

/** Tables that change when data is read. */
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
	// Workflows request the stories of the last day according to n8n's clock.
	clock.time = Date.now();
	({ server, db: database } = await startWithDatabase(services, { clock }));
	const anonymous = new ReaderClient(server.url, clock);
	await anonymous.control(controls.settings, { fetch_seconds: 0 });
	reader = await anonymous.as('reader');
	links = new LinkClient(`${server.url}/links`);
	await fillLinks(`${server.url}/links`);
	engine.credentials.setAll(credentials());
});
beforeEach(async () => {
	holdTime();
	await publish({ title: 'Stop press', tags: ['standards'] });
});
afterAll(async () => await server.close());

const credentials = () => ({
	...credentialsFor({ baseUrl: `${server.url}/links` }),
	...sessionCredential(`${server.url}/reader-service`),
});

/** All data of the two accounts, without the activities in which the service lists exports. */
function accountData(): Record<string, SQLOutputValue[][]> {
	const tables = [...copyDatabase(database).tables].filter(([name]) => !changedByReading.test(name));
	const { reader_events: events, ...others } = Object.fromEntries(tables);
	return { ...others, reader_events: events!.filter((row) => !row.includes('opml_export')) };
}

/** A copy of a workflow with credentials, and with an address to send messages to. */
function configure(workflow: Workflow): Workflow {
	const copy = JSON.parse(JSON.stringify(workflow)) as Workflow;
	for (const node of copy.nodes) {
		for (const [type, chosen] of Object.entries(node.credentials ?? {})) {
			const [id] = Object.entries(credentials()).find(([, own]) => own.type === type) ?? [];
			if (id) chosen.id = id;
		}
		const { assignments } = (node.parameters ?? {}) as { assignments?: { assignments: Json[] } };
		for (const field of assignments?.assignments ?? []) {
			if (/^(chatUrl|to)$/.test(String(field.name))) field.value = 'https://example.com/receiver';
		}
	}
	return copy;
}

/** The nodes at the ends of a workflow: those that write, send, or return the result. */
const endsOf = ({ nodes, connections }: Workflow): string[] =>
	nodes
		.filter(({ name, type }) => !type.endsWith('.stickyNote') && !(name in connections))
		.map(({ name }) => name);

interface Run {
	/** The number of items that the last nodes of the workflow returned. */
	returned: number;
	/** The number of messages and mails that the workflow sent. */
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

/** Causes an event, by its name. */
const causes: Record<string, () => Promise<void>> = {
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

/** The triggers of each example that start it without an event; one for each first node. */
const manualRuns = examples.flatMap(([file, workflow]) => {
	const starts = workflow.nodes.filter((node) => isStart(node) && !workflow.nodes.some(isTool));
	const byTarget = new Map(starts.map((node) => [JSON.stringify(workflow.connections[node.name]), node]));
	return [...byTarget.values()].map((node) => [file, node.name, workflow, node] as const);
});
it('tests every example', () => {
	const tested = [...manualRuns, ...eventRuns, ...tools].map(([file]) => file);
	expect([...new Set(tested)].sort()).toEqual(examples.map(([file]) => file).sort());
});
it.each(manualRuns)('%s from %s', async (_file, _name, given, start) => {
	const workflow = configure(given);
	if (start.type.endsWith('.formTrigger')) await breakFeed('slow-kitchen');
	const before = accountData();
	const first = await run(workflow, start);
	expect(first.returned).toBeGreaterThan(0);
	const once = accountData();
	const second = await run(workflow, start);
	expect(accountData()).toEqual(once);
	const isScheduled = workflow.nodes.some(isSchedule);
	if (isScheduled) expect(second.sent).toBe(0);
	// The second run proves nothing unless the first one had an effect.
	if (isScheduled && workflow.nodes.some(isSender)) expect(first.sent).toBeGreaterThan(0);
	else if (start.type.endsWith('.formTrigger')) expect(once).not.toEqual(before);
});

const eventRuns = examples.flatMap(([file, workflow]) =>
	workflow.nodes.filter(isOurTrigger).map((node) => [file, node.name, workflow, node] as const),
);
it.each(eventRuns)('%s from %s, across a restart', async (_file, _name, given, { name }) => {
	const workflow = configure(given);
	const trigger = workflow.nodes.find((node) => node.name === name)!;
	const { pollTimes: _, ...own } = trigger.parameters as {
		event: string;
		pollTimes: unknown;
		options?: { repeatMinutes?: number };
	};
	const polls = new TriggerRun(engine, { ...trigger, parameters: own }, credentials());
	await polls.activate();
	expect(Object.keys(causes)).toContain(own.event);
	await causes[own.event]!();
	const items = await polls.poll();
	expect(items.length).toBeGreaterThan(0);
	expect((await run(workflow, trigger, items)).returned).toBeGreaterThan(0);
	const once = accountData();
	polls.restart();
	const ids = items.map(({ eventId }) => eventId);
	// Without repeated ones, the poll emits the scans that the last one left for it.
	const repeated = (await polls.activate()).filter(({ eventId }) => ids.includes(eventId));
	const isRepeated = own.options?.repeatMinutes !== 0;
	expect(repeated).toHaveLength(isRepeated ? ids.length : 0);
	if (isRepeated) expect((await run(workflow, trigger, repeated)).sent).toBe(0);
	expect(accountData()).toEqual(once);
});

const tools = examples.flatMap(([file, workflow]) =>
	workflow.nodes.filter(isTool).map((node) => [file, node.name, workflow, node] as const),
);
it.each(tools)('%s: the tool %s', async (_file, name, given) => {
	const [hash] = Object.values(
		(await reader.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes,
	).flat();
	const [link] = await links.entries('/urls', 'urls');
	/** The arguments of a model's call. */
	const args: Record<string, unknown> = {
		hash: String(hash),
		highlights: '',
		id: link!.id,
		limit: 2,
		shortUrl: link!.shorturl,
		tags: 'kept',
		url: 'https://example.com/shortened',
		words: 'example',
	};
	const call = JSON.stringify(configure(given).nodes.find((node) => node.name === name)).replace(
		/"=\{\{ \$fromAI\('(\w+)'.*?\) \}\}"/g,
		(_, key: string) => {
			expect(Object.keys(args)).toContain(key);
			return JSON.stringify(args[key]);
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
	const once = accountData();
	await run(workflow, start);
	expect(accountData()).toEqual(once);
});
