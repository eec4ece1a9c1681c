/**
 * Computes a story's score from likes and dislikes. A title, text or URL classifier matches if the story's title, text or
 * URL contains its value; an author or tag classifier if it is one of the story's authors or tags; a feed classifier
 * matches every story of the feed. Case does not matter. A matching like makes the story green, otherwise a matching
 * dislike makes it red; the feed's classifier counts only if no other matches.
 */
import type { Reader } from './reader.ts';
import type { UserRow } from './storage/queries.ts';
import { folderTree } from './folders/matching.ts';
import { flatFolders } from './folders/tree.ts';

type ClassifierKind = 'feed' | 'author' | 'title' | 'tag';
/** The reader of 2026 has more. */
type ScoringKind = ClassifierKind | 'text' | 'url';
/** −2: super disliked, in the reader of 2026. */
export type Score = -2 | -1 | 0 | 1;

/** Keys of the classifiers record, and of a story's `intelligence`. */
export const classifierKinds = [
	{ kind: 'feed', plural: 'feeds', intelligence: 'feed' },
	{ kind: 'author', plural: 'authors', intelligence: 'author' },
	{ kind: 'title', plural: 'titles', intelligence: 'title' },
	{ kind: 'tag', plural: 'tags', intelligence: 'tags' },
] as const;

const scoringKinds = [
	...classifierKinds,
	{ kind: 'text', intelligence: 'text' },
	{ kind: 'url', intelligence: 'url' },
] as const;

export interface Classifier {
	kind: ScoringKind;
	value: string;
	score: number;
}

interface ScoredStory {
	title: string;
	/** Several are separated by commas. */
	authors: string;
	tags: readonly string[];
	content: string;
	link: string;
}

type Intelligence = Record<'feed' | 'author' | 'title' | 'tags', Score> &
	Partial<Record<'text' | 'url', Score>>;

const neutral: Intelligence = { feed: 0, author: 0, tags: 0, title: 0 };
/** Additional kinds in 2026. */
export const newerNeutral = { title_regex: 0, text: 0, text_regex: 0, url: 0, url_regex: 0 };

function matches({ kind, value }: Classifier, story: ScoredStory): boolean {
	const wanted = value.toLowerCase();
	switch (kind) {
		case 'feed':
			return true;
		case 'title':
			return story.title.toLowerCase().includes(wanted);
		case 'text':
			return story.content.toLowerCase().includes(wanted);
		case 'url':
			return story.link.toLowerCase().includes(wanted);
		case 'tag':
			return story.tags.some((tag) => tag.toLowerCase() === wanted);
		case 'author': {
			const authors = story.authors.toLowerCase();
			return authors === wanted || authors.split(',').some((author) => author.trim() === wanted);
		}
	}
}

/** The scores of a story by the classifiers of its feed, for each kind. */
export function intelligenceOf(story: ScoredStory, classifiers: readonly Classifier[]): Intelligence {
	const result = { ...neutral };
	for (const { kind, intelligence } of scoringKinds) {
		const scores = classifiers
			.filter((classifier) => classifier.kind === kind && matches(classifier, story))
			.map(({ score }) => score);
		if (scores.some((score) => score < -1)) result[intelligence] = -2;
		else if (scores.some((score) => score > 0)) result[intelligence] = 1;
		else if (scores.some((score) => score < 0)) result[intelligence] = -1;
	}
	return result;
}

/** Red −1 or −2, neutral 0, green 1. A super dislike beats everything. */
export function scoreOf({ title, author, tags, feed, text = 0, url = 0 }: Intelligence): Score {
	const specific = [title, author, tags, text, url];
	if ([...specific, feed].includes(-2)) return -2;
	if (specific.includes(1)) return 1;
	if (specific.includes(-1)) return -1;
	return feed;
}

/** An account's classifiers by feed id, or `social:12` for a share feed; of all feeds or only of subscriptions. */
export function classifiersByFeed(
	reader: Reader,
	user: UserRow,
	subscribedOnly = false,
): Map<string, Classifier[]> {
	const byFeed = new Map<string, Classifier[]>();
	const subscribed = `feed_key IN (SELECT CAST(feed_id AS TEXT) FROM reader_subscriptions WHERE user_id = ?1)`;
	const rows = reader.db.all<Classifier & { feed_key: string }>(
		`SELECT feed_key, kind, value, score FROM reader_classifiers
		WHERE user_id = ?1 ${subscribedOnly ? `AND ${subscribed}` : ''} ORDER BY feed_key, kind, value`,
		user.id,
	);
	for (const { feed_key, kind, value, score } of rows) {
		const list = byFeed.get(feed_key) ?? [];
		list.push({ kind, value, score });
		byFeed.set(feed_key, list);
	}
	return byFeed;
}

/** The record of a feed's classifiers: 1 for a like, −1 for a dislike, by kind and value. */
export function classifierRecord(
	classifiers: readonly Classifier[] = [],
): Record<string, Record<string, number>> {
	return Object.fromEntries(
		classifierKinds.map(({ kind, plural }) => [
			plural,
			Object.fromEntries(
				classifiers
					.filter((classifier) => classifier.kind === kind)
					.map(({ value, score }) => [value, score]),
			),
		]),
	);
}

/** Sets an opinion; 0 removes it. */
export function setClassifier(
	reader: Reader,
	user: UserRow,
	feedKey: string,
	kind: ClassifierKind,
	value: string,
	score: number,
): void {
	if (score === 0) {
		reader.db.run(
			'DELETE FROM reader_classifiers WHERE user_id = ? AND feed_key = ? AND kind = ? AND value = ?',
			user.id,
			feedKey,
			kind,
			value,
		);
		return;
	}
	reader.db.run(
		`INSERT INTO reader_classifiers (user_id, feed_key, kind, value, score) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET score = excluded.score`,
		user.id,
		feedKey,
		kind,
		value,
		score,
	);
}

/** The classifiers that score stories. */
export interface FeedScoring {
	/** All classifiers that apply to a feed or `social:12`: its own, those of its folders, and global ones. */
	of(feed: number | string): Classifier[];
	/** Whether some classifiers match the text of stories. */
	readsTexts: boolean;
}

interface ScopedRow extends Classifier {
	feed_key: string;
	scope: string;
	folder_name: string;
}

/**
 * Loads the classifiers that score an account's stories. Text classifiers require the archive plan, URL classifiers the
 * premium plan; regular expressions require the pro plan, which no account of the sandbox has. `olderOnly`: only
 * classifiers that older servers support.
 */
export function scoringOf(
	reader: Reader,
	user: UserRow,
	{ subscribedOnly = false, olderOnly = false } = {},
): FeedScoring {
	const byFeed = classifiersByFeed(reader, user, subscribedOnly);
	const rows = olderOnly || !reader.is2026 ? [] : newerRows(reader, user);
	const folders = rows.length === 0 ? {} : flatFolders(folderTree(reader, user));
	const concerns = ({ scope, feed_key, folder_name }: ScopedRow, feed: number | string): boolean => {
		if (scope === 'feed') return feed_key === String(feed);
		return scope === 'global' || (folders[folder_name || ' '] ?? []).includes(Number(feed));
	};
	return {
		of: (feed) => [...(byFeed.get(String(feed)) ?? []), ...rows.filter((row) => concerns(row, feed))],
		readsTexts: rows.some(({ kind }) => kind === 'text'),
	};
}

function newerRows(reader: Reader, user: UserRow): ScopedRow[] {
	const kinds = reader.db.all<ScopedRow>(
		`SELECT feed_key, scope, folder_name, kind, value, score FROM reader_newer_classifiers
		WHERE user_id = ? AND kind NOT LIKE '%_regex'`,
		user.id,
	);
	const archive = reader.keepsEverything(user);
	return kinds.filter(
		({ kind, scope }) =>
			(archive || (kind !== 'text' && scope === 'feed')) && (kind !== 'url' || reader.isPremium(user)),
	);
}
