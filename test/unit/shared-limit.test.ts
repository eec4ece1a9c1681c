/** Several processes that share the rate limit of an account, like n8n's workers, and know each other only by headers. */
import { clock } from '../../nodes/runtime/clock';
import { Throttle } from '../../nodes/runtime/transport/throttle';
import { runProcesses, type Limit, type Process } from '../support/hosts/shared-limit';
import { makeVirtual, type VirtualClock } from '../support/clock';

let time: VirtualClock;

beforeEach(() => {
	time = makeVirtual(clock);
});

const run = (limit: Limit, ...processes: Process[]) => runProcesses(limit, { clock, Throttle }, processes);

const minute = { count: 30, seconds: 60 };

describe('several processes on one account', () => {
	it.each([
		[2, 67],
		[4, 200],
	])('use the whole limit, with few requests refused: %i processes, %i requests', async (count, most) => {
		const alone = await run(minute, { queue: { remaining: 2000 } });
		time.restore();
		time = makeVirtual(clock);
		const queue = { remaining: 2000 };
		const { refused, ends } = await run(minute, ...Array.from({ length: count }, () => ({ queue })));
		expect(refused).toBeLessThanOrEqual(most);
		expect(Math.max(...ends)).toBeLessThan(1.05 * alone.ends[0]!);
	});

	it('share the limit with a process that starts later', async () => {
		const late = { queue: { remaining: 300 }, startsAt: 600 };
		const { ends } = await run(minute, { queue: { remaining: 1500 } }, late);
		// Alone, it needs ten windows. If it waited for the other process to end, it would need fifty.
		expect(ends[1]).toBeLessThan(600 + 40 * 60);
	});

	it('use the share of a process that ends', async () => {
		const { ends } = await run(minute, { queue: { remaining: 300 } }, { queue: { remaining: 1500 } });
		expect(ends[1]).toBeLessThan(1.05 * 60 * 60);
	});
});

describe('one process on an account', () => {
	it.each([
		['30 a minute', minute, 150, 4 * 60 * 1.02],
		['windows of five seconds', { count: 30, seconds: 5 }, 600, 19 * 6.1],
		['windows of a second', { count: 60, seconds: 1 }, 1200, 19 * 2.1],
	])(
		'loses at most one second per window to reset times in whole seconds: %s',
		async (_, limit, requests, seconds) => {
			const { refused, ends } = await run(limit, { queue: { remaining: requests } });
			expect(refused).toBe(0);
			expect(ends[0]).toBeLessThan(seconds);
		},
	);

	it('respects reset times in milliseconds', async () => {
		const limit = { count: 30, seconds: 0.2, precise: true };
		const { refused } = await run(limit, { queue: { remaining: 900 } });
		expect(refused).toBe(0);
	});

	it.each([
		['begin with the clock’s minutes', { ...minute, aligned: true }],
		['are of no whole seconds', { count: 30, seconds: 2.5 }],
	])('is never refused if windows %s', async (_, limit) => {
		const { refused } = await run(limit, { queue: { remaining: 900 } });
		expect(refused).toBe(0);
	});
});
