import type { ReaderDifference } from '../../../../sandbox/reader/reader-differences.ts';
import type { ReaderBody, ReaderClient } from '../../clients/reader-client.ts';

/** The effect of each single difference seen on real hosts: the check passes with the difference, and fails without. */
export type Checks = Partial<Record<ReaderDifference, (client: ReaderClient) => Promise<void>>>;

/** The feed that checks put stories into. */
export const LIVE_WIRE = 10;

/** Adds stories to the live wire. @returns their hashes, newest first. */
export async function addStories(client: ReaderClient, count: number): Promise<string[]> {
	await client.control('/reader-service/sandbox/bulk', { feed_id: LIVE_WIRE, count });
	return unreadOf(client, LIVE_WIRE);
}

/** Hashes of a feed's unread stories, newest first. */
export async function unreadOf(client: ReaderClient, feedId: number): Promise<string[]> {
	const { body } = await client.get('/reader/unread_story_hashes', { feed_id: feedId });
	return (body.unread_feed_story_hashes[feedId] ?? []).map(String);
}

export async function storiesOf(client: ReaderClient, feedId: number): Promise<ReaderBody['stories']> {
	return (await client.get(`/reader/feed/${feedId}`)).body.stories;
}

/** The statuses of the responses to calls, in their order; a GET has no fields. */
export async function statuses(
	client: ReaderClient,
	calls: readonly [path: string, fields?: Record<string, string | number>][],
): Promise<[string, number][]> {
	const found: [string, number][] = [];
	for (const [path, fields] of calls) {
		const { status } = await (fields ? client.post(path, fields) : client.get(path));
		found.push([path, status]);
	}
	return found;
}

/** The same calls with the status that all responses must have. */
export const all = (
	status: number,
	calls: readonly [path: string, fields?: Record<string, string | number>][],
): [string, number][] => calls.map(([path]) => [path, status]);
