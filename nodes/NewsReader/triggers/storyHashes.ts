import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../../runtime/exchange';
import type { Api } from '../../runtime/table/operation';
import { isServerFailure } from '../../runtime/errors/failures';
import { settled } from '../../runtime/promises';
import { itemOf, type Collected, type Item, type Watch } from '../../runtime/poll/watch';
import { HASHES_PER_REQUEST, type HashesByFeed, type StoriesByHash } from '../model/hashes';
import {
	allKnownBut,
	compareHashes,
	newestHashes,
	snapshotOf,
	type HashList,
	type HashSnapshot,
} from './hashComparison';
import {
	advanceHashes,
	MOST_TRIES,
	NOTHING_KNOWN,
	readHashCursor,
	type HashCursor,
	type HashEvent,
} from './hashCursor';

export interface StoryHashOptions {
	/** What its event ids begin with. */
	name: string;
	/** Asks for the list. */
	list(api: Api): Promise<HashesByFeed>;
	/** Reads up to a hundred stories by hash. */
	stories(api: Api, hashes: string[]): Promise<StoriesByHash>;
	/** What kind of list it is. */
	kind: HashList;
	/** When a story came into the list, as it tells itself: Unix seconds; of lists whose dates tell that. */
	enteredAt?(story: IDataObject): number | undefined;
	/** Whether a story is among what the user wants; left out if all are. */
	isWanted?(story: IDataObject): boolean;
	item(story: IDataObject, answer: Answer, api: Api): Promise<IDataObject>;
}

/** So many of the newest stories are looked through for the last ones that are wanted. */
const MOST_LOOKED_THROUGH = 1_000;
/** One poll asks for stories no more often than this; the rest follows at the next. */
const MOST_REQUESTS = 20;

/** Stories that could not be read, and why not. */
interface Failed {
	chunk: HashEvent[];
	error: unknown;
}

/** Whether the service failed at one story, asked for by itself. */
const isOfStory = ({ chunk, error }: Failed): boolean => chunk.length === 1 && isServerFailure(error);

const halvesOf = <Entry>(entries: Entry[]): Entry[][] => {
	const middle = Math.ceil(entries.length / 2);
	return [entries.slice(0, middle), entries.slice(middle)];
};

const hashesOf = (events: HashEvent[]): string[] => events.map(({ hash }) => hash);

/** Watches a list of story hashes. */
export class StoryHashWatch implements Watch<HashCursor, HashSnapshot, HashEvent> {
	readonly read = readHashCursor;
	readonly advance = advanceHashes;

	constructor(private readonly options: StoryHashOptions) {}

	async snapshot(_: HashCursor | undefined, api: Api): Promise<HashSnapshot> {
		return snapshotOf(await this.options.list(api), this.options.kind);
	}

	baseline(snapshot: HashSnapshot, newest: number): HashCursor {
		if (newest === Infinity) return NOTHING_KNOWN;
		return allKnownBut(snapshot, newestHashes(snapshot, newest), this.options.kind);
	}

	async wantedBaseline(snapshot: HashSnapshot, newest: number, api: Api): Promise<HashCursor> {
		const candidates = newestHashes(snapshot, MOST_LOOKED_THROUGH);
		return allKnownBut(snapshot, await this.firstWanted(candidates, newest, api), this.options.kind);
	}

	detect(cursor: HashCursor, snapshot: HashSnapshot): { events: HashEvent[]; cursor: HashCursor } {
		return compareHashes(cursor, snapshot, this.options.kind);
	}

	async collect(events: HashEvent[], maximum: number, api: Api): Promise<Collected<HashEvent>> {
		const { isWanted } = this.options;
		const collected: Collected<HashEvent> = { processed: [], handedOver: [], items: [] };
		const failed: Failed[] = [];
		const open: HashEvent[][] = [];
		let next = 0;
		for (let requests = 0; collected.items.length < maximum; requests += 1) {
			if (requests > 0 && (requests >= MOST_REQUESTS || !api.hasTime())) break;
			const room = isWanted ? HASHES_PER_REQUEST : maximum - collected.items.length;
			const chunk = open.shift() ?? events.slice(next, (next += Math.min(room, HASHES_PER_REQUEST)));
			if (chunk.length === 0) break;
			const read = await settled(this.options.stories(api, hashesOf(chunk)));
			if ('value' in read) await this.collectChunk(chunk, read.value, maximum, collected, api);
			else {
				failed.push({ chunk, error: read.error });
				if (!isServerFailure(read.error)) break;
				if (chunk.length > 1) open.push(...halvesOf(chunk));
			}
		}
		await this.giveUp(failed.filter(isOfStory), maximum, collected);
		if (failed[0] && collected.processed.length === 0) throw failed[0].error as Error;
		return collected;
	}

	/** While the service answers for others it fails at these: asked for in some such polls, they are told without their story. */
	private async giveUp(
		single: Failed[],
		maximum: number,
		{ processed, items }: Collected<HashEvent>,
	): Promise<void> {
		const isAnswered = processed.length > 0;
		for (const { chunk, error } of single) {
			for (const event of chunk) {
				const unreadable = (event.unreadable ?? 0) + 1;
				const isOver = unreadable >= MOST_TRIES;
				if (isOver ? items.length >= maximum : !isAnswered) continue;
				processed.push({ ...event, unreadable });
				if (isOver)
					items.push(await itemOf(this.eventId(event), async () => await Promise.reject(error as Error)));
			}
		}
	}

	async restore(handedOver: HashEvent[], api: Api): Promise<Item[]> {
		const items: Item[] = [];
		for (let next = 0; next < handedOver.length; next += HASHES_PER_REQUEST) {
			const chunk = handedOver.slice(next, next + HASHES_PER_REQUEST);
			const { stories, answer } = await this.options.stories(api, hashesOf(chunk));
			for (const event of chunk) {
				const story = stories.get(event.hash);
				if (story) items.push(await this.itemOf(event, story, answer, api));
			}
		}
		return items;
	}

	private async collectChunk(
		chunk: HashEvent[],
		{ stories, answer }: StoriesByHash,
		maximum: number,
		{ processed, handedOver, items }: Collected<HashEvent>,
		api: Api,
	): Promise<void> {
		for (const { unreadable, ...event } of chunk) {
			if (items.length >= maximum) return;
			const story = stories.get(event.hash);
			if (!story) {
				processed.push({ ...event, unreadable: (unreadable ?? 0) + 1 });
				continue;
			}
			if (!this.isNew(event, story)) {
				processed.push({ feed: event.feed, hash: event.hash, again: 0 });
				continue;
			}
			processed.push(event);
			if (this.options.isWanted?.(story) === false) continue;
			handedOver.push(event);
			items.push(await this.itemOf(event, story, answer, api));
		}
	}

	/** A known story with a new date came back only if it tells so itself; otherwise it was changed. */
	private isNew({ since }: HashEvent, story: IDataObject): boolean {
		const enteredAt = this.options.enteredAt?.(story);
		return since === undefined || enteredAt === undefined || enteredAt >= since;
	}

	private async itemOf(event: HashEvent, story: IDataObject, answer: Answer, api: Api): Promise<Item> {
		return await itemOf(this.eventId(event), async () => await this.options.item(story, answer, api));
	}

	private eventId({ hash, again }: HashEvent): string {
		return `${this.options.name}:${hash}${again > 0 ? `#${again}` : ''}`;
	}

	/** The first stories of these that are wanted. Those at which the service fails are left out if it answers for others. */
	private async firstWanted(hashes: string[], count: number, api: Api): Promise<string[]> {
		const { isWanted } = this.options;
		if (!isWanted) return hashes.slice(0, count);
		const wanted: string[] = [];
		const open: string[][] = [];
		const failures: unknown[] = [];
		let next = 0;
		let isAnswered = false;
		for (let size = count; wanted.length < count; size = HASHES_PER_REQUEST) {
			if (next > 0 && !api.hasTime()) break;
			const chunk = open.shift() ?? hashes.slice(next, (next += Math.min(size, HASHES_PER_REQUEST)));
			if (chunk.length === 0) break;
			const read = await settled(this.options.stories(api, chunk));
			if ('error' in read) {
				failures.push(read.error);
				if (!isServerFailure(read.error) || (!isAnswered && failures.length > MOST_REQUESTS)) break;
				if (chunk.length > 1) open.unshift(...halvesOf(chunk));
				continue;
			}
			isAnswered = true;
			const { stories } = read.value;
			const isOneOf = (hash: string): boolean => {
				const story = stories.get(hash);
				return story !== undefined && isWanted(story);
			};
			wanted.push(...chunk.filter(isOneOf));
		}
		const failure = failures.find((error) => !isAnswered || !isServerFailure(error));
		if (failure !== undefined) throw failure as Error;
		return wanted.slice(0, count);
	}
}
