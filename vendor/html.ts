/** Evaluated on first use: few workflows need it. */
const library = (): typeof import('./libraries/htmlToText') => require('./libraries/htmlToText');

/** The text of an HTML fragment: paragraphs kept, links and images left out. */
export const htmlToText = (html: string): string =>
	library().convert(html, {
		wordwrap: false as const,
		selectors: [
			{ selector: 'a', options: { ignoreHref: true } },
			{ selector: 'img', format: 'skip' },
		],
	});
