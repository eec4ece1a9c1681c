import type { Queries } from '../storage/queries.ts';
import type { FeedRow } from '../storage/rows.ts';

/** The feeds in the database, which all accounts share. */

export function feedById(db: Queries, id: number): FeedRow | undefined {
	return db.get<FeedRow>('SELECT * FROM reader_feeds WHERE id = ?', id);
}

/** Finds a feed by its URL or that of its site. */
export function feedByAddress(db: Queries, address: string): FeedRow | undefined {
	return db.get<FeedRow>(
		'SELECT * FROM reader_feeds WHERE address = ?1 OR link = ?1 ORDER BY address = ?1 DESC, id LIMIT 1',
		address,
	);
}

/** Finds the feed with exactly this URL, or creates it without fetching it. */
export function ensureFeed(db: Queries, now: number, address: string, title: string): number {
	const known = db.get<{ id: number }>('SELECT id FROM reader_feeds WHERE address = ?', address);
	if (known) return known.id;
	return db.run(
		'INSERT INTO reader_feeds (address, title, created_at) VALUES (?, ?, ?)',
		address,
		title || address,
		now,
	).lastId;
}

export type FetchKind = 'feed' | 'page';

export function recordFetch(
	db: Queries,
	now: number,
	feedId: number,
	kind: FetchKind,
	statusCode: number,
	message: string,
): void {
	db.run(
		'INSERT INTO reader_fetches (feed_id, kind, at, status_code, message) VALUES (?, ?, ?, ?, ?)',
		feedId,
		kind,
		now,
		statusCode,
		message,
	);
}
