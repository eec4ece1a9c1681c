import type { Reader } from '../reader.ts';
import { inList, type UserRow } from '../storage/queries.ts';

const monthMs = 30 * 86_400_000;
const shownIds = 48;

export function shareFeedUrl(reader: Reader, user: UserRow): string {
	return `${reader.baseUrl}/social/rss/${user.id}/${encodeURIComponent(user.username)}`;
}

export function sharePageUrl(reader: Reader, user: UserRow): string {
	return reader.baseUrl + sharePagePath(user);
}

export function sharePagePath(user: UserRow): string {
	return `/social/page/${user.id}/${encodeURIComponent(user.username)}`;
}

export function photoUrl(reader: Reader, userId: number): string {
	return `${reader.baseUrl}/social/photo/${userId}`;
}

/** The short record of a profile in lists. */
export function compactProfile(reader: Reader, user: UserRow): Record<string, unknown> {
	const { count } = reader.db.get<{ count: number }>(
		'SELECT COUNT(*) count FROM reader_follows WHERE followed_id = ? AND requested = 0',
		user.id,
	) ?? { count: 0 };

	const blank = isBlank(reader, user);
	return {
		id: `social:${user.id}`,
		user_id: user.id,
		username: user.username,
		photo_url: photoUrl(reader, user.id),
		large_photo_url: photoUrl(reader, user.id),
		location: blank ? null : user.location,
		num_subscribers: count,
		feed_title: `${user.username}'s shared stories`,
		feed_address: shareFeedUrl(reader, user),
		feed_link: sharePageUrl(reader, user),
		protected: blank ? null : user.is_protected === 1,
		private: blank ? null : user.is_private === 1,
		active: true,
	};
}

/** Whether unsaved fields of a profile are null, as on real hosts. */
function isBlank(reader: Reader, user: UserRow): boolean {
	return reader.db.get('SELECT 1 FROM reader_saved_profiles WHERE user_id = ?', user.id) === undefined;
}

export function compactProfiles(reader: Reader, ids: Iterable<number>): Record<string, unknown>[] {
	return usersOf(reader, ids).map((user) => compactProfile(reader, user));
}

function usersOf(reader: Reader, ids: Iterable<number>): UserRow[] {
	return reader.db.all<UserRow>(
		'SELECT * FROM reader_users WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
		inList([...new Set(ids)]),
	);
}

/** Ids of followed users, sorted by id or in the order of following. */
export function followedBy(
	reader: Reader,
	userId: number,
	order: 'followed_id' | 'created_at, followed_id' = 'followed_id',
): number[] {
	return reader.db
		.all<{ id: number }>(
			`SELECT followed_id id FROM reader_follows WHERE user_id = ? AND requested = 0 ORDER BY ${order}`,
			userId,
		)
		.map(({ id }) => id);
}

/** Ids of an account's followers. */
export function followersOf(reader: Reader, userId: number): number[] {
	return reader.db
		.all<{ id: number }>(
			'SELECT user_id id FROM reader_follows WHERE followed_id = ? AND requested = 0 ORDER BY user_id',
			userId,
		)
		.map(({ id }) => id);
}

/** Ids of users whose share feeds an account reads: followed users, and on real hosts first the account itself. */
export function shareFeedsOf(reader: Reader, userId: number): number[] {
	const followed = followedBy(reader, userId, 'created_at, followed_id');
	if (!reader.isReal) return followed;
	return [userId, ...followed];
}

export function mutedBy(reader: Reader, userId: number): Set<number> {
	return new Set(
		reader.db
			.all<{ muted_id: number }>('SELECT muted_id FROM reader_mutes WHERE user_id = ?', userId)
			.map((row) => row.muted_id),
	);
}

export function sharedStoriesCount(reader: Reader, userId: number): number {
	return reader.db.count('SELECT COUNT(*) FROM reader_shares WHERE user_id = ?', userId);
}

/** The fields of a profile about shared stories. */
interface ShareFigures {
	popular_publishers: object[] | null;
	stories_last_month: number;
	average_stories_per_month: number;
}

function countFigures(reader: Reader, user: UserRow): ShareFigures {
	const now = reader.now();
	const figures = reader.db.get<{ all_time: number; month: number; first_at: number | null }>(
		`SELECT COUNT(*) all_time, COALESCE(SUM(shared_at >= ?), 0) month, MIN(shared_at) first_at
		FROM reader_shares WHERE user_id = ?`,
		now - monthMs,
		user.id,
	) ?? { all_time: 0, month: 0, first_at: null };
	const months = Math.max(1, Math.ceil((now - (figures.first_at ?? now)) / monthMs));
	const publishers = reader.db.all<{ id: number; feed_title: string; story_count: number }>(
		`SELECT feeds.id, feeds.title feed_title, COUNT(*) story_count FROM reader_shares shares
		JOIN reader_stories stories ON stories.id = story_id JOIN reader_feeds feeds ON feeds.id = stories.feed_id
		WHERE shares.user_id = ? GROUP BY feeds.id ORDER BY story_count DESC, feeds.id LIMIT 5`,
		user.id,
	);
	return {
		popular_publishers: publishers.length > 0 ? publishers.map((row) => ({ ...row })) : null,
		stories_last_month: figures.month,
		average_stories_per_month: Math.round(figures.all_time / months),
	};
}

/** The public profile. */
export function publicProfile(reader: Reader, user: UserRow): Record<string, unknown> {
	const figures = countFigures(reader, user);
	return {
		...compactProfile(reader, user),
		bio: isBlank(reader, user) ? null : user.bio,
		website: isBlank(reader, user) ? null : user.website,
		shared_stories_count: sharedStoriesCount(reader, user.id),
		following_count: followedBy(reader, user.id).length,
		follower_count: followersOf(reader, user.id).length,
		...figures,
	};
}

export function publicProfiles(reader: Reader, ids: Iterable<number>): Record<string, unknown>[] {
	return usersOf(reader, ids).map((user) => publicProfile(reader, user));
}

/** The public profile with the lists of users and the kind of picture, which real hosts return for every account. */
export function profileWithFollows(reader: Reader, user: UserRow): Record<string, unknown> {
	const hasPhoto = !isBlank(reader, user) && user.photo_service !== 'nothing';
	return {
		...publicProfile(reader, user),
		photo_service: hasPhoto ? user.photo_service : null,
		following_user_ids: followedBy(reader, user.id).slice(0, shownIds),
		follower_user_ids: followersOf(reader, user.id).slice(0, shownIds),
	};
}

/** The profile for its owner; on real hosts, only `settings` include the page's appearance. */
export function ownProfile(
	reader: Reader,
	user: UserRow,
	{ settings = false } = {},
): Record<string, unknown> {
	const profile = profileWithFollows(reader, user);
	const page = { custom_css: null, custom_bgcolor: null, bb_permalink_direct: null };
	return { ...profile, ...(settings && page) };
}

/** Connected services; a sandbox account has only its picture. */
export function connectedServices(reader: Reader, user: UserRow): object {
	return {
		twitter: { twitter_username: null, twitter_picture_url: null, twitter_uid: null, syncing: false },
		facebook: { facebook_uid: null, facebook_picture_url: null, syncing: false },
		gravatar: { gravatar_picture_url: photoUrl(reader, user.id) },
		upload: { upload_picture_url: null },
	};
}
