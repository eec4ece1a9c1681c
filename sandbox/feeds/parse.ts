import { DetectError, MalformedError, ParseError, parseFeed as readFeed } from 'feedsmith';
import { attachmentsHtml, isImage } from './attachments.ts';
import { decodeText } from './decode.ts';
import { FeedFailure } from './failures.ts';
import { readAtom } from './formats/atom.ts';
import { readJson } from './formats/json.ts';
import { present, type RawFeed, type RawStory, type Text } from './formats/raw.ts';
import { readRdf } from './formats/rdf.ts';
import { readRss } from './formats/rss.ts';
import { sha1 } from './hash.ts';
import { cleanHtml } from './sanitize.ts';
import { withoutDoctype } from './text.ts';
import type { ParsedFeed, ParsedStory } from './feed-types.ts';
import { absoluteUrl, displayUrl } from './feed-urls.ts';

const hasZone = /(?:[A-Z]|[+-]\d\d:?\d\d)$/i;

/** A date in epoch milliseconds; null if it is not valid. A date without a zone is UTC. */
function parseDate(date: Text): number | null {
	const text = date?.trim() ?? '';
	const time = Date.parse(hasZone.test(text) ? text : `${text.replace('T', ' ')} UTC`);
	return Number.isNaN(time) ? null : time;
}

function read(text: string): RawFeed {
	const { format, feed } = readFeed<string>(withoutDoctype(text.trimStart()));
	if (format === 'atom') return readAtom(feed);
	if (format === 'json') return readJson(feed);
	return format === 'rdf' ? readRdf(feed) : readRss(feed);
}

function firstUrl(candidates: Text[], base: string): string {
	return candidates.map((candidate) => absoluteUrl(candidate, base)).find((url) => url !== undefined) ?? '';
}

/** The URL of the story. Only its link may be relative: a guid or id that is not a URL must not be resolved to one. */
function linkOf(raw: RawStory, base: string): string {
	const [first, ...others] = raw.links;
	return firstUrl([first, ...others.filter((link) => /^https?:\/\//i.test(link ?? ''))], base);
}

function inOneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

function completeStory(raw: RawStory, feedBase: string): ParsedStory {
	const base = absoluteUrl(raw.base, feedBase) ?? feedBase;
	const link = linkOf(raw, base);
	const attachments = raw.attachments.map((file) => ({ ...file, url: absoluteUrl(file.url, base) }));
	// Relative URLs in content refer to the story's page.
	const { html, imageUrls } = cleanHtml(
		raw.content + attachmentsHtml(attachments, raw.content),
		link || base,
	);
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
		publishedAt: raw.dates.map(parseDate).find((date) => date !== null) ?? null,
		content: html,
		tags: [...new Set(present(raw.tags))],
		imageUrls: [...new Set([...pictures, ...imageUrls])],
	};
}

function complete(raw: RawFeed, url: string): ParsedFeed {
	const base = absoluteUrl(raw.base, url) ?? url;
	const stories = raw.stories.map((story) => completeStory(story, base));
	return {
		title: inOneLine(raw.title),
		link: firstUrl([raw.link], base),
		description: raw.description,
		format: raw.format,
		stories: stories.filter(({ guid }, index) => stories.findIndex((other) => other.guid === guid) === index),
	};
}

/**
 * Parses a feed document: RSS, Atom or JSON Feed.
 * The format depends only on the document; of `contentType`, only the charset is used.
 * @param url of the document, the base of its relative URLs
 * @throws FeedFailure of kind 'not-a-feed'
 */
export function parseFeed(bytes: Uint8Array, contentType: string | undefined, url: string): ParsedFeed {
	try {
		return complete(read(decodeText(bytes, contentType)), url);
	} catch (error) {
		if (![DetectError, MalformedError, ParseError].some((kind) => error instanceof kind)) throw error;
		throw new FeedFailure('not-a-feed', `${displayUrl(url)} is no RSS, Atom or JSON feed.`, null, error);
	}
}
