import type { Reader } from '../reader.ts';
import { inList } from '../storage/queries.ts';
import type { StoryRow, UserRow } from '../storage/rows.ts';
import { isUnread } from './counts.ts';
import { forgetCounts } from './storedCounts.ts';

/** Marks stories read one by one, which puts them into the history. Says which were unread until then, by hash. */
export function markRead(reader: Reader, user: UserRow, stories: readonly StoryRow[]): string[] {
	const now = reader.now();
	const feedIds = stories.map((story) => story.feed_id);
	forgetCounts(reader, user, feedIds);
	return reader.db.transaction(() =>
		stories
			.filter(({ id }) => {
				const known = reader.db.get(
					'SELECT 1 FROM reader_reads WHERE user_id = ? AND story_id = ?',
					user.id,
					id,
				);
				reader.db.run(
					`INSERT INTO reader_reads (user_id, story_id, read_at, opened) VALUES (?, ?, ?, 1)
					ON CONFLICT DO UPDATE SET read_at = excluded.read_at, opened = 1 WHERE opened = 0`,
					user.id,
					id,
					now,
				);
				return known === undefined;
			})
			.map((story) => story.story_hash),
	);
}

/** Says whether the story had been read. */
export function markUnread(reader: Reader, user: UserRow, story: StoryRow): boolean {
	forgetCounts(reader, user, [story.feed_id]);
	const { changes } = reader.db.run(
		'DELETE FROM reader_reads WHERE user_id = ? AND story_id = ?',
		user.id,
		story.id,
	);
	return changes > 0;
}

/** A span of publication dates, both ends included; epoch milliseconds. */
export interface Span {
	from?: number;
	to?: number;
}

/** Marks every unread story of feeds within the span read, without history. */
export function markFeedsRead(
	reader: Reader,
	user: UserRow,
	feedIds: readonly number[],
	{ from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER }: Span,
): void {
	forgetCounts(reader, user, feedIds);
	reader.db.run(
		`INSERT INTO reader_reads (user_id, story_id, read_at, opened)
		SELECT ?, id, ?, 0 FROM reader_stories stories
		WHERE feed_id IN (SELECT value FROM json_each(?)) AND published_at BETWEEN ? AND ? AND ${isUnread}`,
		user.id,
		reader.now(),
		inList(feedIds),
		from,
		to,
		reader.unreadSince(user),
		user.id,
	);
}

/** The same for the stories that accounts have shared. */
export function markSharesRead(
	reader: Reader,
	user: UserRow,
	sharerIds: readonly number[],
	{ from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER }: Span,
): void {
	reader.db.run(
		`INSERT INTO reader_reads (user_id, story_id, read_at, opened)
		SELECT DISTINCT ?, story_id, ?, 0 FROM reader_shares
		WHERE user_id IN (SELECT value FROM json_each(?)) AND shared_at BETWEEN ? AND ?
		ON CONFLICT DO NOTHING`,
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

/** Until when an account has marked a share feed read; epoch milliseconds, 0 for never. */
export function sharesReadTo(reader: Reader, user: UserRow, sharerId: number): number {
	const row = reader.db.get<{ read_to: number }>(
		'SELECT read_to FROM reader_share_marks WHERE user_id = ? AND sharer_id = ?',
		user.id,
		sharerId,
	);
	return row?.read_to ?? 0;
}
