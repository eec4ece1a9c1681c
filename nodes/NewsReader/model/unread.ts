import type { ApiResponse, ItemApi, Result, Api } from '../../runtime/api-types';
import { asRecord, chunksOf, isRecord, toText } from '../../runtime/values';
import { membersOf, membersUnder, recordsIn } from './responses';
import {
	HASHES_PER_REQUEST,
	HIDDEN_AS_WELL,
	readStories,
	storyHashesIn,
	withoutList,
	type HashesByFeed,
} from './hashes';
import { keepCounted } from './unread-counts';
import { leftOutOf } from './stories';
import { isInTime, needsStories, oneListAtATime, passes, type StoryFilter } from './story-lists';
import { chosenFeedSet, type FeedChoice } from './subscriptions';

/** With more feeds, the URL would be too long: then all are requested. */
const MOST_FEEDS = 200;
const UNREAD_HASHES_PATH = '/reader/unread_story_hashes';
/** Newer servers have no page above 400, so these are as large as possible (read in their code). */
const OLDEST_UNREAD = { read_filter: 'unread', order: 'oldest', limit: 200, ...HIDDEN_AS_WELL };

/** Without any chosen feed, there is no request and no `response`. */
export async function unreadByFeed(
	api: Api,
	chosen: FeedChoice,
	query: Record<string, unknown>,
): Promise<{ byFeed: HashesByFeed; response?: ApiResponse }> {
	const feeds = await chosenFeedSet(chosen, api);
	if (feeds?.size === 0) return { byFeed: new Map() };
	await keepCounted(api);
	const asked = feeds && feeds.size <= MOST_FEEDS ? { ...query, feed_id: [...feeds] } : query;
	const response = await api.send({ method: 'GET', path: UNREAD_HASHES_PATH, query: asked });
	const byFeed = asRecord(response.json).unread_feed_story_hashes;
	const isEmptyList = Array.isArray(byFeed) && byFeed.length === 0;
	if (!isRecord(byFeed) && !isEmptyList) throw withoutList(api, 'hashes', UNREAD_HASHES_PATH);
	const lists = Object.entries(byFeed as object)
		.filter(([feed]) => !feeds || feeds.has(Number(feed)))
		.map(([feed, hashes]) => [feed, storyHashesIn(membersOf(hashes) ?? [])] as const);
	return { byFeed: new Map(lists), response };
}

/** The service returns at most this many unread hashes of one feed, the newest ones (seen in the wild). */
export const MOST_UNREAD_OF_FEED = 500;

/** Adds the hashes after a time that the service does not list, from the stories of their feeds. */
export async function withOlderUnread(api: ItemApi, byFeed: HashesByFeed, after = 0): Promise<HashesByFeed> {
	const complete: HashesByFeed = new Map(byFeed);
	for (const [feed, entries] of byFeed) {
		if (entries.length !== MOST_UNREAD_OF_FEED || entries.some(({ at }) => at > 0 && at < after)) continue;
		const listed = new Set(entries.map(({ hash }) => hash));
		// As with the other hashes, a date is returned only if it was requested.
		const isDated = entries.some(({ at }) => at > 0);
		const older = await oneListAtATime('river', api, async () => await restOf(api, feed, listed));
		const rest = [...older].map(([hash, at]) => ({ hash, at: isDated ? at : 0 }));
		complete.set(feed, [...entries, ...rest.reverse()]);
	}
	return complete;
}

/** Hashes with Unix seconds, oldest first. */
async function restOf(api: ItemApi, feed: string, listed: Set<string>): Promise<Map<string, number>> {
	const rest = new Map<string, number>();
	for (let page = 1; ; page += 1) {
		const query = { ...OLDEST_UNREAD, feeds: [feed], page };
		const response = await api.send({ method: 'GET', path: '/reader/river_stories', query });
		const stories = recordsIn(membersUnder('stories', response));
		const before = rest.size;
		// Of similar stories, a page has one, which lists the others, also those of other feeds.
		const similar = leftOutOf(stories).filter((story) => toText(story.story_feed_id) === feed);
		for (const { story_hash: hash, story_timestamp: seconds } of [...stories, ...similar]) {
			if (!listed.has(toText(hash))) rest.set(toText(hash), Number(seconds));
		}
		if (stories.some((story) => listed.has(toText(story.story_hash)))) return rest;
		if (rest.size === before) {
			api.hint(
				`Older unread stories of feed ${feed} may be missing: the service lists only the newest ${MOST_UNREAD_OF_FEED}, and its river lacks some of the others. Story → Get Many with Read Filter → Unread may return them`,
			);
			return rest;
		}
	}
}

/** Sorted by date across feeds. A hint says how many stories are gone. */
export async function unreadStories(
	api: ItemApi,
	byFeed: HashesByFeed,
	filter: StoryFilter,
	isOldestFirst: boolean,
): Promise<Result[]> {
	const limit = api.limit();
	const isNewest = !isOldestFirst && limit <= MOST_UNREAD_OF_FEED && Object.keys(filter).length === 0;
	const complete = isNewest ? byFeed : await withOlderUnread(api, byFeed, filter.newerThan);
	const ordered = [...complete.values()]
		.flat()
		.filter(({ at }) => isInTime(at || undefined, filter))
		.sort((a, b) => (isOldestFirst ? a.at - b.at : b.at - a.at));
	const hashes = [...new Set(ordered.map(({ hash }) => hash))];
	const size = needsStories(filter) ? HASHES_PER_REQUEST : Math.min(HASHES_PER_REQUEST, limit);
	const results: Result[] = [];
	let found = 0;
	let gone = 0;
	for (const chunk of chunksOf(hashes, size)) {
		if (found >= limit) break;
		const { stories, response } = await readStories(api, chunk);
		const existing = chunk.map((hash) => stories.get(hash)).filter((story) => story !== undefined);
		const passing = existing.filter((story) => passes(story, filter)).slice(0, limit - found);
		found += passing.length;
		gone += chunk.length - existing.length;
		results.push(...(await api.results(passing, response)));
	}
	if (gone > 0) api.hint(`Unread stories skipped because the service no longer has them: ${gone}`);
	return results;
}
