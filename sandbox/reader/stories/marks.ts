import type { Reader } from '../reader.ts';
import { inList, type StoryRow, type UserRow } from '../storage/queries.ts';
import { forgetCounts, unreadCap, unreadCondition } from './counts.ts';

/** Marks stories as read, and adds them to the history of read stories. Real hosts add a story again if it is marked again. */
export function markRead(reader: Reader, user: UserRow, stories: readonly StoryRow[]): void {
	const now = reader.now();
	const feedIds = stories.map((story) => story.feed_id);
	forgetCounts(reader, user, feedIds);
	const again = reader.isReal;
	const first = again ? Math.max(now, lastRead(reader, user) + 1) : now;
	reader.db.transaction(() => {
		for (const [index, { id }] of stories.entries()) {
			if (again) keepRead(reader, user, id);
			reader.db.run(
				`INSERT INTO reader_reads (user_id, story_id, read_at, opened) VALUES (?, ?, ?, 1)
				ON CONFLICT DO UPDATE SET read_at = excluded.read_at, opened = 1${again ? '' : ' WHERE opened <> 1'}`,
				user.id,
				id,
				again ? first + index : first,
			);
		}
	});
}

/** When the account last read a story, in epoch milliseconds. Stories of one request have consecutive times. */
function lastRead(reader: Reader, user: UserRow): number {
	const row = reader.db.get<{ at: number | null }>(
		'SELECT MAX(read_at) at FROM reader_reads WHERE user_id = ? AND opened = 1',
		user.id,
	);
	return row?.at ?? 0;
}

/** Keeps the earlier entry of a story in the history, before it is read again. */
function keepRead(reader: Reader, user: UserRow, storyId: number): void {
	reader.db.run(
		`INSERT INTO reader_earlier_reads SELECT user_id, story_id, read_at FROM reader_reads
		WHERE user_id = ? AND story_id = ? AND opened = 1`,
		user.id,
		storyId,
	);
}

/**
 * Marks a story as unread. The service then moves the feed's mark before this story, so newer stories that were read
 * with the whole feed count as read one by one.
 */
export function markUnread(reader: Reader, user: UserRow, story: StoryRow): void {
	const tooOld = story.published_at < reader.unreadSince(user);
	reader.db.transaction(() => {
		forgetCounts(reader, user, [story.feed_id]);
		reader.db.run('DELETE FROM reader_reads WHERE user_id = ? AND story_id = ?', user.id, story.id);
		if (tooOld && reader.keepsEverything(user)) {
			reader.db.run('INSERT INTO reader_kept_unread VALUES (?, ?) ON CONFLICT DO NOTHING', user.id, story.id);
		} else {
			reader.db.run(
				`UPDATE reader_reads SET opened = 2 WHERE user_id = ? AND opened = 0
				AND story_id IN (SELECT id FROM reader_stories WHERE feed_id = ? AND published_at >= ?)`,
				user.id,
				story.feed_id,
				story.published_at,
			);
		}
	});
}

/** Marks all stories of feeds since a time as unread; with the archive plan also stories older than the unread limit. */
export function markNewerUnread(
	reader: Reader,
	user: UserRow,
	feedIds: readonly number[],
	since: number,
): void {
	const feeds = inList(feedIds);
	const newer = `SELECT id FROM reader_stories
		WHERE feed_id IN (SELECT value FROM json_each(?)) AND published_at >= ?`;
	forgetCounts(reader, user, feedIds);
	reader.db.transaction(() => {
		reader.db.run(
			`DELETE FROM reader_reads WHERE user_id = ? AND story_id IN (${newer})`,
			user.id,
			feeds,
			since,
		);
		if (!reader.keepsEverything(user)) return;
		reader.db.run(
			`INSERT INTO reader_kept_unread SELECT ?, id FROM (${newer}) WHERE TRUE ON CONFLICT DO NOTHING`,
			user.id,
			feeds,
			since,
		);
	});
}

const always = Number.MIN_SAFE_INTEGER;

/** A range of publication dates in epoch milliseconds, inclusive. */
export interface Span {
	from?: number;
	to?: number;
}

/** Marks the unread stories of feeds within the span as read, without history; with a start of the span, those that are listed, one by one. */
export function markFeedsRead(
	reader: Reader,
	user: UserRow,
	feedIds: readonly number[],
	{ from = always, to = Number.MAX_SAFE_INTEGER }: Span,
): void {
	forgetCounts(reader, user, feedIds);
	const unread = unreadCondition(reader, user);
	// The server of 2024 moves a mark, before which it lists what an Archive account marked as unread all the same.
	const leavesKept = from === always && reader.isReal && !reader.is2026;
	reader.db.run(
		`INSERT INTO reader_reads (user_id, story_id, read_at, opened)
		SELECT ?, id, ?, ? FROM (
			SELECT id, ROW_NUMBER() OVER (PARTITION BY feed_id ORDER BY published_at DESC, id DESC) place
			FROM reader_stories stories
			WHERE feed_id IN (SELECT value FROM json_each(?)) AND published_at BETWEEN ? AND ? AND ${unread.sql}
		) WHERE place <= ?`,
		user.id,
		reader.now(),
		from === always ? 0 : 2,
		inList(feedIds),
		leavesKept ? reader.unreadSince(user) : from,
		to,
		...unread.values,
		from === always ? Number.MAX_SAFE_INTEGER : unreadCap(reader),
	);
}

/** Marks the stories that accounts shared within the span as read. */
export function markSharesRead(
	reader: Reader,
	user: UserRow,
	sharerIds: readonly number[],
	{ from = always, to = Number.MAX_SAFE_INTEGER }: Span,
): void {
	reader.db.run(
		`INSERT INTO reader_reads (user_id, story_id, read_at, opened)
		SELECT DISTINCT ?, story_id, ?, 2 FROM reader_shares
		WHERE user_id IN (SELECT value FROM json_each(?)) AND shared_at BETWEEN ? AND ?
		ON CONFLICT DO UPDATE SET opened = 2 WHERE opened = 0`,
		user.id,
		reader.now(),
		inList(sharerIds),
		from,
		to,
	);
	for (const sharerId of sharerIds) {
		reader.db.run(
			`INSERT INTO reader_share_marks VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET read_to = MAX(read_to, excluded.read_to)`,
			user.id,
			sharerId,
			Math.min(to, reader.now()),
		);
	}
}

/** The time up to which an account has marked a share feed as read, in epoch milliseconds; 0 for never. */
export function sharesReadTo(reader: Reader, user: UserRow, sharerId: number): number {
	const row = reader.db.get<{ read_to: number }>(
		'SELECT read_to FROM reader_share_marks WHERE user_id = ? AND sharer_id = ?',
		user.id,
		sharerId,
	);
	return row?.read_to ?? 0;
}
