/**
 * Triggers go on from what version 0.1 left in n8n's database. `0.1/states.json` was made with that version in the
 * accounts of `events.ts`: for every event its state after the first time, and which items it told from there on.
 */
import crypto from 'node:crypto';
import type { Engine } from '../../engine/index.ts';
import { serveAt } from '../support/address';
import { startEngine } from '../support/node';
import { WatchedLinks } from '../support/trigger-links';
import { WatchedReader } from '../support/trigger-reader';
import { holdTime, idsOf, releaseTime, time, type TriggerRun } from '../support/trigger-run';
import { linkEvents, readerEvents, type Scenario } from './events';
import states from './0.1/states.json';

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

/** The ids of what two polls tell: what a service lets be asked only once a minute may come with the second. */
const polledTwice = async (run: TriggerRun): Promise<string[]> =>
	idsOf([...(await run.poll()), ...(await run.poll())]);

/** What a trigger tells that finds the state saved by version 0.1: at the start of n8n, and after a second event. */
async function goesOn<World extends WatchedLinks | WatchedReader>(
	world: World,
	event: string,
	{ parameters, before, first, between, second }: Scenario<World>,
): Promise<void> {
	const { saved, repeated, told } = states[event as keyof typeof states];
	const address = addressOf(event);
	const run: TriggerRun = world
		.trigger({ event, ...parameters })
		.withCredentials(JSON.parse(JSON.stringify(world.credentials()).replaceAll(world.gate.url, address)));
	const served = serveAt(address, world.gate.url);
	try {
		await before?.(world);
		await first(world);
		run.saved = saved;
		time.pass(3 * MINUTE);
		run.restart();
		expect(idsOf(await run.activate())).toEqual(repeated);
		await between?.(world);
		expect(await polledTwice(run)).toEqual([]);
		await second(world);
		expect(await polledTwice(run)).toEqual(told);
		expect(await run.poll()).toEqual([]);
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

it('has a state of every event', () => {
	const events = ['linkManagerTrigger', 'newsReaderTrigger'].flatMap((name) =>
		engine
			.nodeType(`n8n-nodes-newslink.${name}`)
			.description.properties.find((property) => property.name === 'event')!
			.options!.map((option) => Object(option).value as string),
	);
	expect(Object.keys(states).sort()).toEqual(events.sort());
});
