/** How the unread count trigger requests counts, and how it handles failed requests. */
import { unreadCountReached } from '../../nodes/NewsReader/triggers/unread-count';
import { feedsNow } from '../../nodes/NewsReader/triggers/feed-counts';
import { countsForItem, unreadCountsIn } from '../../nodes/NewsReader/model/unread-counts';
import { clock } from '../../nodes/runtime/clock';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { NO_FAULT, WorldApi, type Fault } from './trigger-world';

let time: VirtualClock;
let accounts = 0;

beforeEach(() => {
	time = makeVirtual(clock);
	accounts += 1;
});
afterEach(() => time.restore());

/** Requests the counts in the first or in a later poll. */
async function requestCounts(
	isFirst: boolean,
	fault: Partial<Fault>,
	feeds: object = { 1: { nt: 2, ps: 1 } },
) {
	const api = new WorldApi({ ask: () => ({ feeds }) }, { ...NO_FAULT, ...fault }, `account ${accounts}`);
	return (await feedsNow(undefined, isFirst ? 'first' : 'later', api)).feeds;
}

it('returns the counts of the service', async () => {
	expect(await requestCounts(true, {})).toMatchObject([{ id: 1, neutral: 2, focus: 1 }]);
});

it('returns no counts while rate-limited, except in a first poll, which fails', async () => {
	expect(await requestCounts(false, { at: 1, kind: 'rate limit' })).toBeUndefined();
	await expect(requestCounts(true, { at: 1, kind: 'rate limit' })).rejects.toThrow('status 429');
});

it.each([true, false])('fails the poll if the service fails (first poll: %s)', async (isFirst) => {
	await expect(requestCounts(isFirst, { at: 1, kind: 'server error' })).rejects.toThrow('status 500');
});

it('returns undefined if the response has no feeds', async () => {
	expect(await requestCounts(false, {}, {})).toBeUndefined();
});

it('requests the counts again if the shared request of another execution fails', async () => {
	const account = `account ${accounts}`;
	let cancel = (): void => undefined;
	const cancelled = new WorldApi({ ask: () => ({}) }, NO_FAULT, account);
	cancelled.send = async () =>
		await new Promise((_, reject) => (cancel = () => reject(new Error('The execution was canceled'))));
	const first = countsForItem(cancelled, 'last');
	first.catch(() => undefined);
	await clock.sleep(1);
	const api = new WorldApi({ ask: () => ({ feeds: { 1: { nt: 2 } } }) }, NO_FAULT, account);
	const second = countsForItem(api, 'last');
	await clock.sleep(1);
	cancel();
	await expect(first).rejects.toThrow('canceled');
	expect(unreadCountsIn(await second)).toEqual([{ id: '1', nt: 2 }]);
	expect(api.requests).toBe(1);
});

it('requests new counts for an item after a minute', async () => {
	const api = new WorldApi({ ask: () => ({ feeds: {} }) }, NO_FAULT, `account ${accounts}`);
	await countsForItem(api, 'last');
	await clock.sleep(59_999);
	await countsForItem(api, 'last');
	expect(api.requests).toBe(1);
	await clock.sleep(1);
	await countsForItem(api, 'last');
	expect(api.requests).toBe(2);
});

it('treats unknown counts of a first poll as below the threshold', () => {
	const watch = unreadCountReached.watch({ whichFeeds: 'all', threshold: 1 });
	expect(watch.baseline({ feeds: undefined, at: 1 }, 0)).toMatchObject({ isAbove: false });
});
