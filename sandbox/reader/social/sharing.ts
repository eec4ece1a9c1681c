import { randomBytes } from 'node:crypto';
import { keptComment } from './comments.ts';
import type { Reader } from '../reader.ts';
import type { ReplyRow, ShareRow, StoryRow, UserRow } from '../storage/queries.ts';
import { recordEvent, recordOnce } from './events.ts';

export function shareOf(reader: Reader, userId: number, storyId: number): ShareRow | undefined {
	return reader.db.get<ShareRow>(
		'SELECT * FROM reader_shares WHERE user_id = ? AND story_id = ?',
		userId,
		storyId,
	);
}

const dayMs = 86_400_000;

/** The feeds of the other stories that an account shared within the last day: one entry for each story. */
export const feedsSharedToday = (reader: Reader, user: UserRow, story: StoryRow): number[] =>
	reader.db
		.all<{ feed_id: number }>(
			`SELECT feed_id FROM reader_shares shares JOIN reader_stories stories ON stories.id = story_id
			WHERE user_id = ? AND shared_at > ? AND story_id <> ?`,
			user.id,
			reader.now() - dayMs,
			story.id,
		)
		.map(({ feed_id }) => feed_id);

/** Real hosts keep one share of a story's id (guid): they confirm that of another feed, and change nothing. */
function shareOfSameId(reader: Reader, user: UserRow, story: StoryRow): ShareRow | undefined {
	if (!reader.isReal) return undefined;
	return reader.db.get<ShareRow>(
		`SELECT shares.* FROM reader_shares shares JOIN reader_stories stories ON stories.id = story_id
		WHERE user_id = ? AND guid = ?`,
		user.id,
		story.guid,
	);
}

/**
 * Shares a story; sharing it again changes the comment and keeps replies and likes.
 */
export function shareStory(
	reader: Reader,
	user: UserRow,
	story: StoryRow,
	text: string,
	sourceUserId: number | null,
): ShareRow {
	const { db } = reader;
	const comments = keptComment(text);
	return db.transaction(() => {
		db.run('INSERT INTO reader_once_shared VALUES (?) ON CONFLICT DO NOTHING', story.id);
		const known = shareOf(reader, user.id, story.id);
		const twin = known ? undefined : shareOfSameId(reader, user, story);
		if (twin) return twin;
		if (known) {
			db.run('UPDATE reader_shares SET comments = ? WHERE id = ?', comments, known.id);
			db.run(
				`UPDATE reader_events SET content = ? WHERE share_id = ? AND category = 'sharedstory'`,
				comments,
				known.id,
			);
			return { ...known, comments };
		}
		const share: ShareRow = {
			id: newId(reader.now()),
			user_id: user.id,
			story_id: story.id,
			comments,
			source_user_id: sourceUserId,
			shared_at: reader.now(),
		};
		db.run(
			`INSERT INTO reader_shares (id, user_id, story_id, comments, source_user_id, shared_at)
			VALUES (?, ?, ?, ?, ?, ?)`,
			share.id,
			share.user_id,
			share.story_id,
			share.comments,
			share.source_user_id,
			share.shared_at,
		);
		const about = { ...aboutShare(share, story), content: comments };
		recordEvent(reader, { ...about, list: 'activity', userId: user.id, category: 'sharedstory' });
		if (sourceUserId !== null) {
			recordEvent(reader, {
				...about,
				list: 'interaction',
				userId: sourceUserId,
				category: 'story_reshare',
				withUserId: user.id,
			});
		}
		return share;
	});
}

/** Generates a record id: 24 hex digits. The first eight are the time, so that ids sort by time. */
function newId(now: number): string {
	return (
		Math.floor(now / 1000)
			.toString(16)
			.padStart(8, '0') + randomBytes(8).toString('hex')
	);
}

/** The fields of events about a shared story. */
function aboutShare(share: ShareRow, story: StoryRow) {
	return {
		feedKey: `social:${share.user_id}`,
		storyId: story.id,
		feedId: story.feed_id,
		title: story.title,
		shareId: share.id,
	};
}

/** Removes a share with its comments, replies, likes and events; on real hosts, events of other users' actions remain. */
export function unshare(reader: Reader, share: ShareRow): void {
	reader.db.transaction(() => {
		reader.db.run(
			`UPDATE reader_events SET share_id = NULL, reply_id = NULL WHERE share_id = ? AND category <> 'sharedstory'`,
			share.id,
		);
		reader.db.run('DELETE FROM reader_shares WHERE id = ?', share.id);
	});
}

/** Adds a reply, and an interaction for the commenter and every other replier. */
export function addReply(
	reader: Reader,
	user: UserRow,
	share: ShareRow,
	story: StoryRow,
	text: string,
): string {
	const comments = keptComment(text);
	return reader.db.transaction(() => {
		const replyId = newId(reader.now());
		reader.db.run(
			'INSERT INTO reader_replies (id, share_id, user_id, comments, published_at) VALUES (?, ?, ?, ?, ?)',
			replyId,
			share.id,
			user.id,
			comments,
			reader.now(),
		);
		recordReply(reader, user, share, story, { content: comments, replyId });
		return replyId;
	});
}

function recordReply(
	reader: Reader,
	user: UserRow,
	share: ShareRow,
	story: StoryRow,
	reply: { content: string; replyId?: string },
): void {
	const about = { ...aboutShare(share, story), ...reply };
	recordEvent(reader, {
		...about,
		list: 'activity',
		userId: user.id,
		category: 'comment_reply',
		withUserId: share.user_id,
	});
	const repliers = reader.db
		.all<{ user_id: number }>('SELECT DISTINCT user_id FROM reader_replies WHERE share_id = ?', share.id)
		.map((row) => row.user_id);
	const recipients = new Set([share.user_id, ...repliers]);
	recipients.delete(user.id);
	for (const userId of recipients) {
		const category = userId === share.user_id ? 'comment_reply' : 'reply_reply';
		recordEvent(reader, { ...about, list: 'interaction', userId, category, withUserId: user.id });
	}
}

/** @returns whether the reply to this comment is the account's own; real hosts list another user's reply as new */
export function editReply(
	reader: Reader,
	user: UserRow,
	{ share, story }: { share: ShareRow; story: StoryRow },
	replyId: string,
	text: string,
): boolean {
	const comments = keptComment(text);
	return reader.db.transaction(() => {
		const { changes } = reader.db.run(
			'UPDATE reader_replies SET comments = ? WHERE id = ? AND share_id = ? AND user_id = ?',
			comments,
			replyId,
			share.id,
			user.id,
		);
		if (changes > 0) {
			reader.db.run('UPDATE reader_events SET content = ? WHERE reply_id = ?', comments, replyId);
		} else recordReply(reader, user, share, story, { content: comments });
		return changes > 0;
	});
}

/** The account's last reply to a comment. */
export function lastReply(reader: Reader, user: UserRow, share: ShareRow): ReplyRow | undefined {
	return reader.db.get<ReplyRow>(
		`SELECT * FROM reader_replies WHERE share_id = ? AND user_id = ?
		ORDER BY published_at DESC, id DESC LIMIT 1`,
		share.id,
		user.id,
	);
}

/** Removes a reply with its interactions and activities. @returns whether it was the account's own */
export function removeReply(reader: Reader, user: UserRow, share: ShareRow, replyId: string): boolean {
	const { changes } = reader.db.run(
		'DELETE FROM reader_replies WHERE id = ? AND share_id = ? AND user_id = ?',
		replyId,
		share.id,
		user.id,
	);
	return changes > 0;
}

export function likeComment(reader: Reader, user: UserRow, share: ShareRow, story: StoryRow): void {
	reader.db.transaction(() => {
		const { changes } = reader.db.run(
			'INSERT INTO reader_likes (share_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
			share.id,
			user.id,
		);
		if (changes === 0) return;
		const about = { ...aboutShare(share, story), content: share.comments, category: 'comment_like' };
		recordOnce(reader, { ...about, list: 'activity', userId: user.id, withUserId: share.user_id });
		recordOnce(reader, { ...about, list: 'interaction', userId: share.user_id, withUserId: user.id });
	});
}

export function unlikeComment(reader: Reader, user: UserRow, share: ShareRow): void {
	reader.db.transaction(() => {
		reader.db.run('DELETE FROM reader_likes WHERE share_id = ? AND user_id = ?', share.id, user.id);
	});
}
