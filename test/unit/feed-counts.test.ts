/** A trigger with counts that the service does not return. */
import { unreadCountReached } from '../../nodes/NewsReader/triggers/unread-count';
import { feedsNow } from '../../nodes/NewsReader/triggers/feed-counts';
import { countsForItem, unreadCountsIn } from '../../nodes/NewsReader/model/unread-counts';
import { clock } from '../../nodes/runtime/clock';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { NO_TROUBLE, WorldApi, type Trouble } from './trigger-world';

let time: VirtualClock;
let accounts = 0;

beforeEach(() => {
	time = makeVirtual(clock);
	accounts += 1;
});
afterEach(() => time.restore());

/** Asks once, which is the first poll of a trigger or a later one. */
async function requested(
	isFirst: boolean,
	trouble: Partial<Trouble>,
	feeds: object = { 1: { nt: 2, ps: 1 } },
) {
	const api = new WorldApi({ ask: () => ({ feeds }) }, { ...NO_TROUBLE, ...trouble }, `account ${accounts}`);
	return (await feedsNow(undefined, isFirst ? 'first' : 'later', api)).feeds;
}

it('are returned unchanged', async () => {
	expect(await requested(true, {})).toMatchObject([{ id: 1, neutral: 2, focus: 1 }]);
});

it('are waited for if the service asks to wait, but not by a first poll, which says why', async () => {
	expect(await requested(false, { at: 1, how: 'rate limit' })).toBeUndefined();
	await expect(requested(true, { at: 1, how: 'rate limit' })).rejects.toThrow('status 429');
});

it.each([true, false])('fail the poll where the service fails, be it the first: %s', async (isFirst) => {
	await expect(requested(isFirst, { at: 1, how: 'server error' })).rejects.toThrow('status 500');
});

it('are undefined if the service returns no feed', async () => {
	expect(await requested(false, {}, {})).toBeUndefined();
});

it('are requested anew where the request of another execution fails, by which they would have been shared', async () => {
	const account = `account ${accounts}`;
	let cancel = (): void => undefined;
	const cancelled = new WorldApi({ ask: () => ({}) }, NO_TROUBLE, account);
	cancelled.send = async () =>
		await new Promise((_, reject) => (cancel = () => reject(new Error('The execution was canceled'))));
	const first = countsForItem(cancelled, true);
	first.catch(() => undefined);
	await clock.sleep(1);
	const api = new WorldApi({ ask: () => ({ feeds: { 1: { nt: 2 } } }) }, NO_TROUBLE, account);
	const second = countsForItem(api, true);
	await clock.sleep(1);
	cancel();
	await expect(first).rejects.toThrow('canceled');
	expect(unreadCountsIn(await second)).toEqual([{ id: '1', nt: 2 }]);
	expect(api.requests).toBe(1);
});

it('are not taken for reached by a first poll that does not know them', () => {
	const watch = unreadCountReached.watch({ whichFeeds: 'all', threshold: 1 });
	expect(watch.baseline({ feeds: undefined, at: 1 }, 0)).toMatchObject({ isAbove: false });
});
