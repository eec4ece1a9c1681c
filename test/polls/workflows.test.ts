/** Tests example workflows with the items of their triggers, including repeated items. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { chain, createEngine, type Engine, type NodeJson, type WorkflowJson } from '../../engine/index.ts';
import { controls } from '../support/clients/reader-client';
import { root } from '../support/nodes/built';
import { nodesOfN8n } from '../support/nodes/n8n-nodes';
import { WatchedLinks } from '../support/triggers/trigger-links';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime, type Json } from '../support/triggers/trigger-run';

let engine: Engine;

beforeAll(async () => {
	engine = await createEngine({
		packageDirs: [root],
		extraNodes: nodesOfN8n(
			[
				'digest-of-the-day',
				'feed-to-share',
				'feeds-that-broke',
				'new-story-to-chat',
				'qr-codes-as-files',
				'qr-scans-to-sheet',
				'read-later-clean-up',
				'scheduled-links',
				'weekly-digest',
			].map((name) => readWorkflow(name, 'reader').workflow),
		),
	});
});
beforeEach(holdTime);

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

it('returns a message for each scan, also after a restart', async () => {
	const links = await WatchedLinks.start(engine);
	const { workflow, trigger } = readWorkflow('qr-scan-trigger', 'key');
	const { code } = await links.createCode('the menu');
	const run = await links.trigger(parametersOf(trigger)).activated();
	await links.visit(code, 2);
	const items = await run.poll();
	const { json, error } = await execute(workflow, trigger, items);
	expect(error).toBeUndefined();
	const name = String(items[0]?.name);
	expect(json('Message')).toEqual([1, 2].map((n) => ({ message: `${name}: scan no. ${n}` })));
	run.restart();
	expect(await run.poll()).toEqual([]);
});

it('raises an alert with each row of a code that has more scans in all than the threshold', async () => {
	const links = await WatchedLinks.start(engine);
	const { workflow, trigger } = readWorkflow('qr-scans-to-sheet', 'key');
	const { code } = await links.createCode();
	await links.visit(code, 99);
	const run = await links.trigger(parametersOf(trigger)).activated();
	const alerts: unknown[] = [];
	while (alerts.length < 3) {
		await links.visit(code);
		const { json } = await execute(workflow, trigger, await run.poll());
		alerts.push(json('Alert').map(({ text }) => text));
	}
	const alert = (scans: number) => [expect.stringContaining(`was scanned ${scans} times`)];
	expect(alerts).toEqual([[], alert(101), alert(102)]);
});

it('combines similar stories in one line with the names of their feeds', async () => {
	const world = await WatchedReader.start(engine, { variant: '2026' });
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
});

it('gives each article a QR code, and a link in its channel, also after a run that failed in the middle', async () => {
	const filed: unknown[] = [];
	for (const failing of ['', '/url/add', '/qr/add']) {
		const links = await WatchedLinks.start(engine);
		engine.credentials.setAll(links.credentials());
		const { workflow } = readWorkflow('scheduled-links', 'key');
		const run = async () => await engine.run({ workflow, startNode: 'Run by Hand' });
		let created = 0;
		links.host.respond = ({ path }) =>
			path.endsWith(failing || 'none') && ++created === 20 ? { status: 400, body: { error: 1 } } : undefined;
		if (failing) expect((await run()).error?.message).toContain('[item 19]');
		links.host.reset();
		const { error, json } = await run();
		expect(error).toBeUndefined();
		const names = json('QR Code').map(({ name }) => name);
		expect(names).toEqual(json('Short Link').map(({ shortUrl }) => shortUrl));
		const items = await links.service.allEntries('/channel/1', 'items');
		filed.push(items.map(({ type }) => type));
	}
	expect(filed[0]).toContain('links');
	expect(filed).toEqual([filed[0], filed[0], filed[0]]);
});

it('returns the image of each QR code, PNG or SVG', async () => {
	const links = await WatchedLinks.start(engine);
	engine.credentials.setAll(links.credentials());
	const { workflow } = readWorkflow('qr-codes-as-files', 'key');
	const image = workflow.nodes.find(({ name }) => name === 'Image')!;
	for (const [format, type] of [
		['png', 'image/png'],
		['svg', 'image/svg+xml'],
	] as const) {
		Object.assign(image.parameters!, { imageFormat: format });
		links.host.respond = ({ path }) =>
			path.includes('/download') ? { headers: { 'content-type': type }, body: 'image' } : undefined;
		const { items } = await engine.run({ workflow, startNode: 'Run by Hand' });
		const files = items('Name File').map(({ json, binary }) => [json.fileName, binary?.image?.mimeType]);
		expect(files).toEqual([1, 2, 3, 4, 5].map((n) => [`table-${n}-${n}.${format}`, type]));
	}
});

it('names files after numbers, without characters of paths, and no two alike', async () => {
	const links = await WatchedLinks.start(engine);
	engine.credentials.setAll(links.credentials());
	const { workflow } = readWorkflow('qr-codes-as-files', 'key');
	const { parameters } = workflow.nodes.find(({ name }) => name === 'Tables')!;
	links.host.respond = ({ path }) =>
		path.includes('/download') ? { headers: { 'content-type': 'image/png' }, body: 'image' } : undefined;
	const names = [5, '../A/B 1', 'C++', 'C#', undefined];
	const tables = names.map((name) => ({ name, url: 'https://example.com/' }));
	Object.assign(parameters!, { jsonOutput: JSON.stringify({ tables }) });
	const run = async () => {
		const { json } = await engine.run({ workflow, startNode: 'Run by Hand' });
		return json('Name File').map(({ fileName }) => fileName);
	};
	const expected = ['5-1.png', '-a-b-1-2.png', 'c--3.png', 'c--4.png', 'https-example-com--5.png'];
	expect(await run()).toEqual(expected);
	expect(await run()).toEqual(expected);
});

describe('a story without a web address', () => {
	let links: WatchedLinks;
	beforeEach(async () => {
		links = await WatchedLinks.start(engine);
		engine.credentials.setAll(links.credentials());
	});

	const useLinks = ({ nodes }: WorkflowJson) => {
		for (const { credentials } of nodes)
			if (credentials?.linkManagerApi) credentials.linkManagerApi.id = 'key';
	};

	it('does not keep other stories from the chat', async () => {
		const { workflow, trigger } = readWorkflow('new-story-to-chat', 'reader');
		useLinks(workflow);
		const stories = ['https://example.com/1', 'urn:uuid:2', null, 'https://example.com/4'];
		const items = stories.map((permalink, n) => ({
			permalink,
			title: `${n}`,
			feedTitle: 'A',
			eventId: `w${n}`,
		}));
		const { error, json } = await execute(workflow, trigger, items);
		expect(error).toBeUndefined();
		expect(json('Message').map(({ text }) => text)).toEqual([
			expect.stringContaining('*0* (A)\nhttp'),
			'*1* (A)\nurn:uuid:2',
			'*2* (A)\n',
			expect.stringContaining('*3* (A)\nhttp'),
		]);
	});

	it('does not keep others from being shared, and only shared stories are saved', async () => {
		const world = await WatchedReader.start(engine, { variant: '2026' });
		engine.credentials.setAll(world.credentials());
		const { workflow } = readWorkflow('feed-to-share', 'reader');
		useLinks(workflow);
		const stories: IDataObject[] = [];
		for (const permalink of ['urn:uuid:1', 'https://example.com/2']) {
			await world.publish('bitwright', permalink);
			const { story_hash: hash, id, story_feed_id: feedId } = await world.newest('Bitwright');
			stories.push({ hash, id, feedId, permalink, title: permalink, tags: ['testing'] });
		}
		const { id: guid, feedId } = stories[1]!;
		await world.publish('night-sky', { title: 'The same', guid });
		const { story_hash: hash, id, story_feed_id } = await world.newest('Night Sky Almanac');
		stories.unshift({ ...stories[1], hash, id, feedId: story_feed_id });
		await world.reader.post('/social/share_story', { feed_id: Number(feedId), story_id: String(guid) });
		workflow.pinData = { 'Unread Stories': stories.map((json) => ({ json })) };
		const { error, json } = await engine.run({ workflow, startNode: 'Run by Hand' });
		expect(error).toBeUndefined();
		for (const node of ['Save', 'Mark as Read'])
			expect(json(node).map((story) => story.hash)).toEqual([stories[2]!.hash]);
	});
});

it('marks nothing as read while the number of days is missing or negative', async () => {
	const world = await WatchedReader.start(engine);
	engine.credentials.setAll(world.credentials());
	const marked: number[] = [];
	for (const days of [0, -3, 1]) {
		const { workflow } = readWorkflow('read-later-clean-up', 'reader');
		const settings = workflow.nodes.find(({ name }) => name === 'Settings')!;
		const assignments = [{ id: '1', name: 'days', type: 'number', value: days }];
		Object.assign(settings.parameters!, { assignments: { assignments } });
		const { error, json } = await engine.run({ workflow, startNode: 'Run by Hand' });
		expect(error).toBeUndefined();
		marked.push(json('Mark as Read').length);
	}
	expect(marked).toEqual([0, 0, expect.any(Number)]);
	expect(marked[2]).toBeGreaterThan(0);
});

it('gives the QR code of an entry the new URL of that entry, and keeps its colours', async () => {
	const links = await WatchedLinks.start(engine);
	engine.credentials.setAll(links.credentials());
	const { workflow } = readWorkflow('qr-codes-as-files', 'key');
	const { parameters } = workflow.nodes.find(({ name }) => name === 'Tables')!;
	const leadsTo: Array<string | null> = [];
	for (const url of ['https://example.com/', 'https://example.org/']) {
		Object.assign(parameters!, { jsonOutput: JSON.stringify({ tables: [{ name: 'Table 1', url }] }) });
		const { json } = await engine.run({ workflow, startNode: 'Run by Hand' });
		const visit = await fetch(String(json('Name File')[0]?.link), { redirect: 'manual' });
		leadsTo.push(visit.headers.get('location'));
	}
	expect(leadsTo).toEqual(['https://example.com/', 'https://example.org/']);
	const updates = links.host.requests.filter(({ path }) => path.endsWith('/update'));
	expect(updates.map(({ body }) => body)).toEqual([expect.not.stringContaining('ground')]);
});

it('keeps the tags and highlights of a story that was saved before', async () => {
	const world = await WatchedReader.start(engine);
	engine.credentials.setAll(world.credentials());
	const { workflow, trigger } = readWorkflow('new-story-trigger', 'reader');
	const run = await world.trigger(parametersOf(trigger)).activated();
	await world.publish('bitwright', 'Weather ships');
	const { story_hash } = await world.newest('Bitwright');
	const saved = { story_hash: String(story_hash), user_tags: ['mine'], highlights: ['ships'] };
	await world.reader.post('/reader/mark_story_hash_as_starred', saved);
	await execute(workflow, trigger, await run.poll());
	const [story] = (await world.reader.get('/reader/starred_stories')).body.stories;
	expect(story).toMatchObject({
		story_hash,
		user_tags: expect.arrayContaining(['mine', 'weather']),
		highlights: ['ships'],
	});
});

it('unsubscribes from a feed in all its folders', async () => {
	const world = await WatchedReader.start(engine);
	engine.credentials.setAll(world.credentials());
	const { workflow } = readWorkflow('feeds-that-broke', 'reader');
	const feed_id = await world.reader.feedId('Slow Kitchen Notes');
	const { feeds } = await world.reader.read('/reader/feeds');
	const { feed_address: url } = feeds[feed_id]!;
	await world.reader.post('/reader/rename_feed', { feed_id, feed_title: ' Big $$ and $&' });
	await world.reader.post('/reader/add_folder', { folder: 'Second' });
	for (const folder of ['Second', '']) await world.reader.post('/reader/add_url', { url, folder });
	await world.anonymous.control('/sandbox/feeds/slow-kitchen/break');
	world.reader.clock.advance(3_600_000);
	await world.anonymous.control(controls.fetch);
	const { error, json } = await engine.run({ workflow, startNode: 'Form', input: [{}], mode: 'trigger' });
	expect(error).toBeUndefined();
	expect(json('Unsubscribe')).toHaveLength(3);
	expect((await world.reader.read('/reader/feeds')).feeds).not.toHaveProperty(String(feed_id));
});

it('asks for nothing in the form if there are no feeds', async () => {
	const world = await WatchedReader.start(engine);
	engine.credentials.setAll(world.credentials());
	const { flat_folders } = await world.reader.read('/reader/feeds?flat=true');
	for (const [folder, ids] of Object.entries(flat_folders as Record<string, number[]>)) {
		const in_folder = folder.trim().split(' - ').at(-1)!;
		for (const feed_id of ids) await world.reader.post('/reader/delete_feed', { feed_id, in_folder });
	}
	const { workflow } = readWorkflow('feeds-that-broke', 'reader');
	const { error, json } = await engine.run({ workflow, startNode: 'Form', input: [{}], mode: 'trigger' });
	expect(error).toBeUndefined();
	expect([json('Feeds'), json('Broken')]).toEqual([[{}], [{}]]);
});

it('says in the chat that an invented feed is an example', async () => {
	const { workflow, trigger } = readWorkflow('feeds-that-broke', 'reader');
	const feed = { feedTitle: 'Bitwright', feedId: 7, exceptionCode: 404 };
	const texts: unknown[] = [];
	for (const changes of [{ example: false }, { example: true }, { feedTitle: null, example: false }]) {
		const { json } = await execute(workflow, trigger, [{ ...feed, ...changes, eventId: 'an id' }]);
		texts.push(json('Message')[0]?.text);
	}
	const text = '*Bitwright* is broken (status 404)';
	expect(texts).toEqual([text, `Only an example: ${text}`, '*Feed 7* is broken (status 404)']);
});

it('shows titles with characters that n8n’s HTML node or a browser would interpret, and no title', async () => {
	const { workflow } = readWorkflow('weekly-digest', 'reader');
	const page = workflow.nodes.find(({ name }) => name === 'Page')!;
	const start: NodeJson = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
	const value = `=${String((page.parameters as { html: string }).html)}`;
	const fields = { assignments: { assignments: [{ id: '1', name: 'html', type: 'string', value }] } };
	const story = { hash: '1:abcdef', title: '$$ & <b>', feedTitle: 'A & <b>', content: '$&', permalink: null };
	const { json } = await engine.run({
		workflow: chain(start, { name: 'Page', type: 'n8n-nodes-base.set', parameters: fields }),
		input: [{ stories: [story, { hash: '1:fedcba', title: null }] }],
		mode: 'trigger',
	});
	const html = String(json('Page')[0]?.html);
	expect(html).toContain('&#36;&#36; &amp; &lt;b>');
	expect(html).toContain('<small>A &amp; &lt;b></small>');
	expect(html).not.toContain('…');
	expect(html).not.toContain('$');
});
