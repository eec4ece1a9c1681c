import type { FeedFormat } from '../feed-types.ts';

/**
 * A fictional publication: headlines from which its stories are generated.
 * `{name}` is replaced by a word of the list with that name; within one story, always by the same word.
 */
export interface Publication {
	slug: string;
	title: string;
	tagline: string;
	/** Folder path in a new account, outermost first. */
	folder: string[];
	format: FeedFormat;
	/** Encoding of the feed document. Default: UTF-8. */
	encoding?: 'windows-1252';
	/** The part of a story that the feed contains; the page always has the full story. */
	carries: 'everything' | 'excerpt';
	/** Mean time between two stories. */
	everyHours: number;
	/** Number of stories in the feed. */
	count: number;
	/** 'rrggbb', for its icon and pictures. */
	color: string;
	authors: string[];
	words: Record<string, string[]>;
	/** Each contains at least one `{name}`, so that headlines differ. */
	headlines: Headline[];
}

interface Headline {
	text: string;
	/** May also contain `{name}`. */
	tags: string[];
}
