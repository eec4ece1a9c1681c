import { createHash } from 'crypto';

/** What identifies an entry of a list, and dates it. */
export interface ListEntry {
	key: string;
	/** The entry's date in Unix seconds, if the list is sorted by date. */
	at?: number;
	/** The user or search that the entry belongs to; the same for all entries of a list without origins. */
	origin: string;
}

export const ONE_ORIGIN = '';

/** The known entries of each origin, as they are saved. */
export type SavedOrigins = Record<string, SavedOrigin>;

interface SavedOrigin {
	/** The known entries with their dates (Unix seconds; null without a date), in the order in which they were last read. */
	known: Array<[fingerprint: string, at: number | null]>;
	/** An unknown entry with this date (Unix seconds) or an earlier one is not new; 0 if there is no such date. */
	until: number;
}

interface Origin {
	known: Map<string, number | null>;
	until: number;
}

/** How many entries of an origin are remembered: as many shares as a first poll reads, 25 pages of 50 (shares.ts). */
const MAX_KNOWN = 1_250;

/** The entries that earlier polls know, to look them up and to add others. */
export class KnownEntries {
	private readonly origins: Map<string, Origin>;

	constructor(saved: SavedOrigins) {
		this.origins = new Map(
			Object.entries(saved).map(([origin, { known, until }]) => [origin, { known: new Map(known), until }]),
		);
	}

	has(origin: string): boolean {
		return this.origins.has(origin);
	}

	/** Whether an entry is new. The entries of an origin that has just joined are not. */
	isNew({ key, at, origin }: ListEntry): boolean {
		const own = this.origins.get(origin);
		if (!own || own.known.has(fingerprint(key))) return false;
		return at === undefined || own.until === 0 || at > own.until;
	}

	/** Adds an origin. Of its entries, those are known that are added, and those dated up to `until`. */
	join(origin: string, until: number): void {
		this.origins.set(origin, { known: new Map(), until: Math.max(until, 0) });
	}

	/** Adds an entry as the last one, also if it is known. */
	add({ key, at, origin }: ListEntry): void {
		const known = this.origins.get(origin)?.known;
		const print = fingerprint(key);
		known?.delete(print);
		known?.set(print, at ?? null);
	}

	/** Leaves out the entries that are too many: those that were read longest ago. Their latest date becomes `until`. */
	saved(): SavedOrigins {
		const saved = [...this.origins].map(([origin, { known, until }]): [string, SavedOrigin] => {
			const entries = [...known];
			// A date in the future counts as that of the last entry: otherwise new entries would seem older.
			const last = entries.at(-1)?.[1] ?? 0;
			const forgotten = entries.slice(0, -MAX_KNOWN).map(([, at]) => Math.min(at ?? 0, last));
			return [origin, { known: entries.slice(-MAX_KNOWN), until: Math.max(until, ...forgotten) }];
		});
		return Object.fromEntries(saved);
	}
}

const fingerprint = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 9);
