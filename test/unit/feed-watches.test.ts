/** The events that the triggers for failing feeds and unread counts detect in consecutive snapshots. */
import { feedBroken } from '../../nodes/NewsReader/triggers/feed-health';
import { feedsNow, type FeedNow, type FeedsSnapshot } from '../../nodes/NewsReader/triggers/feed-counts';
import { unreadCountReached } from '../../nodes/NewsReader/triggers/unread-count';
import type { Watch } from '../../nodes/runtime/table/event';
import { NO_FAULT, WorldApi } from './trigger-world';

interface FeedEvent {
	id?: number;
	number: number;
	isBroken?: boolean;
	record: Record<string, unknown>;
}
type TestedWatch = Required<Watch<unknown, FeedsSnapshot, FeedEvent>>;

const feed = (id: number, more: Partial<FeedNow> = {}): FeedNow => ({
	id,
	...{ focus: 0, neutral: 0, isBroken: false, exceptionType: null, exceptionCode: null },
	...more,
});
const working = feed(1);
const broken = feed(2, { isBroken: true, exceptionType: 'page', exceptionCode: 503 });
const snapshot = (...feeds: FeedNow[]) => ({ at: 5000, feeds });

describe('feed health', () => {
	const watchFor = (changes: 'both' | 'fails' | 'recovers') =>
		feedBroken.watch({ choice: undefined, changes }) as TestedWatch;
	const changesOf = (changes: 'both' | 'fails' | 'recovers', ...snapshots: FeedNow[][]) => {
		const watch = watchFor(changes);
		let cursor = watch.baseline(snapshot(working, broken), 0);
		return snapshots.map((feeds) => {
			const result = watch.detect(cursor, snapshot(...feeds));
			cursor = watch.advance(result.cursor, result.events);
			return result.events.map(({ id, number, isBroken }) => [id, number, isBroken]);
		});
	};
	const repaired = feed(2);
	const failing = feed(1, { isBroken: true });

	it.each([
		['both', [[[1, 1, true]], [[2, 1, false]], [[1, 2, false]], [[1, 3, true]]]],
		['fails', [[[1, 1, true]], [], [], [[1, 3, true]]]],
		['recovers', [[], [[2, 1, false]], [[1, 2, false]], []]],
	] as const)('numbers all changes of a feed, and emits those of kind %s', (changes, expected) => {
		const snapshots = [
			[failing, broken],
			[failing, repaired],
			[working, repaired],
			[failing, repaired],
		];
		expect(changesOf(changes, ...snapshots)).toEqual(expected);
		expect(changesOf(changes, [working, broken])).toEqual([[]]);
	});

	it('emits a failing feed at the first poll only if that emits the latest events', () => {
		const watch = watchFor('fails');
		const eventsAfter = (newest: number) =>
			watch.detect(watch.baseline(snapshot(working, broken), newest), snapshot(working, broken)).events;
		expect(eventsAfter(0)).toEqual([]);
		expect(eventsAfter(10)).toMatchObject([{ id: 2, number: 1, since: 5000 }]);
	});

	it.each([
		['fails', [working, broken], { feedId: 2, broken: true, exceptionType: 'page', exceptionCode: 503 }],
		[
			'fails',
			[working],
			{ feedId: 1, broken: true, exceptionType: 'feed', exceptionCode: 404, example: true },
		],
		['recovers', [broken, working], { feedId: 1, broken: false, example: true }],
		['recovers', [broken], { feedId: 2, broken: false, example: true }],
		['both', [working, broken], { feedId: 2, broken: true, exceptionType: 'page', exceptionCode: 503 }],
		['both', [working], { feedId: 1, broken: false, example: true }],
	] as const)('shows a sample of %s in a test run: feeds %j', (changes, feeds, record) => {
		const watch = watchFor(changes);
		const { events } = watch.detect(watch.sample(snapshot(...feeds)), snapshot(...feeds));
		expect(events).toMatchObject([{ number: 1, record }]);
		expect(events[0]!.record).toEqual(record);
	});

	it('shows nothing in a test run without feeds', () => {
		const watch = watchFor('fails');
		expect(watch.detect(watch.sample(snapshot()), snapshot()).events).toEqual([]);
	});
});

describe('unread count', () => {
	const watchFor = (isFocus = false) =>
		unreadCountReached.watch({ choice: undefined, threshold: 3, focus: isFocus }) as TestedWatch;
	const counts = (focus: number, neutral: number) => snapshot(feed(1, { focus }), feed(2, { neutral }));

	it('emits an event each time the count reaches the threshold', () => {
		const watch = watchFor();
		let cursor = watch.baseline(counts(0, 2), 0);
		const numbers = [counts(1, 1), counts(1, 2), counts(5, 2), counts(0, 2), counts(0, 3)].map((now) => {
			const { events, cursor: next } = watch.detect(cursor, now);
			cursor = watch.advance(next, events);
			return events.map(({ number, record }) => [number, record.count]);
		});
		expect(numbers).toEqual([[], [[1, 3]], [], [], [[2, 3]]]);
	});

	it('emits a count that is already reached only if the first poll emits the latest events', () => {
		const watch = watchFor();
		expect(watch.detect(watch.baseline(counts(0, 3), 0), counts(0, 3)).events).toEqual([]);
		expect(watch.detect(watch.baseline(counts(0, 3), 1), counts(0, 3)).events).toHaveLength(1);
	});

	it.each([
		[false, counts(1, 2), { count: 3, threshold: 3, unread: 3, focus: 1 }],
		[false, counts(1, 3), { count: 4, threshold: 3, unread: 4, focus: 1 }],
		[false, counts(1, 1), { count: 3, threshold: 3, unread: 3, focus: 1, example: true }],
		[true, counts(3, 1), { count: 3, threshold: 3, unread: 4, focus: 3 }],
		[true, counts(2, 5), { count: 3, threshold: 3, unread: 7, focus: 3, example: true }],
	])('shows a sample in a test run (focus only: %s): %j', (isFocus, now, record) => {
		const watch = watchFor(isFocus);
		expect(watch.detect(watch.sample(now), now).events).toEqual([{ number: 1, since: 5000, record }]);
	});

	it('emits nothing and keeps the cursor if the response has no feeds', () => {
		const watch = watchFor();
		const cursor = watch.baseline(counts(0, 3), 0);
		expect(watch.detect(cursor, { at: 6000, feeds: undefined })).toEqual({ events: [], cursor });
	});
});

it('reads missing and negative counts as zero', async () => {
	const feeds = { 1: { ps: -1, nt: 2 }, 2: { ps: 3, has_exception: 'true', exception_code: 503 }, 3: null };
	const api = new WorldApi({ ask: () => ({ feeds }) }, NO_FAULT, 'missing counts');
	expect((await feedsNow(undefined, 'later', api)).feeds).toEqual([
		feed(1, { neutral: 2 }),
		feed(2, { focus: 3, isBroken: true, exceptionCode: 503 }),
	]);
});
