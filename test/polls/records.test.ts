/** Tests that all items of an event of the News Reader Trigger have the same members, and dates with a time zone. */
import { events } from '../../nodes/NewsReader/triggers';
import type { Engine } from '../../engine/index.ts';
import { readerEvents } from '../support/cases/event-scenarios';
import { datesIn } from '../support/cases/declared';
import { variants } from '../support/cases/endpoint';
import { startEngine } from '../support/nodes/node';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime, releaseTime, type Json } from '../support/triggers/trigger-run';

let engine: Engine;

beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(holdTime);
afterEach(releaseTime);

/** Makes an event occur twice. @returns all emitted items */
async function emittedItems(
	event: string,
	variant: 'contract' | 'wild',
	parameters: object = {},
): Promise<Json[]> {
	const world = await WatchedReader.start(engine, { variant });
	const { parameters: own, before, first, between, second } = readerEvents[event]!;
	try {
		const run = world.trigger({ event, ...own, ...parameters });
		await before?.(world);
		await run.activate();
		await first(world);
		const items = await run.pollUntilEmpty();
		await between?.(world);
		items.push(...(await run.pollUntilEmpty()));
		await second(world);
		return [...items, ...(await run.pollUntilEmpty())];
	} finally {
		await world.stop();
	}
}

describe.each(variants)('%s', (variant) => {
	it.each(Object.keys(events))('%s emits items of one shape', async (event) => {
		const items = await emittedItems(event, variant);
		expect(items.length).toBeGreaterThan(1);
		const { members } = events[event as keyof typeof events].output!({})!;
		const shape = [...Object.keys(members), 'eventId'].sort();
		expect(items.map((item) => Object.keys(item).sort())).toEqual(items.map(() => shape));
		expect(datesIn(items, event).malformed).toEqual([]);
	});
});

it('emits the service’s own records with Simplify off', async () => {
	const [story] = await emittedItems('newUnreadStory', 'contract', { simplify: false });
	expect(story).toHaveProperty('story_hash');
	expect(story).not.toHaveProperty('hash');
});
