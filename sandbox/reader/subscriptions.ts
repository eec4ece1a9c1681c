import { recordOnce } from './social/events.ts';
import type { Reader } from './reader.ts';
import { inList, type FeedRow, type SubscriptionRow, type UserRow } from './storage/queries.ts';
import { feedById } from './fetching/fetcher.ts';

export function subscriptionOf(reader: Reader, user: UserRow, feedId: number): SubscriptionRow | undefined {
	return reader.db.get<SubscriptionRow>(
		'SELECT * FROM reader_subscriptions WHERE user_id = ? AND feed_id = ?',
		user.id,
		feedId,
	);
}

/** An account's subscriptions; only those in the list if set. */
export function subscribedFeeds(reader: Reader, user: UserRow, among?: readonly number[]): number[] {
	const ids = reader.db
		.all<{ feed_id: number }>(
			'SELECT feed_id FROM reader_subscriptions WHERE user_id = ? AND active = 1',
			user.id,
		)
		.map((row) => row.feed_id);
	if (among === undefined) return ids;
	const requested = new Set(among);
	return ids.filter((id) => requested.has(id));
}

/** Subscribes to a feed without changing the folders. @returns whether the subscription is new */
export function subscribe(reader: Reader, user: UserRow, feedId: number, title?: string): boolean {
	const now = reader.now();
	const { changes } = reader.db.run(
		`INSERT INTO reader_subscriptions (user_id, feed_id, title, created_at) VALUES (?, ?, ?, ?)
		ON CONFLICT DO NOTHING`,
		user.id,
		feedId,
		title ?? null,
		now,
	);
	if (changes === 0) return false;
	if (reader.isReal) noCountYet(reader, user, feedId);
	recordOnce(reader, {
		list: 'activity',
		userId: user.id,
		category: 'feedsub',
		feedId,
		title: titleInEvent(reader, user, feedId),
	});
	return true;
}

/** Real hosts mark the titles of feeds that other premium accounts read, and shorten them. */
function titleInEvent(reader: Reader, user: UserRow, feedId: number): string | undefined {
	const title = feedById(reader.db, feedId)?.title;
	const others = reader.db.count(
		'SELECT COUNT(*) FROM reader_subscriptions WHERE feed_id = ? AND active = 1 AND user_id <> ?',
		feedId,
		user.id,
	);
	const isMarked = others > 0 && reader.isPremium(user);
	return isMarked ? `${title?.slice(0, 29)}*` : title;
}

/** Stores the count 0, which stays until the feed is counted. */
function noCountYet(reader: Reader, user: UserRow, feedId: number): void {
	reader.db.run(
		`INSERT INTO reader_stored_counts (user_id, feed_id, ps, nt, ng, stale) VALUES (?, ?, 0, 0, 0, 1)
		ON CONFLICT DO UPDATE SET ps = 0, nt = 0, ng = 0, stale = 1`,
		user.id,
		feedId,
	);
}

/** Real hosts do this when a feed is added again; when a list is imported, only for premium accounts. */
export function unmute(reader: Reader, user: UserRow, feedId: number): void {
	const ofFeed = 'WHERE user_id = ? AND feed_id = ?';
	reader.db.run(`UPDATE reader_subscriptions SET active = 1 ${ofFeed}`, user.id, feedId);
	reader.db.run(`DELETE FROM reader_feed_mutes ${ofFeed}`, user.id, feedId);
}

/** Removes subscriptions; the activities of subscribing remain. */
export function unsubscribe(reader: Reader, user: UserRow, feedIds: readonly number[]): void {
	const list = inList(feedIds);
	reader.db.run(
		`DELETE FROM reader_subscriptions WHERE user_id = ? AND feed_id IN (SELECT value FROM json_each(?))`,
		user.id,
		list,
	);
}

/** The account's title of a feed. */
export function titleFor(feed: FeedRow, subscription: SubscriptionRow | undefined): string {
	return subscription?.title ?? feed.title;
}
