/** Tests bulk runs with a limit of 30 requests per window: every item is done once, and no request is refused. */
import { LinkSandbox } from '../support/hosts/link-sandbox';
import { records, runNode } from '../support/nodes/link-node';
import { FakeHost } from '../support/hosts/fake-host';
import { holdTime, time } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

const LIMIT = 30;
const WINDOW_MS = 200;

let sandbox: LinkSandbox;
let host: FakeHost;
/** The account of the sandbox, through the host. */
let account: { baseUrl: string };
/** The time of each request. */
const times: number[] = [];

beforeAll(async () => {
	holdTime();
	sandbox = await LinkSandbox.start({
		rateLimit: { count: LIMIT, seconds: WINDOW_MS / 1000 },
		variant: 'wild',
		clock: { now: () => time.now },
	});
	const { origin, pathname } = new URL(sandbox.baseUrl);
	host = await FakeHost.inFrontOf(origin);
	host.respond = () => void times.push(time.now);
	account = { baseUrl: `${host.baseUrl}${pathname}` };
});
afterEach(() => {
	times.length = 0;
	host.requests.length = 0;
});

const create = {
	resource: 'shortLink',
	operation: 'create',
	url: '=https://example.com/{{ $json.name }}',
	additionalFields: { custom: '={{ $json.name }}' },
};
const names = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, n) => ({ name: `${prefix}-${n}` }));

it('creates 500 links with one request each', async () => {
	const run = await runNode(engine, account, create, names('bulk', 500));
	const created = records(run);
	expect(created.map(({ shortUrl }) => shortUrl)).toEqual(
		names('bulk', 500).map(({ name }) => `${sandbox.baseUrl}/s/${name}`),
	);
	expect(host.requests.map(({ reply }) => reply.status)).toEqual(Array(500).fill(200));
	expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual((500 / LIMIT - 2) * WINDOW_MS);

	const listed = records(
		await runNode(engine, account, { resource: 'shortLink', operation: 'getAll', returnAll: true }),
	);
	expect(new Set(listed.map(({ alias }) => alias)).size).toBe(500);
	expect(listed).toHaveLength(500);
});

it('shares the window among concurrent executions', async () => {
	const runs = await Promise.all(
		['a', 'b', 'c'].map((prefix) => runNode(engine, account, create, names(prefix, 40))),
	);
	expect(runs.flatMap((run) => records(run))).toHaveLength(120);
	expect(host.requests.map(({ reply }) => reply.status)).toEqual(Array(120).fill(200));
});
