import { asReader, controls, withReader } from '../support/clients/reader-client.ts';

/** Accounts, sessions, and requests without a login. */

const reads = [
	'/reader/feeds',
	'/reader/favicons',
	'/reader/refresh_feeds',
	'/reader/feed/1',
	'/reader/starred_stories',
	'/reader/starred_story_hashes',
	'/reader/river_stories?feeds=1',
	'/reader/unread_story_hashes',
	'/reader/read_stories',
	'/reader/feeds_trainer',
	'/rss_feeds/statistics/1',
	'/rss_feeds/feed_autocomplete?term=e&v=2',
	'/classifier/1',
	'/social/river_stories?social_user_ids=1',
	'/social/stories/1/reader',
	'/social/load_user_friends',
	'/social/profile?user_id=1',
	'/social/settings/1/reader',
	'/social/statistics/1',
	'/social/find_friends?query=reader',
];
const writes = [
	'/reader/mark_story_hashes_as_read',
	'/reader/mark_all_as_read',
	'/reader/add_url',
	'/reader/add_folder',
	'/reader/rename_feed',
	'/reader/delete_feed',
	'/reader/save_feed_order',
	'/import/opml_upload',
	'/classifier/save',
	'/social/share_story',
	'/social/save_user_profile',
	'/social/follow',
	'/social/like_comment',
];

test.each([
	['contract', 401, 400],
	['wild', 200, 200],
] as const)('%s: a failed login reports the reason', (variant, wrong, missing) =>
	withReader({ variant }, async (anybody) => {
		const attempt = (fields: Record<string, string>) => anybody.post('/api/login', fields);
		const password = await attempt({ username: 'reader', password: 'not-it' });
		expect(password).toMatchObject({
			status: wrong,
			body: {
				code: -1,
				errors: { __all__: [expect.stringContaining('rong password')] },
				authenticated: false,
			},
		});
		expect(password.headers.get('set-cookie')).toBeNull();
		expect(password.body).not.toHaveProperty('user_id');
		expect(await attempt({ username: 'nobody', password: 'x' })).toMatchObject({
			status: wrong,
			body: { errors: { __all__: [expect.stringContaining('not registered')] } },
		});
		expect(await attempt({ password: 'x' })).toMatchObject({
			status: missing,
			body: { errors: { username: ['Please enter a username.'] } },
		});
		const json = await anybody.send('/api/login', {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ username: 'reader', password: 'sandbox-password' }),
		});
		expect(json.body).toMatchObject({ code: -1, errors: { username: ['Please enter a username.'] } });
	}),
);

test('contract: rejects all requests without a session', () =>
	withReader({}, async (anybody) => {
		for (const path of reads) {
			const { status, body } = await anybody.get(path);
			expect([path, status, body['code'], body['authenticated']]).toEqual([path, 401, -1, false]);
		}
		for (const path of writes) expect([path, (await anybody.post(path)).status]).toEqual([path, 401]);
	}));

test('anonymous-403: requests without a session return 403 without a body', () =>
	withReader({ wild: ['anonymous-403'] }, async (anybody) => {
		for (const path of ['/reader/feeds', '/social/profile']) {
			expect(await anybody.get(path)).toMatchObject({ status: 403, text: '' });
		}
	}));

test('revoked sessions of one account end immediately', () =>
	withReader({}, async (anybody) => {
		const [reader, friend] = [await anybody.as('reader'), await anybody.as('friend')];
		await anybody.as('reader');
		expect(await anybody.control(controls.revokeSessions, { username: 'reader' })).toEqual({ revoked: 2 });
		expect((await reader.get('/reader/feeds')).status).toBe(401);
		expect((await friend.get('/reader/feeds')).status).toBe(200);
		await expect(anybody.control(controls.revokeSessions, { username: 'nobody' })).rejects.toThrow('nobody');
	}));

test('unknown paths return 404', () =>
	asReader({}, async (reader) => {
		expect(await reader.get('/reader/nothing')).toMatchObject({ status: 404, body: { code: -1 } });
	}).then(() =>
		asReader({ variant: 'wild' }, async (reader) => {
			const { status, headers } = await reader.get('/nothing');
			expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
		}),
	));
