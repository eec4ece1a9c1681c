import type { Reader } from '../reader.ts';
import { inList } from '../storage/queries.ts';
import type { UserRow } from '../storage/rows.ts';

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
	const wild = reader.differs('profile-records');
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
		...(wild && { active: true }),
	};
}

/** Whether unsaved fields of a profile are null, as on real hosts. */
function isBlank(reader: Reader, user: UserRow): boolean {
	if (!reader.differs('profile-records')) return false;
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
	const inOrder = reader.differs('follow-order');
	const followed = followedBy(reader, userId, inOrder ? 'created_at, followed_id' : 'followed_id');
	if (!reader.differs('self-follow')) return followed;
	const all = [userId, ...followed];
	return inOrder ? all : all.sort((a, b) => a - b);
}

export function mutedBy(reader: Reader, userId: number): Set<number> {
	return new Set(
		reader.db
			.all<{ muted_id: number }>('SELECT muted_id FROM reader_mutes WHERE user_id = ?', userId)
			.map((row) => row.muted_id),
	);
}

/** Ids of muted users, whose shares, replies and events are hidden; on real hosts only public comments are. */
export function silencedBy(reader: Reader, userId: number): Set<number> {
	return reader.differs('loose-mutes') ? new Set() : mutedBy(reader, userId);
}

/** Number of shared stories; on real hosts the last count, which removing a share does not update. */
export function sharedStoriesCount(reader: Reader, userId: number): number {
	const stale = reader.db.get<{ count: number }>(
		'SELECT count FROM reader_stale_share_counts WHERE user_id = ?',
		userId,
	);
	return stale?.count ?? countShares(reader, userId);
}

const countShares = (reader: Reader, userId: number): number =>
	reader.db.count('SELECT COUNT(*) FROM reader_shares WHERE user_id = ?', userId);

/** Preserves the count while shares are removed. */
export function keepShareCount(reader: Reader, userId: number): void {
	if (!reader.differs('stale-share-counts')) return;
	reader.db.run(
		'INSERT INTO reader_stale_share_counts VALUES (?, ?) ON CONFLICT DO NOTHING',
		userId,
		countShares(reader, userId),
	);
}

/** Counts the shares of accounts. */
export function renewShareCounts(reader: Reader, ...userIds: number[]): void {
	reader.db.run(
		'DELETE FROM reader_stale_share_counts WHERE user_id IN (SELECT value FROM json_each(?))',
		inList(userIds),
	);
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

/** The figures that real hosts counted last (`kept-figures`). */
function keptFigures(reader: Reader, user: UserRow): ShareFigures {
	const kept = reader.db.get<{ publishers: string | null; average: number }>(
		'SELECT publishers, average FROM reader_share_figures WHERE user_id = ?',
		user.id,
	);
	return {
		popular_publishers: kept?.publishers ? (JSON.parse(kept.publishers) as object[]) : null,
		stories_last_month: 0,
		average_stories_per_month: kept?.average ?? 0,
	};
}

/** Recounts a figure of a profile: real hosts recount one of them at a time. */
export function renewFigure(
	reader: Reader,
	user: UserRow,
	name: 'popular_publishers' | 'average_stories_per_month',
): void {
	if (!reader.differs('kept-figures')) return;
	const figures = { ...keptFigures(reader, user), [name]: countFigures(reader, user)[name] };
	reader.db.note(() =>
		reader.db.run(
			'INSERT OR REPLACE INTO reader_share_figures VALUES (?, ?, ?)',
			user.id,
			JSON.stringify(figures.popular_publishers ?? []),
			figures.average_stories_per_month,
		),
	);
}

/** The public profile. */
export function publicProfile(reader: Reader, user: UserRow): Record<string, unknown> {
	const figures = reader.differs('kept-figures') ? keptFigures(reader, user) : countFigures(reader, user);
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
	const hasPhoto =
		!isBlank(reader, user) && !(reader.differs('profile-records') && user.photo_service === 'nothing');
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
	if (reader.differs('profile-records')) {
		const page = { custom_css: null, custom_bgcolor: null, bb_permalink_direct: null };
		return { ...profile, ...(settings && page) };
	}
	return {
		...profile,
		muting_user_ids: [...mutedBy(reader, user.id)],
		custom_css: '',
		custom_bgcolor: '',
		bb_permalink_direct: false,
	};
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
