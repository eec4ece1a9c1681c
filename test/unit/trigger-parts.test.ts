/** Parts of triggers: hash sets, dated hashes, statistics, polling processes and event labels. */
import fc from 'fast-check';
import { events as linkEvents } from '../../nodes/LinkManager/triggers';
import { events as readerEvents } from '../../nodes/NewsReader/triggers';
import { countsForPoll } from '../../nodes/NewsReader/model/unread-counts';
import { triggerProperties } from '../../nodes/runtime/description/properties';
import { allKnownBut, compareHashes } from '../../nodes/NewsReader/triggers/hash-comparison';
import { HashSet } from '../../nodes/NewsReader/triggers/hash-cursor';
import { snapshotOf } from '../../nodes/NewsReader/triggers/hash-snapshot';
import { clock } from '../../nodes/runtime/clock';
import { PollingProcess } from '../../nodes/runtime/poll/process';
import { changesOf, rememberStatistics, type Statistics } from '../../nodes/LinkManager/triggers/statistics';
import { propertyOptions } from '../support/cases/random';
import { WorldApi } from './trigger-world';
import { responseWith } from '../support/cases/response';

afterEach(() => jest.restoreAllMocks());

describe('a list of hashes', () => {
	it('has no feed or story for members of Object.prototype', () => {
		const emitted = new Map([
			['constructor', [['1:a', 1]]],
			['1', ['toString', ['1:b', 7], '1:c']],
		]);
		const entries = [
			{ hash: '1:b', at: 7 },
			{ hash: '1:c', at: 0 },
		];
		expect(snapshotOf(emitted, { emitsReturned: false })).toEqual(new Map([['1', entries]]));
	});

	it('ignores invalid dates, and dates after the next 24 hours in a list that is dated by entry', () => {
		const now = 1_788_265_800;
		jest.spyOn(clock, 'now').mockReturnValue(now * 1000);
		const latest = now + 24 * 3600;
		const tooLate = latest + 1;
		const emitted = new Map([
			[
				'1',
				[
					['1:a', 'Infinity'],
					['1:b', 9e15],
					['1:c', tooLate],
					['1:d', latest],
				],
			],
		]);
		const datesOf = (datedByEntry: boolean) =>
			snapshotOf(emitted, { emitsReturned: true, datedByEntry })
				.get('1')
				?.map(({ at }) => at);
		expect(datesOf(true)).toEqual([0, 0, 0, latest]);
		expect(datesOf(false)).toEqual([0, 9e15, tooLate, latest]);
	});
});

describe('a list that emits stories again', () => {
	it('emits only the story that left and returned', () => {
		const list = { emitsReturned: true };
		const emitted = (...hashes: string[]) =>
			snapshotOf(new Map([['1', hashes.map((hash) => [hash, 7])]]), list);
		const known = allKnownBut(emitted('1:00000a', '1:00000b'), [], list);
		const { cursor, events } = compareHashes(known, emitted('1:00000a'), list);
		expect(events).toEqual([]);
		expect(compareHashes(cursor, emitted('1:00000a', '1:00000b'), list).events).toMatchObject([
			{ hash: '1:00000b', returnCount: 1 },
		]);
	});
});

describe('a set of hashes', () => {
	const usual = fc.integer({ min: 0, max: 0xffffff }).map((number) => number.toString(16).padStart(6, '0'));
	const texts = fc.array(fc.oneof({ weight: 9, arbitrary: usual }, fc.string({ minLength: 1 })), {
		maxLength: 40,
	});

	it('contains the added members before and after serialization', () => {
		fc.assert(
			fc.property(texts, texts, (members, others) => {
				const set = HashSet.of('');
				for (const member of members) set.add(member);
				const read = HashSet.of(set.pack());
				expect(HashSet.isPacked(set.pack())).toBe(true);
				expect(read.size).toBe(new Set(members).size);
				for (const text of [...members, ...others]) expect(read.has(text)).toBe(members.includes(text));
			}),
			propertyOptions(100),
		);
	});

	it('adds the remaining members of another set, in any form of both', () => {
		fc.assert(
			fc.property(texts, texts, texts, (own, others, present) => {
				const [set, other] = [HashSet.of(''), HashSet.of('')];
				for (const text of own) set.add(text);
				for (const text of others) other.add(text);
				set.addRest(other, present);
				for (const text of [...own, ...others, ...present]) {
					const isRest = others.includes(text) && !present.includes(text);
					expect(set.has(text)).toBe(own.includes(text) || isRest);
				}
			}),
			propertyOptions(100),
		);
	});

	it('stores a usual hash in four characters', () => {
		const set = HashSet.of('');
		for (let number = 0; number < 1000; number += 1) set.add(number.toString(16).padStart(6, '0'));
		expect(set.pack().length).toBeLessThanOrEqual(4001);
	});

	it('drops the oldest members above its limit', () => {
		const set = HashSet.of('');
		for (const text of ['aaaaaa', 'bbbbbb', 'cccccc']) set.add(text);
		set.keepLast(2);
		expect(['aaaaaa', 'bbbbbb', 'cccccc'].map((text) => set.has(text))).toEqual([false, true, true]);
	});
});

describe('statistics', () => {
	const statistics = (topCountries: Record<string, string>): Statistics => ({
		topCountries,
		topBrowsers: {},
	});
	const emitted = (own: Statistics, count: number): Statistics =>
		rememberStatistics([], 'a', own, count)[0]![1];

	it('report the growth since the saved counts', () => {
		const former = emitted(statistics({ Norway: '3' }), 3);
		expect(changesOf(statistics({ Norway: '4', Chile: '2' }), former, 3, 6)).toEqual({
			countries: { Norway: 1, Chile: 2 },
			browsers: {},
		});
	});

	it('report no growth of counts from before the start', () => {
		expect(changesOf(statistics({ Norway: '4' }), undefined, 3, 4)).toBeNull();
		expect(changesOf(statistics({ Norway: '2' }), undefined, 1, 2)).toBeNull();
		expect(changesOf(undefined, undefined, 0, 4)).toBeNull();
		expect(changesOf(statistics({ Norway: '4' }), undefined, 0, 4)).toHaveProperty('countries', {
			Norway: 4,
		});
	});

	it('ignore values that are not numbers', () => {
		expect(changesOf(statistics({ Norway: 'many', Chile: '1' }), undefined, 0, 2)).toHaveProperty(
			'countries',
			{
				Chile: 1,
			},
		);
	});

	it('report the growth even without a saved count', () => {
		expect(changesOf(statistics({ Norway: '1' }), statistics({}), 0, 1)).toHaveProperty('countries', {
			Norway: 1,
		});
	});

	it('omit a label that the previous list may have truncated, and never report too much', () => {
		const cut = emitted(statistics({ Norway: '3' }), 10);
		expect(changesOf(statistics({ Norway: '4', Chile: '7' }), cut, 10, 11)).toHaveProperty('countries', {
			Norway: 1,
		});
		const former = emitted(statistics({ Norway: '3' }), 3);
		expect(changesOf(statistics({ Norway: '9' }), former, 3, 4)).toHaveProperty('countries', { Norway: 1 });
	});

	it.each([
		[150_000, ['old', 'new']],
		[150_001, ['new']],
	])('are kept up to 150,000 characters: of %i, the oldest are dropped', (characters, kept) => {
		const [entry] = rememberStatistics([], 'new', statistics({ Norway: '3' }), 3);
		const old: [string, Statistics] = ['old', { note: '' }];
		const room = characters - JSON.stringify(entry).length - JSON.stringify(old).length;
		old[1].note = 'x'.repeat(room);
		const all = rememberStatistics([old], 'new', statistics({ Norway: '3' }), 3);
		expect(all.map(([key]) => key)).toEqual(kept);
	});
});

describe('a polling process', () => {
	const call = { context: {}, isLasting: true, isUpdate: false };

	it('runs one poll of a node at a time, and abandons a poll that hangs', () => {
		const process = new PollingProcess(0);
		const first = process.begin('a', 0)!;
		expect(process.begin('a', 1000)).toBeUndefined();
		expect(process.begin('b', 1000)).toBeDefined();
		const second = process.begin('a', 3_600_000)!;
		expect(second.isAbandoned()).toBe(false);
		expect(first.isAbandoned()).toBe(true);
		first.end();
		expect(process.begin('a', 3_601_000)).toBeUndefined();
		second.end();
		expect(process.begin('a', 3_602_000)).toBeDefined();
	});

	it('abandons a poll after ten minutes', () => {
		const process = new PollingProcess(0);
		process.begin('a', 0);
		expect(process.begin('a', 599_999)).toBeUndefined();
		expect(process.begin('a', 600_000)).toBeDefined();
	});

	it('ignores a transient failure at an activation, but not later', () => {
		const process = new PollingProcess(0);
		expect(process.noteFailure('a', call)).toBe(true);
		expect(process.noteFailure('a', call)).toBe(false);
		process.noteSuccess('a', call);
		expect(process.noteFailure('a', { ...call, context: {} })).toBe(false);
		expect(process.noteFailure('a', { ...call, context: {}, isUpdate: true })).toBe(true);
	});

	it('ignores only the very first failure if every poll has a new object', () => {
		const process = new PollingProcess(0);
		const own = () => ({ context: {}, isLasting: false, isUpdate: false });
		expect(process.noteFailure('a', own())).toBe(true);
		expect(process.noteFailure('a', own())).toBe(false);
	});
});

it.each([
	[linkEvents, 'On new QR scan'],
	[readerEvents, 'On new unread story'],
])('event labels are phrases for the editor’s node panel', (events, first) => {
	const options = triggerProperties(events)[0]!.options as Array<{ name: string; action: string }>;
	for (const { name, action } of options) expect(action.toLowerCase()).toBe(`on ${name.toLowerCase()}`);
	expect(options.map(({ action }) => action)).toContain(first);
});

it('a request for counts that never completes does not delay later ones', async () => {
	const response = responseWith({});
	const hangs = new WorldApi({ ask: () => ({}) });
	hangs.send = async () => await new Promise(() => undefined);
	const responses = new WorldApi({ ask: () => ({}) });
	responses.send = async () => response;
	void countsForPoll(hangs, 10);
	await expect(countsForPoll(responses, 10)).resolves.toBe(response);
});
