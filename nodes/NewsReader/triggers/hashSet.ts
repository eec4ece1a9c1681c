import { hash } from 'crypto';

/** What a story hash of the usual form is after its feed: six hexadecimal digits. */
const USUAL = /^[0-9a-f]{6}$/;
const DIGEST_BYTES = 5;

/**
 * A set of texts as it is saved: three bytes for each if all are six hexadecimal digits (`3…`), otherwise a digest of
 * five bytes for each (`5…`), in Base64. The texts of digests can't be read back, only looked up.
 */
export type Packed = string;

const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, DIGEST_BYTES * 2);

/** Texts that can be looked up, added and saved. Keeps the order in which they came. */
export class HashSet {
	private constructor(
		private members: Set<string>,
		private isDigested: boolean,
	) {}

	static of(packed: Packed | undefined): HashSet {
		if (!packed) return new HashSet(new Set(), false);
		const isDigested = packed.startsWith('5');
		const hex = Buffer.from(packed.slice(1), 'base64').toString('hex');
		const width = isDigested ? DIGEST_BYTES * 2 : 6;
		const members = new Set<string>();
		for (let at = 0; at < hex.length; at += width) members.add(hex.slice(at, at + width));
		return new HashSet(members, isDigested);
	}

	static isPacked(saved: unknown): saved is Packed {
		return typeof saved === 'string' && /^(|[35][A-Za-z0-9+/]*={0,2})$/.test(saved);
	}

	get size(): number {
		return this.members.size;
	}

	has(text: string): boolean {
		if (this.isDigested) return this.members.has(digest(text));
		return this.members.has(text);
	}

	add(text: string): void {
		if (!this.isDigested && !USUAL.test(text)) this.digestAll();
		this.members.add(this.isDigested ? digest(text) : text);
	}

	delete(text: string): boolean {
		return this.members.delete(this.isDigested ? digest(text) : text);
	}

	/** Takes over the members that `other` has and `texts` doesn't. */
	addRest(other: HashSet, texts: Iterable<string>): void {
		if (other.isDigested && !this.isDigested) this.digestAll();
		const present = new Set(other.isDigested ? [...texts].map(digest) : texts);
		for (const member of other.members) {
			if (present.has(member)) continue;
			this.members.add(this.isDigested && !other.isDigested ? digest(member) : member);
		}
	}

	/** Drops the oldest members until `size` are left. */
	keepLast(size: number): void {
		const excess = this.members.size - size;
		if (excess > 0) this.members = new Set([...this.members].slice(excess));
	}

	pack(): Packed {
		if (this.members.size === 0) return '';
		const bytes = Buffer.from([...this.members].join(''), 'hex');
		return `${this.isDigested ? '5' : '3'}${bytes.toString('base64')}`;
	}

	private digestAll(): void {
		this.members = new Set([...this.members].map(digest));
		this.isDigested = true;
	}
}
