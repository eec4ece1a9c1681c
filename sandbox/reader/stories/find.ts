/** Ranges of days in lists of stories (`date-ranges`), of the archive plan only. */
import { hoursAhead } from '../format-date.ts';
import type { Reader } from '../reader.ts';
import { type Condition, type UserRow, inList, type StoryRow } from '../storage/queries.ts';
import { unreadCondition } from './counts.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Start (inclusive) and end (exclusive) in epoch milliseconds. */
export interface DateRange {
	from?: number;
	before?: number;
}

/** The range of `date_filter_start` to `date_filter_end`; undefined where it is ignored. A bad date is as good as none. */
export function dateRange(
	reader: Reader,
	user: UserRow,
	start: string | undefined,
	end: string | undefined,
): DateRange | undefined {
	if (!reader.is2026 || !reader.keepsEverything(user)) return undefined;
	const [from, last] = [startOfDay(start), startOfDay(end)];
	if (from === undefined && last === undefined) return undefined;
	return { from, before: last === undefined ? undefined : startOfDay(isoDay(last + 1.5 * dayMs)) };
}

export function dateCondition(column: string, { from, before }: DateRange = {}): Condition {
	return {
		sql: `${from === undefined ? '' : ` AND ${column} >= ?`}${before === undefined ? '' : ` AND ${column} < ?`}`,
		values: [from, before].filter((at) => at !== undefined),
	};
}

/** When a day `YYYY-MM-DD` begins in the zone of the accounts. */
function startOfDay(text: string | undefined): number | undefined {
	const utc = /^\d{4}-\d\d-\d\d$/.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
	return Number.isNaN(utc) ? undefined : utc - hoursAhead(utc) * hourMs;
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

export type ReadFilter = 'all' | 'unread' | 'starred';

interface StorySearch {
	feedIds: readonly number[];
	filter: ReadFilter;
	oldestFirst: boolean;
	/** Words that must all occur in title, authors, tags or content. */
	query?: string;
	/** Sorted by publication date, or by saved date. */
	dates?: DateRange;
	limit: number;
	offset: number;
}

export function searchCondition(query: string | undefined): Condition {
	const words = (query ?? '').split(/\s+/).filter((word) => word !== '');
	const text = `(stories.title || ' ' || stories.authors || ' ' || stories.tags || ' ' || stories.content)`;
	return {
		sql: words.map(() => ` AND instr(lower(${text}), ?) > 0`).join(''),
		values: words.map((word) => word.toLowerCase()),
	};
}

function filterCondition(reader: Reader, user: UserRow, filter: ReadFilter): Condition {
	switch (filter) {
		case 'all':
			return { sql: '', values: [] };
		case 'starred':
			return {
				sql: ` AND EXISTS (SELECT 1 FROM reader_starred starred
					WHERE starred.user_id = ? AND starred.story_id = stories.id)`,
				values: [user.id],
			};
		case 'unread': {
			const { sql, values } = unreadCondition(reader, user);
			return { sql: ` AND ${sql}`, values };
		}
	}
}

/** A page of the stories of feeds, sorted by date. Stories with the same date are in the order of their arrival. */
export function findStories(reader: Reader, user: UserRow, search: StorySearch): StoryRow[] {
	const filter = filterCondition(reader, user, search.filter);
	const words = searchCondition(search.query);
	const direction = search.oldestFirst ? 'ASC' : 'DESC';
	const bySaving = search.filter === 'starred';
	const date = bySaving
		? `(SELECT starred_at FROM reader_starred WHERE user_id = ${user.id} AND story_id = stories.id)`
		: 'published_at';
	const dates = dateCondition(date, search.dates);
	const matching = `FROM reader_stories stories WHERE feed_id IN (SELECT value FROM json_each(?))
		${filter.sql}${words.sql}${dates.sql} ORDER BY ${date} ${direction}, id`;
	const values = [inList(search.feedIds), ...filter.values, ...words.values, ...dates.values];
	const page = reader.db.all<{ id: number }>(
		`SELECT id ${matching} LIMIT ? OFFSET ?`,
		...values,
		search.limit,
		search.offset,
	);
	return storiesById(
		reader,
		page.map(({ id }) => id),
	);
}

/** The stories in the order of the ids; skips unknown ids. */
export function storiesById(reader: Reader, ids: readonly number[]): StoryRow[] {
	const rows = reader.db.all<StoryRow>(
		'SELECT * FROM reader_stories WHERE id IN (SELECT value FROM json_each(?))',
		inList(ids),
	);
	const byId = new Map(rows.map((row) => [row.id, row]));
	return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The stories in the order of the hashes; skips unknown hashes. */
export function storiesByHash(reader: Reader, hashes: readonly string[]): StoryRow[] {
	const rows = reader.db.all<StoryRow>(
		'SELECT * FROM reader_stories WHERE story_hash IN (SELECT value FROM json_each(?))',
		inList(hashes),
	);
	const byHash = new Map(rows.map((row) => [row.story_hash, row]));
	return [...new Set(hashes)].flatMap((hash) => byHash.get(hash) ?? []);
}

export function storyByHash(reader: Reader, hash: string): StoryRow | undefined {
	return storiesByHash(reader, [hash])[0];
}

/** Finds a story of a feed by the publisher's id or by hash. */
export function storyInFeed(reader: Reader, feedId: number, storyId: string): StoryRow | undefined {
	return reader.db.get<StoryRow>(
		'SELECT * FROM reader_stories WHERE feed_id = ?1 AND (guid = ?2 OR story_hash = ?2)',
		feedId,
		storyId,
	);
}
