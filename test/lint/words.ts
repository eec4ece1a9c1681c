/** Checks of wording: Title Case and sentence case as n8n writes them, except words with a fixed spelling, and descriptions that help new users. */
import type { INodeTypeDescription } from 'n8n-workflow';
import { choicesOf, isText, type Parameter, parametersOf } from './walk';

/** Words with a fixed spelling. */
const fixedSpellings = `
	AI API CSS CSV CTA DNS GIF HTML HTTP HTTPS ID IDs IP ISO JPG JSON OAuth OAuth2 OPML OS
	PDF PIN PNG QR RGB RSS SMS SSID SSL SVG TXT URI URL URLs UTC UTM vCard WEP Wi-Fi WPA
	WPA2 WPA3 XML n8n AdRoll AdWords Bing Facebook GA4 Google GTM GTag LinkedIn Pinterest
	Quora Reddit Snapchat TikTok Twitter X YouTube WhatsApp Android iOS iPhone iPad macOS
	Windows
`.match(/\S+/g)!;

/** Words in lower case inside a title. */
const lowerCaseWords = new Set(
	`a an and as at but by for from if in into nor of off on or per than that the to up via vs with without`.split(
		' ',
	),
);

const spellings = new Map(fixedSpellings.map((word) => [word.toLowerCase(), word]));

/** The words of a text without punctuation; splits at hyphens and slashes. */
function wordsOf(text: string): string[] {
	return text
		.split(/\s+/)
		.map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
		.flatMap((word) => (spellings.get(word.toLowerCase()) === word ? [word] : word.split(/[-/]/)))
		.filter((word) => word !== '');
}

/** Why a text is not Title Case; undefined if it is. */
export function titleCaseFault(text: string): string | undefined {
	const words = wordsOf(text);
	for (const [index, word] of words.entries()) {
		const spelling = spellings.get(word.toLowerCase());
		const inside = index > 0 && index < words.length - 1;
		const expected =
			spelling ?? (inside && lowerCaseWords.has(word.toLowerCase()) ? word.toLowerCase() : capitalized(word));
		if (word !== expected) return `"${word}" in "${text}" should be "${expected}"`;
	}
	return undefined;
}

/** Why a text is not in sentence case; undefined if it is. */
export function sentenceCaseFault(text: string): string | undefined {
	const words = wordsOf(text);
	for (const [index, word] of words.entries()) {
		const spelling = spellings.get(word.toLowerCase());
		const expected = spelling ?? (index === 0 ? capitalized(word.toLowerCase()) : word.toLowerCase());
		if (word !== expected) return `"${word}" in "${text}" should be "${expected}"`;
	}
	return undefined;
}

/** Whether a text has more than one sentence. */
export function hasSeveralSentences(text: string): boolean {
	return /[.!?]["')]?\s+\p{Lu}/u.test(text);
}

function capitalized(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Lint rules for descriptions that help new users. */

/** Words without information, and words that all descriptions of a kind contain. */
const EMPTY = new Set(
	'the and for its you are with that this what which whether from into when where then they them'.split(' '),
);

const meaningfulWordsOf = (text: string): string[] =>
	(text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !EMPTY.has(word));

/** A description adds information to the label. */
export const helpful = ({ property }: Parameter): Array<string | undefined> => {
	if (isText(property) || property.description === undefined) return [];
	const known = meaningfulWordsOf(property.displayName);
	const more = new Set(meaningfulWordsOf(property.description).filter((word) => !known.includes(word)));
	return [more.size === 0 ? `"${property.description}" says no more than its label` : undefined];
};

/** Terms of the services that users may not know, and words that explain them. */
const EXPLANATIONS: Array<[word: RegExp, explanation: RegExp]> = [
	[/classifier|trainer/i, /like/i],
	[/focus/i, /\blikes?\b|\bhide|unread/i],
	[/infrequent/i, /publish (?:fewer|at most)/i],
	[/river/i, /\bfeeds\b/i],
	[/splash/i, /\bpages?\b/i],
	[/overlay/i, /calls? to action/i],
	[/\bpixel\b/i, /tag/i],
	[/meta /i, /shared/i],
	[/first poll/i, /published/i],
	[/^one item for/i, /one for each/i],
	[/\bhash\b/i, /stor(?:y|ies)/i],
	[/blurblog|intelligence|metatag/i, /^(?!)/],
];

/** The label and its description explain such a term. */
export const explained = (description: INodeTypeDescription): string[] =>
	parametersOf(description)
		.flatMap(({ property, path }) => [
			{ path, label: property.displayName, text: property.description },
			...choicesOf(property).map(({ name, description: text, value }) => ({
				path: `${path} > ${value}`,
				label: name,
				text,
			})),
		])
		.filter((entry): entry is { path: string; label: string; text: string } => entry.text !== undefined)
		.flatMap(({ path, label, text }) =>
			EXPLANATIONS.filter(
				([word, explanation]) => word.test(`${label}: ${text}`) && !explanation.test(text),
			).map(
				([word, explanation]) =>
					`${path}: "${label}: ${text}" doesn't explain ${word}: the description needs ${explanation} (test/lint/words.ts)`,
			),
		);
