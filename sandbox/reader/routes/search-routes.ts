import { write, type Call, type Route } from '../http/reader-route.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';

/** Saved searches; `feed_id` is whatever the client sent (`feed:42`, `river:Tech`, `42`). */
export function savedSearches(reader: Reader, user: UserRow): object[] {
	return reader.db
		.all<{ feed_key: string; query: string }>(
			'SELECT feed_key, query FROM reader_searches WHERE user_id = ? ORDER BY lower(query), id',
			user.id,
		)
		.map(({ feed_key, query }) => ({
			query,
			feed_address: feedAddress(reader, user, feed_key, query),
			feed_id: feed_key,
		}));
}

function feedAddress(reader: Reader, user: UserRow, feedKey: string, query: string): string {
	const secret = `${user.id}/${user.secret_token}`;

	return `${reader.baseUrl}/reader/saved_search_rss/${secret}/${encodeURIComponent(feedKey)}/${encodeURIComponent(query)}`;
}

function saveSearch(call: Call): object {
	const [feedKey, query] = [call.need('feed_id'), call.need('query')];
	if (!call.reader.isReal) call.needPremium('save searches');
	call.db.run(
		'INSERT INTO reader_searches (user_id, feed_key, query) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
		call.user.id,
		feedKey,
		query,
	);
	return { saved_searches: savedSearches(call.reader, call.user) };
}

function deleteSearch(call: Call): object {
	call.db.run(
		'DELETE FROM reader_searches WHERE user_id = ? AND feed_key = ? AND query = ?',
		call.user.id,
		call.need('feed_id'),
		call.need('query'),
	);
	return { saved_searches: savedSearches(call.reader, call.user) };
}

export const searchRoutes: readonly Route[] = [
	write('/reader/save_search', saveSearch),
	write('/reader/delete_search', deleteSearch),
];
