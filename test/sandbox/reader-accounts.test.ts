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

test.each(['contract', 'wild'] as const)(
	'%s: logging in creates a session, logging out ends only that session',
	(variant) =>
		withReader({ variant }, async (anybody) => {
			const first = await anybody.as('reader');
			const second = await anybody.as('READER@reader.example');
			expect(first.headers['cookie']).toMatch(
				variant === 'contract' ? /^reader_sessionid=\S+$/ : /^newsreader_sessionid=\S+$/,
			);
			expect((await first.get('/reader/starred_story_hashes')).body).toMatchObject({
				authenticated: true,
				user_id: 1,
			});
			expect((await first.post('/api/logout')).body).toMatchObject({ code: 1, authenticated: false });
			expect((await first.get('/reader/starred_story_hashes')).body['authenticated']).toBe(false);
			expect((await second.get('/reader/starred_story_hashes')).body['authenticated']).toBe(true);
		}),
);

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

test.each(['contract', 'wild'] as const)(
	'%s: signing up creates an empty account with a session',
	(variant) =>
		withReader({ variant }, async (anybody) => {
			const signedUp = await anybody.post('/api/signup', { username: 'ada', email: 'ada@reader.example' });
			expect(signedUp.body).toMatchObject({ code: 1, authenticated: true });
			const ada = await anybody.as('ada', '');
			const feeds = (await ada.get('/reader/feeds')).body;
			if (variant === 'wild') expect(feeds).toMatchObject({ feeds: [], folders: [] });
			else expect(feeds).toMatchObject({ feeds: {}, folders: [], starred_count: 0 });
			// Real hosts accept any password for an account without one.
			const any = await anybody.post('/api/login', { username: 'ada', password: 'any' });
			expect(any.body['code']).toBe(variant === 'wild' ? 1 : -1);
			const again = (fields: Record<string, string>) => anybody.post('/api/signup', fields);
			expect(
				(await again({ username: 'reader', email: 'x@reader.example', password: 'x' })).body,
			).toMatchObject({
				code: -1,
				errors: { username: ['Someone is already using that username.'] },
			});
			expect((await again({ username: 'ada2', email: 'ada@reader.example' })).body['errors']).toEqual({
				email: ['Someone is already using that email address.'],
			});
			expect((await again({ username: 'a b', email: 'ab@reader.example' })).body['errors']).toHaveProperty(
				'username',
			);
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

test('wild: requests without a session read the demo account, and can’t write', () =>
	withReader({ variant: 'wild' }, async (anybody) => {
		const bearer = Object.assign(await anybody.as('reader'), {
			headers: { authorization: 'Bearer expired' },
		});
		for (const client of [anybody, bearer]) {
			for (const path of reads) {
				const { status, body, rows } = await client.get(path);
				if (path.endsWith('trainer')) expect(rows).toHaveLength(3);
				else expect([path, status, body['authenticated']]).toEqual([path, 200, false]);
			}
			for (const path of writes) {
				const { status, text, headers } = await client.post(path);
				expect([path, status, text]).toEqual([path, 403, '']);
				expect(headers.get('content-type')).toMatch(/^text\/html/);
			}
			expect((await client.get('/reader/feeds', { flat: true })).status).toBe(403);
		}
		const demo = (await anybody.get('/reader/feeds')).body;
		expect(Object.keys(demo.feeds)).toHaveLength(3);
		const missing = await anybody.post('/reader/mark_story_hash_as_starred');
		expect(missing).toMatchObject({
			status: 400,
			body: { message: 'Missing parameter: story_hash', code: -1 },
		});
		expect((await anybody.post('/reader/mark_story_hash_as_unread')).status).toBe(403);
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

test('the secret token of private links allows reads, not writes', () =>
	asReader({}, async (reader) => {
		const secret_token = (await reader.get('/reader/feeds')).body.share_ext_token;
		reader.headers = {};
		expect((await reader.get('/reader/starred_story_hashes', { secret_token })).body).toMatchObject({
			authenticated: true,
			user_id: 1,
		});
		expect((await reader.post('/reader/mark_all_as_read', { secret_token })).status).toBe(401);
	}));

test('methods: the contract allows only documented ones, real hosts mark all read with GET', () =>
	withReader({}, async (anybody) => {
		const reader = await anybody.as('reader');
		expect(await reader.get('/reader/mark_all_as_read')).toMatchObject({
			status: 405,
			body: { message: 'Invalid HTTP method. Use POST.', code: -1 },
		});
		expect((await reader.post('/reader/feeds')).status).toBe(200);
		expect((await reader.post('/reader/river_stories', { feeds: 1 })).status).toBe(200);
	}).then(() =>
		asReader({ wild: ['any-method'] }, async (reader) => {
			expect((await reader.get('/reader/mark_all_as_read')).body['code']).toBe(1);
			expect((await reader.get('/reader/unread_story_hashes')).body['unread_feed_story_hashes']).toEqual({});
			expect(await reader.get('/classifier/save')).toMatchObject({ status: 405, text: '' });
		}),
	));

test('unknown paths return 404', () =>
	asReader({}, async (reader) => {
		expect(await reader.get('/reader/nothing')).toMatchObject({ status: 404, body: { code: -1 } });
	}).then(() =>
		asReader({ wild: ['html-errors'] }, async (reader) => {
			const { status, headers } = await reader.get('/reader/nothing');
			expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
		}),
	));
