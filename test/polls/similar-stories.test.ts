/**
 * Tests New Unread Story with random groups of similar stories, of which the variant `2026` returns only one per
 * response: every story is emitted once, or one story of every group.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { propertyOptions } from '../support/cases/random';
import { controls } from '../support/clients/reader-client';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime, type TriggerRun } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

const FEEDS = [3, 5, 10];
const MINUTE = 60_000;
const LARGEST_GROUP = 10;
/** The account dislikes one of ten authors of this feed. The sandbox numbers the added stories of each feed. */
const DISLIKING = 10;
const DISLIKED = 'Author 7';
const HIDDEN = new Set(
	Array.from({ length: 1000 }, (_, n) => `urn:bulk:${DISLIKING}:${10 * n + 7}`).map(
		(guid) => `${DISLIKING}:${createHash('sha1').update(guid).digest('hex').slice(0, 6)}`,
	),
);
beforeEach(holdTime);

const feeds = (required: number[], maxLength: number): fc.Arbitrary<number[]> =>
	fc.array(fc.constantFrom(...FEEDS), { maxLength }).map((more) => [...required, ...more]);
/** The feeds of similar stories: those that are published in the same round, and later ones. */
const group = fc.record({
	first: fc.oneof(fc.constant<number[]>([3]), feeds([3, 5], 5)),
	later: fc.oneof(fc.constant<number[]>([]), feeds([10], 2)),
	/** Whether later members get a new group id, which removes the previous members from the group. */
	hasNewId: fc.boolean(),
});
const round = fc.record({
	single: fc.array(fc.nat(60), { minLength: FEEDS.length, maxLength: FEEDS.length }),
	groups: fc.array(group, { maxLength: 8 }),
	/** The indexes of new stories that are read before the poll. */
	read: fc.array(fc.nat(500), { maxLength: 5 }),
	/** The index of the requested story that is read during the poll. */
	readDuringPoll: fc.option(fc.nat(99)),
	restarts: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});
type Round = typeof round extends fc.Arbitrary<infer One> ? One : never;
type Group = typeof group extends fc.Arbitrary<infer One> ? One : never;

interface Similar {
	id?: string;
	hashes: string[];
}

class History {
	/** The published stories that are neither hidden nor read before a poll, with their groups. */
	readonly published = new Map<string, Similar>();
	/** The stories that were read during a poll: they may be emitted or not. */
	readonly readDuringPoll = new Set<string>();
	/** The largest number of new stories in one poll. */
	largest = 0;
	readonly emitted: string[] = [];
	private later: Array<{ similar: Similar; feeds: number[]; hasNewId: boolean }> = [];

	constructor(
		private readonly world: WatchedReader,
		private readonly run: TriggerRun,
	) {}

	async play(rounds: Round[]): Promise<void> {
		await this.run.activate();
		await this.world.reader.post('/classifier/save', {
			feed_id: DISLIKING,
			dislike_author: DISLIKED,
		});
		for (const { single, groups, read, readDuringPoll, restarts } of rounds) {
			const before = this.published.size;
			const joining = this.later;
			this.later = [];
			for (const [index, count] of single.entries()) {
				for (const hash of await this.publish(FEEDS[index]!, count)) this.addExpected({ hashes: [hash] });
			}
			for (const addition of joining) await this.join(addition);
			for (const group of groups) await this.create(group);
			await this.markSomeRead([...this.published.keys()].slice(before), read);
			this.largest = Math.max(this.largest, this.published.size - before);
			if (readDuringPoll !== null) this.markReadDuringPoll(readDuringPoll);
			await this.poll();
			this.world.host.reset();
			if (restarts) this.run.restart(11 * MINUTE);
		}
		for (const { hash } of await this.run.pollUntilEmpty(200)) this.emitted.push(String(hash));
	}

	/** The groups of which no story was emitted, or more than one. */
	get wronglyEmitted(): string[][] {
		const groups = new Set(this.published.values());
		const countOf = ({ hashes }: Similar): number =>
			this.emitted.filter((hash) => hashes.includes(hash)).length;
		const isMissing = (group: Similar): boolean =>
			countOf(group) === 0 &&
			!group.hashes.every((hash) => this.readDuringPoll.has(hash) || HIDDEN.has(hash));
		return [...groups].filter((group) => countOf(group) > 1 || isMissing(group)).map(({ hashes }) => hashes);
	}

	/** The stories that were not emitted, and those that were emitted unexpectedly. */
	get wrongStories(): string[] {
		const emitted = new Set(this.emitted);
		const lost = [...this.published.keys()].filter(
			(hash) => !emitted.has(hash) && !this.readDuringPoll.has(hash),
		);
		return [...lost, ...this.emitted.filter((hash) => !this.published.has(hash))];
	}

	/** Marks one of the stories that the next poll requests as read, before the service responds. */
	private markReadDuringPoll(index: number): void {
		let isDone = false;
		this.world.host.respond = async ({ path, url }) => {
			if (isDone || !path.endsWith('/reader/river_stories')) return undefined;
			isDone = true;
			const requested = new URL(url, this.world.host.baseUrl).searchParams.getAll('h');
			const hash = requested[index % requested.length];
			if (hash === undefined) return undefined;
			this.readDuringPoll.add(hash);
			await this.world.markRead(hash);
			return undefined;
		};
	}

	private async create({ first, later, hasNewId }: Group): Promise<void> {
		const similar: Similar = { hashes: [] };
		for (const feed of first) similar.hashes.push(...(await this.publish(feed, 1)));
		this.addExpected(similar);
		if (first.length > 1) await this.cluster(similar);
		if (later.length > 0) this.later.push({ similar, feeds: later, hasNewId });
	}

	private async join({ similar, feeds, hasNewId }: (typeof this.later)[number]): Promise<void> {
		for (const feed of feeds) {
			const hashes = await this.publish(feed, 1);
			similar.hashes.push(...hashes);
			this.addExpected(similar, hashes);
		}
		if (hasNewId) similar.id = undefined;
		await this.cluster(similar);
	}

	private async cluster(similar: Similar): Promise<void> {
		const { hashes, id } = similar;
		const cluster = await this.world.anonymous.control(controls.cluster, {
			story_hashes: hashes.slice(-LARGEST_GROUP),
			...(id && { id }),
		});
		similar.id = String(cluster.id);
	}

	private addExpected(similar: Similar, hashes = similar.hashes): void {
		for (const hash of hashes) {
			if (HIDDEN.has(hash)) hidden += 1;
			else this.published.set(hash, similar);
		}
	}

	/** Publishes stories in a feed; returns their hashes. */
	private async publish(feed_id: number, count: number): Promise<string[]> {
		if (count === 0) return [];
		const before = new Set(await this.unread(feed_id));
		await this.world.anonymous.control(controls.bulk, { feed_id, count, seconds_apart: 1 });
		return (await this.unread(feed_id)).filter((hash) => !before.has(hash));
	}

	private async unread(feed_id: number): Promise<string[]> {
		const { body } = await this.world.reader.get('/reader/unread_story_hashes', { feed_id });
		return (body.unread_feed_story_hashes[feed_id] ?? []).map(String);
	}

	/** Marks new stories outside groups as read; they are no longer expected. */
	private async markSomeRead(added: string[], indexes: number[]): Promise<void> {
		for (const index of indexes) {
			const hash = added[index];
			const similar = this.published.get(hash ?? '');
			if (hash === undefined || !similar || similar.hashes.length > 1) continue;
			await this.world.markRead(hash);
			this.published.delete(hash);
		}
	}

	private async poll(): Promise<void> {
		for (const { hash } of await this.run.poll()) this.emitted.push(String(hash));
	}
}

let stories = 0;
let hidden = 0;
let largest = 0;

describe.each(['free', 'archive'] as const)('with the plan %s', (plan) => {
	it.each([
		['each story', 'story'],
		['one story of each group', 'group'],
	])('emits %s once', async (_, similarStories) => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(round, { minLength: 3, maxLength: 8 }),
				fc.constantFrom(25, 50, 1000),
				async (rounds, maximum) => {
					const world = await WatchedReader.start(engine, { variant: '2026', plan });
					try {
						const parameters = { event: 'newUnreadStory', similarStories, options: { maximum } };
						const history = new History(world, world.trigger(parameters, 'cursors'));
						await history.play(rounds);
						const { published, emitted } = history;
						stories += published.size;
						largest = Math.max(largest, history.largest);
						expect(new Set(emitted).size).toBe(emitted.length);
						if (similarStories === 'group') expect(history.wronglyEmitted).toEqual([]);
						else expect(history.wrongStories).toEqual([]);
					} finally {
						await world.stop();
					}
				},
			),
			{ ...propertyOptions(2), endOnFailure: true },
		);
	});
});

afterAll(() => {
	expect(stories).toBeGreaterThan(1000);
	expect(hidden).toBeGreaterThan(50);
	// More than the hundred hashes of one request.
	expect(largest).toBeGreaterThan(100);
});
