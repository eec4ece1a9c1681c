import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';

/** URLs with the account's secret token, which allows reads as the account. */
function starredFeedUrl(reader: Reader, user: UserRow, tag?: string): string {
	const address = `${reader.baseUrl}/reader/starred_rss/${user.id}/${user.secret_token}`;
	if (tag === undefined) return `${address}/`;
	return `${address}/${slugOf(tag)}`;
}

/** The slug of a tag in URLs of real hosts: `größe, x` is `groe-x`. */
export function slugOf(tag: string): string {
	return tag
		.normalize('NFKD')
		.replace(/[^\u0020-\u007e]/g, '')
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replace(/[-\s]+/g, '-')
		.replace(/^[-_]+|[-_]+$/g, '');
}

export function starredCount(reader: Reader, user: UserRow): number {
	return reader.db.count('SELECT COUNT(*) FROM reader_starred WHERE user_id = ?', user.id);
}

/** Counts of saved stories: total, with highlights, by tag, and by feed. */
export function starredCounts(reader: Reader, user: UserRow): object[] {
	const { db } = reader;
	const tags = db.all<{ tag: string; count: number }>(
		`SELECT json_each.value tag, COUNT(*) count FROM reader_starred, json_each(reader_starred.tags)
		WHERE user_id = ? GROUP BY tag ORDER BY tag COLLATE NOCASE, tag`,
		user.id,
	);
	const feeds = db.all<{ feed_id: number; count: number }>(
		`SELECT feed_id, COUNT(*) count FROM reader_starred JOIN reader_stories ON reader_stories.id = story_id
		WHERE user_id = ? GROUP BY feed_id ORDER BY feed_id`,
		user.id,
	);
	const highlights = db.count(
		`SELECT COUNT(*) FROM reader_starred WHERE user_id = ? AND highlights <> '[]'`,
		user.id,
	);

	const blank = {
		tag: null,
		feed_id: null,
		is_highlights: null,
		active: true,
	};
	const row = (values: object) => ({ ...blank, ...values });
	const address = starredFeedUrl(reader, user);
	const all = row({ count: starredCount(reader, user), feed_address: address });
	const highlighted = row({ is_highlights: true, count: highlights, feed_address: address });
	const shownHighlights = highlights > 0 ? [highlighted] : [];
	const ofTags = tags.map(({ tag, count }) =>
		row({ tag, count, feed_address: starredFeedUrl(reader, user, tag) }),
	);
	const ofFeeds = feeds.map(({ feed_id, count }) => row({ feed_id, count, feed_address: null }));
	return [all, ...shownHighlights, ...ofFeeds, ...ofTags];
}
