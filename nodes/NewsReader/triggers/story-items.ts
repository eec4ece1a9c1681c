import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse } from '../../runtime/api-types';
import { classOf } from '../../runtime/errors/errors';
import { triggerItem, type Collected, type TriggerItem } from '../../runtime/table/event';
import { chunksOf, settled } from '../../runtime/values';
import { HASHES_PER_REQUEST, type StoriesByHash } from '../model/hashes';
import type { EmittedGroups, HashEvent } from './hash-event';
import { bestOf, emittedDays, groupsOf, today, type NewStory, type StoryGroup } from './similar-groups';

/** How stories become items. */
export interface StoryOptions {
	/** The beginning of the event ids. */
	idPrefix: string;
	/** Reads up to a hundred stories by hash. */
	stories(api: Api, hashes: string[]): Promise<StoriesByHash>;
	/** Whether a story passes the filters; left out if there are none. */
	passesFilters?(story: IDataObject): boolean;
	/** When a story entered the list (Unix seconds), if the list's own dates don't say so. Orders the items. */
	enteredAt?(story: IDataObject): number | undefined;
	/** Whether similar stories become one item. */
	groupsSimilar?: boolean;
	item(story: IDataObject, response: ApiResponse, api: Api): Promise<IDataObject>;
}

/** A listed story that can't be read is given up after this many polls. */
export const MAX_READ_ATTEMPTS = 5;
/** The most requests for stories in one poll. The next poll continues. */
const MAX_REQUESTS = 20;

/**
 * Reads the stories of a list of hashes in its order, a hundred in a request. If the service fails at a request, its
 * halves are requested: so one story at which the service fails delays no others.
 */
export class StoryQueue<Entry extends { hash: string }> {
	private readonly halves: Entry[][] = [];
	private readonly rest: Map<string, Entry>;
	private preferred: Entry[] = [];
	private requests = 0;
	private isStopped = false;

	constructor(
		entries: Entry[],
		/** How many stories the first request is for. */
		private readonly firstSize: number,
		private readonly options: StoryOptions,
		private readonly api: Api,
	) {
		this.rest = new Map(entries.map((entry) => [entry.hash, entry]));
	}

	/** Whether stories have been preferred and are not read yet. */
	get hasPreferred(): boolean {
		return this.preferred.length > 0;
	}

	/** Reads these stories before the others, if they are in the list. */
	prefer(hashes: string[]): void {
		const waiting = hashes.flatMap((hash) => this.rest.get(hash) ?? []);
		this.take(waiting);
		this.preferred.push(...waiting);
	}

	/** What the next request returned; undefined if all stories are read, or the poll can't send more requests. */
	async next(): Promise<{ chunk: Entry[]; read: { value: StoriesByHash } | { error: unknown } } | undefined> {
		const isFirst = this.requests === 0;
		if (this.isStopped || this.requests >= MAX_REQUESTS || (!isFirst && !this.api.hasTime()))
			return undefined;
		const size = isFirst ? Math.min(this.firstSize, HASHES_PER_REQUEST) : HASHES_PER_REQUEST;
		const chunk = this.halves.shift() ?? this.nextChunk(size);
		if (chunk.length === 0) return undefined;
		this.requests += 1;
		const hashes = chunk.map(({ hash }) => hash);
		const read = await settled(this.options.stories(this.api, hashes));
		if ('error' in read) {
			this.isStopped = classOf(read.error) !== 'failed';
			const middle = Math.ceil(chunk.length / 2);
			if (chunk.length > 1) this.halves.unshift(chunk.slice(0, middle), chunk.slice(middle));
		}
		return { chunk, read };
	}

	private nextChunk(size: number): Entry[] {
		if (this.hasPreferred) return this.preferred.splice(0, size);
		const chunk = [...this.rest.values()].slice(0, size);
		this.take(chunk);
		return chunk;
	}

	private take(entries: Entry[]): void {
		for (const { hash } of entries) this.rest.delete(hash);
	}
}

/** Makes items of the first events, until there are `maximum` items, or time or the rate limit runs out. */
export async function collectStories(
	events: HashEvent[],
	options: StoryOptions,
	maximum: number,
	emittedGroups: EmittedGroups | undefined,
	api: Api,
): Promise<Collected<HashEvent>> {
	const collection = new StoryCollection(options, emittedDays(emittedGroups));
	const firstSize = options.passesFilters || options.enteredAt ? HASHES_PER_REQUEST : maximum;
	const queue = new StoryQueue(events, firstSize, options, api);
	for (let next = await queue.next(); next; next = await queue.next()) {
		const { chunk, read } = next;
		if ('error' in read) collection.fail(chunk, read.error);
		// The members of a group are read together, so that its best story is found.
		else queue.prefer(collection.add(chunk, read.value));
		// The order of the items is known when all stories are read.
		if (!options.enteredAt && !queue.hasPreferred && collection.itemCount >= maximum) break;
	}
	return await collection.finish(maximum, api);
}

/** What one poll has read of its events' stories. */
class StoryCollection {
	private readonly found: NewStory[] = [];
	private readonly failed: Array<{ chunk: HashEvent[]; error: unknown }> = [];
	private readonly collected: Collected<HashEvent> = { processed: [], emitted: [], items: [] };

	constructor(
		private readonly options: StoryOptions,
		/** By hash, the day on which the story's group was emitted. */
		private readonly emittedOn: Map<string, number>,
	) {}

	/** How many items the stories read so far make. */
	get itemCount(): number {
		return this.groups().filter((group) => this.dayOf(group) === undefined).length;
	}

	/** Adds a chunk whose stories were read. Returns the hashes of similar stories. */
	add(chunk: HashEvent[], { stories, response }: StoriesByHash): string[] {
		const { processed } = this.collected;
		const similar: string[] = [];
		for (const { unreadable = 0, ...event } of chunk) {
			const story = stories.get(event.hash);
			if (!story) processed.push({ ...event, unreadable: unreadable + 1 });
			else if (this.options.passesFilters?.(story) === false) processed.push(event);
			else this.found.push({ event, story, response });
		}
		if (this.options.groupsSimilar) similar.push(...this.groups().flatMap(({ hashes }) => hashes));
		return similar;
	}

	/** Notes a chunk whose request failed. */
	fail(chunk: HashEvent[], error: unknown): void {
		this.failed.push({ chunk, error });
	}

	/** Makes the items. Throws if nothing could be read. */
	async finish(maximum: number, api: Api): Promise<Collected<HashEvent>> {
		await this.emit(maximum, api);
		const { processed, items } = this.collected;
		const isResponding = processed.length > 0;
		for (const { chunk, error } of this.failed) {
			const [event, ...others] = chunk;
			if (!event || others.length > 0 || classOf(error) !== 'failed') continue;
			const unreadable = (event.unreadable ?? 0) + 1;
			const isGivenUp = unreadable >= MAX_READ_ATTEMPTS;
			// If the service responds to no other request, it may fail at every story: then the attempt does not count.
			if (isGivenUp ? items.length >= maximum : !isResponding) continue;
			processed.push({ ...event, unreadable });
			const eventId = eventIdOf(this.options.idPrefix, event);
			if (isGivenUp) items.push(await triggerItem(eventId, async () => await Promise.reject(error as Error)));
		}
		const [failed] = this.failed;
		if (failed && processed.length === 0) throw failed.error as Error;
		return { ...this.collected, failure: failed?.error };
	}

	/** Emits the best story of each group; the others are processed with it. */
	private async emit(maximum: number, api: Api): Promise<void> {
		const { processed, emitted, items } = this.collected;
		const { enteredAt } = this.options;
		if (enteredAt) this.found.sort((a, b) => (enteredAt(a.story) ?? 0) - (enteredAt(b.story) ?? 0));
		for (const group of this.groups()) {
			const day = this.dayOf(group);
			const best = day === undefined ? bestOf(group) : undefined;
			if (best && items.length >= maximum) return;
			const ofGroup = group.hashes.length > 0 && { group: { day: day ?? today(), hashes: group.hashes } };
			processed.push(...group.members.map(({ event }) => ({ ...event, ...ofGroup })));
			if (!best) continue;
			emitted.push(best.event);
			items.push(await storyItem(this.options, best, api));
		}
	}

	private groups(): StoryGroup[] {
		if (this.options.groupsSimilar) return groupsOf(this.found);
		return this.found.map((story) => ({ members: [story], hashes: [] }));
	}

	/** The day on which a group was emitted; undefined if it wasn't. */
	private dayOf({ hashes }: StoryGroup): number | undefined {
		return hashes.map((hash) => this.emittedOn.get(hash)).find((day) => day !== undefined);
	}
}

/** Makes the items of emitted events again. */
export async function restoreItems(
	emitted: HashEvent[],
	options: StoryOptions,
	api: Api,
): Promise<TriggerItem[]> {
	const items: TriggerItem[] = [];
	for (const chunk of chunksOf(emitted, HASHES_PER_REQUEST)) {
		const hashes = chunk.map(({ hash }) => hash);
		const { stories, response } = await options.stories(api, hashes);
		for (const event of chunk) {
			const story = stories.get(event.hash);
			if (story) items.push(await storyItem(options, { event, story, response }, api));
		}
	}
	return items;
}

const storyItem = async (
	{ idPrefix, item }: StoryOptions,
	{ event, story, response }: NewStory,
	api: Api,
): Promise<TriggerItem> =>
	await triggerItem(eventIdOf(idPrefix, event), async () => await item(story, response, api));

const eventIdOf = (prefix: string, { hash, returnCount }: HashEvent): string =>
	`${prefix}:${hash}${returnCount > 0 ? `#${returnCount}` : ''}`;
