import { events as linkEvents } from '../../nodes/LinkManager/triggers/index';
import { events as readerEvents, events } from '../../nodes/NewsReader/triggers/index';
import { triggerProperties } from '../../nodes/runtime/description/properties';
import { PollingProcess } from '../../nodes/runtime/poll/process';
import {
	changesOf,
	notePart,
	rememberStatistics,
	type Statistics,
} from '../../nodes/LinkManager/triggers/statistics';
import { outputSchema } from '../../nodes/runtime/table/operation';
import { readerTable } from '../../nodes/tables';
import { pathsOf } from '../support/cases/declared';

describe('parts of triggers', () => {
	describe('statistics', () => {
		const of = (topCountries: Record<string, string>, more: Statistics = {}): Statistics => ({
			topCountries,
			...more,
		});
		const remembered = (own: Statistics, count: number): Statistics =>
			rememberStatistics([], 7, own, count)[0]![1];

		it('show by how much each count has grown since the last item', () => {
			const last = remembered(of({ Norway: '3' }), 3);
			const now = of({ Norway: '4', Chile: '2' }, { socialCount: { facebook: 1, twitter: 0 } });
			expect(changesOf(now, last, 3, 6)).toEqual({
				countries: { Norway: 1, Chile: 2 },
				networks: { facebook: 1 },
			});
			expect(changesOf(of({ Norway: '4' }), undefined, 0, 4)).toEqual({ countries: { Norway: 4 } });
		});

		it('read counts whose digits are grouped, as in the counter itself', () => {
			const last = remembered(of({ Norway: '999' }, { socialCount: { facebook: '998' } }), 999);
			const now = of({ Norway: '1,001' }, { socialCount: { facebook: '1,000' } });
			expect(changesOf(now, last, 999, 1_001)).toEqual({
				countries: { Norway: 2 },
				networks: { facebook: 2 },
			});
		});

		it.each([
			['there are none', undefined, remembered(of({}), 3), 3],
			['those of the last item are unknown', of({ Norway: '4' }), undefined, 3],
			['the remembered ones are older than the last item', of({ Norway: '4' }), remembered(of({}), 1), 3],
		])('show no growth if %s', (_, now, last, from) => {
			expect(changesOf(now, last, from, 4)).toBeNull();
		});

		it('show no growth of a group whose sum is not that of the new counts', () => {
			const last = remembered(of({ Norway: '3' }), 10);
			expect(changesOf(of({ Norway: '4', Chile: '7' }), last, 10, 11)).toEqual({ countries: null });
		});

		it('show no growth of a group if a label has left its list', () => {
			const last = remembered({ topReferrers: { A: '10', B: '8' } }, 100);
			const now = { topReferrers: { A: '20', C: '16' } };
			expect(changesOf(now, last, 100, 200)).toEqual({ referrers: null });
		});

		it('include the counts that were emitted in parts', () => {
			const parts = notePart(rememberStatistics([], 7, of({ Norway: '3' }), 3), 7, 3, 5);
			expect(changesOf(of({ Norway: '3', Chile: '4' }), parts[0]![1], 5, 7)).toEqual({
				countries: { Chile: 4 },
			});
			expect(notePart(parts, 7, 4, 6)).toEqual(parts);
		});

		it.each([
			[150_000, [1, 2]],
			[150_001, [2]],
		])('are kept up to 150,000 characters: of %i, the oldest are dropped', (characters, kept) => {
			const [entry] = rememberStatistics([], 2, of({ Norway: '3' }), 3);
			const old: [number, Statistics] = [1, { note: '' }];
			const room = characters - JSON.stringify(entry).length - JSON.stringify(old).length;
			old[1].note = 'x'.repeat(room);
			const all = rememberStatistics([old], 2, of({ Norway: '3' }), 3);
			expect(all.map(([id]) => id)).toEqual(kept);
		});
	});

	describe('a polling process', () => {
		it('runs one poll of a node at a time', () => {
			const process = new PollingProcess(0);
			const begin = (node: string) => process.begin(node, {}, 'update', '');
			const first = begin('a')!;
			expect(begin('a')).toBeUndefined();
			expect(begin('b')).toBeDefined();
			first.isOver = true;
			expect(begin('a')).toMatchObject({ isOver: false });
		});

		it.each([
			[
				'one context for all polls of a publication',
				'update',
				'aaaa',
				[1, 1, 2, 2],
				[true, false, true, false],
			],
			['a context for each poll', 'update', 'aaaa', [1, 2, 3, 4], [true, false, false, false]],
			['a context for each poll, a changed node', 'update', 'aabb', [1, 2, 3, 4], [true, false, true, false]],
			['a context for each poll, published again', 'activate', 'aa', [1, 2], [true, true]],
		])('knows the poll that publishes: %s, %s', (_, mode, settings, contexts, expected) => {
			const process = new PollingProcess(0);
			const made = new Map(contexts.map((number) => [number, {}]));
			const isFirst = contexts.map((number, n) => {
				const poll = process.begin('a', made.get(number)!, mode, settings[n]!)!;
				poll.isOver = true;
				return poll.isFirst;
			});
			expect(isFirst).toEqual(expected);
			expect(process.begin('b', made.get(1)!, mode, 'a')).toMatchObject({ isFirst: true });
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
});

describe('the watch key', () => {
	const choices = [undefined, [42], [42, 43], 'Tech / Deep'];

	/** For each event, the alternative values of its watched fields. */
	const watched: Record<string, object[]> = {
		newUnreadStory: choices.map((choice) => ({ choice })),
		feedBroken: choices.map((choice) => ({ choice })),
		unreadCountReached: [
			...choices.map((choice) => ({ choice, threshold: 50, focus: false })),
			{ choice: [42], threshold: 51, focus: false },
			{ choice: [42], threshold: 50, focus: true },
		],
		newChannelItem: [{ id: 7 }, { id: 8 }],
		// The list of everyone ends before old shares that the list of a user has.
		newSharedStory: [{}, { sharer: 7 }],
	};

	/** Fields that are not part of the watch key. */
	const unwatched: Record<string, object[]> = {
		newUnreadStory: [{ filters: { title: 'solar' } }, { content: 'none' }],
		feedBroken: [{ changes: 'both' }, { changes: 'fails' }],
		newSavedStory: [{ content: 'none' }, {}],
		newSharedStory: [{ sharer: 7 }, { sharer: 8 }],
		savedSearchMatch: [{}, { query: 'solar' }, { query: 'wind' }],
		newInteraction: [{ kinds: ['follow'] }, {}],
		newActivity: [{ kinds: ['follow'] }, {}],
		newQrScan: [{ itemPerCount: true }, {}],
		newShortLinkClick: [{ itemPerCount: true }, {}],
	};

	type Keyed = Record<string, { watchKey?(values: object): unknown }>;
	const keyOf = (event: string, values: object): string =>
		JSON.stringify(({ ...linkEvents, ...readerEvents } as unknown as Keyed)[event]!.watchKey!(values));

	it.each(Object.entries(watched))('of %s changes with each watched field', (event, values) => {
		const keys = values.map((each) => keyOf(event, each));
		expect(keys.every((key) => key !== undefined)).toBe(true);
		expect(new Set(keys).size).toBe(keys.length);
	});

	it.each(Object.entries(unwatched))('of %s does not change with other fields', (event, values) => {
		expect(new Set(values.map((each) => keyOf(event, each))).size).toBe(1);
	});
});

describe('the output of events', () => {
	type WithOutput = Record<string, { output?(values: object): { members: object } | undefined }>;
	const membersOf = (event: string, values: object): string[] | undefined => {
		const schema = ({ ...linkEvents, ...readerEvents } as unknown as WithOutput)[event]!.output!(values);
		return schema && Object.keys(schema.members);
	};

	it.each([
		['newQrScan', { itemFor: 'code' }, ['newScans', 'previousScans'], ['scan']],
		['newQrScan', { itemFor: 'scan' }, ['scan'], ['newScans', 'previousScans']],
		['newShortLinkClick', { itemFor: 'link' }, ['newClicks', 'previousClicks'], ['click']],
		['newShortLinkClick', { itemFor: 'click' }, ['click'], ['newClicks', 'previousClicks']],
	])('%s with %j has %j and not %j', (event, values, members, others) => {
		const all = membersOf(event, values);
		expect(all).toEqual(expect.arrayContaining([...members, 'createdDate', 'noticedAt', 'changes']));
		for (const other of [...others, 'date']) expect(all).not.toContain(other);
	});

	it.each(['newUnreadStory', 'newSavedStory', 'newSharedStory', 'savedSearchMatch'])(
		'%s has the simplified members unless Simplify is off',
		(event) => {
			expect(membersOf(event, {})).toContain('feedTitle');
			expect(membersOf(event, { simplify: false })).toBeUndefined();
		},
	);
});

describe('the names of output members', () => {
	const operations = Object.entries(readerTable).flatMap(([resource, rows]) =>
		Object.entries(rows.operations).map(([operation, row]): [string, string[]] => [
			`${resource}.${operation}`,
			pathsOf(outputSchema(row)),
		]),
	);
	const handedOver = Object.entries(events).map(([name, { output }]): [string, string[]] => [
		name,
		pathsOf(output!({})!.jsonSchema),
	]);

	it.each([...operations, ...handedOver])('%s has no member with a name of the service', (_, paths) => {
		expect(paths.filter((path) => path.includes('_'))).toEqual([]);
	});
});
