import { asReader, controls } from '../support/clients/reader-client.ts';

test('wild: one counter for all limited endpoints, over this minute and the last', () =>
	asReader({ variant: 'wild', rateLimit: { count: 1, seconds: 1 } }, async (client) => {
		const status = async (path: string) => (await client.get(path)).status;
		const rss = '/social/rss/2/friend';
		for (let n = 0; n < 4; n++) expect(await status('/reader/feeds')).toBe(200);
		expect([await status(rss), await status(rss), await status('/reader/feeds')]).toEqual([200, 429, 200]);
		const refused = await client.get(rss);
		expect([refused.text, refused.headers.get('retry-after')]).toEqual(['Rate limit exceeded', null]);
		for (let n = 0; n < 30; n++) expect(await status('/reader/starred_stories')).toBe(200);
		client.clock.advance(60_000);
		expect(await status(rss)).toBe(429);
		for (let n = 0; n < 30; n++) await client.get('/rss_feeds/statistics/1');
		expect(await status('/reader/refresh_feeds')).toBe(429);
		expect((await client.post('/reader/refresh_feeds', { feed_id: 1 })).status).toBe(200);
		client.clock.advance(120_000);
		expect(await status(rss)).toBe(200);
	}));

test('the cookie has the configured name', () =>
	asReader({}, async (client) => {
		await client.control(controls.settings, { cookie_name: 'another_id' });
		expect((await client.get('/reader/feeds')).status).toBe(401);
		expect((await client.as('reader')).headers['cookie']).toMatch(/^another_id=/);
	}));

test('a hundred thousand unread stories are listed once, counted and marked read', () =>
	asReader({}, async (client) => {
		await client.control(controls.bulk, { feed_id: 10, count: 100_000 });
		const { body } = await client.get('/reader/unread_story_hashes', { include_timestamps: true });
		expect(body.unread_feed_story_hashes['10']?.length).toBeGreaterThanOrEqual(100_000);
		expect(new Set(body.unread_feed_story_hashes['10']?.map(([hash]) => hash)).size).toBe(
			body.unread_feed_story_hashes['10']?.length,
		);
		expect((await client.get('/reader/refresh_feeds')).body.feeds['10']?.nt).toBeGreaterThanOrEqual(100_000);
		await client.post('/reader/mark_feed_as_read', { feed_id: 10 });
		expect((await client.get('/reader/refresh_feeds')).body.feeds['10']?.nt).toBe(0);
	}));
