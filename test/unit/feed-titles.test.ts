/** Adds feed titles to stories: most lists of stories lack them. */
import type { ApiResponse } from '../../nodes/runtime/api-types';
import { withFeedTitles } from '../../nodes/NewsReader/model/stories';
import { clock } from '../../nodes/runtime/clock';
import { responseWith } from '../support/responses';
import { makeVirtual } from '../support/clock';
import { NO_FAULT, WorldApi } from './trigger-world';

const emptyResponse = responseWith({ stories: [] });
const storiesOf = (...feeds: number[]) =>
	feeds.map((id) => ({ story_hash: `${id}:a1b2c3`, story_feed_id: id }));

let accounts = 0;
let feeds: Array<{ id: number; feed_title: string }>;
let isFailing: boolean;

beforeEach(() => {
	makeVirtual(clock);
	accounts += 1;
	feeds = [{ id: 1, feed_title: 'One' }];
	isFailing = false;
});

/** Starts a run or poll of the account. */
function run(): WorldApi {
	const world = { ask: () => (isFailing ? {} : { feeds, folders: [] }) };
	return new WorldApi(world, NO_FAULT, `account ${accounts}`);
}

const titlesOf = async (stories: object[], from: ApiResponse, api: WorldApi) =>
	(await withFeedTitles(stories as never, from, api)).map(({ feed_title: title }) => title);

it('uses the titles of the response without another request', async () => {
	const api = run();
	const manyFeeds = responseWith({
		feeds: { 7: { id: 7, feed_title: 'Far Away' }, 8: { id: '8', feed_title: 'Near' } },
	});
	expect(await titlesOf(storiesOf(7, 8), manyFeeds, api)).toEqual(['Far Away', 'Near']);
	const singleFeed = responseWith({ stories: [], feed_id: 9, feed_title: 'Not Subscribed' });
	expect(await titlesOf(storiesOf(9), singleFeed, api)).toEqual(['Not Subscribed']);
	expect(api.requests).toBe(0);
});

it('returns null if a poll has no time to request titles', async () => {
	const api = Object.assign(run(), { hasTime: () => false });
	expect(await titlesOf(storiesOf(1), emptyResponse, api)).toEqual([null]);
	expect(api.requests).toBe(0);
});

it('requests the subscriptions once in a run, and again in the next run', async () => {
	const first = run();
	expect(await titlesOf(storiesOf(1, 2, 1), emptyResponse, first)).toEqual(['One', null, 'One']);
	expect(await titlesOf(storiesOf(2), emptyResponse, first)).toEqual([null]);
	expect(first.requests).toBe(1);
	feeds = [{ id: 1, feed_title: 'One anew' }];
	expect(await titlesOf(storiesOf(1), emptyResponse, run())).toEqual(['One anew']);
});

it('requests the subscriptions without new counts of unread stories', async () => {
	const api = run();
	const send = jest.spyOn(api, 'send');
	await titlesOf(storiesOf(1), emptyResponse, api);
	expect(send.mock.lastCall).toMatchObject([{ path: '/reader/feeds', query: { update_counts: false } }]);
});

it('requests the title of a new subscription immediately', async () => {
	expect(await titlesOf(storiesOf(1), emptyResponse, run())).toEqual(['One']);
	feeds.push({ id: 2, feed_title: 'Two' });
	expect(await titlesOf(storiesOf(2), emptyResponse, run())).toEqual(['Two']);
});

it('returns null if the service has no titles, after one request per run', async () => {
	isFailing = true;
	const api = run();
	expect(await titlesOf(storiesOf(1), emptyResponse, api)).toEqual([null]);
	expect(await titlesOf(storiesOf(1), emptyResponse, api)).toEqual([null]);
	expect(api.requests).toBe(1);
	isFailing = false;
	expect(await titlesOf(storiesOf(1), emptyResponse, run())).toEqual(['One']);
});
