import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { clock } from '../../runtime/clock';

/** An entry of a list. */
export interface Entry {
	/** Identifies the entry. */
	key: string;
	/** The entry's date in Unix seconds, if the list is sorted by date. */
	at?: number;
	/** The user or search that the entry belongs to; the same for all entries of a list without groups. */
	group: string;
	/** Whether the entry passes the filters. */
	passesFilters: boolean;
	/** Makes the entry's item. */
	item(): IDataObject | Promise<IDataObject>;
	/** What is saved to emit the entry again. */
	kept: Record<string, unknown>;
}

/** Reads one page of a list. */
export type PageReader = (page: number) => Promise<{ entries: Entry[]; more: boolean }>;

/** The entries of a list, newest first, and whether the list continues after them. */
export interface Reading {
	entries: Entry[];
	hasMore: boolean;
}

/** What earlier polls know of a list. */
export interface KnownList {
	/** Whether a group was in the list before. */
	has(group: string): boolean;
	isNew(entry: Entry): boolean;
}

export interface ReadingOptions {
	/** How many pages of a list are read in the first poll, and after a group joins the list. */
	depth: number;
	/** For lists sorted by date: a new entry may be up to this many seconds old when it appears, below newer ones. */
	lateSeconds?: number;
}

/** The most pages of a list that one poll reads. */
const MAX_PAGES = 100;
/** A list that changes while it is read is read at most this many times. */
const MAX_READINGS = 3;

/** Reads one list from the newest entry down to a known one. */
export class ListReader {
	private readonly now = clock.now() / 1000;

	constructor(
		private readonly list: PageReader,
		private readonly options: ReadingOptions,
		/** Undefined in the first poll. */
		private readonly known: KnownList | undefined,
		private readonly api: Api,
	) {}

	/** Reads the list again if entries move between its pages meanwhile. */
	async read(): Promise<Reading> {
		for (let readings = 1; ; readings += 1) {
			const { pages, hasMore, isCut } = await this.readDown();
			const isLast = isCut || readings === MAX_READINGS || !this.api.hasTime();
			if (!isLast && (await this.hasMoved(pages))) continue;
			if (isCut) {
				this.api.hint(
					`Older events were skipped: this poll read ${pages.length} pages of new entries, and more follow`,
				);
			}
			return { entries: pages.flat(), hasMore };
		}
	}

	/** Reads pages until one has nothing new, or until the poll has read as many as it can. */
	private async readDown(): Promise<{ pages: Entry[][]; hasMore: boolean; isCut: boolean }> {
		const pages: Entry[][] = [];
		for (;;) {
			const { entries, more: hasMore } = await this.list(pages.length + 1);
			pages.push(entries.map((entry) => this.notInFuture(entry)));
			if (!hasMore || this.isEnough(pages)) return { pages, hasMore, isCut: false };
			if (pages.length >= MAX_PAGES || !this.api.hasTime()) {
				return { pages, hasMore, isCut: this.known !== undefined };
			}
		}
	}

	/** Whether no further page is needed. */
	private isEnough(pages: Entry[][]): boolean {
		// The service hid all stories of an empty page. It does not show how the list goes on.
		if (pages.at(-1)?.length === 0) return false;
		if (this.known && this.hasNew(pages.at(-1))) return false;
		return pages.length >= this.options.depth || (this.known !== undefined && !this.newMayFollow(pages));
	}

	/** Whether new entries may follow known ones: late entries, or those of a group that has joined the list. */
	private newMayFollow(pages: Entry[][]): boolean {
		const { lateSeconds = 0 } = this.options;
		const last = pages.at(-1)?.at(-1)?.at ?? -Infinity;
		if (lateSeconds > 0 && last > this.now - lateSeconds) return true;
		return pages.flat().some(({ group }) => this.known?.has(group) === false);
	}

	/**
	 * Whether entries moved between pages while they were read: then a page is different when it is read again.
	 * - If an entry was added, the last one of a page is repeated on the next page.
	 * - If an entry was removed, the first one of the next page is skipped. That matters only if one of the two pages
	 *   has a new entry.
	 */
	private async hasMoved(pages: Entry[][]): Promise<boolean> {
		const keys = pages.flat().map(({ key }) => key);
		const hasRepeats = new Set(keys).size < keys.length;
		for (let index = pages.length - 2; index >= 0; index -= 1) {
			if (!hasRepeats && !this.hasNew(pages[index]) && !this.hasNew(pages[index + 1])) continue;
			if (!this.api.hasTime()) return false;
			const { entries } = await this.list(index + 1);
			if (keysOf(entries) !== keysOf(pages[index] ?? [])) return true;
		}
		return false;
	}

	private hasNew(page: Entry[] = []): boolean {
		return page.some((entry) => this.known?.isNew(entry) === true);
	}

	/** Publishers date some stories in the future. Those count as current: otherwise stories that follow would seem older. */
	private notInFuture(entry: Entry): Entry {
		return entry.at !== undefined && entry.at > this.now ? { ...entry, at: this.now } : entry;
	}
}

const keysOf = (entries: Entry[]): string => JSON.stringify(entries.map(({ key }) => key));
