/** How the reader fetches feeds. */
import { asReader, controls, LIVE_WIRE, unreadOf } from '../support/clients/reader-client.ts';
import { FakeHost } from '../support/hosts/fake-host.ts';

test('the page of a feed and of a story have their addresses as base, and are counted as fetches', () =>
	asReader({}, async (client) => {
		const page = await client.get('/reader/page/1');
		expect(page.text).toContain(`<base href="${client.origin}/feeds/harbour-lantern/">`);
		const [story] = (await client.get('/reader/feed/1')).body.stories;
		const { story_hash = '' } = story ?? {};
		const original = await client.get('/rss_feeds/original_story', { story_hash });
		expect(original.text).toContain(`<base href="${story?.story_permalink}">`);
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

test('private addresses are not fetched; URLs without a feed are rejected', () =>
	asReader({}, async (client) => {
		const site = await FakeHost.start(() => ({ body: '<h1>nothing</h1>' }));
		const refused = await client.post('/reader/add_url', { url: site.baseUrl });
		expect(refused).toMatchObject({ status: 404, body: { code: -1, feed: null } });
		expect(refused.body.message).toMatch(/--allow-private/);
		expect((await client.get('/rss_feeds/search_feed', { address: site.baseUrl })).status).toBe(404);
		expect(site.requests).toEqual([]);
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
		const before = (await unreadOf(client, LIVE_WIRE)).length;
		await client.control('/sandbox/feeds/live-wire/publish', { title: 'By itself' });
		client.clock.advance(61_000);
		const hashes = async () => (await unreadOf(client, LIVE_WIRE)).length;
		while ((await hashes()) === before) await new Promise((done) => setTimeout(done, 50));
		expect(await hashes()).toBe(before + 1);
	}));

test('contract: profile fields, tags, icons, hidden stories and the days of a free account are as in the document', () =>
	asReader({}, async (client) => {
		const { body: saved } = await client.post('/social/save_user_profile', { location: 'Oslo' });
		expect(saved.user_profile).toMatchObject({ location: 'Oslo' });
		expect((await client.get('/reader/starred_stories', { tag: 'late' })).body.stories).toEqual([]);
		const icons = (await client.get('/reader/favicons', { feed_ids: 1 })).body as Record<string, unknown>;
		expect(icons['1']).toMatch(/^data:image\/png;base64,/);
		await client.post('/classifier/save', { feed_id: 1, dislike_feed: 1 });
		expect((await client.get('/reader/feed/1')).body).toMatchObject({
			stories: [],
			hidden_stories_count: 20,
		});
		expect((await client.get('/social/stories/2/')).body).toHaveProperty('hidden_stories_count');
		await client.control(controls.settings, { plan: 'free' });
		const { stories } = (await client.get('/reader/feed/2')).body;
		client.clock.advance(14.5 * 86_400_000);
		const unread = { story_hash: stories![0]!.story_hash };
		expect((await client.post('/reader/mark_story_hash_as_unread', unread)).body.code).toBe(1);
	}));

test('real hosts refuse a blank term, and fail for an unknown account', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const suggested = await client.get('/rss_feeds/feed_autocomplete', { term: '' });
		expect(suggested.body).toMatchObject({ code: -1, message: "Specify a search 'term'.", feeds: [] });
		expect((await client.get('/social/profile', { user_id: 99_999 })).status).toBe(500);
		expect((await client.get('/social/stories/99999/')).status).toBe(404);
	}));

test('a profile keeps no HTML tags, counts characters, and a website without http gets it first', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const save = (fields: object) =>
			client.post('/social/save_user_profile', { bio: '', photo_service: '', ...fields } as Record<
				string,
				string
			>);
		const bio = '😀'.repeat(160);
		const { body } = await save({ website: '<b>example.com</b>', location: '<i>Oslo</i> & co', bio });
		expect(body.user_profile).toMatchObject({ website: 'http://example.com', location: 'Oslo & co', bio });
		expect((await save({ website: 'x'.repeat(193), location: '😀'.repeat(40) })).status).toBe(200);
		expect((await save({ website: 'x'.repeat(194), location: '' })).status).toBe(500);
	}));

test('a feed is marked as read after the days of its folder, else of a folder around it; 0 is never', () =>
	asReader({ variant: '2026', plan: 'archive' }, async (client) => {
		const days = async (kind: string, fields: Record<string, string | number>) =>
			(await client.post(`/reader/save_${kind}_auto_mark_read`, fields)).body['effective_days'];
		const inherited = { feed_id: 4, auto_mark_read_days: '' };
		await days('folder', { folder_title: 'Technology', auto_mark_read_days: 5 });
		expect(await days('feed', inherited)).toBe(5);
		await days('folder', { folder_title: 'Technology - Hardware', auto_mark_read_days: 3 });
		expect(await days('feed', inherited)).toBe(3);
		expect(await days('feed', { feed_id: 4, auto_mark_read_days: 0 })).toBeNull();
	}));
