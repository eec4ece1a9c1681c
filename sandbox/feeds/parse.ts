import { DetectError, MalformedError, ParseError } from 'feedsmith';
import { parseDate } from './dates.ts';
import { decodeText } from './decode.ts';
import { FeedFailure } from './failures.ts';
import { readAtom } from './formats/atom.ts';
import { readJson } from './formats/json.ts';
import { present, type RawFeed, type RawStory, type Text } from './formats/raw.ts';
import { readRdf } from './formats/rdf.ts';
import { readRss } from './formats/rss.ts';
import { sha1 } from './hash.ts';
import { cleanHtml } from './sanitize.ts';
import type { ParsedFeed, ParsedStory } from './types.ts';
import { absoluteUrl, displayUrl } from './urls.ts';

/** Readers by the root element's name without prefix, in lower case; `{` stands for a JSON object. */
const READERS: Record<string, (text: string) => RawFeed> = {
	rss: readRss,
	feed: readAtom,
	rdf: readRdf,
	'{': readJson,
};

/** What may stand before the root element: blanks, processing instructions, comments, a document type. */
const PROLOG = /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE(?:[^[>]|\[[\s\S]*?\])*>)*/i;
const ROOT = /^<(?:[\w.-]+:)?([\w.-]+)/;
/** Control characters that neither XML nor JSON allows, and that broken exports contain all the same. */
const CONTROL = /[^\P{Cc}\t\n\r]/gu;

function isUnreadable(error: unknown): boolean {
	return [DetectError, MalformedError, ParseError].some((kind) => error instanceof kind);
}

/** The document without what precedes it (blank lines, warnings of the server's software). */
function trimmed(text: string): string {
	const start = text.trimStart();
	return start.startsWith('{') ? start : text.slice(Math.max(0, text.indexOf('<')));
}

function readerFor(text: string): ((text: string) => RawFeed) | undefined {
	if (text.startsWith('{')) return READERS['{'];
	return READERS[ROOT.exec(text.replace(PROLOG, ''))?.[1]?.toLowerCase() ?? ''];
}

function firstUrl(candidates: Text[], base: string): string {
	for (const candidate of candidates) {
		const url = absoluteUrl(candidate, base);
		if (url) return url;
	}
	return '';
}

/** Identities such as guid or id are often addresses, but a word must not become one. */
function linkOf(raw: RawStory, base: string): string {
	const [first, ...others] = raw.links;
	return firstUrl([first, ...others.filter((link) => /^https?:\/\//i.test(link ?? ''))], base);
}

function completeStory(raw: RawStory, base: string): ParsedStory {
	const link = linkOf(raw, base);
	const dates = raw.dates.map(parseDate).filter((date) => date !== null);
	const contentBase = raw.contentBase ? absoluteUrl(raw.contentBase, base) : undefined;
	const { html, imageUrls } = cleanHtml(raw.content, contentBase ?? (link || base));
	const attached = raw.images.map((image) => absoluteUrl(image, base)).filter((image) => image !== undefined);
	const title = raw.title.replace(/\s+/g, ' ').trim();
	const anonymous = `${title}\n${raw.dates.find((date) => date) ?? html}`;
	return {
		guid: present(raw.identities)[0] ?? `sha1:${sha1(anonymous)}`,
		title,
		link,
		authors: [...new Set(raw.authors)].join(', '),
		publishedAt: dates[0] ?? null,
		content: html,
		tags: [...new Set(present(raw.tags))],
		imageUrls: [...new Set([...attached, ...imageUrls])],
	};
}

function withoutRepeats(stories: ParsedStory[]): ParsedStory[] {
	const seen = new Set<string>();
	return stories.filter(({ guid }) => !seen.has(guid) && seen.add(guid));
}

function complete(raw: RawFeed, url: string): ParsedFeed {
	const base = absoluteUrl(raw.base, url) ?? url;
	return {
		title: raw.title,
		link: firstUrl([raw.link], base),
		description: raw.description,
		iconUrl: absoluteUrl(raw.icon, base) ?? null,
		format: raw.format,
		stories: withoutRepeats(raw.stories.map((story) => completeStory(story, base))),
	};
}

/**
 * Reads a feed document: RSS 2.0 (and 0.9x), RSS 1.0, Atom, JSON Feed, in whatever encoding.
 * The kind is told by the document, not by `contentType`, of which only the charset counts.
 * Dates in the future are kept as the publisher gives them.
 * @param url address of the document, against which its relative addresses are resolved
 * @throws FeedFailure of kind 'not-a-feed'
 */
export function parseFeed(bytes: Uint8Array, contentType: string | undefined, url: string): ParsedFeed {
	const text = trimmed(decodeText(bytes, contentType).replace(CONTROL, ''));
	const read = readerFor(text);
	if (!read) throw new FeedFailure('not-a-feed', `${displayUrl(url)} is no RSS, Atom or JSON feed.`);
	try {
		return complete(read(text), url);
	} catch (error) {
		if (!isUnreadable(error)) throw error;
		throw new FeedFailure('not-a-feed', `${displayUrl(url)} is a feed that cannot be read.`, null, error);
	}
}
