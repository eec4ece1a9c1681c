import type { ReaderDifference } from '../../../../sandbox/reader/reader-differences.ts';
import type { ReaderBody, ReaderClient } from '../../clients/reader-client.ts';

/** A check for each difference seen on real hosts. It passes with the difference and fails without it. */
export type Checks = Partial<Record<ReaderDifference, (client: ReaderClient) => Promise<void>>>;

/** The feed to which checks add stories. */
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

/** Sends calls, one after the other. @returns each path and status; a call without fields is a GET request */
export async function statuses(
	client: ReaderClient,
	calls: readonly [path: string, fields?: Record<string, string | number>][],
): Promise<[string, number][]> {
	const results: [string, number][] = [];
	for (const [path, fields] of calls) {
		const { status } = await (fields ? client.post(path, fields) : client.get(path));
		results.push([path, status]);
	}
	return results;
}

/** The expected result of `statuses` if all responses have the same status. */
export const allWithStatus = (
	status: number,
	calls: readonly [path: string, fields?: Record<string, string | number>][],
): [string, number][] => calls.map(([path]) => [path, status]);
