import { hash } from 'crypto';
import { getOrCreate, isRecord } from '../../runtime/values';

/**
 * What a trigger remembers of a list of story hashes, by feed and without the feed's id:
 *
 *                  enters            leaves               comes back
 *     unknown ───────────► present ─────────► gone ───────────────────► present
 *                  new                              returned, if wanted
 *
 * A story is only an event on the way into `present`. It moves there when its event is processed, not when it is
 * detected. `gone` keeps stories that left the list: so they are recognized when they come back.
 */
export interface HashCursor {
	/** The known stories that the list contains. */
	present: Record<string, Packed>;
	/** The known stories that it no longer contains; the last ones of them. */
	gone: Record<string, Packed>;
	/** How often a story came back into the list. Part of its event ids. */
	returnCounts: Record<string, number>;
	/** How often a story was in the list but could not be read. */
	unreadable: Record<string, number>;
	/** By feed, the date up to which unknown stories are older than the known ones, if the list doesn't contain all: Unix seconds. */
	knownUntil?: Record<string, number>;
	/** The newest entries of a list that is dated by entry. */
	latest?: LatestEntries;
	/** Known stories with a new date that are not processed yet, and since when they must be in the list to be new to it. */
	redated?: Record<string, number>;
	/** The hashes of groups of similar stories that were emitted, by day since 1970. */
	emittedGroups?: Record<string, Packed>;
	/** For how many polls more stories have been missing at once than can be remembered; undefined if none. */
	doubtedPolls?: number;
}

/** The newest date of a list, in Unix seconds, and the hashes with that date. */
export interface LatestEntries {
	at: number;
	hashes: string[];
}

export interface HashEvent {
	/** The feed that the list has it in. */
	feed: string;
	hash: string;
	/** How many times it has returned into the list; 0 on first sight. */
	returnCount: number;
	/** It is known, but its date is new: it came back if it is in the list since then, in Unix seconds. */
	since?: number;
	/** How often it could not be read. */
	unreadable?: number;
	/** The group of similar stories that it was processed with, and the day on which that was emitted. */
	group?: { day: number; hashes: string[] };
}

/** For how many stories returns are counted. */
const MAX_RETURN_COUNTS = 500;
/** A listed story that can't be read is given up after this many polls. */
export const MAX_READ_ATTEMPTS = 5;

/** The hash without its feed. */
export const withoutFeed = (hash: string): string => hash.slice(hash.indexOf(':') + 1);

/** The cursor that knows no stories. */
export const NO_KNOWN_STORIES: HashCursor = { present: {}, gone: {}, returnCounts: {}, unreadable: {} };

/** A saved cursor; undefined if it is broken. */
export const readHashCursor = (saved: unknown): HashCursor | undefined =>
	isHashCursor(saved) ? saved : undefined;

const isHashCursor = (saved: unknown): saved is HashCursor =>
	isRecord(saved) &&
	[saved.present, saved.gone].every(
		(sets) => isRecord(sets) && Object.values(sets).every(HashSet.isPacked),
	) &&
	[saved.returnCounts, saved.unreadable].every(
		(counts) => isRecord(counts) && Object.values(counts).every((count) => typeof count === 'number'),
	) &&
	['undefined', 'number'].includes(typeof saved.doubtedPolls) &&
	['undefined', 'object'].includes(typeof saved.knownUntil) &&
	['undefined', 'object'].includes(typeof saved.redated) &&
	['undefined', 'object'].includes(typeof saved.emittedGroups) &&
	(saved.latest === undefined || (isRecord(saved.latest) && Array.isArray(saved.latest.hashes)));

/** The cursor that knows these events too. Stories that could not be read stay unknown, and are tried again. */
export function advanceHashes(cursor: HashCursor, processed: HashEvent[]): HashCursor {
	if (processed.length === 0) return cursor;
	const present = new UnpackedSets(cursor.present);
	const gone = new UnpackedSets(cursor.gone);
	const returnCounts = { ...cursor.returnCounts };
	const unreadable = { ...cursor.unreadable };
	const redated = { ...cursor.redated };
	for (const event of processed) {
		const { feed, hash, returnCount } = event;
		if (event.unreadable !== undefined && event.unreadable < MAX_READ_ATTEMPTS) {
			unreadable[hash] = event.unreadable;
			continue;
		}
		delete unreadable[hash];
		delete redated[hash];
		present.of(feed).add(withoutFeed(hash));
		if (returnCount > 0) {
			gone.of(feed).delete(withoutFeed(hash));
			delete returnCounts[hash];
			returnCounts[hash] = returnCount;
		}
	}
	return {
		...cursor,
		present: present.pack(),
		gone: gone.pack(),
		returnCounts: Object.fromEntries(Object.entries(returnCounts).slice(-MAX_RETURN_COUNTS)),
		unreadable,
		...(cursor.redated && { redated }),
	};
}

/** Packed sets by feed, which are unpacked on first use. */
class UnpackedSets {
	private readonly unpacked = new Map<string, HashSet>();

	constructor(private readonly packed: Record<string, Packed>) {}

	of(feed: string): HashSet {
		return getOrCreate(this.unpacked, feed, () => HashSet.of(this.packed[feed]));
	}

	pack(): Record<string, Packed> {
		const changed = [...this.unpacked].map(([feed, set]) => [feed, set.pack()] as const);
		return { ...this.packed, ...Object.fromEntries(changed) };
	}
}

/** The usual form of a story hash after its feed: six hexadecimal digits. */
const USUAL = /^[0-9a-f]{6}$/;
const DIGEST_BYTES = 5;

/**
 * A set of texts in Base64: three bytes for each if all are six hexadecimal digits (`3…`), otherwise a digest of five
 * bytes for each (`5…`). Digests can be looked up, but not read back.
 */
export type Packed = string;

const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, DIGEST_BYTES * 2);

/** A set of texts that can be packed. It keeps their order. */
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

	/** Adds the members of `other` that are not in `texts`. */
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
