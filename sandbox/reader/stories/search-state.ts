import type { Reader } from '../reader.ts';
import { newId } from '../storage/new-id.ts';
import type { UserRow } from '../storage/rows.ts';

/** Whether the stories of a feed are indexed for searches. */
export function isIndexed(reader: Reader, feedId: number): boolean | null {
	if (!reader.differs('search-state')) return true;
	return reader.db.get('SELECT 1 FROM reader_indexed_feeds WHERE feed_id = ?', feedId) ? true : null;
}

/** The state of an account's index, as answers to a search hold it. Its first search indexes its feeds. */
export function searchState(reader: Reader, user: UserRow): string | null {
	const { db } = reader;
	if (!reader.differs('search-state')) return null;
	const known = db.get<{ id: string }>('SELECT id FROM reader_search_state WHERE user_id = ?', user.id);
	const id = known?.id ?? newId(reader.now());
	if (!known) {
		db.transaction(() => {
			db.run('INSERT INTO reader_search_state VALUES (?, ?)', user.id, id);
			db.run(
				`INSERT INTO reader_indexed_feeds SELECT feed_id FROM reader_subscriptions WHERE user_id = ?
				ON CONFLICT DO NOTHING`,
				user.id,
			);
		});
	}
	return JSON.stringify({
		_id: { $oid: id },
		user_id: user.id,
		last_search_date: { $date: reader.now() },
		...(known && { subscriptions_indexed: true }),
		subscriptions_indexing: true,
	});
}
