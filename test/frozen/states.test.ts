/**
 * Triggers go on from the state that an earlier version left in n8n's database. `states.json` holds for every event its
 * state after it happened once, and the ids of the items that follow. When this fails, see `frozen.ts`.
 */
import crypto from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Engine } from '../../engine/index.ts';
import { serveAt } from '../support/hosts/address';
import { missingFrom } from '../support/cases/endpoint';
import { linkEvents, readerEvents, type Scenario } from '../support/cases/event-scenarios';
import { startEngine } from '../support/nodes/node';
import { WatchedLinks } from '../support/triggers/trigger-links';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime, idsOf, releaseTime, time, type TriggerRun } from '../support/triggers/trigger-run';
import { freeze, frozen, isFreezing, isNew } from './frozen';

const FILE = 'states.json';

interface Kept {
	saved: IDataObject;
	/** What is emitted again when n8n starts. */
	repeated: string[];
	/** What is emitted of the second time. */
	next: string[];
}

/** A state is kept for the address of its service; each event has one of its own. */
const addressOf = (event: string) => `http://${event.toLowerCase()}.example`;

const MINUTE = 60_000;
let engine: Engine;

beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(() => {
	holdTime();
	time.now = Date.UTC(2026, 8, 1, 12);
	// Codes are a part of what a state knows its records by.
	let next = 0;
	jest.spyOn(crypto, 'randomInt').mockImplementation((max: number) => next++ % max);
});
afterEach(() => {
	jest.restoreAllMocks();
	releaseTime();
});

/** The ids of what two polls emit: what a service lets be asked only once a minute may come with the second. */
const polledTwice = async (run: TriggerRun): Promise<string[]> =>
	idsOf([...(await run.poll()), ...(await run.poll())]);

/** The frozen state of each event. */
const states = (): Record<string, Kept> => frozen(FILE);

/** The state after the first event: the frozen one, or the current one if the event is to be frozen. */
async function stateOf(run: TriggerRun, event: string, first: () => Promise<unknown>): Promise<IDataObject> {
	const known = states()[event];
	if (known) {
		await first();
		return known.saved;
	}
	if (!isFreezing) throw new Error(isNew(event));
	await run.activate();
	await first();
	await polledTwice(run);
	return run.inDatabase;
}

/** What a trigger emits that finds a saved state: at the start of n8n, and after a second event. */
async function goesOn<World extends WatchedLinks | WatchedReader>(
	world: World,
	event: string,
	{ parameters, before, first, between, second }: Scenario<World>,
): Promise<void> {
	const address = addressOf(event);
	const run: TriggerRun = world
		.trigger({ event, ...parameters })
		.withCredentials(JSON.parse(JSON.stringify(world.credentials()).replaceAll(world.host.baseUrl, address)));
	const served = serveAt(address, world.host.baseUrl);
	try {
		await before?.(world);
		const saved = await stateOf(run, event, async () => await first(world));
		run.inDatabase = saved;
		time.advance(3 * MINUTE);
		run.restart();
		const repeated = idsOf(await run.activate());
		await between?.(world);
		expect(await polledTwice(run)).toEqual([]);
		await second(world);
		const next = await polledTwice(run);
		expect(await run.poll()).toEqual([]);
		if (isFreezing) freeze(FILE, { [event]: { saved, repeated, next }, ...states() });
		expect({ repeated, next }).toEqual({ ...states()[event], saved: undefined });
	} finally {
		served.stop();
		await world.stop();
	}
}

it.each(Object.entries(linkEvents))('%s', async (event, scenario) => {
	await goesOn(await WatchedLinks.start(engine), event, scenario);
});

it.each(Object.entries(readerEvents))('%s', async (event, scenario) => {
	await goesOn(await WatchedReader.start(engine), event, scenario);
});

it('has a scenario of every event, and a state of no other', () => {
	const events = ['linkManagerTrigger', 'newsReaderTrigger'].flatMap((name) =>
		engine
			.nodeType(`n8n-nodes-newslink.${name}`)
			.description.properties.find((property) => property.name === 'event')!
			.options!.map((option) => Object(option).value as string),
	);
	expect([
		...missingFrom(
			Object.keys({ ...linkEvents, ...readerEvents }),
			events,
			'test/support/cases/event-scenarios.ts',
		),
		...Object.keys(states())
			.filter((event) => !events.includes(event))
			.map((event) => `${event} is saved in workflows: keep it`),
	]).toEqual([]);
});
