import { classifiersByFeed } from '../classifiers/store.ts';
import type { Reader } from '../reader.ts';
import { inList } from '../storage/queries.ts';
import type { UserRow } from '../storage/rows.ts';
import { sharedUnreadCounts, type Counts } from '../stories/counts.ts';
import { shareFeedsOf, publicProfile, sharePageUrl } from '../social/profiles.ts';

/** Share feeds an account reads: of whom it follows; in the wild its own too, and only those with shares. */
function readShareFeeds(reader: Reader, user: UserRow): number[] {
	const ids = shareFeedsOf(reader, user.id);
	if (!reader.differs('self-follow')) return ids;
	const hasShares = (id: number) =>
		reader.db.get('SELECT 1 FROM reader_shares WHERE user_id = ?', id) !== undefined;
	return ids.filter(hasShares);
}

/** Share feeds an account follows, as feed lists carry them; of those given, or all. */
export function socialFeeds(
	reader: Reader,
	user: UserRow,
	among: readonly number[] = readShareFeeds(reader, user),
): (Record<string, unknown> & { subscription_user_id: number })[] {
	const counts = sharedUnreadCounts(reader, user, among);
	const classifiers = classifiersByFeed(reader, user);
	return reader.db
		.all<UserRow>(
			'SELECT * FROM reader_users WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
			inList(among),
		)
		.map((sharer) => ({
			...publicProfile(reader, sharer),
			subscription_user_id: sharer.id,
			...counts.get(sharer.id),
			is_trained: classifiers.has(`social:${sharer.id}`),
			feed_opens: 0,
			page_url: sharePageUrl(reader, sharer),
		}));
}

/** Unread counts of the share feeds an account follows, by `social:12`. */
export function socialCounts(reader: Reader, user: UserRow): Record<string, Counts & { id: string }> {
	const counts = sharedUnreadCounts(reader, user, shareFeedsOf(reader, user.id));
	return Object.fromEntries([...counts].map(([id, own]) => [`social:${id}`, { ...own, id: `social:${id}` }]));
}
