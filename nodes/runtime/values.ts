/**
 * Small functions for all layers. They read loosely typed values, write values into messages, and run promises in sequence
 * or with a time limit. A function such as `toInteger` returns undefined if a value has no unambiguous conversion.
 */

export const isBlank = (raw: unknown): boolean =>
	raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '');

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The slashes at the end of a text. Begins only at the first one, so that it takes linear time. */
export const TRAILING_SLASHES = /(?<!\/)\/+$/;

/** Wraps a non-object as `{ data: value }`. */
export const asRecord = (value: unknown): Record<string, unknown> =>
	isRecord(value) ? value : { data: value };

export function omit<Value extends object, Name extends keyof Value>(
	record: Value,
	...names: Name[]
): Omit<Value, Name> {
	const rest = { ...record };
	for (const name of names) delete rest[name];
	return rest;
}

export const withoutBlanks = <Value>(record: Record<string, Value>): Record<string, Value> =>
	Object.fromEntries(Object.entries(record).filter(([, value]) => !isBlank(value)));

/** The integer in a number or decimal string; otherwise undefined. */
export function toInteger(raw: unknown): number | undefined {
	if (typeof raw === 'string' && !/^\s*[+-]?\d+\s*$/.test(raw)) return undefined;
	if (typeof raw !== 'number' && typeof raw !== 'string') return undefined;
	const value = Number(raw);
	return Number.isSafeInteger(value) ? value : undefined;
}

const MEANING_TRUE = new Set<unknown>([true, 1, '1', 'true']);
const MEANING_FALSE = new Set<unknown>([false, 0, '0', 'false']);

/** The boolean in a boolean, 0, 1, "true" or "false"; otherwise undefined. */
export function toBoolean(raw: unknown): boolean | undefined {
	const value = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
	if (MEANING_TRUE.has(value)) return true;
	return MEANING_FALSE.has(value) ? false : undefined;
}

/** The entries of an array, a JSON array or a comma-separated text; a single value is a list of one. */
export function toList(raw: unknown): unknown[] {
	if (Array.isArray(raw)) return raw.filter((entry) => !isBlank(entry));
	if (typeof raw !== 'string') return isBlank(raw) ? [] : [raw];
	const parsed = raw.trim().startsWith('[') ? parseJson(raw) : undefined;
	if (Array.isArray(parsed)) return toList(parsed);
	return toList(raw.split(',').map((entry) => entry.trim()));
}

/** A text for searches: without accents and case, with straight apostrophes. */
export const folded = (text: string): string =>
	text.normalize('NFD').replace(/\p{M}/gu, '').replace(/’/g, "'").toLowerCase();

/** Whether a value contains a text, apart from accents, case, and blanks at the ends of the text. */
export const contains = (value: unknown, text: unknown): boolean =>
	folded(toText(value ?? '')).includes(folded(toText(text).trim()));

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A name such as `feed_title` as `feedTitle`. */
export const camelCase = (name: string): string =>
	name.replace(/(?<!_)_+([a-z\d])/gi, (_, first: string) => first.toUpperCase());

/** A copy of the entries, sorted by the text that `textOf` returns for each. */
export const sortedBy = <Entry>(entries: Entry[], textOf: (entry: Entry) => string): Entry[] =>
	[...entries].sort((one, other) => textOf(one).localeCompare(textOf(other), 'en'));

/** A title as part of a sentence: "New QR Scan" becomes "new QR scan". */
export const inSentence = (title: string): string =>
	title.replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());

/** The value of a JSON text; undefined if the text is not JSON. */
export const parseJson = (source: string): unknown => {
	try {
		return JSON.parse(source);
	} catch {
		return undefined;
	}
};

/** All texts in a message. Services send a text, a list of texts, or texts by field. */
export function textsIn(message: unknown): string[] {
	if (typeof message === 'string') return message.trim() === '' ? [] : [message];
	return typeof message === 'object' && message !== null ? Object.values(message).flatMap(textsIn) : [];
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The entries whose identity is not in `seen`; adds their identities to it. */
export const unseen = <Entry>(
	entries: Entry[],
	seen: Set<string>,
	identity: (entry: Entry) => string,
): Entry[] =>
	entries.filter((entry) => {
		const id = identity(entry);
		if (seen.has(id)) return false;
		seen.add(id);
		return true;
	});

/** An error and its causes: n8n wraps the errors of its helpers. */
export function causesOf(error: unknown): Array<Record<string, unknown>> {
	const causes: Array<Record<string, unknown>> = [];
	for (let cause = error; isRecord(cause); cause = cause.cause) causes.push(cause);
	return causes;
}

/** A list cut into chunks of `size` entries; the last chunk may be shorter. */
export const chunksOf = <Entry>(list: readonly Entry[], size: number): Entry[][] =>
	Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
		list.slice(index * size, (index + 1) * size),
	);

/** The value of a key; if there is none, makes and stores one. */
export function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
	const value = map.get(key) ?? make();
	map.set(key, value);
	return value;
}

/** A value as a text. `String` would throw for an object whose own `toString` throws or is not a function. */
export const toText = (value: unknown): string =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** A string, number or boolean as text; undefined for anything else. */
export function scalarText(raw: unknown): string | undefined {
	if (typeof raw === 'number' && !Number.isFinite(raw)) return undefined;
	return ['string', 'number', 'boolean', 'bigint'].includes(typeof raw) ? String(raw) : undefined;
}

/** Half a surrogate pair as JSON writes it: `\ud800`, but not `\\ud800`. It is no character and can't be encoded. */
const SPELLED_HALF_PAIR = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Why no field can send a value, as the end of a sentence that begins with its label; undefined if it can be sent. */
export function flawOf(raw: unknown): string | undefined {
	if (isInvalidDate(raw)) return 'is an invalid date';
	return SPELLED_HALF_PAIR.test(JSON.stringify(raw))
		? 'contains half a character (a lone surrogate)'
		: undefined;
}

/** What an invalid date becomes as a text: Luxon's DateTime, and a Date. */
const INVALID_DATES = new Set(['Invalid DateTime', 'Invalid Date']);

/** Whether a value is a date without a time, or a list that contains one. */
function isInvalidDate(raw: unknown): boolean {
	if (raw instanceof Date) return Number.isNaN(raw.getTime());
	if (Array.isArray(raw)) return raw.some((entry) => !Array.isArray(entry) && isInvalidDate(entry));
	return typeof raw === 'string' ? INVALID_DATES.has(raw.trim()) : isRecord(raw) && raw.isValid === false;
}

/** The first characters of a text, without half a character at the end. */
export const beginningOf = (text: string, length: number): string =>
	text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

const LONGEST_QUOTE = 100;

/** A value for a message: in quotes, and cut if it is long. */
export function quoted(raw: unknown): string {
	const written = toText(raw);
	const shown = written.length > LONGEST_QUOTE ? `${written.slice(0, LONGEST_QUOTE)}…` : written;
	return `"${shown.toWellFormed()}"`;
}

/** Settles when the last task of a key has ended. */
const lastTasks = new Map<unknown, Promise<unknown>>();

/**
 * Runs the tasks of a key one after the other, across all nodes and executions of this process. A task whose execution is
 * cancelled does not wait: its requests are not sent.
 */
export async function inSequence<Done>(key: unknown, work: () => Promise<Done>, signal?: AbortSignal) {
	const previous = lastTasks.get(key) ?? Promise.resolve();
	const turn = signal ? within(signal, previous, () => new Error('cancelled')) : previous;
	const own = settled(turn).then(work);
	const ended = Promise.allSettled([previous, own]);
	lastTasks.set(key, ended);
	try {
		return await own;
	} finally {
		if (lastTasks.get(key) === ended) lastTasks.delete(key);
	}
}

export async function settled<Value>(work: Promise<Value>): Promise<{ value: Value } | { error: unknown }> {
	try {
		return { value: await work };
	} catch (error) {
		return { error };
	}
}

/** The result of `work`. Throws `tooLate` if the time limit ends first; the work is not cancelled. */
export async function within<Value>(
	timeLimit: AbortSignal,
	work: Promise<Value>,
	tooLate: () => Error,
): Promise<Value> {
	let stop = (): void => undefined;
	const late = new Promise<never>((_, reject) => {
		stop = () => reject(tooLate());
	});
	if (timeLimit.aborted) stop();
	timeLimit.addEventListener('abort', stop);
	try {
		return await Promise.race([work, late]);
	} finally {
		timeLimit.removeEventListener('abort', stop);
	}
}
