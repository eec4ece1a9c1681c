import {
	DetectError,
	MalformedError,
	ParseError,
	parseFeed as readFeed,
	type AtomFeed,
	type JsonFeed,
	type RdfFeed,
	type RssFeed,
} from 'feedsmith';
import { FeedFailure } from './http.ts';
import { sha1, absoluteUrl, decodeText, plainTitle, plainToHtml } from './text.ts';
import { cleanHtml } from './html.ts';

/** Times are epoch milliseconds. */
export interface ParsedStory {
	/** The publisher's identifier of the story (guid, id, about or link), otherwise a hash of title and date. */
	guid: string;
	/** Plain text; '' if the document has none. */
	title: string;
	/** Absolute URL; '' if the document has none. */
	link: string;
	/** Author names, joined with ', '; '' if unknown. */
	authors: string;
	/** null if the document has no valid date. */
	publishedAt: number | null;
	/** Sanitized HTML with absolute URLs. */
	content: string;
	tags: string[];
	/** Absolute URLs of attached images, then of images in the content, without duplicates. */
	imageUrls: string[];
}

export interface ParsedFeed {
	title: string;
	/** Absolute URL of the site; '' if the feed has none. */
	link: string;
	description: string;
	/** In document order; of stories with the same guid, only the first. */
	stories: ParsedStory[];
}

type Texts = (string | undefined)[];

/** A story as in its document, before sanitizing. Of lists, the first value that is not blank counts. */
interface RawStory {
	ids: Texts;
	title: string | undefined;
	links: Texts;
	authors: Texts;
	dates: Texts;
	/** HTML. */
	content: string | undefined;
	tags: Texts;
	/** URLs of attached pictures. */
	images: Texts;
}

interface RawFeed {
	title: string | undefined;
	description: string | undefined;
	link: string | undefined;
	stories: RawStory[];
}

interface Attachment {
	url?: string;
	href?: string;
	type?: string;
}

const picturesIn = (attachments: readonly Attachment[] = []): Texts =>
	attachments.filter(({ type }) => type?.startsWith('image/')).map(({ url, href }) => url ?? href);

function readRss(feed: RssFeed.Feed<string>): RawFeed {
	return {
		title: feed.title,
		description: feed.description,
		link: feed.link,
		stories: (feed.items ?? []).map((item) => ({
			ids: [item.guid?.value, item.link],
			title: item.title,
			links: [item.link, item.guid?.isPermaLink === false ? undefined : item.guid?.value],
			authors: [
				...(item.dc?.creators ?? []),
				...(item.authors ?? []).map(({ name, email }) => name ?? email),
			],
			dates: [item.pubDate, item.dc?.dates?.[0]],
			content: item.content?.encoded ?? item.description,
			tags: [...(item.categories ?? []).map(({ name }) => name), ...(item.dc?.subjects ?? [])],
			images: [...picturesIn(item.enclosures), ...picturesIn(item.media?.contents)],
		})),
	};
}

function readRdf(feed: RdfFeed.Feed<string>): RawFeed {
	return {
		title: feed.title,
		description: feed.description,
		link: feed.link,
		stories: (feed.items ?? []).map((item) => ({
			ids: [item.rdf?.about, item.link],
			title: item.title,
			links: [item.link, item.rdf?.about],
			authors: item.dc?.creators ?? [],
			dates: [item.dc?.dates?.[0]],
			content: item.content?.encoded ?? item.description,
			tags: item.dc?.subjects ?? [],
			images: [],
		})),
	};
}

function readAtom(feed: AtomFeed.Feed<string>): RawFeed {
	const pageOf = (links: readonly AtomFeed.Link<string>[] = []) =>
		links.find(({ rel }) => !rel || rel === 'alternate')?.href;
	const namesOf = (people: readonly AtomFeed.Person[] = []) => people.map(({ name, email }) => name ?? email);
	return {
		title: feed.title?.value,
		description: feed.subtitle?.value,
		link: pageOf(feed.links),
		stories: (feed.entries ?? []).map((entry) => {
			const text = entry.content?.value ? entry.content : entry.summary;
			const isPlain = text?.type === 'text';
			return {
				ids: [entry.id, pageOf(entry.links)],
				title: entry.title?.value,
				links: [pageOf(entry.links), entry.id],
				authors: namesOf(entry.authors ?? feed.authors),
				dates: [entry.published, entry.updated],
				content: isPlain ? plainToHtml(text.value ?? '') : text?.value,
				tags: (entry.categories ?? []).map(({ label, term }) => label ?? term),
				images: picturesIn(entry.links?.filter(({ rel }) => rel === 'enclosure')),
			};
		}),
	};
}

function readJson(feed: JsonFeed.Feed<string>): RawFeed {
	return {
		title: feed.title,
		description: feed.description,
		link: feed.home_page_url,
		stories: (feed.items ?? []).map((item) => ({
			ids: [item.id, item.url],
			title: item.title,
			links: [item.url, item.id],
			authors: (item.authors ?? feed.authors ?? []).map(({ name }) => name),
			dates: [item.date_published, item.date_modified],
			content: item.content_html ?? plainToHtml(item.content_text ?? item.summary ?? ''),
			tags: item.tags ?? [],
			images: [item.image],
		})),
	};
}

function read(text: string): RawFeed {
	const { format, feed } = readFeed<string>(text.trimStart());
	if (format === 'atom') return readAtom(feed);
	if (format === 'json') return readJson(feed);
	return format === 'rdf' ? readRdf(feed) : readRss(feed);
}

/** The values that are not blank, trimmed. */
const present = (values: Texts): string[] =>
	values.map((value) => value?.trim() ?? '').filter((value) => value !== '');

/** A date in epoch milliseconds; null if it is not valid. A date without a zone is UTC. */
function parseDate(text: string): number | null {
	const hasZone = /(?:[A-Z]|[+-]\d\d:?\d\d)$/i.test(text);
	const time = Date.parse(hasZone ? text : `${text.replace('T', ' ')} UTC`);
	return Number.isNaN(time) ? null : time;
}

/** The URL of the story. Only its link may be relative: a guid or id that is not a URL must not be resolved to one. */
function linkOf({ links: [first, ...others] }: RawStory, base: string): string {
	return absoluteUrl(first, base) ?? others.map((link) => absoluteUrl(link)).find((url) => url) ?? '';
}

function completeStory(raw: RawStory, base: string): ParsedStory {
	const link = linkOf(raw, base);
	const title = plainTitle(raw.title);
	// Relative URLs in content refer to the story's page.
	const { html, imageUrls } = cleanHtml(raw.content ?? '', link || base);
	const pictures = present(raw.images).flatMap((image) => absoluteUrl(image, base) ?? []);
	const dates = present(raw.dates);
	return {
		guid: present(raw.ids)[0] ?? `sha1:${sha1(`${title}\n${dates[0] ?? html}`)}`,
		title,
		link,
		authors: [...new Set(present(raw.authors))].join(', '),
		publishedAt: dates.map(parseDate).find((date) => date !== null) ?? null,
		content: html,
		tags: [...new Set(present(raw.tags))],
		imageUrls: [...new Set([...pictures, ...imageUrls])],
	};
}

/**
 * Parses a feed document: RSS, Atom or JSON Feed.
 * The format depends only on the document; of `contentType`, only the charset is used.
 * @param url of the document
 * @throws FeedFailure with status 551, as the service reports documents that are no feed
 */
export function parseFeed(bytes: Uint8Array, contentType: string, url: string): ParsedFeed {
	try {
		const raw = read(decodeText(bytes, contentType));
		const link = absoluteUrl(raw.link, url) ?? '';
		const stories = new Map<string, ParsedStory>();
		for (const story of raw.stories.map((each) => completeStory(each, link || url))) {
			if (!stories.has(story.guid)) stories.set(story.guid, story);
		}
		return {
			title: plainTitle(raw.title),
			link,
			description: plainTitle(raw.description),
			stories: [...stories.values()],
		};
	} catch (error) {
		if (![DetectError, MalformedError, ParseError].some((kind) => error instanceof kind)) throw error;
		throw new FeedFailure(551, `${url} is not an RSS, Atom or JSON feed.`, error);
	}
}
