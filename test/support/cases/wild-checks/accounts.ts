import { controls } from '../../clients/reader-client.ts';
import { allWithStatus, statuses, storiesOf, type Checks } from './check.ts';

/** Accounts, sessions and failures. */
export const accountChecks: Checks = {
	'loose-passwords': async (client) => {
		client.headers = {};
		const signup = { username: 'ada', email: 'ada@reader.example', password: '' };
		expect((await client.post('/api/signup', signup)).body.code).toBe(1);
		for (const password of ['', 'ada', 'anything']) {
			expect((await client.post('/api/login', { username: 'ada', password })).body.code).toBe(1);
		}
		expect((await client.post('/api/login', { username: 'reader', password: 'x' })).body.code).toBe(-1);
		const own = { username: 'ada', email: 'ada@reader.example', password: 'ada' };
		expect((await client.post('/api/signup', own)).body['errors']).toHaveProperty('email');
	},
	'long-logins': async (client) => {
		const username = 'a.very.long.name.indeed@reader.example';
		expect((await client.post('/api/login', { username, password: 'x' })).body['errors']).toEqual({
			username: [`Ensure this value has at most 30 characters (it has ${username.length}).`],
		});
	},
	'one-session': async (client) => {
		const { cookie } = client.headers;
		const login = (username: string) => client.post('/api/login', { username, password: 'sandbox-password' });
		expect((await login('reader')).headers.get('set-cookie')?.split(';', 1)[0]).toBe(cookie);
		expect((await login('friend')).headers.get('set-cookie')?.split(';', 1)[0]).not.toBe(cookie);
		expect((await client.get('/reader/feeds')).status).toBe(401);
		const friend = await client.as('friend');
		await friend.post('/api/signup', { username: 'ada', email: 'ada@reader.example', password: 'x' });
		expect((await friend.get('/reader/feeds')).status).toBe(401);
	},
	'user-info': async (client) => {
		expect((await client.get('/oauth/user/info')).body['data']).toEqual({ name: 'reader', id: 1 });
	},
	'html-401': async (client) => {
		client.headers = {};
		const { status, headers } = await client.get('/oauth/user/info');
		expect([status, headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
	},
	'bad-fields': async (client) => {
		const broken: [string, Record<string, string>?][] = [
			['/reader/add_url', {}],
			['/reader/rename_feed', {}],
			['/reader/save_feed_order', { folders: 'no JSON' }],
			['/social/share_story', {}],
			['/social/share_story', { feed_id: 'x', story_id: 'y' }],
			['/reader/mark_feed_as_read', { feed_id: '1', cutoff_timestamp: 'abc' }],
			['/reader/mark_feed_as_read', { feed_id: '1', direction: 'newer' }],
			['/reader/river_stories?page=abc'],
			['/reader/river_stories?feeds=1&feeds=abc'],
			['/reader/river_stories?feeds=social:2'],
			['/reader/feed/1?page='],
			['/reader/starred_stories?limit=abc'],
			['/reader/unread_story_hashes?feed_id=abc'],
			['/reader/refresh_feeds?feed_id=abc'],
		];
		expect(await statuses(client, broken)).toEqual(allWithStatus(500, broken));
		expect((await client.get('/reader/refresh_feeds', { feed_id: 'social:2' })).status).toBe(200);
		expect((await client.post('/reader/save_feed_order')).body).toMatchObject({ result: 'ok' });
		const typed = { story_id: 'x', feed_id: 'abc' };
		expect(await client.get('/social/public_comments', typed)).toMatchObject({
			status: 400,
			body: { message: "Invalid paramter: feed_id - needs to be <class 'int'>", code: -1 },
		});
	},
	'checked-methods': async (client) => {
		const { status, body } = await client.post('/social/find_friends', { query: 'x' });
		expect([status, body]).toEqual([405, { message: 'Invalid HTTP method. Use GET.', code: -1 }]);
		client.headers = {};
		expect((await client.get('/reader/mark_story_hash_as_starred')).body).toEqual({
			message: 'Invalid HTTP method. Use POST.',
			code: -1,
		});
		expect((await client.get('/reader/mark_story_hash_as_unread')).status).toBe(401);
	},
	'lost-writes': async (client) => {
		for (const name of ['ada', 'bea']) {
			await client.post('/api/signup', { username: name, email: `${name}@reader.example`, password: 'x' });
		}
		await client.control(controls.settings, { write_overlap: 2 });
		const both = (path: string, first: Record<string, string>, second: Record<string, string>) =>
			Promise.all([first, second].map((fields) => client.post(path, fields)));
		const followed = await both('/social/follow', { user_id: 'ada' }, { user_id: 'bea' });
		expect(followed.map(({ status }) => status)).toEqual([200, 200]);
		const added = await both('/reader/add_folder', { folder: 'One' }, { folder: 'Two' });
		expect(added.map(({ body }) => body.code)).toEqual([1, 1]);
		await client.control(controls.settings, { write_overlap: 1 });
		const profile = (await client.get('/social/load_user_profile')).body.user_profile;
		expect(profile['following_user_ids']).toHaveLength(2);
		const { folders } = (await client.get('/reader/feeds')).body;
		const names = folders.flatMap((entry) => Object.keys(entry as object));
		expect(names.filter((name) => ['One', 'Two'].includes(name))).toHaveLength(1);

		await client.post('/social/follow', { user_id: 'ada' });
		await client.post('/social/follow', { user_id: 'bea' });
		const again = (await client.get('/social/load_user_profile')).body.user_profile;
		expect(again['following_user_ids']).toHaveLength(3);
	},
	'unknown-users': async (client) => {
		const unknown: [string, Record<string, number>?][] = [
			['/social/profile?user_id=99'],
			['/social/settings/99/'],
			['/social/statistics/99'],
			['/social/feed_trainer?user_id=99'],
			['/social/interactions?user_id=99'],
			['/social/activities?user_id=99'],
			...['follow', 'unfollow', 'mute_user', 'unmute_user'].map((name): [string, Record<string, number>] => [
				`/social/${name}`,
				{ user_id: 99 },
			]),
		];
		expect(await statuses(client, unknown)).toEqual(allWithStatus(500, unknown));
		const reply = { story_feed_id: 1, story_id: 'x', comment_user_id: 99, reply_comments: 'x' };
		expect((await client.post('/social/save_comment_reply', reply)).status).toBe(500);
		const elsewhere: [string][] = [['/social/stories/99/'], ['/social/page/99/'], ['/social/rss/99/x']];
		expect(await statuses(client, elsewhere)).toEqual(allWithStatus(404, elsewhere));
		expect((await client.post('/social/follow', { user_id: 'nobody' })).status).toBe(404);
	},
	'unknown-feeds': async (client) => {
		const title = (await client.get('/reader/feeds')).body.feeds['9']?.feed_title;
		await client.post('/reader/delete_feed', { feed_id: 9 });
		expect((await client.get('/reader/feeds_trainer', { feed_id: 999 })).status).toBe(404);
		expect((await client.get('/reader/feeds_trainer', { feed_id: 9 })).body.feeds).toEqual([]);
		expect((await client.get('/classifier/999')).body).toMatchObject({ payload: { feeds: {}, tags: {} } });
		expect((await client.get('/classifier/social:2')).status).toBe(404);
		const rename = (feed_id: number, feed_title: string) =>
			client.post('/reader/rename_feed', { feed_id, feed_title });
		expect((await rename(999, 'x')).status).toBe(404);
		expect((await rename(9, 'x')).body.message).toBe(`You are not subscribed to ${title}`);
		await rename(1, 'x'.repeat(300));
		expect((await client.get('/reader/feeds')).body.feeds['1']?.feed_title).toHaveLength(255);
		await rename(1, '');
		expect((await client.get('/reader/feeds')).body.feeds['1']?.feed_title).toBe('The Harbour Lantern');
		await client.post('/social/unfollow', { user_id: 2 });
		const train = { feed_id: 'social:2', like_tag: 'x' };
		expect((await client.post('/classifier/save', train)).status).toBe(500);
	},
	'unknown-shares': async (client) => {
		const nothing = { feed_id: 1, story_id: 'nothing' };
		expect((await client.post('/social/unshare_story', nothing)).status).toBe(500);
		const comment = { story_feed_id: 1, story_id: 'nothing', comment_user_id: 2, reply_id: 'x' };
		expect((await client.post('/social/remove_comment_reply', comment)).status).toBe(500);
		expect((await client.post('/social/remove_like_comment', comment)).status).toBe(500);
		for (const source_user_id of ['999', 'nobody']) {
			const [story] = await storiesOf(client, 6);
			const share = { feed_id: 6, story_id: story?.id ?? '', comments: 'kept', source_user_id };
			expect((await client.post('/social/share_story', share)).status).toBe(500);
			const kept = (await client.get('/social/stories/1/')).body.stories[0];
			expect(kept).toMatchObject({ story_hash: story?.story_hash, shared_comments: 'kept' });
			expect((await client.post('/social/share_story', share)).body.code).toBe(1);
			await client.post('/social/unshare_story', share);
		}
	},
	'reader-home': async (client) => {
		const home = await client.get('/reader/nothing');
		expect([home.status, home.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
		expect((await client.get('/social/nothing')).status).toBe(404);
	},
	'brackets-ignored': async (client) => {
		const hash = { 'story_hash[]': '1:zzzzzz' };
		expect((await client.post('/reader/mark_story_hash_as_unread', hash)).status).toBe(400);
		expect((await client.post('/reader/mark_story_hashes_as_read', hash)).status).toBe(200);
	},
	'searches-open': async (client) => {
		const save = (feed_id: string, query: string) => client.post('/reader/save_search', { feed_id, query });
		const saved = (await save('feed:1', 'harbour')).body['saved_searches'] as { feed_address: string }[];
		expect(saved).toMatchObject([{ query: 'harbour', active: true }]);
		expect((await fetch(saved[0]?.feed_address ?? '')).status).toBe(404);
		client.headers = {};
		expect((await save('feed:1', 'harbour')).status).toBe(500);
		expect((await client.post('/reader/save_search', { feed_id: 'feed:1' })).status).toBe(400);
	},
};
