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

/** A story of a built-in feed. Its URLs are relative to the feed's home page. */
export interface BuiltinStory {
	/** Last segment of the URL of its page. */
	path: string;
	/** Independent of the sandbox's origin, so that story hashes are the same on every port. */
	guid: string;
	title: string;
	authors: string[];
	publishedAt: number;
	tags: string[];
	/** HTML. */
	content: string;
	/** Plain text: the first sentences. */
	excerpt: string;
	/** 'pictures/….png'; null for a story without picture. */
	picture: string | null;
}
