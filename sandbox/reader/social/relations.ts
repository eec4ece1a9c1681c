import type { Reader } from '../reader.ts';
import { type EventList, type UserRow } from '../storage/queries.ts';
import { recordOnce } from './events.ts';
import { followedBy, followersOf, mutedBy } from './profile-records.ts';

const shownIds = 128;

/**
 * Follows an account and subscribes to its share feed. A protected account gets a request, which real hosts do not
 * report. Following twice has no effect.
 */
export function follow(reader: Reader, user: UserRow, followed: UserRow): void {
	reader.db.transaction(() => {
		const { changes } = reader.db.run(
			`INSERT INTO reader_follows (user_id, followed_id, requested, created_at) VALUES (?, ?, ?, ?)
			ON CONFLICT DO NOTHING`,
			user.id,
			followed.id,
			followed.is_protected,
			reader.now(),
		);
		if (changes === 0 || followed.is_protected) return;
		const record = (list: EventList, owner: UserRow, other: UserRow) =>
			recordOnce(reader, {
				list,
				userId: owner.id,
				category: 'follow',
				withUserId: other.id,
				feedKey: `social:${other.id}`,
			});
		record('interaction', followed, user);
		record('activity', user, followed);
	});
}

/** Unfollows an account; keeps the events of following. */
export function unfollow(reader: Reader, user: UserRow, followed: UserRow): void {
	reader.db.run('DELETE FROM reader_follows WHERE user_id = ? AND followed_id = ?', user.id, followed.id);
}

export function mute(reader: Reader, user: UserRow, muted: UserRow): void {
	reader.db.run('INSERT INTO reader_mutes VALUES (?, ?) ON CONFLICT DO NOTHING', user.id, muted.id);
}

export function unmute(reader: Reader, user: UserRow, muted: UserRow): void {
	reader.db.run('DELETE FROM reader_mutes WHERE user_id = ? AND muted_id = ?', user.id, muted.id);
}

type Standing = Partial<Record<'followed_by_you' | 'following_you' | 'muted', boolean>>;

/** The relation of two accounts; real hosts omit who follows whom if both are the same. */
export function standing(reader: Reader, user: UserRow, other: UserRow): Standing {
	const isSelf = user.id === other.id;
	return {
		...(!isSelf && {
			followed_by_you: followedBy(reader, user.id).includes(other.id),
			following_you: followedBy(reader, other.id).includes(user.id),
		}),
		muted: mutedBy(reader, user.id).has(other.id),
	};
}

/** The relation of two accounts, and whether the first has a pending request to follow the second. */
export function relation(
	reader: Reader,
	user: UserRow,
	other: UserRow,
): Standing & { requested_follow: boolean } {
	const requested = reader.db.get(
		'SELECT 1 FROM reader_follows WHERE user_id = ? AND followed_id = ? AND requested = 1',
		user.id,
		other.id,
	);
	return { ...standing(reader, user, other), requested_follow: requested !== undefined };
}

/** Followers and followed users of an account: those whom the user follows, and the others. */
export function commonFollows(reader: Reader, user: UserRow, owner: UserRow) {
	const known = new Set([...followedBy(reader, user.id), user.id]);
	const split = (ids: number[]) => ({
		known: ids.filter((id) => known.has(id)).slice(0, shownIds),
		everybody: ids.filter((id) => !known.has(id)).slice(0, shownIds),
	});
	const followers = split(followersOf(reader, owner.id));
	const following = split(followedBy(reader, owner.id));
	return {
		followers_youknow: followers.known,
		followers_everybody: followers.everybody,
		following_youknow: following.known,
		following_everybody: following.everybody,
		requested_follow: relation(reader, user, owner).requested_follow,
	};
}
