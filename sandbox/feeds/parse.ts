import { DetectError, MalformedError } from 'feedsmith';
import { attachmentsHtml, isImage } from './attachments.ts';
import { parseDate } from './parse-date.ts';
import { decodeText } from './decode.ts';
import { FeedFailure } from './failures.ts';
import { readAtom } from './formats/atom.ts';
import { readJson } from './formats/json.ts';
import { present, type RawFeed, type RawStory, type Text } from './formats/raw.ts';
import { readRdf } from './formats/rdf.ts';
import { readRss } from './formats/rss.ts';
import { sha1 } from './hash.ts';
import { cleanHtml } from './sanitize.ts';
import { PROLOG, withoutDoctype } from './text.ts';
import type { ParsedFeed, ParsedStory } from './feed-types.ts';
import { absoluteUrl, displayUrl } from './feed-urls.ts';

/** Readers by name of the root element, without prefix and in lower case; `{` is a JSON object. */
const READERS: Record<string, Reader> = {
	rss: readRss,
	feed: readAtom,
	rdf: readRdf,
	'{': readJson,
};

/** Feed readers do not recognize an RSS root element with a prefix. */
const ROOT = /^<(?:(?!\w+:rss\b)[\w.-]+:)?([\w.-]+)/i;
/** Control characters that XML and JSON forbid, but invalid feeds contain. */
const CONTROL = /[^\P{Cc}\t\n\r]/gu;

type Reader = (text: string) => RawFeed;

interface Recognized {
	read: Reader;
	text: string;
}

function readerFor(text: string): Reader | undefined {
	if (text.startsWith('{')) return READERS['{'];
	return READERS[ROOT.exec(text.replace(PROLOG, ''))?.[1]?.toLowerCase() ?? ''];
}

/** Finds the document and its reader. Blank lines or server warnings may precede the document. */
function recognize(document: string): Recognized | undefined {
	const text = document.replace(CONTROL, '').trimStart();
	const starts = [0, text.indexOf('<?xml'), text.search(/<(?:rss|feed|rdf:rdf)[\s>]/i)].filter(
		(at) => at >= 0,
	);
	for (const start of starts) {
		const rest = text.slice(start);
		// An HTML page that contains a feed is not a feed.
		if (/^(?:<!doctype\s+html|<html)/i.test(rest)) return undefined;
		const candidate = withoutDoctype(rest);
		const read = readerFor(candidate);
		if (read) return { read, text: candidate };
	}
	return undefined;
}

/** Parses the document. If it is truncated, parses up to the last complete story. */
function readWhole({ read, text }: Recognized): RawFeed {
	try {
		return read(text);
	} catch (error) {
		const whole = /^[\s\S]*<\/(?:\w+:)?(?:item|entry)>/i.exec(text)?.[0];
		if (!(error instanceof MalformedError) || !whole || whole.length === text.length) throw error;
		return read(whole);
	}
}

function firstUrl(candidates: Text[], base: string): string {
	for (const candidate of candidates) {
		const url = absoluteUrl(candidate, base);
		if (url) return url;
	}
	return '';
}

/** The URL of the story. Only its link may be relative: a guid or id that is not a URL must not be resolved to one. */
function linkOf(raw: RawStory, base: string): string {
	const [first, ...others] = raw.links;
	return firstUrl([first, ...others.filter((link) => /^https?:\/\//i.test(link ?? ''))], base);
}

function firstDate(dates: Text[]): number | null {
	return dates.map(parseDate).find((date) => date !== null) ?? null;
}

function inOneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

function completeStory(raw: RawStory, feedBase: string): ParsedStory {
	const ownBase = absoluteUrl(raw.base, feedBase);
	const base = ownBase ?? feedBase;
	const link = linkOf(raw, base);
	// Relative URLs in content refer to the story's page unless the document has another base.
	const contentBase = absoluteUrl(raw.contentBase, base) ?? ownBase ?? (link || base);
	const attachments = raw.attachments.map((file) => ({ ...file, url: absoluteUrl(file.url, base) }));
	const { html, imageUrls } = cleanHtml(raw.content + attachmentsHtml(attachments, raw.content), contentBase);
	const pictures = [
		...attachments.filter(isImage).map(({ url }) => url),
		...raw.images.map((image) => absoluteUrl(image, base)),
	].filter((picture) => picture !== undefined);
	const title = inOneLine(raw.title);
	const anonymous = `${title}\n${raw.dates.find((date) => date) ?? html}`;
	return {
		guid: present(raw.identities)[0] ?? `sha1:${sha1(anonymous)}`,
		title,
		link,
		authors: [...new Set(raw.authors)].join(', '),
		publishedAt: firstDate(raw.dates),
		changedAt: firstDate(raw.changes),
		content: html,
		tags: [...new Set(present(raw.tags))],
		imageUrls: [...new Set([...pictures, ...imageUrls])],
	};
}

/** If all stories have the same identifier, uses their links, or their dates if the links are also the same. */
function withOwnIdentities(stories: ParsedStory[]): ParsedStory[] {
	const isOne = (identities: unknown[]) => stories.length > 1 && new Set(identities).size === 1;
	if (!isOne(stories.map(({ guid }) => guid))) return stories;
	const byDate = isOne(stories.map(({ link }) => link));
	return stories.map((story) => ({ ...story, guid: byDate ? `date:${story.publishedAt}` : story.link }));
}

function withoutRepeats(stories: ParsedStory[]): ParsedStory[] {
	const seen = new Set<string>();
	return stories.filter(({ guid }) => !seen.has(guid) && seen.add(guid));
}

function complete(raw: RawFeed, url: string): ParsedFeed {
	const base = absoluteUrl(raw.base, url) ?? url;
	return {
		title: inOneLine(raw.title),
		link: firstUrl([raw.link], base),
		description: raw.description,
		iconUrl: absoluteUrl(raw.icon, base) ?? null,
		format: raw.format,
		stories: withoutRepeats(withOwnIdentities(raw.stories.map((story) => completeStory(story, base)))),
	};
}

/**
 * Parses a feed document: RSS 2.0 (and 0.9x), RSS 1.0, Atom, JSON Feed, in any encoding.
 * The format depends only on the document; of `contentType`, only the charset is used.
 * Keeps dates in the future.
 * @param url of the document, the base of its relative URLs
 * @throws FeedFailure of kind 'not-a-feed'
 */
export function parseFeed(bytes: Uint8Array, contentType: string | undefined, url: string): ParsedFeed {
	const recognized = recognize(decodeText(bytes, contentType));
	if (!recognized) throw new FeedFailure('not-a-feed', `${displayUrl(url)} is no RSS, Atom or JSON feed.`);
	try {
		return complete(readWhole(recognized), url);
	} catch (error) {
		if (!(error instanceof MalformedError || error instanceof DetectError)) throw error;
		throw new FeedFailure('not-a-feed', `${displayUrl(url)} is a feed that cannot be read.`, null, error);
	}
}
