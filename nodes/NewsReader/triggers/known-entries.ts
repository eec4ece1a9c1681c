import { createHash } from 'crypto';

/** What identifies an entry of a list, and dates it. */
export interface ListEntry {
	key: string;
	/** The entry's date in Unix seconds, if the list is sorted by date. */
	at?: number;
	/** The user or search that the entry belongs to; the same for all entries of a list without sources. */
	source: string;
}

export const ONE_SOURCE = '';

/** The known entries of each source, as they are saved. */
export type SavedSources = Record<string, SavedSource>;

interface SavedSource {
	/** The known entries as `fingerprint.seconds`, joined by `;`. The last one became known last. */
	known: string;
	/** An unknown entry with this date (Unix seconds) or an earlier one is not new; 0 if there is no such date. */
	until: number;
}

interface Source {
	/** The dates of the known entries in Unix seconds, by fingerprint; blank for an entry without a date. */
	known: Map<string, string>;
	until: number;
}

/** How many known entries are remembered: each source has the same share, but at least `MIN_KNOWN_OF_SOURCE`. */
const MAX_KNOWN_ENTRIES = 5_000;
/** Entries without a date are not covered by `until`: so it is as many as one reading shows. */
const MIN_KNOWN_OF_SOURCE = { dated: 300, undated: 1_250 };

/** The entries that earlier polls know, to look them up and to add others. */
export class KnownEntries {
	private readonly sources: Map<string, Source>;

	constructor(saved: SavedSources) {
		this.sources = new Map(
			Object.entries(saved).map(([source, { known, until }]) => [source, { known: parsed(known), until }]),
		);
	}

	has(source: string): boolean {
		return this.sources.has(source);
	}

	/** Whether an entry is new. The entries of a source that has just joined are not. */
	isNew({ key, at, source }: ListEntry): boolean {
		const of = this.sources.get(source);
		if (!of || of.known.has(fingerprint(key))) return false;
		return at === undefined || of.until === 0 || at > of.until;
	}

	/** Adds a source. Of its entries, those are known that are added, and those dated up to `until`. */
	join(source: string, until: number): void {
		this.sources.set(source, { known: new Map(), until: secondsOf(until) });
	}

	add({ key, at, source }: ListEntry): void {
		this.sources.get(source)?.known.set(fingerprint(key), at === undefined ? '' : String(secondsOf(at)));
	}

	/** Leaves out the entries that are too many: those that became known first. Their latest date becomes `until`. */
	saved(): SavedSources {
		const share = Math.floor(MAX_KNOWN_ENTRIES / this.sources.size);
		const saved = [...this.sources].map(([source, { known, until }]): [string, SavedSource] => {
			const all = [...known];
			const isDated = all[0]?.[1] !== '';
			const most = Math.max(share, MIN_KNOWN_OF_SOURCE[isDated ? 'dated' : 'undated']);
			const forgotten = all.slice(0, -most).map(([, seconds]) => Number(seconds));
			const kept = all.slice(-most).map((entry) => entry.join('.'));
			return [
				source,
				{ known: kept.join(';'), until: forgotten.reduce((latest, at) => Math.max(latest, at), until) },
			];
		});
		return Object.fromEntries(saved);
	}
}

const parsed = (known: string): Source['known'] =>
	new Map(known === '' ? [] : known.split(';').map((entry) => entry.split('.') as [string, string]));

const fingerprint = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 9);

const secondsOf = (at: number): number => Math.max(Math.floor(at), 0);
