import { hash } from 'crypto';
import { isRecord } from '../../runtime/values';

/** What is known of a list of story hashes. All are kept feed by feed, without the feed's number. */
export interface HashCursor {
	/** The stories that are in the list and known. */
	present: Record<string, Packed>;
	/** Known stories that are no longer in it, the last of them. */
	gone: Record<string, Packed>;
	/** How often a story came back into the list. */
	again: Record<string, number>;
	/** How often a story was in the list but could not be read. */
	unreadable: Record<string, number>;
	/** By feed, up to which date (Unix seconds) stories are older than what is known, where not all are told. */
	horizon?: Record<string, number>;
	/** The newest date of the list, where dates tell when a story came into it. */
	latest?: Latest;
	/** Known stories with a new date, not looked at yet: since when they must be in the list to be new to it. */
	redated?: Record<string, number>;
	/** For how many polls more stories were missing at once than can be remembered; left out if they are not. */
	doubted?: number;
}

/** The newest date of a list, in Unix seconds, and the hashes that have it. */
export interface Latest {
	at: number;
	hashes: string[];
}

export interface HashEvent {
	/** Under which feed the list has it. */
	feed: string;
	hash: string;
	/** The how manieth return into the list it is; 0 for its first time. */
	again: number;
	/** It was known, and its date is new: it came back if it is in the list since then, in Unix seconds. */
	since?: number;
	/** It could not be read so often. */
	unreadable?: number;
}

/** Returns into the list are counted for this many stories. */
const MOST_AGAIN = 500;
/** A story that is listed but can't be read is given up after so many polls. */
export const MOST_TRIES = 5;

/** The hash without its feed. */
export const tail = (hash: string): string => hash.slice(hash.indexOf(':') + 1);

/** The cursor that knows nothing of a list. */
export const NOTHING_KNOWN: HashCursor = { present: {}, gone: {}, again: {}, unreadable: {} };

/** A cursor as it was saved; undefined if it can't be read. */
export const readHashCursor = (saved: unknown): HashCursor | undefined =>
	isHashCursor(saved) ? saved : undefined;

const isHashCursor = (saved: unknown): saved is HashCursor =>
	isRecord(saved) &&
	[saved.present, saved.gone].every(
		(sets) => isRecord(sets) && Object.values(sets).every(HashSet.isPacked),
	) &&
	[saved.again, saved.unreadable].every(
		(counts) => isRecord(counts) && Object.values(counts).every((count) => typeof count === 'number'),
	) &&
	['undefined', 'number'].includes(typeof saved.doubted) &&
	['undefined', 'object'].includes(typeof saved.horizon) &&
	['undefined', 'object'].includes(typeof saved.redated) &&
	(saved.latest === undefined || (isRecord(saved.latest) && Array.isArray(saved.latest.hashes)));

/** The cursor that knows these events as well; what could not be read is tried again for a while. */
export function advanceHashes(cursor: HashCursor, processed: HashEvent[]): HashCursor {
	if (processed.length === 0) return cursor;
	const present = new UnpackedSets(cursor.present);
	const gone = new UnpackedSets(cursor.gone);
	const again = { ...cursor.again };
	const unreadable = { ...cursor.unreadable };
	const redated = { ...cursor.redated };
	for (const event of processed) {
		const { feed, hash } = event;
		if (event.unreadable !== undefined && event.unreadable < MOST_TRIES) {
			unreadable[hash] = event.unreadable;
			continue;
		}
		delete unreadable[hash];
		delete redated[hash];
		present.of(feed).add(tail(hash));
		if (event.again > 0) {
			gone.of(feed).delete(tail(hash));
			delete again[hash];
			again[hash] = event.again;
		}
	}
	return {
		...cursor,
		present: present.pack(),
		gone: gone.pack(),
		again: Object.fromEntries(Object.entries(again).slice(-MOST_AGAIN)),
		unreadable,
		...(cursor.redated && { redated }),
	};
}

/** Packed sets by feed, of which those that are asked for are unpacked. */
class UnpackedSets {
	private readonly unpacked = new Map<string, HashSet>();

	constructor(private readonly packed: Record<string, Packed>) {}

	of(feed: string): HashSet {
		const set = this.unpacked.get(feed) ?? HashSet.of(this.packed[feed]);
		this.unpacked.set(feed, set);
		return set;
	}

	pack(): Record<string, Packed> {
		const changed = [...this.unpacked].map(([feed, set]) => [feed, set.pack()] as const);
		return { ...this.packed, ...Object.fromEntries(changed) };
	}
}

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
