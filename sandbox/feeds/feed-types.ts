/** The results of the feed engine: plain data, no database, no HTTP objects. Times are epoch milliseconds. */

export interface ParsedStory {
	/**
	 * The publisher's identity of the story (guid, id, about, link), else a hash of title and date; its link or date if
	 * all stories of a document have the same. Never empty.
	 */
	guid: string;
	/** Plain text; '' if the document has none. */
	title: string;
	/** Absolute address; '' if the document has none. */
	link: string;
	/** Author names, several joined with ', '. '' when unknown. */
	authors: string;
	/** null if the document has no date, or an unreadable one. */
	publishedAt: number | null;
	/** When it was changed last, if the document says so. */
	changedAt: number | null;
	/** Sanitised HTML with absolute addresses, and the story's attachments as players, pictures and links. */
	content: string;
	tags: string[];
	/** Absolute addresses of the images attached to the story, then those in its content; without repeats. */
	imageUrls: string[];
}

export type FeedFormat = 'rss2' | 'rss1' | 'atom' | 'json';

export interface ParsedFeed {
	title: string;
	/** Absolute address of the site; '' when the feed names none. */
	link: string;
	description: string;
	iconUrl: string | null;
	format: FeedFormat;
	/** In document order; stories with the same guid collapse to the first. */
	stories: ParsedStory[];
}

/** The addresses that the engine may fetch. Checked on every redirect, after names are resolved. */
export interface NetworkPolicy {
	/** true: addresses of this machine and of private networks may be fetched too. */
	allowPrivate: boolean;
	/** Origins ('http://127.0.0.1:8787') that may be fetched although their address is private. */
	ownOrigins: string[];
	/** For the whole request with its redirects. Default 20,000 ms. */
	timeoutMs?: number;
	/** Size limit of the decoded body. Default 10 MiB. */
	maxBytes?: number;
}

/** Validators of an earlier response, sent as If-None-Match and If-Modified-Since. */
export interface Validators {
	etag?: string | null;
	lastModified?: string | null;
}

export interface FetchedFeed {
	/** true: the status was 304; `feed` is null and `sizeBytes` 0. */
	notModified: boolean;
	statusCode: number;
	/** Final address after redirects. */
	url: string;
	etag: string | null;
	lastModified: string | null;
	sizeBytes: number;
	feed: ParsedFeed | null;
}

export interface FeedLink {
	url: string;
	title: string;
}

export interface Favicon {
	/** PNG, square, 16 to 64 pixels. */
	png: Buffer;
	/** Dominant color as 'rrggbb'. */
	color: string;
}

export interface FetchedPage {
	html: string;
	/** Final address after redirects. */
	url: string;
}

export interface ReadableText {
	/** Sanitised HTML with absolute addresses. */
	html: string;
	text: string;
	imageUrls: string[];
}

export interface OpmlFeed {
	kind: 'feed';
	title: string;
	xmlUrl: string;
	htmlUrl: string;
}

export interface OpmlFolder {
	kind: 'folder';
	title: string;
	children: OpmlNode[];
}

export type OpmlNode = OpmlFeed | OpmlFolder;

export interface OpmlOutline {
	title: string;
	nodes: OpmlNode[];
}

export interface ShareFeed {
	/** Permanent identity of the feed, usually its own address. */
	id: string;
	title: string;
	/** Address of the Atom document itself. */
	selfUrl: string;
	/** Address of the HTML page of the share feed. */
	siteUrl: string;
	authorName: string;
	updatedAt: number;
	entries: ShareFeedEntry[];
}

export interface ShareFeedEntry {
	id: string;
	title: string;
	link: string;
	/** Author of the story; '' when unknown. */
	authorName: string;
	sharedAt: number;
	/** HTML: the sharer's comment and the story. */
	content: string;
	tags: string[];
}

export type FeedFailureKind =
	'network' | 'status' | 'not-a-feed' | 'private-address' | 'too-large' | 'timeout';
