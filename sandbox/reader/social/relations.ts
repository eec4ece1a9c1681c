import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';
import { recordEvent } from './events.ts';
import { mutedBy } from './profiles.ts';

/** Follows an account, which subscribes to its share feed; a protected one is only asked. Following twice changes nothing. */
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
		if (changes === 0) return;
		const category = followed.is_protected ? 'follow_request' : 'follow';
		recordEvent(reader, {
			list: 'interaction',
			userId: followed.id,
			category,
			withUserId: user.id,
			feedKey: `social:${user.id}`,
		});
		if (followed.is_protected) return;
		recordEvent(reader, {
			list: 'activity',
			userId: user.id,
			category,
			withUserId: followed.id,
			feedKey: `social:${followed.id}`,
		});
	});
}

/** The events of following stay: they happened. */
export function unfollow(reader: Reader, user: UserRow, followed: UserRow): void {
	reader.db.run('DELETE FROM reader_follows WHERE user_id = ? AND followed_id = ?', user.id, followed.id);
}

export function mute(reader: Reader, user: UserRow, muted: UserRow): void {
	reader.db.run('INSERT INTO reader_mutes VALUES (?, ?) ON CONFLICT DO NOTHING', user.id, muted.id);
}

export function unmute(reader: Reader, user: UserRow, muted: UserRow): void {
	reader.db.run('DELETE FROM reader_mutes WHERE user_id = ? AND muted_id = ?', user.id, muted.id);
}

export type Relation = Record<'followed_by_you' | 'following_you' | 'requested_follow' | 'muted', boolean>;

export function relation(reader: Reader, user: UserRow, other: UserRow): Relation {
	const row = (from: UserRow, to: UserRow) =>
		reader.db.get<{ requested: number }>(
			'SELECT requested FROM reader_follows WHERE user_id = ? AND followed_id = ?',
			from.id,
			to.id,
		);
	return {
		followed_by_you: row(user, other)?.requested === 0,
		following_you: row(other, user)?.requested === 0,
		requested_follow: row(user, other)?.requested === 1,
		muted: mutedBy(reader, user.id).has(other.id),
	};
}
