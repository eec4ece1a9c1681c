import type { IDataObject } from 'n8n-workflow';
import type { Result, Tools } from '../../runtime/table/operation';
import type { Answer } from '../../runtime/transport/http';
import { isRecord, toInteger } from '../../runtime/values';
import { membersOf } from './answers';
import { HASHES_PER_REQUEST, hashWithDate, storiesByHash, type StoryHash } from './hashes';
import { feedsOfChoice, type FeedChoice } from './subscriptions';

/** A longer list of feeds makes the URL too long: then all are asked for, and the others left out. */
const MOST_FEEDS = 200;

interface UnreadHash extends StoryHash {
	feed_id: number | undefined;
}

const ofFeed = (feedId: number | undefined, { story_hash, ...date }: StoryHash): UnreadHash => ({
	story_hash,
	feed_id: feedId,
	...date,
});

/** The hashes of unread stories, feed by feed as the service tells them; no answer where no feed is chosen. */
export async function unreadHashes(
	tools: Tools,
	chosen: FeedChoice,
	query: Record<string, unknown>,
): Promise<{ hashes: UnreadHash[]; answer?: Answer }> {
	const feedIds = chosen === undefined ? undefined : await feedsOfChoice(chosen, tools);
	if (feedIds?.length === 0) return { hashes: [] };
	const asked = feedIds && feedIds.length <= MOST_FEEDS ? { feed_id: feedIds } : {};
	const path = '/reader/unread_story_hashes';
	const answer = await tools.send({ method: 'GET', path, query: { ...query, ...asked } });
	const { json } = answer;
	const byFeed = isRecord(json) ? json.unread_feed_story_hashes : undefined;
	const isEmptyList = Array.isArray(byFeed) && byFeed.length === 0;
	if (!isRecord(byFeed) && !isEmptyList) {
		throw tools.failure('The service told no hashes', `It answered ${path} without a list of hashes.`);
	}
	const wanted = feedIds && new Set(feedIds);
	const hashes = Object.entries(byFeed as object)
		.map(([id, entries]) => ({ feedId: toInteger(id), entries: membersOf(entries) ?? [] }))
		.filter(({ feedId }) => !wanted || (feedId !== undefined && wanted.has(feedId)))
		.flatMap(({ feedId, entries }) => entries.map((entry) => ofFeed(feedId, hashWithDate(entry))));
	return { hashes, answer };
}

const time = ({ date }: UnreadHash): number => Date.parse(date ?? '') || 0;

/** Each hash once, by date across feeds; stories of one moment keep the service's order. */
export function sortedHashes(hashes: UnreadHash[], isOldestFirst: boolean): string[] {
	const sorted = [...hashes].sort((a, b) => (isOldestFirst ? time(a) - time(b) : time(b) - time(a)));
	return [...new Set(sorted.map((hash) => hash.story_hash))];
}

/** The stories of these hashes, in their order, until `limit` are there. Those that are gone are counted. */
export async function storiesOf(tools: Tools, hashes: string[], limit: number): Promise<Result[]> {
	const results: Result[] = [];
	let found = 0;
	let gone = 0;
	for (let next = 0; next < hashes.length && found < limit;) {
		const size = Math.min(HASHES_PER_REQUEST, limit - found);
		const asked = hashes.slice(next, next + size);
		next += asked.length;
		const request = { method: 'GET', path: '/reader/river_stories', partial: true } as const;
		const answer = await tools.send({ ...request, query: { h: asked } });
		const stories: IDataObject[] = [];
		for (const hash of asked) {
			const outcome = storiesByHash.outcome(answer, hash);
			if ('failure' in outcome) throw tools.failure(outcome.failure, `The service said this of ${hash}.`);
			if ('record' in outcome) stories.push(outcome.record);
		}
		found += stories.length;
		gone += asked.length - stories.length;
		results.push(...tools.results(stories, answer));
	}
	if (gone > 0) tools.hint(`Left out because the service no longer has them: ${gone} of the unread stories`);
	return results;
}
