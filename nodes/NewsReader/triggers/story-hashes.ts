import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { isServerFailure } from '../../runtime/errors/errors';
import type { Collected, TriggerItem, Watch } from '../../runtime/table/event';
import { chunksOf, settled } from '../../runtime/values';
import { HASHES_PER_REQUEST, type HashesByFeed, type StoriesByHash } from '../model/hashes';
import { Chunks } from './chunks';
import { allKnownBut, compareHashes } from './hash-comparison';
import {
	advanceHashes,
	NO_KNOWN_STORIES,
	parseHashCursor,
	type HashCursor,
	type HashEvent,
} from './hash-cursor';
import { newestHashes, snapshotOf, type HashSnapshot, type ListBehavior } from './hash-snapshot';
import { advanceGroups } from './similar-groups';
import { StoryCollection, storyItem, type StoryItemOptions } from './story-collection';

export interface StoryHashOptions extends StoryItemOptions {
	/** Reads the list. */
	list(api: Api): Promise<HashesByFeed>;
	/** Reads up to a hundred stories by hash. */
	stories(api: Api, hashes: string[]): Promise<StoriesByHash>;
	/** How the list behaves. */
	behavior: ListBehavior;
}

/** The most stories that a first poll filters, beginning with the newest. */
const MAX_CANDIDATES = 1_000;
/** The most requests for stories in one poll. The next poll continues. */
const MAX_REQUESTS = 20;

const hashesOf = (events: HashEvent[]): string[] => events.map(({ hash }) => hash);

/**
 * Watches a list of story hashes. `hash-comparison` finds the events in the list. `story-collection` makes items of them:
 * their stories are requested by hash, a hundred at once.
 */
export class StoryHashWatch implements Watch<HashCursor, HashSnapshot, HashEvent> {
	readonly parseCursor = parseHashCursor;

	constructor(private readonly options: StoryHashOptions) {}

	async snapshot(cursor: HashCursor | undefined, api: Api): Promise<HashSnapshot> {
		return snapshotOf(await this.options.list(api), this.options.behavior, cursor?.latest?.at);
	}

	baseline(snapshot: HashSnapshot, emitCount: number): HashCursor {
		if (emitCount === Infinity) return NO_KNOWN_STORIES;
		return allKnownBut(snapshot, newestHashes(snapshot, emitCount), this.options.behavior);
	}

	async filteredBaseline(snapshot: HashSnapshot, emitCount: number, api: Api): Promise<HashCursor> {
		const candidates = newestHashes(snapshot, MAX_CANDIDATES);
		return allKnownBut(snapshot, await this.firstPassing(candidates, emitCount, api), this.options.behavior);
	}

	detect(cursor: HashCursor, snapshot: HashSnapshot): { events: HashEvent[]; cursor: HashCursor } {
		return compareHashes(cursor, snapshot, this.options.behavior);
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
		const collection = new StoryCollection(this.options, maximum, cursor, api);
		const chunks = new Chunks(events);
		for (let requests = 0; collection.room > 0; requests += 1) {
			if (requests > 0 && (requests >= MAX_REQUESTS || !api.hasTime())) break;
			const chunk = chunks.next(this.options.passesFilters ? HASHES_PER_REQUEST : collection.room);
			if (chunk.length === 0) break;
			const read = await settled(this.options.stories(api, hashesOf(chunk)));
			if ('value' in read) {
				await collection.add(chunk, read.value);
				continue;
			}
			collection.fail(chunk, read.error);
			if (!isServerFailure(read.error)) break;
			chunks.split(chunk, 'after');
		}
		return await collection.finish();
	}

	async restore(emitted: HashEvent[], api: Api): Promise<TriggerItem[]> {
		const items: TriggerItem[] = [];
		for (const chunk of chunksOf(emitted, HASHES_PER_REQUEST)) {
			const { stories, response } = await this.options.stories(api, hashesOf(chunk));
			for (const event of chunk) {
				const story = stories.get(event.hash);
				if (story) items.push(await storyItem(this.options, event, story, response, api));
			}
		}
		return items;
	}

	/**
	 * The first `count` of these stories that pass the filters. Skips a story if the service fails only at that story; throws
	 * if the service fails at every story.
	 */
	private async firstPassing(hashes: string[], count: number, api: Api): Promise<string[]> {
		const { passesFilters } = this.options;
		if (!passesFilters) return hashes.slice(0, count);
		const passing: string[] = [];
		const chunks = new Chunks(hashes);
		const failures: unknown[] = [];
		let isResponding = false;
		for (let requests = 0; passing.length < count; requests += 1) {
			if (requests > 0 && !api.hasTime()) break;
			const chunk = chunks.next(requests === 0 ? count : HASHES_PER_REQUEST);
			if (chunk.length === 0) break;
			const read = await settled(this.options.stories(api, chunk));
			if ('value' in read) {
				isResponding = true;
				passing.push(...passingOf(chunk, read.value.stories, passesFilters));
				continue;
			}
			failures.push(read.error);
			if (!isServerFailure(read.error) || (!isResponding && failures.length > MAX_REQUESTS)) break;
			chunks.split(chunk, 'before');
		}
		// If the service responds otherwise, its own failures are about single stories.
		const failure = failures.find((error) => !isResponding || !isServerFailure(error));
		if (failure !== undefined) throw failure as Error;
		return passing.slice(0, count);
	}
}

const passingOf = (
	hashes: string[],
	stories: StoriesByHash['stories'],
	passesFilters: (story: IDataObject) => boolean,
): string[] =>
	hashes.filter((hash) => {
		const story = stories.get(hash);
		return story !== undefined && passesFilters(story);
	});
