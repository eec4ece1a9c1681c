import { Readability } from '@mozilla/readability';
import { baseOf, parsePage } from './parse-page.ts';
import { cleanHtml } from './sanitize.ts';
import { htmlToPlain } from './text.ts';
import type { ReadableText } from './feed-types.ts';

/**
 * Extracts the article of a page, without menus and advertisements.
 * @param url of the page, the base of its relative URLs
 * @returns null if no article is found
 */
export function extractReadable(html: string, url: string): ReadableText | null {
	const document = parsePage(html);
	const base = baseOf(document, url);
	const article = new Readability(document).parse();
	if (!article?.content) return null;
	const clean = cleanHtml(article.content, base);
	const text = htmlToPlain(clean.html);
	return text ? { ...clean, text } : null;
}
