/** Tests the Timeout for responses that never end, the Read Only setting, and the Scheme of the API key. */
import { records as linkRecords, runNode, type Account } from '../support/nodes/link-node';
import { FakeHost, type Reply } from '../support/hosts/fake-host';
import { oAuth2Credential, records, runReader, sessionCredential } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

const json = { 'content-type': 'application/json' };
const SHORT = { timeout: 1 };

let host: FakeHost;

beforeAll(async () => {
	// The first run loads the nodes, which may take longer than the short Timeout.
	await runNode(engine, { baseUrl: 'http://127.0.0.1:1' }, { resource: 'account', operation: 'get' });
});
beforeEach(async () => {
	host = await FakeHost.start();
});

const endless: Array<[string, Partial<Reply>]> = [
	['stalls before its first byte', { stallAfter: 0 }],
	['stalls after five bytes', { stallAfter: 5 }],
	['never ends', { dripMs: 20 }],
];

describe.each(endless)('a body that %s', (_, how) => {
	const account = () => ({ baseUrl: host.baseUrl, apiKey: 'key-of-this-test', ...SHORT });
	const create = { resource: 'campaign', operation: 'create', name: 'Spring' };
	const success: Reply = { status: 200, headers: json, body: '{"error":0,"id":7,"data":{"id":7}}' };

	it('is aborted after the Timeout, and the write is in doubt', async () => {
		host.respond = () => ({ ...success, ...how });
		const { error } = await runNode(engine, account(), create);
		expect(error?.message).toContain('no response in time');
		expect(error?.description).toContain('The service may have carried out the request.');
		expect(host.requests).toHaveLength(1);
	});

	it('does not block the next request of the account', async () => {
		let requests = 0;
		host.respond = () => ((requests += 1) === 1 ? { ...success, ...how } : success);
		const items = [{ name: 'one' }, { name: 'two' }];
		const run = await runNode(engine, account(), { ...create, name: '={{ $json.name }}' }, items, {
			onError: 'continueRegularOutput',
		});
		expect(run.json('Link Manager')).toEqual([
			expect.objectContaining({ error: expect.stringContaining('no response in time') as string }),
			expect.objectContaining({ id: 7 }),
		]);
	});

	it('does not cause a retry of a read', async () => {
		host.respond = () => ({ ...success, ...how });
		const { error } = await runNode(engine, account(), { resource: 'account', operation: 'get' });
		expect(error?.message).toContain('no response in time');
		expect(host.requests).toHaveLength(1);
	});
});

describe('the news reader', () => {
	const getFeeds = { resource: 'feed', operation: 'getAll', returnAll: true };
	const feeds: Reply = {
		status: 200,
		headers: json,
		body: JSON.stringify({ authenticated: true, feeds: { 1: { id: 1, feed_title: 'One' } } }),
	};
	const login: Reply = {
		status: 200,
		headers: { ...json, 'set-cookie': 'reader_sessionid=fresh-session' },
		body: '{"code":1,"authenticated":true}',
	};

	it.each(endless)('recovers from a login whose body %s', async (_, how) => {
		let logins = 0;
		host.respond = ({ path }) => {
			if (!path.endsWith('/api/login')) return feeds;
			return (logins += 1) === 1 ? { ...login, ...how } : login;
		};
		engine.credentials.setAll(sessionCredential(host.baseUrl, { sessionToken: '', ...SHORT }));
		const failed = await runReader(engine, getFeeds);
		expect(failed.error).toMatchObject({
			message: expect.stringContaining('The login to the news reader service does not work') as string,
			failure: { cause: 'temporarily-unavailable' },
		});
		expect(records(await runReader(engine, getFeeds))).toHaveLength(1);
	});

	it('aborts a stalled token request once for all waiting requests', async () => {
		host.respond = ({ path }) =>
			path.endsWith('/oauth/token') ? { ...login, stallAfter: 0 } : { status: 401 };
		const tokens = { access_token: 'expired-token', refresh_token: 'refresh-token' };
		engine.credentials.setAll(oAuth2Credential(host.baseUrl, tokens, SHORT));
		const started = performance.now();
		const run = await runReader(
			engine,
			{ resource: 'feed', operation: 'getAll', returnAll: true },
			Array.from({ length: 5 }, () => ({})),
			{ authentication: 'oAuth2', onError: 'continueRegularOutput' },
		);
		expect(run.json('News Reader')).toEqual(
			Array(5).fill(
				expect.objectContaining({ error: expect.stringContaining('no access token within 1 s') as string }),
			),
		);
		// n8n itself waits 300 s for the token endpoint.
		expect(performance.now() - started).toBeLessThan(100_000);
	});
});

it('accepts a Timeout that is longer than the maximum of a timer', async () => {
	host.respond = () => ({ status: 200, headers: json, body: '{"error":0,"data":{"id":7}}' });
	const account = { baseUrl: host.baseUrl, apiKey: 'key-of-this-test', timeout: 3_000_000 };
	const run = await runNode(engine, account, { resource: 'account', operation: 'get' });
	expect(linkRecords(run)).toEqual([expect.objectContaining({ id: 7 })]);
});

it.each([3_000_000, 2_147_483, 1.0005, 0.3])('logs in with a Timeout of %d s', async (timeout) => {
	const body = { authenticated: true, code: 1, feeds: { 1: { id: 1, feed_title: 'One' } } };
	host.respond = () => ({ headers: { 'set-cookie': 'reader_sessionid=fresh-session' }, body });
	engine.credentials.setAll(sessionCredential(host.baseUrl, { sessionToken: '', timeout }));
	const run = await runReader(engine, { resource: 'feed', operation: 'getAll', returnAll: true });
	expect(run.error).toBeUndefined();
	expect(records(run)).toHaveLength(1);
});

describe('a read-only credential', () => {
	const account = () => ({ baseUrl: host.baseUrl, apiKey: 'key-of-this-test', readOnly: true });

	it('allows reads', async () => {
		host.respond = () => ({ status: 200, headers: json, body: '{"error":0,"data":{"id":7}}' });
		const run = await runNode(engine, account(), { resource: 'account', operation: 'get' });
		expect(run.error).toBeUndefined();
	});

	it('refuses writes without a request', async () => {
		const run = await runNode(engine, account(), {
			resource: 'campaign',
			operation: 'create',
			name: 'Spring',
		});
		expect(run.error).toMatchObject({
			message: 'This credential is read-only',
			description: expect.stringContaining('Turn off Read Only') as string,
		});
		expect(host.requests).toEqual([]);
	});

	it('refuses the writes of its items only, if the setting is an expression', async () => {
		host.respond = () => ({ headers: json, body: '{"authenticated":true,"code":1}' });
		const readOnly = '={{ $json.readOnly }}';
		const sessionToken = 'reader_sessionid=session';
		engine.credentials.setAll(sessionCredential(host.baseUrl, { sessionToken, readOnly }));
		const run = await runReader(
			engine,
			{ resource: 'story', operation: 'markRead', storyHash: '={{ $json.hash }}' },
			[
				{ hash: '1:aaaaaa', readOnly: false },
				{ hash: '1:bbbbbb', readOnly: true },
			],
			{ onError: 'continueRegularOutput' },
		);
		expect(records(run)).toMatchObject([{ read: true }, { error: 'This credential is read-only' }]);
		expect(host.requests.map(({ body }) => body)).toEqual(['story_hash=1%3Aaaaaaa']);
	});
});

it.each<[NonNullable<Account['scheme']>, string, string]>([
	['Bearer', 'the-key', 'Bearer the-key'],
	['Token', ' Bearer the-key ', 'Token the-key'],
	['None', 'token the-key', 'the-key'],
])(
	'the Scheme %s sends %j as %j, with the package as the user agent',
	async (scheme, apiKey, authorization) => {
		host.respond = () => ({ status: 200, headers: json, body: '{"error":0,"data":{"id":7}}' });
		await runNode(
			engine,
			{ baseUrl: host.baseUrl, apiKey, scheme },
			{ resource: 'account', operation: 'get' },
		);
		expect(host.requests[0]?.headers).toMatchObject({
			authorization,
			'user-agent': expect.stringMatching(
				/^n8n-nodes-newslink\/\d+\.\d+\.\d+ \(\+https:\/\/github\.com\/[^ ]+\)$/,
			) as string,
		});
	},
);
