/** Writes whose responses prove little: reported stages are true. */
import type { IDataObject } from 'n8n-workflow';
import type { Engine } from '../../engine/index.ts';
import type { Reply } from '../support/hosts/fake-host';
import { byId, records, runReader, sessionCredential, startEngine } from '../support/nodes/reader-node';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import { controls } from '../support/clients/reader-client.ts';
import { DAY_MS } from '../support/clock.ts';
import { addStories, LIVE_WIRE } from '../support/cases/wild-checks/check.ts';

const LANTERN = 1;
const NOBODYS = 999;
const GONE = `${LANTERN}:ffffff`;

let engine: Engine;
let reader: ReaderSandbox;

beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(async () => {
	reader = await ReaderSandbox.start({ variant: 'wild' });
	await reader.client.control(controls.settings, { fetch_seconds: 0 });
	engine.credentials.setAll(sessionCredential(reader.baseUrl));
});
afterEach(() => reader.stop());

const perform = async (name: string, parameters: object, inputs: object[] = [{}]): Promise<IDataObject[]> => {
	const [resource, operation] = name.split('.');
	const all = { resource, operation, ...parameters };
	return records(await runReader(engine, all, inputs, { onError: 'continueRegularOutput' }));
};

/** Sets the response of one path. */
const answering = (path: string, response: object, status = 200): void => {
	const reply: Reply = {
		status,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ result: 'ok', authenticated: true, user_id: 1, ...response }),
	};
	reader.host.respond = ({ path: requested }) => (requested.endsWith(path) ? reply : undefined);
};

const feedsRead = (feedIds: number[], more: object = {}) =>
	perform('feed.markRead', { whichFeeds: 'feeds', feedIds, ...more });

describe('feeds marked read', () => {
	it('fail alone where they are not subscribed, though the service names none', async () => {
		const [done, refused] = await feedsRead([LANTERN, NOBODYS]);
		expect(done).toEqual({ feedId: LANTERN, read: true });
		expect(refused).toMatchObject({ error: expect.stringContaining('User not subscribed') as string });
		expect(await reader.unreadHashes(LANTERN)).toEqual([]);
	});

	it('do not fail because of a number in another entry’s result', async () => {
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
		expect(await feedsRead([7, 5])).toMatchObject([
			{ feedId: 7, read: true },
			{ error: 'Feed 5 is busy, try again in 7 seconds' },
		]);
	});

	/** Puts stories into a feed whose stored unread count is 0, and returns their hashes. */
	async function uncounted(count: number): Promise<string[]> {
		const me = await reader.logIn();
		await me.get('/reader/feeds');
		await me.post('/reader/mark_all_as_read');
		await me.get('/reader/refresh_feeds');
		reader.client.clock.advance(8 * DAY_MS);
		return await addStories(me, count);
	}

	it('are read where the service counts them as read and does nothing', async () => {
		const hashes = await uncounted(3);
		expect(hashes).toHaveLength(3);
		expect(await feedsRead([LANTERN, LIVE_WIRE])).toHaveLength(2);
		expect(await reader.unreadHashes(LIVE_WIRE)).toEqual([]);
	});

	it('are then read up to the cutoff only', async () => {
		const hashes = await uncounted(3);
		const me = await reader.logIn();
		const { stories } = (await me.get(`/reader/feed/${LIVE_WIRE}`)).body;
		const middle = stories.find(({ story_hash: hash }) => hash === hashes[1]);
		const cutoffDate = Number(middle?.story_timestamp);
		await feedsRead([LIVE_WIRE], { whichStories: 'older', cutoffDate });
		const newer = stories.filter(({ story_timestamp: time }) => Number(time) > cutoffDate);
		expect(newer).toHaveLength(1);
		expect(await reader.unreadHashes(LIVE_WIRE)).toEqual(newer.map(({ story_hash: hash }) => hash));
	});

	it('are all read, those that the service counts as read too', async () => {
		expect(await uncounted(2)).toHaveLength(2);
		expect(await perform('feed.markAllRead', { days: 0 })).toEqual([{ success: true, message: null }]);
		expect(await reader.unreadHashes(LIVE_WIRE)).toEqual([]);
	});
});

describe('stories', () => {
	it('marked as unread together with a missing one are unread', async () => {
		const hashes = (await reader.unreadHashes(LANTERN)).slice(0, 3);
		await perform('story.markRead', { storyHash: hashes });
		const storyHash = [hashes[0], GONE, hashes[1], hashes[2]];
		const [first, gone, ...others] = await perform('story.markUnread', { storyHash });
		expect([first, ...others]).toEqual(hashes.map((hash) => ({ hash, read: false })));
		expect(gone).toMatchObject({ error: expect.stringContaining('has been removed') as string });
		expect(await reader.unreadHashes(LANTERN)).toEqual(expect.arrayContaining(hashes));
	});

	it('are not tried one by one where the service fails for one alone, too', async () => {
		answering('/mark_story_hash_as_unread', {}, 500);
		const reported = await perform('story.markUnread', { storyHash: ['1:a', '1:b', '1:c'] });
		expect(reported).toHaveLength(3);
		expect(reported.every(({ error }) => typeof error === 'string')).toBe(true);
		const sent = reader.host.requestsTo('/mark_story_hash_as_unread').map(({ body }) => body);
		expect(new Set(sent)).toEqual(
			new Set(['story_hash=1%3Aa&story_hash=1%3Ab&story_hash=1%3Ac', 'story_hash=1%3Aa']),
		);
	});

	it('that were already read are not reported as changed', async () => {
		const [hash] = await reader.unreadHashes(LANTERN);
		await perform('story.markRead', { storyHash: hash });
		expect(await perform('story.markRead', { storyHash: hash })).toEqual([
			{ hash, read: true, changed: null },
		]);
	});

	it.each([
		['story.markRead', '/mark_story_hashes_as_read'],
		['savedStory.save', '/mark_story_hash_as_starred'],
		['savedStory.unsave', '/mark_story_hash_as_unstarred'],
	])('are not reported as done by %s if the service returns an error with success', async (name, path) => {
		const [hash] = await reader.unreadHashes(LANTERN);
		answering(path, { code: 1, errors: ['Database is down'] });
		expect(await perform(name, { storyHash: hash })).toMatchObject([{ error: 'Database is down' }]);
	});
});

it('a feed that is in no folder is deleted, though the service would only say so', async () => {
	const client = await reader.logIn();
	const subscribed = async () => Object.keys((await client.get('/reader/feeds')).body.feeds);
	const nowhere = { feed_id: LIVE_WIRE, in_folder: '', to_folder: 'Nowhere' };
	await client.post('/reader/move_feed_to_folder', nowhere);
	expect((await client.post('/reader/delete_feed', { feed_id: LIVE_WIRE, in_folder: '' })).body.code).toBe(1);
	expect(await subscribed()).toContain(String(LIVE_WIRE));
	expect(await perform('feed.delete', { feedId: byId(LIVE_WIRE) })).toMatchObject([{ success: true }]);
	expect(await subscribed()).not.toContain(String(LIVE_WIRE));
});

describe('a user', () => {
	const follow = async (operation: string, response: object): Promise<unknown> => {
		answering(`/social/${operation}`, response);
		const [reported] = await perform(`user.${operation}`, { userId: byId(2) });
		return reported?.error ?? 'done';
	};
	const profiles = (key: string, followed: boolean | null, ids: number[], more: object = {}) => ({
		user_profile: { user_id: 1, following_user_ids: ids },
		[key]: { user_id: 2, followed_by_you: followed, ...more },
	});

	it('is followed only if the response shows it', async () => {
		const following = (followed: boolean | null, ids: number[], more?: object) =>
			follow('follow', profiles('follow_profile', followed, ids, more));
		const failure = 'The service says that user 2 is not followed';
		expect(await following(true, [3, 2])).toBe('done');
		expect(await following(false, [3])).toBe(failure);
		expect(await following(true, [3])).toBe(failure);
		// A long list is cut; a private user has to accept; the response to following oneself shows nothing.
		expect(await following(true, Array<number>(48).fill(3))).toBe('done');
		expect(await following(false, [3], { requested_follow: true })).toBe('done');
		expect(await following(null, [3])).toBe('done');
	});

	it('is no longer followed only if the response shows it', async () => {
		const unfollowing = (followed: boolean, ids: number[]) =>
			follow('unfollow', profiles('unfollow_profile', followed, ids));
		expect(await unfollowing(false, [3])).toBe('done');
		expect(await unfollowing(true, [3, 2])).toBe('The service says that user 2 is still followed');
		const self = { user_profile: { user_id: 2, following_user_ids: [3] }, unfollow_profile: { user_id: 2 } };
		expect(await follow('unfollow', self)).toBe('The service did nothing: nobody can unfollow themselves');
		expect(await follow('follow', { ...self, follow_profile: { user_id: 2 } })).toBe('done');
	});
});
