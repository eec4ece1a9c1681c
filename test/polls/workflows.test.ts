/** Tests example workflows with the items of their triggers, including repeated items. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine, type Engine, type NodeJson, type WorkflowJson } from '../../engine/index.ts';
import { controls } from '../support/clients/reader-client';
import { root } from '../support/nodes/built';
import { nodesOfN8n } from '../support/nodes/n8n-nodes';
import { WatchedLinks } from '../support/triggers/trigger-links';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime, releaseTime, type Json } from '../support/triggers/trigger-run';

let engine: Engine;

beforeAll(async () => {
	engine = await createEngine({
		packageDirs: [root],
		extraNodes: nodesOfN8n([readWorkflow('digest-of-the-day', 'reader').workflow]),
	});
});
beforeEach(holdTime);
afterEach(releaseTime);

/** Reads an example workflow, and sets its credential. @returns it with its trigger */
function readWorkflow(name: string, credential: string): { workflow: WorkflowJson; trigger: NodeJson } {
	const workflow = JSON.parse(readFileSync(join(root, 'workflows', `${name}.json`), 'utf8')) as WorkflowJson;
	for (const node of workflow.nodes) {
		for (const chosen of Object.values(node.credentials ?? {})) chosen.id = credential;
	}
	const trigger = workflow.nodes.find(({ type }) => type.endsWith('Trigger'))!;
	return { workflow, trigger };
}

/** Runs the workflow with the items of its trigger. */
const execute = async (workflow: WorkflowJson, trigger: NodeJson, items: Json[]) =>
	await engine.run({ workflow, startNode: trigger.name, input: items, mode: 'trigger' });

const parametersOf = ({ parameters }: NodeJson): object => {
	const { pollTimes: _, ...own } = parameters as Record<string, unknown>;
	return own;
};

it('returns a message for each scan', async () => {
	const links = await WatchedLinks.start(engine);
	try {
		const { workflow, trigger } = readWorkflow('qr-scan-trigger', 'key');
		const { code } = await links.createCode('the menu');
		const run = links.trigger(parametersOf(trigger));
		await run.activate();
		await links.visit(code, 2);
		const items = await run.poll();
		const { json, error } = await execute(workflow, trigger, items);
		expect(error).toBeUndefined();
		const name = String(items[0]?.name);
		expect(json('Message')).toEqual([1, 2].map((n) => ({ message: `${name}: scan no. ${n}` })));
	} finally {
		await links.stop();
	}
});

it('combines similar stories in one line with the names of their feeds', async () => {
	const world = await WatchedReader.start(engine, { variant: '2026' });
	try {
		engine.credentials.setAll(world.credentials());
		const { workflow } = readWorkflow('digest-of-the-day', 'reader');
		const stories = workflow.nodes.find(({ name }) => name === 'Stories of the Day')!;
		const newerThan = new Date(world.reader.clock.now()).toISOString();
		Object.assign(stories.parameters!, { filters: { newerThan } });
		const story_hashes: string[] = [];
		for (const [slug, title] of [
			['bitwright', 'Bitwright'],
			['night-sky', 'Night Sky Almanac'],
		] as const) {
			await world.publish(slug, 'Weather ships');
			story_hashes.push(String((await world.newest(title)).story_hash));
		}
		await world.publish('bitwright', 'Alone');
		await world.anonymous.control(controls.cluster, { story_hashes });
		const { error, json } = await engine.run({ workflow, startNode: 'Run by Hand' });
		expect(error).toBeUndefined();
		const lines = String(json('Message')[0]?.text).split('\n');
		const titles = lines.filter((line) => line.startsWith('*')).slice(1);
		expect(titles.toSorted()).toEqual([
			'*Alone* (Bitwright)',
			expect.stringMatching(
				/^\*Weather ships\* \((Bitwright, Night Sky Almanac|Night Sky Almanac, Bitwright)\)$/,
			),
		]);
	} finally {
		await world.stop();
	}
});
