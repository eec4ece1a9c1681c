import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse } from '../../runtime/api-types';
import { triggerItem, type TriggerItem } from '../../runtime/table/event';
import { settled } from '../../runtime/values';
import { HASHES_PER_REQUEST, readInChunks, type StoriesByHash } from '../model/hashes';
import { hashesOfGroup } from '../model/stories';
import {
	bestOf,
	byDay,
	emittedDays,
	StoryGroups,
	today,
	type EmittedGroups,
	type StoryGroup,
} from './similar-groups';

/** A story that is new in a list, or that came back into it, until it is emitted. */
export interface StoryEvent {
	/** The feed under which the list contains the story. */
	feed: string;
	hash: string;
	at: number;
	/** How often the story came back into the list; 0 for a new one. */
	returnCount: number;
}

/** What is saved of an emitted story, to emit it again. */
export type EmittedStory = Pick<StoryEvent, 'hash' | 'returnCount'>;

export interface StoryOptions {
	idPrefix: string;
	readStories(api: Api, hashes: string[]): Promise<StoriesByHash>;
	passesFilters(story: IDataObject): boolean;
	/**
	 * When a story entered the list (Unix seconds): orders the items. The list's own dates then say when a story was last
	 * changed. If left out, these order the items.
	 */
	enteredAt?(story: IDataObject): number | undefined;
	groupsSimilar?: boolean;
	item(story: IDataObject, response: ApiResponse, api: Api): Promise<IDataObject>;
}

/** What became of new stories. Those that are in neither list wait for the next poll. */
interface CollectedStories {
	items: TriggerItem[];
	emitted: EmittedStory[];
	/** The stories that became items, were dropped by a filter, or belong to a group that was emitted. */
	known: StoryEvent[];
	/** The stories that the service did not return. */
	missing: StoryEvent[];
	emittedGroups: EmittedGroups | undefined;
	/** Why reading stopped. */
	failure?: unknown;
}

/** A new story that passes the filters, and the response that contained it. */
interface ReadStory {
	event: StoryEvent;
	story: IDataObject;
	response: ApiResponse;
}

/** The most requests for stories in one poll. The next poll continues. */
const MAX_REQUESTS = 20;

/** Makes items of the first stories, until there are `maximum` items, time runs out, or a request fails. */
export async function collectStories(
	events: StoryEvent[],
	options: StoryOptions,
	maximum: number,
	emittedGroups: EmittedGroups | undefined,
	api: Api,
): Promise<CollectedStories> {
	const emittedOn = emittedDays(emittedGroups);
	const reading = new StoryReading(events, options, emittedOn);
	const read = await settled(reading.read(maximum, api));
	// Nothing was read: the poll fails, and the saved state stays as it was.
	if ('error' in read && reading.waiting.length === events.length) throw read.error;
	const known = [...reading.dropped];
	const items: TriggerItem[] = [];
	const emitted: EmittedStory[] = [];
	for (const group of reading.groups) {
		const day = dayOf(group, emittedOn);
		const best = day === undefined ? bestOf(group) : undefined;
		if (best && items.length >= maximum) break;
		for (const hash of group.hashes) emittedOn.set(hash, day ?? today());
		known.push(...group.stories.map(({ event }) => event));
		if (!best) continue;
		const { hash, returnCount } = best.event;
		emitted.push({ hash, returnCount });
		items.push(await storyItem(options, best, api));
	}
	const failure = 'error' in read && { failure: read.error };
	return { items, emitted, known, missing: reading.missing, emittedGroups: byDay(emittedOn), ...failure };
}

/** The day on which a group was emitted; undefined if it wasn't. */
const dayOf = ({ hashes }: StoryGroup<ReadStory>, emittedOn: Map<string, number>): number | undefined =>
	hashes.map((hash) => emittedOn.get(hash)).find((day) => day !== undefined);

class StoryReading {
	/** The stories that the filters drop. */
	readonly dropped: StoryEvent[] = [];
	readonly missing: StoryEvent[] = [];
	private readonly found = new StoryGroups<ReadStory>();

	constructor(
		public waiting: StoryEvent[],
		private readonly options: StoryOptions,
		/** By hash, the day on which the story's group was emitted. */
		private readonly emittedOn: Map<string, number>,
	) {}

	/** Reads stories, a hundred in a request, until they make all items of the poll or time runs out. */
	async read(maximum: number, api: Api): Promise<void> {
		for (let requests = 0; requests < MAX_REQUESTS && this.waiting.length > 0; requests += 1) {
			if (requests > 0 && !api.hasTime()) return;
			// Similar stories come first, so that the best one of a group is found.
			this.waiting = this.waiting.toSorted((a, b) => Number(this.isSimilar(b)) - Number(this.isSimilar(a)));
			const chunk = this.waiting.slice(0, HASHES_PER_REQUEST);
			const hashes = chunk.map(({ hash }) => hash);
			this.add(chunk, await this.options.readStories(api, hashes));
			this.waiting = this.waiting.slice(HASHES_PER_REQUEST);
			// The order of the items is known when all stories of this poll are read.
			if (!this.options.enteredAt && this.isFull(maximum)) return;
		}
	}

	get groups(): Array<StoryGroup<ReadStory>> {
		const { enteredAt } = this.options;
		if (!enteredAt) return this.found.all;
		const dateOf = ({ stories: [first] }: StoryGroup<ReadStory>): number =>
			(first && enteredAt(first.story)) ?? 0;
		return this.found.all.toSorted((a, b) => dateOf(a) - dateOf(b));
	}

	private isSimilar({ hash }: StoryEvent): boolean {
		return this.found.has(hash);
	}

	/** Whether the stories read so far make all items of the poll. */
	private isFull(maximum: number): boolean {
		const toEmit = this.found.all.filter((group) => dayOf(group, this.emittedOn) === undefined);
		return toEmit.length >= maximum && !this.waiting.some((event) => this.isSimilar(event));
	}

	private add(chunk: StoryEvent[], { stories, response }: StoriesByHash): void {
		const { passesFilters, groupsSimilar } = this.options;
		for (const event of chunk) {
			const story = stories.get(event.hash);
			if (!story) this.missing.push(event);
			else if (!passesFilters(story)) this.dropped.push(event);
			else {
				// A story that came back is an item of its own.
				const isGrouped = groupsSimilar === true && event.returnCount === 0;
				this.found.add({ event, story, response }, isGrouped ? hashesOfGroup(story) : []);
			}
		}
	}
}

export async function restoreItems(
	emitted: EmittedStory[],
	options: StoryOptions,
	api: Api,
): Promise<TriggerItem[]> {
	const hashes = emitted.map(({ hash }) => hash);
	const read = await readInChunks(hashes, async (chunk) => await options.readStories(api, chunk));
	const items = read.map(async (found, index) =>
		found ? [await storyItem(options, { event: emitted[index]!, ...found }, api)] : [],
	);
	return (await Promise.all(items)).flat();
}

async function storyItem(
	{ idPrefix, item }: StoryOptions,
	{ event, story, response }: Omit<ReadStory, 'event'> & { event: EmittedStory },
	api: Api,
): Promise<TriggerItem> {
	const { hash, returnCount } = event;
	const eventId = `${idPrefix}:${hash}${returnCount > 0 ? `#${returnCount}` : ''}`;
	return await triggerItem(eventId, async () => await item(story, response, api));
}
