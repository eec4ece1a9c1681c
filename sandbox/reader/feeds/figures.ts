import type { Reader } from '../reader.ts';
import { inList } from '../storage/queries.ts';

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
