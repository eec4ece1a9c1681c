import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse } from '../../runtime/api-types';
import { triggerItem, type Collected, type TriggerItem } from '../../runtime/table/event';
import { chunksOf, settled } from '../../runtime/values';
import { HASHES_PER_REQUEST, type StoriesByHash } from '../model/hashes';
import type { HashEvent, NewStory } from './saved-hashes';
import { bestOf, emittedDays, groupsOf, today, type EmittedGroups, type StoryGroup } from './similar-groups';

/** How stories become items. */
export interface StoryOptions {
	/** The beginning of the event ids. */
	idPrefix: string;
	/** Reads up to a hundred stories by hash. */
	stories(api: Api, hashes: string[]): Promise<StoriesByHash>;
	/** Whether a story passes the filters. */
	passesFilters(story: IDataObject): boolean;
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

/** Makes items of the first events, until there are `maximum` items, time runs out, or a request fails. */
export async function collectStories(
	events: HashEvent[],
	options: StoryOptions,
	maximum: number,
	emittedGroups: EmittedGroups | undefined,
	api: Api,
): Promise<Collected<HashEvent>> {
	const collection = new StoryCollection(events, options, emittedDays(emittedGroups));
	const read = await settled(collection.read(maximum, api));
	const collected = await collection.finish(maximum, api);
	return { ...collected, ...('error' in read && { failure: read.error }) };
}

/** What one poll has read of its events' stories. */
class StoryCollection {
	/** The events whose stories are not read yet. */
	private waiting: HashEvent[];
	private readonly found: NewStory[] = [];
	private readonly collected: Collected<HashEvent> = { processed: [], emitted: [], items: [] };

	constructor(
		events: HashEvent[],
		private readonly options: StoryOptions,
		/** By hash, the day on which the story's group was emitted. */
		private readonly emittedOn: Map<string, number>,
	) {
		this.waiting = events;
	}

	/** Reads stories, a hundred in a request, until they make all items of the poll or time runs out. */
	async read(maximum: number, api: Api): Promise<void> {
		for (let requests = 0; requests < MAX_REQUESTS && this.waiting.length > 0; requests += 1) {
			if (requests > 0 && !api.hasTime()) return;
			// Similar stories come first, so that the best one of a group is found.
			const similar = this.similarHashes();
			this.waiting = this.waiting.toSorted(
				(a, b) => Number(similar.has(b.hash)) - Number(similar.has(a.hash)),
			);
			const chunk = this.waiting.slice(0, HASHES_PER_REQUEST);
			this.waiting = this.waiting.slice(HASHES_PER_REQUEST);
			const hashes = chunk.map(({ hash }) => hash);
			this.add(chunk, await this.options.stories(api, hashes));
			// The order of the items is known when all stories are read.
			if (!this.options.enteredAt && this.isFull(maximum)) return;
		}
	}

	/** The hashes of stories that are similar to those that were read. */
	private similarHashes(): Set<string> {
		return new Set(this.groups().flatMap(({ hashes }) => hashes));
	}

	/** Whether the stories read so far make all items of the poll. */
	private isFull(maximum: number): boolean {
		const groups = this.groups().filter((group) => this.dayOf(group) === undefined);
		const similar = this.similarHashes();
		return groups.length >= maximum && !this.waiting.some(({ hash }) => similar.has(hash));
	}

	private add(chunk: HashEvent[], { stories, response }: StoriesByHash): void {
		const { processed } = this.collected;
		for (const { unreadable = 0, ...event } of chunk) {
			const story = stories.get(event.hash);
			if (!story) processed.push({ ...event, unreadable: unreadable + 1 });
			else if (!this.options.passesFilters(story)) processed.push(event);
			else this.found.push({ event, story, response });
		}
	}

	/** Emits the best story of each group; the others are processed with it. */
	async finish(maximum: number, api: Api): Promise<Collected<HashEvent>> {
		const { processed, emitted, items } = this.collected;
		const { enteredAt } = this.options;
		if (enteredAt) this.found.sort((a, b) => (enteredAt(a.story) ?? 0) - (enteredAt(b.story) ?? 0));
		for (const group of this.groups()) {
			const day = this.dayOf(group);
			const best = day === undefined ? bestOf(group) : undefined;
			if (best && items.length >= maximum) break;
			const ofGroup = group.hashes.length > 0 && { group: { day: day ?? today(), hashes: group.hashes } };
			processed.push(...group.members.map(({ event }) => ({ ...event, ...ofGroup })));
			if (!best) continue;
			emitted.push(best.event);
			items.push(await storyItem(this.options, best, api));
		}
		return this.collected;
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
