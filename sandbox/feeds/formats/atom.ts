import { isUtf8 } from 'node:buffer';
import { parseAtomFeed, type AtomFeed } from 'feedsmith';
import { escapeHtml } from '../../shared/html.ts';
import { hasHtml, htmlToPlain, plainToHtml } from '../text.ts';
import { mediaAttachments, mediaTags, mediaThumbnails } from './media.ts';
import { present, unlessEmpty, type RawFeed, type RawStory, type Text } from './raw.ts';

/** Reads Atom 1.0 and 0.3. */
export function readAtom(xml: string): RawFeed {
	const feed = unlessEmpty(() => parseAtomFeed(withoutBase64(xml)));
	const feedAuthors = namesOf(feed.authors);
	return {
		format: 'atom',
		title: plainOf(feed.title),
		description: plainOf(feed.subtitle),
		link: alternateOf(feed.links),
		icon: feed.icon ?? feed.logo,
		base: feed.xml?.base,
		stories: (feed.entries ?? []).map((entry) => readEntry(entry, feedAuthors)),
	};
}

/** Decodes Base64 in Atom 0.3, which an attribute declares that the library does not report. */
const BASE64_ELEMENT = /(<((?:\w+:)?\w+)\s[^>]*\bmode\s*=\s*["']base64["'][^>]*>)([^<]*)(?=<\/\2\s*>)/g;

function withoutBase64(xml: string): string {
	return xml.replace(
		BASE64_ELEMENT,
		(_, tag: string, __, coded: string) => tag + escapeHtml(base64Text(coded)),
	);
}

/** '' if it is not text. */
function base64Text(coded: string): string {
	const bytes = Buffer.from(coded, 'base64');
	return isUtf8(bytes) ? bytes.toString() : '';
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
		changes: [entry.updated, entry.dc?.dates?.[0], entry.dcterms?.modified?.[0]],
		content: text?.value ? htmlOf(text) : plainToHtml(media?.description?.value ?? ''),
		base: entry.xml?.base,
		contentBase: text?.xml?.base,
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
	if (isBinary(content)) return base64Text(value);
	return isPlain(content) ? plainToHtml(value) : value;
}

/** Whether content is Base64, because its media type is neither text nor XML. RFC 4287, 4.1.3.3. */
function isBinary({ type }: AtomFeed.Content): boolean {
	return /\//.test(type ?? '') && !/^text\/|[/+]xml\b/i.test(type ?? '');
}

function plainOf(text: AtomFeed.Text | undefined): string {
	const isHtml = text?.type?.includes('html') ?? false;
	return isHtml ? htmlToPlain(text?.value ?? '') : (text?.value ?? '');
}
