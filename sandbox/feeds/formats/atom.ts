import type { AtomFeed } from 'feedsmith';
import { hasHtml, htmlToPlain, plainToHtml } from '../text.ts';
import { mediaAttachments, mediaTags, mediaThumbnails } from './media.ts';
import { present, type RawFeed, type RawStory, type Text } from './raw.ts';

export function readAtom(feed: AtomFeed.Feed<string>): RawFeed {
	const feedAuthors = namesOf(feed.authors);
	return {
		format: 'atom',
		title: plainOf(feed.title),
		description: plainOf(feed.subtitle),
		link: alternateOf(feed.links),
		base: feed.xml?.base,
		stories: (feed.entries ?? []).map((entry) => readEntry(entry, feedAuthors)),
	};
}

function readEntry(entry: AtomFeed.Entry<string>, feedAuthors: string[]): RawStory {
	const authors = namesOf(entry.authors);
	const creators = present(entry.dc?.creators ?? []);
	const enclosures = (entry.links ?? []).filter(({ rel }) => rel === 'enclosure');
	const text = entry.content?.value ? entry.content : entry.summary;
	const media = entry.media?.groups?.[0] ?? entry.media;
	return {
		identities: [entry.id, alternateOf(entry.links)],
		title: plainOf(entry.title),
		links: [alternateOf(entry.links), entry.content?.src, entry.id],
		authors:
			[authors, creators, namesOf(entry.source?.authors), feedAuthors].find((names) => names.length > 0) ??
			[],
		dates: [entry.published, entry.dcterms?.issued?.[0], entry.updated, entry.dc?.dates?.[0]],
		content: text?.value ? htmlOf(text) : plainToHtml(media?.description?.value ?? ''),
		base: entry.xml?.base,
		tags: [
			...(entry.categories ?? []).map(({ label, term }) => label ?? term),
			...(entry.dc?.subjects ?? []),
			...mediaTags(entry.media),
		],
		attachments: [
			...enclosures.map(({ href, type }) => ({ url: href, type })),
			...mediaAttachments(entry.media),
		],
		images: mediaThumbnails(entry.media),
	};
}

function namesOf(people: AtomFeed.Person[] | undefined): string[] {
	return present((people ?? []).map(({ name, email }) => name ?? email));
}

function alternateOf(links: AtomFeed.Link<string>[] | undefined): Text {
	const alternates = (links ?? []).filter(({ rel }) => !rel || rel === 'alternate');
	return (alternates.find(({ type }) => !type || type.includes('html')) ?? alternates[0])?.href;
}

function isPlain({ type, value }: AtomFeed.Content): boolean {
	// The standard defines text without a type as plain, but many publishers omit the type of HTML.
	if (!type) return !hasHtml(value ?? '');
	return type === 'text' || type === 'text/plain';
}

function htmlOf(content: AtomFeed.Content): string {
	const value = content.value ?? '';
	return isPlain(content) ? plainToHtml(value) : value;
}

function plainOf(text: AtomFeed.Text | undefined): string {
	const isHtml = text?.type?.includes('html') ?? false;
	return isHtml ? htmlToPlain(text?.value ?? '') : (text?.value ?? '');
}
