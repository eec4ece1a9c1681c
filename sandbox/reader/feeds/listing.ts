import type { Reader } from '../reader.ts';
import { inList } from '../storage/queries.ts';
import type { FeedRow, SubscriptionRow, UserRow } from '../storage/rows.ts';
import { shownCounts } from '../stories/stored-counts.ts';
import { feedFigures } from './figures.ts';
import { feedRecord } from './present-feed.ts';

type FeedRecord = Record<string, unknown>;

interface Listing {
	/** Adds unread counts: counted now, or as they are stored. */
	counts?: 'current' | 'stored';
	/** Adds the icon. */
	favicons?: boolean;
	/** Adds the account's own fields. */
	subscribed?: boolean;
}

/** Records of feeds by id. */
export function feedRecords(
	reader: Reader,
	user: UserRow,
	feedIds: readonly number[],
	{ counts, favicons = false, subscribed = false }: Listing = {},
): Map<number, FeedRecord> {
	const ids = inList(feedIds);
	const feeds = reader.db.all<FeedRow>(
		'SELECT * FROM reader_feeds WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
		ids,
	);
	const subscriptions = new Map(
		reader.db
			.all<SubscriptionRow>(
				'SELECT * FROM reader_subscriptions WHERE user_id = ? AND feed_id IN (SELECT value FROM json_each(?))',
				user.id,
				ids,
			)
			.map((row) => [row.feed_id, row]),
	);
	const figures = feedFigures(reader, feedIds);
	const update = counts === 'current';
	const unread = counts && shownCounts(reader, user, [...subscriptions.keys()], { update });
	return new Map(
		feeds.map((feed) => [
			feed.id,
			feedRecord(reader, feed, {
				figures: figures.get(feed.id)!,
				subscription: subscribed ? subscriptions.get(feed.id) : undefined,
				counts: unread?.get(feed.id),
				favicon: favicons,
			}),
		]),
	);
}

export function feedRecordOf(
	reader: Reader,
	user: UserRow,
	feedId: number,
	favicons = true,
): FeedRecord | null {
	return feedRecords(reader, user, [feedId], { favicons }).get(feedId) ?? null;
}
