/** How items and polls share requests for counts. */
import { recentCounts, unreadCountsIn } from '../../nodes/NewsReader/model/unread-counts';
import { clock } from '../../nodes/runtime/clock';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { NO_FAULT, WorldApi } from './trigger-world';

let time: VirtualClock;
let accounts = 0;

beforeEach(() => {
	time = makeVirtual(clock);
	accounts += 1;
});
afterEach(() => time.restore());

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

it('requests new counts for an item after a minute', async () => {
	const api = new WorldApi({ ask: () => ({ feeds: {} }) }, NO_FAULT, `account ${accounts}`);
	await recentCounts(api);
	await clock.sleep(59_999);
	await recentCounts(api);
	expect(api.requests).toBe(1);
	await clock.sleep(1);
	await recentCounts(api);
	expect(api.requests).toBe(2);
});
