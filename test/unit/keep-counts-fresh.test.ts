/** The requests for counts without which a reader returns no unread hashes of feeds that it never counted. */
import { keepCountsFresh } from '../../nodes/NewsReader/model/keep-counts-fresh';
import { clock } from '../../nodes/runtime/clock';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { NO_TROUBLE, WorldApi, type Trouble } from './trigger-world';

const HOUR = 3_600_000;

let time: VirtualClock;
let accounts = 0;
/** What was asked: how many feeds were counted, or `counts` for the stored ones. */
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

/** A run or poll of the account that asks for unread hashes. */
async function run(trouble: Partial<Trouble> = {}, account = `account ${accounts}`): Promise<void> {
	const world = {
		ask: ({ route }: { route: string }, { query }: { query: Record<string, unknown> }) => {
			const isCounting = route === 'GET /reader/feed_unread_count';
			requested.push(isCounting ? (query.feed_id as string[]).length : 'counts');
			return { feeds: isCounting ? {} : feeds };
		},
	};
	await keepCountsFresh(new WorldApi(world, { ...NO_TROUBLE, ...trouble }, account));
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

it('takes the last request of a window, and the next poll goes on', async () => {
	await run({ window: 3 });
	expect(requested).toEqual(['counts', 100, 100]);
	await run();
	expect(requested.slice(3)).toEqual([50]);
});

it('continues at the next poll if the service asks for a pause', async () => {
	await run({ at: 3, how: 'rate limit' });
	expect(requested).toEqual(['counts', 100]);
	await run();
	expect(requested.slice(2)).toEqual([100, 50]);
});

it('leaves it at a host that counts none', async () => {
	await run({ at: 2, how: 'server error' });
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

it('does so for each account', async () => {
	await run();
	await run({}, `other account ${accounts}`);
	expect(requested).toEqual(['counts', 100, 100, 50, 'counts', 100, 100, 50]);
});
