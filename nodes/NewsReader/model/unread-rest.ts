import type { IDataObject } from 'n8n-workflow';
import type { ItemApi } from '../../runtime/api-types';
import { isRecord, toText } from '../../runtime/values';
import { membersUnder } from './responses';
import { leftOutOf } from './similar-stories';
import { hashWithDate, HIDDEN_AS_WELL, type HashesByFeed } from './hashes';

/** The service returns at most this many unread hashes of one feed, the newest ones (seen in the wild). */
export const MOST_UNREAD_OF_FEED = 500;
const RIVER_PATH = '/reader/river_stories';

/**
 * Adds older hashes. For some feeds, the service returns only the newest hashes; the others are read from the feed's
 * stories.
 */
export async function withOlderUnread(api: ItemApi, byFeed: HashesByFeed): Promise<HashesByFeed> {
	const complete: HashesByFeed = new Map(byFeed);
	for (const [feed, entries] of byFeed) {
		if (entries.length !== MOST_UNREAD_OF_FEED) continue;
		const listed = new Set(entries.map((entry) => hashWithDate(entry).story_hash));
		const rest = [...(await restOf(api, feed, listed))].reverse();
		const isDated = Array.isArray(entries[0]);
		complete.set(feed, [...entries, ...rest.map((pair) => (isDated ? pair : pair[0]))]);
	}
	return complete;
}

/** The unread stories of a feed that are older than those listed: hashes with Unix seconds, oldest first. */
async function restOf(api: ItemApi, feed: string, listed: Set<string>): Promise<Map<string, number>> {
	const rest = new Map<string, number>();
	for (let page = 1; ; page += 1) {
		const query = { feeds: [feed], read_filter: 'unread', order: 'oldest', page, ...HIDDEN_AS_WELL };
		const response = await api.send({ method: 'GET', path: RIVER_PATH, query });
		const stories = (membersUnder('stories', response) ?? []).filter(isRecord);
		const before = rest.size;
		// Of similar stories, a page has one, which lists the others, also those of other feeds.
		const similar = leftOutOf(stories as IDataObject[]).filter(
			(story) => toText(story.story_feed_id) === feed,
		);
		for (const { story_hash: hash, story_timestamp: seconds } of [...stories, ...similar]) {
			if (!listed.has(toText(hash))) rest.set(toText(hash), Number(seconds));
		}
		if (stories.some((story) => listed.has(toText(story.story_hash)))) return rest;
		if (rest.size === before) {
			api.hint(
				`Older unread stories of feed ${feed} may be missing: the service lists at most ${MOST_UNREAD_OF_FEED} unread stories of a feed, and its list of all stories is incomplete`,
			);
			return rest;
		}
	}
}
