import type { Reader } from '../reader.ts';
import { type EventList, type UserRow, type EventRow, inList } from '../storage/queries.ts';
import { fractionalDate, spanText } from '../format-date.ts';
import { photoUrl, publicProfiles } from './profile-records.ts';

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

/** Activities that only their owner can see. Interface document, "Social". */
const privateCategories = ['star', 'feedsub', 'opml_import', 'opml_export'];

/** Activities whose title is their content on real hosts. */
const titledCategories = ['star', 'feedsub'];

interface EventPage {
	events: object[];
	hasNextPage: boolean;
}

interface EventSearch {
	page: number;
	limit: number;
	/** Whether to omit the fields that only the owner may see, even for the owner. */
	publicOnly?: boolean;
}

/** The user and the feed of an event: a follow has no feed, and an action without another user has the account itself. */
function aboutWhat(list: EventList, row: EventRow): object {
	const { with_user_id, feed_key, feed_id } = row;

	const shareFeed = row.category === 'follow' ? null : feed_key;
	return {
		with_user_id: with_user_id ?? (list === 'activity' ? row.user_id : null),
		feed_id: shareFeed ?? feed_id,
		story_feed_id: feed_id,
	};
}

/** A page of an account's interactions or activities, newest first. */
export function eventPage(
	reader: Reader,
	list: EventList,
	owner: UserRow,
	viewer: UserRow,
	{ page, limit, publicOnly = false }: EventSearch,
): EventPage {
	const hidden = list === 'activity' && (publicOnly || viewer.id !== owner.id) ? privateCategories : [];
	const rows = reader.db.all<EventRow & { guid: string | null; story_hash: string | null }>(
		`SELECT events.*, stories.guid, stories.story_hash FROM reader_events events
		LEFT JOIN reader_stories stories ON stories.id = events.story_id
		WHERE list = ?1 AND user_id = ?2 AND category NOT IN (SELECT value FROM json_each(?3))
		ORDER BY events.id DESC LIMIT ?4 OFFSET ?5`,
		list,
		owner.id,
		inList(hidden),
		limit + 1,
		(page - 1) * limit,
	);
	const shown = rows.slice(0, limit);

	const ids = shown.flatMap((row) => row.with_user_id ?? []);
	const people = new Map(publicProfiles(reader, ids).map((profile) => [profile['user_id'], profile]));
	const now = reader.now();
	const titled = (category: string) => titledCategories.includes(category);
	const events = shown.map((row) => ({
		...(list === 'activity' && { user_id: row.user_id }),
		date: fractionalDate(row.at),
		category: row.category,
		...(titled(row.category)
			? { title: null, content: row.title }
			: { title: row.title, content: row.content }),
		...aboutWhat(list, row),
		content_id: row.guid,
		story_hash: row.story_hash,
		photo_url: photoUrl(reader, row.with_user_id ?? row.user_id),
		with_user: people.get(row.with_user_id ?? (list === 'activity' ? row.user_id : 0)) ?? null,
		time_since: spanText(now - row.at),
		is_new: row.at > owner.interactions_seen_at,
	}));
	return { events, hasNextPage: rows.length > limit };
}

/** Number of interactions since the account last read them. */
export function unseenInteractions(reader: Reader, user: UserRow): number {
	return reader.db.count(
		`SELECT COUNT(*) FROM reader_events WHERE list = 'interaction' AND user_id = ? AND at > ?`,
		user.id,
		user.interactions_seen_at,
	);
}
