import { seconds } from '../dates.ts';
import { read, type Call, type Route } from '../http/route.ts';
import { subscribedFeeds } from '../feeds/subscriptions.ts';
import { feedRecords } from '../feeds/listing.ts';
import { inList } from '../storage/queries.ts';
import { isUnread } from '../stories/counts.ts';
import { storiesById } from '../stories/find.ts';
import { pageOf } from '../http/pages.ts';
import { presentStories } from '../stories/present.ts';

/** Stories in the history of read stories, as seen in the wild. */
const historyLength = 1000;

interface HashRow {
	feed_id: number;
	story_hash: string;
	published_at: number;
}

/** Contract, "Stories": hashes of all unread stories by feed, newest first; feeds without any are absent. */
function unreadHashes(call: Call): object {
	const { reader, user, parameters } = call;
	const asked = parameters.has('feed_id') ? parameters.integers('feed_id') : undefined;
	const ids = subscribedFeeds(reader, user, asked);
	const direction = call.oldestFirst ? 'ASC' : 'DESC';
	const rows = call.db.all<HashRow>(
		`SELECT feed_id, story_hash, published_at FROM reader_stories stories
		WHERE feed_id IN (SELECT value FROM json_each(?)) AND ${isUnread}
		ORDER BY published_at ${direction}, id ${direction}`,
		inList(ids),
		reader.unreadSince(user),
		user.id,
	);
	const withTimes = parameters.flag('include_timestamps');
	const time = reader.differs('float-timestamps') ? (at: number) => at / 1000 : (at: number) => seconds(at);
	const byFeed: Record<string, unknown[]> = {};
	for (const { feed_id, story_hash, published_at } of rows) {
		const list = (byFeed[feed_id] ??= []);
		list.push(withTimes ? [story_hash, time(published_at)] : story_hash);
	}
	return { unread_feed_story_hashes: byFeed };
}

/** Contract, "Stories": newest first; with timestamps as pairs. */
function starredHashes(call: Call): object {
	const rows = call.db.all<{ story_hash: string; starred_at: number }>(
		`SELECT story_hash, starred_at FROM reader_starred JOIN reader_stories stories ON stories.id = story_id
		WHERE user_id = ? ORDER BY starred_at DESC, story_id DESC`,
		call.user.id,
	);
	const withTimes = call.parameters.flag('include_timestamps');
	const time = call.reader.differs('string-timestamps')
		? (at: number) => String(seconds(at))
		: (at: number) => seconds(at);
	return {
		starred_story_hashes: rows.map(({ story_hash, starred_at }) =>
			withTimes ? [story_hash, time(starred_at)] : story_hash,
		),
	};
}

/** Contract, "Stories": what the account read one by one, last read first. */
function readStories(call: Call): object {
	const { reader, user } = call;
	const { limit, offset } = pageOf(call, 'read');
	const direction = call.oldestFirst ? 'ASC' : 'DESC';
	const overlap = reader.differs('read-overlap') ? 1 : 0;
	const ids = call.db
		.all<{ story_id: number }>(
			`SELECT story_id FROM (SELECT story_id, read_at FROM reader_reads
			WHERE user_id = ? AND opened = 1 ORDER BY read_at DESC, story_id DESC LIMIT ?)
			ORDER BY read_at ${direction}, story_id ${direction} LIMIT ? OFFSET ?`,
			user.id,
			historyLength,
			limit + overlap,
			offset,
		)
		.map((row) => row.story_id);
	const rows = storiesById(reader, ids);
	const feedIds = [...new Set(rows.map((row) => row.feed_id))];
	return {
		...presentStories(reader, user, rows),
		feeds: [...feedRecords(reader, user, feedIds).values()],
	};
}

export const hashRoutes: readonly Route[] = [
	read('/reader/unread_story_hashes', unreadHashes),
	read('/reader/starred_story_hashes', starredHashes),
	read('/reader/read_stories', readStories),
];
