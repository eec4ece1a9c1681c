/** Compares emitted events with the expected ones in random histories of a service and of n8n. */
import fc from 'fast-check';
import type { RequestParts } from '../../nodes/runtime/api-types';
import { newQrScan } from '../../nodes/LinkManager/triggers/scans-and-clicks';
import { newUnreadStory } from '../../nodes/NewsReader/triggers/new-stories';
import type { Operation } from '../../nodes/runtime/table/operation';
import type { PollSettings } from '../../nodes/runtime/poll/step';
import { NO_FAULT, SimulatedN8n, type StateStorage, type Fault, type World } from './trigger-world';
import { propertyOptions } from '../support/cases/random';

const HOUR = 3_600_000;
const RUNS = 300;
const MAXIMUM = 5;

/** Repeating the last items is only needed after crashes. */
const settings = (crashes: boolean): Partial<PollSettings> => ({
	maximum: MAXIMUM,
	reemitWithinMs: crashes ? 100 * HOUR : 0,
});

const storages = fc.constantFrom<StateStorage>('legacy', 'durable', 'cursors');
const faults: fc.Arbitrary<Fault> = fc.record({
	at: fc.integer({ min: 1, max: 6 }),
	kind: fc.constantFrom('rate limit' as const, 'server error' as const),
	requestLimit: fc.constantFrom(3, 6, 12, Infinity),
});

/** What n8n does between two changes in the service. */
type Turn =
	| { do: 'poll' }
	| { do: 'fail'; fault: Fault }
	| { do: 'restart' }
	| { do: 'crash'; isSaved: boolean }
	| { do: 'jump'; hours: number }
	/** The user changes settings that do not start the trigger over. */
	| { do: 'change'; maximum: number; option: boolean };

const turns = (crashes: boolean, direction: 1 | -1): fc.Arbitrary<Turn> =>
	fc.oneof(
		{ weight: 5, arbitrary: fc.constant({ do: 'poll' as const }) },
		{ weight: 2, arbitrary: faults.map((fault) => ({ do: 'fail' as const, fault })) },
		{
			weight: 1,
			arbitrary: fc
				.integer({ min: 1, max: 3 })
				.map((hours) => ({ do: 'jump' as const, hours: direction * hours })),
		},
		{ weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
		{
			weight: 1,
			arbitrary: fc.record({
				do: fc.constant('change' as const),
				maximum: fc.constantFrom(1, 3, MAXIMUM),
				option: fc.boolean(),
			}),
		},
		...(crashes
			? [{ weight: 2, arbitrary: fc.boolean().map((isSaved) => ({ do: 'crash' as const, isSaved })) }]
			: []),
	);

/** How many events were emitted. */
let count = 0;
afterAll(() => {
	if (process.env.RANDOM_TIMES) console.log(`${count} events`);
});

/** The events that workflows received, and those that may be emitted again. */
class Received {
	/** How often each event id reached an execution. */
	readonly times = new Map<string, number>();
	/** The event ids of the last emission whose state n8n saved. */
	private saved: string[] = [];
	/** The event ids of all later emissions, whose state n8n did not save. */
	private unsaved = new Set<string>();
	private hasRestarted = false;

	/** `orderOf` returns what orders the events of a poll. */
	constructor(private readonly orderOf: (id: string) => number = () => 0) {}

	/** Records a poll's emission, whose execution ran or was lost. */
	add(ids: string[], reached: boolean, isSaved: boolean): void {
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.length).toBeLessThanOrEqual(MAXIMUM);
		if (ids.length === 0) return;
		const orders = ids.map(this.orderOf);
		expect(orders).toEqual(orders.toSorted((one, other) => one - other));
		count += ids.length;
		const repeated = ids.filter((id) => this.times.has(id));
		const isWholeRepeat = this.hasRestarted && JSON.stringify(ids) === JSON.stringify(this.saved);
		if (!isWholeRepeat) expect([...this.unsaved]).toEqual(expect.arrayContaining(repeated));
		for (const id of reached ? ids : []) this.times.set(id, (this.times.get(id) ?? 0) + 1);
		this.hasRestarted = false;
		for (const id of ids) {
			if (isSaved) this.unsaved.delete(id);
			else this.unsaved.add(id);
		}
		if (isSaved) this.saved = ids;
	}

	/** Records a restart of n8n; `repeats` says whether the last items are then emitted again. */
	recordRestart(repeats: boolean): void {
		this.hasRestarted = repeats;
	}
}

/** Runs one turn of n8n. `watchWith` is the event with another option. */
async function runTurn(
	turn: Turn,
	n8n: SimulatedN8n,
	received: Received,
	repeats: boolean,
	watchWith: (option: boolean) => SimulatedN8n['watch'],
): Promise<void> {
	switch (turn.do) {
		case 'change':
			n8n.settings = { ...n8n.settings, maximum: turn.maximum };
			n8n.watch = watchWith(turn.option);
			return;
		case 'jump':
			n8n.now += turn.hours * HOUR;
			return;
		case 'restart':
			n8n.restart();
			received.recordRestart(repeats);
			return;
		case 'crash': {
			const polled = await n8n.poll(NO_FAULT, { isSaved: turn.isSaved });
			// n8n crashed after it saved the state, or before.
			if ('ids' in polled) received.add(polled.ids, !turn.isSaved, turn.isSaved);
			n8n.restart();
			received.recordRestart(repeats);
			return;
		}
		default: {
			const polled = await n8n.poll(turn.do === 'fail' ? turn.fault : NO_FAULT);
			if ('ids' in polled) received.add(polled.ids, true, true);
		}
	}
}

/** Polls without faults until nothing more is emitted. */
async function pollUntilQuiet(n8n: SimulatedN8n, received: Received): Promise<void> {
	for (let quiet = 0, polls = 0; quiet < 3; polls += 1) {
		if (polls > 300) throw new Error('n8n still emits items after 300 polls');
		const polled = await n8n.poll();
		if ('failed' in polled) throw polled.failed;
		received.add(polled.ids, true, true);
		quiet = polled.ids.length === 0 ? quiet + 1 : 0;
	}
}

describe('scans', () => {
	/** QR codes in pages of three, newest first. */
	class Codes implements World {
		readonly codes: Array<{ id: number; scans: number; date: number; isGone: boolean }> = [];

		add(scans: number): void {
			this.codes.push({ id: this.codes.length + 1, scans, date: this.codes.length, isGone: false });
		}
		at(index: number) {
			return this.codes.length === 0 ? undefined : this.codes[index % this.codes.length];
		}
		ask(row: Operation, { path, query }: RequestParts): unknown {
			const record = ({ id, scans, date }: Codes['codes'][number]) => ({
				id,
				scans,
				name: `code ${id}`,
				link: `https://links.example.com/qr/c${id}`,
				date: String(date),
			});
			const remaining = this.codes.filter(({ isGone }) => !isGone).reverse();
			if (row.route === 'GET /api/qr/{id}') {
				const code = remaining.find(({ id }) => id === path.id)!;
				const data = { clicks: code.scans, topCountries: { Norway: String(code.scans) } };
				return { error: 0, details: record(code), data };
			}
			const page = Number(query.page);
			const pages = Math.max(Math.ceil(remaining.length / 3), 1);
			const qrs = remaining.slice((page - 1) * 3, page * 3).map(record);
			return {
				error: '0',
				data: { result: qrs.length, currentpage: page, nextpage: page + 1, maxpage: pages, qrs },
			};
		}
	}

	type Step =
		{ do: 'add'; scans: number } | { do: 'scan' | 'reset' | 'delete'; code: number; count: number } | Turn;
	const steps = (crashes: boolean, direction: 1 | -1): fc.Arbitrary<Step[]> =>
		fc.array(
			fc.oneof(
				{ weight: 2, arbitrary: fc.nat(4).map((scans): Step => ({ do: 'add', scans })) },
				{
					weight: 4,
					arbitrary: fc.record({
						do: fc.constantFrom(
							'scan' as const,
							'scan' as const,
							'scan' as const,
							'scan' as const,
							'reset' as const,
							'delete' as const,
						),
						code: fc.nat(20),
						count: fc.integer({ min: 1, max: 6 }),
					}),
				},
				{ weight: 6, arbitrary: turns(crashes, direction) },
			),
			{ maxLength: 60 },
		);

	async function check(
		crashes: boolean,
		history: Step[],
		storage: StateStorage,
		before: number[],
		withChanges: boolean,
	): Promise<void> {
		const world = new Codes();
		for (const scans of before) world.add(scans);
		/** Scans since the baseline, by code. */
		const made = new Map<number, number>();
		const disturbed = new Set<number>();
		const watchWith = (includeChanges: boolean) => newQrScan.watch({ itemFor: 'scan', includeChanges });
		const n8n = new SimulatedN8n(watchWith(withChanges), world, storage, settings(crashes));
		const received = new Received();
		await n8n.poll(NO_FAULT, { isActivation: true });
		let isSaved = storage !== 'durable';
		for (const step of history) {
			if (step.do === 'add') {
				world.add(step.scans);
				made.set(world.codes.length, step.scans);
				continue;
			}
			if ('code' in step) {
				const code = world.at(step.code);
				if (!code || code.isGone) continue;
				if (step.do === 'scan') {
					code.scans += step.count;
					made.set(code.id, (made.get(code.id) ?? 0) + step.count);
				} else {
					disturbed.add(code.id);
					if (step.do === 'delete') code.isGone = true;
					else code.scans = 0;
				}
				continue;
			}
			// Without durable cursors, n8n holds the first state only in memory until the first emission.
			if ((step.do === 'restart' || step.do === 'crash') && !isSaved) continue;
			await runTurn(step, n8n, received, crashes, watchWith);
			isSaved ||= received.times.size > 0;
		}
		await pollUntilQuiet(n8n, received);
		const counted = new Map<number, number>();
		for (const id of received.times.keys()) {
			const code = Number(/^qr:(\d+)/.exec(id)?.[1]);
			counted.set(code, (counted.get(code) ?? 0) + 1);
		}
		for (const { id } of world.codes) {
			const [emitted, happened] = [counted.get(id) ?? 0, made.get(id) ?? 0];
			if (!disturbed.has(id)) expect([id, emitted]).toEqual([id, happened]);
			// A crash can lose that a counter went down, so that its counts have other ids afterwards.
			else if (!crashes) expect(emitted).toBeLessThanOrEqual(happened);
		}
		expect(n8n.size).toBeLessThan(200_000);
	}

	const before = fc.array(fc.nat(5), { maxLength: 8 });

	it.each([
		[false, 'exactly once without a crash, n8n starting anew or not'],
		[true, 'at least once across crashes, and repeated only with the last hand-over'],
	])('are emitted (crashes: %s) %s', async (crashes) => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom<1 | -1>(1, -1).chain((way) => steps(crashes, way)),
				storages,
				before,
				fc.boolean(),
				async (...history) => await check(crashes, ...history),
			),
			propertyOptions(RUNS),
		);
	});
});

describe('unread stories', () => {
	interface Story {
		hash: string;
		at: number;
		isRead: boolean;
		score: number;
		/** How often it was marked as unread after it was read. */
		returns: number;
	}

	class Stories implements World {
		readonly stories: Story[] = [];
		/** The feeds that are muted. */
		readonly muted = new Set<number>();

		add(at: number, score: number): void {
			const number = this.stories.length;
			const feed = (number % 3) + 1;
			this.stories.push({
				hash: `${feed}:${number.toString(16).padStart(6, '0')}`,
				at,
				isRead: false,
				score,
				returns: 0,
			});
		}
		ask(row: Operation, { query }: RequestParts): unknown {
			if (row.route === 'GET /reader/feeds') {
				const feeds = [1, 2, 3].map((id) => ({ id, active: !this.muted.has(id) }));
				return { authenticated: true, feeds, folders: [1, 2, 3] };
			}
			if (row.route === 'GET /reader/unread_story_hashes') {
				const byFeed: Record<string, unknown[]> = {};
				for (const { hash, at, isRead } of this.stories) {
					if (isRead || this.muted.has(parseInt(hash))) continue;
					(byFeed[hash.split(':')[0]!] ??= []).push([hash, at]);
				}
				return { authenticated: true, unread_feed_story_hashes: byFeed };
			}
			const wanted = new Set(query.h as string[]);
			const stories = this.stories
				.filter(({ hash }) => wanted.has(hash))
				.map(({ hash, at, score }) => ({
					story_hash: hash,
					story_timestamp: String(at),
					story_title: hash,
					score,
				}));
			return { authenticated: true, stories: stories.reverse() };
		}
	}

	type Step =
		| { do: 'publish'; at: number; score: number }
		| { do: 'read' | 'unread'; story: number }
		| { do: 'mute' | 'unmute'; feed: number }
		| Turn;
	const steps = (crashes: boolean, direction: 1 | -1): fc.Arbitrary<Step[]> =>
		fc.array(
			fc.oneof(
				{
					weight: 5,
					// Includes equal, late and future dates.
					arbitrary: fc.record({
						do: fc.constant('publish' as const),
						at: fc.nat(6),
						score: fc.integer({ min: -1, max: 1 }),
					}),
				},
				{
					weight: 2,
					arbitrary: fc.record({
						do: fc.constantFrom('read' as const, 'unread' as const),
						story: fc.nat(30),
					}),
				},
				{
					weight: 1,
					arbitrary: fc.record({
						do: fc.constantFrom('mute' as const, 'unmute' as const),
						feed: fc.integer({ min: 1, max: 3 }),
					}),
				},
				{ weight: 5, arbitrary: turns(crashes, direction) },
			),
			{ maxLength: 60 },
		);

	async function check(
		crashes: boolean,
		history: Step[],
		storage: StateStorage,
		before: number,
		again: boolean,
	): Promise<void> {
		const world = new Stories();
		for (let count = 0; count < before; count += 1) world.add(count % 4, 0);
		const watchWith = (unreadAgain: boolean) =>
			newUnreadStory.watch({ choice: [1, 2, 3], unreadAgain: unreadAgain && again });
		const n8n = new SimulatedN8n(watchWith(again), world, storage, settings(crashes));
		const received = new Received((id) => {
			const hash = id.replace(/^unread:|#.*/g, '');
			return world.stories.find((story) => story.hash === hash)?.at ?? NaN;
		});
		await n8n.poll(NO_FAULT, { isActivation: true });
		let isSaved = storage !== 'durable';
		for (const step of history) {
			if (step.do === 'publish') world.add(step.at, step.score);
			else if ('feed' in step) world.muted[step.do === 'mute' ? 'add' : 'delete'](step.feed);
			else if ('story' in step) {
				const story = world.stories[step.story % Math.max(world.stories.length, 1)];
				if (!story) continue;
				if (story.isRead && step.do === 'unread') story.returns += 1;
				story.isRead = step.do === 'read';
			} else {
				if ((step.do === 'restart' || step.do === 'crash') && !isSaved) continue;
				await runTurn(step, n8n, received, crashes, watchWith);
				isSaved ||= received.times.size > 0;
			}
		}
		world.muted.clear();
		await pollUntilQuiet(n8n, received);
		world.stories.forEach(({ hash, isRead, score, returns }, number) => {
			const emitted = received.times.has(`unread:${hash}`);
			const again = [...received.times.keys()].filter((id) => id.startsWith(`unread:${hash}#`));
			expect(again.length).toBeLessThanOrEqual(returns);
			if (number < before || score < 0) expect([hash, emitted]).toEqual([hash, false]);
			else if (!isRead) expect([hash, emitted]).toEqual([hash, true]);
		});
		const first = [...received.times.keys()].filter((id) => !id.includes('#'));
		expect(first.length).toBeLessThanOrEqual(world.stories.length - before);
	}

	it.each([
		[false, 'exactly once without a crash, n8n starting anew or not'],
		[true, 'at least once across crashes, and repeated only with the last hand-over'],
	])('are emitted (crashes: %s) %s', async (crashes) => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom<1 | -1>(1, -1).chain((way) => steps(crashes, way)),
				storages,
				fc.nat(12),
				fc.boolean(),
				async (...history) => await check(crashes, ...history),
			),
			propertyOptions(RUNS),
		);
	});
});
