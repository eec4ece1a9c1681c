/** Events in lists that have the newest entries first: long lists, late entries, lists that change while they are read. */
import fc from 'fast-check';
import { propertyOptions } from '../support/cases/random';
import { clock } from '../../nodes/runtime/clock';
import { KnownEntries } from '../../nodes/NewsReader/triggers/known-entries';
import type { Entry, PageReader } from '../../nodes/NewsReader/triggers/list-reader';
import { NewestFirstWatch, type WatchedLists } from '../../nodes/NewsReader/triggers/newest-first';
import type { PollSettings } from '../../nodes/runtime/poll/step';
import { SimulatedN8n, WorldApi } from './trigger-world';

const HOUR = 3600;
const PAGE = 5;
const DEPTH = 4;

const entryOf = (key: string, at?: number): Entry => ({
	key,
	at,
	origin: '',
	passesFilters: true,
	item: () => ({}),
	kept: {},
});

/** Lists of entries by origin, newest first, in pages of five by default. Counts the requested pages. */
class Lists {
	size = PAGE;
	readonly origins = new Map<string, Entry[]>();
	pages = 0;
	/** The entries that the service removes from their pages. */
	readonly hidden = new Set<string>();
	/** Changes to make before each of the next requests. */
	moves: Array<() => void> = [];
	readonly hints: string[] = [];
	readonly watch = new NewestFirstWatch({
		idPrefix: 'entry',
		depth: DEPTH,
		lateSeconds: 48 * HOUR,
		lists: async (api) => {
			api.hint = (message) => void this.hints.push(message);
			return { lists: this.lists() };
		},
		restore: async (kept) => kept.map(() => () => ({})),
	});

	constructor(...origins: string[]) {
		for (const origin of origins) this.origins.set(origin, []);
	}

	private lists(): WatchedLists['lists'] {
		return [...this.origins.keys()].map((origin) => ({ origins: [origin], readPage: this.readerOf(origin) }));
	}

	private readerOf(origin: string): PageReader {
		return async (number) => {
			this.pages += 1;
			this.moves.shift()?.();
			const all = this.origins.get(origin) ?? [];
			const sorted = all.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));
			const page = sorted.slice((number - 1) * this.size, number * this.size);
			const entries = page.filter(({ key }) => !this.hidden.has(key));
			return { entries, more: number * this.size < sorted.length };
		};
	}

	/** Adds an entry to a origin's list, dated `hoursAgo` hours ago. */
	add(origin: string, name: string, hoursAgo = 0, passesFilters = true): void {
		const at = clock.now() / 1000 - hoursAgo * HOUR;
		const entry = { ...entryOf(name, at), origin, passesFilters };
		this.origins.set(origin, [...(this.origins.get(origin) ?? []), entry]);
	}

	remove(origin: string, name: string): void {
		const entries = this.origins.get(origin) ?? [];
		this.origins.set(
			origin,
			entries.filter(({ key }) => key !== name),
		);
	}

	n8n(settings: Partial<PollSettings> = {}): SimulatedN8n {
		return new SimulatedN8n(this.watch, { ask: () => ({}) }, 'cursors', settings);
	}
}

const emitted = (...names: string[]) =>
	expect.objectContaining({ ids: names.map((name) => `entry:${name}`) });

it('emits no existing entries of a new origin, then continues with new ones', async () => {
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

describe('a list whose entries have no dates', () => {
	/** One list with these origins, in pages of five. */
	const listOf = (origins: string[], settings?: Partial<PollSettings>) => {
		const all: Entry[] = [];
		const readPage: PageReader = async (number) => {
			const own = all.filter(({ origin }) => origins.includes(origin));
			const entries = own.slice((number - 1) * PAGE, number * PAGE);
			return { entries, more: number * PAGE < own.length };
		};
		const watch = new NewestFirstWatch({
			idPrefix: 'entry',
			depth: DEPTH,
			lists: async () => ({ lists: [{ origins, readPage }] }),
			restore: async () => [],
		});
		const add = (origin: string, key: string) => void all.unshift({ ...entryOf(key), origin });
		return { all, add, n8n: new SimulatedN8n(watch, { ask: () => ({}) }, 'cursors', settings) };
	};

	it('emits no existing entries of an origin that joins below the first page', async () => {
		const origins = ['A'];
		const { add, n8n } = listOf(origins);
		for (let n = 0; n < 2 * PAGE; n += 1) add('B', `old ${n}`);
		for (let n = 0; n < PAGE; n += 1) add('A', `known ${n}`);
		await n8n.poll();
		origins.push('B');
		expect(await n8n.poll()).toEqual(emitted());
		add('A', 'new');
		expect(await n8n.poll()).toEqual(emitted('new'));
	});

	it('emits no older entries that move up into the pages of a deep reading', async () => {
		const origins = ['A'];
		const { all, add, n8n } = listOf(origins, { maximum: 2 });
		for (let n = 0; n < 3 * DEPTH * PAGE; n += 1) add('A', `old ${n}`);
		await n8n.poll();
		for (const n of [1, 2, 3]) add('A', `new ${n}`);
		all.splice(10, 7);
		expect(await n8n.poll()).toEqual(emitted('new 1', 'new 2'));
		// One new entry waits, so this reading is deep.
		expect(await n8n.poll()).toEqual(emitted('new 3'));
		origins.push('B');
		expect(await n8n.poll()).toEqual(emitted());
	});
});

it('the first poll: later polls emit the rest of the latest ones below a page that the filter drops', async () => {
	const lists = new Lists('one');
	for (let n = 0; n < 12; n += 1) lists.add('one', `wanted ${n}`, 300 - n);
	for (let n = 0; n < 2 * PAGE; n += 1) lists.add('one', `dropped ${n}`, 200 - n, false);
	const n8n = lists.n8n({ firstCount: 4, maximum: 2 });
	expect(await n8n.poll()).toEqual(emitted('wanted 8', 'wanted 9'));
	expect(await n8n.poll()).toEqual(emitted('wanted 10', 'wanted 11'));
	expect(await n8n.poll()).toEqual(emitted());
});

it('reads on after a page whose entries are all hidden', async () => {
	const lists = new Lists('one');
	const addHidden = (hoursAgo: number): void => {
		for (let n = 0; n < PAGE; n += 1) {
			lists.hidden.add(`hidden ${n} ${hoursAgo}`);
			lists.add('one', `hidden ${n} ${hoursAgo}`, hoursAgo);
		}
	};
	for (let n = 0; n < 3 * PAGE; n += 1) lists.add('one', `known ${n}`, 200);
	for (let page = 0; page < DEPTH; page += 1) addHidden(100 + page);
	const n8n = lists.n8n();
	await n8n.poll();
	lists.add('one', 'new', 3);
	addHidden(2);
	expect(await n8n.poll()).toEqual(emitted('new'));
	lists.add('one', 'newest', 1);
	expect(await n8n.poll()).toEqual(emitted('newest'));
});

it('emits what is new in a origin that was missing', async () => {
	const lists = new Lists('one');
	lists.add('one', 'known', 100);
	const n8n = lists.n8n();
	await n8n.poll();
	const all = [...lists.origins];
	lists.origins.clear();
	expect(await n8n.poll()).toEqual(emitted());
	for (const [origin, entries] of all) lists.origins.set(origin, entries);
	lists.add('one', 'meanwhile');
	expect(await n8n.poll()).toEqual(emitted('meanwhile'));
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
	const n8n = lists.n8n({ firstCount: 3 });
	expect(await n8n.poll()).toEqual(emitted('one 3', 'two 2', 'one 1'));
	expect(await n8n.poll()).toEqual(emitted());
});

it('emits everything at the first poll, including entries dated 1970', async () => {
	const lists = new Lists('one');
	lists.add('one', 'undated', clock.now() / 1000 / HOUR);
	lists.add('one', 'dated');
	expect(await lists.n8n({ firstCount: Infinity }).poll()).toEqual(emitted('undated', 'dated'));
});

it("emits new entries at once while n8n's clock is an hour behind", async () => {
	const lists = new Lists('busy');
	for (let n = 1; n <= 30; n += 1) lists.add('busy', `known ${n}`, n / 60);
	const n8n = lists.n8n();
	await n8n.poll();
	lists.add('busy', 'new');
	const { now } = clock;
	clock.now = () => now() - HOUR * 1000;
	try {
		expect(await n8n.poll()).toEqual(emitted('new'));
	} finally {
		clock.now = now;
	}
	expect(await n8n.poll()).toEqual(emitted());
});

it("skips what exists in a long list although n8n's clock is hours behind", async () => {
	const lists = new Lists('busy');
	lists.size = 400;
	for (let n = 1; n <= 2000; n += 1) lists.add('busy', `old ${n}`, n / 1000);
	const { now } = clock;
	clock.now = () => now() - 5 * HOUR * 1000;
	try {
		const n8n = lists.n8n();
		expect(await n8n.poll()).toEqual(emitted());
		lists.remove('busy', 'old 1');
		expect(await n8n.poll()).toEqual(emitted());
		lists.add('busy', 'new', -5);
		expect(await n8n.poll()).toEqual(emitted('new'));
	} finally {
		clock.now = now;
	}
});

it('emits all of thousands of entries that appear below known ones', async () => {
	const lists = new Lists('busy');
	lists.size = 500;
	for (let n = 1; n <= 100; n += 1) lists.add('busy', `known ${n}`, n / 1000);
	const n8n = lists.n8n({ maximum: 100 });
	await n8n.poll();
	const names = Array.from({ length: 1700 }, (_, n) => `late ${n}`);
	names.forEach((name, n) => lists.add('busy', name, 24 - n / 1000));
	const ids: string[] = [];
	for (let polls = 0; polls < 20; polls += 1) {
		const polled = await n8n.poll();
		if ('ids' in polled) ids.push(...polled.ids);
	}
	expect(ids).toEqual(names.map((name) => `entry:${name}`));
});

it('emits an entry once that stays at the top because of its date in the future', async () => {
	const { now } = clock;
	let hours = 0;
	clock.now = () => now() + hours * HOUR * 1000;
	try {
		const lists = new Lists('busy');
		lists.size = 100;
		for (let n = 1; n <= 9; n += 1) lists.add('busy', `old ${n}`, n);
		const n8n = lists.n8n({ maximum: 1000 });
		await n8n.poll();
		lists.add('busy', 'future', -100_000);
		expect(await n8n.poll()).toEqual(emitted('future'));
		for (let batch = 1; batch <= 6; batch += 1) {
			const names = Array.from({ length: 500 }, (_, n) => `batch ${batch}, ${n}`);
			for (const name of names) {
				hours += 0.01;
				lists.add('busy', name);
			}
			expect(await n8n.poll()).toEqual(emitted(...names));
			if (batch === 4) lists.remove('busy', 'future');
		}
	} finally {
		clock.now = now;
	}
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
	lists.origins.set('one', lists.origins.get('one')!.slice(12, 24));
	lists.pages = 0;
	expect(await n8n.poll()).toEqual(emitted());
	expect(lists.pages).toBe(1);
});

describe('a list with more new entries than one poll reads', () => {
	/** One new entry on each page. */
	const withPages = async (pages: number) => {
		const lists = new Lists('one');
		lists.size = 1;
		lists.add('one', 'known', 1000);
		const n8n = lists.n8n({ maximum: 1000 });
		await n8n.poll();
		for (let n = pages; n > 0; n -= 1) lists.add('one', `new ${n}`, n);
		const polled = await n8n.poll();
		return { ids: 'ids' in polled ? polled.ids : [], hints: lists.hints, n8n };
	};

	it('emits the newest hundred pages, and says that older events were skipped', async () => {
		const { ids, hints, n8n } = await withPages(101);
		expect(ids).toHaveLength(100);
		expect(ids[0]).toBe('entry:new 100');
		expect(hints).toEqual([expect.stringContaining('Older events were skipped')]);
		expect(await n8n.poll()).toEqual(emitted());
	});

	it('emits all if it reaches a known entry', async () => {
		const { ids, hints } = await withPages(90);
		expect(ids).toHaveLength(90);
		expect(hints).toEqual([]);
	});
});

it('forgets no entry of one search because another has thousands of matches', async () => {
	const lists = new Lists('saved', 'many');
	for (let n = 0; n < 30; n += 1) lists.add('saved', `saved ${n}`, 5000 + n);
	const n8n = lists.n8n({ maximum: 1000 });
	await n8n.poll();
	for (let n = 0; n < 5600; n += 200) {
		for (let added = 0; added < 200; added += 1) lists.add('many', `match ${n + added}`, -(n + added) / 3600);
		await n8n.poll();
	}
	for (let n = 0; n < 10; n += 1) lists.remove('saved', `saved ${n}`);
	expect(await n8n.poll()).toEqual(emitted());
	expect(n8n.size).toBeLessThan(110_000);
});

it('remembers as many entries without a date as one reading shows, in each origin', () => {
	const origins = Array.from({ length: 20 }, (_, n) => `user ${n}`);
	const known = new KnownEntries({});
	for (const origin of origins) known.join(origin, 0);
	const entries = Array.from({ length: 1000 }, (_, n) => ({ key: `share ${n}`, origin: 'user 7' }));
	for (const entry of entries) known.add(entry);
	const later = new KnownEntries(known.saved());
	expect(entries.filter((entry) => later.isNew(entry))).toEqual([]);
});

it('emits a record again that cannot be read with its error, and the others with their data', async () => {
	const watch = new NewestFirstWatch({
		idPrefix: 'entry',
		depth: 1,
		lists: async () => ({ lists: [] }),
		restore: async (kept) =>
			kept.map(({ name }) => () => {
				if (name === 'bad') throw new Error('No title');
				return { name } as { name: string };
			}),
	});
	const events = ['good', 'bad'].map((name) => ({ key: name, kept: { name } }));
	const items = await watch.restore(events, new WorldApi({ ask: () => ({}) }));
	expect(items.map(({ json }) => json)).toEqual([
		{ name: 'good', eventId: 'entry:good' },
		{ error: expect.stringContaining('No title') as string, eventId: 'entry:bad' },
	]);
});

describe('a list that changes between two page requests', () => {
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
			lists: async () => ({ lists: [{ origins: [''], readPage: listOf(name) }] }),
			restore: async () => [],
		});
	const api = new WorldApi({ ask: () => ({}) });
	await Promise.all(['one', 'two'].map(async (name) => await watchOf(name).snapshot(undefined, api)));
	expect(requested).toEqual(['one 1', 'one 2', 'one 3', 'two 1', 'two 2', 'two 3']);
});
