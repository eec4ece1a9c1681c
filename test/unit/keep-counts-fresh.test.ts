/** The requests that keep the service's unread counts current: without counts, it omits a feed's unread hashes. */
import { keepCountsFresh } from '../../nodes/NewsReader/model/keep-counts-fresh';
import { clock } from '../../nodes/runtime/clock';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { NO_FAULT, WorldApi, type Fault } from './trigger-world';

const HOUR = 3_600_000;

let time: VirtualClock;
let accounts = 0;
/** The requests: the number of feeds to count, or `counts` for the stored counts. */
let requested: Array<number | 'counts'>;
/** The stored counts of feeds. */
let feeds: Record<string, { ps: number; nt: number }>;

beforeEach(() => {
	time = makeVirtual(clock);
	accounts += 1;
	requested = [];
	feeds = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [String(n + 1), { ps: 0, nt: 0 }]));
});
afterEach(() => time.restore());

/** Runs or polls once with the account. */
async function run(fault: Partial<Fault> = {}, account = `account ${accounts}`): Promise<void> {
	const world = {
		ask: ({ route }: { route: string }, { query }: { query: Record<string, unknown> }) => {
			const isCounting = route === 'GET /reader/feed_unread_count';
			requested.push(isCounting ? (query.feed_id as string[]).length : 'counts');
			return { feeds: isCounting ? {} : feeds };
		},
	};
	await keepCountsFresh(new WorldApi(world, { ...NO_FAULT, ...fault }, account));
}

it('requests the stored counts, then counts of the feeds without one', async () => {
	feeds['7'] = { ps: 0, nt: 3 };
	feeds['8'] = { ps: 1, nt: 0 };
	await run();
	expect(requested).toEqual(['counts', 100, 100, 48]);
});

it('requests counts again after six hours, but none for feeds whose counts are current', async () => {
	await run();
	await clock.sleep(6 * HOUR - 1);
	await run();
	expect(requested).toEqual(['counts', 100, 100, 50]);
	await clock.sleep(1);
	await run();
	expect(requested.slice(4)).toEqual(['counts']);
});

it('counts again after six days without a request', async () => {
	await run();
	await clock.sleep(6 * 24 * HOUR + 1);
	await run();
	expect(requested.slice(4)).toEqual(['counts', 100, 100, 50]);
});

it('uses the last request of a rate limit window and continues at the next poll', async () => {
	await run({ requestLimit: 3 });
	expect(requested).toEqual(['counts', 100, 100]);
	await run();
	expect(requested.slice(3)).toEqual([50]);
});

it('continues at the next poll after a rate limit', async () => {
	await run({ at: 3, kind: 'rate limit' });
	expect(requested).toEqual(['counts', 100]);
	await run();
	expect(requested.slice(2)).toEqual([100, 50]);
});

it('stops requesting counts from a host that fails to count', async () => {
	await run({ at: 2, kind: 'server error' });
	await run();
	expect(requested).toEqual(['counts']);
});

it('requests counts again a quarter of an hour after a failure', async () => {
	await run({ at: 1 });
	await clock.sleep(HOUR / 4 - 1);
	await run();
	expect(requested).toEqual([]);
	await clock.sleep(1);
	await run();
	expect(requested).toEqual(['counts', 100, 100, 50]);
});

it('requests counts separately for each account', async () => {
	await run();
	await run({}, `other account ${accounts}`);
	expect(requested).toEqual(['counts', 100, 100, 50, 'counts', 100, 100, 50]);
});
