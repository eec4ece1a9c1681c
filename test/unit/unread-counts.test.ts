import {
	recentCounts,
	unreadCountsIn,
	keepCounted,
	leaveCounted,
} from '../../nodes/NewsReader/model/unread-counts';
import { clock } from '../../nodes/runtime/clock';
import { makeVirtual } from '../support/clock';
import { NO_FAULT, WorldApi, type Fault } from './trigger-world';

describe('the counts of all feeds', () => {
	let accounts = 0;

	beforeEach(() => {
		makeVirtual(clock);
		accounts += 1;
	});

	it('requests the counts again if the shared request of another execution fails', async () => {
		const account = `account ${accounts}`;
		let cancel = (): void => undefined;
		const cancelled = new WorldApi({ ask: () => ({}) }, NO_FAULT, account);
		cancelled.send = async () =>
			await new Promise((_, reject) => (cancel = () => reject(new Error('The execution was canceled'))));
		const first = recentCounts(cancelled);
		first.catch(() => undefined);
		await clock.sleep(1);
		const api = new WorldApi({ ask: () => ({ feeds: { 1: { nt: 2 } } }) }, NO_FAULT, account);
		const second = recentCounts(api);
		await clock.sleep(1);
		cancel();
		await expect(first).rejects.toThrow('canceled');
		expect(unreadCountsIn(await second)).toEqual([{ id: '1', nt: 2 }]);
		expect(api.requests).toBe(1);
	});
});

describe('the counts that the service keeps', () => {
	const MINUTE = 60_000;

	let accounts = 0;
	/** The requests: the number of feeds to count, or `counts` for the stored counts. */
	let requested: Array<number | 'counts'>;

	beforeEach(() => {
		makeVirtual(clock);
		accounts += 1;
		requested = [];
	});

	/** The account in one run or poll: three feeds of its 250 have a count. */
	function account(fault: Partial<Fault> = {}): WorldApi {
		const feeds = Object.fromEntries(
			Array.from({ length: 250 }, (_, n) => [n, { ps: 0, nt: n < 3 ? 1 : 0 }]),
		);
		const world = {
			ask: ({ route }: { route: string }, { query }: { query: Record<string, unknown> }) => {
				const isCounting = route === 'GET /reader/feed_unread_count';
				requested.push(isCounting ? (query.feed_id as string[]).length : 'counts');
				return { feeds: isCounting ? {} : feeds };
			},
		};
		return new WorldApi(world, { ...NO_FAULT, ...fault }, `account with counts ${accounts}`);
	}

	it('counts feeds without a count again after six days without a request', async () => {
		await keepCounted(account());
		await clock.sleep(6 * 24 * 60 * MINUTE + 1);
		await keepCounted(account());
		expect(requested.slice(4)).toEqual(['counts', 100, 100, 47]);
	});

	it('counts again 15 minutes after the start of the last request', async () => {
		await keepCounted(account());
		await clock.sleep(15 * MINUTE - 300);
		await keepCounted(account());
		expect(requested.slice(4)).toEqual(['counts']);
	});

	it('counts a hundred feeds of a write in one request', async () => {
		await leaveCounted(account(), [...Array.from({ length: 101 }, (_, n) => n), 0]);
		expect(requested).toEqual([100, 1]);
	});

	it('reports a failed count after a write, and counts a minute later', async () => {
		await keepCounted(account());
		const api = account({ at: 1, kind: 'server error' });
		const hint = jest.fn();
		api.hint = hint;
		await leaveCounted(api, [7]);
		expect(hint.mock.lastCall).toEqual([
			expect.stringMatching(/did not count .* feed 7: .* For up to 15 minutes/),
		]);
		await clock.sleep(MINUTE);
		await keepCounted(account());
		expect(requested.slice(4)).toEqual(['counts']);
	});
});
