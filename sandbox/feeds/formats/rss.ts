import type { RssFeed } from 'feedsmith';
import { plainTitle } from '../text.ts';
import { mediaAttachments, mediaTags, mediaThumbnails } from './media.ts';
import { present, type RawFeed, type RawStory, type Text } from './raw.ts';

export function readRss(feed: RssFeed.Feed<string>): RawFeed {
	return {
		format: 'rss2',
		title: plainTitle(feed.title ?? ''),
		description: plainTitle(feed.description ?? ''),
		link: feed.link,
		base: feed.xml?.base ?? feed.link,
		stories: (feed.items ?? []).map(readItem),
	};
}

function readItem(item: RssFeed.Item<string>): RawStory {
	const alternates = (item.atom?.links ?? []).filter(({ rel }) => !rel || rel === 'alternate');
	const permalink = item.guid?.isPermaLink === false ? undefined : item.guid?.value;
	return {
		identities: [item.guid?.value, item.atom?.id, item.link],
		title: plainTitle(item.title ?? item.dc?.titles?.[0] ?? item.media?.title?.value ?? ''),
		links: [item.link, ...alternates.map(({ href }) => href), permalink],
		authors: authorsOf(item),
		dates: [item.pubDate, item.atom?.published, item.dcterms?.issued?.[0], item.dc?.dates?.[0]],
		content:
			item.content?.encoded ??
			longest([item.description, item.dc?.descriptions?.[0]]) ??
			item.media?.description?.value ??
			item.itunes?.summary ??
			'',
		base: item.xml?.base,
		tags: [
			...(item.categories ?? []).map(({ name }) => name),
			...(item.dc?.subjects ?? []),
			...(item.itunes?.keywords ?? []),
			...mediaTags(item.media),
		],
		attachments: [...(item.enclosures ?? []), ...mediaAttachments(item.media)],
		images: [...mediaThumbnails(item.media), item.itunes?.image],
	};
}

function longest(texts: Text[]): Text {
	return present(texts).sort((a, b) => b.length - a.length)[0];
}

/** The names in `author` and `dc:creator`, or the email addresses if there are no names. */
function authorsOf(item: RssFeed.Item<string>): string[] {
	const authors = item.authors ?? [];
	const names = present([...(item.dc?.creators ?? []), ...authors.map(({ name }) => name)]);
	return names.length > 0
		? names
		: present([item.itunes?.author, ...authors.map(({ email }) => email)]).slice(0, 1);
}
