import { hash } from 'crypto';
import { getOrCreate, isRecord } from '../../runtime/values';

/**
 * What a trigger remembers of a list of story hashes, by feed and without the feed's id:
 *
 *                  enters            leaves               comes back
 *     unknown ───────────► present ─────────► gone ───────────────────► present
 *                  new                              returned, if chosen
 *
 * - A story is an event only on its way into `present`.
 * - It enters `present` when its event is processed, not when the event is detected: so no event is lost.
 * - A story that leaves the list enters `gone`: so it is recognized when it comes back.
 */
export interface HashCursor {
	/** The known stories that the list contains. */
	present: Record<string, Packed>;
	/** Known stories that have left the list. If there are too many, only those that left last. */
	gone: Record<string, Packed>;
	/** How often a story came back into the list, by hash. Part of the event ids. */
	returnCounts: Record<string, number>;
	/**
	 * For a list that contains only the newest stories of a feed: by feed, the date (Unix seconds) up to which an unknown
	 * story is not new.
	 */
	knownUntil?: Record<string, number>;
	/** For a list that is dated by entry: its newest entries. */
	latest?: LatestEntries;
	/**
	 * For a list that is dated by entry: known stories that appeared with a new date and are not processed yet, by hash.
	 * The value decides what happened. If the story itself says that it entered the list at this time (Unix seconds) or
	 * later, it left and came back; otherwise it was only changed.
	 */
	redated?: Record<string, number>;
	/** How often a story was in the list but could not be read, by hash. */
	unreadable: Record<string, number>;
	/** In how many polls in a row more stories were missing than `gone` can hold; undefined if in none. */
	doubtedPolls?: number;
	/** By day since 1970, the hashes of the groups of similar stories that were emitted on that day. */
	emittedGroups?: Record<string, Packed>;
}

/** The newest date of a list, in Unix seconds, and the hashes with that date. */
export interface LatestEntries {
	at: number;
	hashes: string[];
}

export interface HashEvent {
	/** The feed under which the list contains the story. */
	feed: string;
	hash: string;
	/** How often the story came back into the list; 0 for a new one. */
	returnCount: number;
	/** Only for a known story with a new date: the value of `redated`. */
	returnedIfEnteredSince?: number;
	/** How often the story could not be read. */
	unreadable?: number;
	/** The group of similar stories that the story was processed with, and the day on which that group was emitted. */
	group?: { day: number; hashes: string[] };
}

/** The most stories whose returns are counted. */
const MAX_RETURN_COUNTS = 500;
/** A listed story that can't be read is given up after this many polls. */
export const MAX_READ_ATTEMPTS = 5;

/** The hash without its feed. */
export const withoutFeed = (hash: string): string => hash.slice(hash.indexOf(':') + 1);

/** The cursor that knows no stories. */
export const NO_KNOWN_STORIES: HashCursor = { present: {}, gone: {}, returnCounts: {}, unreadable: {} };

/** A saved cursor; undefined if it is broken. */
export const parseHashCursor = (saved: unknown): HashCursor | undefined =>
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

/** The cursor that knows the stories of these events. A story that could not be read stays unknown, and is tried again. */
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

/** Packed sets by feed; each is unpacked when it is first used. */
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
 * A set of texts in Base64. `3…`: all texts are six hexadecimal digits, in three bytes each. `5…`: other texts, as
 * digests of five bytes each, which can be looked up, but not read back.
 */
export type Packed = string;

const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, DIGEST_BYTES * 2);

/** A set of texts that can be packed. Keeps the order in which they were added. */
export class HashSet {
	private constructor(
		private members: Set<string>,
		private isDigested: boolean,
	) {}

	/** The set that was packed; empty for an empty text or undefined. */
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

	/** Drops the members that were added first, until `size` are left. */
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
