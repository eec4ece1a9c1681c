import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Api } from '../../runtime/api-types';
import { isServerFailure } from '../../runtime/errors/errors';
import { triggerItem, type Collected, type TriggerItem } from '../../runtime/table/event';
import type { StoriesByHash } from '../model/hashes';
import { MAX_READ_ATTEMPTS, type HashCursor, type HashEvent } from './hash-cursor';
import { bestOf, EmittedGroups, groupsOf, type NewStory, type StoryGroup } from './similar-groups';

/** How stories become items. */
export interface StoryItemOptions {
	/** The beginning of the event ids. */
	idPrefix: string;
	/** For a list that is dated by entry: when a story entered it according to the story's own data, in Unix seconds. */
	enteredAt?(story: IDataObject): number | undefined;
	/** Whether a story passes the filters; left out if there are none. */
	passesFilters?(story: IDataObject): boolean;
	/** Whether similar stories become one item. */
	groupsSimilar?: boolean;
	item(story: IDataObject, response: ApiResponse, api: Api): Promise<IDataObject>;
}

export const storyItem = async (
	{ idPrefix: name, item }: StoryItemOptions,
	event: HashEvent,
	story: IDataObject,
	response: ApiResponse,
	api: Api,
): Promise<TriggerItem> =>
	await triggerItem(eventIdOf(name, event), async () => await item(story, response, api));

const eventIdOf = (name: string, { hash, returnCount }: HashEvent): string =>
	`${name}:${hash}${returnCount > 0 ? `#${returnCount}` : ''}`;

/**
 * The result of requesting the story of an event:
 * - `retried`: the service did not return the story; the next polls request it again.
 * - `changed`: the story was in the list all the time, and was only changed; it becomes known without an item.
 * - `filtered`: the story does not pass the filters; it becomes known without an item.
 * - `emitted`: the story becomes an item.
 */
type Verdict = 'retried' | 'changed' | 'filtered' | 'emitted';

/** Stories that could not be read, and why. */
interface Failed {
	chunk: HashEvent[];
	error: unknown;
}

/** Collects the items of one poll, chunk after chunk. */
export class StoryCollection {
	private readonly collected: Collected<HashEvent> = { processed: [], emitted: [], items: [] };
	private readonly emittedGroups: EmittedGroups;
	private readonly failed: Failed[] = [];

	constructor(
		private readonly options: StoryItemOptions,
		private readonly maximum: number,
		cursor: HashCursor,
		private readonly api: Api,
	) {
		this.emittedGroups = new EmittedGroups(cursor);
	}

	/** How many more items the poll may emit. */
	get room(): number {
		return this.maximum - this.collected.items.length;
	}

	/** Adds a chunk whose stories were read. */
	async add(chunk: HashEvent[], { stories, response }: StoriesByHash): Promise<void> {
		const { processed } = this.collected;
		const toEmit: NewStory[] = [];
		for (const { unreadable = 0, ...event } of chunk) {
			const story = stories.get(event.hash);
			switch (this.verdictOn(event, story)) {
				case 'retried':
					processed.push({ ...event, unreadable: unreadable + 1 });
					break;
				case 'changed':
					processed.push({ feed: event.feed, hash: event.hash, returnCount: 0 });
					break;
				case 'filtered':
					processed.push(event);
					break;
				case 'emitted':
					if (story) toEmit.push({ event, story });
			}
		}
		await this.emit(toEmit, response);
	}

	/** Notes a chunk whose request failed. */
	fail(chunk: HashEvent[], error: unknown): void {
		this.failed.push({ chunk, error });
	}

	/** What was collected. Throws if nothing could be read. */
	async finish(): Promise<Collected<HashEvent>> {
		const isResponding = this.collected.processed.length > 0;
		for (const { chunk, error } of this.failed) {
			const [event, ...others] = chunk;
			const failsAtOneStory = others.length === 0 && isServerFailure(error);
			if (event && failsAtOneStory) await this.countAttempt(event, error, isResponding);
		}
		const [failed] = this.failed;
		if (failed && this.collected.processed.length === 0) throw failed.error as Error;
		return { ...this.collected, failure: failed?.error };
	}

	private verdictOn({ returnedIfEnteredSince: since }: HashEvent, story: IDataObject | undefined): Verdict {
		const { enteredAt, passesFilters } = this.options;
		if (!story) return 'retried';
		// A known story with a new date came back only if the story itself says so.
		const at = enteredAt?.(story);
		if (since !== undefined && at !== undefined && at < since) return 'changed';
		return passesFilters?.(story) === false ? 'filtered' : 'emitted';
	}

	/** Emits the best story of each group; the others are processed with it. */
	private async emit(stories: NewStory[], response: ApiResponse): Promise<void> {
		const { processed, emitted, items } = this.collected;
		const isGrouped = this.options.groupsSimilar === true;
		for (const group of isGrouped ? groupsOf(stories) : stories.map(groupOfOne)) {
			const { day, isEmitted } = this.emittedGroups.dayOf(group);
			const best = isEmitted ? undefined : bestOf(group);
			if (best && this.room <= 0) return;
			const ofGroup = isGrouped && { group: { day, hashes: group.hashes } };
			processed.push(...group.members.map(({ event }) => ({ ...event, ...ofGroup })));
			if (isGrouped) this.emittedGroups.add(day, group);
			if (!best) continue;
			emitted.push(best.event);
			items.push(await storyItem(this.options, best.event, best.story, response, this.api));
		}
	}

	/**
	 * Counts an attempt to read a story at which the service fails. After the last attempt, the item contains the error
	 * instead.
	 */
	private async countAttempt(event: HashEvent, error: unknown, isResponding: boolean): Promise<void> {
		const { processed, items } = this.collected;
		const unreadable = (event.unreadable ?? 0) + 1;
		if (unreadable >= MAX_READ_ATTEMPTS) {
			if (this.room <= 0) return;
			const eventId = eventIdOf(this.options.idPrefix, event);
			items.push(await triggerItem(eventId, async () => await Promise.reject(error as Error)));
			processed.push({ ...event, unreadable });
		} else if (isResponding) {
			// Unless the service responds to other requests, it may fail at every story: then the attempt does not count.
			processed.push({ ...event, unreadable });
		}
	}
}

const groupOfOne = (story: NewStory): StoryGroup => ({ members: [story], hashes: [] });
