/**
 * The feed engine: fetches, parses, sanitizes and discovers feeds, pages and icons, and reads and writes OPML.
 * It stores nothing; the reader service does.
 *
 * A subscription: `discoverFeeds(address)`, then `fetchFeed(url)`. A refresh: `fetchFeed(url, policy, { etag, lastModified })`.
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
