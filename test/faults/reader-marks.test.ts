/** Tests that the reported stages are correct if the responses of the service are incomplete or wrong. */
import type { IDataObject } from 'n8n-workflow';
import type { Reply } from '../support/hosts/fake-host';
import { byId, records, runReader, sessionCredential } from '../support/nodes/reader-node';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import { addStories, LIVE_WIRE } from '../support/clients/reader-client.ts';
import { DAY_MS } from '../support/clock.ts';
import { engine } from '../support/nodes/suite-engine';

const FEED = 1;
const UNKNOWN_FEED = 999;
const MISSING_HASH = `${FEED}:ffffff`;

let reader: ReaderSandbox;
beforeEach(async () => {
	reader = await ReaderSandbox.start({ variant: 'wild' });
	engine.credentials.setAll(sessionCredential(reader.baseUrl));
});

const runAll = async (name: string, parameters: object, inputs: object[] = [{}]): Promise<IDataObject[]> => {
	const [resource, operation] = name.split('.');
	const all = { resource, operation, ...parameters };
	return records(await runReader(engine, all, inputs, { onError: 'continueRegularOutput' }));
};

/** Sets the response of one path. */
const respondTo = (path: string, response: object, status = 200): void => {
	const reply: Reply = {
		status,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ result: 'ok', authenticated: true, user_id: 1, ...response }),
	};
	reader.host.respond = ({ path: requested }) => (requested.endsWith(path) ? reply : undefined);
};

const markFeedsRead = (feedIds: number[], more: object = {}) =>
	runAll('feed.markRead', { whichFeeds: 'feeds', feedIds, ...more });

describe('marking feeds as read', () => {
	it('fails only the unsubscribed feed, although the service does not name it', async () => {
		const parameters = { whichFeeds: 'feeds', feedIds: '={{ $json.id }}' };
		const [done, refused] = await runAll('feed.markRead', parameters, [{ id: FEED }, { id: UNKNOWN_FEED }]);
		expect(done).toEqual({ feedId: FEED, read: true });
		expect(refused).toMatchObject({
			error: expect.stringMatching(/User not subscribed.* \[item 1\]$/) as string,
		});
		expect(await reader.unreadHashes(FEED)).toEqual([]);
	});

	it('does not apply an error to a feed whose id occurs in the message as another number', async () => {
		reader.host.respond = ({ path, body }) =>
			path.endsWith('/mark_feed_as_read')
				? {
						status: 200,
						headers: { 'content-type': 'application/json' },
						body: JSON.stringify({
							code: 1,
							errors: body.includes('feed_id=5') ? ['Feed 5 is busy, try again in 7 seconds'] : [],
							authenticated: true,
						}),
					}
				: undefined;
		expect(await markFeedsRead([7, 5])).toMatchObject([
			{ feedId: 7, read: true },
			{ error: expect.stringContaining('“Feed 5 is busy, try again in 7 seconds”') as string },
		]);
	});

	/** Adds stories to a feed whose stored unread count is 0. @returns their hashes */
	async function addUncountedStories(count: number): Promise<string[]> {
		const me = await reader.logIn();
		await me.get('/reader/feeds');
		await me.post('/reader/mark_all_as_read');
		await me.get('/reader/refresh_feeds');
		reader.client.clock.advance(8 * DAY_MS);
		return await addStories(me, count);
	}

	it('marks stories that the service does not count as unread', async () => {
		const hashes = await addUncountedStories(3);
		expect(hashes).toHaveLength(3);
		expect(await markFeedsRead([FEED, LIVE_WIRE])).toHaveLength(2);
		expect(await reader.unreadHashes(LIVE_WIRE)).toEqual([]);
	});

	it('marks uncounted stories only up to the cutoff', async () => {
		const hashes = await addUncountedStories(3);
		const me = await reader.logIn();
		const { stories } = (await me.get(`/reader/feed/${LIVE_WIRE}`)).body;
		const middle = stories.find(({ story_hash: hash }) => hash === hashes[1]);
		const cutoffDate = Number(middle?.story_timestamp);
		await markFeedsRead([LIVE_WIRE], { whichStories: 'older', cutoffDate });
		const newer = stories.filter(({ story_timestamp: time }) => Number(time) > cutoffDate);
		expect(newer).toHaveLength(1);
		expect(await reader.unreadHashes(LIVE_WIRE)).toEqual(newer.map(({ story_hash: hash }) => hash));
	});

	it('marks all feeds, including uncounted stories', async () => {
		expect(await addUncountedStories(2)).toHaveLength(2);
		expect(await runAll('feed.markAllRead', { days: 0 })).toEqual([{ success: true, message: null }]);
		expect(await reader.unreadHashes(LIVE_WIRE)).toEqual([]);
	});
});

describe('marking stories', () => {
	it('is in doubt about several feeds if the service refuses one of them', async () => {
		const error = 'You are not subscribed to this feed_id: 999';
		respondTo('/mark_feed_stories_as_read', { code: -1, error });
		const markRead = async (feedsStories: object): Promise<unknown> =>
			(await runAll('story.markFeedStoriesRead', { feedsStories: JSON.stringify(feedsStories) }))[0]?.details;
		expect(await markRead({ 1: ['a'], 999: ['b'] })).toContain('may have carried out');
		expect(await markRead({ 999: ['b'] })).not.toContain('may have carried out');
	});

	it('marks stories as unread even if one of the batch is missing', async () => {
		const hashes = (await reader.unreadHashes(FEED)).slice(0, 3);
		await runAll('story.markRead', { storyHash: hashes });
		const storyHash = [hashes[0], MISSING_HASH, hashes[1], hashes[2]];
		const [first, missing, ...others] = await runAll('story.markUnread', { storyHash });
		expect([first, ...others]).toEqual(hashes.map((hash) => ({ hash, read: false })));
		expect(missing).toMatchObject({ error: expect.stringContaining('has been removed') as string });
		expect(await reader.unreadHashes(FEED)).toEqual(expect.arrayContaining(hashes));
	});

	it('does not continue one by one if the first single story also fails', async () => {
		respondTo('/mark_story_hash_as_unread', {}, 500);
		const reported = await runAll('story.markUnread', { storyHash: ['1:a', '1:b', '1:c'] });
		expect(reported).toHaveLength(3);
		expect(reported.every(({ error }) => typeof error === 'string')).toBe(true);
		const sent = reader.host.requestsTo('/mark_story_hash_as_unread').map(({ body }) => body);
		expect(new Set(sent)).toEqual(
			new Set(['story_hash=1%3Aa&story_hash=1%3Ab&story_hash=1%3Ac', 'story_hash=1%3Aa']),
		);
	});

	it('does not report a story as changed that was already read', async () => {
		const [hash] = await reader.unreadHashes(FEED);
		await runAll('story.markRead', { storyHash: hash });
		expect(await runAll('story.markRead', { storyHash: hash })).toEqual([
			{ hash, read: true, changed: null },
		]);
	});

	it.each([
		['story.markRead', '/mark_story_hashes_as_read'],
		['savedStory.save', '/mark_story_hash_as_starred'],
		['savedStory.unsave', '/mark_story_hash_as_unstarred'],
	])('reports the error of a successful response for %s', async (name, path) => {
		const [hash] = await reader.unreadHashes(FEED);
		respondTo(path, { code: 1, errors: ['Database is down'] });
		expect(await runAll(name, { storyHash: hash })).toMatchObject([
			{ error: expect.stringContaining('“Database is down”') as string },
		]);
	});
});

it('deletes a feed outside all folders, for which the service only reports success', async () => {
	const client = await reader.logIn();
	const subscribed = async () => Object.keys((await client.get('/reader/feeds')).body.feeds);
	const nowhere = { feed_id: LIVE_WIRE, in_folder: '', to_folder: 'Nowhere' };
	await client.post('/reader/move_feed_to_folder', nowhere);
	expect((await client.post('/reader/delete_feed', { feed_id: LIVE_WIRE, in_folder: '' })).body.code).toBe(1);
	expect(await subscribed()).toContain(String(LIVE_WIRE));
	expect(await runAll('feed.delete', { feedId: byId(LIVE_WIRE) })).toMatchObject([{ success: true }]);
	expect(await subscribed()).not.toContain(String(LIVE_WIRE));
});

describe('following users', () => {
	const follow = async (operation: string, response: object): Promise<unknown> => {
		respondTo(`/social/${operation}`, response);
		const [reported] = await runAll(`user.${operation}`, { userId: byId(2) });
		return reported?.error ?? 'done';
	};
	const profiles = (key: string, followed: boolean | null, ids: number[], more: object = {}) => ({
		user_profile: { user_id: 1, following_user_ids: ids },
		[key]: { user_id: 2, followed_by_you: followed, ...more },
	});

	it('reports a user as followed only if the response confirms it', async () => {
		const following = (followed: boolean | null, ids: number[], more?: object) =>
			follow('follow', profiles('follow_profile', followed, ids, more));
		const failure = 'The service did not follow user 2 [item 0]';
		expect(await following(true, [3, 2])).toBe('done');
		expect(await following(false, [3])).toBe(failure);
		// Private users have to accept; the response to following yourself has no state.
		expect(await following(false, [3], { requested_follow: true })).toBe('done');
		expect(await following(null, [3])).toBe('done');
	});

	it('reports a user as unfollowed only if the response confirms it', async () => {
		const unfollowing = (followed: boolean, ids: number[]) =>
			follow('unfollow', profiles('unfollow_profile', followed, ids));
		expect(await unfollowing(false, [3])).toBe('done');
		expect(await unfollowing(true, [3, 2])).toBe('The service did not unfollow user 2 [item 0]');
		const self = { user_profile: { user_id: 2, following_user_ids: [3] }, unfollow_profile: { user_id: 2 } };
		expect(await follow('unfollow', self)).toBe('The service did not unfollow user 2 [item 0]');
		expect(await follow('follow', { ...self, follow_profile: { user_id: 2 } })).toBe('done');
	});

	it('is in doubt about a user who may be deleted: the service removes the follow and then fails', async () => {
		reader.host.respond = ({ path }) => (path.includes('/social/') ? { status: 500, body: {} } : undefined);
		const [reported] = await runAll('user.unfollow', { userId: byId(2) });
		expect(reported?.error).toContain('2 is not a user of the service, or it fails now');
		expect(reported?.details).toContain('may have carried out');
	});
});
