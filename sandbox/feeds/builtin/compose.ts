import { html, type Html } from '../../shared/html.ts';
import { sha1 } from '../text.ts';
import type { BuiltinStory, Publication } from './publication.ts';

/** The date of story number 0 of every publication. */
const FOUNDED = Date.UTC(2020, 0, 6);
const HOUR = 3_600_000;
const PICTURE_EVERY = 2;
const TWO_AUTHORS_EVERY = 7;
const SENTENCES_PER_PARAGRAPH = 3;

/** The sentences of all stories; each story has its own order. */
const SENTENCES = [
	'It took less than ten minutes to settle the matter, and rather longer for everybody to leave the room.',
	'Nobody had expected the letter, which arrived second class and without a signature.',
	'The notes were made by hand, in pencil, on the back of a tide table.',
	'Two people measured it twice and got three different results.',
	'The work was first promised in a leaflet that several readers have kept.',
	'The forecast for the rest of the week mentions fog, followed by brighter spells from the west.',
	'Older readers will remember that the same thing was tried forty years ago, with less rope.',
	'A survey gathered 214 answers, 190 of them in favour.',
	'No one was hurt, though one bicycle could not be saved.',
	'“We would rather do it slowly than do it again,” said one of those who had been there all day.',
	'The bill, which was read out twice, included the hire of a pump.',
	'Letters on the subject are welcome at the usual address.',
];

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
function composeStory(publication: Publication, n: number): BuiltinStory {
	const { slug, headlines, words, authors } = publication;
	const seed = `${slug}/${n}`;
	const round = Math.floor(n / headlines.length);
	const headline = at(headlines, n);
	const fill = (text: string) =>
		text.replace(/\{(\w+)\}/g, (_, word: string) =>
			at(words[word] ?? [], round + numberOf(`${slug}/${word}/${n % headlines.length}`)),
		);
	const title = capitalized(fill(headline.text));
	const author = numberOf(`${seed}/author`);
	const byline = [at(authors, author), at(authors, author + 1)];
	const sentences = shuffled(SENTENCES, seed);
	const picture = n % PICTURE_EVERY === 0 ? `pictures/${n}.png` : null;
	return {
		path: `${n}-${pathOf(title)}`,
		guid: `tag:${slug}.example,2020:${n}`,
		title,
		authors: byline.slice(0, n % TWO_AUTHORS_EVERY === 0 ? 2 : 1),
		publishedAt: publishedAt(publication, n),
		tags: [...new Set(headline.tags.map(fill))],
		content: body(sentences, title, picture),
		excerpt: sentences.slice(0, 2).join(' '),
		picture,
	};
}

/** A title as part of a URL. */
export function pathOf(title: string): string {
	return title
		.normalize('NFD')
		.replace(/[^\w]+/g, '-')
		.replace(/^-+|-+$/g, '')
		.toLowerCase();
}

/** The regular time plus a delay of up to half the interval. */
function publishedAt({ slug, everyHours }: Publication, n: number): number {
	const interval = everyHours * HOUR;
	const delay = (numberOf(`${slug}/${n}/time`) / 2 ** 32) * (interval / 2);
	return FOUNDED + n * interval + Math.floor(delay / 60_000) * 60_000;
}

/** The newest stories of a publication at a time, newest first. They depend only on the time. */
export function regularStories(publication: Publication, now: number): BuiltinStory[] {
	const due = Math.floor((now - FOUNDED) / (publication.everyHours * HOUR));
	const newest = publishedAt(publication, due) > now ? due - 1 : due;
	return Array.from({ length: publication.count }, (_, i) => composeStory(publication, newest - i));
}
