/** How many requests of a rate limit window a process uses if other processes use the same account. */
import { Quota, type Window } from '../../nodes/runtime/transport/window';

const WINDOW_MS = 60_000;
/** A window of twenty requests, of which this process sent `mine`. */
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

it('keeps the last request of its share for the second half of the window if it is alone', () => {
	expect(quotaOfTen().opensAt(window(11, 9), 0)).toBe(0.5 * WINDOW_MS);
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
