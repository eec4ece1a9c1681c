import sharp from 'sharp';
import { FeedFailure, unlessFailed, download, fetchPage, type NetworkPolicy } from './http.ts';
import { linksOf, parsePage } from './html.ts';
import { parseFeed, type ParsedFeed } from './parse.ts';
import { decodeText } from './text.ts';

export interface FetchedFeed {
	/** 304: the feed has not changed since the response with the ETag. */
	status: number;
	/** Final URL after redirects. */
	url: string;
	etag: string | null;
	sizeBytes: number;
	/** null for status 304. */
	feed: ParsedFeed | null;
}

/** Fetches and parses a feed; with the ETag of an earlier response, only if it has changed. @throws FeedFailure */
export async function fetchFeed(
	address: string,
	policy: NetworkPolicy,
	etag: string | null = null,
): Promise<FetchedFeed> {
	const { status, headers, bytes, url } = await download(address, policy, {
		...(etag && { 'if-none-match': etag }),
	});
	return {
		status,
		url,
		etag: headers.get('etag'),
		sizeBytes: bytes.length,
		feed: status === 304 ? null : parseFeed(bytes, headers.get('content-type') ?? '', url),
	};
}

interface FoundFeed {
	url: string;
	title: string;
}

const FEED_TYPE = /^application\/(?:(?:rss|atom|rdf)\+xml|feed\+json)/;

/**
 * Finds the feed of a URL: the URL itself, otherwise the first feed in `<link rel="alternate">` of the page that can be
 * parsed.
 * @returns undefined if no feed is found
 * @throws FeedFailure if the URL itself cannot be fetched
 */
export async function findFeed(address: string, policy: NetworkPolicy): Promise<FoundFeed | undefined> {
	const page = await download(/^https?:\/\//i.test(address) ? address : `http://${address}`, policy);
	const type = page.headers.get('content-type') ?? '';
	const feed = await unlessFailed(() => parseFeed(page.bytes, type, page.url));
	if (feed) return { url: page.url, title: feed.title || page.url };
	const links = linksOf(parsePage(decodeText(page.bytes, type)), page.url);
	for (const link of links.filter(({ rel, type }) => rel.includes('alternate') && FEED_TYPE.test(type))) {
		const found = await unlessFailed(() => fetchFeed(link.url, policy));
		if (found?.feed) return { url: found.url, title: found.feed.title || link.url };
	}
	return undefined;
}

interface Favicon {
	/** PNG of 64 by 64 pixels. */
	png: Buffer;
	/** Dominant color as 'rrggbb'. */
	color: string;
}

const SIDE = 64;

/** Fetches the icon that a site's page links, otherwise `/favicon.ico`. @returns undefined if `sharp` can't read it */
export async function fetchFavicon(siteUrl: string, policy: NetworkPolicy): Promise<Favicon | undefined> {
	return unlessFailed(async () => {
		const page = await fetchPage(siteUrl, policy);
		const icon = linksOf(parsePage(page.html), page.url).find(({ rel }) => rel.includes('icon'));
		const { bytes } = await download(icon?.url ?? new URL('/favicon.ico', page.url).href, policy);
		try {
			const png = await sharp(bytes).resize(SIDE, SIDE, { fit: 'contain' }).png().toBuffer();
			const { r, g, b } = (await sharp(png).stats()).dominant;
			return { png, color: Buffer.from([r, g, b]).toString('hex') };
		} catch (error) {
			throw new FeedFailure(415, `${siteUrl} has no icon that can be read.`, error);
		}
	});
}
