import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse } from '../../runtime/api-types';
import { triggerItem, triggerItems, type TriggerItem } from '../../runtime/table/event';
import { settled } from '../../runtime/values';
import { HASHES_PER_REQUEST, readInChunks, type StoriesByHash } from '../model/hashes';
import { hashesOfGroup } from '../model/stories';
import {
	bestOf,
	recentDays,
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
	/** Its date in the list (Unix seconds). */
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
	/** When a story entered the list (Unix seconds), if the list's dates say when it was last changed: see `HashListCursor`. */
	enteredAt?(story: IDataObject): number | undefined;
	groupsSimilar?: boolean;
	item(story: IDataObject, response: ApiResponse, api: Api): Promise<IDataObject>;
}

/** What became of new stories. Those that are not in `known` wait for the next poll. */
interface CollectedStories {
	items: TriggerItem[];
	emitted: EmittedStory[];
	/** The stories that became items, were dropped by a filter, or belong to a group that was emitted. */
	known: StoryEvent[];
	/** The stories that the service did not return. */
	missing: StoryEvent[];
	emittedGroups: EmittedGroups;
	/** Why reading stopped. */
	failure?: unknown;
}

/** A new or returned story that passes the filters, and the response that contained it. */
interface FetchedStory {
	event: StoryEvent;
	story: IDataObject;
	response: ApiResponse;
}

/** The most chunks of stories that one poll reads. The next poll continues. */
const MAX_CHUNKS = 20;

/** Makes items of the first stories, until there are `maximum` items, time runs out, or a request fails. */
export async function collectStories(
	events: StoryEvent[],
	options: StoryOptions,
	maximum: number,
	emittedGroups: EmittedGroups,
	api: Api,
): Promise<CollectedStories> {
	const emittedOn = recentDays(emittedGroups);
	const reading = new StoryReading(events, options, emittedOn);
	await reading.read(maximum, api);
	const known = [...reading.dropped];
	const items: TriggerItem[] = [];
	const emitted: EmittedStory[] = [];
	for (const group of reading.groups) {
		const day = dayOf(group, emittedOn);
		const isEmitted = day !== undefined;
		if (!isEmitted && items.length >= maximum) break;
		for (const hash of group.hashes) emittedOn.set(hash, day ?? today());
		known.push(...group.stories.map(({ event }) => event));
		if (isEmitted) continue;
		const { event, story, response } = bestOf(group);
		emitted.push({ hash: event.hash, returnCount: event.returnCount });
		const make = async (): Promise<IDataObject> => await options.item(story, response, api);
		items.push(await triggerItem(eventIdOf(event, options), make));
	}
	const { missing, failure } = reading;
	return { items, emitted, known, missing, emittedGroups: Object.fromEntries(emittedOn), failure };
}

/** The day on which a group was emitted; undefined if it wasn't. */
const dayOf = ({ hashes }: StoryGroup<FetchedStory>, emittedOn: Map<string, number>): number | undefined =>
	hashes.map((hash) => emittedOn.get(hash)).find((day) => day !== undefined);

class StoryReading {
	/** The stories that the filters drop. */
	readonly dropped: StoryEvent[] = [];
	readonly missing: StoryEvent[] = [];
	/** Why reading stopped, if a request failed. */
	failure: unknown;
	private readonly found = new StoryGroups<FetchedStory>();

	constructor(
		private waiting: StoryEvent[],
		private readonly options: StoryOptions,
		/** By hash, the day on which the story's group was emitted. */
		private readonly emittedOn: Map<string, number>,
	) {}

	/**
	 * Reads stories, a chunk of a hundred at once, until they make all items of the poll, time runs out, or a request fails.
	 * Throws the failure if nothing was read: then the poll fails, and the saved state stays as it was.
	 */
	async read(maximum: number, api: Api): Promise<void> {
		for (let chunks = 0; chunks < MAX_CHUNKS && this.waiting.length > 0; chunks += 1) {
			if (chunks > 0 && !api.hasTime()) return;
			// Similar stories come first, so that the best one of a group is found.
			this.waiting = this.waiting.toSorted((a, b) => Number(this.isSimilar(b)) - Number(this.isSimilar(a)));
			const chunk = this.waiting.slice(0, HASHES_PER_REQUEST);
			const hashes = chunk.map(({ hash }) => hash);
			const read = await settled(this.options.readStories(api, hashes));
			if ('error' in read) {
				if (chunks === 0) throw read.error;
				this.failure = read.error;
				return;
			}
			this.add(chunk, read.value);
			this.waiting = this.waiting.slice(HASHES_PER_REQUEST);
			// The order of the items is known when all stories of this poll are read.
			if (!this.options.enteredAt && this.isFull(maximum)) return;
		}
	}

	get groups(): Array<StoryGroup<FetchedStory>> {
		const { enteredAt } = this.options;
		if (!enteredAt) return this.found.all;
		const dateOf = ({ stories: [first] }: StoryGroup<FetchedStory>): number =>
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
	const events = emitted.map((story, index) => {
		const found = read[index];
		const make = found && (async () => await options.item(found.story, found.response, api));
		return { eventId: eventIdOf(story, options), make };
	});
	return await triggerItems(events);
}

const eventIdOf = ({ hash, returnCount }: EmittedStory, { idPrefix }: StoryOptions): string =>
	`${idPrefix}:${hash}${returnCount > 0 ? `#${returnCount}` : ''}`;
