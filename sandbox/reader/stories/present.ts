import { intelligenceOf, scoreOf } from '../classifiers/scoring.ts';
import { classifiersByFeed } from '../classifiers/store.ts';
import { longDate, plainDate, seconds, shortDate } from '../dates.ts';
import type { Reader } from '../reader.ts';
import { compactProfiles } from '../social/profiles.ts';
import { inList } from '../storage/queries.ts';
import type { StarredRow, StoryRow, UserRow } from '../storage/rows.ts';
import { socialSide } from './social.ts';

export interface StoryRecord extends Record<string, unknown> {
	story_hash: string;
	story_feed_id: number;
	/** Red −1, neutral 0, green 1. */
	score?: number;
}

export interface PresentedStories {
	stories: StoryRecord[];
	/** Of everybody the stories' shares and comments mention. */
	user_profiles: Record<string, unknown>[];
}

export interface PresentOptions {
	/** Default true. */
	content?: boolean;
	/** The share feed they are read in: its classifiers count too. */
	sharerOf?: (story: StoryRow) => number | undefined;
	/** Whether the records name the sharer; default true. */
	namesSharer?: boolean;
	/** When a story was shared, which the wild's river of shared stories shows as its date. */
	sharedAt?: (story: StoryRow) => number | undefined;
	/** All as unread, as the wild answers asked by hash, or as read, as it does of share feeds not followed. */
	readStatus?: 0 | 1;
	/** Whose records differ in the wild: lists of feeds, of shared stories, of kept (saved or read) ones; the story just shared. */
	list?: 'feeds' | 'shared' | 'kept' | 'answer';
}

/** What the wild says of every saved or read story, whatever the classifiers. */
const keptIntelligence = { feed: 1, author: 0, tags: 0, title: 0 };

/** Records of stories as an account sees them. Interface facts, "Story". */
export function presentStories(
	reader: Reader,
	viewer: UserRow,
	rows: readonly StoryRow[],
	options: PresentOptions = {},
): PresentedStories {
	const ids = rows.map(({ id }) => id);
	const social = socialSide(reader, viewer, ids);
	const starred = starredRows(reader, viewer, ids);
	const reads = readIds(reader, viewer, ids, options.list === 'shared' && reader.differs('share-reads'));
	const kept = keptUnread(reader, viewer, ids);
	const classifiers = classifiersByFeed(reader, viewer);
	const since = reader.unreadSince(viewer);
	const now = reader.now();
	const list = reader.differs('story-records') ? options.list : undefined;

	const stories = rows.map((row): StoryRecord => {
		const sharer = options.sharerOf?.(row);
		const tags = JSON.parse(row.tags) as string[];
		const intelligence = intelligenceOf({ title: row.title, authors: row.authors, tags }, [
			...(classifiers.get(String(row.feed_id)) ?? []),
			...((sharer !== undefined && classifiers.get(`social:${sharer}`)) || []),
		]);
		const isRead = list === 'kept' || reads.has(row.id) || (row.published_at < since && !kept.has(row.id));
		const shownAt = (list === 'shared' && options.sharedAt?.(row)) || row.published_at;
		const ownShare = social.ownShare(row.id);
		const star = starred.get(row.id);
		return {
			...publishedFields(row, shownAt, now),
			...(options.content !== false && { story_content: row.content }),
			story_tags: tags,
			...(list !== 'answer' && {
				read_status: options.readStatus ?? (isRead ? 1 : 0),
				...((list === undefined || list === 'feeds') && { score: scoreOf(intelligence) }),
				intelligence: list === 'kept' ? keptIntelligence : intelligence,
			}),
			...social.fieldsOf(
				row.id,
				options.list === 'feeds' || (options.list === 'answer' && ownShare !== undefined),
			),
			source_user_id: ownShare?.source_user_id ?? null,
			...(sharer !== undefined && options.namesSharer !== false && { social_user_id: sharer }),
			...(star && starredFields(star, now)),
			...(ownShare && {
				shared: true,
				shared_date: longDate(ownShare.shared_at, now),
				shared_comments: ownShare.comments,
			}),
		};
	});
	return { stories, user_profiles: compactProfiles(reader, social.people) };
}

/** What the feed gave; the record's other fields are the account's. */
function publishedFields(row: StoryRow, shownAt: number, now: number) {
	return {
		story_hash: row.story_hash,
		id: row.guid,
		guid_hash: row.story_hash.slice(row.story_hash.indexOf(':') + 1),
		story_feed_id: row.feed_id,
		story_title: row.title,
		story_authors: row.authors,
		story_permalink: row.link,
		story_date: plainDate(shownAt),
		story_timestamp: String(seconds(row.published_at)),
		short_parsed_date: shortDate(shownAt),
		long_parsed_date: longDate(shownAt, now),
		image_urls: JSON.parse(row.image_urls) as string[],
		secure_image_urls: {},
		secure_image_thumbnails: {},
		has_modifications: row.has_modifications === 1,
	};
}

function starredFields(star: StarredRow, now: number): object {
	return {
		starred: true,
		starred_date: longDate(star.starred_at, now),
		starred_timestamp: seconds(star.starred_at),
		user_tags: JSON.parse(star.tags) as string[],
		user_notes: star.notes,
		highlights: JSON.parse(star.highlights) as string[],
	};
}

function starredRows(reader: Reader, viewer: UserRow, ids: readonly number[]): Map<number, StarredRow> {
	const rows = reader.db.all<StarredRow>(
		'SELECT * FROM reader_starred WHERE user_id = ? AND story_id IN (SELECT value FROM json_each(?))',
		viewer.id,
		inList(ids),
	);
	return new Map(rows.map((row) => [row.story_id, row]));
}

/** `oneByOne`: without those that were read with their whole feed. */
function readIds(reader: Reader, viewer: UserRow, ids: readonly number[], oneByOne: boolean): Set<number> {
	const rows = reader.db.all<{ story_id: number }>(
		`SELECT story_id FROM reader_reads
		WHERE user_id = ? AND story_id IN (SELECT value FROM json_each(?)) AND opened >= ?`,
		viewer.id,
		inList(ids),
		oneByOne ? 1 : 0,
	);
	return new Set(rows.map((row) => row.story_id));
}

/** Stories too old to be unread that the account marked so all the same. */
function keptUnread(reader: Reader, viewer: UserRow, ids: readonly number[]): Set<number> {
	if (!reader.keepsEverything(viewer)) return new Set();
	const rows = reader.db.all<{ story_id: number }>(
		'SELECT story_id FROM reader_kept_unread WHERE user_id = ? AND story_id IN (SELECT value FROM json_each(?))',
		viewer.id,
		inList(ids),
	);
	return new Set(rows.map((row) => row.story_id));
}

/** Leaves hidden stories (score below zero) out unless they are wanted, and says how many in the variant's words. */
export function withoutHidden(
	reader: Reader,
	stories: readonly StoryRecord[],
	includeHidden: boolean,
): { stories: StoryRecord[]; count: Record<string, number> } {
	const shown = includeHidden ? [...stories] : stories.filter(({ score = 0 }) => score >= 0);
	const removed = stories.length - shown.length;
	if (!reader.differs('hidden-key')) return { stories: shown, count: { hidden_stories_count: removed } };
	return { stories: shown, count: includeHidden ? {} : { hidden_stories_removed: removed } };
}
