/**
 * Random histories of publishing in groups of similar stories; the variant `2026` returns one of each in a response:
 * every story is emitted once, or one story of every group.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Engine } from '../../engine/index.ts';
import { startEngine } from '../support/nodes/link-node';
import { draws } from '../support/cases/random';
import { controls } from '../support/clients/reader-client';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime, releaseTime, type TriggerRun } from '../support/triggers/trigger-run';

const FEEDS = [3, 5, 10];
const MINUTE = 60_000;
const LARGEST_GROUP = 10;
/** The account dislikes one of ten authors of this feed. The stories of tests are numbered in each feed. */
const DISLIKING = 10;
const DISLIKED = 'Author 7';
const HIDDEN = new Set(
	Array.from({ length: 1000 }, (_, n) => `urn:bulk:${DISLIKING}:${10 * n + 7}`).map(
		(guid) => `${DISLIKING}:${createHash('sha1').update(guid).digest('hex').slice(0, 6)}`,
	),
);

let engine: Engine;
beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(holdTime);
afterEach(releaseTime);

const feeds = (least: number[], maxLength: number): fc.Arbitrary<number[]> =>
	fc.array(fc.constantFrom(...FEEDS), { maxLength }).map((more) => [...least, ...more]);
/** Similar stories of several feeds: one or more come at once, others later. */
const group = fc.record({
	first: fc.oneof(fc.constant<number[]>([3]), feeds([3, 5], 5)),
	later: fc.oneof(fc.constant<number[]>([]), feeds([10], 2)),
	/** Whether its members are listed under another id from now on, which loses former ones. */
	isRemade: fc.boolean(),
});
const round = fc.record({
	single: fc.array(fc.nat(60), { minLength: FEEDS.length, maxLength: FEEDS.length }),
	groups: fc.array(group, { maxLength: 8 }),
	/** Which of the new stories are read before the trigger sees them. */
	read: fc.array(fc.nat(500), { maxLength: 5 }),
	/** Which of the stories that a poll asks for first is read before it gets them. */
	readMeanwhile: fc.option(fc.nat(99)),
	restarts: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});
type Round = typeof round extends fc.Arbitrary<infer One> ? One : never;
type Group = typeof group extends fc.Arbitrary<infer One> ? One : never;

interface Similar {
	id?: string;
	hashes: string[];
}

class History {
	/** All stories that were published, not hidden and not read before a poll, with their groups. */
	readonly published = new Map<string, Similar>();
	/** Those that were read while a poll asked for them: they may be emitted. */
	readonly readMeanwhile = new Set<string>();
	/** The most stories that were new at one poll. */
	largest = 0;
	readonly emitted: string[] = [];
	private later: Array<{ similar: Similar; feeds: number[]; isRemade: boolean }> = [];

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
		for (const { single, groups, read, readMeanwhile, restarts } of rounds) {
			const before = this.published.size;
			const joining = this.later;
			this.later = [];
			for (const [index, count] of single.entries()) {
				for (const hash of await this.publish(FEEDS[index]!, count)) this.note({ hashes: [hash] });
			}
			for (const one of joining) await this.join(one);
			for (const one of groups) await this.make(one);
			await this.readSome([...this.published.keys()].slice(before), read);
			this.largest = Math.max(this.largest, this.published.size - before);
			if (readMeanwhile !== null) this.readDuringPoll(readMeanwhile);
			await this.poll();
			this.world.host.reset();
			if (restarts) this.run.restart(11 * MINUTE);
		}
		for (const { hash } of await this.run.drain(200)) this.emitted.push(String(hash));
	}

	/** The groups with no emitted story, or more than one. */
	get wronglyEmitted(): string[][] {
		const groups = new Set(this.published.values());
		const countOf = ({ hashes }: Similar): number =>
			this.emitted.filter((hash) => hashes.includes(hash)).length;
		const isMissing = (one: Similar): boolean =>
			countOf(one) === 0 && !one.hashes.every((hash) => this.readMeanwhile.has(hash) || HIDDEN.has(hash));
		return [...groups].filter((one) => countOf(one) > 1 || isMissing(one)).map(({ hashes }) => hashes);
	}

	/** The stories that were not emitted, and those that did not have to be. */
	get wrongStories(): string[] {
		const emitted = new Set(this.emitted);
		const lost = [...this.published.keys()].filter(
			(hash) => !emitted.has(hash) && !this.readMeanwhile.has(hash),
		);
		return [...lost, ...this.emitted.filter((hash) => !this.published.has(hash))];
	}

	/** Marks one of the stories that the next poll asks for as read, before it gets them. */
	private readDuringPoll(which: number): void {
		let isDone = false;
		this.world.host.respond = async ({ path, url }) => {
			if (isDone || !path.endsWith('/reader/river_stories')) return undefined;
			isDone = true;
			const requested = new URL(url, this.world.host.baseUrl).searchParams.getAll('h');
			const hash = requested[which % requested.length];
			if (hash === undefined) return undefined;
			this.readMeanwhile.add(hash);
			await this.world.markRead(hash);
			return undefined;
		};
	}

	private async make({ first, later, isRemade }: Group): Promise<void> {
		const similar: Similar = { hashes: [] };
		for (const feed of first) similar.hashes.push(...(await this.publish(feed, 1)));
		this.note(similar);
		if (first.length > 1) await this.cluster(similar);
		if (later.length > 0) this.later.push({ similar, feeds: later, isRemade });
	}

	private async join({ similar, feeds, isRemade }: (typeof this.later)[number]): Promise<void> {
		for (const feed of feeds) {
			const hashes = await this.publish(feed, 1);
			similar.hashes.push(...hashes);
			this.note(similar, hashes);
		}
		if (isRemade) similar.id = undefined;
		await this.cluster(similar);
	}

	private async cluster(similar: Similar): Promise<void> {
		const { hashes, id } = similar;
		const made = await this.world.anybody.control(controls.cluster, {
			story_hashes: hashes.slice(-LARGEST_GROUP),
			...(id && { id }),
		});
		similar.id = String(made.id);
	}

	private note(similar: Similar, hashes = similar.hashes): void {
		for (const hash of hashes) {
			if (HIDDEN.has(hash)) hidden += 1;
			else this.published.set(hash, similar);
		}
	}

	/** Publishes stories in a feed; returns their hashes. */
	private async publish(feed_id: number, count: number): Promise<string[]> {
		if (count === 0) return [];
		const before = new Set(await this.unread(feed_id));
		await this.world.anybody.control(controls.bulk, { feed_id, count, seconds_apart: 1 });
		return (await this.unread(feed_id)).filter((hash) => !before.has(hash));
	}

	private async unread(feed_id: number): Promise<string[]> {
		const { body } = await this.world.reader.get('/reader/unread_story_hashes', { feed_id });
		return (body.unread_feed_story_hashes[feed_id] ?? []).map(String);
	}

	/** Marks single new stories as read; they are not expected any more. */
	private async readSome(fresh: string[], which: number[]): Promise<void> {
		for (const number of which) {
			const hash = fresh[number];
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
			{ ...draws(2), endOnFailure: true },
		);
	});
});

afterAll(() => {
	expect(stories).toBeGreaterThan(1000);
	expect(hidden).toBeGreaterThan(50);
	// A request has a hundred hashes.
	expect(largest).toBeGreaterThan(100);
});
