/** Events about something that switches: feeds that fail, and a number of unread stories that reaches a threshold. */
import { feedBroken, unreadCountReached } from '../../nodes/NewsReader/triggers/feed-states';
import { clock } from '../../nodes/runtime/clock';
import { sample, type PollSettings } from '../../nodes/runtime/poll/step';
import type { Watch } from '../../nodes/runtime/table/event';
import { makeVirtual } from '../support/clock';
import { NO_FAULT, SimulatedN8n, WorldApi, type World } from './trigger-world';

type Feeds = Record<string, object>;
const working = {};
const broken = { has_exception: true, exception_type: 'feed', exception_code: 503 };
const notFetched = { not_yet_fetched: true };

let accounts = 0;

/** Each look at the clock is a minute later: the service is asked for counts again. */
let minutes = 0;
beforeEach(() => {
	jest.spyOn(clock, 'uptime').mockImplementation(() => (minutes += 1) * 60_000);
});
afterEach(() => jest.restoreAllMocks());

/** Polls once for each of these responses; returns the ends of the emitted event ids. */
async function idsAfter(
	watch: Watch,
	responses: Feeds[],
	settings: Partial<PollSettings> = {},
): Promise<string[][]> {
	const account = new WorldWithCounts();
	const n8n = new SimulatedN8n(watch, account, 'cursors', settings);
	const polls: string[][] = [];
	for (const feeds of responses) {
		account.feeds = feeds;
		const polled = await n8n.poll();
		if ('failed' in polled) throw polled.failed;
		polls.push(polled.ids.map((id) => id.replace(/^[\w-]+:\d+:/, '')));
	}
	return polls;
}

class WorldWithCounts implements World {
	feeds: Feeds = {};
	folders: unknown[] = [];

	ask({ route }: { route: string }): unknown {
		if (route !== 'GET /reader/feeds') return { feeds: this.feeds };
		return { feeds: Object.keys(this.feeds).map((id) => ({ id })), folders: this.folders };
	}
}

/** What a test run shows. */
async function sampleOf(watch: Watch, feeds: Feeds) {
	const world = new WorldWithCounts();
	world.feeds = feeds;
	const items = await sample(watch, new WorldApi(world, NO_FAULT, `account ${(accounts += 1)}`), 3);
	return items.map(({ json: { eventId, ...record } }) => record);
}

describe('Feed Broken', () => {
	const watchFor = (changes: 'both' | 'fails' | 'recovers') =>
		feedBroken.watch({ choice: undefined, changes });

	it.each([
		['both', [[], ['1:1'], ['2:1'], ['1:2'], ['1:3']]],
		['fails', [[], ['1:1'], [], [], ['1:2']]],
		['recovers', [[], [], ['2:1'], ['1:1'], []]],
	] as const)('emits each change of kind %s, with a number in its id', async (changes, expected) => {
		const responses = [
			{ 1: working, 2: broken },
			{ 1: broken, 2: broken },
			{ 1: broken, 2: working },
			{ 1: working, 2: working },
			{ 1: broken, 2: working },
		];
		expect(await idsAfter(watchFor(changes), responses)).toEqual(expected);
	});

	it('emits nothing for a feed that was broken before it was moved into the folder', async () => {
		const world = new WorldWithCounts();
		world.folders = [2, { Tech: [1] }];
		world.feeds = { 1: working, 2: broken };
		const n8n = new SimulatedN8n(feedBroken.watch({ choice: 'Tech', changes: 'fails' }), world, 'cursors');
		await n8n.poll();
		world.folders = [{ Tech: [1, 2] }];
		expect(await n8n.poll()).toMatchObject({ ids: [] });
		world.feeds = { 1: broken, 2: broken };
		expect(await n8n.poll()).toMatchObject({ ids: [expect.stringContaining(':1:1')] });
	});

	it('takes a feed for working if only the page of its website fails', async () => {
		const pageFails = { ...broken, exception_type: 'page' };
		const responses = [{ 1: working }, { 1: pageFails }, { 1: broken }, { 1: pageFails }];
		expect(await idsAfter(watchFor('both'), responses)).toEqual([[], [], ['1:1'], ['1:2']]);
	});

	it('does not report a broken feed as recovered while it is not fetched yet', async () => {
		const responses = [{ 1: broken }, { 1: notFetched }, { 1: broken }, { 1: working }];
		expect(await idsAfter(watchFor('both'), responses)).toEqual([[], [], [], ['1:1']]);
	});

	it('emits as many of the failing feeds at the first poll as Latest Ones asks for', async () => {
		const feeds = { 1: broken, 2: working, 3: broken, 4: broken };
		const first = async (settings: Partial<PollSettings>) =>
			await idsAfter(watchFor('fails'), [feeds], settings);
		expect(await first({})).toEqual([[]]);
		expect(await first({ firstCount: 1 })).toEqual([['4:1']]);
		expect(await first({ firstCount: Infinity })).toEqual([['1:1', '3:1', '4:1']]);
	});

	const failure = { broken: true, exceptionType: 'feed', exceptionCode: 503 };
	const example = { broken: true, exceptionType: 'feed', exceptionCode: 404, example: true };
	it.each([
		['fails', { 1: working, 2: broken }, { feedId: 2, ...failure }],
		['fails', { 1: working }, { feedId: 1, ...example }],
		['recovers', { 1: broken, 2: working }, { feedId: 2, broken: false, example: true }],
		['recovers', { 1: broken }, { feedId: 1, broken: false, example: true }],
		['both', { 1: working, 2: broken }, { feedId: 2, ...failure }],
		['both', { 1: working }, { feedId: 1, broken: false, example: true }],
	] as const)('shows a test event of %s, or an example: feeds %j', async (changes, feeds, record) => {
		expect(await sampleOf(watchFor(changes), feeds)).toEqual([{ feedTitle: '', ...record }]);
	});

	it('shows nothing in a test run without feeds', async () => {
		expect(await sampleOf(watchFor('fails'), {})).toEqual([]);
	});
});

describe('Unread Count Reached', () => {
	const watchFor = (focus = false) => unreadCountReached.watch({ choice: undefined, threshold: 3, focus });
	const counts = (ps: number, nt: number): Feeds => ({ 1: { ps, nt: -1 }, 2: { nt } });

	it('emits an event each time the count reaches the threshold', async () => {
		const responses = [counts(0, 2), counts(1, 1), counts(1, 2), counts(5, 2), counts(0, 2), counts(0, 3)];
		expect(await idsAfter(watchFor(), responses)).toEqual([[], [], ['1'], [], [], ['2']]);
	});

	it('emits a count that is already reached only if the first poll emits what exists', async () => {
		expect(await idsAfter(watchFor(), [counts(0, 3), counts(0, 3)])).toEqual([[], []]);
		const last = { firstCount: 1 } as const;
		expect(await idsAfter(watchFor(), [counts(0, 3), counts(0, 3)], last)).toEqual([['1'], []]);
	});

	it('treats unknown counts of a first poll as below the threshold, and ignores later ones', async () => {
		const responses = [{}, counts(0, 3), {}, counts(0, 3), counts(0, 2), counts(0, 3)];
		expect(await idsAfter(watchFor(), responses)).toEqual([[], ['1'], [], [], [], ['2']]);
	});

	it('ignores a poll without counts of the chosen feeds', async () => {
		const watch = unreadCountReached.watch({ choice: [1], threshold: 3, focus: false });
		const high = { 1: { ps: 1, nt: 2 }, 2: { nt: 9 } };
		expect(await idsAfter(watch, [high, { 2: { nt: 9 } }, high])).toEqual([[], [], []]);
	});

	it.each([
		[false, counts(1, 2), { count: 3, threshold: 3, unread: 3, focus: 1 }],
		[false, counts(1, 3), { count: 4, threshold: 3, unread: 4, focus: 1 }],
		[false, counts(1, 1), { count: 3, threshold: 3, unread: 3, focus: 1, example: true }],
		[true, counts(3, 1), { count: 3, threshold: 3, unread: 4, focus: 3 }],
		[true, counts(2, 5), { count: 3, threshold: 3, unread: 7, focus: 3, example: true }],
	])('shows a test event (focus only: %s): %j', async (isFocus, now, record) => {
		expect(await sampleOf(watchFor(isFocus), now)).toEqual([record]);
	});

	it('shows nothing in a test run without feeds', async () => {
		expect(await sampleOf(watchFor(), {})).toEqual([]);
	});

	it('fails a poll that the rate limit refuses, and goes on after it', async () => {
		const world = new WorldWithCounts();
		world.feeds = counts(0, 2);
		const time = makeVirtual(clock);
		await clock.sleep(24 * 3_600_000);
		const refused = { ...NO_FAULT, at: 1, kind: 'rate limit' } as const;
		const n8n = new SimulatedN8n(watchFor(), world, 'cursors');
		expect(await n8n.poll(refused)).toHaveProperty('failed');
		await n8n.poll();
		await clock.sleep(60_000);
		expect(await n8n.poll(refused)).toHaveProperty('failed');
		world.feeds = counts(0, 3);
		expect(await n8n.poll()).toMatchObject({ ids: [expect.any(String)] });
		time.restore();
	});
});
