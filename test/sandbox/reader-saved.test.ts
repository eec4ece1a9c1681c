import { asReader } from '../support/clients/reader-client.ts';
import { NOON } from '../support/clock.ts';

/** Saved stories, their tags and highlights, and saved searches. */

test.each(['contract', 'wild'] as const)(
	'%s: saves a story with tags and highlights, changes them, and removes it',
	(variant) =>
		asReader({ variant }, async (client) => {
			const { stories } = (await client.get('/reader/feed/5')).body;
			const story_hash = stories[4]?.story_hash ?? '';
			client.clock.advance(60_000);
			const saved = await client.post('/reader/mark_story_hash_as_starred', {
				story_hash,
				'user_tags[]': ['new', 'Later'],
				highlights: 'words worth it',
				user_notes: 'mine',
			});
			expect(saved.body).toMatchObject({ code: 1, message: '', starred_count: 4 });
			expect(saved.body.starred_counts).toContainEqual(expect.objectContaining({ tag: 'Later', count: 1 }));
			expect(saved.body.starred_counts).toContainEqual(expect.objectContaining({ tag: 'later', count: 2 }));

			const byTag = (await client.get('/reader/starred_stories', { tag: 'new' })).body.stories;
			expect(byTag).toMatchObject([
				{
					story_hash,
					starred: true,
					starred_date: `Today, September 1st ${variant === 'wild' ? '8:01am' : '12:01pm'}`,
					starred_timestamp: NOON / 1000 + 60,
					user_tags: ['new', 'Later'],
					highlights: ['words worth it'],
					user_notes: 'mine',
				},
			]);
			expect((await client.get('/reader/starred_stories', { highlights: true })).body.stories).toHaveLength(
				2,
			);
			const hashes = (await client.get('/reader/starred_story_hashes')).body.starred_story_hashes;
			expect([hashes.length, hashes[0]]).toEqual([4, story_hash]);
			const timed = await client.get('/reader/starred_story_hashes', { include_timestamps: true });
			const at = NOON / 1000 + 60;
			expect(timed.body.starred_story_hashes[0]).toEqual([story_hash, variant === 'wild' ? String(at) : at]);

			client.clock.advance(60_000);
			await client.post('/reader/mark_story_hash_as_starred', { story_hash });
			const again = (await client.get('/reader/starred_stories', { h: story_hash })).body.stories[0];
			expect(again).toMatchObject({ user_tags: [], highlights: [], starred_timestamp: at });
			const retimed = await client.get('/reader/starred_story_hashes', { include_timestamps: true });
			expect(retimed.body.starred_story_hashes[0]).toEqual([
				story_hash,
				variant === 'wild' ? String(at + 60) : at,
			]);

			const unsaved = await client.post('/reader/mark_story_hash_as_unstarred', {
				story_hash: [story_hash, '5:zzzzzz'],
			});
			expect(unsaved.body).toMatchObject({
				code: 1,
				messages: [{ code: -1, message: 'Could not unsave story, not found', story_hash: '5:zzzzzz' }],
			});
			expect((await client.get('/reader/starred_story_hashes')).body.starred_story_hashes).toHaveLength(3);
			expect((await client.get('/reader/starred_stories', { h: story_hash })).body.stories).toEqual([]);
			const unknown = await client.post('/reader/mark_story_hash_as_starred', { story_hash: '5:zzzzzz' });
			expect(unknown).toMatchObject({
				status: variant === 'wild' ? 200 : 404,
				body: { code: -1, message: 'Could not save story, not found', story_hash: '5:zzzzzz' },
			});
		}),
);

test.each([
	['contract', 20],
	['wild', 10],
] as const)('%s: returns saved stories in pages of %i', (variant, size) =>
	asReader({ variant }, async (client) => {
		const hashes = (await client.get('/reader/unread_story_hashes', { feed_id: 1 })).body
			.unread_feed_story_hashes['1'] as string[];
		for (const story_hash of hashes.slice(0, size)) {
			await client.post('/reader/mark_story_hash_as_starred', { story_hash, user_tags: 'many' });
		}
		const page = async (query: Record<string, string | number>) =>
			(await client.get('/reader/starred_stories', query)).body.stories.length;
		expect([await page({}), await page({ page: 2 }), await page({ page: 3 })]).toEqual([size, 3, 0]);
		expect(await page({ limit: 5, page: 2 })).toBe(5);
		expect(await page({ query: 'no such words anywhere' })).toBe(0);
	}),
);

test('saved stories include feeds that are not subscribed; with v=2 as a list', () =>
	asReader({}, async (client) => {
		const [saved] = (await client.get('/reader/starred_stories')).body.stories;
		const id = saved?.story_feed_id ?? 0;
		expect((await client.get('/reader/starred_stories')).body.feeds).toEqual({});
		await client.post('/reader/delete_feed', { feed_id: id });
		expect((await client.get('/reader/starred_stories')).body.feeds).toMatchObject({ [id]: { id } });
		expect((await client.get('/reader/starred_stories', { v: 2 })).body.feeds).toMatchObject([{ id }]);
	}));

test('by story id, like older clients', () =>
	asReader({}, async (client) => {
		const [story] = (await client.get('/reader/feed/6')).body.stories;
		const fields = { story_id: story?.id ?? '', feed_id: 6 };
		expect((await client.post('/reader/mark_story_as_starred', fields)).body).toMatchObject({
			starred_count: 4,
		});
		expect((await client.post('/reader/mark_story_as_unstarred', fields)).body).toMatchObject({
			starred_count: 3,
		});
		expect((await client.post('/reader/mark_story_as_unstarred', fields)).body).toMatchObject({
			code: 1,
			messages: [{ code: -1, message: 'Could not unsave story, not found' }],
		});
		expect((await client.post('/reader/mark_story_as_starred', { feed_id: 6 })).status).toBe(400);
	}));

test('counts: per tag, per feed, with highlights, in total; private links contain the secret token', () =>
	asReader({}, async (client) => {
		const { body } = await client.get('/reader/feeds');
		const secret = body.share_ext_token;
		expect(secret).toMatch(/^[0-9a-f]{32}$/);
		const total = body.starred_counts.find(
			(row) => row.tag === null && row.feed_id === null && row.feed_address,
		);
		expect(total).toMatchObject({ count: 3 });
		expect(total?.feed_address).toContain(secret);
		expect(body.starred_counts.find((row) => row.tag === 'later')?.feed_address).toContain(secret);
		expect((await client.get('/reader/starred_counts')).body.starred_counts).toEqual(body.starred_counts);
		client.headers = {};
		const feed = await fetch(String(total?.feed_address));
		expect(feed.headers.get('content-type')).toMatch(/^application\/rss\+xml/);
		expect((await feed.text()).match(/<entry>/g)).toHaveLength(3);
		const tagged = body.starred_counts.find((row) => row.tag === 'ideas')?.feed_address ?? '';
		expect((await (await fetch(tagged)).text()).match(/<entry>/g)).toHaveLength(1);
		expect((await fetch(tagged.replace(secret, 'f'.repeat(32)))).status).toBe(404);
	}));

test('saved searches: saved once, with any key of the client', () =>
	asReader({}, async (client) => {
		const save = (feed_id: string, query: string) => client.post('/reader/save_search', { feed_id, query });
		await save('feed:1', 'harbour');
		await save('feed:1', 'harbour');
		const saved = await save('river:News', 'bridge');
		expect(saved.body['saved_searches']).toMatchObject([
			{ query: 'bridge', feed_id: 'river:News' },
			{
				query: 'harbour',
				feed_id: 'feed:1',
				feed_address: expect.stringContaining('/reader/saved_search_rss/1/'),
			},
		]);
		expect(saved.body).not.toHaveProperty('code');
		const listed = (await client.get('/reader/feeds')).body['saved_searches'] as { feed_address: string }[];
		const feed = await fetch(listed[1]?.feed_address ?? '');
		expect((await feed.text()).includes('>Search for harbour</title>')).toBe(true);
		const left = await client.post('/reader/delete_search', { feed_id: 'feed:1', query: 'harbour' });
		expect(left.body['saved_searches']).toMatchObject([{ query: 'bridge' }]);
		expect((await client.post('/reader/save_search', { feed_id: 'feed:1' })).body).toEqual({
			code: -1,
			message: 'Missing parameter: query',
		});
	}));
