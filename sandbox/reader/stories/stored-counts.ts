import type { Reader } from '../reader.ts';
import { inList, type UserRow } from '../storage/queries.ts';
import { markFeedsRead } from './marks.ts';
import { type Counts, unreadCounts } from './counts.ts';

/**
 * Stored unread counts, as on real hosts. A new subscription has the count 0. Feeds are counted when a fetch brings new
 * stories and the account was active in the last week, and when a client requests counts or the list of feeds. Other
 * writes only mark a count as stale. Lists of unread stories skip feeds whose count is 0.
 */

const weekMs = 7 * 86_400_000;

interface StoredRow extends Counts {
	feed_id: number;
	stale: number;
}

function storedRows(reader: Reader, user: UserRow, feedIds: readonly number[]): Map<number, StoredRow> {
	const rows = reader.db.all<StoredRow>(
		`SELECT feed_id, ps, nt, ng, stale FROM reader_stored_counts
		WHERE user_id = ? AND feed_id IN (SELECT value FROM json_each(?))`,
		user.id,
		inList(feedIds),
	);
	return new Map(rows.map((row) => [row.feed_id, row]));
}

function recount(reader: Reader, user: UserRow, feedIds: readonly number[]): Map<number, Counts> {
	const counts = unreadCounts(reader, user, feedIds);
	const keep = ([feedId, { ps, nt, ng }]: [number, Counts]) =>
		reader.db.run(
			`INSERT INTO reader_stored_counts (user_id, feed_id, ps, nt, ng) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET ps = excluded.ps, nt = excluded.nt, ng = excluded.ng, stale = 0`,
			user.id,
			feedId,
			ps,
			nt,
			ng,
		);
	const hidden = [...counts].filter(([, { ps, nt, ng }]) => ps + nt === 0 && ng > 0).map(([id]) => id);
	reader.db.transaction(() => {
		[...counts].forEach(keep);
		if (hidden.length > 0) markFeedsRead(reader, user, hidden, {});
	});
	return counts;
}

/**
 * Counts of feeds for a response. Counts stale ones first: with `force` all of them, without `update` none.
 */
export function shownCounts(
	reader: Reader,
	user: UserRow,
	feedIds: readonly number[],
	{ force = false, update = true } = {},
): Map<number, Counts> {
	if (!reader.isReal) return unreadCounts(reader, user, feedIds);
	const stored = storedRows(reader, user, feedIds);
	const due = update ? feedIds.filter((id) => force || stored.get(id)?.stale !== 0) : [];
	const fresh = recount(reader, user, due);
	return new Map(
		feedIds.flatMap((id): [number, Counts][] => {
			const row = fresh.get(id) ?? stored.get(id);
			return row ? [[id, { ps: row.ps, nt: row.nt, ng: row.ng }]] : [];
		}),
	);
}

/** The feeds with a stored count of visible unread stories. */
export function feedsWithCounts(reader: Reader, user: UserRow, feedIds: readonly number[]): number[] {
	if (!reader.isReal) return [...feedIds];
	const stored = storedRows(reader, user, feedIds);
	return feedIds.filter((id) => {
		const { ps = 0, nt = 0 } = stored.get(id) ?? {};
		return ps + nt > 0;
	});
}

/** The feeds that can be marked as read: their count is stale or not 0. */
export function markableFeeds(reader: Reader, user: UserRow, feedIds: readonly number[]): number[] {
	if (!reader.isReal) return [...feedIds];
	const stored = storedRows(reader, user, feedIds);
	return feedIds.filter((id) => {
		const row = stored.get(id);
		return row === undefined || row.stale === 1 || row.ps + row.nt + row.ng > 0;
	});
}

/** Counts a feed with new stories for its active readers. */
export function countAfterFetch(reader: Reader, feedId: number): void {
	if (!reader.isReal) return;
	const readers = reader.db.all<UserRow>(
		`SELECT users.* FROM reader_users users JOIN reader_subscriptions subscriptions ON subscriptions.user_id = users.id
		LEFT JOIN reader_seen seen ON seen.user_id = users.id
		WHERE feed_id = ? AND active = 1 AND COALESCE(seen.at, users.created_at) >= ?`,
		feedId,
		reader.now() - weekMs,
	);
	for (const user of readers) recount(reader, user, [feedId]);
}
