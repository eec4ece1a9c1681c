import { convert } from 'html-to-text';
import { escapeHtml } from '../shared/html.ts';

/** Converts HTML to text: removes tags, decodes entities, separates paragraphs by a blank line. */
export function htmlToPlain(html: string): string {
	return convert(html, {
		wordwrap: false,
		selectors: [
			{ selector: 'a', options: { ignoreHref: true } },
			{ selector: 'img', format: 'skip' },
			...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
				selector,
				options: { uppercase: false },
			})),
		],
	}).trim();
}

/** Elements in titles and short texts; other words in angle brackets are text. */
const HTML_TAG =
	/<\/?(?:a|b|blockquote|br|cite|code|del|div|em|font|h[1-6]|i|img|ins|li|mark|ol|p|q|s|small|span|strong|sub|sup|tt|u|ul)(?:\s[^>]*)?\/?>/i;
const HTML_ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z]\w*);/i;

/** Whether a text contains HTML elements. */
export function hasHtml(text: string): boolean {
	return HTML_TAG.test(text);
}

/** The plain text of a title. The RSS formats do not say whether a title is HTML. */
export function plainTitle(text: string): string {
	return hasHtml(text) || HTML_ENTITY.test(text) ? htmlToPlain(text) : text;
}

/** Converts plain text to HTML: escapes it and keeps line breaks. */
export function plainToHtml(text: string): string {
	return escapeHtml(text).replace(/\r?\n/g, '<br />');
}

/** Matches what may precede the root element of an XML document: white space, processing instructions, comments. */
const PROLOG = /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/;
const DOCTYPE = /^<!DOCTYPE\s(?:"[^"]*"|'[^']*'|[^[>"']|\[[\s\S]*?\]\s*(?=>))*>/i;

/** Removes the document type from XML, so that its entities are not expanded and its files not read. */
export function withoutDoctype(xml: string): string {
	const prolog = PROLOG.exec(xml)?.[0] ?? '';
	return prolog + xml.slice(prolog.length).replace(DOCTYPE, '');
}
