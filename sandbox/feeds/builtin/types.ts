/** A story published into a built-in feed by a control call. */
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

/** Keeps published stories over restarts. Without one they live as long as the process. */
export interface PublishedStoryStore {
	load(): PublishedStory[];
	save(story: PublishedStory): void;
}

export interface BuiltinFeedsOptions {
	/** Now, in epoch ms. */
	clock: () => number;
	/** Origin written into the documents ('http://127.0.0.1:8787'). Default: that of the request. */
	origin?: string;
	store?: PublishedStoryStore;
}

export interface BuiltinFeed {
	slug: string;
	title: string;
	/** Folder path from the top level, outermost first; [] is the top level. */
	folder: string[];
	/** Address of the feed document. */
	url: string;
}
