import type { HtmlToTextOptions } from 'html-to-text';

/** Evaluated on first use: few workflows need it. */
const library = (): typeof import('./libraries/html-to-text') => require('./libraries/html-to-text');

/** Longer HTML and longer text are cut. In characters. The text can be longer: a horizontal rule becomes 40 characters. */
const MOST_CHARACTERS = 2_000_000;
/** Content inside more tags than this is omitted. */
const MOST_DEPTH = 250;
/** HTML is cut where more tags than this are open, because parsing time grows with their square. */
const MOST_OPEN_TAGS = 5_000;
const LEFT_OUT = '[Left out: too long or too deeply nested to convert]';
/** Elements that have no end tag. */
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source']);

/** Converts an HTML fragment to text. Keeps paragraphs and rows of tables, omits links and images. Never throws. */
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

/** Elements that begin a line. The library would put their texts one after the other, without a blank. */
const LINES = [
	'address',
	'caption',
	'dd',
	'details',
	'dt',
	'figcaption',
	'legend',
	'option',
	'summary',
	'tr',
];

const OPTIONS: HtmlToTextOptions = {
	wordwrap: false,
	limits: { maxDepth: MOST_DEPTH, ellipsis: LEFT_OUT },
	formatters: {
		cell: ({ children }, walk, builder) => {
			walk(children, builder);
			builder.addInline(' ');
		},
	},
	selectors: [
		{ selector: 'a', options: { ignoreHref: true } },
		{ selector: 'img', format: 'skip' },
		...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
		...LINES.map((selector) => ({
			selector,
			format: 'block',
			options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
		})),
		...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
	],
};

/** The index of the first tag with which too many tags are open; Infinity if there is none. */
function placeOfTooManyTags(html: string): number {
	let open = 0;
	for (const { index, 1: slash, 2: name = '' } of html.matchAll(/<(\/?)([a-z][a-z\d]*)/gi)) {
		if (VOID.has(name.toLowerCase())) continue;
		open = slash ? Math.max(open - 1, 0) : open + 1;
		if (open > MOST_OPEN_TAGS) return index;
	}
	return Infinity;
}
