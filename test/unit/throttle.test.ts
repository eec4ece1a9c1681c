import fc from 'fast-check';
import type { Headers } from '../../nodes/runtime/api-types';
import { clock } from '../../nodes/runtime/clock';
import { Throttle, throttleOf, type Permit } from '../../nodes/runtime/transport/throttle';
import { parseReset } from '../../nodes/runtime/transport/window';
import { makeVirtual, START, type VirtualClock } from '../support/clock';
import { draws } from '../support/cases/random';

let time: VirtualClock;
let end: AbortController;

beforeEach(() => {
	time = makeVirtual(clock);
	end = new AbortController();
});
afterEach(async () => {
	// Nobody goes on waiting after the test.
	end.abort();
	await clock.sleep(2000);
	time.restore();
});

const patience = (maxWaitMs = 600_000, signal = end.signal) => ({ maxWaitMs, signal });
const ok = (headers: Headers = {}) => ({ status: 200, headers });
const refused = (headers: Headers = {}) => ({ status: 429, headers });
const httpDate = (ms: number) => new Date(ms).toUTCString();

/** Lets one request through and settles it. */
async function pass(throttle: Throttle, response: { status: number; headers: Headers }): Promise<void> {
	expect(await throttle.permit(patience())).toEqual({ go: true });
	throttle.finish(response);
}

/** How long the next request waits, in milliseconds. */
async function waits(throttle: Throttle): Promise<number> {
	const before = time.elapsed();
	expect(await throttle.permit(patience())).toEqual({ go: true });
	return time.elapsed() - before;
}

describe('the window that responses report', () => {
	const left = (reset: string, more: Headers = {}) =>
		ok({ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset, ...more });
	const resetAt = START + 20_000;

	it.each([
		['epoch seconds', String(Math.ceil(resetAt / 1000)), 20_000],
		['epoch milliseconds', String(resetAt), 20_000],
		['seconds left', '20', 20_000],
		['a fraction of seconds left', '0.4', 400],
		['an HTTP date', httpDate(Math.ceil(resetAt / 1000) * 1000), 20_000],
		['an ISO date', new Date(resetAt).toISOString(), 20_000],
	])('is waited for when nothing remains: reset as %s', async (_, reset, expected) => {
		const throttle = new Throttle();
		await pass(throttle, left(reset));
		const waited = await waits(throttle);
		expect(waited).toBeGreaterThanOrEqual(expected);
		expect(waited).toBeLessThan(expected + 1100);
	});

	it.each([
		['an hour ahead', 3_600_000],
		['a day behind', -86_400_000],
	])('is understood when the server’s clock is %s', async (_, ahead) => {
		const throttle = new Throttle();
		const serverNow = START + ahead;
		await pass(throttle, left(String(serverNow + 20_000), { date: httpDate(serverNow) }));
		const waited = await waits(throttle);
		expect(waited).toBeGreaterThanOrEqual(20_000);
		expect(waited).toBeLessThan(21_100);
	});

	it.each([
		['a reset that has passed', String(START - 5000)],
		['no reset', ''],
		['nonsense', 'soon'],
		['-4', '-4'],
	])('holds nothing back with %s', async (_, reset) => {
		const throttle = new Throttle();
		await pass(throttle, left(reset));
		expect(await waits(throttle)).toBe(0);
	});

	it.each([
		[2000, 0],
		[2001, 2001],
	])('is read by a server’s clock that is %i ms ahead as %i ms earlier', (ahead, earlier) => {
		const serverNow = START - 250;
		const reset = serverNow + 20_000;
		const headers = { 'x-ratelimit-reset': String(reset / 1000), date: httpDate(serverNow) };
		const now = serverNow - ahead;
		expect(now + parseReset(headers, now)!).toBe(reset - earlier);
	});

	it('is over at its end, even if a late response still reports it', async () => {
		const throttle = new Throttle();
		const reported = (remaining: number, endsAt: number): Headers => ({
			'x-ratelimit-limit': '3',
			'x-ratelimit-remaining': String(remaining),
			'x-ratelimit-reset': String(Math.ceil((START + endsAt) / 1000)),
		});
		await pass(throttle, ok(reported(2, 10_000)));
		await clock.sleep(10_500);
		expect(await throttle.permit(patience())).toEqual({ go: true });
		await clock.sleep(500);
		throttle.finish(ok(reported(0, 10_000)));
		expect(await waits(throttle)).toBe(0);
	});

	it('lets no more go than remain, including those on their way', async () => {
		const throttle = new Throttle();
		await pass(throttle, ok({ 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': String(START + 10_000) }));
		const gone: number[] = [];
		const asking = Array.from({ length: 5 }, async (_, n) => {
			await throttle.permit(patience());
			gone.push(n);
		});
		await Promise.all(asking.slice(0, 3));
		expect([gone, time.elapsed()]).toEqual([[0, 1, 2], 0]);
		for (let n = 0; n < 3; n += 1) {
			throttle.finish(
				ok({ 'x-ratelimit-remaining': String(2 - n), 'x-ratelimit-reset': String(START + 10_000) }),
			);
		}
		await asking[3];
		expect(time.elapsed()).toBeGreaterThanOrEqual(10_000);
	});

	it('is not known before the first response: one request finds out', async () => {
		const throttle = new Throttle();
		expect(await throttle.permit(patience())).toEqual({ go: true });
		let second = false;
		const asking = throttle.permit(patience()).then(() => (second = true));
		await clock.sleep(5000);
		expect(second).toBe(false);
		throttle.finish(ok());
		await asking;
		expect(second).toBe(true);
	});

	it('delays nothing without such headers', async () => {
		const throttle = new Throttle();
		await pass(throttle, ok());
		const turns = await Promise.all(Array.from({ length: 100 }, () => throttle.permit(patience())));
		expect(turns.every(({ go }) => go)).toBe(true);
		expect(time.elapsed()).toBe(0);
	});

	it('finds out again after a probe without a response', async () => {
		const throttle = new Throttle();
		await throttle.permit(patience());
		throttle.finish(undefined);
		expect(await waits(throttle)).toBe(0);
	});
});

describe('a refusal', () => {
	it.each(['0', String(START / 1000 - 60), httpDate(START - 60_000)])(
		'holds requests back though its window is said to be over: %s',
		async (reset) => {
			const throttle = new Throttle();
			await pass(throttle, ok());
			for (const least of [1000, 2000, 4000]) {
				await pass(throttle, refused({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }));
				const before = time.elapsed();
				expect(await throttle.permit(patience())).toEqual({ go: true });
				expect(time.elapsed() - before).toBeGreaterThanOrEqual(least);
				throttle.finish();
			}
		},
	);
});

describe('a clock that jumps', () => {
	const left = (more: Headers = {}) =>
		ok({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String((clock.now() + 20_000) / 1000), ...more });

	it.each([-3_600_000, 3_600_000])('changes no wait that has begun: %i ms', async (jump) => {
		const throttle = new Throttle();
		await pass(throttle, left());
		const waiting = waits(throttle);
		time.shiftDate(jump);
		const waited = await waiting;
		expect(waited).toBeGreaterThanOrEqual(20_000);
		expect(waited).toBeLessThan(21_100);
	});

	it.each([3_600_000, 86_400_000])(
		'of a host %i ms ahead without a Date header waits two minutes at most',
		async (ahead) => {
			const throttle = new Throttle();
			await pass(throttle, left({ 'x-ratelimit-reset': String((clock.now() + ahead) / 1000) }));
			expect(await waits(throttle)).toBeLessThan(121_000);
		},
	);
});

describe('a quota', () => {
	/** A window of thirty requests, used by another process, too. */
	const used = (remaining: number) => ({
		'x-ratelimit-limit': '30',
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': '60',
	});

	it('fails no request while the window has room: another client used one window up, and went away', async () => {
		const throttle = new Throttle();
		// The other client leaves nothing after the fifth request.
		for (const remaining of [9, 7, 5, 3]) await pass(throttle, ok(used(remaining)));
		await pass(throttle, ok(used(0)));
		await clock.sleep(61_000);
		for (let remaining = 29; remaining > 9; remaining -= 1) {
			expect(await throttle.permit(patience(10_000))).toEqual({ go: true });
			throttle.finish(ok(used(remaining)));
		}
		expect(time.elapsed()).toBeLessThan(62_000 + 10_000);
	});
});

describe('a limit that is not reported', () => {
	const limit = { count: 30, withinMs: 120_000 };

	/** A host that counts by minutes of its clock, and refuses with an exact Retry-After. */
	const host = (enforces: boolean) => {
		const served: number[] = [];
		const minute = (): number => Math.floor(clock.now() / 60_000);
		return () => {
			const counted = served.filter((at) => at >= minute() - 1);
			if (!enforces || counted.length < limit.count) {
				served.push(minute());
				return ok();
			}
			const opens = (Math.min(...counted) + 2) * 60_000;
			return refused({ 'retry-after': String(Math.ceil((opens - clock.now()) / 1000)) });
		};
	};

	/** Sends requests, five at a time; each takes 100 ms. @returns how many were refused */
	const send = async (count: number, enforces: boolean): Promise<number> => {
		const throttle = new Throttle();
		const respond = host(enforces);
		let refusals = 0;
		const one = async (): Promise<void> => {
			const wait = { ...patience(), limit };
			for (let isRetry = false; ; isRetry = true) {
				await throttle.permit(wait, isRetry);
				await clock.sleep(100);
				const response = respond();
				throttle.finish(response, limit);
				if (response.status === 200) return;
				refusals += 1;
			}
		};
		let left = count;
		const worker = async (): Promise<void> => {
			while (left-- > 0) await one();
		};
		await Promise.all(Array.from({ length: 5 }, worker));
		return refusals;
	};

	it('costs forty requests, five at a time, at most two refusals', async () => {
		expect(await send(40, true)).toBeLessThanOrEqual(2);
	});

	it('goes on five at a time at a host that does not enforce it', async () => {
		expect(await send(100, false)).toBe(0);
		expect(time.elapsed()).toBeLessThan(5000);
	});
});

describe('too many requests', () => {
	it.each([
		['seconds', '7', 7000],
		['a fraction of seconds', '0.5', 500],
		['an HTTP date', httpDate(START + 7750), 7750],
		['nothing', undefined, 1000],
		['a negative number', '-5', 1000],
		['zero', '0', 1000],
		['nonsense', 'soon', 1000],
		['a moment beyond any calendar', '18847062239582', 1000],
		['a date that has passed', httpDate(START - 60_000), 1000],
	])('waits for Retry-After: %s', async (_, reported, expected) => {
		const throttle = new Throttle();
		await pass(throttle, refused({ 'retry-after': reported }));
		const waited = await waits(throttle);
		expect(waited).toBeGreaterThanOrEqual(expected);
		expect(waited).toBeLessThanOrEqual(expected + 1000);
	});

	it('prefers Retry-After to the reset, also if it is zero', async () => {
		const throttle = new Throttle();
		const reset = String((START + 60_000) / 1000);
		await pass(throttle, refused({ 'retry-after': '0', 'x-ratelimit-reset': reset }));
		expect(await waits(throttle)).toBeLessThanOrEqual(2000);
	});

	it('spreads those who wait: the jitter differs with the dice', async () => {
		const waited = [];
		for (const dice of [0, 0.9]) {
			clock.random = () => dice;
			const throttle = new Throttle();
			await pass(throttle, refused({ 'retry-after': '5' }));
			waited.push(await waits(throttle));
		}
		expect(waited[0]).toBe(5000);
		expect(waited[1]).toBeGreaterThan(5000);
	});

	it('waits for the reset where Retry-After is missing', async () => {
		const throttle = new Throttle();
		await pass(throttle, refused({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '12' }));
		expect(await waits(throttle)).toBeGreaterThanOrEqual(12_000);
	});

	it('takes a reset that no window has for unsaid', async () => {
		const throttle = new Throttle();
		await pass(throttle, refused({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999999' }));
		expect(await waits(throttle)).toBeLessThanOrEqual(2000);
	});

	it('takes a date by the server’s own clock', async () => {
		const throttle = new Throttle();
		const serverNow = START + 3_600_000;
		const headers = { 'retry-after': httpDate(serverNow + 9000), date: httpDate(serverNow) };
		await pass(throttle, refused(headers));
		const waited = await waits(throttle);
		expect(waited).toBeGreaterThanOrEqual(8000);
		expect(waited).toBeLessThan(11_000);
	});

	it('waits longer after each refusal without a time, up to a minute', async () => {
		const throttle = new Throttle();
		const waited: number[] = [];
		clock.random = () => 0;
		await pass(throttle, refused());
		for (let n = 0; n < 9; n += 1) {
			waited.push(await waits(throttle));
			throttle.finish(refused());
		}
		expect(waited).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
	});

	it('refuses at once what would wait longer than the maximum, and says when to retry', async () => {
		const throttle = new Throttle();
		clock.random = () => 0;
		await pass(throttle, refused({ 'retry-after': '86400' }));
		const turn: Permit = await throttle.permit(patience(60_000));
		expect(turn).toEqual({ go: false, opensIn: 86_400_000 });
		expect(time.elapsed()).toBe(0);
	});

	it('counts all waits of one request together', async () => {
		const throttle = new Throttle();
		clock.random = () => 0;
		const mine = patience(10_000);
		expect(await throttle.permit(mine)).toEqual({ go: true });
		for (let n = 0; n < 2; n += 1) {
			throttle.finish(refused({ 'retry-after': '4' }));
			expect(await throttle.permit(mine, true)).toEqual({ go: true });
		}
		throttle.finish(refused({ 'retry-after': '4' }));
		expect(await throttle.permit(mine, true)).toEqual({ go: false, opensIn: 4000 });
		expect(time.elapsed()).toBe(8000);
	});

	it('reports its wait', async () => {
		const throttle = new Throttle();
		clock.random = () => 0;
		await pass(throttle, refused({ 'retry-after': '3' }));
		const reported: number[] = [];
		await throttle.permit({ ...patience(), onWait: (ms) => reported.push(ms) });
		expect(reported[0]).toBe(3000);
	});
});

it('lets requests go in their order, and a repeated one first', async () => {
	const throttle = new Throttle();
	await pass(throttle, refused({ 'retry-after': '2' }));
	const order: string[] = [];
	const ask = async (name: string, again = false): Promise<void> => {
		await throttle.permit(patience(), again);
		order.push(name);
		throttle.finish(ok());
	};
	await Promise.all([ask('a'), ask('b'), ask('c'), ask('again', true)]);
	expect(order).toEqual(['again', 'a', 'b', 'c']);
});

it('ends the wait of a cancelled execution, and goes on with the others', async () => {
	const throttle = new Throttle();
	await pass(throttle, refused({ 'retry-after': '300' }));
	const controller = new AbortController();
	const cancelled = throttle.permit(patience(600_000, controller.signal));
	const other = throttle.permit(patience());
	await clock.sleep(10_000);
	controller.abort();
	expect(await cancelled).toEqual({ go: false, cancelled: true });
	expect(time.elapsed()).toBeLessThan(12_000);
	expect(await other).toEqual({ go: true });
});

it('is one for each host and credential', () => {
	expect(throttleOf('host and key')).toBe(throttleOf('host and key'));
	expect(throttleOf('host and key')).not.toBe(throttleOf('host and other key'));
});

describe('any service with windows', () => {
	type Form = 'seconds' | 'milliseconds' | 'left';

	/** A service with fixed windows that refuses what is above its limit. */
	const service = (limit: number, windowMs: number, form: Form) => {
		let resetAt = 0;
		let used = 0;
		let refusals = 0;
		const written = (): string => {
			if (form === 'milliseconds') return String(Math.ceil(resetAt));
			if (form === 'left') return String(Math.ceil((resetAt - clock.now()) / 1000));
			return String(Math.ceil(resetAt / 1000));
		};
		return {
			refusals: () => refusals,
			request: () => {
				if (clock.now() >= resetAt) [resetAt, used] = [clock.now() + windowMs, 0];
				const allowed = used < limit;
				if (allowed) used += 1;
				else refusals += 1;
				return {
					status: allowed ? 200 : 429,
					headers: {
						'x-ratelimit-remaining': String(limit - used),
						'x-ratelimit-reset': written(),
						...(!allowed && { 'retry-after': String(Math.ceil((resetAt - clock.now()) / 1000)) }),
					},
				};
			},
		};
	};

	it('gets every request, and none too many', async () => {
		const scenario = fc.record({
			limit: fc.integer({ min: 1, max: 12 }),
			windowMs: fc.integer({ min: 1000, max: 60_000 }),
			form: fc.constantFrom<Form>('seconds', 'milliseconds', 'left'),
			workers: fc.integer({ min: 1, max: 6 }),
			latencyMs: fc.integer({ min: 0, max: 400 }),
			requests: fc.integer({ min: 1, max: 40 }),
		});
		await fc.assert(
			fc.asyncProperty(scenario, async ({ limit, windowMs, form, workers, latencyMs, requests }) => {
				const { request, refusals } = service(limit, windowMs, form);
				const throttle = new Throttle();
				let left = requests;
				let served = 0;
				const work = async (): Promise<void> => {
					while (left > 0) {
						left -= 1;
						const mine = patience(Infinity);
						for (let again = false; ; again = true) {
							await throttle.permit(mine, again);
							await clock.sleep(latencyMs / 2);
							const response = request();
							await clock.sleep(latencyMs / 2);
							throttle.finish(response);
							if (response.status === 200) break;
						}
						served += 1;
					}
				};
				await Promise.all(Array.from({ length: workers }, work));
				expect(served).toBe(requests);
				expect(refusals()).toBe(0);
			}),
			draws(60),
		);
	});
});
