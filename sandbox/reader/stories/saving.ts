import type { Reader } from '../reader.ts';
import type { StoryRow, UserRow, StarredRow } from '../storage/queries.ts';
import { recordEvent } from '../social/events.ts';

export interface Saved {
	tags: readonly string[];
	highlights: readonly string[];
	notes: string | null;
}

export function starOf(reader: Reader, user: UserRow, storyId: number): StarredRow | undefined {
	return reader.db.get<StarredRow>(
		'SELECT * FROM reader_starred WHERE user_id = ? AND story_id = ?',
		user.id,
		storyId,
	);
}

/** Saves a story; saving it again replaces its tags, highlights and notes. */
export function saveStory(reader: Reader, user: UserRow, story: StoryRow, saved: Saved): void {
	reader.db.transaction(() => {
		const isSaved = starOf(reader, user, story.id) !== undefined;
		reader.db.run(
			`INSERT INTO reader_starred (user_id, story_id, starred_at, changed_at, tags, highlights, notes)
			VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET changed_at = excluded.changed_at,
			tags = excluded.tags, highlights = excluded.highlights, notes = excluded.notes
			WHERE tags <> excluded.tags OR highlights <> excluded.highlights OR notes IS NOT excluded.notes`,
			user.id,
			story.id,
			reader.now(),
			JSON.stringify([...new Set(saved.tags)]),
			JSON.stringify(saved.highlights),
			saved.notes,
		);
		if (isSaved) return;
		recordEvent(reader, {
			list: 'activity',
			userId: user.id,
			category: 'star',
			storyId: story.id,
			feedId: story.feed_id,
			title: story.title,
		});
	});
}

/** Removes a saved story. @returns whether it was saved */
export function unsaveStory(reader: Reader, user: UserRow, story: StoryRow): boolean {
	return reader.db.transaction(() => {
		reader.db.run(
			`DELETE FROM reader_events WHERE user_id = ? AND category = 'star' AND story_id = ?`,
			user.id,
			story.id,
		);
		const { changes } = reader.db.run(
			'DELETE FROM reader_starred WHERE user_id = ? AND story_id = ?',
			user.id,
			story.id,
		);
		return changes > 0;
	});
}
