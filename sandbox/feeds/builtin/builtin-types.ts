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

/** Keeps published stories over restarts. Without one they live as long as the process. */
export interface PublishedStoryStore {
	load(): PublishedStory[];
	save(story: PublishedStory): void;
}

export interface BuiltinFeedsOptions {
	clock: Clock;
	/** Origin written into the documents ('http://127.0.0.1:8787'). Default: that of the request. */
	origin?: string;
	store?: PublishedStoryStore;
	/** Whether some publications report the same events under the same headline. Default: false. */
	sharedReports?: boolean;
}

export interface BuiltinFeed {
	slug: string;
	title: string;
	/** Folder path from the top level, outermost first; [] is the top level. */
	folder: string[];
	/** Address of the feed document. */
	url: string;
}

/** A story of a built-in feed. Addresses in it are relative to the feed's home page. */
export interface BuiltinStory {
	/** Last part of the address of its page. */
	path: string;
	/** Independent of the sandbox's address, so that story hashes stay the same on every port. */
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
