/** Each event is emitted once, with all declared members, in both variants of the sandbox. */
import { events as linkEvents } from '../../nodes/LinkManager/triggers';
import { events as readerEvents } from '../../nodes/NewsReader/triggers';
import { datesIn } from '../support/cases/declared';
import { variants } from '../../cases/endpoint.ts';
import { holdTime, type Json } from '../support/triggers/trigger-run';
import { eventNames, World } from '../support/triggers/worlds';
import { engine } from '../support/nodes/suite-engine';

const events = { ...linkEvents, ...readerEvents };

/** Instead of an item for each scan and each click. */
const perRecord: Record<string, object> = {
	newQrScan: { scanItems: 'code' },
	newShortLinkClick: { clickItems: 'link' },
};

beforeEach(holdTime);

/** Makes an event occur before the first poll, then twice. @returns the items of each occurrence */
async function itemsOf(world: World): Promise<Json[][]> {
	const { run } = world;
	let entry = await world.add();
	expect(await run.activate()).toEqual([]);
	expect(await run.poll()).toEqual([]);
	const items: Json[][] = [];
	for (let n = 0; n < 2; n += 1) {
		if (world.isState) await entry?.remove?.();
		expect(await run.pollUntilEmpty()).toEqual([]);
		entry = await world.add();
		items.push(await run.pollUntilEmpty());
	}
	return items;
}

describe.each(variants)('%s', (variant) => {
	it.each(eventNames)('%s', async (event) => {
		const world = await World.start(engine, event, { variant, parameters: perRecord[event] });
		const [first, second] = await itemsOf(world);
		const items = [...first!, ...second!];
		expect([first!.length, second!.length]).toEqual([1, 1]);
		expect(new Set(items.map(({ eventId }) => eventId)).size).toBe(2);
		const { members } = events[event as keyof typeof events].output!({})!;
		const declared = [...Object.keys(members), 'eventId'].sort();
		expect(items.map((item) => Object.keys(item).sort())).toEqual([declared, declared]);
		// Hosts report only the day on which an item was added to a channel.
		const dates = datesIn(items, event).malformed;
		expect(event === 'newChannelItem' ? [] : dates).toEqual([]);
	});
});
