import type { JsonFeed } from 'feedsmith';
import { plainToHtml } from '../text.ts';
import { present, type RawFeed, type RawStory } from './raw.ts';

/** Titles and descriptions are plain text. */
export function readJson(feed: JsonFeed.Feed<string>): RawFeed {
	const feedAuthors = namesOf(feed.authors);
	return {
		format: 'json',
		title: feed.title ?? '',
		description: feed.description ?? '',
		link: feed.home_page_url,
		base: undefined,
		stories: (feed.items ?? []).map((item) => readItem(item, feedAuthors)),
	};
}

function readItem(item: JsonFeed.Item<string>, feedAuthors: string[]): RawStory {
	const authors = namesOf(item.authors);
	return {
		identities: [item.id, item.url, item.external_url],
		title: item.title ?? '',
		links: [item.url, item.external_url, item.id],
		authors: authors.length > 0 ? authors : feedAuthors,
		dates: [item.date_published, item.date_modified],
		content: item.content_html ?? plainToHtml(item.content_text ?? item.summary ?? ''),
		tags: item.tags ?? [],
		attachments: (item.attachments ?? []).map(({ url, mime_type }) => ({ url, type: mime_type })),
		images: [item.image, item.banner_image],
	};
}

function namesOf(authors: JsonFeed.Author[] | undefined): string[] {
	return present((authors ?? []).map(({ name, url }) => name ?? url));
}
