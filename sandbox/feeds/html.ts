import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { absoluteUrl } from './text.ts';
import sanitizeHtml from 'sanitize-html';

interface PageLink {
	/** Absolute URL. */
	url: string;
	rel: string[];
	type: string;
}

/** The part of the DOM that is used. */
interface PageDocument {
	querySelectorAll(selector: string): Iterable<{ getAttribute(name: string): string | null }>;
}

/** Parses a page. linkedom requires an `<html>` element for a complete document. */
export function parsePage(html: string): PageDocument {
	return parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`).document;
}

/** The `link` elements with an http(s) URL. */
export function linksOf(document: PageDocument, url: string): PageLink[] {
	return [...document.querySelectorAll('link[href]')].flatMap((link) => {
		const address = absoluteUrl(link.getAttribute('href') ?? undefined, url);
		if (!address) return [];
		return {
			url: address,
			rel: (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/),
			type: (link.getAttribute('type') ?? '').toLowerCase(),
		};
	});
}

/**
 * Extracts the article of a page as sanitized HTML, without menus and advertisements.
 * @param url of the page, the base of its relative URLs
 * @returns null if no article is found
 */
export function extractReadable(html: string, url: string): string | null {
	const article = new Readability(parsePage(html)).parse();
	return (article?.content && cleanHtml(article.content, url).html) || null;
}

interface CleanHtml {
	html: string;
	/** Absolute URLs of its images, in order, without duplicates. */
	imageUrls: string[];
}

/**
 * Removes scripts, event handlers, styles, forms, frames, `javascript:` URLs and tracking pixels from HTML.
 * Resolves relative URLs against `baseUrl`.
 */
export function cleanHtml(html: string, baseUrl: string): CleanHtml {
	const images = new Set<string>();
	const resolve = (name: string): sanitizeHtml.Transformer => {
		return (tagName, attribs) => ({
			tagName,
			attribs: { ...attribs, [name]: absoluteUrl(attribs[name], baseUrl) ?? '' },
		});
	};
	const cleaned = sanitizeHtml(html, {
		allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img'],
		allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'title', 'width', 'height'] },
		transformTags: { a: resolve('href'), img: resolve('src') },
		exclusiveFilter({ tag, attribs }) {
			if (tag !== 'img') return false;
			if (!attribs.src || (attribs.width === '1' && attribs.height === '1')) return true;
			images.add(attribs.src);
			return false;
		},
	});
	return { html: cleaned.trim(), imageUrls: [...images] };
}
