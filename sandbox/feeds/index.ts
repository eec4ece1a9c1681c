/**
 * The feed engine: fetching, parsing, cleaning and finding feeds, their pages and icons, and OPML both ways.
 * Its functions take addresses and bytes; the reader service decides what to store.
 *
 * A first subscription: `discoverFeeds(address)` then `fetchFeed(url)`; a refresh: `fetchFeed(url, policy, { etag, lastModified })`.
 * The story's original text: `fetchPage(story.link)` then `extractReadable(html, url)`.
 */
export type * from './feed-types.ts';
export { FeedFailure, OpmlFailure } from './failures.ts';
export { parseFeed } from './parse.ts';
export { fetchFeed, fetchPage } from './fetch.ts';
export { discoverFeeds } from './discover.ts';
export { fetchFavicon } from './favicon.ts';
export { extractReadable } from './readable.ts';
export { sanitizeStory } from './sanitize.ts';
export { htmlToPlain } from './text.ts';
export { storyHash } from './hash.ts';
export { decodeText } from './decode.ts';
export { parseOpml, renderOpml } from './opml-document.ts';
export { renderShareFeed } from './share.ts';
