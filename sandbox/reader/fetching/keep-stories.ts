import type { FetchedFeed } from '../../feeds/fetch.ts';
import { storyHash } from '../../feeds/text.ts';
import type { ParsedFeed, ParsedStory } from '../../feeds/parse.ts';
import { withoutTags } from '../social/comments.ts';
import { inList, type Queries } from '../storage/queries.ts';

/** The stories in the database, which all accounts share. */

/** A story with a date. */
type DatedStory = ParsedStory & { publishedAt: number };
type KeptStory = Pick<ParsedStory, 'guid' | 'title' | 'link' | 'content'> & { id: number };

const firstDate = Date.UTC(2000, 0, 1);
const mostTags = 12;
const longestTag = 250;

/** Stores the stories of a successful fetch. @returns the number of new stories */
export function keepFetched(db: Queries, now: number, feedId: number, fetched: FetchedFeed): number {
	return db.transaction(() => {
		const { feed } = fetched;
		if (feed === null) return 0;
		db.run(
			`UPDATE reader_feeds SET title = ?, link = ?, description = ?, etag = ?, size_bytes = ?
			WHERE id = ?`,
			feed.title || fetched.url,
			feed.link,
			feed.description,
			fetched.etag,
			fetched.sizeBytes,
			feedId,
		);
		return keepStories(db, now, feedId, feed);
	});
}

function keepStories(db: Queries, now: number, feedId: number, feed: ParsedFeed): number {
	const kept = db.all<KeptStory>(
		`SELECT id, guid, title, link, content FROM reader_stories
		WHERE feed_id = ? AND guid IN (SELECT value FROM json_each(?))`,
		feedId,
		inList(feed.stories.map(({ guid }) => guid)),
	);
	let added = 0;
	for (const story of feed.stories.map((parsed) => asKept(parsed, now))) {
		const known = kept.find(({ guid }) => guid === story.guid);
		if (known === undefined) {
			addStory(db, feedId, story);
			added++;
		} else if (isEdited(known, story)) {
			updateStory(db, known.id, story);
		}
	}
	return added;
}

/** A story without a possible date gets the date of its first fetch. */
function asKept(story: ParsedStory, now: number): DatedStory {
	const given = story.publishedAt ?? now;
	return {
		...story,
		title: withoutTags(story.title),
		publishedAt: given >= firstDate && given <= now ? given : now,
		tags: splitTags(story.tags),
	};
}

/** Normalizes tags like real hosts: lower case, split at commas and slashes, limited in number and length. */
function splitTags(tags: readonly string[]): string[] {
	return tags
		.flatMap((tag) => tag.split(/[,/]/))
		.map((tag) => tag.toLowerCase().replace(/\s+/g, ' ').trim())
		.filter((tag) => tag !== '')
		.slice(0, mostTags)
		.map((tag) => tag.slice(0, longestTag));
}

function isEdited(kept: KeptStory, story: DatedStory): boolean {
	return kept.title !== story.title || kept.content !== story.content || kept.link !== story.link;
}

/** Updates an edited story, which keeps its date. */
function updateStory(db: Queries, id: number, story: DatedStory): void {
	db.run(
		`UPDATE reader_stories SET title = ?, link = ?, authors = ?, content = ?, tags = ?, image_urls = ?,
		has_modifications = 1 WHERE id = ?`,
		story.title,
		story.link,
		story.authors,
		story.content,
		JSON.stringify(story.tags),
		JSON.stringify(story.imageUrls),
		id,
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
