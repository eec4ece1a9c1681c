import { convert } from 'html-to-text';

/** The text of an HTML fragment: paragraphs kept, links and images left out. */
export const htmlToText = (html: string): string =>
	convert(html, {
		wordwrap: false as const,
		selectors: [
			{ selector: 'a', options: { ignoreHref: true } },
			{ selector: 'img', format: 'skip' },
		],
	});
