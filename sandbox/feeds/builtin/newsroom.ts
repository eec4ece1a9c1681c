import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../shared/options.ts';
import { sha1, htmlToPlain } from '../text.ts';
import { regularStories } from './compose.ts';
import type { BuiltinStory, Publication } from './publication.ts';
import { sharedReports } from './shared-reports.ts';

const DAY = 24 * 3_600_000;

/** A story that a control request publishes. */
export interface PublishedStory {
	/** Slug of the feed. */
	feed: string;
	guid: string;
	title: string;
	/** HTML. */
	content: string;
	tags: string[];
	author: string;
	/** Epoch ms. */
	publishedAt: number;
}

function toBuiltin(story: PublishedStory): BuiltinStory {
	const text = htmlToPlain(story.content);
	return {
		path: publishedPath(story.guid),
		guid: story.guid,
		title: story.title,
		authors: story.author ? [story.author] : [],
		publishedAt: story.publishedAt,
		tags: story.tags,
		content: story.content,
		excerpt: text.length > 200 ? `${text.slice(0, 200)}…` : text,
		picture: null,
	};
}

export function publishedPath(guid: string): string {
	return `p-${sha1(guid).slice(0, 12)}`;
}

/** The current stories of the built-in feeds, and the state that control requests change. */
export class Newsroom {
	readonly #db: DatabaseSync;
	readonly #clock: Clock;
	readonly #hasSharedReports: boolean;
	readonly #startedAt: number;
	readonly #broken = new Set<string>();

	constructor(db: DatabaseSync, clock: Clock, hasSharedReports: boolean) {
		db.exec(
			'CREATE TABLE IF NOT EXISTS feeds_published (feed TEXT, guid TEXT, story TEXT NOT NULL, PRIMARY KEY (feed, guid)) STRICT',
		);
		this.#db = db;
		this.#clock = clock;
		this.#hasSharedReports = hasSharedReports;
		this.#startedAt = clock.now();
	}

	/** Publishes a story; a known guid replaces its story. */
	publish(story: PublishedStory): void {
		this.#db
			.prepare(
				'INSERT INTO feeds_published VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET story = excluded.story',
			)
			.run(story.feed, story.guid, JSON.stringify(story));
	}

	setBroken(slug: string, broken: boolean): void {
		if (broken) this.#broken.add(slug);
		else this.#broken.delete(slug);
	}

	isBroken(slug: string): boolean {
		return this.#broken.has(slug);
	}

	/** The stories of a feed, newest first. */
	stories(publication: Publication): BuiltinStory[] {
		const edition = this.#edition();
		return [
			...regularStories(publication, edition),
			...(this.#hasSharedReports ? sharedReports(publication, edition) : []),
			...this.#publishedIn(publication.slug),
		].sort((a, b) => b.publishedAt - a.publishedAt);
	}

	/** Regular stories appear once a day after the start, so that lists do not change during tests. */
	#edition(): number {
		return this.#startedAt + Math.floor((this.#clock.now() - this.#startedAt) / DAY) * DAY;
	}

	#publishedIn(slug: string): BuiltinStory[] {
		return this.#db
			.prepare('SELECT story FROM feeds_published WHERE feed = ? ORDER BY rowid')
			.all(slug)
			.map(({ story }) => toBuiltin(JSON.parse(String(story)) as PublishedStory));
	}
}
