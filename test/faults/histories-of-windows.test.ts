/**
 * Histories in which another client uses the link service's window up once and goes away: New QR Scan emits every scan
 * once, and is never silent for half an hour. `npm run test:faults` plays 84 of them, of other seeds each time.
 */
import fc from 'fast-check';
import type { Engine } from '../../engine/index.ts';
import { draws } from '../support/cases/random';
import { startEngine } from '../support/nodes/link-node';
import { listenToLogs } from '../support/nodes/logs';
import { eachScan, scans, WatchedLinks } from '../support/triggers/trigger-links';
import { holdTime, idsOf, releaseTime, time } from '../support/triggers/trigger-run';

const HISTORIES = 7;
const MINUTE = 60_000;
/** A poll that emits nothing for longer than this fails, and says so in the log. */
const SILENCE = 30 * MINUTE;
/** Without new scans, all that is left is emitted in this time. */
const ENOUGH = 12 * 60 * MINUTE;

listenToLogs();
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
	/** The polls before the other client comes. */
	before: fc.nat(15),
	/** The number of poll requests before it. */
	at: fc.integer({ min: 1, max: 3 }),
	/** How many minutes lie between two polls. */
	every: fc.constantFrom(1, 1, 2),
	/** The codes that are scanned before each poll after that. */
	visits: fc.array(fc.array(fc.nat(4), { maxLength: 3 }), { minLength: 20, maxLength: 40 }),
});
/** One that once was silent for good: the window held two requests of this process when the other client used it up. */
const onceSilent: History = {
	limit: { count: 30, seconds: 60 },
	codes: 4,
	maximum: 3,
	before: 5,
	at: 2,
	every: 1,
	visits: Array.from({ length: 20 }, (_, n) => [n, n + 1]),
};
type History = typeof history extends fc.Arbitrary<infer One> ? One : never;

/** The scans that were emitted and those that happened, and the longest time in which some were not emitted though no poll failed. */
async function play({ limit, codes: count, maximum, before, at, every, visits }: History) {
	// The Date header is of the real time, so the reset is reported as seconds left.
	const world = await WatchedLinks.start(engine, { rateLimit: limit, wild: ['reset-seconds-left'] });
	try {
		const codes: Array<{ id: number; code: string }> = [];
		for (let n = 0; n < count; n += 1) codes.push(await world.newCode());
		time.pass(limit.seconds * 1000 + MINUTE);
		const run = world.trigger({ ...eachScan, options: { maximum } }, 'cursors');
		await run.activate();

		const happened: string[] = [];
		const emitted: string[] = [];
		let longest = 0;
		let since = time.uptime;
		const visit = async (which: number): Promise<void> => {
			const { id, code } = codes[which % count]!;
			await world.visit(code);
			happened.push(...scans(id, happened.filter((scan) => scan.startsWith(`qr:${id}:`)).length + 1));
		};
		const poll = async (): Promise<void> => {
			time.pass((every - 1) * MINUTE);
			const items = await run.poll().catch(() => undefined);
			emitted.push(...idsOf(items ?? []));
			if (!items || items.length > 0 || emitted.length === happened.length) since = time.uptime;
			longest = Math.max(longest, time.uptime - since);
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
			for (const one of which) await visit(one);
			await poll();
		}
		const end = time.uptime + ENOUGH;
		while (emitted.length < happened.length && time.uptime < end) await poll();
		return { happened: happened.sort(), emitted: emitted.sort(), longest };
	} finally {
		await world.stop();
	}
}

it('in which another client uses the window up once', async () => {
	await fc.assert(
		fc.asyncProperty(history, async (drawn) => {
			const { happened, emitted, longest } = await play(drawn);
			expect(emitted).toEqual(happened);
			expect(longest).toBeLessThanOrEqual(SILENCE + 5 * MINUTE);
		}),
		{ ...draws(HISTORIES), examples: [[onceSilent]], endOnFailure: true },
	);
});
