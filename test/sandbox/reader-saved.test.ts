import { asReader } from '../support/clients/reader-client.ts';

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

test('saved stories include feeds that are not subscribed', () =>
	asReader({}, async (client) => {
		const [saved] = (await client.get('/reader/starred_stories')).body.stories;
		const id = saved?.story_feed_id ?? 0;
		expect((await client.get('/reader/starred_stories')).body.feeds).toEqual({});
		await client.post('/reader/delete_feed', { feed_id: id });
		expect((await client.get('/reader/starred_stories')).body.feeds).toMatchObject({ [id]: { id } });
	}));
