import { intelligenceOf, scoreOf, type Classifier, type Score } from '../classifiers/scoring.ts';
import { classifiersByFeed } from '../classifiers/store.ts';
import type { Reader } from '../reader.ts';
import { inList } from '../storage/queries.ts';
import type { StoryRow, UserRow } from '../storage/rows.ts';

/** Unread stories: positive (focus), neutral, negative (hidden). */
export interface Counts {
	ps: number;
	nt: number;
	ng: number;
}

const counter: Record<Score, keyof Counts> = { '1': 'ps', '0': 'nt', '-1': 'ng' };

/** The condition under which `stories` are unread; takes the start of the age window and the account's id. */
export const isUnread = `stories.published_at >= ? AND NOT EXISTS
	(SELECT 1 FROM reader_reads reads WHERE reads.user_id = ? AND reads.story_id = stories.id)`;

/** How many unread stories of a feed the wild tells and counts. */
const cap = 500;

/** The most unread stories of one feed that anybody gets to know of. */
export function unreadCap(reader: Reader): number {
	return reader.differs('unread-cap') ? cap : Number.MAX_SAFE_INTEGER;
}

export type ScoringColumns = Pick<StoryRow, 'id' | 'feed_id' | 'title' | 'authors' | 'tags'>;

export function scoreRow(row: ScoringColumns, classifiers: readonly Classifier[]): Score {
	return scoreOf(
		intelligenceOf(
			{ title: row.title, authors: row.authors, tags: JSON.parse(row.tags) as string[] },
			classifiers,
		),
	);
}

/** Unread counts of feeds; every feed given has some, if only zeros. Stories are scored only where there are classifiers. */
export function unreadCounts(reader: Reader, user: UserRow, feedIds: readonly number[]): Map<number, Counts> {
	const counts = new Map(feedIds.map((id): [number, Counts] => [id, { ps: 0, nt: 0, ng: 0 }]));
	const classifiers = classifiersByFeed(reader, user);
	const trained = feedIds.filter((id) => classifiers.has(String(id)));
	const plain = feedIds.filter((id) => !classifiers.has(String(id)));

	for (const row of reader.db.all<{ feed_id: number; unread: number }>(
		`SELECT feed_id, MIN(COUNT(*), ?) unread FROM reader_stories stories
		WHERE feed_id IN (SELECT value FROM json_each(?)) AND ${isUnread} GROUP BY feed_id`,
		unreadCap(reader),
		inList(plain),
		reader.unreadSince(user),
		user.id,
	)) {
		counts.set(row.feed_id, { ps: 0, nt: row.unread, ng: 0 });
	}
	for (const row of unreadForScoring(reader, user, trained)) {
		const own = counts.get(row.feed_id);
		if (own) own[counter[scoreRow(row, classifiers.get(String(row.feed_id)) ?? [])]]++;
	}
	return counts;
}

function unreadForScoring(reader: Reader, user: UserRow, feedIds: readonly number[]): ScoringColumns[] {
	if (feedIds.length === 0) return [];
	return reader.db.all<ScoringColumns>(
		`SELECT id, feed_id, title, authors, tags FROM (
			SELECT *, ROW_NUMBER() OVER (PARTITION BY feed_id ORDER BY published_at DESC, id DESC) place
			FROM reader_stories stories WHERE feed_id IN (SELECT value FROM json_each(?)) AND ${isUnread}
		) WHERE place <= ?`,
		inList(feedIds),
		reader.unreadSince(user),
		user.id,
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
	const classifiers = classifiersByFeed(reader, user);
	const rows = reader.db.all<ScoringColumns & { sharer: number }>(
		`SELECT stories.id, feed_id, title, authors, tags, shares.user_id sharer FROM reader_shares shares
		JOIN reader_stories stories ON stories.id = shares.story_id
		WHERE shares.user_id IN (SELECT value FROM json_each(?)) AND shares.shared_at >= ? AND NOT EXISTS
		(SELECT 1 FROM reader_reads reads WHERE reads.user_id = ? AND reads.story_id = stories.id)`,
		inList(sharerIds),
		reader.unreadSince(user),
		user.id,
	);
	for (const row of rows) {
		const own = counts.get(row.sharer);
		const fitting = [
			...(classifiers.get(String(row.feed_id)) ?? []),
			...(classifiers.get(`social:${row.sharer}`) ?? []),
		];
		if (own) own[counter[scoreRow(row, fitting)]]++;
	}
	return counts;
}
