/** Lint rules for descriptions that help new users. */
import type { INodeTypeDescription } from 'n8n-workflow';
import { choicesOf, isText, type Parameter, parametersOf } from './walk';

/** Words without information, and words that all descriptions of a kind contain. */
const EMPTY = new Set(
	'the and for its you are with that this what which whether from into when where then they them'.split(' '),
);

const wordsOf = (text: string): string[] =>
	(text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !EMPTY.has(word));

/** A description adds information to the label. */
export const helpful = ({ property }: Parameter): Array<string | undefined> => {
	if (isText(property) || property.description === undefined) return [];
	const known = wordsOf(property.displayName);
	const more = new Set(wordsOf(property.description).filter((word) => !known.includes(word)));
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
					`${path}: "${label}: ${text}" doesn't explain ${word}: the description needs ${explanation} (test/lint/wording.ts)`,
			),
		);
