/** Evaluated on first use: few workflows need it. */
const library = (): typeof import('./libraries/htmlToText') => require('./libraries/htmlToText');

/** Longer documents are cut, and so are longer texts: characters. A line across the page takes forty. */
const MOST_CHARACTERS = 2_000_000;
/** What is nested deeper than so many tags is left out. */
const MOST_DEPTH = 250;
/** A document is cut where so many tags are open at once: reading on would take the square of them in time. */
const MOST_OPEN_TAGS = 5_000;
const LEFT_OUT = '[Left out: too long or too deeply nested to convert]';
/** Elements that have no end. */
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source']);

/** The text of an HTML fragment: paragraphs kept, links and images left out. Never throws, whatever the fragment. */
export function htmlToText(html: string): string {
	const part = html.slice(0, Math.min(placeOfTooManyTags(html), MOST_CHARACTERS));
	try {
		const text = library().convert(part, OPTIONS);
		const isWhole = part.length === html.length && text.length <= MOST_CHARACTERS;
		return isWhole ? text : `${text.slice(0, MOST_CHARACTERS)}\n\n${LEFT_OUT}`;
	} catch {
		return LEFT_OUT;
	}
}

const OPTIONS = {
	wordwrap: false as const,
	limits: { maxDepth: MOST_DEPTH, ellipsis: LEFT_OUT },
	selectors: [
		{ selector: 'a', options: { ignoreHref: true } },
		{ selector: 'img', format: 'skip' },
	],
};

/** Where a document has too many open tags; Infinity if it never has. */
function placeOfTooManyTags(html: string): number {
	let open = 0;
	for (const { index, 1: slash, 2: name = '' } of html.matchAll(/<(\/?)([a-z][a-z\d]*)/gi)) {
		if (VOID.has(name.toLowerCase())) continue;
		open = slash ? Math.max(open - 1, 0) : open + 1;
		if (open > MOST_OPEN_TAGS) return index;
	}
	return Infinity;
}
