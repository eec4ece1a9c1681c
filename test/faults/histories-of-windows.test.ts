/**
 * Tests New QR Scan in random histories in which another client once uses up the rate limit window: the trigger emits
 * every scan once, and at least every half hour. `npm run test:faults` draws 84 new histories in each run.
 */
import fc from 'fast-check';
import type { Engine } from '../../engine/index.ts';
import { propertyOptions } from '../support/cases/random';
import { startEngine } from '../support/nodes/link-node';
import { captureLogs } from '../support/nodes/logs';
import { eachScan, scanIds, WatchedLinks } from '../support/triggers/trigger-links';
import { holdTime, eventIdsOf, releaseTime, time } from '../support/triggers/trigger-run';

const HISTORIES = 7;
const MINUTE = 60_000;
/** After this time without emitted items, a poll fails and logs the reason. */
const MAX_SILENCE = 30 * MINUTE;
/** The time within which all remaining scans are emitted, if no new ones occur. */
const CATCH_UP_TIME = 12 * 60 * MINUTE;

captureLogs();
let engine: Engine;

beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(holdTime);
afterEach(releaseTime);

const history = fc.record({
	limit: fc.record({ count: fc.constantFrom(10, 30, 60), seconds: fc.constantFrom(60, 60, 60, 900) }),
	codes: fc.integer({ min: 1, max: 5 }),
	maximum: fc.constantFrom(3, 10, 50),
	/** The number of polls before the other client appears. */
	before: fc.nat(15),
	/** The number of requests of the next poll before the other client appears. */
	at: fc.integer({ min: 1, max: 3 }),
	/** The minutes between two polls. */
	every: fc.constantFrom(1, 1, 2),
	/** The codes that are scanned before each later poll. */
	visits: fc.array(fc.array(fc.nat(4), { maxLength: 3 }), { minLength: 20, maxLength: 40 }),
});
/** A history that revealed a bug: the trigger stayed silent if the other client used up a window after two requests. */
const regression: History = {
	limit: { count: 30, seconds: 60 },
	codes: 4,
	maximum: 3,
	before: 5,
	at: 2,
	every: 1,
	visits: Array.from({ length: 20 }, (_, n) => [n, n + 1]),
};
type History = typeof history extends fc.Arbitrary<infer One> ? One : never;

/** @returns the scans that happened, those that were emitted, and the longest time with pending scans but without a failed poll */
async function play({ limit, codes: count, maximum, before, at, every, visits }: History) {
	// The Date header has the real time, so the service reports the reset as remaining seconds.
	const world = await WatchedLinks.start(engine, { rateLimit: limit, wild: ['reset-seconds-left'] });
	try {
		const codes: Array<{ id: number; code: string }> = [];
		for (let n = 0; n < count; n += 1) codes.push(await world.createCode());
		time.advance(limit.seconds * 1000 + MINUTE);
		const run = world.trigger({ ...eachScan, options: { maximum } }, 'cursors');
		await run.activate();

		const happened: string[] = [];
		const emitted: string[] = [];
		let longest = 0;
		let lastProgress = time.uptime;
		const visit = async (index: number): Promise<void> => {
			const { id, code } = codes[index % count]!;
			await world.visit(code);
			happened.push(...scanIds(id, happened.filter((scan) => scan.startsWith(`qr:${id}:`)).length + 1));
		};
		const poll = async (): Promise<void> => {
			time.advance((every - 1) * MINUTE);
			const items = await run.poll().catch(() => undefined);
			emitted.push(...eventIdsOf(items ?? []));
			if (!items || items.length > 0 || emitted.length === happened.length) lastProgress = time.uptime;
			longest = Math.max(longest, time.uptime - lastProgress);
		};

		for (let n = 0; n < before; n += 1) {
			await visit(n);
			await poll();
		}
		let requests = 0;
		world.host.respond = async () => {
			if (requests++ === at) while ((await world.service.call('GET', '/account')).status === 200);
			return undefined;
		};
		for (const which of visits) {
			for (const index of which) await visit(index);
			await poll();
		}
		const end = time.uptime + CATCH_UP_TIME;
		while (emitted.length < happened.length && time.uptime < end) await poll();
		return { happened: happened.sort(), emitted: emitted.sort(), longest };
	} finally {
		await world.stop();
	}
}

it('emits every scan once, without long silence', async () => {
	await fc.assert(
		fc.asyncProperty(history, async (drawn) => {
			const { happened, emitted, longest } = await play(drawn);
			expect(emitted).toEqual(happened);
			expect(longest).toBeLessThanOrEqual(MAX_SILENCE + 5 * MINUTE);
		}),
		{ ...propertyOptions(HISTORIES), examples: [[regression]], endOnFailure: true },
	);
});
