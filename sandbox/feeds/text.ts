import { convert } from 'html-to-text';
import { escapeHtml } from '../shared/html.ts';

/** The text of a piece of HTML: tags dropped, entities decoded, one blank line between paragraphs. */
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

/** Plain text as HTML: escaped, with line breaks kept. */
export function plainToHtml(text: string): string {
	return escapeHtml(text).replace(/\r?\n/g, '<br />');
}

/** XML without its document type: entities it defines are not expanded, files it names are not read. */
export function withoutDoctype(xml: string): string {
	return xml.replace(/<!DOCTYPE\s+(?!html)(?:"[^"]*"|'[^']*'|[^[>"']|\[[\s\S]*?\]\s*(?=>))*>/i, '');
}
