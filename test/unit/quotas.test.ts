/** How many requests of a rate limit window a process uses if other processes use the same account. */
import { Quota, type Window } from '../../nodes/runtime/transport/window';

const WINDOW_MS = 60_000;
/** A window of twenty requests, of which this process sent `ownServed`. */
const window = (remaining: number, ownServed: number): Window => ({
	limit: 20,
	remaining,
	firstAt: 0,
	endsAt: WINDOW_MS,
	ownServed,
});

/** A quota that sent ten requests in the previous window. */
function quotaOfTen(): Quota {
	const quota = new Quota();
	quota.record(window(0, 9), true, 0.5 * WINDOW_MS);
	return quota;
}

it('allows the last request of its share, and counts the pending one', () => {
	expect(quotaOfTen().opensAt(window(5, 9), 0)).toBe(0);
	expect(quotaOfTen().opensAt(window(5, 8), 1)).toBe(0);
	expect(quotaOfTen().opensAt(window(5, 9), 1)).toBe(Infinity);
});

it.each([
	['a hundred requests if the last probe succeeded', true, 100],
	['two hundred requests if the last probe failed', false, 200],
])('probes again after %s', (_, probeSucceeded, requests) => {
	const quota = quotaOfTen();
	quota.record(window(5, 10), probeSucceeded, 0.95 * WINDOW_MS);
	const nextOpening = (): number => quota.opensAt(window(5, 10), 0);
	for (let request = 1; request < requests; request += 1) quota.record(window(5, 1), true, 0);
	expect(nextOpening()).toBe(Infinity);
	quota.record(window(5, 1), true, 0);
	expect(nextOpening()).toBe(0.9 * WINDOW_MS);
});

it('probes again after four hundred requests at most, however many probes failed', () => {
	const quota = quotaOfTen();
	const wait = (requests: number): void => {
		for (let request = 0; request < requests; request += 1) quota.record(window(5, 1), true, 0);
	};
	for (let probe = 0; probe < 3; probe += 1) quota.record(window(5, 10), false, 0.95 * WINDOW_MS);
	wait(399);
	expect(quota.opensAt(window(5, 10), 0)).toBe(Infinity);
	wait(1);
	expect(quota.opensAt(window(5, 10), 0)).toBe(0.9 * WINDOW_MS);
});

it('probes for unused requests at the end of a window, once in a hundred requests', () => {
	const quota = quotaOfTen();
	const nextOpening = (): number => quota.opensAt(window(5, 10), 0);
	for (let request = 2; request < 100; request += 1) {
		quota.record(window(5, 1), true, 0);
		expect(nextOpening()).toBe(Infinity);
	}
	quota.record(window(5, 1), true, 0);
	expect(nextOpening()).toBe(0.9 * WINDOW_MS);
});

it('is unlimited if the host reports no limit, or this process got the whole last window', () => {
	expect(quotaOfTen().opensAt({ ...window(0, 30), limit: undefined }, 5)).toBe(0);
	const whole = new Quota();
	whole.record(window(0, 19), true, 0.5 * WINDOW_MS);
	expect(whole.opensAt(window(1, 19), 5)).toBe(0);
});

it.each([
	['one request before any was served', window(20, 0), 0, 0],
	['no second request before any was served', window(20, 0), 1, Infinity],
	['as many requests as were served', window(16, 4), 3, 0],
	['no more requests than were served', window(16, 4), 4, Infinity],
	['its share of the remaining requests', window(8, 6), 3, 0],
	['no more than its share of the remaining requests', window(8, 6), 4, Infinity],
	['a single request near the limit', window(1, 6), 0, 0],
])('sends at the same time in the first window: %s', (_, first, inFlight, opensAt) => {
	expect(new Quota().opensAt(first, inFlight)).toBe(opensAt);
});

it('keeps its last request until the middle of the window if no other process was seen', () => {
	const alone = window(11, 9);
	expect(quotaOfTen().opensAt(alone, 0)).toBe(0.5 * WINDOW_MS);
	expect(quotaOfTen().opensAt(alone, 1)).toBe(Infinity);
	expect(quotaOfTen().opensAt(window(12, 8), 0)).toBe(0);
	expect(quotaOfTen().opensAt(window(10, 10), 0)).toBe(0);
});

it('exceeds its quota one request at a time while more than half of the window is left', () => {
	const quota = new Quota();
	quota.record(window(0, 3), true, 0.5 * WINDOW_MS);
	expect(quota.opensAt(window(11, 4), 0)).toBe(0);
	expect(quota.opensAt(window(11, 4), 1)).toBe(Infinity);
	expect(quota.opensAt(window(10, 4), 0)).toBe(Infinity);
	expect(quota.opensAt(window(10, 3), 0)).toBe(0);
});

it('is what the process got of the last exhausted window, at least one request', () => {
	const quota = new Quota();
	quota.record(window(0, 0), false, 0.5 * WINDOW_MS);
	expect(quota.opensAt(window(5, 0), 0)).toBe(0);
	expect(quota.opensAt(window(5, 1), 0)).toBe(Infinity);
});
