import type { RdfFeed } from 'feedsmith';
import { plainTitle } from '../text.ts';
import { mediaAttachments, mediaTags, mediaThumbnails } from './media.ts';
import { present, type RawFeed, type RawStory } from './raw.ts';

export function readRdf(feed: RdfFeed.Feed<string>): RawFeed {
	return {
		format: 'rss1',
		title: plainTitle(feed.title ?? ''),
		description: plainTitle(feed.description ?? ''),
		link: feed.link,
		base: feed.xml?.base ?? feed.link,
		stories: (feed.items ?? []).map(readItem),
	};
}

function readItem(item: RdfFeed.Item<string>): RawStory {
	return {
		identities: [item.rdf?.about, item.link],
		title: plainTitle(item.title ?? ''),
		links: [item.link, item.rdf?.about],
		authors: present(item.dc?.creators ?? []),
		dates: [item.dcterms?.issued?.[0], item.dc?.dates?.[0], item.dcterms?.modified?.[0]],
		content: item.content?.encoded ?? item.description ?? item.dc?.descriptions?.[0] ?? '',
		base: item.xml?.base,
		tags: [...(item.dc?.subjects ?? []), ...mediaTags(item.media)],
		attachments: mediaAttachments(item.media),
		images: mediaThumbnails(item.media),
	};
}
