import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { clock } from '../../runtime/clock';
import { MAX_READINGS } from '../../runtime/transport/lists';
import type { KnownEntries, ListEntry } from './known-entries';

export interface Entry extends ListEntry {
	passesFilters: boolean;
	item(): IDataObject | Promise<IDataObject>;
	/** What is saved to emit the entry again. */
	kept: Record<string, unknown>;
}

export type PageReader = (page: number) => Promise<{ entries: Entry[]; more: boolean }>;

/** A list, and the origins that its entries can have. */
export interface WatchedList {
	origins: string[];
	readPage: PageReader;
}

/** How far a list is read. */
export interface ReadingDepth {
	/** How many pages are read in a first poll, after an origin joins, and while events wait; at most as many for late entries. */
	depth: number;
	/** For lists sorted by date: a new entry may be up to this many seconds old when it appears, below newer ones. */
	lateSeconds?: number;
}

/** The entries of a list that were read, newest first, and whether more follow them. */
export interface ReadList {
	origins: string[];
	entries: Entry[];
	more: boolean;
}

const MAX_PAGES = 100;

/** Reads one list from the newest entry down to a known one, or deeper if new ones may be below it. */
export class ListReader {
	constructor(
		private readonly list: WatchedList,
		private readonly options: ReadingDepth,
		/** Whether the list is read as deep as in a first poll: an origin joins, or events wait that known entries may hide. */
		private readonly isDeep: boolean,
		private readonly known: KnownEntries,
		private readonly api: Api,
	) {}

	/** Reads the list again if entries move between its pages meanwhile. */
	async read(): Promise<ReadList> {
		for (let readings = 1; ; readings += 1) {
			const { pages, more, isCut } = await this.readDown();
			const isLast = isCut || readings === MAX_READINGS || !this.api.hasTime();
			if (!isLast && (await this.hasMoved(pages))) continue;
			if (isCut) {
				this.api.hint(
					`Older events were skipped: this poll read new entries up to page ${pages.length}, and more follow`,
				);
			}
			return { origins: this.list.origins, entries: more ? this.withoutOlder(pages) : pages.flat(), more };
		}
	}

	/** Reads pages until they are enough, or until the poll has read as many as it can. */
	private async readDown(): Promise<{ pages: Entry[][]; more: boolean; isCut: boolean }> {
		const pages: Entry[][] = [];
		for (;;) {
			const { entries, more } = await this.list.readPage(pages.length + 1);
			pages.push(entries);
			if (!more || this.isEnough(pages)) return { pages, more, isCut: false };
			if (pages.length >= MAX_PAGES || !this.api.hasTime()) {
				return { pages, more, isCut: pages.some((page) => this.hasNew(page)) };
			}
		}
	}

	/** Whether the reading may end: the last page has nothing new, and nothing new may follow within `depth` pages. */
	private isEnough(pages: Entry[][]): boolean {
		const last = pages.at(-1) ?? [];
		const notOlder = new Set(this.withoutOlder(pages));
		// The service hid all stories of an empty page, or all are of others. It does not show how the list goes on.
		if (last.length === 0 || this.hasNew(last.filter((entry) => notOlder.has(entry)))) return false;
		return pages.length >= this.options.depth || !(this.isDeep || this.lateMayFollow(pages));
	}

	/**
	 * The entries of a list that goes on. Those without a date below the last known entry of their origin are left out in a
	 * deep reading: they are older, and moved up since others were removed.
	 */
	private withoutOlder(pages: Entry[][]): Entry[] {
		const entries = pages.flat();
		if (!this.isDeep) return entries;
		const mayBeOlder = entries.map((entry) => entry.at === undefined && this.known.isNew(entry));
		const lastKnown = new Map(
			entries.flatMap(({ origin }, index) => (mayBeOlder[index] ? [] : [[origin, index]])),
		);
		return entries.filter(
			({ origin }, index) => !mayBeOlder[index] || index < (lastKnown.get(origin) ?? Infinity),
		);
	}

	/** Whether late entries may follow known ones. */
	private lateMayFollow(pages: Entry[][]): boolean {
		const { lateSeconds = 0 } = this.options;
		const last = pages.at(-1)?.at(-1)?.at ?? -Infinity;
		return lateSeconds > 0 && last > clock.now() / 1000 - lateSeconds;
	}

	/**
	 * Whether pages have changed since they were read. If an entry was removed, the following ones moved up, and the next page
	 * lacks its first entry. That matters only if one of the two pages has a new entry.
	 */
	private async hasMoved(pages: Entry[][]): Promise<boolean> {
		for (let index = pages.length - 2; index >= 0; index -= 1) {
			if (!this.hasNew(pages[index]) && !this.hasNew(pages[index + 1])) continue;
			if (!this.api.hasTime()) return false;
			const { entries } = await this.list.readPage(index + 1);
			if (keysOf(entries) !== keysOf(pages[index] ?? [])) return true;
		}
		return false;
	}

	private hasNew(page: Entry[] = []): boolean {
		return page.some((entry) => this.known.isNew(entry));
	}
}

const keysOf = (entries: Entry[]): string => JSON.stringify(entries.map(({ key }) => key));
