import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { isRefusal } from '../../runtime/errors/errors';
import { clock } from '../../runtime/clock';
import { settled } from '../../runtime/values';
import {
	fingerprint,
	hasJoined,
	isOlderThan,
	knownIn,
	numbered,
	oldestKnown,
	type Entry,
	type NewestFirstCursor,
} from './newest-first-cursor';

/** Reads one page of a list. */
export type PageReader = (page: number) => Promise<{ entries: Entry[]; more: boolean }>;

export interface NewestFirstOptions {
	/** The beginning of the event ids. */
	idPrefix: string;
	/** The lists, which are read one after another, and the groups of their entries. */
	lists(api: Api): Promise<{ lists: PageReader[]; groups: string[] | null }>;
	/**
	 * The server keeps only one list of this kind for each account: two lists of one kind are never read at the same
	 * time.
	 */
	sharedServerList?: 'river' | 'shared';
	/** How many pages of a list are read in the first poll, and after a group joins the list. */
	depth: number;
	/** For lists sorted by date: a new entry may be up to this many seconds old when it appears, below newer ones. */
	lateSeconds?: number;
	/** Makes the items of saved entries, from their `kept`; undefined for an entry that no longer exists. */
	restore(kept: Array<Record<string, unknown>>, api: Api): Promise<Array<IDataObject | undefined>>;
}

/** What a poll read of a list. */
export interface ListReading {
	/** Newest first. */
	entries: Entry[];
	/** Whether the list continues after these entries. */
	hasMore: boolean;
	/** The last page without a known entry, if there are more new entries than a poll can read; otherwise 0. */
	backlogPage: number;
}

/**
 * Why reading stopped:
 * - `end`: the list has no more pages.
 * - `known`: the rest of the list is known, or the first poll has read as much as it needs.
 * - `limit`: the poll has no more time, or has read `MAX_PAGES`, and has not reached a known entry.
 */
type Stop = 'end' | 'known' | 'limit';

/** Pages that were read one after the other. */
interface Pages {
	/** The number of the first page. */
	first: number;
	pages: Entry[][];
	stop: Stop;
}

/** If no entry of this many pages is known, the poll reads the oldest new entries instead. */
const MAX_PAGES = 100;
/** How many pages of a backlog one poll reads. */
const BACKLOG_PAGES = 20;
/** A list that changes while it is read is read at most this many times. */
const MAX_READINGS = 3;

/** Reads the new entries of a list: all of them, or the oldest ones if there are too many for one poll. */
export async function readList(
	list: PageReader,
	cursor: NewestFirstCursor | undefined,
	options: NewestFirstOptions,
	api: Api,
	backlogPage = 0,
): Promise<ListReading> {
	if (!cursor) return await new FirstReading(list, options, api).read();
	const reading = new LaterReading(list, options, api, cursor);
	return backlogPage > 0 ? await reading.readBacklog(backlogPage) : await reading.read();
}

/** Reads pages of one list one after another, and again if entries move between pages meanwhile. */
abstract class Reading {
	/**
	 * Now, in Unix seconds: after `knownUntil`, even if our clock was set back. Entries with a later date count as
	 * current.
	 */
	protected readonly latest: number;

	constructor(
		private readonly list: PageReader,
		protected readonly options: NewestFirstOptions,
		protected readonly api: Api,
		knownUntil: number,
	) {
		this.latest = Math.max(clock.now() / 1000, knownUntil + 1);
	}

	/** Whether no entry after these pages is needed; `page` is the number of the last page. */
	protected abstract reachesKnown(pages: Entry[][], page: number): boolean;

	/** Whether an entry is new. In the first poll, no entry is. */
	protected abstract isNew(entry: Entry): boolean;

	protected async readStable(first = 1): Promise<Pages> {
		for (let readings = 1; ; readings += 1) {
			const read = await this.readDown(first);
			if (!(await this.hasMoved(read))) return read;
			if (readings === MAX_READINGS || !this.api.hasTime()) {
				return { ...read, pages: withoutRepeats(read.pages) };
			}
		}
	}

	private async readDown(first: number): Promise<Pages> {
		const pages: Entry[][] = [];
		for (let page = first; ; page += 1) {
			const { entries, more } = await this.list(page);
			pages.push(entries.map((entry) => notAfter(this.latest, entry)));
			const hasMore = more && entries.length > 0;
			const stop = this.stopAfter(pages, page, hasMore);
			if (stop) return { first, pages, stop };
		}
	}

	private stopAfter(pages: Entry[][], page: number, hasMore: boolean): Stop | undefined {
		if (!hasMore) return 'end';
		if (this.reachesKnown(pages, page)) return 'known';
		return pages.length >= MAX_PAGES || !this.api.hasTime() ? 'limit' : undefined;
	}

	/**
	 * Whether entries moved between pages while they were read: then a page is different when it is read again.
	 * - If an entry was added, the last one of a page is repeated on the next page.
	 * - If an entry was removed, the first one of the next page is skipped. That matters only if one of the two pages
	 *   has a new entry.
	 */
	private async hasMoved({ first, pages }: Pages): Promise<boolean> {
		const hasRepeats = withoutRepeats(pages).flat().length < pages.flat().length;
		const hasNew = pages.map((page) => page.some((entry) => this.isNew(entry)));
		for (let index = pages.length - 2; index >= 0; index -= 1) {
			if (!hasRepeats && !hasNew[index] && !hasNew[index + 1]) continue;
			if (!this.api.hasTime()) return hasRepeats;
			const { entries } = await this.list(first + index);
			if (keysOf(entries) !== keysOf(pages[index] ?? [])) return true;
		}
		return false;
	}

	/** The entries of a page; none if the service refuses the page, because it is beyond the last one. */
	protected async entriesOf(page: number): Promise<Entry[]> {
		const read = await settled(this.list(page));
		if ('value' in read) return read.value.entries;
		if (isRefusal(read.error)) return [];
		throw read.error;
	}
}

/** Reads as many pages as a first poll needs. */
class FirstReading extends Reading {
	constructor(list: PageReader, options: NewestFirstOptions, api: Api) {
		super(list, options, api, 0);
	}

	async read(): Promise<ListReading> {
		const { pages, stop } = await this.readStable();
		return { entries: pages.flat(), hasMore: stop !== 'end', backlogPage: 0 };
	}

	protected reachesKnown(_: Entry[][], page: number): boolean {
		return page >= this.options.depth;
	}

	protected isNew(): boolean {
		return false;
	}
}

/** Reads as far as the entries that a cursor knows. */
class LaterReading extends Reading {
	private readonly known: Set<string>;

	constructor(
		list: PageReader,
		options: NewestFirstOptions,
		api: Api,
		private readonly cursor: NewestFirstCursor,
	) {
		super(list, options, api, cursor.knownUntil);
		this.known = knownIn(cursor);
	}

	async read(): Promise<ListReading> {
		const { pages, stop } = await this.readStable();
		if (stop !== 'limit') return { entries: pages.flat(), hasMore: stop !== 'end', backlogPage: 0 };
		this.api.hint('One poll cannot read everything that is new: the next polls emit the rest, oldest first');
		return await this.readBacklog(pages.length);
	}

	/**
	 * Reads the oldest new entries, which are just above the known ones:
	 *
	 *     page 1 ······· new ······· │ BACKLOG_PAGES ▼ │ known ······
	 *                      backlogPage (last page without a known entry)
	 */
	async readBacklog(backlogPage: number): Promise<ListReading> {
		const { below, above } = await this.findKnown(backlogPage);
		const isFound = above - below <= 1;
		if (!isFound) return { entries: [], hasMore: true, backlogPage: Math.max(below, 1) };
		const first = Math.max(above - BACKLOG_PAGES, 1);
		const { pages, stop } = await this.readStable(first);
		if (stop === 'limit') throw this.tooSlow();
		return { entries: pages.flat(), hasMore: stop !== 'end', backlogPage: first === 1 ? 0 : below };
	}

	/**
	 * Searches for the first page with a known entry, beginning at page `hint`. No entry up to page `below` is known; an
	 * entry on page `above` is. The two pages are neighbors, unless time ran out.
	 */
	private async findKnown(hint: number): Promise<{ below: number; above: number }> {
		const oldest = oldestKnown(this.cursor);
		const isKnown = (entry: Entry): boolean =>
			this.known.has(fingerprint(entry.key)) || isOlderThan(entry, oldest);
		let below = 0;
		let above = Infinity;
		let step = Math.max(Math.floor(this.options.depth / 2), 1);
		for (let page = hint; above - below > 1;) {
			const entries = await this.entriesOf(page);
			if (entries.length === 0 || entries.some(isKnown)) above = page;
			else below = page;
			if (!this.api.hasTime()) break;
			// Without dates, only the entries of the last polls can be recognized: a wider step could skip them.
			if (entries.every(({ at }) => at !== undefined)) step *= 2;
			page = above === Infinity ? below + step : Math.floor((below + above) / 2);
		}
		return { below, above };
	}

	protected reachesKnown(pages: Entry[][], page: number): boolean {
		return this.isLastPageKnown(pages) && (page >= this.options.depth || !this.unknownMayFollow(pages));
	}

	/** Whether an entry is new. An entry that equals a known one is not. */
	protected isNew(entry: Entry): boolean {
		return !this.isOld(entry) && !this.known.has(fingerprint(entry.key));
	}

	/** Whether unknown entries may follow known ones: late entries, or those of a group that has joined the list. */
	private unknownMayFollow(pages: Entry[][]): boolean {
		const { lateSeconds } = this.options;
		const lateFrom = lateSeconds === undefined ? Infinity : this.latest - lateSeconds;
		const lastAt = pages.at(-1)?.at(-1)?.at ?? -Infinity;
		return lastAt > lateFrom || pages.flat().some((entry) => hasJoined(entry, this.cursor));
	}

	/** Whether the last page contains no new entry. If it ends among equal entries, that is not certain. */
	private isLastPageKnown(pages: Entry[][]): boolean {
		const all = pages.flat();
		const page = new Set(pages.at(-1));
		const last = pages.at(-1)?.at(-1)?.key;
		if (all.filter(({ key }) => key === last).length > 1) return false;
		return numbered(all)
			.filter(({ entry }) => page.has(entry))
			.every(({ id, entry }) => this.isOld(entry) || this.known.has(fingerprint(id)));
	}

	/** Whether an entry is not new, although it is unknown. */
	private isOld(entry: Entry): boolean {
		return isOlderThan(entry, this.cursor.knownUntil) || hasJoined(entry, this.cursor);
	}

	private tooSlow(): Error {
		return this.api.apiError(
			`The service is too slow: one poll could not read ${BACKLOG_PAGES} pages`,
			'Nothing is lost: the next poll tries again.',
		);
	}
}

const keysOf = (entries: Entry[]): string => JSON.stringify(entries.map(({ key }) => key));

/** Pages without the entries that an earlier page contains. */
function withoutRepeats(pages: Entry[][]): Entry[][] {
	const earlier = new Set<string>();
	return pages.map((page) => {
		const fresh = page.filter(({ key }) => !earlier.has(key));
		for (const { key } of page) earlier.add(key);
		return fresh;
	});
}

/** Publishers date some stories in the future. Those count as current: otherwise stories that follow would seem older. */
const notAfter = (latest: number, entry: Entry): Entry =>
	entry.at !== undefined && entry.at > latest ? { ...entry, at: latest } : entry;
