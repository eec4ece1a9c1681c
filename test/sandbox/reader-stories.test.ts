import { asReader, controls, type ReaderClient } from '../support/clients/reader-client.ts';
import { DAY_MS, NOON } from '../support/clock.ts';

/** Stories of feeds and rivers, their hashes, and their read state. */

const live = 'live-wire';

/** Publishes stories in a feed with few stories. @returns the feed's id and the hashes, oldest first */
async function publishInto(
	client: ReaderClient,
	slug: string,
	stories: object[],
): Promise<[number, string[]]> {
	for (const [index, story] of stories.entries()) {
		await client.control(`/sandbox/feeds/${slug}/publish`, {
			guid: `g${index}`,
			publishedAt: NOON - 3_600_000 + index * 1000,
			...story,
		});
	}
	await client.control(controls.fetch);
	const id = await client.feedId('Live Wire');
	const { body } = await client.get(`/reader/feed/${id}`, { include_hidden: true });
	const byGuid = new Map(body.stories.map((story) => [story.id, story.story_hash]));
	return [id, stories.map((_story, index) => byGuid.get(`g${index}`) ?? '')];
}

async function unreadCounts(client: ReaderClient, id: number): Promise<number[]> {
	const { feeds } = (await client.get('/reader/refresh_feeds')).body;
	const { ps, nt, ng } = feeds[id] ?? { ps: -1, nt: -1, ng: -1 };
	return [ps, nt, ng];
}

async function hashesOf(client: ReaderClient, id: number): Promise<unknown[]> {
	const { body } = await client.get('/reader/unread_story_hashes', { feed_id: id });
	return body.unread_feed_story_hashes[id] ?? [];
}

test.each(['contract', 'wild'] as const)('%s: a story has the members that clients read', (variant) =>
	asReader({ variant }, async (client) => {
		const [id] = await publishInto(client, live, [
			{
				title: 'A <b>title</b>',
				tags: ['one', 'two'],
				author: 'Ada Example',
				content: '<p>Body<script>x</script></p>',
			},
		]);
		const { body } = await client.get(`/reader/feed/${id}/any-slug`, { read_filter: 'unread' });
		const story = body.stories.find((one) => one.id === 'g0');
		expect(story).toMatchObject({
			story_hash: expect.stringMatching(new RegExp(`^${id}:[0-9a-f]{6}$`)),
			story_feed_id: id,
			story_authors: 'Ada Example',
			story_content: '<p>Body</p>',
			story_tags: ['one', 'two'],
			story_date: '2026-09-01 11:00:00',
			story_timestamp: '1788260400',
			short_parsed_date: variant === 'wild' ? '7:00am' : '01 Sep 2026, 11:00am',
			long_parsed_date: `Today, September 1st ${variant === 'wild' ? '7:00am' : '11:00am'}`,
			read_status: 0,
			score: 0,
			comment_count: variant === 'wild' ? null : 0,
			friend_comments: [],
		});
		expect(body).toMatchObject({ feed_id: id, authenticated: true, classifiers: { tags: {} } });
		const bare = await client.get(`/reader/feed/${id}/`, { include_story_content: false });
		expect(bare.body.stories[0]).not.toHaveProperty('story_content');
		expect((await client.get('/reader/feed/999999')).status).toBe(404);
	}),
);

test.each([
	['contract', 20, 'hidden_stories_count'],
	['wild', 6, 'hidden_stories_removed'],
] as const)('%s: pages may be empty because hidden stories are omitted', (variant, size, key) =>
	asReader({ variant }, async (client) => {
		const hidden = Array.from({ length: size + 3 }, (_, n) => ({ title: `Dull ${n}`, tags: ['dull'] }));
		const [id] = await publishInto(client, live, [{ title: 'Bright' }, ...hidden]);
		await client.post('/classifier/save', { feed_id: id, dislike_tag: 'dull' });
		const first = (await client.get(`/reader/feed/${id}`)).body;
		expect([first.stories.length, first[key]]).toEqual([0, size]);
		const second = (await client.get(`/reader/feed/${id}`, { page: 2 })).body;
		expect(second[key]).toBe(3);
		expect(second.stories[0]?.story_title).toBe('Bright');
		const all = (await client.get(`/reader/feed/${id}`, { include_hidden: true })).body;
		expect(all.stories).toHaveLength(size);
		expect(all.stories[0]?.score).toBe(-1);
		expect(all[key]).toBe(variant === 'wild' ? undefined : 0);
		const past = await client.get(`/reader/feed/${id}`, { page: 300 });
		expect([past.status, past.body.stories]).toEqual([200, []]);
		expect((await client.get(`/reader/feed/${id}`, { page: 401 })).status).toBe(
			variant === 'wild' ? 404 : 200,
		);
	}),
);

test('paging returns each story once, in both orders', () =>
	asReader({}, async (client) => {
		const walk = async (query: Record<string, string | number>) => {
			const hashes: string[] = [];
			for (let page = 1; ; page++) {
				const { stories } = (await client.get('/reader/river_stories', { ...query, page })).body;
				if (stories.length === 0) return hashes;
				hashes.push(...stories.map((story) => story.story_hash));
			}
		};
		const newest = await walk({ feeds: 1, read_filter: 'all' });
		expect(newest).toHaveLength(60);
		expect(new Set(newest).size).toBe(60);
		expect(await walk({ feeds: 1, read_filter: 'all', order: 'oldest' })).toEqual([...newest].reverse());
	}));

test('counts reflect likes, dislikes and the read state', () =>
	asReader({}, async (client) => {
		const [id, [a, b, c]] = await publishInto(client, live, [
			{ title: 'Liked', author: 'Ada' },
			{ title: 'Disliked', tags: ['dull'] },
			{ title: 'Plain' },
		]);
		const [, plain = 0] = await unreadCounts(client, id);
		await client.post('/classifier/save', { feed_id: id, like_author: 'Ada', 'dislike_tag[]': 'dull' });
		expect(await unreadCounts(client, id)).toEqual([1, plain - 2, 1]);
		const { body } = await client.get('/reader/river_stories', { feeds: id, read_filter: 'focus' });
		expect(body.stories.map((story) => [story.story_hash, story.score])).toEqual([[a, 1]]);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: [a ?? '', b ?? '', c ?? ''] });
		expect(await unreadCounts(client, id)).toEqual([0, plain - 3, 0]);
		await client.post('/classifier/save', {
			feed_id: id,
			remove_like_author: 'Ada',
			remove_dislike_tag: 'dull',
		});
		expect((await client.get(`/classifier/${id}`)).body).toMatchObject({
			code: 0,
			payload: { feeds: {}, authors: {}, titles: {}, tags: {} },
		});
	}));

test('the river contains only subscribed feeds, supports search, and the infrequent feeds', () =>
	asReader({}, async (client) => {
		const [id] = await publishInto(client, live, [{ title: 'Zebra crossing', content: '<p>stripes</p>' }]);
		const river = (query: Record<string, string | number | number[]>) =>
			client.get('/reader/river_stories', { read_filter: 'all', ...query });
		expect((await river({ feeds: [id, 999999] })).body.stories.every((one) => one.story_feed_id === id)).toBe(
			true,
		);
		expect((await river({ feeds: 999999 })).body.stories).toEqual([]);
		const found = (await river({ 'feeds[]': [1, id], query: 'STRIPES zebra' })).body.stories;
		expect(found.map((story) => story.story_title)).toEqual(['Zebra crossing']);
		expect((await client.get('/reader/river_stories')).status).toBe(400);
		const posted = await client.post('/reader/river_stories', { feeds: [id], read_filter: 'all' });
		expect(posted.body.stories.length).toBeGreaterThan(0);
		const feeds = Object.values((await client.get('/reader/feeds')).body.feeds);
		const rare = feeds
			.filter((feed) => Number(feed['average_stories_per_month']) < 10)
			.map((feed) => feed.id);
		const infrequent = (await river({ infrequent: 10 })).body.stories;
		expect(infrequent.length).toBeGreaterThan(0);
		expect(infrequent.every((story) => rare.includes(story.story_feed_id))).toBe(true);
	}));

test('optional-feeds: a river without feeds contains all feeds', () =>
	asReader({ wild: ['optional-feeds'] }, async (client) => {
		const { stories } = (await client.get('/reader/river_stories')).body;
		expect(new Set(stories.map((story) => story.story_feed_id)).size).toBeGreaterThan(1);
	}));

test('stories by hash: in the requested order, without unknown ones', () =>
	asReader({}, async (client) => {
		const [, [a = '', b = '', c = '']] = await publishInto(client, live, [{}, {}, {}]);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: a });
		const { body } = await client.get('/reader/river_stories', { h: [b, '1:zzzzzz', a, c] });
		expect(body.stories.map((story) => [story.story_hash, story.read_status])).toEqual([
			[b, 0],
			[a, 1],
			[c, 0],
		]);
		const many = Array.from({ length: 150 }, (_, n) => (n === 120 ? a : `1:${n}`));
		expect((await client.post('/reader/river_stories', { 'h[]': many })).body.stories).toEqual([]);
	}));

test('loose-hashes: by date, and as unread', () =>
	asReader({ wild: ['loose-hashes'] }, async (client) => {
		const [, [a = '', b = '']] = await publishInto(client, live, [{}, {}]);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: a });
		const { body } = await client.get('/reader/river_stories', { h: [a, b] });
		expect(body.stories.map((story) => [story.story_hash, story.read_status])).toEqual([
			[b, 0],
			[a, 0],
		]);
	}));

test.each(['contract', 'wild'] as const)('%s: unread hashes, plain and with timestamps', (variant) =>
	asReader({ variant }, async (client) => {
		const [id, [, b = '']] = await publishInto(client, live, [{}, { publishedAt: NOON - 500 }]);
		expect((await hashesOf(client, id))[0]).toBe(b);
		const { body } = await client.get('/reader/unread_story_hashes', { include_timestamps: true });
		const at = variant === 'wild' ? (NOON - 500) / 1000 : Math.floor((NOON - 500) / 1000);
		expect(body.unread_feed_story_hashes[id]?.[0]).toEqual([b, at]);
		await client.post('/reader/mark_feed_as_read', { feed_id: id });
		const after = (await client.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes;
		expect(after[id]).toEqual(variant === 'wild' ? [] : undefined);
		expect(after).toHaveProperty('1');
	}),
);

test.each([
	[{}, 2],
	[{ variant: 'wild' }, 2],
	[{ wild: ['reads-left-out'] }, 1],
] as const)('%j: marking read again', (options, listed) =>
	asReader(options, async (client) => {
		const [id, [a = '', b = '']] = await publishInto(client, live, [{}, {}]);
		const mark = (hashes: string[]) =>
			client.post('/reader/mark_story_hashes_as_read', { 'story_hash[]': hashes });
		expect((await mark([a])).body).toMatchObject({ code: 1, story_hashes: [a], feed_ids: [String(id)] });
		expect((await mark([a, b])).body['story_hashes']).toHaveLength(listed);
		expect((await mark([])).body).toMatchObject({ code: 1, story_hashes: [], feed_ids: [] });
		expect(await hashesOf(client, id)).not.toContain(b);
	}),
);

test.each(['contract', 'wild'] as const)(
	'%s: the deprecated endpoints mark stories as read and report the result',
	(variant) =>
		asReader({ variant }, async (client) => {
			const [id, hashes] = await publishInto(client, live, [{}, {}, {}, {}]);
			const status = variant === 'wild' ? 200 : 404;
			expect(
				(await client.post('/reader/mark_story_as_read', { feed_id: id, story_id: ['g0', 'g1'] })).body,
			).toMatchObject({ code: 0, payload: ['g0', 'g1'] });
			expect(await client.post('/reader/mark_story_as_read', { feed_id: 999, story_id: 'g0' })).toMatchObject(
				{
					status,
					body: {
						code: -1,
						errors: [
							variant === 'wild' ? 'User is not subscribed to this feed.' : 'No feed exists for feed_id 999.',
						],
					},
				},
			);
			const feeds_stories = JSON.stringify({ [id]: ['g2'] });
			expect((await client.post('/reader/mark_feed_stories_as_read', { feeds_stories })).body).toMatchObject({
				code: 0,
				payload: ['g2'],
			});
			expect(
				await client.post('/reader/mark_feed_stories_as_read', {
					feeds_stories: JSON.stringify({ 999: ['x'] }),
				}),
			).toMatchObject({ status, body: { code: -1, error: 'You are not subscribed to this feed_id: 999' } });
			expect(
				(await client.post('/reader/mark_feed_stories_as_read', { feeds_stories: '{}' })).body,
			).toMatchObject({
				code: -1,
				message: 'Nothing was marked as read',
			});
			const social = JSON.stringify({ 2: { [id]: ['g3'] }, 99: { [id]: ['g3'] } });
			expect(
				(await client.post('/reader/mark_social_stories_as_read', { users_feeds_stories: social })).body,
			).toMatchObject({ code: 1, errors: variant === 'wild' ? [] : ['You are not following this user: 99'] });
			expect(await hashesOf(client, id)).toEqual(expect.not.arrayContaining(hashes));
			expect((await client.post('/reader/mark_feed_stories_as_read', { feeds_stories: '[' })).status).toBe(
				variant === 'wild' ? 500 : 400,
			);
		}),
);

test.each([
	['premium', undefined, 30],
	['free', undefined, 15],
	['free', 'free-window', 14],
] as const)('%s %s: a story can be marked unread for %s days', (plan, difference, days) =>
	asReader({ plan, wild: difference ? [difference] : [] }, async (client) => {
		const [id, [young = '', old = '']] = await publishInto(client, live, [
			{ publishedAt: NOON - days * DAY_MS + 60_000 },
			{ publishedAt: NOON - days * DAY_MS - 60_000 },
		]);
		expect(await hashesOf(client, id)).toContain(young);
		expect(await hashesOf(client, id)).not.toContain(old);
		await client.post('/reader/mark_all_as_read');
		const unread = (story_hash: string | string[]) =>
			client.post('/reader/mark_story_hash_as_unread', { story_hash });
		expect((await unread(young)).body).toMatchObject({ code: 1, story_hash: young, feed_id: id });
		expect(await hashesOf(client, id)).toEqual([young]);
		expect(await unread(old)).toMatchObject({
			status: 200,
			body: { code: -1, message: expect.stringMatching(new RegExp(`(more|older) than ${days} days`)) },
		});
		expect((await unread('1:zzzzzz')).body).toMatchObject({
			code: -1,
			message: expect.stringMatching(/removed/),
		});
		const several = (await unread([young, old])).body['stories'];
		expect(several).toEqual([
			expect.objectContaining({ code: 1, story_hash: young }),
			expect.objectContaining({ code: -1, story_hash: old }),
		]);
		client.clock.advance(120_000);
		expect(await hashesOf(client, id)).toEqual([]);
		expect((await client.post('/reader/mark_story_hash_as_unread')).body).toEqual({
			code: -1,
			message: 'Missing parameter: story_hash',
		});
	}),
);

test('bare-arrays: the response to several hashes is an array', () =>
	asReader({ wild: ['bare-arrays'] }, async (client) => {
		const [, [a = '', b = '']] = await publishInto(client, live, [{}, {}]);
		const unread = await client.post('/reader/mark_story_hash_as_unread', { story_hash: [a, b] });
		expect(unread.rows).toMatchObject([{ code: 1, story_hash: a }, { code: 1 }]);
		const starred = await client.post('/reader/mark_story_hash_as_starred', { story_hash: [a, '1:zzzzzz'] });
		expect(starred.rows).toMatchObject([{ code: 1 }, { code: -1, story_hash: '1:zzzzzz' }]);
		expect((await client.get('/reader/feeds_trainer', { feed_id: 1 })).rows).toMatchObject([
			{ feed_id: 1, classifiers: { tags: {} }, feed_tags: expect.any(Array) },
		]);
		expect((await client.get('/social/feed_trainer', { user_id: 2 })).rows).toMatchObject([
			{ username: 'friend' },
		]);
	}));

test('older clients mark unread by story id', () =>
	asReader({}, async (client) => {
		const [id, [a = '']] = await publishInto(client, live, [{}]);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: a });
		const unread = (fields: Record<string, string | number>) =>
			client.post('/reader/mark_story_as_unread', fields);
		expect((await unread({ story_id: 'g0', feed_id: id })).body.code).toBe(1);
		expect(await hashesOf(client, id)).toContain(a);
		expect((await unread({ story_id: 'other', feed_id: id })).body).toMatchObject({
			code: -1,
			message: 'Story not found.',
		});
		expect((await unread({ story_id: 'g0' })).status).toBe(400);
	}));

test('feeds are marked read up to a time, from a time, or entirely; several at once', () =>
	asReader({}, async (client) => {
		const at = (seconds: number) => NOON - 100_000 + seconds * 1000;
		const [id, [a = '', b = '', c = '']] = await publishInto(client, live, [
			{ publishedAt: at(0) },
			{ publishedAt: at(10) },
			{ publishedAt: at(20) },
		]);
		const mark = (fields: Record<string, string | number | (string | number)[]>) =>
			client.post('/reader/mark_feed_as_read', fields);
		expect(
			(await mark({ feed_id: id, cutoff_timestamp: at(20) / 1000, direction: 'newer' })).body,
		).toMatchObject({
			code: 1,
			direction: 'newer',
			errors: [],
		});
		expect((await hashesOf(client, id)).slice(0, 2)).toEqual([b, a]);
		const older = await mark({ feed_id: id, cutoff_timestamp: at(0) / 1000 });
		expect(older.body).toMatchObject({ direction: 'older', cutoff_date: '2026-09-01 11:58:20' });
		expect(await hashesOf(client, id)).toEqual([b]);
		expect((await hashesOf(client, 1)).length).toBeGreaterThan(0);
		const all = await mark({ feed_id: [id, 1, 'social:2', 999, 'social:77'] });
		expect(all.body).toMatchObject({
			code: 1,
			errors: ['User not subscribed: 999', 'User not subscribed: social:77'],
		});
		expect([await hashesOf(client, id), await hashesOf(client, 1)]).toEqual([[], []]);
		const { body } = await client.get('/reader/refresh_feeds');
		expect(body['social_feeds']).toMatchObject({ 'social:2': { nt: 0, id: 'social:2' } });
		expect(c).not.toBe('');
	}));

test('marking all read excludes the newest days on request', () =>
	asReader({}, async (client) => {
		const [id, [old = '', young = '']] = await publishInto(client, live, [
			{ publishedAt: NOON - 3 * DAY_MS },
			{ publishedAt: NOON - DAY_MS },
		]);
		expect((await client.post('/reader/mark_all_as_read', { days: 2 })).body.code).toBe(1);
		const left = await hashesOf(client, id);
		expect(left).toContain(young);
		expect(left).not.toContain(old);
		expect((await client.post('/reader/mark_all_as_read', { days: 'abc' })).body).toMatchObject({
			code: -1,
			message: 'Days parameter must be an integer, not: abc',
		});
		await client.post('/reader/mark_all_as_read', { days: 0 });
		expect((await client.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes).toEqual({});
		await publishInto(client, live, [{ guid: 'late', publishedAt: NOON - 5 * DAY_MS }]);
		expect(await hashesOf(client, id)).toHaveLength(1);
	}));

test.each([
	['contract', 20],
	['wild', 11],
] as const)('%s: read stories, most recently read first, in pages of %i', (variant, size) =>
	asReader({ variant }, async (client) => {
		const hashes = (await hashesOf(client, 1)).slice(0, 25) as string[];
		for (const story_hash of hashes) {
			client.clock.advance(1000);
			await client.post('/reader/mark_story_hashes_as_read', { story_hash });
		}
		await client.post('/reader/mark_feed_as_read', { feed_id: 2 });
		const page = async (number: number) =>
			(await client.get('/reader/read_stories', { page: number })).body.stories.map((one) => one.story_hash);
		const last = [...hashes].reverse();
		expect(await page(1)).toEqual(last.slice(0, size));
		const second = variant === 'wild' ? last.slice(10, 21) : last.slice(20);
		expect(await page(2)).toEqual(second);
		const oldest = await client.get('/reader/read_stories', { order: 'oldest', limit: 3 });
		expect(oldest.body.stories[0]?.story_hash).toBe(hashes[0]);
		expect(Array.isArray(oldest.body.feeds)).toBe(true);
	}),
);

test('free accounts can’t search; real hosts return another code for their river, others truncate it', () =>
	asReader({ plan: 'free' }, async (client) => {
		expect(await client.get('/reader/feed/1', { query: 'x' })).toMatchObject({
			status: 403,
			body: { code: -1, message: 'You must be a premium subscriber to search.', stories: [] },
		});
		expect((await client.post('/reader/save_search', { feed_id: 'feed:1', query: 'x' })).status).toBe(403);
		expect((await client.get('/reader/river_stories', { feeds: 1 })).body).toMatchObject({ code: 1 });
		await client.control(controls.settings, { plan: 'premium', username: 'reader' });
		expect((await client.get('/reader/feed/1', { query: 'x' })).status).toBe(200);
	}).then(() =>
		asReader({ plan: 'free', variant: 'wild' }, async (client) => {
			const searched = await client.get('/reader/feed/1', { query: 'x' });
			expect(searched).toMatchObject({
				status: 200,
				body: { stories: [], message: 'You must be a premium subscriber to search.' },
			});
			expect(searched.body).not.toHaveProperty('code');
			expect((await client.get('/reader/river_stories', { feeds: 1, query: 'x' })).body).toMatchObject({
				code: 0,
				message: 'The full River of News is a premium feature.',
				stories: [],
			});
			const river = (query: object) => client.get('/reader/river_stories', { feeds: 1, ...query });
			await river({});
			expect((await river({ page: 2 })).body).toMatchObject({
				code: 0,
				message: 'The full River of News is a premium feature.',
				stories: { length: 12 },
			});
			expect((await river({ include_feeds: true })).body).toMatchObject({ code: 1, message: null });
			expect((await river({ include_feeds: true, query: 'x' })).body).toMatchObject({
				code: 1,
				message: 'You must be a premium subscriber to search.',
			});
			const saved = await client.get('/reader/starred_stories', { tag: 'later' });
			expect(saved.body).toMatchObject({ stories: [], message: expect.stringContaining('by tag') });
			expect(
				(await client.post('/reader/save_search', { feed_id: 'feed:1', query: 'x' })).body,
			).toMatchObject({
				saved_searches: [{ query: 'x', feed_id: 'feed:1' }],
			});
		}),
	));

test('an archive account can mark any story unread', () =>
	asReader({ variant: 'wild', plan: 'archive' }, async (client) => {
		const [id] = await publishInto(client, live, [{ publishedAt: NOON - 60 * DAY_MS }]);
		const feed = async () => (await client.get(`/reader/feed/${id}`, { order: 'oldest' })).body.stories[0];
		const old = (await feed())?.story_hash ?? '';
		const unread = async () => {
			const { body } = await client.get('/reader/unread_story_hashes', { feed_id: id });
			return (body.unread_feed_story_hashes[id] ?? []).includes(old);
		};
		expect([await unread(), (await feed())?.read_status]).toEqual([false, 1]);
		const { body } = await client.post('/reader/mark_story_hash_as_unread', { story_hash: old });
		expect(body.code).toBe(1);
		expect([await unread(), (await feed())?.read_status]).toEqual([true, 0]);
		await client.post('/reader/mark_story_hashes_as_read', { story_hash: old });
		expect([await unread(), (await feed())?.read_status]).toEqual([false, 1]);
	}));
