/** What triggers promise in every situation of n8n: first polls, restarts, overlaps, renamed nodes, other settings, state. */
import type { IDataObject } from 'n8n-workflow';
import type { Engine } from '../../engine/index.ts';
import { startEngine } from '../support/nodes/link-node';
import { eachScan as each, scans, WatchedLinks } from '../support/triggers/trigger-links';
import { holdTime, idsOf, releaseTime, time, type StateStorage } from '../support/triggers/trigger-run';

const MINUTE = 60_000;

let engine: Engine;
let links: WatchedLinks;

beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(async () => {
	holdTime();
	links = await WatchedLinks.start(engine);
});
afterEach(async () => {
	releaseTime();
	await links.stop();
});

describe('the first poll', () => {
	it.each([
		['nothing', {}, []],
		['everything', { firstPoll: 'everything' }, [1, 2, 3, 4]],
		['last', { firstPoll: 'last', firstCount: 2 }, [3, 4]],
	])('emits %s', async (_, parameters, expected) => {
		const codes: Array<{ id: number }> = [];
		for (let n = 0; n < 4; n += 1) codes.push(await links.newCode());
		const run = links.trigger({ event: 'newQrCode', ...parameters });
		expect(idsOf(await run.activate())).toEqual(expected.map((n) => `qrCode:${codes[n - 1]!.id}`));
		expect(await run.poll()).toEqual([]);
	});

	it('emits ten by default', async () => {
		for (let n = 0; n < 12; n += 1) await links.newCode();
		const run = links.trigger({ event: 'newQrCode', firstPoll: 'last', firstCount: '={{ null }}' });
		expect(await run.activate()).toHaveLength(10);
	});

	it('works in an empty account', async () => {
		const run = links.trigger(each);
		expect(await run.activate()).toEqual([]);
		expect(await run.poll()).toEqual([]);
		const { id, code } = await links.newCode();
		await links.visit(code);
		expect(idsOf(await run.poll())).toEqual(scans(id, 1));
	});
});

it.each<StateStorage>(['legacy', 'durable', 'cursors'])('works with n8n’s scheduler: %s', async (storage) => {
	const { id, code } = await links.newCode();
	await links.visit(code, 2);
	const run = links.trigger(each, storage);
	expect(await run.activate()).toEqual([]);
	expect(await run.poll()).toEqual([]);
	await links.visit(code);
	expect(idsOf(await run.poll())).toEqual(scans(id, 3));
	expect(await run.poll()).toEqual([]);
	await links.visit(code);
	run.restart(11 * MINUTE);
	expect(idsOf(await run.activate())).toEqual(scans(id, 4));
	expect(await run.poll()).toEqual([]);
});

it('emits no more than the maximum, and the rest at the next poll', async () => {
	const { id, code } = await links.newCode();
	const run = links.trigger({ ...each, options: { maximum: 2 } });
	await run.activate();
	await links.visit(code, 5);
	expect(idsOf(await run.poll())).toEqual(scans(id, 1, 2));
	expect(idsOf(await run.poll())).toEqual(scans(id, 3, 4));
	const [last] = await run.poll();
	expect(last).toMatchObject({
		eventId: scans(id, 5)[0],
		changes: { countries: expect.anything() as object },
	});
	expect(await run.poll()).toEqual([]);
});

describe('a new start of n8n', () => {
	it('repeats the last hand-over with the same ids, once, and goes on', async () => {
		const { id, code } = await links.newCode();
		const run = links.trigger(each);
		await run.activate();
		await links.visit(code);
		await run.poll();
		await links.visit(code, 2);
		const lost = await run.poll();
		run.restart();
		await links.visit(code);
		expect(await run.activate()).toEqual(lost);
		expect(idsOf(lost)).toEqual(scans(id, 2, 3));
		expect(idsOf(await run.poll())).toEqual(scans(id, 4));
		expect(await run.poll()).toEqual([]);
	});

	it('repeats nothing once the time for it is over, or if it is set never to', async () => {
		const { code } = await links.newCode();
		const late = links.trigger(each);
		const never = links.trigger({ ...each, options: { repeatMinutes: 0 } });
		await late.activate();
		await never.activate();
		await links.visit(code);
		expect(await never.poll()).toHaveLength(1);
		never.restart();
		expect(await never.activate()).toEqual([]);
		expect(await late.poll()).toHaveLength(1);
		late.restart(11 * MINUTE);
		expect(await late.activate()).toEqual([]);
	});

	it('is not taken for another main process that goes on polling', async () => {
		const { id, code } = await links.newCode();
		const run = links.trigger(each);
		await run.activate();
		await links.visit(code);
		expect(idsOf(await run.poll())).toEqual(scans(id, 1));
		run.handToAnotherMain();
		expect(await run.poll()).toEqual([]);
		await links.visit(code);
		expect(idsOf(await run.poll())).toEqual(scans(id, 2));
	});

	it('counts as a restart if another main process takes over from one that is gone', async () => {
		const { id, code } = await links.newCode();
		const run = links.trigger(each);
		await run.activate();
		await links.visit(code);
		expect(idsOf(await run.poll())).toEqual(scans(id, 1));
		run.handToAnotherMain('leadershipChange');
		expect(idsOf(await run.activate())).toEqual(scans(id, 1));
		expect(await run.poll()).toEqual([]);
	});

	it('is noticed though the clock was set back', async () => {
		const { id, code } = await links.newCode();
		const run = links.trigger(each);
		await run.activate();
		await links.visit(code);
		expect(idsOf(await run.poll())).toEqual(scans(id, 1));
		time.advance(-60 * MINUTE);
		run.restart();
		expect(idsOf(await run.activate())).toEqual(scans(id, 1));
		expect(await run.poll()).toEqual([]);
	});

	it('after an execution that began though nothing was saved loses nothing', async () => {
		const { id, code } = await links.newCode();
		const run = links.trigger(each);
		await run.activate();
		await links.visit(code);
		expect(idsOf(await run.pollUnsaved())).toEqual(scans(id, 1));
		run.restart();
		expect(idsOf(await run.activate())).toEqual(scans(id, 1));
		expect(await run.poll()).toEqual([]);
	});

	it('repeats scans though the service is away', async () => {
		const { id, code } = await links.newCode();
		const run = links.trigger(each);
		await run.activate();
		await links.visit(code);
		await run.poll();
		run.restart();
		links.host.respond = () => 'drop';
		expect(idsOf(await run.activate())).toEqual(scans(id, 1));
	});
});

it('emits nothing twice if two polls overlap', async () => {
	const { id, code } = await links.newCode();
	const run = links.trigger(each);
	await run.activate();
	await links.visit(code);
	const both = await Promise.all([run.poll(), run.poll()]);
	expect(idsOf(both.flat())).toEqual(scans(id, 1));
});

it('keeps two nodes and two workflows apart', async () => {
	const { id, code } = await links.newCode();
	const one = links.trigger(each);
	const other = links.trigger(each);
	await one.activate();
	await links.visit(code);
	await other.activate();
	await links.visit(code);
	expect(idsOf(await one.poll())).toEqual(scans(id, 1, 2));
	expect(idsOf(await other.poll())).toEqual(scans(id, 2));
});

it('begins anew when the node is renamed, without a flood', async () => {
	const { id, code } = await links.newCode();
	await links.visit(code, 9);
	const run = links.trigger(each);
	await run.activate();
	const renamed = run.withName('Another Name');
	expect(await renamed.activate()).toEqual([]);
	await links.visit(code);
	expect(idsOf(await renamed.poll())).toEqual(scans(id, 10));
});

it('starts over for another event or account, and emits no flood with any First Poll', async () => {
	const { id, code } = await links.newCode();
	await links.visit(code, 9);
	const run = links.trigger({ ...each, firstPoll: 'everything' });
	expect(await run.activate()).toHaveLength(9);
	const other = run.withParameters({ event: 'newQrCode' });
	expect(await other.activate()).toEqual([]);
	const added = await links.newCode();
	expect(idsOf(await other.poll())).toEqual([`qrCode:${added.id}`]);
	const otherAccount = run.withCredentials(links.credentials('sandbox-second-key'));
	expect(await otherAccount.activate()).toEqual([]);
	const back = otherAccount.withCredentials(links.credentials());
	expect(await back.activate()).toEqual([]);
	await links.visit(code);
	expect(idsOf(await back.poll())).toEqual(scans(id, 10));
});

it('goes on when only the way of handing over changes', async () => {
	const { id, code } = await links.newCode();
	const run = links.trigger(each);
	await run.activate();
	await links.visit(code);
	const changed = run.withParameters({ options: { maximum: 7 } });
	expect(idsOf(await changed.activate())).toEqual(scans(id, 1));
});

it.each([
	['no object', 'rubbish'],
	['nothing where something was', null],
	['a cursor of another kind', { version: 1, key: 'x', cursor: { entries: 12 } }],
	[
		'a cursor that is cut off',
		{
			version: 1,
			key: 'x',
			cursor: { entries: '1:2', page: 1, isFirstPass: false, highWaterMark: 0, statistics: [] },
		},
	],
	['a later version', { version: 2, key: 'x', cursor: {} }],
])('rebuilds a state that can’t be read without a flood: %s', async (_, state) => {
	const { id, code } = await links.newCode();
	await links.visit(code, 5);
	const run = links.trigger({ ...each, firstPoll: 'everything' });
	run.inDatabase = { state };
	expect(await run.activate()).toEqual([]);
	await links.visit(code);
	expect(idsOf(await run.poll())).toEqual(scans(id, 6));
});

it.each([
	['are missing', () => ''],
	['are fewer', (entries: string) => entries.split(';').slice(1).join(';')],
])('notices a cursor that can be read but whose entries %s', async (_, change) => {
	for (const text of ['one', 'two']) await links.visit((await links.newCode(text)).code, 5);
	const run = links.trigger({ ...each, includeChanges: false });
	await run.activate();
	const state = run.inDatabase.state as { cursor: { entries: string } };
	const cursor = { ...state.cursor, entries: change(state.cursor.entries) };
	run.inDatabase = { state: { ...state, cursor } };
	expect(await run.withParameters({}).activate()).toEqual([]);
});

it('recognizes its state though a database returns its members in another order', async () => {
	const { id, code } = await links.newCode();
	const run = links.trigger({ ...each, includeChanges: false });
	await run.activate();
	const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());
	const state = run.inDatabase.state as { cursor: object };
	run.inDatabase = { state: reversed({ ...state, cursor: reversed(state.cursor) }) } as IDataObject;
	await links.visit(code);
	expect(idsOf(await run.withParameters({}).activate())).toEqual(scans(id, 1));
});

it('emits once the events that happened while the workflow was deactivated', async () => {
	const { id, code } = await links.newCode();
	const run = links.trigger(each);
	await run.activate();
	await links.visit(code);
	expect(idsOf(await run.poll())).toEqual(scans(id, 1));
	time.advance(24 * 60 * MINUTE);
	await links.visit(code, 2);
	expect(idsOf(await run.activate())).toEqual(scans(id, 2, 3));
	expect(await run.poll()).toEqual([]);
});
