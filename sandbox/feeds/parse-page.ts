import { parseHTML } from 'linkedom';
import { absoluteUrl } from './feed-urls.ts';

interface PageLink {
	/** Absolute URL. */
	url: string;
	rel: string[];
	type: string;
	title: string;
	/** Value of the attribute, such as '32x32 16x16'. */
	sizes: string;
}

/** The part of the DOM that the feed engine uses. */
interface PageElement {
	getAttribute(name: string): string | null;
	textContent: string | null;
}

interface PageDocument {
	querySelector(selector: string): PageElement | null;
	querySelectorAll(selector: string): Iterable<PageElement>;
}

/** Parses a page. linkedom requires an `<html>` element for a complete document. */
export function parsePage(html: string): PageDocument {
	return parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`).document;
}

/** The base of a page's relative URLs: its `<base>`, or its own URL. */
export function baseOf(document: PageDocument, url: string): string {
	return absoluteUrl(document.querySelector('base[href]')?.getAttribute('href') ?? undefined, url) ?? url;
}

/** The `link` or `a` elements with an http(s) URL. */
export function linksOf(document: PageDocument, element: 'link' | 'a', url: string): PageLink[] {
	const base = baseOf(document, url);
	return [...document.querySelectorAll(`${element}[href]`)].flatMap((link) => {
		const address = absoluteUrl(link.getAttribute('href') ?? undefined, base);
		if (!address) return [];
		return {
			url: address,
			rel: (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/),
			type: (link.getAttribute('type') ?? '').toLowerCase(),
			title: (link.getAttribute('title') ?? link.textContent ?? '').trim(),
			sizes: link.getAttribute('sizes') ?? '',
		};
	});
}
