import { asReader, LIVE_WIRE, unreadOf } from '../support/clients/reader-client.ts';

/** The variant `wild` lists unread stories only of feeds whose stored count is not 0, and writes do not count. */

test('a new subscription is listed after its feed was counted', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const { body } = await client.get('/reader/feeds');
		const address = body.feeds[LIVE_WIRE]?.['feed_address'];
		await client.post('/reader/delete_feed', { feed_id: LIVE_WIRE, in_folder: '' });
		await client.post('/reader/add_url', { url: String(address) });
		const listed = async () =>
			Object.keys((await client.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes);
		expect(await listed()).not.toContain(String(LIVE_WIRE));
		expect(await unreadOf(client, LIVE_WIRE)).not.toEqual([]);
		await client.get('/reader/feeds', { update_counts: 'false' });
		expect(await listed()).not.toContain(String(LIVE_WIRE));
		await client.get('/reader/feed_unread_count', { feed_id: LIVE_WIRE });
		expect(await listed()).toContain(String(LIVE_WIRE));
	}));

test('a story that was marked as unread is listed after its feed was counted', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const [hash = ''] = await unreadOf(client, LIVE_WIRE);
		const listed = async () =>
			(await client.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes[LIVE_WIRE];
		await client.post('/reader/mark_feed_as_read', { feed_id: LIVE_WIRE });
		await client.get('/reader/refresh_feeds');
		await client.post('/reader/mark_story_hash_as_unread', { story_hash: hash });
		expect(await listed()).toBeUndefined();
		await client.get('/reader/refresh_feeds');
		expect(await listed()).toEqual([hash]);
	}));
