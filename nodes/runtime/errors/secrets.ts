const MASK = '***';
/** Shorter texts are in every sentence by chance: to mask them would garble it, and tell them. */
const SHORTEST_SECRET = 4;
/** Texts this long are in no word by chance. */
const LONG_SECRET = 16;
/** More than this of a text nobody reads. */
const LONGEST_TEXT = 2000;

/**
 * A text without secrets, as they are or as a form or JSON spells them. One that may be part of a word is masked
 * where it stands by itself.
 */
export function redacted(text: string, secrets: Iterable<string>): string {
	const spellings = [...secrets].flatMap((secret) => [
		secret,
		// Half a surrogate pair can't be encoded; what is sent has a sign in its place.
		encodeURIComponent(Buffer.from(secret).toString()),
		new URLSearchParams([['', secret]]).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
	]);
	// The longest first: one secret may be part of another.
	return spellings
		.filter((spelling) => spelling.length >= SHORTEST_SECRET)
		.sort((one, other) => other.length - one.length)
		.reduce((clean, spelling) => clean.replaceAll(occurrencesOf(spelling), MASK), text);
}

/** What to look for: a long secret as it is, for a pattern of it may be longer than patterns can be. */
function occurrencesOf(secret: string): string | RegExp {
	if (secret.length >= LONG_SECRET) return secret;
	const literal = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
	return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu');
}

/** A value without secrets in any of its texts. */
export function redactedDeep<Value>(value: Value, secrets: readonly string[]): Value {
	if (secrets.length === 0) return value;
	return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
		typeof member === 'string' ? redacted(member, secrets) : member,
	) as Value;
}

/** What one run or poll must not let out: the gate that all its texts pass. */
export class Secrets {
	/** Of credentials. */
	private readonly keys = new Set<string>();
	/** What was typed where nobody should see it. */
	private readonly typed = new Set<string>();
	/** Whether the service repeated one of the keys. */
	private isEchoed = false;

	/** Keeps the keys of a credential that is used. */
	keep(keys: string[]): void {
		for (const key of keys) if (key !== '') this.keys.add(key);
	}

	conceal(text: string): void {
		this.typed.add(text);
	}

	/** Looks for the keys in what the service answered. */
	notice(text: string): void {
		this.isEchoed ||= [...this.keys].some((key) => text.includes(key));
	}

	/** A text as people may see it: without secrets, and no longer than they read. */
	masked(text: string): string {
		const clean = redacted(text, [...this.keys, ...this.typed]);
		return clean.length > LONGEST_TEXT ? `${clean.slice(0, LONGEST_TEXT)}…` : clean;
	}

	/** A record without the keys that an answer repeated. A password that is a plain word may be any word of a text. */
	withoutKeys<Value>(record: Value): Value {
		const isKey = (key: string): boolean => !/^\p{L}*$/u.test(key);
		return this.isEchoed ? redactedDeep(record, [...this.keys].filter(isKey)) : record;
	}
}
