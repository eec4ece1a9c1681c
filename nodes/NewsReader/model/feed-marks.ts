import type { RequestParts, Api } from '../../runtime/api-types';
import { chunksOf, toInteger, toText } from '../../runtime/values';
import { HASHES_PER_REQUEST } from './hashes';
import { subscriptionsOf } from './subscriptions';
import { unreadByFeed, unreadHashes } from './unread';

/** Whether a request to mark feeds also marks stories with this date (ISO 8601). */
function isMarked({ cutoff_timestamp: cutoff, direction }: RequestParts['body'], date = ''): boolean {
	if (cutoff === undefined) return true;
	const seconds = Date.parse(date) / 1000;
	return direction === 'newer' ? seconds >= Number(cutoff) : seconds <= Number(cutoff);
}

/** Of the given feeds, or of all, those whose stored counts of unread stories are 0. */
async function countedAsRead(api: Api, feedIds?: readonly string[]): Promise<number[]> {
	const { feeds } = await subscriptionsOf(api);
	return feeds
		.filter(({ id }) => !feedIds || feedIds.includes(toText(id)))
		.filter(({ ps, nt, ng }) => [ps, nt, ng].every((count) => toInteger(count) === 0))
		.map(({ id }) => Number(toText(id)));
}

/**
 * Marks the stories that remain unread after whole feeds were marked. For a feed whose stored counts are 0, the service
 * silently marks nothing (seen in the wild), but its list of unread hashes is right: so these hashes are marked.
 * `feedIds` are the feeds that were marked; by default, all.
 */
export async function markUncounted(
	api: Api,
	{ body }: Pick<RequestParts, 'body'>,
	feedIds?: readonly string[],
): Promise<void> {
	const feeds = await countedAsRead(api, feedIds);
	const marked = new Set<string>();
	while (feeds.length > 0) {
		const { byFeed } = await unreadByFeed(api, feeds, { include_timestamps: true });
		const remaining = unreadHashes(byFeed)
			.filter(({ story_hash: hash, date }) => isMarked(body, date ?? undefined) && !marked.has(hash))
			.map(({ story_hash: hash }) => hash);
		if (remaining.length === 0) return;
		for (const chunk of chunksOf(remaining, HASHES_PER_REQUEST)) {
			const body = { story_hash: chunk };
			await api.send({ method: 'POST', path: '/reader/mark_story_hashes_as_read', body });
		}
		// A response lists only a limited number of hashes: so the loop asks again.
		remaining.forEach((hash) => marked.add(hash));
	}
}
