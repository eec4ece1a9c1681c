import { storyHash, type FetchedFeed, type ParsedFeed, type ParsedStory } from '../../feeds/index.ts';
import type { ReaderDifference } from '../reader-differences.ts';
import { withoutTags } from '../social/comment-text.ts';
import { inList, type Queries } from '../storage/queries.ts';
import { sameStory, type Comparable, type SameStory } from './same-story.ts';
import { splitTags } from './tags.ts';

/** The stories in the database, which all accounts share. */

/** A story with a date. */
type DatedStory = Omit<ParsedStory, 'changedAt'> & { publishedAt: number };
type KeptStory = Comparable & { id: number };

/** The options for storing stories. */
export interface Keeping {
	/** Epoch milliseconds. */
	now: number;
	/** Whether a difference of real hosts is enabled. */
	differs(name: ReaderDifference): boolean;
}

const firstDate = Date.UTC(2000, 0, 1);
const unreadMs = 30 * 86_400_000;
/** Maximum number of stories that one fetch edits on real hosts; the next fetch edits the others. */
const mostEdits = 3;

/** Stores the stories of a successful fetch. @returns the number of new stories */
export function keepFetched(db: Queries, keeping: Keeping, feedId: number, fetched: FetchedFeed): number {
	return db.transaction(() => {
		const { feed } = fetched;
		if (feed === null) return 0;
		db.run(
			`UPDATE reader_feeds SET title = ?, link = ?, description = ?, etag = ?, last_modified = ?, size_bytes = ?
			WHERE id = ?`,
			feed.title || fetched.url,
			feed.link,
			feed.description,
			fetched.etag,
			fetched.lastModified,
			fetched.sizeBytes,
			feedId,
		);
		return keepStories(db, keeping, feedId, feed);
	});
}

function keepStories(db: Queries, keeping: Keeping, feedId: number, feed: ParsedFeed): number {
	const merging = keeping.differs('merged-stories');
	const kept = keptStories(db, keeping, feedId, feed);
	const inDocument = new Set(feed.stories.map(({ guid }) => guid));
	let added = 0;
	let edited = 0;
	for (const story of feed.stories.map((parsed) => asKept(parsed, keeping))) {
		const same = merging ? sameStory(story, kept, inDocument) : ofSameGuid(story, kept);
		if (same === undefined) {
			addStory(db, feedId, story);
			added++;
		} else if (same.changed && !(merging && edited >= mostEdits)) {
			updateStory(db, feedId, same.kept, story);
			edited++;
		}
	}
	return added;
}

/** The stored stories of a fetch, and the same number of the feed's newest stories. */
function keptStories(db: Queries, { now }: Keeping, feedId: number, { stories }: ParsedFeed): KeptStory[] {
	return db.all<KeptStory>(
		`SELECT id, guid, title, link, content, published_at publishedAt FROM reader_stories
		WHERE feed_id = ?1 AND (guid IN (SELECT value FROM json_each(?2)) OR id IN
		(SELECT id FROM reader_stories WHERE feed_id = ?1 AND published_at >= ?3 ORDER BY published_at DESC LIMIT ?4))
		ORDER BY id`,
		feedId,
		inList(stories.map(({ guid }) => guid)),
		now - unreadMs,
		stories.length,
	);
}

/** A story without a date gets the date of its first fetch; on real hosts also a story with an impossible date. */
function asKept(story: ParsedStory, { now, differs }: Keeping): DatedStory {
	const changedAt = differs('change-dates') ? story.changedAt : null;
	const given = changedAt ?? story.publishedAt ?? now;
	const isPossible = given >= firstDate && given <= now;
	return {
		...story,
		title: differs('plain-titles') ? withoutTags(story.title) : story.title,
		publishedAt: isPossible || !differs('possible-dates') ? given : now,
		tags: differs('split-tags') ? splitTags(story.tags) : story.tags,
	};
}

function ofSameGuid(story: Comparable, all: readonly KeptStory[]): SameStory<KeptStory> | undefined {
	const kept = all.find(({ guid }) => guid === story.guid);
	if (kept === undefined) return undefined;
	const changed = kept.title !== story.title || kept.content !== story.content || kept.link !== story.link;
	return { kept, changed };
}

/** Updates an edited story. It keeps its date, and its hash unless its guid changed. */
function updateStory(db: Queries, feedId: number, kept: KeptStory, story: DatedStory): void {
	if (kept.guid !== story.guid) {
		db.run(
			'UPDATE reader_stories SET guid = ?, story_hash = ? WHERE id = ?',
			story.guid,
			freeHash(db, feedId, story.guid),
			kept.id,
		);
	}
	db.run(
		`UPDATE reader_stories SET title = ?, link = ?, authors = ?, content = ?, tags = ?, image_urls = ?,
		has_modifications = 1, original_html = NULL, original_text = NULL WHERE id = ?`,
		story.title,
		story.link,
		story.authors,
		story.content,
		JSON.stringify(story.tags),
		JSON.stringify(story.imageUrls),
		kept.id,
	);
}

export function addStory(db: Queries, feedId: number, story: DatedStory): number {
	return db.run(
		`INSERT INTO reader_stories (feed_id, story_hash, guid, title, link, authors, published_at, content, tags, image_urls)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		feedId,
		freeHash(db, feedId, story.guid),
		story.guid,
		story.title,
		story.link,
		story.authors,
		story.publishedAt,
		story.content,
		JSON.stringify(story.tags),
		JSON.stringify(story.imageUrls),
	).lastId;
}

/** A unique hash: six hex digits can collide in a feed with thousands of stories, so the second story gets another hash. */
function freeHash(db: Queries, feedId: number, guid: string): string {
	for (let attempt = 0; ; attempt++) {
		const hash = storyHash(feedId, attempt === 0 ? guid : `${guid}#${attempt}`);
		if (!db.get('SELECT 1 FROM reader_stories WHERE story_hash = ?', hash)) return hash;
	}
}
