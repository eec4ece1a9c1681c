/** Random histories of a service and of n8n, checked against the events that a trigger must emit. */
import fc from 'fast-check';
import type { RequestParts } from '../../nodes/runtime/api-types';
import { newQrScan } from '../../nodes/LinkManager/triggers/scans-and-clicks';
import { newUnreadStory } from '../../nodes/NewsReader/triggers/new-stories';
import type { Operation } from '../../nodes/runtime/table/operation';
import type { PollSettings } from '../../nodes/runtime/poll/step';
import { NO_TROUBLE, SimulatedN8n, type StateStorage, type Trouble, type World } from './trigger-world';
import { draws } from '../support/cases/random';

const HOUR = 3_600_000;
const RUNS = 300;
const MAXIMUM = 5;

/** Without crashes nothing needs to be repeated: then it is switched off. */
const settings = (crashes: boolean): PollSettings => ({
	key: 'key',
	firstPoll: 'nothing',
	firstCount: 10,
	maximum: MAXIMUM,
	reemitWithinMs: crashes ? 100 * HOUR : 0,
});

const storages = fc.constantFrom<StateStorage>('legacy', 'durable', 'cursors');
const troubles: fc.Arbitrary<Trouble> = fc.record({
	at: fc.integer({ min: 1, max: 6 }),
	how: fc.constantFrom('rate limit' as const, 'server error' as const),
	window: fc.constantFrom(3, 6, 12, Infinity),
});

/** What n8n may do between two events of the service. */
type Turn =
	| { do: 'poll' }
	| { do: 'fail'; trouble: Trouble }
	| { do: 'restart' }
	| { do: 'crash'; isSaved: boolean }
	| { do: 'jump'; hours: number };

const turns = (crashes: boolean, direction: 1 | -1): fc.Arbitrary<Turn> =>
	fc.oneof(
		{ weight: 5, arbitrary: fc.constant({ do: 'poll' as const }) },
		{ weight: 2, arbitrary: troubles.map((trouble) => ({ do: 'fail' as const, trouble })) },
		{
			weight: 1,
			arbitrary: fc
				.integer({ min: 1, max: 3 })
				.map((hours) => ({ do: 'jump' as const, hours: direction * hours })),
		},
		{ weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
		...(crashes
			? [{ weight: 2, arbitrary: fc.boolean().map((isSaved) => ({ do: 'crash' as const, isSaved })) }]
			: []),
	);

/** What workflows received, and what of it may come once more. */
class Received {
	/** Event ids that reached an execution, with how often. */
	readonly times = new Map<string, number>();
	/** The last hand-over that n8n saved. */
	private saved: string[] = [];
	/** Hand-overs since then that it did not save. */
	private unsaved = new Set<string>();
	private hasStartedAnew = false;

	/** A poll handed these over, and their execution ran or was lost. */
	add(ids: string[], reached: boolean, isSaved: boolean): void {
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.length).toBeLessThanOrEqual(MAXIMUM);
		if (ids.length === 0) return;
		const repeated = ids.filter((id) => this.times.has(id));
		const isWholeRepeat = this.hasStartedAnew && JSON.stringify(ids) === JSON.stringify(this.saved);
		if (!isWholeRepeat) expect([...this.unsaved]).toEqual(expect.arrayContaining(repeated));
		for (const id of reached ? ids : []) this.times.set(id, (this.times.get(id) ?? 0) + 1);
		this.hasStartedAnew = false;
		for (const id of ids) {
			if (isSaved) this.unsaved.delete(id);
			else this.unsaved.add(id);
		}
		if (isSaved) this.saved = ids;
	}

	/** n8n was restarted, and is set to emit its last items again, or not. */
	startedAnew(repeats: boolean): void {
		this.hasStartedAnew = repeats;
	}
}

/** Lets n8n poll; returns whether the poll succeeded. */
async function take(turn: Turn, n8n: SimulatedN8n, received: Received, repeats: boolean): Promise<void> {
	switch (turn.do) {
		case 'jump':
			n8n.now += turn.hours * HOUR;
			return;
		case 'restart':
			n8n.restart();
			received.startedAnew(repeats);
			return;
		case 'crash': {
			const polled = await n8n.poll(NO_TROUBLE, { isSaved: turn.isSaved });
			// Saved and not started, or started and not saved.
			if ('ids' in polled) received.add(polled.ids, !turn.isSaved, turn.isSaved);
			n8n.restart();
			received.startedAnew(repeats);
			return;
		}
		default: {
			const polled = await n8n.poll(turn.do === 'fail' ? turn.trouble : NO_TROUBLE);
			if ('ids' in polled) received.add(polled.ids, true, true);
		}
	}
}

/** Polls without trouble until nothing more comes. */
async function drain(n8n: SimulatedN8n, received: Received): Promise<void> {
	for (let quiet = 0, polls = 0; quiet < 3; polls += 1) {
		if (polls > 300) throw new Error('It never ends');
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
			const left = this.codes.filter(({ isGone }) => !isGone).reverse();
			if (row.route === 'GET /api/qr/{id}') {
				const code = left.find(({ id }) => id === path.id)!;
				const data = { clicks: code.scans, topCountries: { Norway: String(code.scans) } };
				return { error: 0, details: record(code), data };
			}
			const page = Number(query.page);
			const pages = Math.max(Math.ceil(left.length / 3), 1);
			const qrs = left.slice((page - 1) * 3, page * 3).map(record);
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
		/** Scans that were made since the baseline, by code. */
		const made = new Map<number, number>();
		const disturbed = new Set<number>();
		const watch = newQrScan.watch({ itemFor: 'scan', includeChanges: withChanges });
		const n8n = new SimulatedN8n(watch, world, storage, settings(crashes));
		const received = new Received();
		await n8n.poll(NO_TROUBLE, { isActivation: true });
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
			// Without durable cursors, the first state is only in memory until something is emitted.
			if ((step.do === 'restart' || step.do === 'crash') && !isSaved) continue;
			await take(step, n8n, received, crashes);
			isSaved ||= received.times.size > 0;
		}
		await drain(n8n, received);
		const counted = new Map<number, number>();
		for (const id of received.times.keys()) {
			const code = Number(/^qr:(\d+)/.exec(id)?.[1]);
			counted.set(code, (counted.get(code) ?? 0) + 1);
		}
		for (const { id } of world.codes) {
			const [emitted, happened] = [counted.get(id) ?? 0, made.get(id) ?? 0];
			if (disturbed.has(id)) expect(emitted).toBeLessThanOrEqual(happened);
			else expect([id, emitted]).toEqual([id, happened]);
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
			draws(RUNS),
		);
	});
});

describe('unread stories', () => {
	interface Story {
		hash: string;
		at: number;
		isRead: boolean;
		score: number;
	}

	class Stories implements World {
		readonly stories: Story[] = [];

		add(at: number, score: number): void {
			const number = this.stories.length;
			const feed = (number % 3) + 1;
			this.stories.push({
				hash: `${feed}:${number.toString(16).padStart(6, '0')}`,
				at,
				isRead: false,
				score,
			});
		}
		ask(row: Operation, { query }: RequestParts): unknown {
			if (row.route === 'GET /reader/unread_story_hashes') {
				const byFeed: Record<string, unknown[]> = {};
				for (const { hash, at, isRead } of this.stories) {
					if (isRead) continue;
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

	type Step = { do: 'publish'; at: number; score: number } | { do: 'read' | 'unread'; story: number } | Turn;
	const steps = (crashes: boolean, direction: 1 | -1): fc.Arbitrary<Step[]> =>
		fc.array(
			fc.oneof(
				{
					weight: 5,
					// Same seconds, late arrivals and the future alike.
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
				{ weight: 5, arbitrary: turns(crashes, direction) },
			),
			{ maxLength: 60 },
		);

	async function check(
		crashes: boolean,
		history: Step[],
		storage: StateStorage,
		before: number,
	): Promise<void> {
		const world = new Stories();
		for (let count = 0; count < before; count += 1) world.add(count % 4, 0);
		const n8n = new SimulatedN8n(newUnreadStory.watch({}), world, storage, settings(crashes));
		const received = new Received();
		await n8n.poll(NO_TROUBLE, { isActivation: true });
		let isSaved = storage !== 'durable';
		for (const step of history) {
			if (step.do === 'publish') world.add(step.at, step.score);
			else if ('story' in step) {
				const story = world.stories[step.story % Math.max(world.stories.length, 1)];
				if (story) story.isRead = step.do === 'read';
			} else {
				if ((step.do === 'restart' || step.do === 'crash') && !isSaved) continue;
				await take(step, n8n, received, crashes);
				isSaved ||= received.times.size > 0;
			}
		}
		await drain(n8n, received);
		world.stories.forEach(({ hash, isRead, score }, number) => {
			const emitted = received.times.has(`unread:${hash}`);
			if (number < before || score < 0) expect([hash, emitted]).toEqual([hash, false]);
			else if (!isRead) expect([hash, emitted]).toEqual([hash, true]);
		});
		expect(received.times.size).toBeLessThanOrEqual(world.stories.length - before);
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
				async (...history) => await check(crashes, ...history),
			),
			draws(RUNS),
		);
	});
});
