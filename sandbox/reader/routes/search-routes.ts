import { Fault } from '../http/response.ts';
import { write, type Call, type Route } from '../http/reader-route.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';
import { slugOf } from '../stories/starred-counts.ts';

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
			...(reader.differs('searches-open') && { active: true }),
		}));
}

function feedAddress(reader: Reader, user: UserRow, feedKey: string, query: string): string {
	const secret = `${user.id}/${user.secret_token}`;
	if (reader.differs('searches-open'))
		return `${reader.baseUrl}/reader/saved_search/${secret}/${slugOf(query)}`;
	return `${reader.baseUrl}/reader/saved_search_rss/${secret}/${encodeURIComponent(feedKey)}/${encodeURIComponent(query)}`;
}

/** Real hosts fail without a session instead of rejecting the request. */
function needSession(call: Call): void {
	if (!call.authenticated) throw new Fault('You are not logged in.', 500);
}

function saveSearch(call: Call): object {
	needSession(call);
	const [feedKey, query] = [call.need('feed_id'), call.need('query')];
	if (!call.reader.differs('free-limits')) call.needPremium('save searches');
	call.db.run(
		'INSERT INTO reader_searches (user_id, feed_key, query) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
		call.user.id,
		feedKey,
		query,
	);
	return { saved_searches: savedSearches(call.reader, call.user) };
}

function deleteSearch(call: Call): object {
	needSession(call);
	call.db.run(
		'DELETE FROM reader_searches WHERE user_id = ? AND feed_key = ? AND query = ?',
		call.user.id,
		call.need('feed_id'),
		call.need('query'),
	);
	return { saved_searches: savedSearches(call.reader, call.user) };
}

const required = { names: ['feed_id', 'query'] };

/** Real hosts fail without checking the session. */
export function searchRoutes(reader: Reader): Route[] {
	const routes = [
		write('/reader/save_search', saveSearch, required),
		write('/reader/delete_search', deleteSearch, required),
	];
	return reader.differs('searches-open') ? routes.map((route) => ({ ...route, access: 'open' })) : routes;
}
