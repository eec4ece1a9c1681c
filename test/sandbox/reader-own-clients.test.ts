import { consent } from '../support/clients/consent.ts';
import { withReader, type ReaderClient } from '../support/clients/reader-client.ts';

/**
 * The requests of the service's own command line and agent server, as in its public repository
 * (samuelclay/NewsBlur, folder newsblur_mcp, read in 2026), in the same order and with the same parameters.
 * Excludes requests for newer hosts only (briefings, discovery, trending, the reading archive).
 */

const wild = { variant: 'wild', plan: 'archive' } as const;
const callback = 'http://127.0.0.1:49152/callback';
const commandLine = { client_id: 'newsblur-cli', redirect_uri: callback };

async function withToken(client: ReaderClient, token: unknown): Promise<ReaderClient> {
	client.headers = { authorization: `Bearer ${String(token)}` };
	return client;
}

/** `newsblur auth login`: no state, no PKCE, no secret. */
async function logIn(client: ReaderClient) {
	const end = await consent(client, { ...commandLine, scope: 'read write' }, 'true', '/oauth/authorize/');
	expect(end.href.startsWith(`${callback}?`)).toBe(true);
	return client.post('/oauth/token/', {
		grant_type: 'authorization_code',
		code: end.searchParams.get('code') ?? '',
		...commandLine,
	});
}

const asCommandLine = (run: (client: ReaderClient) => Promise<void>) =>
	withReader(wild, async (client) =>
		run(await withToken(client, (await logIn(client)).body['access_token'])),
	);

describe('the command line', () => {
	test('logs in, refreshes, and shows who it is', () =>
		withReader(wild, async (client) => {
			const given = await logIn(client);
			expect(given).toMatchObject({ status: 200, body: { token_type: 'Bearer', scope: 'read write' } });
			const refreshed = await client.post('/oauth/token/', {
				grant_type: 'refresh_token',
				refresh_token: String(given.body['refresh_token']),
				client_id: 'newsblur-cli',
			});
			expect(refreshed.status).toBe(200);
			await withToken(client, refreshed.body['access_token']);
			expect((await client.get('/oauth/user/info/')).body).toMatchObject({
				data: { name: 'reader', is_premium: true, is_archive: true, is_pro: false, feed_count: 10 },
			});
			expect((await client.get('/profile/is_premium', { retries: 0 })).body).toEqual({
				is_premium: true,
				is_premium_archive: true,
				code: 0,
				activated_subs: 10,
				total_subs: 10,
				result: 'ok',
				authenticated: true,
				user_id: 1,
			});
		}));

	test('reports that the plan is not sufficient', () =>
		withReader({ variant: 'wild', plan: 'premium' }, async (client) => {
			await withToken(client, (await logIn(client)).body['access_token']);
			expect((await client.get('/profile/is_premium', { retries: 0 })).body).toMatchObject({
				is_premium: true,
				is_premium_archive: false,
			});
		}));

	test('lists feeds, folders and stories', () =>
		asCommandLine(async (client) => {
			const { body } = await client.get('/reader/feeds', { flat: 'true' });
			expect(body['flat_folders']).toMatchObject({ Science: [5] });
			expect((await client.get('/reader/feed/5')).body).toMatchObject({ feed_id: 5, authenticated: true });
			expect((await client.get('/rss_feeds/statistics/5')).body).toMatchObject({
				stories_last_month: expect.any(Number),
				feed_fetch_history: expect.any(Array),
			});
			const page = { page: 1, limit: 12, order: 'newest', read_filter: 'unread' };
			const river = await client.post('/reader/river_stories', { ...page, feeds: [5] });
			expect(river.body.stories.length).toBeGreaterThan(0);
			const everything = await client.post('/reader/river_stories', { ...page, include_hidden: 'true' });
			expect(everything.body.stories).toHaveLength(12);
			const found = await client.post('/reader/river_stories', { query: 'the', page: 1, order: 'newest' });
			expect(found.body.stories.length).toBeGreaterThan(0);
			const seldom = await client.post('/reader/river_stories', { ...page, feeds: [1, 5], infrequent: 30 });
			expect(Array.isArray(seldom.body.stories)).toBe(true);
			const [story] = river.body.stories;
			const text = await client.get('/rss_feeds/original_text', { story_hash: story?.story_hash ?? '' });
			expect(text.body).toMatchObject({ original_text: expect.any(String), failed: false });
		}));

	test('saves, shares, reads and trains', () =>
		asCommandLine(async (client) => {
			const { stories } = (await client.post('/reader/river_stories', { page: 1, feeds: [5] })).body;
			const { story_hash } = stories[0] ?? { story_hash: '' };
			const done = { code: 1, authenticated: true };
			expect(
				(await client.post('/reader/mark_story_hashes_as_read', { story_hash: [story_hash] })).body,
			).toMatchObject(done);
			const history = await client.get('/reader/read_stories', { page: 1, order: 'newest', limit: 12 });
			expect(history.body.stories.map((story) => story.story_hash)).toContain(story_hash);

			const kept = { story_hash, user_tags: ['research', 'ai'], user_notes: 'Look again' };
			expect((await client.post('/reader/mark_story_hash_as_starred', kept)).body).toMatchObject(done);
			const saved = await client.get('/reader/starred_stories', { page: 1, order: 'newest', tag: 'ai' });
			expect(saved.body.stories).toMatchObject([{ story_hash, user_tags: ['research', 'ai'] }]);
			expect((await client.get('/reader/starred_counts')).body.starred_counts).toContainEqual(
				expect.objectContaining({ tag: 'ai', count: 1 }),
			);
			expect((await client.post('/reader/mark_story_hash_as_unstarred', { story_hash })).body).toMatchObject(
				done,
			);

			const share = { story_id: story_hash, feed_id: 5, comments: 'Worth it' };
			expect((await client.post('/social/share_story', share)).body).toMatchObject(done);
			const shared = await client.get('/social/river_stories', {
				page: 1,
				limit: 12,
				read_filter: 'all',
				global_feed: 'true',
			});
			expect(shared.body.stories.length).toBeGreaterThan(0);

			const trained = { feed_id: 5, like_title: ['moon', 'comet'], dislike_tag: ['rain'], like_feed: 5 };
			expect((await client.post('/classifier/save', trained)).body).toMatchObject({ code: 0 });
			expect((await client.get('/classifier/5')).body).toMatchObject({
				payload: { titles: { moon: 1, comet: 1 }, tags: { rain: -1 }, feeds: { '5': 1 } },
			});
			expect((await client.post('/reader/mark_feed_as_read', { feed_id: 5 })).body).toMatchObject({
				code: 1,
			});
			expect((await client.post('/reader/mark_all_as_read', { days: 7 })).body).toMatchObject({ code: 1 });
		}));

	test('subscribes, renames, moves and unsubscribes', () =>
		asCommandLine(async (client) => {
			const feed_id = 5;
			const { feeds } = (await client.get('/reader/feeds', { flat: 'true' })).body;
			expect((await client.post('/reader/delete_feed', { feed_id })).body).toMatchObject({ code: 1 });
			const url = String(feeds[feed_id]?.['feed_address']);
			const added = await client.post('/reader/add_url', { url, folder: 'Science' });
			expect(added.body).toMatchObject({ code: 1, feed: { id: feed_id } });
			const move = { feed_id, in_folder: 'Science', to_folder: '' };
			expect((await client.post('/reader/move_feed_to_folder', move)).body).toMatchObject({ code: 1 });
			expect(
				(await client.post('/reader/rename_feed', { feed_id, feed_title: 'Kitchen' })).body,
			).toMatchObject({ code: 1 });
			const folder = { folder_name: 'Science', new_folder_name: 'Sciences', in_folder: '' };
			expect((await client.post('/reader/rename_folder', folder)).body).toMatchObject({ code: 1 });
		}));

	test('sets notifications', () =>
		asCommandLine(async (client) => {
			const set = (fields: object) => client.post('/notifications/feed/', { feed_id: 5, ...fields });
			const given = await set({ notification_types: ['web', 'email'], notification_filter: 'focus' });
			const entry = { notification_types: ['email', 'web'], notification_filter: 'focus' };
			expect(given.body).toMatchObject({ notifications_by_feed: { '5': entry } });
			expect((await client.get('/notifications/')).body).toMatchObject({ '5': entry });
			expect((await set({})).body['notifications_by_feed']).toEqual({});
			expect((await client.get('/profile/get_preferences')).body).toMatchObject({ payload: {} });
		}));
});

test('the agent server: a registered application with a secret and a scope', () =>
	withReader(wild, async (client) => {
		const own = { client_id: 'newsblur-mcp-server', redirect_uri: 'http://127.0.0.1:8099/mcp/auth/callback' };
		const requested = { response_type: 'code', ...own, scope: 'read write mcp', state: 'x' };
		expect((await client.get('/oauth/authorize/', requested)).status).toBe(400);
		await client.control('/reader-service/sandbox/register-client', {
			client_id: own.client_id,
			client_secret: 'agent-secret',
		});
		const token = async (secret: Record<string, string>) => {
			const end = await consent(client, requested, 'true', '/oauth/authorize/');
			const code = end.searchParams.get('code') ?? '';
			return client.post('/oauth/token/', { grant_type: 'authorization_code', code, ...own, ...secret });
		};
		expect((await token({})).body['error']).toBe('invalid_client');
		expect((await token({ client_secret: 'wrong' })).body['error']).toBe('invalid_client');
		const given = await token({ client_secret: 'agent-secret' });
		expect(given).toMatchObject({ status: 200, body: { scope: 'read write mcp' } });
		await withToken(client, given.body['access_token']);
		expect((await client.get('/oauth/user/info/')).body).toMatchObject({ data: { is_archive: true } });
	}));

test('contract lacks both', () =>
	withReader({}, async (client) => {
		const requested = { response_type: 'code', ...commandLine };
		expect((await client.get('/oauth/authorize/', requested)).status).toBe(400);
		expect((await (await client.as('reader')).get('/profile/is_premium', { retries: 0 })).status).toBe(404);
	}));

test('user-info: an older host returns only name and id', () =>
	withReader({ wild: ['user-info'] }, async (client) => {
		const reader = await client.as('reader');
		expect((await reader.get('/oauth/user/info')).body['data']).toEqual({ name: 'reader', id: 1 });
	}));
