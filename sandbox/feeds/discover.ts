import { decodeText } from './decode.ts';
import { FeedFailure } from './failures.ts';
import { fetchFeed } from './fetch.ts';
import { downloadFound, type Download } from './http.ts';
import { linksOf, parsePage } from './parse-page.ts';
import { parseFeed } from './parse.ts';
import type { FeedLink, NetworkPolicy } from './feed-types.ts';
import { displayUrl } from './feed-urls.ts';

const FEED_TYPE =
	/^(?:application\/(?:rss|atom|rdf)\+xml|application\/feed\+json|(?:text|application)\/(?:xml|json))/;
const FEED_ADDRESS =
	/(?:\/(?:feeds?|rss|atom)(?:[/.?]|$))|(?:\.(?:rss|rdf|atom|xml)(?:\?|$))|(?:feed\.json(?:\?|$))/i;
/** Paths of feeds in common publishing systems. */
const USUAL_PATHS = [
	'/feed',
	'/rss',
	'/feed.xml',
	'/rss.xml',
	'/atom.xml',
	'/index.xml',
	'/feed.json',
	'/feed/',
	'/index.rdf',
];
const MAX_CANDIDATES = 10;

/** The URLs to try for user input: both schemes if it has none; `feed:` is an old name of `http:`. */
function spellings(address: string): string[] {
	const text = address
		.trim()
		.replace(/^feed:(?:\/\/)?(?=https?:)/i, '')
		.replace(/^feed:\/\//i, 'http://');
	return /^https?:\/\//i.test(text) ? [text] : [`https://${text}`, `http://${text}`];
}

async function open(address: string, policy: NetworkPolicy): Promise<Download> {
	const [first = address, second] = spellings(address);
	try {
		return await downloadFound(first, policy);
	} catch (error) {
		if (!second || !(error instanceof FeedFailure) || error.statusCode !== null) throw error;
		return downloadFound(second, policy);
	}
}

/** The result of `attempt`, or null after a `FeedFailure`. Throws other errors. */
async function unlessFailed<T>(attempt: () => T | Promise<T>): Promise<T | null> {
	try {
		return await attempt();
	} catch (error) {
		if (error instanceof FeedFailure) return null;
		throw error;
	}
}

async function probe(candidates: FeedLink[], policy: NetworkPolicy): Promise<FeedLink[]> {
	const unique = [...new Map(candidates.map((candidate) => [candidate.url, candidate])).values()];
	const fetched = await Promise.all(
		unique.slice(0, MAX_CANDIDATES).map(async ({ url, title }) => {
			const result = await unlessFailed(() => fetchFeed(url, policy));
			return result?.feed
				? [{ url: result.url, title: result.feed.title || title || displayUrl(result.url) }]
				: [];
		}),
	);
	return [...new Map(fetched.flat().map((feed) => [feed.url, feed])).values()];
}

/**
 * Finds the feeds of a URL: the URL itself, otherwise feeds in `<link rel="alternate">` of the page, otherwise among its
 * anchors, otherwise at common paths of the site. All returned feeds were fetched and parsed.
 * @param url of a feed or web site; the scheme may be missing
 * @returns an empty list if no feed is found
 * @throws FeedFailure if the URL itself cannot be fetched
 */
export async function discoverFeeds(url: string, policy: NetworkPolicy): Promise<FeedLink[]> {
	const page = await open(url, policy);
	const type = page.headers.get('content-type') ?? undefined;
	const feed = await unlessFailed(() => parseFeed(page.bytes, type, page.url));
	if (feed) return [{ url: page.url, title: feed.title || displayUrl(page.url) }];

	const document = parsePage(decodeText(page.bytes, type));
	const announced = linksOf(document, 'link', page.url).filter(
		(link) => link.rel.includes('alternate') && FEED_TYPE.test(link.type),
	);
	const anchors = linksOf(document, 'a', page.url).filter((link) => FEED_ADDRESS.test(link.url));
	const usual = USUAL_PATHS.map((path) => ({ url: new URL(path, page.url).href, title: '' }));
	for (const candidates of [announced, anchors, usual]) {
		const found = await probe(candidates, policy);
		if (found.length > 0) return found;
	}
	return [];
}
