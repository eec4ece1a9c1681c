/** Several processes on one account, as n8n's workers are: each has a throttle of its own and knows the others only by the headers. */
import { clock, Throttle } from '../../nodes/runtime/transport/rateLimit';
import { makeVirtual, type VirtualClock } from '../support/virtual-clock';

let time: VirtualClock;

beforeEach(() => {
	time = makeVirtual(clock);
});
afterEach(() => time.restore());

/** The same dice in every run (mulberry32). */
const dice = (seed: number) => (): number => {
	seed = (seed + 0x6d2b79f5) | 0;
	let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
	mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
	return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

interface Limit {
	count: number;
	/** The length of a window. */
	seconds: number;
	/** Whether windows begin with the clock's minutes, hours…, and not with the first request. */
	aligned?: boolean;
	/** Whether reset times are told in milliseconds. */
	precise?: boolean;
}

/** A service with fixed windows and whole-second reset times, as the link service is. */
class Service {
	served = 0;
	refused = 0;
	#resetAt = 0;
	#used = 0;
	readonly #limit: Limit;

	constructor(limit: Limit) {
		this.#limit = limit;
	}

	answer(): { status: number; headers: Record<string, string> } {
		const { count } = this.#limit;
		const now = clock.now();
		if (now >= this.#resetAt) [this.#resetAt, this.#used] = [this.#nextReset(now), 0];
		const allowed = this.#used < count;
		if (allowed) this.#used += 1;
		this[allowed ? 'served' : 'refused'] += 1;
		const retryAfter = { 'retry-after': String(Math.ceil((this.#resetAt - now) / 1000)) };
		return {
			status: allowed ? 200 : 429,
			headers: {
				'x-ratelimit-limit': String(count),
				'x-ratelimit-remaining': String(count - this.#used),
				'x-ratelimit-reset': String(Math.ceil(this.#limit.precise ? this.#resetAt : this.#resetAt / 1000)),
				...(!allowed && retryAfter),
			},
		};
	}

	#nextReset(now: number): number {
		const length = this.#limit.seconds * 1000;
		return this.#limit.aligned ? (Math.floor(now / length) + 1) * length : now + length;
	}
}

/** What is left to do, for one process or for several that draw from it, as n8n's workers draw executions. */
interface Queue {
	left: number;
}

interface Process {
	queue: Queue;
	/** When it begins, in seconds. */
	from?: number;
}

const CONCURRENCY = 5;

/** Makes requests in one process until its queue is empty. @returns when that was, in seconds */
async function work(service: Service, { queue, from = 0 }: Process): Promise<number> {
	if (from > 0) await clock.sleep(from * 1000);
	const throttle = new Throttle();
	const onTheWay = async (): Promise<void> => await clock.sleep(5 + 20 * clock.random());
	const oneByOne = async (): Promise<void> => {
		while (queue.left > 0) {
			queue.left -= 1;
			const patience = { maxWaitMs: Infinity };
			for (let again = false; ; again = true) {
				await throttle.turn(patience, again);
				await onTheWay();
				const answer = service.answer();
				await onTheWay();
				throttle.settle(answer);
				if (answer.status === 200) break;
			}
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, oneByOne));
	return time.elapsed() / 1000;
}

/** Lets processes make their requests. @returns how many were refused, and when each process had ended, in seconds */
async function run(limit: Limit, ...processes: Process[]) {
	clock.random = dice(1);
	const service = new Service(limit);
	const ends = await Promise.all(processes.map((process) => work(service, process)));
	return { refused: service.refused, ends };
}

const minute = { count: 30, seconds: 60 };

describe('several processes on one account', () => {
	it.each([2, 4])('keep to its limit without a loss, %i of them', async (count) => {
		const alone = await run(minute, { queue: { left: 2000 } });
		time.restore();
		time = makeVirtual(clock);
		const queue = { left: 2000 };
		const { refused, ends } = await run(minute, ...Array.from({ length: count }, () => ({ queue })));
		expect(refused).toBeLessThan(0.01 * 2000);
		expect(Math.max(...ends)).toBeLessThan(1.05 * alone.ends[0]!);
	});

	it('let one in that comes later', async () => {
		const late = { queue: { left: 300 }, from: 600 };
		const { refused, ends } = await run(minute, { queue: { left: 1500 } }, late);
		expect(refused).toBeLessThan(0.01 * 1800);
		// Ten windows if it had them alone, fifty if it waited for the other to end.
		expect(ends[1]).toBeLessThan(600 + 40 * 60);
	});

	it('take over what one that ends leaves', async () => {
		const { refused, ends } = await run(minute, { queue: { left: 300 } }, { queue: { left: 1500 } });
		expect(refused).toBeLessThan(0.01 * 1800);
		expect(ends[1]).toBeLessThan(1.05 * 60 * 60);
	});
});

describe('one process on an account', () => {
	it.each([
		['30 a minute', minute, 150, 4 * 60 * 1.02],
		['windows of five seconds', { count: 30, seconds: 5 }, 600, 19 * 5 * 1.05],
		['windows of a second', { count: 60, seconds: 1 }, 1200, 19 * 1.2],
	])('loses nothing to whole-second reset times: %s', async (_, limit, requests, seconds) => {
		const { refused, ends } = await run(limit, { queue: { left: requests } });
		expect(refused).toBe(0);
		expect(ends[0]).toBeLessThan(seconds);
	});

	it('keeps to reset times that are told in milliseconds', async () => {
		const limit = { count: 30, seconds: 0.2, precise: true };
		const { refused } = await run(limit, { queue: { left: 900 } });
		expect(refused).toBe(0);
	});

	it.each([
		['begin with the clock’s minutes', { ...minute, aligned: true }],
		['are of no whole seconds', { count: 30, seconds: 2.5 }],
	])('takes reset times as told once it was refused early, where windows %s', async (_, limit) => {
		const { refused } = await run(limit, { queue: { left: 900 } });
		expect(refused).toBe(1);
	});
});
