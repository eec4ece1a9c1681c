import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { triggerItem, type Collected, type TriggerItem, type Watch } from '../../runtime/table/event';
import { oneListAtATime } from '../model/story-lists';
import {
	fingerprint,
	groupsAfter,
	hasJoined,
	isCursor,
	isOlderThan,
	knownIn,
	numbered,
	serializeEntry,
	withEntries,
	type Entry,
	type NewestFirstCursor,
} from './newest-first-cursor';
import { readList, type NewestFirstOptions } from './newest-first-reading';

/** A new entry. An emitted one is saved without `item` and `passesFilters`. */
interface NewEntry {
	id: string;
	at?: number;
	kept: Record<string, unknown>;
	item?(): IDataObject | Promise<IDataObject>;
	passesFilters?: boolean;
}

export interface NewestFirstSnapshot {
	/** Newest first. */
	entries: Entry[];
	groups: string[] | null;
	/** Whether a list continues after these entries. */
	hasMore: boolean;
	/**
	 * For each list, the last page without a known entry, if there are more new entries than a poll can read; otherwise
	 * 0.
	 */
	backlogPages: number[];
}

/** Watches lists of any length that have the newest entries first. */
export class NewestFirstWatch implements Watch<NewestFirstCursor, NewestFirstSnapshot, NewEntry> {
	constructor(private readonly options: NewestFirstOptions) {}

	parseCursor(saved: unknown): NewestFirstCursor | undefined {
		return isCursor(saved) ? saved : undefined;
	}

	async snapshot(cursor: NewestFirstCursor | undefined, api: Api): Promise<NewestFirstSnapshot> {
		const { lists, groups } = await this.options.lists(api);
		const { sharedServerList: kind } = this.options;
		const snapshot: NewestFirstSnapshot = { entries: [], groups, hasMore: false, backlogPages: [] };
		for (const [index, list] of lists.entries()) {
			const backlogPage = cursor?.backlogPages?.[index];
			const read = async () => await readList(list, cursor, this.options, api, backlogPage);
			const reading = kind ? await oneListAtATime(kind, api, read) : await read();
			for (const entry of reading.entries) snapshot.entries.push(entry);
			snapshot.hasMore ||= reading.hasMore;
			snapshot.backlogPages.push(reading.backlogPage);
		}
		return snapshot;
	}

	baseline({ entries, groups, hasMore }: NewestFirstSnapshot, emitCount: number): NewestFirstCursor {
		if (emitCount === Infinity) return { known: '', knownUntil: 0, groups };
		const all = numbered(entries);
		const passing = all.filter(({ entry }) => entry.passesFilters);
		const toEmit = new Set(passing.slice(emitCount > 0 ? -emitCount : all.length).map(({ id }) => id));
		const known = all
			.filter(({ id }) => !toEmit.has(id))
			.map(({ id, entry }) => serializeEntry(id, entry.at));
		return { known: known.join(';'), knownUntil: hasMore ? oldestDateOf(entries) : 0, groups };
	}

	detect(
		cursor: NewestFirstCursor,
		{ entries, groups, backlogPages }: NewestFirstSnapshot,
	): { events: NewEntry[]; cursor: NewestFirstCursor } {
		const known = knownIn(cursor);
		const unknown = numbered(entries).filter(
			({ id, entry }) => !known.has(fingerprint(id)) && !isOlderThan(entry, cursor.knownUntil),
		);
		const events = unknown
			.filter(({ entry }) => !hasJoined(entry, cursor))
			.map(({ id, entry: { at, kept, item, passesFilters } }) => ({ id, at, kept, item, passesFilters }));
		// When a group joins the list, its entries become known without an event.
		const joined = unknown
			.filter(({ entry }) => hasJoined(entry, cursor))
			.map(({ id, entry }) => ({ id, at: entry.at }));
		const hasBacklog = backlogPages.some((page) => page > 0);
		return {
			events,
			cursor: {
				...withEntries(cursor, joined),
				...groupsAfter(cursor, groups),
				backlogPages: hasBacklog ? backlogPages : undefined,
			},
		};
	}

	/**
	 * Processes events that the filters drop in their order, too: if they became known first, unknown entries below
	 * them would not be found.
	 */
	async collect(events: NewEntry[], maximum: number): Promise<Collected<NewEntry>> {
		const collected: Collected<NewEntry> = { processed: [], emitted: [], items: [] };
		for (const event of events) {
			const { id, at, kept, item, passesFilters } = event;
			if (passesFilters !== false && collected.items.length >= maximum) break;
			collected.processed.push(event);
			if (passesFilters === false) continue;
			collected.emitted.push({ id, at, kept });
			collected.items.push(await triggerItem(this.eventId(id), () => item?.() ?? {}));
		}
		return collected;
	}

	advance(cursor: NewestFirstCursor, processed: NewEntry[]): NewestFirstCursor {
		return withEntries(cursor, processed);
	}

	async restore(emitted: NewEntry[], api: Api): Promise<TriggerItem[]> {
		const kept = emitted.map((event) => event.kept);
		const records = await this.options.restore(kept, api);
		const items = emitted.map(async ({ id }, index) => {
			const record = records[index];
			return record ? [await triggerItem(this.eventId(id), () => record)] : [];
		});
		return (await Promise.all(items)).flat();
	}

	private eventId(id: string): string {
		return `${this.options.idPrefix}:${id}`;
	}
}

/** The oldest date of some entries; 0 if they have no dates. */
function oldestDateOf(entries: Entry[]): number {
	const dates = entries.map(({ at }) => at).filter((at) => at !== undefined);
	return dates.length === 0 ? 0 : dates.reduce((oldest, at) => Math.min(oldest, at), Infinity);
}
