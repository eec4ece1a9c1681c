import {
	intelligenceOf,
	scoreOf,
	type Classifier,
	type Score,
	scoringOf,
	type FeedScoring,
} from '../classifiers.ts';
import type { Reader } from '../reader.ts';
import { inList, type Condition, type StoryRow, type UserRow } from '../storage/queries.ts';

/** Unread stories: positive (focus), neutral, negative (hidden). */
export interface Counts {
	ps: number;
	nt: number;
	ng: number;
}

const counter: Record<Score, keyof Counts> = { '1': 'ps', '0': 'nt', '-1': 'ng', '-2': 'ng' };

/** The condition for unread `stories`: not read, and not too old unless the archive plan keeps them unread. */
export function unreadCondition(reader: Reader, user: UserRow): Condition {
	const since = reader.unreadSince(user);
	const inTime = 'stories.published_at >= ?';
	const kept = `EXISTS (SELECT 1 FROM reader_kept_unread kept WHERE kept.user_id = ? AND kept.story_id = stories.id)`;
	const unread = `NOT EXISTS (SELECT 1 FROM reader_reads reads WHERE reads.user_id = ? AND reads.story_id = stories.id)`;
	return reader.keepsEverything(user)
		? { sql: `(${inTime} OR ${kept}) AND ${unread}`, values: [since, user.id, user.id] }
		: { sql: `${inTime} AND ${unread}`, values: [since, user.id] };
}

/**
 * The condition for `shares` that are unread in their share feed. A story that was read with its whole feed is still
 * unread there; shares before the share feed was marked as read are not.
 */
export function unreadShareCondition(reader: Reader, user: UserRow): Condition {
	const marked = `NOT EXISTS (SELECT 1 FROM reader_share_marks marks
		WHERE marks.user_id = ? AND marks.sharer_id = shares.user_id AND marks.read_to >= shares.shared_at)`;
	return {
		sql: `shares.shared_at >= ? AND NOT EXISTS (SELECT 1 FROM reader_reads reads
			WHERE reads.user_id = ? AND reads.story_id = shares.story_id AND reads.opened > 0)
			AND ${marked}`,
		values: [reader.unreadSince(user), user.id, user.id],
	};
}

const cap = 500;

/** Maximum number of unread stories of a feed that are listed and counted. */
export function unreadCap(reader: Reader): number {
	return reader.isReal && !reader.differs('all-unread') ? cap : Number.MAX_SAFE_INTEGER;
}

type ScoringColumns = Pick<StoryRow, 'id' | 'feed_id' | 'title' | 'authors' | 'tags' | 'link' | 'content'>;

/** The columns of stories that classifiers match. */
const columnsFor = ({ readsTexts }: FeedScoring): string =>
	`stories.id, feed_id, title, authors, tags, link, ${readsTexts ? 'content' : "'' content"}`;

function scoreRow(row: ScoringColumns, classifiers: readonly Classifier[]): Score {
	return scoreOf(intelligenceOf({ ...row, tags: JSON.parse(row.tags) as string[] }, classifiers));
}

/** Unread counts by feed id, for every feed in the list. Scores stories only if there are classifiers. */
export function unreadCounts(reader: Reader, user: UserRow, feedIds: readonly number[]): Map<number, Counts> {
	const counts = new Map(feedIds.map((id): [number, Counts] => [id, { ps: 0, nt: 0, ng: 0 }]));
	const scoring = scoringOf(reader, user);
	const classifiers = new Map(feedIds.map((id) => [id, scoring.of(id)]));
	const isTrained = (id: number) => classifiers.get(id)?.length !== 0;
	const trained = feedIds.filter(isTrained);
	const plain = feedIds.filter((id) => !isTrained(id));
	const unread = unreadCondition(reader, user);

	for (const row of reader.db.all<{ feed_id: number; unread: number }>(
		`SELECT feed_id, MIN(COUNT(*), ?) unread FROM reader_stories stories
		WHERE feed_id IN (SELECT value FROM json_each(?)) AND ${unread.sql} GROUP BY feed_id`,
		unreadCap(reader),
		inList(plain),
		...unread.values,
	)) {
		counts.set(row.feed_id, { ps: 0, nt: row.unread, ng: 0 });
	}
	for (const row of unreadForScoring(reader, user, trained, columnsFor(scoring))) {
		const own = counts.get(row.feed_id);
		if (own) own[counter[scoreRow(row, classifiers.get(row.feed_id) ?? [])]]++;
	}
	return counts;
}

function unreadForScoring(
	reader: Reader,
	user: UserRow,
	feedIds: readonly number[],
	columns: string,
): ScoringColumns[] {
	if (feedIds.length === 0) return [];
	const unread = unreadCondition(reader, user);
	return reader.db.all<ScoringColumns>(
		`SELECT ${columns} FROM (
			SELECT *, ROW_NUMBER() OVER (PARTITION BY feed_id ORDER BY published_at DESC, id DESC) place
			FROM reader_stories stories WHERE feed_id IN (SELECT value FROM json_each(?)) AND ${unread.sql}
		) stories WHERE place <= ?`,
		inList(feedIds),
		...unread.values,
		unreadCap(reader),
	);
}

/** Unread counts of the share feeds of accounts, by account id. */
export function sharedUnreadCounts(
	reader: Reader,
	user: UserRow,
	sharerIds: readonly number[],
): Map<number, Counts> {
	const counts = new Map(sharerIds.map((id): [number, Counts] => [id, { ps: 0, nt: 0, ng: 0 }]));
	const scoring = scoringOf(reader, user);
	const unread = unreadShareCondition(reader, user);
	const rows = reader.db.all<ScoringColumns & { sharer: number }>(
		`SELECT ${columnsFor(scoring)}, shares.user_id sharer FROM reader_shares shares
		JOIN reader_stories stories ON stories.id = shares.story_id
		WHERE shares.user_id IN (SELECT value FROM json_each(?)) AND ${unread.sql}`,
		inList(sharerIds),
		...unread.values,
	);
	for (const row of rows) {
		const own = counts.get(row.sharer);
		const fitting = [...scoring.of(row.feed_id), ...scoring.of(`social:${row.sharer}`)];
		if (own) own[counter[scoreRow(row, fitting)]]++;
	}
	return counts;
}

/** Marks the counts of feeds as outdated, so that the next list counts them again. */
export function forgetCounts(reader: Reader, user: UserRow, feedIds: readonly number[]): void {
	reader.db.run(
		`UPDATE reader_stored_counts SET stale = 1
		WHERE user_id = ? AND feed_id IN (SELECT value FROM json_each(?))`,
		user.id,
		inList(feedIds),
	);
}

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
