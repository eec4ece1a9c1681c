import { parseRssFeed, type RssFeed } from 'feedsmith';
import { plainTitle } from '../text.ts';
import { mediaAttachments, mediaTags, mediaThumbnails } from './media.ts';
import { present, unlessEmpty, type RawFeed, type RawStory, type Text } from './raw.ts';

const ROOT_NAMESPACES =
	/\bxmlns:([\w-]+)\s*=\s*["']http:\/\/(?:backend\.userland\.com\/rss2?|blogs\.law\.harvard\.edu\/tech\/rss)["']/g;

/** Removes prefixes that some publishers add: the elements of RSS 2.0 have no namespace. */
function withoutPrefixes(xml: string): string {
	const prefixes = [...xml.matchAll(ROOT_NAMESPACES)].map(([, prefix]) => prefix);
	return prefixes.reduce<string>(
		(text, prefix) => text.replaceAll(new RegExp(`(</?)${prefix}:`, 'g'), '$1'),
		xml,
	);
}

/** Reads RSS 2.0 and 0.9x. */
export function readRss(xml: string): RawFeed {
	const feed = unlessEmpty(() => parseRssFeed(withoutPrefixes(xml)));
	return {
		format: 'rss2',
		title: plainTitle(feed.title ?? ''),
		description: plainTitle(feed.description ?? ''),
		link: feed.link,
		icon: feed.image?.url ?? feed.itunes?.image,
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
		dates: [item.pubDate, item.atom?.published, item.dcterms?.issued?.[0], ...changesOf(item)],
		changes: changesOf(item),
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

/** Reads Dublin Core's `date` as the date of a change, like other feed readers. */
function changesOf({ dc, dcterms, atom }: RssFeed.Item<string>): Text[] {
	return [dc?.dates?.[0], dcterms?.modified?.[0], atom?.updated];
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
