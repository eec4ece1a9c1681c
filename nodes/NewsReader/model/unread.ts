import type { Answer } from '../../runtime/exchange';
import type { ItemApi, Result, Api } from '../../runtime/table/operation';
import { isRecord, toInteger } from '../../runtime/values';
import { membersOf } from './answers';
import {
	HASHES_PER_REQUEST,
	hashWithDate,
	NO_HASHES,
	readStories,
	type HashesByFeed,
	type StoryHash,
} from './hashes';
import { keepSeen } from './keepSeen';
import { completed } from './unreadRest';
import { chosenFeedSet, type FeedChoice } from './subscriptions';

/** A longer list of feeds makes the URL too long: then all are asked for, and the others left out. */
const MOST_FEEDS = 200;
const PATH = '/reader/unread_story_hashes';

/** Asks for the hashes of what is unread in the chosen feeds; there is no answer where no feed is chosen. */
export async function unreadByFeed(
	api: Api,
	chosen: FeedChoice,
	query: Record<string, unknown>,
): Promise<{ byFeed: HashesByFeed; answer?: Answer }> {
	const feeds = await chosenFeedSet(chosen, api);
	if (feeds?.size === 0) return { byFeed: new Map() };
	await keepSeen(api);
	const asked = feeds && feeds.size <= MOST_FEEDS ? { feed_id: [...feeds] } : {};
	const answer = await api.send({ method: 'GET', path: PATH, query: { ...query, ...asked } });
	const { json } = answer;
	const byFeed = isRecord(json) ? json.unread_feed_story_hashes : undefined;
	const isEmptyList = Array.isArray(byFeed) && byFeed.length === 0;
	if (!isRecord(byFeed) && !isEmptyList) {
		throw api.failure(NO_HASHES, `It was asked for them at ${PATH}.`);
	}
	const wanted = Object.entries(byFeed as object)
		.filter(([feed]) => !feeds || feeds.has(Number(feed)))
		.map(([feed, hashes]) => [feed, membersOf(hashes) ?? []] as const);
	return { byFeed: new Map(wanted), answer };
}

interface UnreadHash extends StoryHash {
	feed_id: number | undefined;
}

/** The same as a list, feed by feed. */
export const unreadHashes = (byFeed: HashesByFeed): UnreadHash[] =>
	[...byFeed].flatMap(([feed, hashes]) =>
		hashes.map((entry) => {
			const { story_hash, ...date } = hashWithDate(entry);
			return { story_hash, feed_id: toInteger(feed), ...date };
		}),
	);

const time = ({ date }: UnreadHash): number => Date.parse(date ?? '') || 0;

/** Each hash once, by date across feeds; stories of one moment keep the service's order. */
function sortedHashes(hashes: UnreadHash[], isOldestFirst: boolean): string[] {
	const sorted = [...hashes].sort((a, b) => (isOldestFirst ? time(a) - time(b) : time(b) - time(a)));
	return [...new Set(sorted.map((hash) => hash.story_hash))];
}

/** The hashes of what is unread, in order: at least `limit`, or all. */
export async function unreadInOrder(
	api: ItemApi,
	byFeed: HashesByFeed,
	isOldestFirst: boolean,
	limit: number,
): Promise<string[]> {
	const listed = sortedHashes(unreadHashes(byFeed), isOldestFirst);
	const newest = new Set(listed.slice(0, limit));
	const complete = await completed(
		api,
		byFeed,
		isOldestFirst ? { most: limit } : { isWanted: (hash) => newest.has(hash) },
	);
	return sortedHashes(unreadHashes(complete), isOldestFirst);
}

/** The stories of these hashes, in their order, until `limit` are there. Those that are gone are counted. */
export async function storiesOf(api: ItemApi, hashes: string[], limit: number): Promise<Result[]> {
	const results: Result[] = [];
	let found = 0;
	let gone = 0;
	for (let next = 0; next < hashes.length && found < limit;) {
		const asked = hashes.slice(next, next + Math.min(HASHES_PER_REQUEST, limit - found));
		next += asked.length;
		const { stories, answer } = await readStories(api, asked);
		const there = asked.map((hash) => stories.get(hash)).filter((story) => story !== undefined);
		found += there.length;
		gone += asked.length - there.length;
		results.push(...(await api.results(there, answer)));
	}
	if (gone > 0) api.hint(`Left out because the service no longer has them: ${gone} of the unread stories`);
	return results;
}
