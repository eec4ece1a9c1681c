/** The events of the link service on long lists, on lists in another order, and with odd counters. */
import type { IDataObject } from 'n8n-workflow';
import { events } from '../../nodes/LinkManager/triggers';
import { sample, type PollSettings } from '../../nodes/runtime/poll/step';
import { NO_FAULT, SimulatedN8n, WorldApi, type Polled, type World } from './trigger-world';

const PAGE = 100;
/** A window of the rate limit. */
const WINDOW = { ...NO_FAULT, requestLimit: 30 };

/** Short links, QR codes or items of a channel, with the newest first. */
class Links implements World {
	records: IDataObject[] = [];
	/** Called before each response. */
	before: (page: number) => void = () => undefined;

	constructor(
		count: number,
		private readonly isOldestFirst = false,
	) {
		for (let id = 1; id <= count; id += 1) this.add({ clicks: 0 });
	}

	add(record: IDataObject): void {
		const id = Number(this.records.at(-1)?.id ?? 0) + 1;
		this.records.push({ id, alias: `a${id}`, ...record });
	}

	click(id: number, country = 'Chile'): void {
		const record = this.records.find((candidate) => candidate.id === id)!;
		const counts = (record.countries ?? {}) as Record<string, number>;
		record.countries = { ...counts, [country]: (counts[country] ?? 0) + 1 };
		record.clicks = Number(record.clicks) + 1;
	}

	ask: World['ask'] = ({ route }, { query, path }) => {
		if (route.includes('{id}') && !route.includes('channel')) {
			const details = this.records.find(({ id }) => id === path.id)!;
			return { error: 0, details, data: { topCountries: details.countries ?? {} } };
		}
		const page = Number(query.page);
		this.before(page);
		const shown = this.isOldestFirst ? this.records : [...this.records].reverse();
		const entries = shown.slice((page - 1) * PAGE, page * PAGE);
		const maxpage = Math.max(1, Math.ceil(shown.length / PAGE));
		const data = { result: shown.length, perpage: PAGE, currentpage: page, maxpage };
		return { error: '0', data: { ...data, urls: entries, items: entries } };
	};
}

const newLink = events.newShortLink.watch({});
const clicks = (more: object = {}) =>
	events.newShortLinkClick.watch({ itemFor: 'link', includeChanges: false, ...more });
const polling = (watch: typeof newLink, world: World, settings: Partial<PollSettings> = {}): SimulatedN8n =>
	new SimulatedN8n(watch, world, 'cursors', settings);

const idsOf = (polled: Polled): number[] => {
	if ('failed' in polled) throw polled.failed as Error;
	return polled.ids.map((eventId) => Number(/\d+/.exec(eventId)));
};
const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

/** The ids that polls emit until five of them emit nothing. */
async function pollUntilQuiet(n8n: SimulatedN8n, before: (poll: number) => void = () => undefined) {
	const emitted: number[] = [];
	for (let [poll, quiet] = [0, 0]; quiet < 5; poll += 1) {
		before(poll);
		const ids = idsOf(await n8n.poll(WINDOW));
		emitted.push(...ids);
		quiet = ids.length > 0 ? 0 : quiet + 1;
	}
	return emitted;
}

it('reads a burst of links once, not again in each poll', async () => {
	const world = new Links(10);
	const n8n = polling(newLink, world, { maximum: 100 });
	await n8n.poll(WINDOW);
	for (let added = 0; added < 2000; added += 1) world.add({});
	let pages = 0;
	world.before = () => {
		pages += 1;
		// One is deleted, and one created, while the burst is emitted.
		if (pages === 40) world.records.splice(-700, 1);
		if (pages === 50) world.add({});
	};
	const gone = world.records.at(-700)?.id;
	expect(await pollUntilQuiet(n8n)).toEqual(range(11, 2001).filter((id) => id !== gone));
	// 21 to find the known ones, then four for each hundred.
	expect(pages).toBeLessThan(110);
});

describe.each([
	['newest first', false],
	['oldest first', true],
])('a list of 4,000 links, %s', (_, isOldestFirst) => {
	it('emits a link that is created during the first round, and nothing that existed', async () => {
		const world = new Links(4000, isOldestFirst);
		const n8n = polling(newLink, world);
		expect(await pollUntilQuiet(n8n, (poll) => poll === 1 && world.add({}))).toEqual([4001]);
	});

	it('emits the latest ones first', async () => {
		const n8n = polling(newLink, new Links(4000, isOldestFirst), { firstCount: 3 });
		expect(await pollUntilQuiet(n8n)).toEqual([3998, 3999, 4000]);
	});

	it('emits as many of the latest ones as asked for, or fails', async () => {
		const settings = { firstCount: 450, maximum: 1000 } as const;
		const n8n = polling(newLink, new Links(4000, isOldestFirst), settings);
		expect(await n8n.poll({ ...NO_FAULT, requestLimit: 4 })).toMatchObject({ failed: expect.any(Error) });
		expect(await pollUntilQuiet(n8n)).toEqual(range(3551, 450));
	});

	it('emits all existing ones in order, over several polls', async () => {
		const settings = { firstCount: Infinity, maximum: 1000 } as const;
		const n8n = polling(newLink, new Links(4000, isOldestFirst), settings);
		expect(await pollUntilQuiet(n8n)).toEqual(range(1, 4000));
	});

	it('emits the clicks on a link that is created during the first round', async () => {
		const world = new Links(4000, isOldestFirst);
		const n8n = polling(clicks(), world);
		const emitted = await pollUntilQuiet(n8n, (poll) => poll === 1 && world.add({ clicks: 2 }));
		expect(emitted).toEqual(isOldestFirst ? [] : [4001]);
	});
});

it('reads a long list in two polls, even if it requests changes later', async () => {
	const world = new Links(0);
	for (let links = 0; links < 4000; links += 1) world.add({ clicks: 3 });
	const n8n = polling(clicks({ includeChanges: true }), world);
	let lastPage = 0;
	world.before = (page) => void (lastPage = Math.max(lastPage, page));
	for (let polls = 0; polls < 2; polls += 1) await n8n.poll(WINDOW);
	expect(lastPage).toBe(40);
});

it('reads only the end of a list with the oldest first, even if its last page has one link', async () => {
	const world = new Links(3901, true);
	const n8n = polling(newLink, world);
	await n8n.poll();
	const pages: number[] = [];
	world.before = (page) => void pages.push(page);
	for (let polls = 0; polls < 2; polls += 1) await n8n.poll();
	expect(pages).toEqual([39, 40, 39, 40]);
});

it('loses no new link if others are deleted while the list is read', async () => {
	const world = new Links(500);
	const n8n = polling(newLink, world, { maximum: 1000 });
	await n8n.poll();
	for (let n = 0; n < 350; n += 1) world.add({});
	let isDeleted = false;
	world.before = (page) => {
		if (page === 2 && !isDeleted) isDeleted = Boolean(world.records.splice(800, 1));
	};
	expect(await pollUntilQuiet(n8n)).toEqual(range(501, 350).filter((id) => id !== 801));
});

it('does not take a page that was sent without its records for the end of the list', async () => {
	const world = new Links(100);
	const n8n = polling(newLink, world, { maximum: 1000 });
	await n8n.poll();
	for (let n = 0; n < 150; n += 1) world.add({});
	const { ask } = world;
	world.ask = (row, parts) => {
		const response = ask(row, parts) as { data: IDataObject };
		return Number(parts.query.page) === 2 ? { data: { ...response.data, urls: [] } } : response;
	};
	expect(await n8n.poll()).toMatchObject({ failed: expect.any(Error) });
	world.ask = ask;
	expect(await pollUntilQuiet(n8n)).toEqual(range(101, 150));
});

it('emits first what has waited longest', async () => {
	const world = new Links(60);
	const n8n = polling(clicks(), world, { maximum: 50 });
	await n8n.poll();
	const clickAll = (): void => range(1, 60).forEach((id) => world.click(id));
	clickAll();
	expect(idsOf(await n8n.poll())).toEqual(range(1, 50));
	clickAll();
	expect(idsOf(await n8n.poll())).toEqual([...range(51, 10), ...range(1, 40)]);
});

it('emits a click on the last page, even if all links before it are clicked all the time', async () => {
	const world = new Links(500);
	const n8n = polling(clicks({ includeChanges: true }), world);
	await n8n.poll(WINDOW);
	world.click(1);
	const emitted = new Set<number>();
	for (let polls = 0; polls < 40 && !emitted.has(1); polls += 1) {
		for (const id of range(101, 400)) world.click(id);
		for (const id of idsOf(await n8n.poll(WINDOW))) emitted.add(id);
	}
	expect(emitted).toContain(1);
});

it('emits a large increase in parts, and others between them', async () => {
	const world = new Links(3);
	const n8n = polling(clicks({ itemFor: 'click' }), world, { maximum: 50 });
	await n8n.poll();
	for (let n = 0; n < 120; n += 1) world.click(1);
	world.click(3);
	expect(idsOf(await n8n.poll())).toEqual(Array(50).fill(1));
	expect(idsOf(await n8n.poll())).toEqual([3, ...Array<number>(49).fill(1)]);
	expect(idsOf(await n8n.poll())).toEqual(Array(21).fill(1));
});

it('emits the rest of a large increase before increases that are noticed later', async () => {
	const world = new Links(3);
	const n8n = polling(clicks({ itemFor: 'click' }), world, { maximum: 50 });
	await n8n.poll();
	for (let n = 0; n < 60; n += 1) world.click(3);
	expect(idsOf(await n8n.poll())).toEqual(Array(50).fill(3));
	world.click(1);
	expect(idsOf(await n8n.poll())).toEqual([...Array<number>(10).fill(3), 1]);
});

it.each([[null], [undefined], ['']])('does not take a missing counter as 0: %j', async (missing) => {
	const world = new Links(1);
	const n8n = polling(clicks(), world);
	for (const count of [5, missing, 7]) {
		world.records[0]!.clicks = count;
		const polled = await n8n.poll();
		expect(polled).toMatchObject({ ids: count === 7 ? ['link:1:clicks:6-7'] : [] });
	}
});

it.each([['1,234'], ['1.234'], ['1 234'], [' 1234 ']])('reads a counter such as %j', async (written) => {
	const world = new Links(1);
	const n8n = polling(clicks(), world);
	await n8n.poll();
	world.records[0]!.clicks = written;
	expect(await n8n.poll()).toMatchObject({ ids: ['link:1:clicks:1-1234'] });
});

it.each([newLink, clicks()])('says how many entries have no ID', async (watch) => {
	const world = new Links(2);
	world.records.push({ alias: 'odd', clicks: 3 });
	const hints: string[] = [];
	jest.spyOn(WorldApi.prototype, 'hint').mockImplementation((message) => void hints.push(message));
	await polling(watch, world).poll();
	expect(hints).toEqual(['Entries of /api/urls that are not watched because they have no ID: 1']);
	jest.restoreAllMocks();
});

it('says which counters it can’t read', async () => {
	const world = new Links(2);
	world.records[0]!.clicks = '1.2k';
	const api = new WorldApi(world);
	const hints: string[] = [];
	api.hint = (message?: string) => void hints.push(String(message));
	await clicks().snapshot(undefined, api, 0);
	expect(hints).toEqual([`Records not watched because clicks can't be read, such as "1.2k": 1`]);
});

it('counts on from a lower counter, with other event ids', async () => {
	const world = new Links(1);
	const n8n = polling(clicks(), world);
	const emitted: string[] = [];
	for (const count of [5, 6, 2, 3]) {
		world.records[0]!.clicks = count;
		const polled = await n8n.poll();
		if ('ids' in polled) emitted.push(...polled.ids);
	}
	expect(emitted).toEqual(['link:1:clicks:6-6', 'link:1.1:clicks:3-3']);
});

describe('changes', () => {
	const changed = async (n8n: SimulatedN8n): Promise<unknown> => {
		const [item] = (await n8n.pollItems()) as [IDataObject];
		return [item.newClicks, item.changes];
	};

	it('are those since the last item, or null', async () => {
		const world = new Links(1);
		const withChanges = clicks({ includeChanges: true });
		const n8n = polling(withChanges, world);
		world.click(1, 'Peru');
		await n8n.poll();
		world.click(1);
		expect(await changed(n8n)).toEqual([1, { countries: { Chile: 1 } }]);
		n8n.watch = clicks();
		for (let n = 0; n < 20; n += 1) world.click(1, 'Canada');
		expect(await changed(n8n)).toEqual([20, null]);
		n8n.watch = withChanges;
		world.click(1, 'Canada');
		world.click(1, 'Canada');
		expect(await changed(n8n)).toEqual([2, null]);
		world.click(1, 'Canada');
		expect(await changed(n8n)).toEqual([1, { countries: { Canada: 1 } }]);
	});

	it('after a reset are not compared with what was before it', async () => {
		const world = new Links(1);
		const eachClick = clicks({ itemFor: 'click', includeChanges: true });
		const n8n = polling(eachClick, world, { maximum: 1 });
		const click = (...countries: string[]): void => countries.forEach((country) => world.click(1, country));
		click('Peru');
		await n8n.poll();
		click('Peru', 'Peru');
		await n8n.poll();
		Object.assign(world.records[0]!, { clicks: 0, countries: {} });
		await n8n.poll();
		click('Peru', 'Chile', 'Chile');
		await n8n.poll();
		await n8n.poll();
		expect(await n8n.pollItems()).toMatchObject([
			{ click: 3, changes: { countries: { Peru: 1, Chile: 2 } } },
		]);
	});

	it('are known after a first poll that emits the latest ones', async () => {
		const world = new Links(3);
		for (const id of [1, 2, 3]) world.click(id);
		const settings = { firstCount: 1 } as const;
		const n8n = polling(clicks({ includeChanges: true }), world, settings);
		expect(idsOf(await n8n.poll())).toEqual([3]);
		world.click(1, 'Peru');
		expect(await changed(n8n)).toEqual([1, { countries: { Peru: 1 } }]);
	});

	it('are lost only for the links whose statistics do not fit, even if all are clicked between two polls', async () => {
		const world = new Links(5);
		const country = 'x'.repeat(40_000);
		const clickAll = (): void => world.records.forEach(({ id }) => world.click(Number(id), country));
		const n8n = polling(clicks({ includeChanges: true }), world);
		clickAll();
		await n8n.poll();
		for (let polls = 0; polls < 2; polls += 1) {
			clickAll();
			const items = (await n8n.pollItems()) as IDataObject[];
			expect(items).toHaveLength(5);
			expect(items.filter(({ changes }) => changes !== null)).toHaveLength(3);
		}
	});
});

it('emits no more of the latest clicks than asked for', async () => {
	const world = new Links(3);
	for (const id of [1, 1, 2, 2, 2, 3]) world.click(id);
	const n8n = polling(clicks({ itemFor: 'click' }), world, { firstCount: 2 });
	expect(await n8n.poll()).toMatchObject({ ids: ['link:2:click:3', 'link:3:click:1'] });
	expect(await n8n.poll()).toMatchObject({ ids: [] });
});

describe('items of a channel', () => {
	const watch = events.newChannelItem.watch({ id: 7 });
	const item = (id: number, date?: string): IDataObject => ({ id, type: 'links', ...(date && { date }) });

	it('are emitted again when they were taken out and put in again', async () => {
		const world = new Links(0);
		const n8n = polling(watch, world);
		const put = async (...records: IDataObject[]) => {
			world.records = records;
			return await n8n.poll();
		};
		await put(item(7), item(8));
		expect(await put(item(8))).toMatchObject({ ids: [] });
		expect(await put(item(8), item(7))).toMatchObject({ ids: ['channel:7:item:links-7.1'] });
		await put();
		expect(await put(item(8), item(7))).toMatchObject({
			ids: ['channel:7:item:links-7.2', 'channel:7:item:links-8.1'],
		});
	});

	it.each([
		['link', 'https://links.test/b'],
		['title', '{"title":"https://links.test/b"}'],
	])('are distinguished by what they have if that is only their %s', async (member, key) => {
		const world = new Links(0);
		const n8n = polling(watch, world);
		const links = ['https://links.test/a', 'https://links.test/b'];
		const [first, second] = links.map((link) => ({ type: 'links', [member]: link }));
		world.records = [first!];
		expect(await n8n.poll()).toMatchObject({ ids: [] });
		world.records = [first!, second!];
		expect(await n8n.poll()).toMatchObject({ ids: [`channel:7:item:links-${key}`] });
	});

	it.each([
		['the rate limit refuses a page', { ...NO_FAULT, at: 2, kind: 'rate limit' } as const],
		['few requests are left', { ...NO_FAULT, requestLimit: 4 }],
	])('do not count as new if %s in the first poll', async (_, fault) => {
		const world = new Links(250);
		const n8n = polling(watch, world);
		expect(await n8n.poll(fault)).toMatchObject({ failed: expect.any(Error) });
		expect(await n8n.poll()).toMatchObject({ ids: [] });
		world.add({});
		expect(idsOf(await n8n.poll())).toHaveLength(1);
	});

	it.each([
		['dates', false, [item(5, '2026-01-01'), item(3, '2026-01-02'), item(4, '2026-01-02')]],
		['dates', true, [item(5, '2026-01-01'), item(3, '2026-01-02'), item(4, '2026-01-02')]],
		['dates', false, [item(5, '2026-01-01'), item(3), item(4, '2026-01-02'), item(2)]],
		['dates', true, [item(5, '2026-01-01'), item(3), item(4, '2026-01-02'), item(2)]],
		['ids', false, [item(3), item(4), item(5)]],
		['ids', true, [item(3), item(4), item(5)]],
	])('have the order that their %s show; oldest first: %s', async (_, isOldestFirst, records) => {
		const world = new Links(0, isOldestFirst);
		world.records = records;
		const n8n = polling(watch, world, { firstCount: 2 });
		expect(idsOf(await n8n.poll())).toEqual([7, 7]);
		const all = polling(watch, world, { firstCount: Infinity });
		const polled = await all.poll();
		expect('ids' in polled && polled.ids).toEqual(
			records.map(({ id }) => `channel:7:item:links-${String(id)}`),
		);
	});
});

it.each([
	['added', (world: Links) => world.add({ type: 'links' }), 61],
	['added and taken out again', (world: Links) => void world.records.pop(), 59],
])('emits items in the order of the list if one was %s while it was read', async (_, change, count) => {
	const world = new Links(150);
	const n8n = polling(events.newChannelItem.watch({ id: 7 }), world, { maximum: 1000 });
	for (const record of world.records) record.type = 'links';
	await n8n.poll();
	for (let n = 0; n < 60; n += 1) world.add({ type: 'links' });
	let isChanged = false;
	world.before = (page) => {
		if (page === 2 && !isChanged) change(world);
		isChanged ||= page === 2;
	};
	const items = await n8n.pollItems();
	expect(items.map(({ id }) => id)).toEqual(range(151, count));
});

it('compares domains without ids by name', async () => {
	const world: World = {
		ask: () => ({ error: 0, data: { maxpage: 1, domains: names.map((domain) => ({ domain })) } }),
	};
	let names = ['https://a.example'];
	const n8n = polling(events.newDomain.watch({}), world);
	await n8n.poll();
	names = ['https://b-1.example', 'https://a.example'];
	expect(await n8n.poll()).toMatchObject({ ids: ['domain:https://b-1.example'] });
	expect(await n8n.poll()).toMatchObject({ ids: [] });
});

it('shows a real event of a long list in a test', async () => {
	const world = new Links(4000);
	const items = await sample(newLink, new WorldApi(world, WINDOW), 3);
	expect(items.map(({ json }) => json.id)).toEqual([3998, 3999, 4000]);
});

it('says that clicks of a long list are emitted page by page only if all existing ones are', async () => {
	const hintsOf = async (emitCount: number): Promise<string[]> => {
		const api = new WorldApi(new Links(4000), WINDOW);
		await clicks().snapshot(undefined, api, emitCount);
		return api.hints;
	};
	expect(await hintsOf(Infinity)).toEqual([expect.stringContaining('emitted page by page')]);
	// The latest ones, and what a test shows.
	expect(await hintsOf(3)).toEqual([]);
});
