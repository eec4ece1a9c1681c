/** The cursor of a trigger that watches a list of records, including lists that exceed its limit. */
import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../nodes/runtime/api-types';
import { AdditionWatch } from '../../nodes/LinkManager/triggers/additions';
import { table } from '../../nodes/LinkManager/resources';
import { CounterWatch, type CounterCursor } from '../../nodes/LinkManager/triggers/counters';
import {
	compareRecords,
	NO_KNOWN_RECORDS,
	toKey,
	type Identity,
} from '../../nodes/LinkManager/triggers/known-records';

const identity: Identity = {
	key: ({ id }) => toKey(id),
	increasingId: ({ id }) => Number(id),
	count: ({ scans }) => Number(scans),
	identifiers: () => [undefined, undefined],
};
const watch = new CounterWatch({
	...identity,
	...{ idPrefix: 'qr', singular: 'scan', plural: 'scans' },
	list: table.qrCode.operations.getAll!,
	itemPerCount: false,
	isWatched: () => true,
	present: (record) => record,
});
/** `count` codes, newest first, with `scans` scans each. */
const codes = (newest: number, count: number, scans: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ id: newest - n, scans }));

const snapshot = (records: IDataObject[], reachedEnd: boolean) => ({
	records,
	isAtomic: false,
	reachedEnd,
	nextPage: reachedEnd ? 1 : 2,
});

it('watches the first records of the list in every pass', () => {
	const pages = [codes(60_000, 30_000, 0), codes(30_000, 30_000, 0)];
	let cursor = { ...NO_KNOWN_RECORDS, isFirstPass: true };
	const runPass = (at: number[]): void =>
		at.forEach((page) => ({ cursor } = compareRecords(identity, cursor, snapshot(pages[page]!, page === 1))));
	runPass([0, 1]);
	runPass([0, 1]);
	const counts = new Map<string, number>();
	const pagesWithScans = [codes(60_000, 30_000, 1), codes(30_000, 30_000, 1)];
	for (const records of pagesWithScans) {
		const comparison = compareRecords(identity, cursor, snapshot(records, records === pagesWithScans[1]));
		for (const { kind } of comparison.changes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
		cursor = comparison.cursor;
	}
	expect(counts).toEqual(new Map([['counted', 40_000]]));
});

/** Returns the page numbers that a poll reads of an endless list. Without a cursor it is a first poll. */
async function pagesRead(
	watched: CounterWatch | AdditionWatch,
	{ hasTime, requestsLeft }: Pick<Api, 'hasTime' | 'requestsLeft'>,
	cursor?: CounterCursor,
): Promise<number[]> {
	const pages: number[] = [];
	const api = {
		hasTime,
		requestsLeft: () => requestsLeft() - pages.length,
		page: async (_row: unknown, number: number) => {
			pages.push(number);
			return { records: codes(100, 10, 0), more: true };
		},
	} as unknown as Api;
	await watched.snapshot(cursor, api);
	return pages;
}

describe.each([
	['CounterWatch', watch],
	['AdditionWatch', new AdditionWatch({ idPrefix: 'qr', row: table.qrCode.operations.getAll! })],
])('%s', (_, watched) => {
	it('reads only the first page if there is no time', async () => {
		expect(await pagesRead(watched, { hasTime: () => false, requestsLeft: () => Infinity })).toEqual([1]);
	});

	it('continues one page before the last one read', async () => {
		const stopped = { ...NO_KNOWN_RECORDS, isFirstPass: true, page: 7, statistics: [] };
		const noTime = { hasTime: () => false, requestsLeft: () => Infinity };
		expect(await pagesRead(watched, noTime, stopped)).toEqual([6, 7]);
	});

	it('reserves three requests of the rate limit window', async () => {
		expect(await pagesRead(watched, { hasTime: () => true, requestsLeft: () => 8 })).toEqual([1, 2, 3, 4, 5]);
	});
});

it.each([
	[39_999, []],
	[40_000, ['The list is long: only 40000 of its records are watched']],
])('adds a hint if the list exceeds the limit: %i records', async (known, expected) => {
	const hints: string[] = [];
	const api = {
		hint: (message: string) => void hints.push(message),
		hasTime: () => true,
		requestsLeft: () => Infinity,
		page: async () => ({ records: [], more: false }),
	} as unknown as Api;
	const entries = Array.from({ length: known }, (_, n) => `${n + 1}:0:0:`).join(';');
	await watch.snapshot({ ...NO_KNOWN_RECORDS, entries, statistics: [] }, api);
	expect(hints).toEqual(expected);
});

it('drops the statistics of a code only if its count decreases', () => {
	const statistics: CounterCursor['statistics'] = [
		['1', { total: 5 }],
		['2', { total: 5 }],
	];
	const cursor = { ...NO_KNOWN_RECORDS, entries: '1:5:0:;2:5:0:', statistics };
	const records = [
		{ id: 2, scans: 3 },
		{ id: 1, scans: 5 },
	];
	expect(watch.detect(cursor, snapshot(records, true)).cursor.statistics).toEqual([statistics[0]]);
});

it('emits all records after a first poll of everything, including unread pages', () => {
	const cursor = watch.baseline(snapshot(codes(2, 2, 1), false), Infinity);
	expect(cursor.page).toBe(1);
	const { events } = watch.detect(cursor, snapshot(codes(4, 4, 1), true));
	expect(events.map(({ key }) => key)).toEqual(['1', '2', '3', '4']);
});

it.each([
	[0, []],
	[1, ['3']],
	[2, ['2', '3']],
])('emits the latest %i at a first poll', (newest, expected) => {
	const first = snapshot(codes(3, 3, 1).reverse(), true);
	const { events } = watch.detect(watch.baseline(first, newest), first);
	expect(events.map(({ key }) => key)).toEqual(expected);
});

it.each([
	[0, []],
	[2, ['2', '3']],
	[3, ['1', '2', '3']],
])('emits the latest %i of three new records at a first poll', (newest, expected) => {
	const added = new AdditionWatch({ idPrefix: 'qr', row: table.qrCode.operations.getAll! });
	const first = snapshot(codes(3, 3, 1).reverse(), true);
	const { events } = added.detect(added.baseline(first, newest), first);
	expect(events.map(({ record }) => String(record.id))).toEqual(expected);
});

const dated: Identity = { ...identity, identifiers: ({ link, date }: IDataObject) => [link, date] };

it.each([
	[{ link: 'one', date: 'today' }, '7:0:0:dpLD4PT3'],
	[{ link: 'one' }, '7:0:0:dpLD----'],
	[{}, '7:0:0:'],
])('remembers four characters of the SHA-256 of address and date: %j', (members, entries) => {
	const firstPass = { ...NO_KNOWN_RECORDS, isFirstPass: true };
	const first = snapshot([{ id: 7, scans: 0, ...members }], true);
	expect(compareRecords(dated, firstPass, first).cursor.entries).toBe(entries);
});

it('treats records as the same if only one of them has a date', () => {
	const cursor = compareRecords(
		dated,
		{ ...NO_KNOWN_RECORDS, isFirstPass: true },
		snapshot([{ id: 7, link: 'one', scans: 0 }], true),
	);
	const { changes } = compareRecords(
		dated,
		cursor.cursor,
		snapshot([{ id: 7, link: 'two', date: 'today', scans: 0 }], true),
	);
	expect(changes).toEqual([]);
});

it('emits a record that reuses an id with a new number', async () => {
	const added = new AdditionWatch({
		idPrefix: 'qr',
		row: table.qrCode.operations.getAll!,
		identifiers: ({ link, date }) => [link, date],
	});
	const records = (link: string) => snapshot([{ id: 7, link, date: `${link} o’clock` }], true);
	let cursor = added.baseline(records('one'), 0);
	const emitted: unknown[] = [];
	for (const link of ['two', 'three']) {
		const { events, cursor: seen } = added.detect(cursor, records(link));
		const { items, processed } = await added.collect(events, 10);
		emitted.push(...items.map(({ json }) => json.eventId));
		cursor = added.advance(seen, processed);
	}
	expect(emitted).toEqual(['qr:7.1', 'qr:7.2']);
});

it.each([
	['the count at which statistics were remembered', 5, 5],
	['that none of the rest were emitted', 3, 0],
])('remembers %s', (_, to, total) => {
	const statistics = { topCountries: { Norway: 5 } };
	const counted = {
		key: '1',
		from: 0,
		to,
		total: 5,
		generation: 0,
		fingerprint: '',
		noticedAt: '',
		changes: null,
		record: {},
		statistics,
	};
	expect(watch.advance({ ...NO_KNOWN_RECORDS, statistics: [] }, [counted]).statistics).toEqual([
		['1', { ...statistics, total }],
	]);
});

it('emits all counts in one item even if the maximum is one', async () => {
	const { events, cursor } = watch.detect(
		{ ...NO_KNOWN_RECORDS, statistics: [] },
		snapshot(codes(2, 2, 5), true),
	);
	const { items, processed } = await watch.collect(events, 1, {} as Api, cursor);
	expect(items.map(({ json }) => json.eventId)).toEqual(['qr:1:scans:1-5']);
	expect(watch.detect(watch.advance(cursor, processed), snapshot(codes(2, 2, 5), true)).events).toMatchObject(
		[{ key: '2', to: 5 }],
	);
});
