import fc from 'fast-check';
import type { Headers } from '../../nodes/runtime/api-types';
import { clock } from '../../nodes/runtime/clock';
import { CANCELLED } from '../../nodes/runtime/errors/messages';
import { parseReset } from '../../nodes/runtime/transport/window';
import { Throttle, type Place } from '../../nodes/runtime/transport/throttle';
import { makeVirtual, START, type VirtualClock } from '../support/clock';
import { propertyOptions } from '../support/cases/random';

let time: VirtualClock;
let end: AbortController;

beforeEach(() => {
	time = makeVirtual(clock);
	end = new AbortController();
});
afterEach(async () => {
	// Cancels all waits that the test left.
	end.abort();
	await clock.sleep(2000);
	time.restore();
});

const newPlace = (maxWaitMs = 600_000, signal = end.signal): Place => ({
	waiting: { service: 'the service', maxWaitMs, signal },
	left: maxWaitMs,
});
const ok = (headers: Headers = {}) => ({ status: 200, headers });
const tooManyRequests = (headers: Headers = {}) => ({ status: 429, headers });
const httpDate = (ms: number) => new Date(ms).toUTCString();

/** Sends one request through the throttle. */
async function sendOne(throttle: Throttle, response: { status: number; headers: Headers }): Promise<void> {
	expect(await throttle.permit(newPlace())).toBeUndefined();
	throttle.finish(response);
}

/** How long the next request waits, in milliseconds. */
async function waitOfNext(throttle: Throttle): Promise<number> {
	const before = time.elapsed();
	expect(await throttle.permit(newPlace())).toBeUndefined();
	return time.elapsed() - before;
}

describe('the window that responses report', () => {
	const emptyWindow = (reset: string, more: Headers = {}) =>
		ok({ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset, ...more });
	const resetAt = START + 20_000;

	it.each([
		['epoch seconds', String(Math.ceil(resetAt / 1000)), 20_000],
		['epoch milliseconds', String(resetAt), 20_000],
		['seconds left', '20', 20_000],
		['a fraction of seconds left', '0.4', 400],
	])('delays requests until its reset if nothing remains: reset as %s', async (_, reset, expected) => {
		const throttle = new Throttle();
		await sendOne(throttle, emptyWindow(reset));
		const waited = await waitOfNext(throttle);
		expect(waited).toBeGreaterThanOrEqual(expected);
		expect(waited).toBeLessThan(expected + 1100);
	});

	it.each([
		['an hour ahead', 3_600_000],
		['a day behind', -86_400_000],
	])('is correct if the server’s clock is %s', async (_, ahead) => {
		const throttle = new Throttle();
		const serverNow = START + ahead;
		await sendOne(throttle, emptyWindow(String(serverNow + 20_000), { date: httpDate(serverNow) }));
		const waited = await waitOfNext(throttle);
		expect(waited).toBeGreaterThanOrEqual(20_000);
		expect(waited).toBeLessThan(21_100);
	});

	it.each([
		['a reset that has passed', String(START - 5000)],
		['no reset', ''],
		['nonsense', 'soon'],
		['-4', '-4'],
	])('delays nothing with %s', async (_, reset) => {
		const throttle = new Throttle();
		await sendOne(throttle, emptyWindow(reset));
		expect(await waitOfNext(throttle)).toBe(0);
	});

	it('sends the last request that remains at once', async () => {
		const throttle = new Throttle();
		await sendOne(throttle, ok({ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '20' }));
		expect(await waitOfNext(throttle)).toBe(0);
	});

	it.each([
		[999, 20_025],
		[1000, 0],
	])(
		'is another one if its reset is a second later: %i ms later, the next request waits %i ms',
		async (later, waited) => {
			const throttle = new Throttle();
			const reported = (remaining: number, reset: number): Headers => ({
				'x-ratelimit-remaining': String(remaining),
				'x-ratelimit-reset': String(reset),
				date: httpDate(START),
			});
			await sendOne(throttle, ok(reported(2, START + 20_000)));
			const [late, next] = [await throttle.permit(newPlace()), await throttle.permit(newPlace())];
			expect([late, next]).toEqual([undefined, undefined]);
			throttle.finish(ok(reported(0, START + 20_000)));
			throttle.finish(ok(reported(5, START + 20_000 + later)));
			expect(await waitOfNext(throttle)).toBe(waited);
		},
	);

	it('ends at its reset, even if a late response still reports it', async () => {
		const throttle = new Throttle();
		const reported = (remaining: number, endsAt: number): Headers => ({
			'x-ratelimit-limit': '3',
			'x-ratelimit-remaining': String(remaining),
			'x-ratelimit-reset': String(Math.ceil((START + endsAt) / 1000)),
		});
		await sendOne(throttle, ok(reported(2, 10_000)));
		await clock.sleep(10_500);
		expect(await throttle.permit(newPlace())).toBeUndefined();
		await clock.sleep(500);
		throttle.finish(ok(reported(0, 10_000)));
		expect(await waitOfNext(throttle)).toBe(0);
	});

	it('allows no more requests than remain, including pending ones', async () => {
		const throttle = new Throttle();
		await sendOne(
			throttle,
			ok({ 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': String(START + 10_000) }),
		);
		const permitted: number[] = [];
		const pending = Array.from({ length: 5 }, async (_, n) => {
			await throttle.permit(newPlace());
			permitted.push(n);
		});
		await Promise.all(pending.slice(0, 3));
		expect([permitted, time.elapsed()]).toEqual([[0, 1, 2], 0]);
		for (let n = 0; n < 3; n += 1) {
			throttle.finish(
				ok({ 'x-ratelimit-remaining': String(2 - n), 'x-ratelimit-reset': String(START + 10_000) }),
			);
		}
		await pending[3];
		expect(time.elapsed()).toBeGreaterThanOrEqual(10_000);
	});

	it('is unknown before the first response: only one request is sent', async () => {
		const throttle = new Throttle();
		expect(await throttle.permit(newPlace())).toBeUndefined();
		let second = false;
		const pending = throttle.permit(newPlace()).then(() => (second = true));
		await clock.sleep(5000);
		expect(second).toBe(false);
		throttle.finish(ok());
		await pending;
		expect(second).toBe(true);
	});

	it('delays nothing without such headers', async () => {
		const throttle = new Throttle();
		await sendOne(throttle, ok());
		const permits = await Promise.all(Array.from({ length: 100 }, () => throttle.permit(newPlace())));
		expect(permits).toEqual(permits.map(() => undefined));
		expect(time.elapsed()).toBe(0);
	});

	it('sends another probe after a probe without a response', async () => {
		const throttle = new Throttle();
		await throttle.permit(newPlace());
		throttle.finish(undefined);
		expect(await waitOfNext(throttle)).toBe(0);
	});
});

it('reports a wait to all requests in the queue, except those that fail at once', async () => {
	const throttle = new Throttle();
	const resetAt = String(Math.ceil(START / 1000) + 40);
	await sendOne(throttle, ok({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': resetAt }));
	const waits: string[] = [];
	const ask = async (name: string, maxWaitMs: number) => {
		const onWait = (): number => waits.push(name);
		const place = newPlace(maxWaitMs);
		const failure = await throttle.permit({ ...place, waiting: { ...place.waiting, onWait } });
		if (!failure) throttle.finish(ok());
	};
	await Promise.all([ask('a', 1000), ask('b', 1000), ask('c', 60_000), ask('d', 60_000)]);
	expect([...new Set(waits)].sort()).toEqual(['c', 'd']);
});

describe('a rejection', () => {
	it.each(['0', String(START / 1000 - 60)])(
		'delays requests even if the reported reset has passed: %s',
		async (reset) => {
			const throttle = new Throttle();
			await sendOne(throttle, ok());
			for (const least of [1000, 2000, 4000]) {
				await sendOne(
					throttle,
					tooManyRequests({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }),
				);
				const before = time.elapsed();
				expect(await throttle.permit(newPlace())).toBeUndefined();
				expect(time.elapsed() - before).toBeGreaterThanOrEqual(least);
				throttle.finish();
			}
		},
	);
});

describe('a reported time', () => {
	const now = START - 250;

	it.each([
		['the most seconds', '99999999', 99_999_999_000],
		['the first epoch second', '100000000', 1e11 - now],
		['the last epoch second', '99999999999', 99_999_999_999_000 - now],
		['the first epoch millisecond', '100000000000', 1e11 - now],
	])('is the time until a reset: %s', (_, reset, expected) => {
		expect(parseReset({ 'x-ratelimit-reset': reset, date: httpDate(now) }, now)).toBe(expected);
	});
});

describe('a clock that jumps', () => {
	const emptyWindow = (more: Headers = {}) =>
		ok({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String((clock.now() + 20_000) / 1000), ...more });

	it.each([-3_600_000, 3_600_000])('does not change a wait that has begun: %i ms', async (jump) => {
		const throttle = new Throttle();
		await sendOne(throttle, emptyWindow());
		const waiting = waitOfNext(throttle);
		time.shiftDate(jump);
		const waited = await waiting;
		expect(waited).toBeGreaterThanOrEqual(20_000);
		expect(waited).toBeLessThan(21_100);
	});
});

it.each([
	['another process', 20, undefined],
	['nobody else', 28, 0],
])('keeps one request in flight if %s uses the account', async (_, remaining, waited) => {
	const throttle = new Throttle();
	const headers = {
		'x-ratelimit-limit': '30',
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': '60',
	};
	await sendOne(throttle, ok({ ...headers, 'x-ratelimit-remaining': '29' }));
	await sendOne(throttle, ok(headers));
	await throttle.permit(newPlace());
	let waitedMs: number | undefined;
	const before = time.elapsed();
	void throttle.permit(newPlace()).then(() => (waitedMs = time.elapsed() - before));
	await clock.sleep(5000);
	expect(waitedMs).toBe(waited);
});

describe('status 429', () => {
	it.each([
		['seconds', '7', 7000],
		['a fraction of seconds', '0.5', 500],
		['nothing', undefined, 1000],
		['a negative number', '-5', 1000],
		['zero', '0', 1000],
		['nonsense', 'soon', 1000],
		['a date', httpDate(START + 7750), 1000],
	])('waits for Retry-After: %s', async (_, reported, expected) => {
		const throttle = new Throttle();
		await sendOne(throttle, tooManyRequests({ 'retry-after': reported }));
		const waited = await waitOfNext(throttle);
		expect(waited).toBeGreaterThanOrEqual(expected);
		expect(waited).toBeLessThanOrEqual(expected + 1000);
	});

	it('prefers Retry-After to the reset, even if it is zero', async () => {
		const throttle = new Throttle();
		const reset = String((START + 60_000) / 1000);
		await sendOne(throttle, tooManyRequests({ 'retry-after': '0', 'x-ratelimit-reset': reset }));
		expect(await waitOfNext(throttle)).toBeLessThanOrEqual(2000);
	});

	it('spreads waiting requests with random jitter', async () => {
		const waited = [];
		for (const dice of [0, 0.9]) {
			clock.random = () => dice;
			const throttle = new Throttle();
			await sendOne(throttle, tooManyRequests({ 'retry-after': '5' }));
			waited.push(await waitOfNext(throttle));
		}
		expect(waited[0]).toBe(5000);
		expect(waited[1]).toBeGreaterThan(5000);
	});

	it('waits for the reset if Retry-After is missing', async () => {
		const throttle = new Throttle();
		await sendOne(throttle, tooManyRequests({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '12' }));
		expect(await waitOfNext(throttle)).toBeGreaterThanOrEqual(12_000);
	});

	it('doubles the wait after each rejection without a time, up to a minute', async () => {
		const throttle = new Throttle();
		const waited: number[] = [];
		clock.random = () => 0;
		await sendOne(throttle, tooManyRequests());
		for (let n = 0; n < 9; n += 1) {
			waited.push(await waitOfNext(throttle));
			throttle.finish(tooManyRequests());
		}
		expect(waited).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
	});

	it('adds up all waits of a request, without the time that sending takes', async () => {
		const throttle = new Throttle();
		clock.random = () => 0;
		const place = newPlace(10_000);
		expect(await throttle.permit(place)).toBeUndefined();
		for (let n = 0; n < 2; n += 1) {
			await clock.sleep(7000);
			throttle.finish(tooManyRequests({ 'retry-after': '4' }));
			expect(await throttle.permit(place)).toBeUndefined();
		}
		throttle.finish(tooManyRequests({ 'retry-after': '4' }));
		expect(await throttle.permit(place)).toMatchObject({ retryAfterMs: 4000 });
		expect(time.elapsed()).toBe(8000 + 14_000);
	});
});

it('sends requests in order, retries first', async () => {
	const throttle = new Throttle();
	await sendOne(throttle, tooManyRequests({ 'retry-after': '2' }));
	const order: string[] = [];
	const request = async (name: string, isRetry = false): Promise<void> => {
		await throttle.permit({ ...newPlace(), wasPermitted: isRetry });
		order.push(name);
		throttle.finish(ok());
	};
	await Promise.all([request('a'), request('b'), request('c'), request('again', true)]);
	expect(order).toEqual(['again', 'a', 'b', 'c']);
});

it('ends the wait of a canceled execution, and continues with the others', async () => {
	const throttle = new Throttle();
	await sendOne(throttle, tooManyRequests({ 'retry-after': '300' }));
	const controller = new AbortController();
	const cancelled = throttle.permit(newPlace(600_000, controller.signal));
	const other = throttle.permit(newPlace());
	await clock.sleep(10_000);
	controller.abort();
	expect(await cancelled).toEqual(CANCELLED);
	expect(time.elapsed()).toBeLessThan(12_000);
	expect(await other).toBeUndefined();
});

describe('any service with fixed windows', () => {
	type ResetFormat = 'seconds' | 'milliseconds' | 'left';

	/** A service with fixed windows that rejects requests above its limit. */
	const service = (limit: number, windowMs: number, resetFormat: ResetFormat) => {
		let resetAt = 0;
		let used = 0;
		let rejections = 0;
		const encodedReset = (): string => {
			if (resetFormat === 'milliseconds') return String(Math.ceil(resetAt));
			if (resetFormat === 'left') return String(Math.ceil((resetAt - clock.now()) / 1000));
			return String(Math.ceil(resetAt / 1000));
		};
		return {
			rejections: () => rejections,
			request: () => {
				if (clock.now() >= resetAt) [resetAt, used] = [clock.now() + windowMs, 0];
				const allowed = used < limit;
				if (allowed) used += 1;
				else rejections += 1;
				return {
					status: allowed ? 200 : 429,
					headers: {
						'x-ratelimit-remaining': String(limit - used),
						'x-ratelimit-reset': encodedReset(),
						...(!allowed && { 'retry-after': String(Math.ceil((resetAt - clock.now()) / 1000)) }),
					},
				};
			},
		};
	};

	it('receives every request, and none above its limit', async () => {
		const scenario = fc.record({
			limit: fc.integer({ min: 1, max: 12 }),
			windowMs: fc.integer({ min: 1000, max: 60_000 }),
			resetFormat: fc.constantFrom<ResetFormat>('seconds', 'milliseconds', 'left'),
			workers: fc.integer({ min: 1, max: 6 }),
			latencyMs: fc.integer({ min: 0, max: 400 }),
			requests: fc.integer({ min: 1, max: 40 }),
		});
		await fc.assert(
			fc.asyncProperty(scenario, async ({ limit, windowMs, resetFormat, workers, latencyMs, requests }) => {
				const { request, rejections } = service(limit, windowMs, resetFormat);
				const throttle = new Throttle();
				let remaining = requests;
				let served = 0;
				const runWorker = async (): Promise<void> => {
					while (remaining > 0) {
						remaining -= 1;
						const place = newPlace(Infinity);
						for (;;) {
							await throttle.permit(place);
							await clock.sleep(latencyMs / 2);
							const response = request();
							await clock.sleep(latencyMs / 2);
							throttle.finish(response);
							if (response.status === 200) break;
						}
						served += 1;
					}
				};
				await Promise.all(Array.from({ length: workers }, runWorker));
				expect(served).toBe(requests);
				expect(rejections()).toBe(0);
			}),
			propertyOptions(60),
		);
	});
});
