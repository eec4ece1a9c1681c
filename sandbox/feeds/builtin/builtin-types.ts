import type { Clock } from '../../shared/clock.ts';

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

/** Stores published stories over restarts. Without a store, they are lost when the process ends. */
export interface PublishedStoryStore {
	load(): PublishedStory[];
	save(story: PublishedStory): void;
}

export interface BuiltinFeedsOptions {
	clock: Clock;
	/** Origin of URLs in the documents ('http://127.0.0.1:8787'). Default: the origin of the request. */
	origin?: string;
	store?: PublishedStoryStore;
	/** Whether some publications report the same events with the same headline. Default: false. */
	sharedReports?: boolean;
}

export interface BuiltinFeed {
	slug: string;
	title: string;
	/** Folder path from the top level, outermost first; [] is the top level. */
	folder: string[];
	/** URL of the feed document. */
	url: string;
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
