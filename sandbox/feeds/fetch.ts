import { decodeText } from './decode.ts';
import { FeedFailure } from './failures.ts';
import { download, downloadFound, statusFailure } from './http.ts';
import { parseFeed } from './parse.ts';
import type { FetchedFeed, FetchedPage, NetworkPolicy, ParsedFeed, Validators } from './feed-types.ts';

const FEED_TYPES =
	'application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5';
const PAGE_TYPES = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.5';

function conditions({ etag, lastModified }: Validators): Record<string, string> {
	return {
		...(etag && { 'if-none-match': etag }),
		...(lastModified && { 'if-modified-since': lastModified }),
	};
}

/** Parses a response; adds its status to the failure if it is no feed. */
function parseResponse(bytes: Uint8Array, type: string | null, url: string, statusCode: number): ParsedFeed {
	try {
		return parseFeed(bytes, type ?? undefined, url);
	} catch (error) {
		if (!(error instanceof FeedFailure)) throw error;
		throw new FeedFailure(error.kind, error.message, statusCode, error);
	}
}

/**
 * Fetches and parses a feed; with the validators of an earlier response, only if it has changed.
 * @throws FeedFailure of any kind; `statusCode` is set for 'status' and 'not-a-feed'
 */
export async function fetchFeed(
	url: string,
	policy: NetworkPolicy,
	validators: Validators = {},
): Promise<FetchedFeed> {
	const response = await download(url, policy, { accept: FEED_TYPES, ...conditions(validators) });
	const { statusCode, headers, bytes } = response;
	const notModified = statusCode === 304;
	if (!notModified && (statusCode < 200 || statusCode > 299)) throw statusFailure(response);
	return {
		notModified,
		statusCode,
		url: response.url,
		etag: headers.get('etag'),
		lastModified: headers.get('last-modified'),
		sizeBytes: bytes.length,
		feed: notModified ? null : parseResponse(bytes, headers.get('content-type'), response.url, statusCode),
	};
}

/** Fetches and decodes a web page. @throws FeedFailure of any kind except 'not-a-feed' */
export async function fetchPage(url: string, policy: NetworkPolicy): Promise<FetchedPage> {
	const response = await downloadFound(url, policy, { accept: PAGE_TYPES });
	return {
		html: decodeText(response.bytes, response.headers.get('content-type') ?? undefined),
		url: response.url,
	};
}
