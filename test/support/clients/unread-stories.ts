import type { ReaderBody, ReaderClient } from './reader-client.ts';

/** The feed to which tests add stories. */
export const LIVE_WIRE = 10;

/** Adds stories to the feed. @returns the hashes of its unread stories, newest first */
export async function addStories(client: ReaderClient, count: number): Promise<string[]> {
	await client.control('/reader-service/sandbox/bulk', { feed_id: LIVE_WIRE, count });
	return unreadOf(client, LIVE_WIRE);
}

/** The hashes of a feed's unread stories, newest first. */
export async function unreadOf(client: ReaderClient, feedId: number): Promise<string[]> {
	const { body } = await client.get('/reader/unread_story_hashes', { feed_id: feedId });
	return (body.unread_feed_story_hashes[feedId] ?? []).map(String);
}

export async function storiesOf(client: ReaderClient, feedId: number): Promise<ReaderBody['stories']> {
	return (await client.get(`/reader/feed/${feedId}`)).body.stories;
}
