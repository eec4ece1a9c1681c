import { storyHash, type FetchedFeed, type ParsedFeed, type ParsedStory } from '../../feeds/index.ts';
import type { Queries } from '../storage/queries.ts';
import type { FeedRow, StoryRow } from '../storage/rows.ts';

/** Feeds and their stories as they are kept, for all accounts together. */

export function feedById(db: Queries, id: number): FeedRow | undefined {
	return db.get<FeedRow>('SELECT * FROM reader_feeds WHERE id = ?', id);
}

/** A feed by its own address or that of its site. */
export function feedByAddress(db: Queries, address: string): FeedRow | undefined {
	return db.get<FeedRow>(
		'SELECT * FROM reader_feeds WHERE address = ?1 OR link = ?1 ORDER BY address = ?1 DESC, id LIMIT 1',
		address,
	);
}

/** The feed of exactly this address; made, and not yet fetched, when it is new. */
export function ensureFeed(db: Queries, now: number, address: string, title: string): number {
	const known = db.get<{ id: number }>('SELECT id FROM reader_feeds WHERE address = ?', address);
	if (known) return known.id;
	return db.run(
		'INSERT INTO reader_feeds (address, title, created_at) VALUES (?, ?, ?)',
		address,
		title || address,
		now,
	).lastId;
}

/** Keeps what a successful fetch brought. Says how many stories are new. */
export function keepFetched(db: Queries, now: number, feedId: number, fetched: FetchedFeed): number {
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
		return keepStories(db, now, feedId, feed);
	});
}

function keepStories(db: Queries, now: number, feedId: number, feed: ParsedFeed): number {
	let added = 0;
	for (const story of feed.stories) {
		const known = db.get<StoryRow>(
			'SELECT * FROM reader_stories WHERE feed_id = ? AND guid = ?',
			feedId,
			story.guid,
		);
		if (known === undefined) {
			addStory(db, feedId, { ...story, publishedAt: story.publishedAt ?? now });
			added++;
		} else if (known.title !== story.title || known.content !== story.content || known.link !== story.link) {
			updateStory(db, known.id, story);
		}
	}
	return added;
}

/** A story keeps its hash and its date when its publisher edits it. */
function updateStory(db: Queries, id: number, story: ParsedStory): void {
	db.run(
		`UPDATE reader_stories SET title = ?, link = ?, authors = ?, content = ?, tags = ?, image_urls = ?,
		has_modifications = 1, original_html = NULL, original_text = NULL WHERE id = ?`,
		story.title,
		story.link,
		story.authors,
		story.content,
		JSON.stringify(story.tags),
		JSON.stringify(story.imageUrls),
		id,
	);
}

export function addStory(db: Queries, feedId: number, story: ParsedStory & { publishedAt: number }): number {
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

/** Six hex digits are few for a feed of many thousand stories: the second of two equal ones gets another. */
function freeHash(db: Queries, feedId: number, guid: string): string {
	for (let attempt = 0; ; attempt++) {
		const hash = storyHash(feedId, attempt === 0 ? guid : `${guid}#${attempt}`);
		if (!db.get('SELECT 1 FROM reader_stories WHERE story_hash = ?', hash)) return hash;
	}
}

export type FetchKind = 'feed' | 'page';

export function recordFetch(
	db: Queries,
	now: number,
	feedId: number,
	kind: FetchKind,
	statusCode: number,
	message: string,
): void {
	db.run(
		'INSERT INTO reader_fetches (feed_id, kind, at, status_code, message) VALUES (?, ?, ?, ?, ?)',
		feedId,
		kind,
		now,
		statusCode,
		message,
	);
}
