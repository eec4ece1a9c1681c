import { beginningOf } from '../values';

const MASK = '***';
/** Shorter secrets match ordinary words; masking them would garble the text and reveal the secret. */
const SHORTEST_SECRET = 4;
/** Ordinary words are shorter than this. */
const LONG_SECRET = 16;
const LONGEST_TEXT = 2000;

/** A secret as it is, and as it is written in a URL, a form or JSON. */
function spellingsOf(secret: string): string[] {
	const spellings = [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams([['', secret]]).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
	];
	return [...new Set(spellings)].filter((spelling) => spelling.length >= SHORTEST_SECRET);
}

/** A text with its secrets masked. A short secret is masked only where it is a whole word. */
export function redacted(text: string, secrets: Iterable<string>): string {
	// The longest first: one secret may be part of another.
	return [...secrets]
		.flatMap(spellingsOf)
		.sort((one, other) => other.length - one.length)
		.reduce((clean, spelling) => clean.replaceAll(occurrencesOf(spelling), MASK), text);
}

/** The pattern of a secret. A long secret is its own pattern, because a regular expression may be too long. */
function occurrencesOf(secret: string): string | RegExp {
	if (secret.length >= LONG_SECRET) return secret;
	const literal = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
	return new RegExp(`(?<=^|[^\\p{L}\\p{N}]|%[\\da-fA-F]{2})${literal}(?![\\p{L}\\p{N}])`, 'gu');
}

/** A member of a record or response, and where it is. */
export interface Member {
	name: string;
	text: string;
	/** The names of the members around it, the outermost first. */
	enclosing: readonly string[];
}

/** A copy of a value in which the members that hold a secret are masked, whatever their text. */
export function withoutSecretMembers<Value>(value: Value, isSecret: (member: Member) => boolean): Value {
	const copyOf = (part: unknown, name: string, enclosing: readonly string[]): unknown => {
		if (typeof part === 'string' || typeof part === 'number') {
			return isSecret({ name, text: String(part), enclosing }) ? MASK : part;
		}
		if (typeof part !== 'object' || part === null) return part;
		const outer = [...enclosing, name];
		if (Array.isArray(part)) return part.map((entry) => copyOf(entry, name, outer));
		return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, copyOf(member, key, outer)]));
	};
	return copyOf(value, '', []) as Value;
}

/** The secrets that must not appear in the messages, hints and logs of one run or poll. */
export class Secrets {
	private readonly texts = new Set<string>();

	add(...secrets: string[]): void {
		for (const secret of secrets) this.texts.add(secret);
	}

	/** A message with its secrets masked, and cut if it is too long. */
	masked(text: string): string {
		const clean = redacted(text, this.texts);
		return clean.length > LONGEST_TEXT ? `${beginningOf(clean, LONGEST_TEXT)}…` : clean;
	}
}
