/** Triggers on newest-first lists: new lists, late entries, missing dates, and several lists at once. */
import fc from 'fast-check';
import type { Api } from '../../nodes/runtime/api-types';
import { propertyOptions } from '../support/cases/random';
import { clock } from '../../nodes/runtime/clock';
import { NewestFirstWatch } from '../../nodes/NewsReader/triggers/newest-first';
import { readList } from '../../nodes/NewsReader/triggers/newest-first-reading';
import { withEntries, numbered, type Entry } from '../../nodes/NewsReader/triggers/newest-first-cursor';
import type { PollSettings } from '../../nodes/runtime/poll/step';
import { SimulatedN8n, WorldApi } from './trigger-world';

const HOUR = 3600;
const PAGE = 5;
const DEPTH = 4;

const entryOf = (key: string, at?: number): Entry => ({
	key,
	at,
	passesFilters: true,
	item: () => ({}),
	kept: {},
});

/** Lists of entries by group, newest first, in pages of five by default. Counts the requested pages. */
class Lists {
	size = PAGE;
	readonly groups = new Map<string, Entry[]>();
	pages = 0;
	requestsPerPoll = Infinity;
	/** Whether entries are sorted by arrival instead of by date. */
	isNewestFirst = false;
	/** Changes to make before each of the next requests. */
	moves: Array<() => void> = [];
	readonly watch = new NewestFirstWatch({
		idPrefix: 'entry',
		depth: DEPTH,
		lateSeconds: 48 * HOUR,
		lists: async (api) => ({
			groups: this.inTime(api),
			lists: [...this.groups.keys()].map((group) => async (number: number) => {
				this.pages += 1;
				this.moves.shift()?.();
				const all = this.groups.get(group) ?? [];
				const sorted = this.isNewestFirst
					? all.toReversed()
					: [...all].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
				const page = sorted.slice((number - 1) * this.size, number * this.size);
				return { entries: page, more: number * this.size < sorted.length };
			}),
		}),
		restore: async (kept) => kept.map(() => ({})),
	});

	constructor(...groups: string[]) {
		for (const group of groups) this.groups.set(group, []);
	}

	/** The groups that a poll has time to request. */
	private inTime(api: Api): string[] {
		const until = this.pages + this.requestsPerPoll;
		api.hasTime = () => this.pages < until;
		return [...this.groups.keys()];
	}

	/** Adds an entry to a group's list, dated `hoursAgo` hours ago. */
	add(group: string, name: string, hoursAgo = 0, passesFilters = true): void {
		const at = clock.now() / 1000 - hoursAgo * HOUR;
		const entry = { ...entryOf(name, at), group, passesFilters };
		this.groups.set(group, [...(this.groups.get(group) ?? []), entry]);
	}

	remove(group: string, name: string): void {
		const entries = this.groups.get(group) ?? [];
		this.groups.set(
			group,
			entries.filter(({ key }) => key !== name),
		);
	}

	n8n(settings: Partial<PollSettings> = {}): SimulatedN8n {
		return new SimulatedN8n(this.watch, { ask: () => ({}) }, 'cursors', settings);
	}
}

const emitted = (...names: string[]) =>
	expect.objectContaining({ ids: names.map((name) => `entry:${name}`) });

it('numbers equal entries from the oldest, as in saved states', () => {
	const entries = ['b', 'a', 'a', 'a'].map((key) => entryOf(key));
	expect(numbered(entries).map(({ id }) => id)).toEqual(['a', 'a#1', 'a#2', 'b']);
});

it('emits no existing entries of a new group, then continues with new ones', async () => {
	const lists = new Lists('old');
	lists.add('old', 'known', 100);
	const n8n = lists.n8n();
	await n8n.poll();
	for (let n = 0; n < 3000; n += 1) lists.add('joined', `joined ${n}`, 100 + n);
	lists.pages = 0;
	expect(await n8n.poll()).toEqual(emitted());
	expect(lists.pages).toBe(1 + DEPTH);
	lists.add('joined', 'new');
	expect(await n8n.poll()).toEqual(emitted('new'));
	expect(await n8n.poll()).toEqual(emitted());
});

it('keeps the cursor of a missing group, and emits its new entries when it returns', async () => {
	const lists = new Lists('one');
	lists.add('one', 'known', 100);
	const n8n = lists.n8n();
	await n8n.poll();
	const all = [...lists.groups];
	lists.groups.clear();
	for (let polls = 0; polls < 60; polls += 1) expect(await n8n.poll()).toEqual(emitted());
	for (const [group, entries] of all) lists.groups.set(group, entries);
	lists.add('one', 'meanwhile');
	expect(await n8n.poll()).toEqual(emitted('meanwhile'));
	lists.groups.clear();
	for (let polls = 0; polls <= 60; polls += 1) expect(await n8n.poll()).toEqual(emitted());
	for (const [group, entries] of all) lists.groups.set(group, entries);
	lists.add('one', 'of one that joined');
	expect(await n8n.poll()).toEqual(emitted());
});

it('treats entries as known if they are not newer than a dropped one', () => {
	const cursor = { known: '', knownUntil: 0, groups: null };
	const many = Array.from({ length: 5_001 }, (_, n) => ({ id: `entry ${n}`, at: 1000 + n }));
	expect(withEntries(cursor, many.slice(1)).knownUntil).toBe(0);
	expect(withEntries(cursor, many).knownUntil).toBe(1000);
});

it.each([
	['what is older than all that it read', true, [7, 5], 5],
	['what is older than the one that it read', true, [7], 7],
	['nothing where nothing has a date', true, [undefined], 0],
	['nothing where it read all there is', false, [7, 5], 0],
])('treats as known by date after a first poll: %s', (_, hasMore, dates, knownUntil) => {
	const { watch } = new Lists();
	const entries = dates.map((at, n) => entryOf(`${n}`, at));
	expect(watch.baseline({ entries, groups: null, hasMore, backlogPages: [] }, 0)).toMatchObject({
		knownUntil,
	});
});

it('reads each page once if nothing is new', async () => {
	const lists = new Lists('one');
	for (let hours = 0; hours < 2 * PAGE + 2; hours += 1) lists.add('one', `known ${hours}`, hours);
	const n8n = lists.n8n();
	await n8n.poll();
	lists.pages = 0;
	expect(await n8n.poll()).toEqual(emitted());
	expect(lists.pages).toBe(3);
});

it('continues after a page with a single entry', async () => {
	const lists = new Lists('one');
	lists.size = 1;
	const n8n = lists.n8n();
	await n8n.poll();
	for (const hours of [2, 1, 0]) lists.add('one', `new ${hours}`, hours);
	expect(await n8n.poll()).toEqual(emitted('new 2', 'new 1', 'new 0'));
});

it('emits new entries of several lists by date, newest last', async () => {
	const lists = new Lists('one', 'two');
	const n8n = lists.n8n();
	await n8n.poll();
	lists.add('two', 'c', 1);
	lists.add('one', 'd', 0);
	lists.add('one', 'b', 2);
	lists.add('two', 'a', 3);
	expect(await n8n.poll()).toEqual(emitted('a', 'b', 'c', 'd'));
});

it('emits the remaining entries even if newer ones do not match', async () => {
	const lists = new Lists('one');
	lists.add('one', 'known', 200);
	const n8n = lists.n8n({ maximum: 2 });
	await n8n.poll();
	for (const hours of [114, 113, 112]) lists.add('one', `wanted ${hours}`, hours);
	for (let n = 0; n < 2 * PAGE; n += 1) lists.add('one', `not wanted ${n}`, 100 + n, false);
	expect(await n8n.poll()).toEqual(emitted('wanted 114', 'wanted 113'));
	expect(await n8n.poll()).toEqual(emitted('wanted 112'));
	expect(await n8n.poll()).toEqual(emitted());
});

it('emits the latest entries of all lists at the first poll', async () => {
	const lists = new Lists('one', 'two');
	for (const hours of [1, 3, 5]) lists.add('one', `one ${hours}`, hours);
	for (const hours of [2, 4, 6]) lists.add('two', `two ${hours}`, hours);
	const n8n = lists.n8n({ firstPoll: 'last', firstCount: 3 });
	expect(await n8n.poll()).toEqual(emitted('one 3', 'two 2', 'one 1'));
	expect(await n8n.poll()).toEqual(emitted());
});

it('emits everything at the first poll, including entries dated 1970', async () => {
	const lists = new Lists('one');
	lists.add('one', 'undated', clock.now() / 1000 / HOUR);
	lists.add('one', 'dated');
	expect(await lists.n8n({ firstPoll: 'everything' }).poll()).toEqual(emitted('undated', 'dated'));
});

it('emits a further equal entry even if equal entries fill a page', async () => {
	const lists = new Lists('one');
	for (let n = 0; n <= PAGE; n += 1) lists.add('one', 'alike', 100 + n);
	const n8n = lists.n8n();
	await n8n.poll();
	lists.add('one', 'alike');
	expect(await n8n.poll()).toEqual(expect.objectContaining({ ids: [expect.stringContaining('alike')] }));
	expect(await n8n.poll()).toEqual(emitted());
});

it('finds late entries after a page of known ones, and reads one page if all are older', async () => {
	const lists = new Lists('one');
	for (let n = 0; n < 12; n += 1) lists.add('one', `recent ${n}`, n);
	for (let n = 0; n < 12; n += 1) lists.add('one', `older ${n}`, 1000 + n);
	const n8n = lists.n8n();
	await n8n.poll();
	lists.add('one', 'late', 8.5);
	expect(await n8n.poll()).toEqual(emitted('late'));
	expect(await n8n.poll()).toEqual(emitted());
	lists.groups.set('one', lists.groups.get('one')!.slice(12, 24));
	lists.pages = 0;
	expect(await n8n.poll()).toEqual(emitted());
	expect(lists.pages).toBe(1);
});

describe('more new entries than one poll can read, after thirty idle days', () => {
	const NEWS = 4_000;

	it.each([
		['dates', true, 0],
		['no dates', false, 0],
		['dates, if the first poll read only the newest', true, 300],
		['no dates, if the first poll read only the newest', false, 300],
	])('are emitted once, oldest first, with few requests per poll: with %s', async (_, isDated, before) => {
		const lists = new Lists('one');
		let count = 0;
		const add = (): void => {
			lists.add('one', `entry ${count}`, (NEWS - count) / 6);
			if (!isDated) delete lists.groups.get('one')!.at(-1)!.at;
			count += 1;
		};
		lists.isNewestFirst = !isDated;
		for (let n = 0; n < before; n += 1) add();
		const n8n = lists.n8n({ maximum: 100 });
		await n8n.poll();
		for (let n = 0; n < NEWS; n += 1) add();
		const emitted: string[] = [];
		let mostPages = 0;
		for (let polls = 0; polls < 60; polls += 1) {
			lists.pages = 0;
			const polled = await n8n.poll();
			if ('failed' in polled) throw polled.failed;
			emitted.push(...polled.ids);
			mostPages = Math.max(mostPages, lists.pages);
			if (polls % 5 === 0) add();
			if (polls % 7 === 0 && polls > 0) lists.remove('one', `entry ${before + 10 * polls}`);
		}
		const expected = Array.from({ length: count - before }, (__, n) => `entry:entry ${before + n}`);
		expect(emitted).toEqual(expected);
		expect(mostPages).toBeLessThan(600);
	});

	it('are read from the position where the last poll ran out of time', async () => {
		const lists = new Lists('one');
		const n8n = lists.n8n({ maximum: 1000 });
		await n8n.poll();
		for (let n = 0; n < NEWS; n += 1) lists.add('one', `entry ${n}`, NEWS - n);
		lists.requestsPerPoll = 120;
		const emitted: string[] = [];
		for (let polls = 0; polls < 60; polls += 1) {
			const polled = await n8n.poll();
			if ('failed' in polled) throw polled.failed;
			emitted.push(...polled.ids);
		}
		expect(emitted).toEqual(Array.from({ length: NEWS }, (_, n) => `entry:entry ${n}`));
	});
});

describe('a list that changes between two page requests', () => {
	it('needs at most three requests: both pages, then the first again', async () => {
		const requested: number[] = [];
		const list = async (page: number) => ({
			entries: [entryOf(`entry ${requested.push(page)}`)],
			more: page < 2,
		});
		const cursor = { known: '', knownUntil: 0, groups: null };
		const options = {
			idPrefix: 'entry',
			depth: DEPTH,
			lists: async () => ({ lists: [list], groups: null }),
			restore: async () => [],
		};
		await readList(list, cursor, options, new WorldApi({ ask: () => ({}) }));
		expect(requested).toEqual([1, 2, 1, 1, 2, 1, 1, 2, 1]);
	});

	type Move = { at: number; do: 'add' | 'remove'; place: number };
	const move: fc.Arbitrary<Move> = fc.record({
		at: fc.nat(12),
		do: fc.constantFrom('add' as const, 'remove' as const),
		place: fc.nat(30),
	});

	it('emits each entry once, without gaps', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(12),
				fc.array(fc.record({ news: fc.nat(12), moves: fc.array(move, { maxLength: 2 }) }), { maxLength: 8 }),
				async (before, rounds) => {
					const lists = new Lists('one');
					let count = 0;
					const add = (): void => lists.add('one', `entry ${count}`, -(count += 1) / 3600);
					for (let n = 0; n < before; n += 1) add();
					const known = count;
					const n8n = lists.n8n({ maximum: 1000 });
					await n8n.poll();
					const emitted: string[] = [];
					const gone = new Set<string>();
					const poll = async (): Promise<void> => {
						const polled = await n8n.poll();
						if ('failed' in polled) throw polled.failed;
						emitted.push(...polled.ids);
					};
					for (const { news, moves } of rounds) {
						for (let n = 0; n < news; n += 1) add();
						lists.moves = Array.from({ length: 13 }, () => () => undefined);
						for (const { at, do: action, place } of moves) {
							lists.moves[at] = () => {
								const name = `entry ${place}`;
								if (action === 'add') add();
								else if (place < count) {
									lists.remove('one', name);
									gone.add(`entry:${name}`);
								}
							};
						}
						await poll();
					}
					lists.moves = [];
					await poll();
					const expected = Array.from({ length: count - known }, (_, n) => `entry:entry ${known + n}`);
					expect(new Set(emitted).size).toBe(emitted.length);
					expect(emitted.filter((id) => !gone.has(id)).sort()).toEqual(
						expected.filter((id) => !gone.has(id)).sort(),
					);
				},
			),
			propertyOptions(300),
		);
	});
});

it('reads lists in sequence if the server keeps only one list per account', async () => {
	const requested: string[] = [];
	const listOf = (name: string) => async (page: number) => {
		requested.push(`${name} ${page}`);
		await new Promise((resolve) => setImmediate(resolve));
		return { entries: [entryOf(`${name} ${page}`)], more: page < 3 };
	};
	const watchOf = (name: string) =>
		new NewestFirstWatch({
			idPrefix: name,
			sharedServerList: 'shared',
			depth: DEPTH,
			lists: async () => ({ lists: [listOf(name)], groups: null }),
			restore: async () => [],
		});
	const api = new WorldApi({ ask: () => ({}) });
	await Promise.all(['one', 'two'].map(async (name) => await watchOf(name).snapshot(undefined, api)));
	expect(requested).toEqual(['one 1', 'one 2', 'one 3', 'two 1', 'two 2', 'two 3']);
});
