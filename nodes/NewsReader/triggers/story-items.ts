import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse } from '../../runtime/api-types';
import { clock } from '../../runtime/clock';
import { triggerItem, type Collected, type TriggerItem } from '../../runtime/table/event';
import { chunksOf, settled, toInteger } from '../../runtime/values';
import { HASHES_PER_REQUEST, type StoriesByHash } from '../model/hashes';
import { hashesOfGroup } from '../model/similar-stories';

/** A new or returned story. */
export interface HashEvent {
	/** The feed under which the list contains the story. */
	feed: string;
	hash: string;
	/** How often the story came back into the list; 0 for a new one. */
	returnCount: number;
	/** How often the story could not be read. */
	unreadable?: number;
	/** The group of similar stories that the story was processed with, and the day on which that group was emitted. */
	group?: { day: number; hashes: string[] };
}

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

/** Entries whose stories were requested together, and the stories. */
interface StoriesRead<Entry> {
	chunk: Entry[];
	read: StoriesByHash;
}

/**
 * Reads stories in the order of the entries, a hundred in a request; those that `preferred` names first. Throws if a
 * request fails.
 */
export async function* storiesOf<Entry extends { hash: string }>(
	entries: Entry[],
	{ stories }: Pick<StoryOptions, 'stories'>,
	api: Api,
	preferred: () => Set<string> = () => new Set(),
): AsyncGenerator<StoriesRead<Entry>> {
	const waiting = [...entries];
	for (let requests = 0; requests < MAX_REQUESTS; requests += 1) {
		if (requests > 0 && !api.hasTime()) return;
		const first = preferred();
		if (first.size > 0) waiting.sort((a, b) => Number(first.has(b.hash)) - Number(first.has(a.hash)));
		const chunk = waiting.splice(0, HASHES_PER_REQUEST);
		if (chunk.length === 0) return;
		const hashes = chunk.map(({ hash }) => hash);
		yield { chunk, read: await stories(api, hashes) };
	}
}

/**
 * Makes items of the first events, until there are `maximum` items, time runs out, or a request fails. Throws if nothing
 * could be read.
 */
export async function collectStories(
	events: HashEvent[],
	options: StoryOptions,
	maximum: number,
	emittedGroups: EmittedGroups | undefined,
	api: Api,
): Promise<Collected<HashEvent>> {
	const collection = new StoryCollection(events, options, emittedDays(emittedGroups));
	const reading = async (): Promise<void> => {
		for await (const { chunk, read } of storiesOf(events, options, api, () => collection.similar())) {
			collection.add(chunk, read);
			// The order of the items is known when all stories are read.
			if (!options.enteredAt && collection.isFull(maximum)) break;
		}
	};
	const read = await settled(reading());
	const collected = await collection.finish(maximum, api);
	if (!('error' in read)) return collected;
	if (collected.processed.length === 0) throw read.error as Error;
	return { ...collected, failure: read.error };
}

/** What one poll has read of its events' stories. */
class StoryCollection {
	private readonly found: NewStory[] = [];
	private readonly collected: Collected<HashEvent> = { processed: [], emitted: [], items: [] };
	private readonly unread: Set<string>;

	constructor(
		events: HashEvent[],
		private readonly options: StoryOptions,
		/** By hash, the day on which the story's group was emitted. */
		private readonly emittedOn: Map<string, number>,
	) {
		this.unread = new Set(events.map(({ hash }) => hash));
	}

	/** The stories that are similar to those that were read. They are read next, so that the best one of a group is found. */
	similar(): Set<string> {
		const hashes = this.groups().flatMap((group) => group.hashes);
		return new Set(hashes.filter((hash) => this.unread.has(hash)));
	}

	/** Whether the stories read so far make all items of the poll. */
	isFull(maximum: number): boolean {
		const groups = this.groups().filter((group) => this.dayOf(group) === undefined);
		return groups.length >= maximum && this.similar().size === 0;
	}

	/** Adds a chunk whose stories were read. */
	add(chunk: HashEvent[], { stories, response }: StoriesByHash): void {
		const { processed } = this.collected;
		for (const { unreadable = 0, ...event } of chunk) {
			const story = stories.get(event.hash);
			this.unread.delete(event.hash);
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

const DAY_MS = 24 * 3_600_000;
/** Stories that join a group after it was emitted are skipped for this many days: the service keeps its groups that long. */
const GROUP_DAYS = 14;

/** By day since 1970, the hashes of the groups of similar stories that were emitted on that day. */
export type EmittedGroups = Record<number, string[]>;

/** A new story that passes the filters, and the response that contained it. */
export interface NewStory {
	event: HashEvent;
	story: IDataObject;
	response: ApiResponse;
}

/** New stories that are similar to each other. */
export interface StoryGroup {
	members: NewStory[];
	/** All known hashes of the group, also those of stories that are not new. */
	hashes: string[];
}

/** Groups similar stories. A story without similar ones is a group, and so is one that was marked as unread again. */
export function groupsOf(stories: NewStory[]): StoryGroup[] {
	const groups = new Set<StoryGroup>();
	const groupOf = new Map<string, StoryGroup>();
	for (const newStory of stories) {
		const hashes = newStory.event.returnCount > 0 ? [] : hashesOfGroup(newStory.story);
		const [first, ...others] = new Set(hashes.flatMap((hash) => groupOf.get(hash) ?? []));
		const group = first ?? { members: [], hashes: [] };
		group.members.push(...others.flatMap(({ members }) => members), newStory);
		group.hashes = [...new Set([...group.hashes, ...others.flatMap((other) => other.hashes), ...hashes])];
		for (const other of others) groups.delete(other);
		for (const hash of group.hashes) groupOf.set(hash, group);
		groups.add(group);
	}
	return [...groups];
}

/** The member with the highest score; the first one if several have it. */
export const bestOf = ({ members }: StoryGroup): NewStory | undefined =>
	members.toSorted((a, b) => scoreOf(b) - scoreOf(a))[0];

const scoreOf = ({ story }: NewStory): number => toInteger(story.score) ?? 0;

export const today = (): number => Math.floor(clock.now() / DAY_MS);

/** The hashes of the groups that were emitted lately, each with the day on which that was. */
export function emittedDays(emittedGroups: EmittedGroups = {}): Map<string, number> {
	const since = today() - GROUP_DAYS;
	const recent = Object.entries(emittedGroups).filter(([day]) => Number(day) > since);
	return new Map(recent.flatMap(([day, hashes]) => hashes.map((hash) => [hash, Number(day)] as const)));
}

/** The emitted groups that a cursor remembers after these events. */
export function advanceGroups(
	previous: EmittedGroups = {},
	processed: HashEvent[],
): EmittedGroups | undefined {
	const added = processed.flatMap(({ group }) => group ?? []);
	const days = [...Object.keys(previous).map(Number), ...added.map(({ day }) => day)];
	const newest = days.reduce((latest, day) => Math.max(latest, day), 0);
	const recent = [...new Set(days)].filter((day) => day > newest - GROUP_DAYS);
	if (recent.length === 0) return undefined;
	const hashesOf = (day: number): string[] => [
		...(previous[day] ?? []),
		...added.filter((group) => group.day === day).flatMap(({ hashes }) => hashes),
	];
	return Object.fromEntries(recent.map((day) => [day, [...new Set(hashesOf(day))]]));
}
