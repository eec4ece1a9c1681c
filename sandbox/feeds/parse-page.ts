import { parseHTML } from 'linkedom';
import { absoluteUrl } from './feed-urls.ts';

export interface PageLink {
	/** Absolute address. */
	url: string;
	rel: string[];
	type: string;
	title: string;
	/** As written: '32x32 16x16'. */
	sizes: string;
}

/** The part of the DOM that is used here. */
interface PageElement {
	getAttribute(name: string): string | null;
	textContent: string | null;
}

export interface PageDocument {
	querySelector(selector: string): PageElement | null;
	querySelectorAll(selector: string): Iterable<PageElement>;
}

/** The document of a page. linkedom needs an `<html>` element to build a complete one. */
export function parsePage(html: string): PageDocument {
	return parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`).document;
}

/** The base of a page's relative addresses: its own address or its `<base>`. */
export function baseOf(document: PageDocument, url: string): string {
	return absoluteUrl(document.querySelector('base[href]')?.getAttribute('href') ?? undefined, url) ?? url;
}

/** The elements of one name (`link` or `a`) that lead to an http(s) address. */
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
