/** The results of the feed engine as plain data. Times are epoch milliseconds. */

export interface ParsedStory {
	/**
	 * The publisher's identifier of the story (guid, id, about, link) ), otherwise a hash of title and date.
	 */
	guid: string;
	/** Plain text; '' if the document has none. */
	title: string;
	/** Absolute URL; '' if the document has none. */
	link: string;
	/** Author names, joined with ', '; '' if unknown. */
	authors: string;
	/** null if the document has no valid date. */
	publishedAt: number | null;
	/** Sanitized HTML with absolute URLs, including attachments as players, pictures and links. */
	content: string;
	tags: string[];
	/** Absolute URLs of attached images, then of images in the content, without duplicates. */
	imageUrls: string[];
}

export type FeedFormat = 'rss2' | 'rss1' | 'atom' | 'json';

export interface ParsedFeed {
	title: string;
	/** Absolute URL of the site; '' if the feed has none. */
	link: string;
	description: string;
	format: FeedFormat;
	/** In document order; of stories with the same guid, only the first. */
	stories: ParsedStory[];
}

/** Which URLs the engine may fetch. Checked at every redirect, after DNS resolution. */
export interface NetworkPolicy {
	/** Whether to allow addresses of this machine and of private networks. */
	allowPrivate: boolean;
	/** Origins ('http://127.0.0.1:8787') that are allowed even if their address is private. */
	ownOrigins: string[];
	/** Timeout of the request including redirects. Default 20,000 ms. */
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
	/** Final URL after redirects. */
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
	/** Final URL after redirects. */
	url: string;
}

export interface ReadableText {
	/** Sanitized HTML with absolute URLs. */
	html: string;
	text: string;
	imageUrls: string[];
}

interface OpmlFeed {
	kind: 'feed';
	title: string;
	xmlUrl: string;
	htmlUrl: string;
}

interface OpmlFolder {
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
	/** Permanent identifier of the feed, usually its URL. */
	id: string;
	title: string;
	/** URL of the Atom document. */
	selfUrl: string;
	/** URL of the HTML page of the share feed. */
	siteUrl: string;
	authorName: string;
	updatedAt: number;
	entries: ShareFeedEntry[];
}

export interface ShareFeedEntry {
	id: string;
	title: string;
	link: string;
	/** Author of the story; '' if unknown. */
	authorName: string;
	sharedAt: number;
	/** HTML: the sharer's comment and the story. */
	content: string;
	tags: string[];
}

export type FeedFailureKind =
	'network' | 'status' | 'not-a-feed' | 'private-address' | 'too-large' | 'timeout';
