import { randomInt } from 'node:crypto';
import { z } from 'zod/v4';

/** `YYYY-MM-DD HH:MM:SS` in UTC, as in the interface document's records. */
export function timestamp(milliseconds: number): string {
	return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

/** Parses `YYYY-MM-DD HH:MM:SS` in UTC to epoch milliseconds; NaN if it is invalid. */
export function parseTimestamp(text: string): number {
	if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return NaN;
	const milliseconds = Date.parse(`${text.replace(' ', 'T')}Z`);
	return !Number.isNaN(milliseconds) && timestamp(milliseconds) === text ? milliseconds : NaN;
}

/** The day of a timestamp, as in channel items. */
export function dayOf(text: string): string {
	return text.slice(0, 10);
}

const characters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Generates a code that is not `taken`, from characters that are easy to distinguish. */
export function newCode(taken: (code: string) => boolean): string {
	for (;;) {
		const code = Array.from({ length: 7 }, () => characters[randomInt(characters.length)]).join('');
		if (!taken(code)) return code;
	}
}

/** Parses the fields of a body like the service: digits are numbers, and `null` is a missing value. */

const problem = (words: string) => (issue: { input?: unknown }) =>
	issue.input === undefined ? 'is required' : words;

const numberAsText = (value: unknown) => (typeof value === 'number' ? String(value) : value);
const digitsAsNumber = (value: unknown) =>
	typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
const wordAsBoolean = (value: unknown) =>
	new Map<unknown, boolean>([
		[1, true],
		['1', true],
		['true', true],
		[0, false],
		['0', false],
		['false', false],
	]).get(value) ?? value;

/** Text, which may be empty. */
export const text = z.preprocess(numberAsText, z.string({ error: problem('must be text') }));

export const filledText = z.preprocess(
	numberAsText,
	z.string({ error: problem('must be text') }).refine((value) => value.trim() !== '', 'must not be empty'),
);

export const flag = z.preprocess(wordAsBoolean, z.boolean({ error: problem('must be true or false') }));

export const id = z.preprocess(
	digitsAsNumber,
	z.int({ error: problem('must be an id, which is an integer') }).positive('must be an id'),
);

/** Text that meets a condition; `words` complete the message "`field` …". */
export function textThat(holds: (value: string) => boolean, words: string) {
	return z.preprocess(numberAsText, z.string({ error: problem(words) }).refine(holds, words));
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
	return z.enum(values, { error: problem(`must be one of ${values.join(', ')}`) });
}

/** A list; `words` describe its entries in the error "must be an array of …". */
export function arrayOf<Item extends z.ZodType>(item: Item, words: string) {
	return z.array(item, { error: problem(`must be an array of ${words}`) });
}

/** A field that may be missing. */
export function optional<Field extends z.ZodType>(field: Field) {
	return z.preprocess((value) => (value === null ? undefined : value), field.optional());
}

/** An object with these fields; ignores others. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
	return z.object(shape, { error: problem(`must be an object with ${Object.keys(shape).join(', ')}`) });
}

export function isWebUrl(value: string): boolean {
	return /^https?:\/\/[^/]/i.test(value) && URL.canParse(value) && !/\s/.test(value);
}

export const webUrl = textThat(isWebUrl, 'must be a URL that starts with http:// or https://');

/** A URL or empty text. */
export const webUrlOrNone = textThat(
	(value) => value === '' || isWebUrl(value),
	'must be a URL that starts with http:// or https://',
);

/** The first error of a body, as one sentence. */
export function firstProblem(error: z.ZodError): string {
	const [issue] = error.issues;
	if (issue === undefined || issue.path.length === 0) return 'The body must be a JSON object.';
	const [first, ...rest] = issue.path;
	const name =
		String(first) + rest.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
	return `The field ${name} ${issue.message}.`;
}
