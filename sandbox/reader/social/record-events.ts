import type { Reader } from '../reader.ts';
import type { EventList, UserRow } from '../storage/rows.ts';

interface NewEvent {
	list: EventList;
	/** The account whose list has the event. */
	userId: number;
	category: string;
	withUserId?: number | null;
	/** A share feed: `social:12`. */
	feedKey?: string;
	storyId?: number;
	feedId?: number;
	title?: string;
	content?: string;
	shareId?: string;
	replyId?: string;
}

/** Adds an event to an account's interactions (actions of other users) or activities (its own actions). */
export function recordEvent(reader: Reader, event: NewEvent): void {
	reader.db.run(
		`INSERT INTO reader_events
		(list, user_id, category, at, with_user_id, feed_key, story_id, feed_id, title, content, share_id, reply_id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		event.list,
		event.userId,
		event.category,
		reader.now(),
		event.withUserId ?? null,
		event.feedKey ?? null,
		event.storyId ?? null,
		event.feedId ?? null,
		event.title ?? null,
		event.content ?? null,
		event.shareId ?? null,
		event.replyId ?? null,
	);
}

/** Whether an account already has the event. */
function isRecorded(
	reader: Reader,
	{ list, userId, category, withUserId, storyId, feedId }: NewEvent,
): boolean {
	return (
		reader.db.get(
			`SELECT 1 FROM reader_events
			WHERE list = ? AND user_id = ? AND category = ? AND with_user_id IS ? AND story_id IS ? AND feed_id IS ?`,
			list,
			userId,
			category,
			withUserId ?? null,
			storyId ?? null,
			feedId ?? null,
		) !== undefined
	);
}

/** Adds an event unless it was recorded before. */
export function recordOnce(reader: Reader, event: NewEvent): void {
	if (isRecorded(reader, event)) return;
	recordEvent(reader, event);
}

/** Activities without another person, which only real hosts list. */
export function recordOwnEvent(
	reader: Reader,
	user: UserRow,
	category: 'signup' | 'opml_import' | 'opml_export',
	content?: string,
): void {
	const withUserId = category === 'signup' ? user.id : null;
	recordEvent(reader, { list: 'activity', userId: user.id, category, withUserId, content });
}
