import type { Reader } from '../reader.ts';
import { inList } from '../storage/queries.ts';
import type { UserRow } from '../storage/rows.ts';
import { unreadCounts, type Counts } from './counts.ts';
import { markFeedsRead } from './marks.ts';

/**
 * Unread counts as real hosts keep them (`blind-counts`): stored with the subscription, renewed by a fetch for accounts
 * seen in the last week, and on request where something was read since. What else asks looks only at feeds that have a
 * stored count. Without the difference every count is the true one.
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
	reader.pageLists.forgetFeeds(user.id, feedIds);
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
	reader.db.note(() =>
		reader.db.transaction(() => {
			[...counts].forEach(keep);
			if (hidden.length > 0) markFeedsRead(reader, user, hidden, {});
		}),
	);
	return counts;
}

/** Counts of feeds as lists of feeds show them: counted anew where they are stale, or everywhere. */
export function shownCounts(
	reader: Reader,
	user: UserRow,
	feedIds: readonly number[],
	{ force = false } = {},
): Map<number, Counts> {
	if (!reader.differs('blind-counts')) return unreadCounts(reader, user, feedIds);
	const stored = storedRows(reader, user, feedIds);
	const due = feedIds.filter((id) => force || stored.get(id)?.stale !== 0);
	const fresh = recount(reader, user, due);
	return new Map(
		feedIds.flatMap((id): [number, Counts][] => {
			const row = fresh.get(id) ?? stored.get(id);
			return row ? [[id, { ps: row.ps, nt: row.nt, ng: row.ng }]] : [];
		}),
	);
}

/** Of these feeds the ones whose stored counts have something unread. */
export function feedsWithCounts(reader: Reader, user: UserRow, feedIds: readonly number[]): number[] {
	if (!reader.differs('blind-counts')) return [...feedIds];
	const stored = storedRows(reader, user, feedIds);
	const never = feedIds.filter((id) => !stored.has(id));
	const counts = new Map<number, Counts>([...stored, ...recount(reader, user, never)]);
	return feedIds.filter((id) => {
		const row = counts.get(id);
		return row !== undefined && row.ps + row.nt > 0;
	});
}

/** Of these feeds the ones that marking as read does anything to: not those that nothing is known to be unread of. */
export function markableFeeds(reader: Reader, user: UserRow, feedIds: readonly number[]): number[] {
	if (!reader.differs('blind-counts')) return [...feedIds];
	const stored = storedRows(reader, user, feedIds);
	return feedIds.filter((id) => {
		const row = stored.get(id);
		return row === undefined || row.stale === 1 || row.ps + row.nt + row.ng > 0;
	});
}

/** Counts a feed that has new stories for those of its readers who were seen lately. */
export function countAfterFetch(reader: Reader, feedId: number): void {
	if (!reader.differs('blind-counts')) return;
	const readers = reader.db.all<UserRow>(
		`SELECT users.* FROM reader_users users JOIN reader_subscriptions subscriptions ON subscriptions.user_id = users.id
		LEFT JOIN reader_seen seen ON seen.user_id = users.id
		WHERE feed_id = ? AND COALESCE(seen.at, users.created_at) >= ?`,
		feedId,
		reader.now() - weekMs,
	);
	for (const user of readers) recount(reader, user, [feedId]);
}
