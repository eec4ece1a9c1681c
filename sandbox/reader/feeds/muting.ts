import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';

/** Ends expired mutes; the service does this when feeds are listed. */
export function endMutes(reader: Reader, user: UserRow): void {
	const over = 'SELECT feed_id FROM reader_feed_mutes WHERE user_id = ?1 AND expires_at <= ?2';
	const sql = `UPDATE reader_subscriptions SET active = 1 WHERE user_id = ?1 AND feed_id IN (${over})`;
	reader.db.run(sql, user.id, reader.now());
	reader.db.run('DELETE FROM reader_feed_mutes WHERE user_id = ? AND expires_at <= ?', user.id, reader.now());
}

/** The expiry of an account's timed mutes, by feed. */
export function muteExpiries(reader: Reader, user: UserRow): Map<number, string> {
	const rows = reader.db.all<{ feed_id: number; expires_at: number }>(
		'SELECT feed_id, expires_at FROM reader_feed_mutes WHERE user_id = ?',
		user.id,
	);
	return new Map(rows.map(({ feed_id, expires_at }) => [feed_id, expiryText(expires_at)]));
}

/** `2026-10-01T12:00:00`: UTC, but without a zone. */
export const expiryText = (at: number): string => new Date(at).toISOString().slice(0, 19);
