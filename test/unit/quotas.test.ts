/** How much of a rate limit's window a process takes where others use the same account. */
import { Quota, type Window } from '../../nodes/runtime/transport/window';

const SECONDS = 60_000;
/** A window of twenty requests; `mine` are this process's. */
const window = (remaining: number, mine: number): Window => ({
	limit: 20,
	remaining,
	firstAt: 0,
	endsAt: SECONDS,
	ownServed: mine,
});

/** One that got ten of the last window. */
function limited(): Quota {
	const quota = new Quota();
	quota.record(window(0, 9), true, 0.5 * SECONDS);
	return quota;
}

it('lets the last of its part go, for itself and for the response it waits for', () => {
	expect(limited().opensAt(window(5, 9), 0)).toBe(0);
	expect(limited().opensAt(window(5, 8), 1)).toBe(0);
	expect(limited().opensAt(window(5, 9), 1)).toBe(Infinity);
});

it.each([
	['a hundred requests where it found something', true, 100],
	['twice as many where it did not', false, 200],
])('looks again after %s', (_, found, requests) => {
	const quota = limited();
	quota.record(window(5, 10), found, 0.95 * SECONDS);
	const next = (): number => quota.opensAt(window(5, 10), 0);
	for (let request = 1; request < requests; request += 1) quota.record(window(5, 1), true, 0);
	expect(next()).toBe(Infinity);
	quota.record(window(5, 1), true, 0);
	expect(next()).toBe(0.9 * SECONDS);
});

it('looks late in a window whether others left anything, once in a hundred requests', () => {
	const quota = limited();
	const next = (): number => quota.opensAt(window(5, 10), 0);
	for (let request = 2; request < 100; request += 1) {
		quota.record(window(5, 1), true, 0);
		expect(next()).toBe(Infinity);
	}
	quota.record(window(5, 1), true, 0);
	expect(next()).toBe(0.9 * SECONDS);
});
