/**
 * Tests that triggers continue from the state that an earlier version saved. `states.json` contains, for every event, the
 * state after its first occurrence, and the ids of the following items. If this fails, see `frozen.ts`.
 */
import crypto from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { holdTime, eventIdsOf, time, type TriggerRun } from '../support/triggers/trigger-run';
import { eventNames, World, type Entry } from '../support/triggers/worlds';
import { readFrozen, writeFrozen, isFreezing, newEntryMessage } from './frozen';
import nock from 'nock';
import { engine } from '../support/nodes/suite-engine';

const FILE = 'states.json';

interface FrozenState {
	saved: IDataObject;
	/** The ids of the items that are emitted again when n8n starts. */
	repeated: string[];
	/** The ids of the items of the second occurrence. */
	next: string[];
}

/** A unique address for each event. It must be constant, because the state depends on it. */
const addressOf = (event: string) => `http://${event.toLowerCase()}.example`;

const MINUTE = 60_000;
beforeEach(() => {
	holdTime();
	time.now = Date.UTC(2026, 8, 1, 12);
	// The random codes of short links are part of the state.
	let next = 0;
	jest.spyOn(crypto, 'randomInt').mockImplementation((max: number) => next++ % max);
});
afterEach(() => {
	jest.restoreAllMocks();
});

/** The ids that two polls emit. The second one gets what the service allows to request only once a minute. */
const pollTwice = async (run: TriggerRun): Promise<string[]> =>
	eventIdsOf([...(await run.poll()), ...(await run.poll())]);

/** The frozen state of each event. */
const states = (): Record<string, FrozenState> => readFrozen(FILE);

/** The state after the first occurrence: the frozen one, or the current one while freezing. */
async function stateOf(run: TriggerRun, event: string, first: () => Promise<unknown>): Promise<IDataObject> {
	const frozenState = states()[event];
	if (frozenState) {
		await first();
		return frozenState.saved;
	}
	if (!isFreezing) throw new Error(newEntryMessage(event));
	await run.activate();
	await first();
	await pollTwice(run);
	return run.inDatabase;
}

/** Compares what a trigger with the saved state emits when n8n starts, and after the second occurrence. */
it.each(eventNames)('%s', async (event) => {
	const world = await World.start(engine, event);
	const address = addressOf(event);
	const run = world.triggerAt(address);
	const forwarding = serveAt(address, world.host.baseUrl);
	try {
		const before = await world.add();
		if (world.isState) await before?.remove?.();
		let entry: Entry | undefined;
		run.inDatabase = await stateOf(run, event, async () => (entry = await world.add()));
		const saved = run.inDatabase;
		time.advance(3 * MINUTE);
		run.restart();
		const repeated = eventIdsOf(await run.activate());
		if (world.isState) await entry?.remove?.();
		expect(await pollTwice(run)).toEqual([]);
		await world.add();
		const next = await pollTwice(run);
		expect(await run.poll()).toEqual([]);
		if (isFreezing) writeFrozen(FILE, { [event]: { saved, repeated, next }, ...states() }, 4);
		expect({ repeated, next }).toEqual({ ...states()[event], saved: undefined });
	} finally {
		forwarding.stop();
	}
});

it('has states only for existing events', () => {
	const unknown = Object.keys(states()).filter((event) => !eventNames.includes(event));
	expect(unknown.map((event) => `${event} is saved in workflows: keep it`)).toEqual([]);
});

/** Forwards requests for a fixed address to the service at `url`, so that every run uses the same address. */
function serveAt(address: string, url: string): { stop(): void } {
	const scope = nock(address).persist();
	for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
		scope.intercept(/.*/, method).reply(async (request: Request) => {
			const { pathname, search } = new URL(request.url);
			const body = await request.arrayBuffer();
			const response = await fetch(`${url}${pathname}${search}`, {
				method: request.method,
				headers: request.headers,
				redirect: 'manual',
				...(body.byteLength > 0 && { body }),
			});
			return [response.status, await response.text(), Object.fromEntries(response.headers)];
		});
	}
	return { stop: () => nock.cleanAll() };
}
