import { html, type Html } from '../../shared/html.ts';
import { sha1 } from '../hash.ts';
import type { Publication } from './publication.ts';
import type { BuiltinStory } from './builtin-types.ts';

const PICTURE_EVERY = 2;
const TWO_AUTHORS_EVERY = 7;
const SENTENCES_PER_PARAGRAPH = 3;

/** A hash of the text, from 0 to 2³² - 1. */
export function numberOf(text: string): number {
	return Number.parseInt(sha1(text).slice(0, 8), 16);
}

function at<T>(list: readonly T[], index: number): T {
	const value = list[index % list.length];
	if (value === undefined) throw new Error('A publication has an empty list.');
	return value;
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Shuffles a list in an order that depends only on the seed. */
function shuffled(list: readonly string[], seed: string): string[] {
	return list
		.map((text, i) => ({ text, order: numberOf(`${seed}/${i}`) }))
		.sort((a, b) => a.order - b.order)
		.map(({ text }) => text);
}

function paragraphs(sentences: string[]): Html[] {
	if (sentences.length === 0) return [];
	const text = sentences.slice(0, SENTENCES_PER_PARAGRAPH).join(' ');
	return [html`<p>${text}</p>`, ...paragraphs(sentences.slice(SENTENCES_PER_PARAGRAPH))];
}

function body(sentences: string[], title: string, picture: string | null): string {
	const [opening, first, second, third, quoted, ...rest] = sentences;
	const parts = [
		html`<p>${opening} ${first}</p>`,
		picture && html`<figure><img src="${picture}" alt="${title}" width="640" height="360" /></figure>`,
		html`<p>${second} ${third}</p>`,
		quoted && html`<blockquote><p>${quoted}</p></blockquote>`,
		...paragraphs(rest),
	];
	return parts.filter((part) => part).join('\n');
}

/**
 * Generates story number `n` of a publication, always the same for the same number.
 * Headlines alternate, and each round uses the next words, so that titles repeat only after all words of a list.
 */
export function composeStory(
	publication: Publication,
	n: number,
	name: string,
	publishedAt: number,
): BuiltinStory {
	const { slug, headlines, words, authors } = publication;
	const seed = `${slug}/${n}`;
	const round = Math.floor(n / headlines.length);
	const headline = at(headlines, n);
	const fill = (text: string) =>
		text.replace(/\{(\w+)\}/g, (_, word: string) =>
			at(words[word] ?? [], round + numberOf(`${slug}/${word}/${n % headlines.length}`)),
		);
	const sentence = (text: string) => capitalized(fill(text));

	const title = sentence(headline.text);
	const author = numberOf(`${seed}/author`);
	const byline = [at(authors, author), at(authors, author + 1)];
	const opening = sentence(at(publication.openings, numberOf(`${seed}/opening`)));
	const closing = sentence(at(publication.closings, numberOf(`${seed}/closing`)));
	const middles = shuffled(publication.middles, seed).map(sentence);
	const picture = n % PICTURE_EVERY === 0 ? `pictures/${name}.png` : null;
	return {
		path: `${name}-${title
			.normalize('NFD')
			.replace(/[^\w]+/g, '-')
			.replace(/^-+|-+$/g, '')
			.toLowerCase()}`,
		guid: `tag:${slug}.example,2020:${name}`,
		title,
		authors: byline.slice(0, n % TWO_AUTHORS_EVERY === 0 ? 2 : 1),
		publishedAt,
		tags: [...new Set(headline.tags.map(fill))],
		content: body([opening, ...middles, closing], title, picture),
		excerpt: `${opening} ${middles[0] ?? ''}`,
		picture,
	};
}
