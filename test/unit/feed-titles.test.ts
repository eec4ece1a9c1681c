/** The titles of stories' feeds, which most lists of stories leave out. */
import type { ApiResponse } from '../../nodes/runtime/api-types';
import { withFeedTitles } from '../../nodes/NewsReader/model/feed-titles';
import { clock } from '../../nodes/runtime/clock';
import { responseWith } from '../support/cases/response';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { NO_TROUBLE, WorldApi } from './trigger-world';

const bare = responseWith({ stories: [] });
const of = (...feeds: number[]) => feeds.map((id) => ({ story_hash: `${id}:a1b2c3`, story_feed_id: id }));

let time: VirtualClock;
let accounts = 0;
let feeds: Array<{ id: number; feed_title: string }>;
let isAway: boolean;

beforeEach(() => {
	time = makeVirtual(clock);
	accounts += 1;
	feeds = [{ id: 1, feed_title: 'One' }];
	isAway = false;
});
afterEach(() => time.restore());

/** One run or poll of the account. */
function run(): WorldApi {
	const world = { ask: () => (isAway ? {} : { feeds, folders: [] }) };
	return new WorldApi(world, NO_TROUBLE, `account ${accounts}`);
}

const titles = async (stories: object[], from: ApiResponse, api: WorldApi) =>
	(await withFeedTitles(stories as never, from, api)).map(({ feed_title: title }) => title);

it('come from the response if it has them, without another request', async () => {
	const api = run();
	const many = responseWith({
		feeds: { 7: { id: 7, feed_title: 'Far Away' }, 8: { id: '8', feed_title: 'Near' } },
	});
	expect(await titles(of(7, 8), many, api)).toEqual(['Far Away', 'Near']);
	const ofOneFeed = responseWith({ stories: [], feed_id: 9, feed_title: 'Not Subscribed' });
	expect(await titles(of(9), ofOneFeed, api)).toEqual(['Not Subscribed']);
	expect(api.requests).toBe(0);
});

it('are left out if a poll has no time to request them', async () => {
	const api = Object.assign(run(), { hasTime: () => false });
	expect(await titles(of(1), bare, api)).toEqual([null]);
	expect(api.requests).toBe(0);
});

it('otherwise come from the subscriptions, requested once a minute at most', async () => {
	const first = run();
	expect(await titles(of(1, 2, 1), bare, first)).toEqual(['One', null, 'One']);
	expect(await titles(of(2), bare, first)).toEqual([null]);
	expect(first.requests).toBe(1);
	const second = run();
	feeds = [{ id: 1, feed_title: 'One anew' }];
	expect(await titles(of(1), bare, second)).toEqual(['One']);
	expect(second.requests).toBe(0);
	await clock.sleep(60_000);
	expect(await titles(of(1), bare, second)).toEqual(['One anew']);
});

it('of a newly subscribed feed are requested at once', async () => {
	expect(await titles(of(1), bare, run())).toEqual(['One']);
	feeds.push({ id: 2, feed_title: 'Two' });
	expect(await titles(of(2), bare, run())).toEqual(['Two']);
});

it('are null if the service has none, after one request per run', async () => {
	isAway = true;
	const api = run();
	expect(await titles(of(1), bare, api)).toEqual([null]);
	expect(await titles(of(1), bare, api)).toEqual([null]);
	expect(api.requests).toBe(1);
	isAway = false;
	expect(await titles(of(1), bare, run())).toEqual(['One']);
});
