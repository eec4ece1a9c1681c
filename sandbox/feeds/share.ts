import { generateAtomFeed } from 'feedsmith';
import type { ShareFeed, ShareFeedEntry } from './feed-types.ts';

function writeEntry(entry: ShareFeedEntry) {
	return {
		id: entry.id,
		title: { value: entry.title, type: 'text' },
		links: [{ href: entry.link, rel: 'alternate', type: 'text/html' }],
		updated: new Date(entry.sharedAt),
		published: new Date(entry.sharedAt),
		authors: entry.authorName ? [{ name: entry.authorName }] : [],
		categories: entry.tags.map((term) => ({ term })),
		content: { value: entry.content, type: 'html' },
	};
}

/** Writes a share feed as Atom, with the entries in order. */
export function renderShareFeed(feed: ShareFeed): string {
	return generateAtomFeed({
		id: feed.id,
		title: { value: feed.title, type: 'text' },
		links: [
			{ href: feed.selfUrl, rel: 'self', type: 'application/atom+xml' },
			{ href: feed.siteUrl, rel: 'alternate', type: 'text/html' },
		],
		authors: [{ name: feed.authorName }],
		updated: new Date(feed.updatedAt),
		entries: feed.entries.map(writeEntry),
	});
}
