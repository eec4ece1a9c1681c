import type { Reader } from '../reader.ts';
import { inList, type FeedRow } from '../storage/queries.ts';
import { plainDate, spanText } from '../format-date.ts';
import type { FetchKind } from '../fetching/fetcher.ts';

const monthMs = 30 * 86_400_000;

/** Numbers of a feed's stories and readers, for feed records and statistics. */
export interface FeedFigures {
	stories: number;
	storiesLastMonth: number;
	averageStoriesPerMonth: number;
	lastStoryAt: number | null;
	subscribers: number;
}

interface FigureRow {
	feed_id: number;
	stories: number;
	last_month: number;
	first_at: number;
	last_at: number;
}

/** Figures by feed id, for every id in the list. */
export function feedFigures(reader: Reader, feedIds: readonly number[]): Map<number, FeedFigures> {
	const now = reader.now();
	const ids = inList(feedIds);
	const subscribers = new Map(
		reader.db
			.all<{ feed_id: number; readers: number }>(
				`SELECT feed_id, COUNT(*) readers FROM reader_subscriptions
				WHERE feed_id IN (SELECT value FROM json_each(?)) GROUP BY feed_id`,
				ids,
			)
			.map((row) => [row.feed_id, row.readers]),
	);
	const rows = new Map(
		reader.db
			.all<FigureRow>(
				`SELECT feed_id, COUNT(*) stories, SUM(published_at >= ?) last_month, MIN(published_at) first_at,
				MAX(published_at) last_at FROM reader_stories
				WHERE feed_id IN (SELECT value FROM json_each(?)) GROUP BY feed_id`,
				now - monthMs,
				ids,
			)
			.map((row) => [row.feed_id, row]),
	);
	return new Map(
		feedIds.map((id) => {
			const row = rows.get(id);
			const months = row ? Math.max(1, Math.ceil((now - row.first_at) / monthMs)) : 1;
			return [
				id,
				{
					stories: row?.stories ?? 0,
					storiesLastMonth: row?.last_month ?? 0,
					averageStoriesPerMonth: Math.round((row?.stories ?? 0) / months),
					lastStoryAt: row?.last_at ?? null,
					subscribers: subscribers.get(id) ?? 0,
				},
			];
		}),
	);
}

const shown = 25;
/** Number of newest stories to count. */
const looked = 500;

type Popular = [name: string, stories: number][];

/** The most frequent tags of a feed's newest stories. */
export function popularTags(reader: Reader, feedId: number): Popular {
	return popular(
		reader,
		`SELECT json_each.value name, COUNT(*) count FROM
		(SELECT tags FROM reader_stories WHERE feed_id = ? ORDER BY published_at DESC LIMIT ?) newest, json_each(newest.tags)
		GROUP BY name ORDER BY count DESC, name LIMIT ?`,
		feedId,
	);
}

export function popularAuthors(reader: Reader, feedId: number): Popular {
	return popular(
		reader,
		`SELECT authors name, COUNT(*) count FROM
		(SELECT authors FROM reader_stories WHERE feed_id = ? ORDER BY published_at DESC LIMIT ?)
		WHERE authors <> '' GROUP BY name ORDER BY count DESC, name LIMIT ?`,
		feedId,
	);
}

function popular(reader: Reader, sql: string, feedId: number): Popular {
	return reader.db
		.all<{ name: string; count: number }>(sql, feedId, looked, shown)
		.map(({ name, count }) => [name, count]);
}

const shownFetches = 5;

interface Dated {
	published_at: number;
}

/** Number of stories by month (`["2026-8", 5]`), weekday (0 is Sunday) and hour, in UTC. */
export function storyHistories(stories: readonly Dated[]): {
	story_count_history: [string, number][];
	story_days_history: Record<string, number>;
	story_hours_history: Record<string, number>;
} {
	const months = new Map<string, number>();
	const days: Record<string, number> = {};
	const hours: Record<string, number> = {};
	for (const { published_at } of stories) {
		const date = new Date(published_at);
		const month = `${date.getUTCFullYear()}-${date.getUTCMonth() + 1}`;
		months.set(month, (months.get(month) ?? 0) + 1);
		days[date.getUTCDay()] = (days[date.getUTCDay()] ?? 0) + 1;
		const hour = date.getUTCHours();
		hours[hour] = (hours[hour] ?? 0) + 1;
	}
	return { story_count_history: [...months], story_days_history: days, story_hours_history: hours };
}

/** Likes and dislikes of all accounts by value. Real hosts omit kinds without classifiers. */
export function classifierCounts(reader: Reader, feedKey: string): Record<string, object[]> {
	const rows = reader.db.all<{ kind: string; value: string; pos: number; neg: number }>(
		`SELECT kind, value, SUM(score > 0) pos, SUM(score < 0) neg FROM reader_classifiers WHERE feed_key = ?
		GROUP BY kind, value ORDER BY kind, pos DESC, value`,
		feedKey,
	);
	const of = (kind: string) =>
		rows
			.filter((row) => row.kind === kind)
			.map(({ value, pos, neg }) =>
				kind === 'feed' ? { feed_id: Number(value) || value, pos, neg } : { [kind]: value, pos, neg },
			);
	const counts = { title: of('title'), author: of('author'), tag: of('tag'), feed: of('feed') };

	return Object.fromEntries(Object.entries(counts).filter(([, values]) => values.length > 0));
}

function fetchHistory(reader: Reader, feedId: number, kind: FetchKind): object[] {
	return reader.db
		.all<{ at: number; status_code: number; message: string }>(
			'SELECT at, status_code, message FROM reader_fetches WHERE feed_id = ? AND kind = ? ORDER BY id DESC LIMIT ?',
			feedId,
			kind,
			shownFetches,
		)
		.map(({ at, status_code, message }) => ({
			fetch_date: plainDate(at),
			status_code,
			message,
		}));
}

/** Interface document, "Feeds": update frequency, classifier distribution, stories per month, last five fetches of feed and page. */
export function feedStatistics(reader: Reader, feed: FeedRow): object {
	const now = reader.now();
	const interval = reader.fetcher.intervalSeconds(feed.address);
	const figures = feedFigures(reader, [feed.id]).get(feed.id);
	const nextAt = (feed.last_fetch_at ?? now) + interval * 1000;

	const counts = classifierCounts(reader, String(feed.id));
	const stories = reader.db.all<Dated>(
		'SELECT published_at FROM reader_stories WHERE feed_id = ? ORDER BY published_at',
		feed.id,
	);
	return {
		active: true,
		last_update: spanText(now - (feed.last_fetch_at ?? feed.created_at)),
		next_update: spanText(Math.max(0, nextAt - now)),
		push: false,
		fs_size_bytes: feed.size_bytes,
		archive_count: figures?.stories ?? 0,
		update_interval_minutes: Math.max(1, Math.round(interval / 60)),
		premium_update_interval_minutes: Math.max(1, Math.round(interval / 60)),
		errors_since_good: feed.errors_since_good,
		average_stories_per_month: figures?.averageStoriesPerMonth ?? 0,
		...storyHistories(stories),
		subscriber_count: figures?.subscribers ?? 0,
		num_subscribers: figures?.subscribers ?? 0,
		stories_last_month: figures?.storiesLastMonth ?? 0,
		last_load_time: Math.round(feed.last_load_ms / 1000),
		premium_subscribers: premiumSubscribers(reader, feed.id),
		active_subscribers: figures?.subscribers ?? 0,
		active_premium_subscribers: premiumSubscribers(reader, feed.id),
		classifier_counts: Object.keys(counts).length > 0 ? counts : null,
		feed_fetch_history: fetchHistory(reader, feed.id, 'feed'),
		page_fetch_history: fetchHistory(reader, feed.id, 'page'),
		feed_push_history: [],
	};
}

function premiumSubscribers(reader: Reader, feedId: number): number {
	return reader.db.count(
		`SELECT COUNT(*) FROM reader_subscriptions JOIN reader_users users ON users.id = user_id
		WHERE feed_id = ? AND COALESCE(users.plan, ?) <> 'free'`,
		feedId,
		reader.settings.plan,
	);
}
