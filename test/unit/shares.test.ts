/** How much of a rate limit's window a process takes where others use the same account. */
import { Share, type Window } from '../../nodes/runtime/transport/window';

const SECONDS = 60_000;
/** A window of twenty requests, of which `mine` are this process's. */
const window = (remaining: number, mine: number): Window => ({
	limit: 20,
	remaining,
	firstAt: 0,
	told: SECONDS,
	endsAt: SECONDS,
	mine,
});

/** One that got ten of the last window. */
function sharing(): Share {
	const share = new Share();
	share.settle(window(0, 9), true, 0.5 * SECONDS);
	return share;
}

it('lets the last of its part go, for itself and for the answer it waits for', () => {
	expect(sharing().opensAt(window(5, 9), 0)).toBe(0);
	expect(sharing().opensAt(window(5, 8), 1)).toBe(0);
	expect(sharing().opensAt(window(5, 9), 1)).toBe(Infinity);
});

it.each([
	['a hundred requests where it found something', true, 100],
	['twice as many where it did not', false, 200],
])('looks again after %s', (_, found, requests) => {
	const share = sharing();
	share.settle(window(5, 10), found, 0.95 * SECONDS);
	const next = (): number => share.opensAt(window(5, 10), 0);
	for (let request = 1; request < requests; request += 1) share.settle(window(5, 1), true, 0);
	expect(next()).toBe(Infinity);
	share.settle(window(5, 1), true, 0);
	expect(next()).toBe(0.9 * SECONDS);
});

it('looks late in a window whether others left anything, once in a hundred requests', () => {
	const share = sharing();
	const next = (): number => share.opensAt(window(5, 10), 0);
	for (let request = 2; request < 100; request += 1) {
		share.settle(window(5, 1), true, 0);
		expect(next()).toBe(Infinity);
	}
	share.settle(window(5, 1), true, 0);
	expect(next()).toBe(0.9 * SECONDS);
});
