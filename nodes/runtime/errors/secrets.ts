const MASK = '***';
/** Shorter secrets match ordinary words; masking them would garble the text and reveal the secret. */
const SHORTEST_SECRET = 4;
/** Ordinary words are shorter than this. */
const LONG_SECRET = 16;
/** Longer messages are cut. */
const LONGEST_TEXT = 2000;

/** A secret as it is, and as it is written in a URL, a form or JSON. */
function spellingsOf(secret: string): string[] {
	const spellings = [
		secret,
		// A lone surrogate can't be encoded; a replacement character is sent for it.
		encodeURIComponent(Buffer.from(secret).toString()),
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
	return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu');
}

/** The value with secrets masked in all its texts. */
export function redactedDeep<Value>(value: Value, secrets: readonly string[]): Value {
	if (secrets.length === 0) return value;
	return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
		typeof member === 'string' ? redacted(member, secrets) : member,
	) as Value;
}

/** The secrets that must not appear in the messages and records of one run or poll. */
export class Secrets {
	/** The secrets of credentials. */
	private readonly keys = new Set<string>();
	/** Keys that are masked in messages only, because they may be ordinary words of a record. */
	private readonly words = new Set<string>();
	/** The texts that the user typed into password fields. */
	private readonly typed = new Set<string>();
	/** Whether a response contained one of the keys. */
	private isEchoed = false;

	/** Masks the keys of a credential from now on. A short password of letters counts as an ordinary word. */
	addCredential(keys: string[], passwords: string[] = []): void {
		for (const key of keys) if (key !== '') this.keys.add(key);
		for (const password of passwords) {
			if (password.length < LONG_SECRET && /^\p{L}*$/u.test(password)) this.words.add(password);
		}
	}

	/** Masks what the user typed into a password field from now on. */
	addTyped(text: string): void {
		this.typed.add(text);
	}

	/** Notes whether a response contains one of the keys. */
	checkEcho(text: string): void {
		this.isEchoed ||= [...this.keys].some((key) =>
			[key, ...spellingsOf(key)].some((spelling) => text.includes(spelling)),
		);
	}

	/** A message with its secrets masked, and cut if it is too long. */
	masked(text: string): string {
		const clean = redacted(text, [...this.keys, ...this.typed]);
		return clean.length > LONGEST_TEXT ? `${clean.slice(0, LONGEST_TEXT)}…` : clean;
	}

	/** A record with the keys masked, if a response contained one. */
	withoutKeys<Value>(record: Value): Value {
		if (!this.isEchoed) return record;
		const keys = [...this.keys].filter((key) => !this.words.has(key));
		return redactedDeep(record, keys);
	}
}
