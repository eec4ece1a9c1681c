import type { Reader } from '../reader.ts';
import { type UserRow, inList } from '../storage/queries.ts';
import {
	compactProfile,
	sharedStoriesCount,
	shareFeedsOf,
	sharePagePath,
} from '../social/profile-records.ts';
import { classifiersByFeed } from '../classifiers.ts';
import { sharedUnreadCounts, type Counts } from '../stories/counts.ts';
import { markSharesRead } from '../stories/marks.ts';

/** Share feeds that an account reads: those of followed users; on real hosts also its own, and only those with shares. */
function readShareFeeds(reader: Reader, user: UserRow): number[] {
	const ids = shareFeedsOf(reader, user.id);
	if (!reader.isReal) return ids;
	return ids.filter((id) => sharedStoriesCount(reader, id) > 0);
}

/** Unread counts of share feeds. Real hosts mark a share feed as read if all its counted stories are hidden. */
function countShares(reader: Reader, user: UserRow, sharerIds: readonly number[]): Map<number, Counts> {
	const counts = sharedUnreadCounts(reader, user, sharerIds);

	const done = sharerIds.filter((id) => {
		const { ps = 0, nt = 0, ng = 0 } = counts.get(id) ?? {};
		return ps + nt === 0 && ng > 0;
	});
	reader.db.transaction(() => markSharesRead(reader, user, done, {}));
	return counts;
}

/** Records of followed share feeds in lists of feeds; only those in `among` if set. */
export function socialFeeds(
	reader: Reader,
	user: UserRow,
	among: readonly number[] = readShareFeeds(reader, user),
): (Record<string, unknown> & { subscription_user_id: number })[] {
	const counts = countShares(reader, user, among);
	const classifiers = classifiersByFeed(reader, user);

	return reader.db
		.all<UserRow>(
			`SELECT users.* FROM json_each(?) sharers JOIN reader_users users ON users.id = sharers.value
			ORDER BY sharers.key`,
			inList(among),
		)
		.map((sharer) => ({
			...compactProfile(reader, sharer),
			shared_stories_count: sharedStoriesCount(reader, sharer.id),
			subscription_user_id: sharer.id,
			...counts.get(sharer.id),
			is_trained: classifiers.has(`social:${sharer.id}`),
			feed_opens: 0,
			page_url: sharePagePath(sharer),
		}));
}

/** Unread counts of the share feeds an account follows, by `social:12`. */
export function socialCounts(reader: Reader, user: UserRow): Record<string, Counts & { id: string }> {
	const counts = countShares(reader, user, shareFeedsOf(reader, user.id));
	return Object.fromEntries([...counts].map(([id, own]) => [`social:${id}`, { ...own, id: `social:${id}` }]));
}
