/**
 * Computes a story's score from likes and dislikes. A title, text or URL classifier matches if the story's title, text or
 * URL contains its value; an author or tag classifier if it is one of the story's authors or tags; a feed classifier
 * matches every story of the feed. Case does not matter. A matching like makes the story green, otherwise a matching
 * dislike makes it red; the feed's classifier counts only if no other matches.
 */

export type ClassifierKind = 'feed' | 'author' | 'title' | 'tag';
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
