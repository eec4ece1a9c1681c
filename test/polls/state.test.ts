/** Tests the state of triggers: first polls, restarts, overlapping polls, renamed nodes, changed settings, corrupt state. */

import { eachScan, scanIds, WatchedLinks } from '../support/triggers/trigger-links';
import { holdTime, eventIdsOf, time, type StateStorage } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

const MINUTE = 60_000;

let links: WatchedLinks;
beforeEach(async () => {
	holdTime();
	links = await WatchedLinks.start(engine);
});

describe('the first poll', () => {
	it.each([
		['nothing', {}, []],
		['everything', { firstPoll: 'everything' }, [1, 2, 3, 4]],
		['last', { firstPoll: 'last', firstCount: 2 }, [3, 4]],
	])('emits %s', async (_, parameters, expected) => {
		const codes: Array<{ id: number }> = [];
		for (let n = 0; n < 4; n += 1) codes.push(await links.createCode());
		const run = links.trigger({ event: 'newQrCode', ...parameters });
		expect(eventIdsOf(await run.activate())).toEqual(expected.map((n) => `qrCode:${codes[n - 1]!.id}`));
		expect(await run.poll()).toEqual([]);
	});

	it('emits ten entries if How Many is blank', async () => {
		for (let n = 0; n < 12; n += 1) await links.createCode();
		const run = links.trigger({ event: 'newQrCode', firstPoll: 'last', firstCount: '={{ null }}' });
		expect(await run.activate()).toHaveLength(10);
	});

	it('works in an empty account', async () => {
		const run = links.trigger(eachScan);
		expect(await run.activate()).toEqual([]);
		expect(await run.poll()).toEqual([]);
		const { id, code } = await links.createCode();
		await links.visit(code);
		expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 1));
	});
});

it.each<StateStorage>(['legacy', 'durable', 'cursors'])('works with n8n’s scheduler: %s', async (storage) => {
	const { id, code } = await links.createCode();
	await links.visit(code, 2);
	const run = links.trigger(eachScan, storage);
	expect(await run.activate()).toEqual([]);
	expect(await run.poll()).toEqual([]);
	await links.visit(code);
	expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 3));
	expect(await run.poll()).toEqual([]);
	await links.visit(code);
	run.restart(11 * MINUTE);
	expect(eventIdsOf(await run.activate())).toEqual(scanIds(id, 4));
	expect(await run.poll()).toEqual([]);
});

it('knows the first poll after a changed event, which durable cursors do not save', async () => {
	const { code } = await links.createCode();
	const scans = await links
		.trigger({ ...eachScan, whichQrCodes: 'name', nameContains: 'none' }, 'cursors')
		.activated();
	for (let polls = 0; polls < 3; polls += 1) {
		await links.visit(code);
		expect(await scans.poll()).toEqual([]);
	}
	const run = scans.withParameters({ event: 'newShortLink' });
	expect(await run.activate()).toEqual([]);
	const { id } = await links.createLink();
	expect(eventIdsOf(await run.poll())).toEqual([`shortLink:${id}`]);
});

it('emits at most the maximum, and the rest in later polls', async () => {
	const { id, code } = await links.createCode();
	const run = await links.trigger({ ...eachScan, options: { maximum: 2 } }).activated();
	await links.visit(code, 5);
	expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 1, 2));
	expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 3, 4));
	const [last] = await run.poll();
	expect(last).toMatchObject({
		eventId: scanIds(id, 5)[0],
		changes: { countries: expect.anything() as object },
	});
	expect(await run.poll()).toEqual([]);
});

describe('a restart of n8n', () => {
	it('emits the items of the last poll once again with the same ids, then continues', async () => {
		const { id, code } = await links.createCode();
		const run = await links.trigger(eachScan).activated();
		await links.visit(code);
		await run.poll();
		await links.visit(code, 2);
		const lost = await run.poll();
		run.restart();
		await links.visit(code);
		expect(await run.activate()).toEqual(lost);
		expect(eventIdsOf(lost)).toEqual(scanIds(id, 2, 3));
		expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 4));
		expect(await run.poll()).toEqual([]);
	});

	it.each([
		['scan', 'code'],
		['code', 'scan'],
	])('keeps the ids of items that were one for each %s, if now each %s has one', async (before, after) => {
		const { code } = await links.createCode();
		const first = await links.trigger({ ...eachScan, scanItems: before }).activated();
		await links.visit(code, 2);
		const lost = await first.poll();
		const run = first.withParameters({ scanItems: after });
		run.restart();
		expect(eventIdsOf(await run.activate())).toEqual(eventIdsOf(lost));
		expect(await run.poll()).toEqual([]);
	});

	it('emits no items again after ten minutes, or if that is turned off', async () => {
		const { code } = await links.createCode();
		const late = links.trigger(eachScan);
		const never = links.trigger({ ...eachScan, options: { repeatMinutes: 0 } });
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

	it('is not assumed if another main process continues polling', async () => {
		const { id, code } = await links.createCode();
		const run = await links.trigger(eachScan).activated();
		await links.visit(code);
		expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 1));
		run.handToAnotherMain();
		expect(await run.poll()).toEqual([]);
		await links.visit(code);
		expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 2));
	});

	it('is assumed if another main process becomes the leader', async () => {
		const { id, code } = await links.createCode();
		const run = await links.trigger(eachScan).activated();
		await links.visit(code);
		expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 1));
		run.handToAnotherMain('leadershipChange');
		expect(eventIdsOf(await run.activate())).toEqual(scanIds(id, 1));
		expect(await run.poll()).toEqual([]);
	});

	it('emits the items of a poll again whose state was not saved', async () => {
		const { id, code } = await links.createCode();
		const run = await links.trigger(eachScan).activated();
		await links.visit(code);
		expect(eventIdsOf(await run.pollUnsaved())).toEqual(scanIds(id, 1));
		run.restart();
		expect(eventIdsOf(await run.activate())).toEqual(scanIds(id, 1));
		expect(await run.poll()).toEqual([]);
	});

	it('emits scans again even if the service does not respond', async () => {
		const { id, code } = await links.createCode();
		const run = await links.trigger(eachScan).activated();
		await links.visit(code);
		await run.poll();
		run.restart();
		links.host.respond = () => 'drop';
		expect(eventIdsOf(await run.activate())).toEqual(scanIds(id, 1));
	});
});

it('emits each scan once if two polls overlap', async () => {
	const { id, code } = await links.createCode();
	const run = await links.trigger(eachScan).activated();
	await links.visit(code);
	const both = await Promise.all([run.poll(), run.poll()]);
	expect(eventIdsOf(both.flat())).toEqual(scanIds(id, 1));
});

it('keeps the states of two nodes separate', async () => {
	const { id, code } = await links.createCode();
	const first = links.trigger(eachScan);
	const second = links.trigger(eachScan);
	await first.activate();
	await links.visit(code);
	await second.activate();
	await links.visit(code);
	expect(eventIdsOf(await first.poll())).toEqual(scanIds(id, 1, 2));
	expect(eventIdsOf(await second.poll())).toEqual(scanIds(id, 2));
});

it.each([
	['nothing', []],
	['everything', [1, 2, 3]],
])('is a new trigger after the node is renamed: %s of what exists is emitted', async (firstPoll, emitted) => {
	const { id, code } = await links.createCode();
	await links.visit(code, 3);
	const run = await links.trigger({ ...eachScan, firstPoll }).activated();
	const renamed = run.withName(`Another Name, ${firstPoll}`);
	expect(eventIdsOf(await renamed.activate())).toEqual(scanIds(id, ...emitted));
	await links.visit(code);
	expect(eventIdsOf(await renamed.poll())).toEqual(scanIds(id, 4));
});

it('continues from an older state that was imported, and emits again what came after it', async () => {
	const { id, code } = await links.createCode();
	const run = await links.trigger(eachScan).activated();
	await links.visit(code);
	await run.poll();
	const { inDatabase: exported } = run;
	await links.visit(code);
	expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 2));
	expect(await run.poll()).toEqual([]);
	run.inDatabase = exported;
	await links.visit(code);
	expect(eventIdsOf(await run.activate())).toEqual(scanIds(id, 2, 3));
});

it('starts over after a change of event or account, without emitting existing entries', async () => {
	const { id, code } = await links.createCode();
	await links.visit(code, 9);
	const run = links.trigger({ ...eachScan, firstPoll: 'everything' });
	expect(await run.activate()).toHaveLength(9);
	const other = run.withParameters({ event: 'newQrCode' });
	expect(await other.activate()).toEqual([]);
	const added = await links.createCode();
	expect(eventIdsOf(await other.poll())).toEqual([`qrCode:${added.id}`]);
	const otherAccount = run.withCredentials(links.credentials('sandbox-second-key'));
	expect(await otherAccount.activate()).toEqual([]);
	const firstAccount = otherAccount.withCredentials(links.credentials());
	expect(await firstAccount.activate()).toEqual([]);
	await links.visit(code);
	expect(eventIdsOf(await firstAccount.poll())).toEqual(scanIds(id, 10));
});

it('reads one account in a poll, though somebody changes the credential meanwhile', async () => {
	const run = await links.trigger({ event: 'newQrCode' }).activated();
	const added: number[] = [];
	for (let n = 0; n < 110; n += 1) added.push((await links.createCode()).id);
	links.host.respond = () => {
		engine.credentials.setAll(links.credentials('sandbox-second-key'));
		return undefined;
	};
	// The oldest of them are on the second page.
	expect(eventIdsOf(await run.poll())).toEqual(added.slice(0, 50).map((id) => `qrCode:${id}`));
});

it('continues after a change of an option that does not affect what is watched', async () => {
	const { id, code } = await links.createCode();
	const run = await links.trigger(eachScan).activated();
	await links.visit(code);
	const changed = run.withParameters({ options: { maximum: 7 } });
	expect(eventIdsOf(await changed.activate())).toEqual(scanIds(id, 1));
});

it.each([
	['a string', 'rubbish'],
	['null', null],
	['the cursor of another event', { version: 1, key: 'x', cursor: { entries: 12 } }],
	[
		'a truncated cursor',
		{
			version: 1,
			key: 'x',
			cursor: { entries: '1:2', page: 1, isFirstPass: false, highWaterMark: 0, statistics: [] },
		},
	],
	['a later version', { version: 2, key: 'x', cursor: {} }],
])('replaces an invalid state without emitting existing entries: %s', async (_, state) => {
	const { id, code } = await links.createCode();
	await links.visit(code, 5);
	const run = links.trigger({ ...eachScan, firstPoll: 'everything' });
	run.inDatabase = { state };
	expect(await run.activate()).toEqual([]);
	await links.visit(code);
	expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 6));
});

it.each([
	['is published again', false],
	['is published during a poll, whose items n8n discards', true],
])('remembers polls without items when the workflow %s', async (_, isDuringPoll) => {
	const [first, second] = [await links.createCode(), await links.createCode()];
	const run = links.trigger({ ...eachScan, whichQrCodes: 'chosen', qrCodeIds: [first.id] });
	expect(await run.activate()).toEqual([]);
	await links.visit(second.code, 3);
	expect([...(await run.poll()), ...(await run.poll())]).toEqual([]);
	if (isDuringPoll) {
		await links.visit(first.code);
		expect(await run.pollUnsaved()).toHaveLength(1);
	}
	const other = run.withParameters({ qrCodeIds: [second.id] });
	expect(await other.activate()).toEqual([]);
	await links.visit(first.code, 3);
	expect([...(await other.poll()), ...(await other.poll())]).toEqual([]);
	const all = other.withParameters({ whichQrCodes: 'all' });
	expect(await all.activate()).toEqual([]);
	await links.visit(second.code);
	expect(eventIdsOf(await all.poll())).toEqual(scanIds(second.id, 4));
});

it('remembers polls without items when the workflow is published for the third time', async () => {
	const { code } = await links.createCode();
	const first = await links.trigger({ ...eachScan, whichQrCodes: 'name', nameContains: 'none' }).activated();
	await first.poll();
	await links.visit(code);
	const second = first.withParameters({});
	for (const next of [
		() => second.activate(),
		() => second.poll(),
		() => second.poll(),
		() => second.poll(),
	]) {
		expect(await next()).toEqual([]);
		await links.visit(code);
	}
	expect(await second.poll()).toEqual([]);
	expect(await second.withParameters({ whichQrCodes: 'all' }).activate()).toEqual([]);
});

it('emits the events that occurred while the workflow was deactivated', async () => {
	const { id, code } = await links.createCode();
	const run = await links.trigger(eachScan).activated();
	await links.visit(code);
	expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 1));
	time.advance(24 * 60 * MINUTE);
	await links.visit(code, 2);
	expect(eventIdsOf(await run.activate())).toEqual(scanIds(id, 2, 3));
	expect(await run.poll()).toEqual([]);
});
