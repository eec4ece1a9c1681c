import { seconds } from '../format-date.ts';
import { read, type Call, type Route, pageOf } from '../http/reader-route.ts';
import { subscribedFeeds } from '../subscriptions.ts';
import { feedRecords } from '../feeds/listing.ts';
import { inList } from '../storage/queries.ts';
import { unreadCap, unreadCondition } from '../stories/counts.ts';
import { feedsWithCounts } from '../stories/stored-counts.ts';
import { findStories, storiesById } from '../stories/find.ts';
import { presentStories } from '../stories/present-stories.ts';
import { requestedDates, emptyMessage, searchQuery } from './story-routes.ts';

/** Stories in the history of read stories, as seen on real hosts. */
const historyLength = 1000;
/** Maximum number of search results. */
const mostFound = 200;

interface HashRow {
	feed_id: number;
	story_hash: string;
	published_at: number;
}

/**
 * Interface document, "Stories": hashes of all unread stories by feed, newest first. With stored counts, only of feeds with a
 * count; if no requested feed has one, of all of them.
 */
function unreadHashes(call: Call): object {
	const { reader, user, parameters } = call;
	const requested = parameters.has('feed_id') ? parameters.integers('feed_id') : undefined;
	const subscribed = subscribedFeeds(reader, user, requested);
	const counted = feedsWithCounts(reader, user, subscribed);
	const ids = counted.length > 0 ? counted : subscribed;
	const direction = call.oldestFirst ? 'ASC' : 'DESC';
	const order = `published_at ${direction}, id ${direction}`;
	const unread = unreadCondition(reader, user);
	const rows = call.db.all<HashRow>(
		`SELECT feed_id, story_hash, published_at FROM (
			SELECT *, ROW_NUMBER() OVER (PARTITION BY feed_id ORDER BY ${order}) place
			FROM reader_stories stories WHERE feed_id IN (SELECT value FROM json_each(?)) AND ${unread.sql}
		) WHERE place <= ? ORDER BY ${order}`,
		inList(ids),
		...unread.values,
		unreadCap(reader),
	);
	const withTimes = parameters.flag('include_timestamps');
	const shown = reader.isReal ? ids : [];
	const byFeed: Record<string, unknown[]> = Object.fromEntries(shown.map((id) => [id, []]));
	for (const { feed_id, story_hash, published_at } of rows) {
		const list = (byFeed[feed_id] ??= []);
		list.push(withTimes ? [story_hash, seconds(published_at)] : story_hash);
	}
	return { unread_feed_story_hashes: byFeed };
}

/** Interface document, "Stories": most recently saved first; with the times of the last change on request. */
function starredHashes(call: Call): object {
	const rows = call.db.all<{ story_hash: string; changed_at: number }>(
		`SELECT story_hash, starred.changed_at FROM reader_starred starred
		JOIN reader_stories stories ON stories.id = story_id
		WHERE starred.user_id = ? ORDER BY starred_at DESC, starred.story_id DESC`,
		call.user.id,
	);
	const withTimes = call.parameters.flag('include_timestamps');
	return {
		starred_story_hashes: rows.map(({ story_hash, changed_at }) =>
			withTimes ? [story_hash, String(seconds(changed_at))] : story_hash,
		),
	};
}

/** Interface document, "Stories": stories that were read one by one, most recently read first; each once on a page. */
function readStories(call: Call): object {
	const { reader, user } = call;
	if (call.parameters.text('query')?.trim() && reader.isReal && !reader.is2026) {
		return { stories: [], user_profiles: [], feeds: [], message: 'Not implemented yet.' };
	}
	const ids = reader.is2026 ? newerReadIds(call) : undefined;
	const feedsAsked = reader.is2026 ? call.parameters.integers('feed_id') : [];
	const rows = storiesById(reader, [...new Set(ids ?? readIds(call))]).filter(
		({ feed_id }) => feedsAsked.length === 0 || feedsAsked.includes(feed_id),
	);
	const subscribed = subscribedFeeds(reader, user);
	const feedIds = [...new Set(rows.map((row) => row.feed_id))].filter((id) => !subscribed.includes(id));
	return {
		...presentStories(reader, user, rows, { list: 'read' }),
		feeds: [...feedRecords(reader, user, feedIds).values()],
		...emptyMessage,
	};
}

/** A page of stories searched or of a range of days, which 2026 looks for in the whole history; undefined for neither. */
function newerReadIds(call: Call): number[] | undefined {
	const { reader, user, oldestFirst } = call;
	const query = searchQuery(call);
	const dates = requestedDates(call);
	if (query === undefined && dates === undefined) return undefined;
	const { limit, offset } = pageOf(call, 'read');
	const found = findStories(reader, user, {
		feedIds: call.db.all<{ id: number }>('SELECT id FROM reader_feeds').map(({ id }) => id),
		filter: 'all',
		oldestFirst,
		query,
		dates,
		limit: historyLength * historyLength,
		offset: 0,
	});
	const read = readIds(call, { limit: historyLength, offset: 0 });
	const isFound = new Set(found.slice(0, query === undefined ? undefined : mostFound).map(({ id }) => id));
	const ids =
		dates === undefined
			? read.filter((id) => isFound.has(id))
			: [...isFound].filter((id) => read.includes(id));
	return ids.slice(offset, offset + limit);
}

/** Ids of a page of the history; in the variant `wild` with the first of the next page. */
function readIds(call: Call, page?: { limit: number; offset: number }): number[] {
	const { reader, user } = call;
	const { limit, offset } = page ?? pageOf(call, 'read');
	const direction = call.oldestFirst ? 'ASC' : 'DESC';
	const overlap = reader.isReal ? 1 : 0;
	return call.db
		.all<{ story_id: number }>(
			`SELECT story_id FROM (SELECT story_id, read_at FROM reader_reads WHERE user_id = ?1 AND opened = 1
			UNION ALL SELECT story_id, read_at FROM reader_earlier_reads WHERE user_id = ?1
			ORDER BY read_at DESC, story_id DESC LIMIT ?2)
			ORDER BY read_at ${direction}, story_id ${direction} LIMIT ?3 OFFSET ?4`,
			user.id,
			historyLength,
			limit + overlap,
			offset,
		)
		.map((row) => row.story_id);
}

export const hashRoutes: readonly Route[] = [
	read('/reader/unread_story_hashes', unreadHashes),
	read('/reader/starred_story_hashes', starredHashes),
	read('/reader/read_stories', readStories),
];
