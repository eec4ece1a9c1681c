/**
 * The feed engine: fetching, parsing, cleaning and finding feeds, their pages and icons, and OPML both ways.
 * Pure functions over addresses and bytes; what is kept, and for whom, is the reader service's business.
 */
import type {
	Favicon,
	FeedLink,
	FetchedFeed,
	FetchedPage,
	NetworkPolicy,
	OpmlNode,
	OpmlOutline,
	ParsedFeed,
	ReadableText,
	ShareFeed,
	Validators,
} from './types.ts';

export type * from './types.ts';
export { FeedFailure, OpmlFailure } from './failures.ts';

export declare function parseFeed(
	bytes: Uint8Array,
	contentType: string | undefined,
	url: string,
): ParsedFeed;
export declare function fetchFeed(
	url: string,
	policy: NetworkPolicy,
	validators?: Validators,
): Promise<FetchedFeed>;
export declare function discoverFeeds(url: string, policy: NetworkPolicy): Promise<FeedLink[]>;
export declare function fetchFavicon(siteUrl: string, policy: NetworkPolicy): Promise<Favicon | null>;
export declare function fetchPage(url: string, policy: NetworkPolicy): Promise<FetchedPage>;
export declare function extractReadable(html: string, url: string): ReadableText | null;
export declare function sanitizeStory(html: string, baseUrl: string): string;
export declare function storyHash(feedId: number, guid: string): string;
/** Uploaded OPML comes as bytes: decodeText(bytes) finds the encoding (BOM, XML prolog, else UTF-8). */
export declare function decodeText(bytes: Uint8Array, contentType?: string): string;
/** Throws OpmlFailure when the text is no OPML document. */
export declare function parseOpml(xml: string): OpmlOutline;
export declare function renderOpml(title: string, ownerName: string, nodes: OpmlNode[]): string;
/** An Atom document. */
export declare function renderShareFeed(feed: ShareFeed): string;
