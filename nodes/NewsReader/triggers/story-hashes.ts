import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/http-types';
import type { Api } from '../../runtime/table/operation';
import { isServerFailure } from '../../runtime/errors/errors';
import { settled } from '../../runtime/values';
import { triggerItem, type Collected, type TriggerItem, type Watch } from '../../runtime/table/event';
import { HASHES_PER_REQUEST, type HashesByFeed, type StoriesByHash } from '../model/hashes';
import {
	allKnownBut,
	compareHashes,
	newestHashes,
	snapshotOf,
	type ListKind,
	type HashSnapshot,
} from './hash-comparison';
import {
	advanceGroups,
	bestOf,
	EmittedGroups,
	groupsOf,
	type NewStory,
	type StoryGroup,
} from './similar-groups';
import {
	advanceHashes,
	MAX_READ_ATTEMPTS,
	NO_KNOWN_STORIES,
	readHashCursor,
	type HashCursor,
	type HashEvent,
} from './hash-cursor';

export interface StoryHashOptions {
	/** The beginning of its event ids. */
	name: string;
	/** Reads the list. */
	list(api: Api): Promise<HashesByFeed>;
	/** Reads up to a hundred stories by hash. */
	stories(api: Api, hashes: string[]): Promise<StoriesByHash>;
	/** The kind of the list. */
	kind: ListKind;
	/** When a story came into the list, by its own data: Unix seconds. For lists that are dated by entry. */
	enteredAt?(story: IDataObject): number | undefined;
	/** Whether the filters let a story through; left out without filters. */
	isWanted?(story: IDataObject): boolean;
	/** Whether similar stories become one item. */
	groupsSimilar?: boolean;
	item(story: IDataObject, response: ApiResponse, api: Api): Promise<IDataObject>;
}

/** How many of the newest stories a first poll filters for the latest ones. */
const MAX_CANDIDATES = 1_000;
/** The most requests for stories in one poll. The next poll continues. */
const MAX_REQUESTS = 20;

/** Stories that could not be read, and why. */
interface Failed {
	chunk: HashEvent[];
	error: unknown;
}

/** Whether the service failed at a story that was requested alone. */
const isOfStory = ({ chunk, error }: Failed): boolean => chunk.length === 1 && isServerFailure(error);

/** Divides entries among requests. A chunk whose request failed is split into halves. */
class Chunks<Entry> {
	private readonly halves: Entry[][] = [];
	private taken = 0;

	constructor(private readonly entries: Entry[]) {}

	/** The next chunk: a half of a failed one, or up to `size` further entries; empty at the end. */
	next(size: number): Entry[] {
		const half = this.halves.shift();
		if (half) return half;
		const from = this.taken;
		this.taken += Math.min(size, HASHES_PER_REQUEST);
		return this.entries.slice(from, this.taken);
	}

	/** Splits a failed chunk of several entries. Its halves come before or after those of other chunks. */
	split(chunk: Entry[], place: 'before' | 'after'): void {
		if (chunk.length <= 1) return;
		const middle = Math.ceil(chunk.length / 2);
		const halves = [chunk.slice(0, middle), chunk.slice(middle)];
		if (place === 'before') this.halves.unshift(...halves);
		else this.halves.push(...halves);
	}
}

/** What one `collect` has gathered so far. */
interface Collection {
	maximum: number;
	collected: Collected<HashEvent>;
	emittedGroups: EmittedGroups;
}

const hashesOf = (events: HashEvent[]): string[] => events.map(({ hash }) => hash);

/** Watches a list of story hashes. */
export class StoryHashWatch implements Watch<HashCursor, HashSnapshot, HashEvent> {
	readonly read = readHashCursor;

	constructor(private readonly options: StoryHashOptions) {}

	async snapshot(cursor: HashCursor | undefined, api: Api): Promise<HashSnapshot> {
		return snapshotOf(await this.options.list(api), this.options.kind, cursor?.latest?.at);
	}

	baseline(snapshot: HashSnapshot, newest: number): HashCursor {
		if (newest === Infinity) return NO_KNOWN_STORIES;
		return allKnownBut(snapshot, newestHashes(snapshot, newest), this.options.kind);
	}

	async filteredBaseline(snapshot: HashSnapshot, newest: number, api: Api): Promise<HashCursor> {
		const candidates = newestHashes(snapshot, MAX_CANDIDATES);
		return allKnownBut(snapshot, await this.firstWanted(candidates, newest, api), this.options.kind);
	}

	detect(cursor: HashCursor, snapshot: HashSnapshot): { events: HashEvent[]; cursor: HashCursor } {
		return compareHashes(cursor, snapshot, this.options.kind);
	}

	advance(cursor: HashCursor, processed: HashEvent[]): HashCursor {
		const emittedGroups = advanceGroups(cursor.emittedGroups, processed);
		return { ...advanceHashes(cursor, processed), ...(emittedGroups && { emittedGroups }) };
	}

	async collect(
		events: HashEvent[],
		maximum: number,
		api: Api,
		cursor: HashCursor,
	): Promise<Collected<HashEvent>> {
		const { isWanted } = this.options;
		const collected: Collected<HashEvent> = { processed: [], emitted: [], items: [] };
		const collection = { maximum, collected, emittedGroups: new EmittedGroups(cursor) };
		const failed: Failed[] = [];
		const chunks = new Chunks(events);
		for (let requests = 0; collected.items.length < maximum; requests += 1) {
			if (requests > 0 && (requests >= MAX_REQUESTS || !api.hasTime())) break;
			const room = isWanted ? HASHES_PER_REQUEST : maximum - collected.items.length;
			const chunk = chunks.next(room);
			if (chunk.length === 0) break;
			const read = await settled(this.options.stories(api, hashesOf(chunk)));
			if ('value' in read) await this.collectChunk(chunk, read.value, collection, api);
			else {
				failed.push({ chunk, error: read.error });
				if (!isServerFailure(read.error)) break;
				chunks.split(chunk, 'after');
			}
		}
		await this.giveUp(failed.filter(isOfStory), maximum, collected);
		if (failed[0] && collected.processed.length === 0) throw failed[0].error as Error;
		return { ...collected, failure: failed[0]?.error };
	}

	/** The service fails at these stories, but not at others: after some polls their items contain the error instead. */
	private async giveUp(
		single: Failed[],
		maximum: number,
		{ processed, items }: Collected<HashEvent>,
	): Promise<void> {
		const isResponding = processed.length > 0;
		for (const { chunk, error } of single) {
			for (const event of chunk) {
				const unreadable = (event.unreadable ?? 0) + 1;
				const isOver = unreadable >= MAX_READ_ATTEMPTS;
				if (isOver ? items.length >= maximum : !isResponding) continue;
				processed.push({ ...event, unreadable });
				if (isOver)
					items.push(
						await triggerItem(this.eventId(event), async () => await Promise.reject(error as Error)),
					);
			}
		}
	}

	async restore(emitted: HashEvent[], api: Api): Promise<TriggerItem[]> {
		const items: TriggerItem[] = [];
		for (let next = 0; next < emitted.length; next += HASHES_PER_REQUEST) {
			const chunk = emitted.slice(next, next + HASHES_PER_REQUEST);
			const { stories, response } = await this.options.stories(api, hashesOf(chunk));
			for (const event of chunk) {
				const story = stories.get(event.hash);
				if (story) items.push(await this.itemOf(event, story, response, api));
			}
		}
		return items;
	}

	private async collectChunk(
		chunk: HashEvent[],
		{ stories, response }: StoriesByHash,
		{ maximum, collected, emittedGroups }: Collection,
		api: Api,
	): Promise<void> {
		const { processed, emitted, items } = collected;
		const wanted: NewStory[] = [];
		for (const { unreadable = 0, ...event } of chunk) {
			const story = stories.get(event.hash);
			if (!story) processed.push({ ...event, unreadable: unreadable + 1 });
			else if (!this.isNew(event, story)) {
				processed.push({ feed: event.feed, hash: event.hash, returnCount: 0 });
			} else if (this.options.isWanted?.(story) === false) processed.push(event);
			else wanted.push({ event, story });
		}
		for (const group of this.groupsIn(wanted)) {
			const { day, isEmitted } = emittedGroups.dayOf(group);
			const best = isEmitted ? undefined : bestOf(group);
			if (best && items.length >= maximum) return;
			const isNoted = this.options.groupsSimilar === true;
			const noted = isNoted && { group: { day, hashes: group.hashes } };
			processed.push(...group.members.map(({ event }) => ({ ...event, ...noted })));
			if (isNoted) emittedGroups.add(day, group);
			if (!best) continue;
			emitted.push(best.event);
			items.push(await this.itemOf(best.event, best.story, response, api));
		}
	}

	/** The stories that become one item each: groups, or single stories. */
	private groupsIn(stories: NewStory[]): StoryGroup[] {
		if (this.options.groupsSimilar) return groupsOf(stories);
		return stories.map((story) => ({ members: [story], hashes: [] }));
	}

	/** A known story with a new date came back only if its own data says so; otherwise it was changed. */
	private isNew({ since }: HashEvent, story: IDataObject): boolean {
		const enteredAt = this.options.enteredAt?.(story);
		return since === undefined || enteredAt === undefined || enteredAt >= since;
	}

	private async itemOf(
		event: HashEvent,
		story: IDataObject,
		response: ApiResponse,
		api: Api,
	): Promise<TriggerItem> {
		return await triggerItem(this.eventId(event), async () => await this.options.item(story, response, api));
	}

	private eventId({ hash, returnCount }: HashEvent): string {
		return `${this.options.name}:${hash}${returnCount > 0 ? `#${returnCount}` : ''}`;
	}

	/** The first of these stories that the filters let through. Stories at which the service fails are skipped, if it responds for others. */
	private async firstWanted(hashes: string[], count: number, api: Api): Promise<string[]> {
		const { isWanted } = this.options;
		if (!isWanted) return hashes.slice(0, count);
		const wanted: string[] = [];
		const chunks = new Chunks(hashes);
		const failures: unknown[] = [];
		let isResponding = false;
		for (let requests = 0; wanted.length < count; requests += 1) {
			if (requests > 0 && !api.hasTime()) break;
			const chunk = chunks.next(requests === 0 ? count : HASHES_PER_REQUEST);
			if (chunk.length === 0) break;
			const read = await settled(this.options.stories(api, chunk));
			if ('error' in read) {
				failures.push(read.error);
				if (!isServerFailure(read.error) || (!isResponding && failures.length > MAX_REQUESTS)) break;
				chunks.split(chunk, 'before');
				continue;
			}
			isResponding = true;
			const { stories } = read.value;
			const isOneOf = (hash: string): boolean => {
				const story = stories.get(hash);
				return story !== undefined && isWanted(story);
			};
			for (const hash of chunk.filter(isOneOf)) wanted.push(hash);
		}
		const failure = failures.find((error) => !isResponding || !isServerFailure(error));
		if (failure !== undefined) throw failure as Error;
		return wanted.slice(0, count);
	}
}
