import { scoringOf, intelligenceOf, newerNeutral, scoreOf } from '../classifiers.ts';
import { fractionalDate, plainDate, seconds, utcDates, type DateTexts } from '../format-date.ts';
import type { Reader } from '../reader.ts';
import { compactProfiles } from '../social/profile-records.ts';
import { inList, type ShareRow, type StarredRow, type StoryRow, type UserRow } from '../storage/queries.ts';
import { withoutTags } from '../social/comments.ts';
import { socialSide } from './social-fields.ts';

export interface StoryRecord extends Record<string, unknown> {
	story_hash: string;
	story_feed_id: number;
	/** Red −1, neutral 0, green 1. */
	score?: number;
}

interface PresentedStories {
	stories: StoryRecord[];
	/** Profiles of all users in the stories' shares and comments. */
	user_profiles: Record<string, unknown>[];
}

type StoryList = 'feed' | 'river' | 'shareFeed' | 'shareRiver' | 'starred' | 'read' | 'answer';

export interface PresentOptions {
	/** Default true. */
	content?: boolean;
	/** The share feed that contains the stories; its classifiers also apply. */
	sharerOf?: (story: StoryRow) => number | undefined;
	/** When a story was shared: its date in the river of shared stories. */
	sharedAt?: (story: StoryRow) => number | undefined;
	/** Replaces the account's read state. On real hosts, stories by hash are always unread. */
	readStatus?: 0 | 1 | ((story: StoryRow) => 0 | 1);
	/** Whether to omit that the account saved or shared a story, as for feeds without a subscription. */
	isForeign?: boolean;
	/** Whether to score only with classifiers that older servers support. */
	olderScores?: boolean;
	/** The purpose of the stories: their records differ on real hosts. `answer`: the story that was just shared. */
	list?: StoryList;
}

/** Number of characters of the content that replace a missing title. */
const mostOfTitle = 80;

/** The fixed scores of saved and read stories on real hosts. */
const keptIntelligence = { feed: 1, author: 0, tags: 0, title: 0 };

/** Records of stories for an account. Interface facts, "Story". */
export function presentStories(
	reader: Reader,
	viewer: UserRow,
	rows: readonly StoryRow[],
	options: PresentOptions = {},
): PresentedStories {
	const ids = rows.map(({ id }) => id);
	const social = socialSide(reader, viewer, ids);
	const starred = starredRows(reader, viewer, ids);
	const byReads = (options.list === 'starred' || options.list === 'read') && reader.is2026;
	const fromShares = options.list === 'shareFeed' || options.list === 'shareRiver';
	const oneByOne = byReads || fromShares;
	const reads = readIds(reader, viewer, ids, oneByOne);
	const kept = keptUnread(reader, viewer, ids);
	const ofSubscriptions = options.list === 'feed' || options.list === 'river';
	const scoring = scoringOf(reader, viewer, {
		subscribedOnly: ofSubscriptions,
		olderOnly: options.olderScores === true,
	});
	const since = reader.unreadSince(viewer);
	const now = reader.now();
	const list = options.list;
	const isKept = list === 'starred' || list === 'read';
	const dates = utcDates(now);
	const { readStatus } = options;
	const newerKinds = reader.is2026 && !options.olderScores;

	const stories = rows.map((row): StoryRecord => {
		const sharer = options.sharerOf?.(row);
		const tags = JSON.parse(row.tags) as string[];
		const intelligence = intelligenceOf({ ...row, tags }, [
			...scoring.of(row.feed_id),
			...(sharer === undefined ? [] : scoring.of(`social:${sharer}`)),
		]);
		const isOld = row.published_at < since && !kept.has(row.id);
		const isRead = reads.has(row.id) || (!byReads && (isKept || isOld));
		const ownShare = social.ownShare(row.id);
		const riverAt = list === 'shareRiver' ? options.sharedAt?.(row) : undefined;
		const sharedAt = list === 'answer' ? ownShare?.shared_at : list && options.sharedAt?.(row);
		const shownAt = sharedAt ?? row.published_at;
		const star = starred.get(row.id);
		return {
			...publishedFields(row, riverAt ?? row.published_at, shownAt, dates),
			...(options.content !== false && { story_content: row.content }),
			story_tags: tags,
			...(list !== 'answer' && {
				read_status: typeof readStatus === 'function' ? readStatus(row) : (readStatus ?? (isRead ? 1 : 0)),
				...((list === undefined || list === 'feed' || list === 'river') && { score: scoreOf(intelligence) }),
				intelligence: {
					...(newerKinds && { ...newerNeutral, ...(!isKept && { prompt: 0 }) }),
					...(isKept ? keptIntelligence : intelligence),
				},
			}),
			...social.fieldsOf(
				row.id,
				options.list === 'feed' ||
					options.list === 'river' ||
					(options.list === 'answer' && ownShare !== undefined),
			),
			...((list === 'shareFeed' || list === 'starred') && { comment_user_ids: [] }),
			...(list === 'starred' && { user_id: viewer.id }),
			...sharerFields(list, social.shareBy(row.id, sharer), ownShare),
			...(sharer !== undefined && list !== 'shareRiver' && { social_user_id: sharer }),
			...(star && !options.isForeign && starredFields(star, dates, list)),
			...(ownShare && !options.isForeign && ownShareFields(ownShare, dates, list)),
		};
	});
	return { stories, user_profiles: compactProfiles(reader, social.people) };
}

/** The members from the feed; the other members depend on the account. */
function publishedFields(row: StoryRow, datedAt: number, shownAt: number, dates: DateTexts) {
	const images = JSON.parse(row.image_urls) as string[];
	return {
		story_hash: row.story_hash,
		id: row.guid,
		guid_hash: row.story_hash.slice(row.story_hash.indexOf(':') + 1),
		story_feed_id: row.feed_id,
		...titleFields(row),
		story_authors: row.authors,
		story_permalink: row.link,
		story_date: plainDate(datedAt),
		story_timestamp: String(seconds(row.published_at)),
		short_parsed_date: dates.short(shownAt),
		long_parsed_date: dates.long(shownAt),
		image_urls: images,
		has_modifications: row.has_modifications === 1,
	};
}

/** Real hosts replace a missing title with the beginning of the content, or the URL. */
function titleFields(row: StoryRow): object {
	if (row.title !== '') return { story_title: row.title };
	const text = withoutTags(row.content) || row.link;
	const shown = text.length > mostOfTitle ? `${text.slice(0, mostOfTitle)}...` : text;
	return { story_title: shown, story_title_blank: true };
}

/** The members about a share, only in the share feed of an account. */
function sharerFields(
	list: StoryList | undefined,
	share: ShareRow | undefined,
	own: ShareRow | undefined,
): object {
	if (list === undefined) return { source_user_id: own?.source_user_id ?? null };
	if (list !== 'shareFeed' || share === undefined) return {};
	return {
		source_user_id: share.source_user_id,
		user_id: share.user_id,
		comments: share.comments,
		shared_date: fractionalDate(share.shared_at),
	};
}

function starredFields(star: StarredRow, dates: DateTexts, list: StoryList | undefined): object {
	const fields = {
		starred: true,
		starred_date: dates.long(star.starred_at),
		starred_timestamp: seconds(star.starred_at),
	};
	if (list === 'read') return fields;
	const tags = { user_tags: JSON.parse(star.tags) as string[] };
	if (list === 'shareFeed' || list === 'shareRiver' || list === 'answer') {
		return { starred: fields.starred, starred_date: fields.starred_date, ...tags };
	}
	return { ...fields, ...tags, user_notes: star.notes, highlights: JSON.parse(star.highlights) as string[] };
}

/** The members about the account's own share. On real hosts rivers lack them, and few other lists have the date. */
function ownShareFields(share: ShareRow, dates: DateTexts, list: StoryList | undefined): object {
	if (list === 'river') return {};
	const isDated = list === undefined || list === 'feed' || list === 'shareRiver';
	return {
		shared: true,
		...(isDated && { shared_date: dates.long(share.shared_at) }),
		shared_comments: withoutTags(share.comments),
		...(list === 'answer' && { shared_by_user: true }),
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

/** `oneByOne`: excludes stories that were read with their whole feed. */
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

/** Stories that are older than the unread limit, but that the account marked as unread. */
function keptUnread(reader: Reader, viewer: UserRow, ids: readonly number[]): Set<number> {
	if (!reader.keepsEverything(viewer)) return new Set();
	const rows = reader.db.all<{ story_id: number }>(
		'SELECT story_id FROM reader_kept_unread WHERE user_id = ? AND story_id IN (SELECT value FROM json_each(?))',
		viewer.id,
		inList(ids),
	);
	return new Set(rows.map((row) => row.story_id));
}

/** Removes hidden stories (score below zero) unless requested, and adds their number as the variant does. */
export function withoutHidden(
	reader: Reader,
	stories: readonly StoryRecord[],
	includeHidden: boolean,
): { stories: StoryRecord[]; count: Record<string, number> } {
	const shown = includeHidden ? [...stories] : stories.filter(({ score = 0 }) => score >= 0);
	const removed = stories.length - shown.length;
	const name = reader.isReal ? 'hidden_stories_removed' : 'hidden_stories_count';
	return { stories: shown, count: includeHidden ? {} : { [name]: removed } };
}
