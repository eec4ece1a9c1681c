import { asReader, controls, type ReaderClient } from '../support/clients/reader-client.ts';
import { FakeHost } from '../support/hosts/fake-host.ts';

test('pages and texts of the sites themselves', () =>
	asReader({}, async (client) => {
		const page = await client.get('/reader/page/1');
		expect(page.headers.get('content-type')).toMatch(/^text\/html/);
		expect(page.text).toContain('The Harbour Lantern');
		expect(page.text).toContain(`<base href="${client.origin}/feeds/harbour-lantern/">`);
		const story = (await client.get('/reader/feed/1')).body.stories[0];
		const story_hash = story?.story_hash ?? '';
		const original = await client.get('/rss_feeds/original_story', { story_hash });
		expect(original.text).toContain('<h1');
		expect((await client.get('/rss_feeds/original_text', { story_hash })).body).toMatchObject({
			feed_id: 1,
			story_hash,
			story_id: story?.id,
			failed: false,
			original_text: expect.stringContaining('<p>'),
		});
		expect((await client.post('/rss_feeds/original_text', { story_hash })).body['failed']).toBe(false);
		expect(await client.get('/rss_feeds/original_text', { story_hash: '1:zzzzzz' })).toMatchObject({
			status: 404,
			body: { code: -1, message: 'Story not found.', original_text: null, failed: true },
		});
		expect((await client.get('/rss_feeds/original_text')).body.message).toBe('Missing story_hash.');
		expect((await client.get('/rss_feeds/original_story')).body.message).toBe(
			'Missing parameter: story_hash',
		);
		expect((await client.get('/rss_feeds/original_story', { story_hash: '1:zzzzzz' })).status).toBe(404);
		const { body } = await client.get('/rss_feeds/statistics/1');
		expect(body['page_fetch_history']).toMatchObject([{ status_code: 200, message: 'OK' }]);
	}));

test('a failing feed reports its failure until it is repaired; its history has five entries', () =>
	asReader({}, async (client) => {
		const statistics = async () => (await client.get('/rss_feeds/statistics/10')).body;
		const entry = async () => (await client.get('/reader/refresh_feeds')).body.feeds['10'];
		await client.control('/sandbox/feeds/live-wire/break');
		await client.control(controls.fetch);
		expect(await entry()).toMatchObject({
			has_exception: true,
			exception_type: 'feed',
			exception_code: 500,
			feed_address: expect.stringContaining('live-wire'),
			nt: expect.any(Number),
		});
		expect(await statistics()).toMatchObject({
			errors_since_good: 1,
			feed_fetch_history: [{ status_code: 500, fetch_date: '2026-09-01 12:00:00' }, { status_code: 200 }],
		});
		await client.control('/sandbox/feeds/live-wire/repair');
		for (let n = 0; n < 5; n++) await client.control(controls.fetch);
		expect(await entry()).not.toHaveProperty('has_exception');
		const { feed_fetch_history } = await statistics();
		expect(feed_fetch_history).toHaveLength(5);
		expect(feed_fetch_history).toMatchObject([{ status_code: 304, message: 'Not modified' }, {}, {}, {}, {}]);
	}));

test('statistics: publication times and classifiers', () =>
	asReader({}, async (client) => {
		await client.post('/classifier/save', {
			feed_id: 1,
			like_tag: 'fishing',
			dislike_author: 'Hettie Lark',
			like_feed: 1,
		});
		const { body } = await client.get('/rss_feeds/statistics/1');
		expect(body['last_load_time']).toEqual(expect.any(Number));
		const days = Object.values(body['story_days_history'] as Record<string, number>);
		expect(days.reduce((sum, count) => sum + count, 0)).toBe(60);
		expect(body).toMatchObject({
			num_subscribers: 3,
			premium_subscribers: 3,
			stories_last_month: 60,
			classifier_counts: {
				tag: [{ tag: 'fishing', pos: 1, neg: 0 }],
				author: [{ author: 'Hettie Lark', pos: 0, neg: 1 }],
				feed: [{ feed_id: 1, pos: 1, neg: 0 }],
			},
		});
		const trainer = await client.get('/reader/feeds_trainer');
		const untrained = (trainer.body.feeds as unknown as { feed_id: number }[]).map((feed) => feed.feed_id);
		expect(untrained).not.toContain(1);
		expect(untrained).toHaveLength(9);
		expect((await client.get('/rss_feeds/statistics/999')).status).toBe(404);
	}));

test('autocomplete: feeds with two readers or more', () =>
	asReader({}, async (client) => {
		const ids = async (term: string, query = {}) =>
			(
				(await client.get('/rss_feeds/feed_autocomplete', { term, ...query })).body.feeds as unknown as {
					id: number;
				}[]
			).map((feed) => feed.id);
		expect(await ids('lantern')).toEqual([1]);
		expect(await ids('bitwright')).toEqual([3]);
		// These feeds have only one reader.
		expect(await ids('open bench')).toEqual([]);
		expect(await ids('%')).toEqual([]);
		expect(await ids('feeds', { limit: 2 })).toHaveLength(2);
		expect((await client.get('/rss_feeds/feed_autocomplete')).body.feeds).toHaveLength(5);
	}));

test('private addresses are not fetched; URLs without a feed are rejected', () =>
	asReader({}, async (client) => {
		const site = await FakeHost.start(() => ({ body: '<h1>nothing</h1>' }));
		const refused = await client.post('/reader/add_url', { url: site.baseUrl });
		expect(refused).toMatchObject({ status: 404, body: { code: -1, feed: null } });
		expect(refused.body.message).toMatch(/--allow-private/);
		expect((await client.get('/rss_feeds/search_feed', { address: site.baseUrl })).status).toBe(404);
		expect(site.requests).toEqual([]);
		await site.stop();
		expect((await client.post('/reader/add_url')).body.message).toBe(
			'Enter in the website address or the feed URL.',
		);
		expect((await client.get('/rss_feeds/search_feed')).body.message).toBe('Please provide a URL/address.');
		const nothing = await client.post('/reader/add_url', { url: `${client.origin}/feeds/none/` });
		expect(nothing.body.message).toMatch(/does not point to an RSS feed/);
		expect(Object.keys((await client.get('/reader/feeds')).body.feeds)).toHaveLength(10);
	}));

test('the schedule fetches feeds without a request', () =>
	asReader({}, async (client) => {
		await client.control(controls.settings, { fetch_seconds: 60 });
		await client.control('/sandbox/feeds/live-wire/publish', { title: 'By itself' });
		client.clock.advance(61_000);
		const hashes = async (one: ReaderClient) =>
			(
				(await one.get('/reader/unread_story_hashes', { feed_id: 10 })).body.unread_feed_story_hashes['10'] ??
				[]
			).length;
		const before = await hashes(client);
		while ((await hashes(client)) === before) await new Promise((done) => setTimeout(done, 50));
		expect(await hashes(client)).toBe(before + 1);
	}));
