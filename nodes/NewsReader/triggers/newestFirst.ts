import type { Api } from '../../runtime/table/operation';
import { itemOf, type Collected, type Item, type Watch } from '../../runtime/poll/watch';
import type { IDataObject } from 'n8n-workflow';
import {
	fingerprint,
	groupsAfter,
	hasJoined,
	isCursor,
	isOld,
	know,
	knownIn,
	numbered,
	serialize,
	type Entry,
	type NewestFirstCursor,
} from './newestFirstCursor';
import { readList, type NewestFirstOptions } from './newestFirstReading';

/** An entry that is new, with the number of the occurrence. */
export interface NewEntry {
	id: string;
	at?: number;
	kept: Record<string, unknown>;
	item?(): IDataObject | Promise<IDataObject>;
	isWanted?: boolean;
}

export interface NewestFirstSnapshot {
	/** Newest first. */
	entries: Entry[];
	groups: string[] | null;
	/** The list goes on after what was read. */
	hasMore: boolean;
	failure?: unknown;
}

/** Watches lists that show the newest first, and only part of all that ever was. */
export class NewestFirstWatch implements Watch<NewestFirstCursor, NewestFirstSnapshot, NewEntry> {
	constructor(private readonly options: NewestFirstOptions) {}

	read(saved: unknown): NewestFirstCursor | undefined {
		return isCursor(saved) ? saved : undefined;
	}

	async snapshot(cursor: NewestFirstCursor | undefined, api: Api): Promise<NewestFirstSnapshot> {
		const { lists, groups } = await this.options.lists(api);
		const snapshot: NewestFirstSnapshot = { entries: [], groups, hasMore: false };
		for (const list of lists) {
			const { entries, hasMore, failure } = await readList(list, cursor, this.options, api);
			snapshot.entries.push(...entries);
			snapshot.hasMore ||= hasMore;
			snapshot.failure ??= failure;
		}
		return snapshot;
	}

	failure(snapshot: NewestFirstSnapshot): unknown {
		return snapshot.failure;
	}

	baseline({ entries, groups, hasMore }: NewestFirstSnapshot, newest: number): NewestFirstCursor {
		if (newest === Infinity) return { known: '', floor: 0, groups };
		const all = numbered(entries);
		const wanted = all.filter(({ entry }) => entry.isWanted);
		const left = new Set(wanted.slice(newest > 0 ? -newest : all.length).map(({ id }) => id));
		const dates = entries.map(({ at }) => at).filter((at) => at !== undefined);
		const floor = hasMore && dates.length > 0 ? Math.min(...dates) : 0;
		const known = all.filter(({ id }) => !left.has(id)).map(({ id, entry }) => serialize(id, entry.at));
		return { known: known.join(';'), floor, groups };
	}

	detect(
		cursor: NewestFirstCursor,
		snapshot: NewestFirstSnapshot,
	): { events: NewEntry[]; cursor: NewestFirstCursor } {
		if (snapshot.failure !== undefined) return { events: [], cursor };
		const known = knownIn(cursor);
		const unknown = numbered(snapshot.entries).filter(
			({ id, entry }) => !known.has(fingerprint(id)) && !isOld(entry, cursor.floor),
		);
		const events = unknown
			.filter(({ entry }) => !hasJoined(entry, cursor))
			.map(({ id, entry: { at, kept, item, isWanted } }) => ({ id, at, kept, item, isWanted }));
		const joined = unknown.filter(({ entry }) => hasJoined(entry, cursor));
		const learnt = joined.map(({ id, entry }) => ({ id, at: entry.at }));
		return { events, cursor: { ...know(cursor, learnt), ...groupsAfter(cursor, snapshot.groups) } };
	}

	/** What is not wanted becomes known in its turn: known entries above others would hide them. */
	async collect(events: NewEntry[], maximum: number): Promise<Collected<NewEntry>> {
		const collected: Collected<NewEntry> = { processed: [], handedOver: [], items: [] };
		for (const event of events) {
			const { id, at, kept, item, isWanted } = event;
			if (isWanted !== false && collected.items.length >= maximum) break;
			collected.processed.push(event);
			if (isWanted === false) continue;
			collected.handedOver.push({ id, at, kept });
			collected.items.push(await itemOf(this.eventId(id), () => item?.() ?? {}));
		}
		return collected;
	}

	advance(cursor: NewestFirstCursor, processed: NewEntry[]): NewestFirstCursor {
		return know(cursor, processed);
	}

	async restore(handedOver: NewEntry[], api: Api): Promise<Item[]> {
		const kept = handedOver.map((event) => event.kept);
		const records = await this.options.restore(kept, api);
		const items = handedOver.map(async ({ id }, place) => {
			const record = records[place];
			return record ? [await itemOf(this.eventId(id), () => record)] : [];
		});
		return (await Promise.all(items)).flat();
	}

	private eventId(id: string): string {
		return `${this.options.name}:${id}`;
	}
}
