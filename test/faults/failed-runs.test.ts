/** Tests that failures never cause writes that the user did not request, and are reported for the right items. */
import type { NodeJson } from '../../engine/index.ts';
import { credentialsFor, linkManager, runNode } from '../support/nodes/link-node';
import { byId, runBetween } from '../support/nodes/node';
import { runReader, SESSION, sessionCredential } from '../support/nodes/reader-node';
import { makeFast } from '../support/clock';
import { clock } from '../support/nodes/built';
import { FakeHost, type HostRequest, type Reply } from '../support/hosts/fake-host';
import { engine } from '../support/nodes/suite-engine';

let fast: ReturnType<typeof makeFast>;
let host: FakeHost;

const success = { code: 1, result: 'ok', authenticated: true, user_id: 7, error: 0, id: 7 };
beforeEach(async () => {
	fast = makeFast(clock);
	host = await FakeHost.start(() => ({ body: success }));
	engine.credentials.setAll(sessionCredential(host.baseUrl, { sessionToken: SESSION }));
});
afterEach(() => fast.restore());

const writes = (): HostRequest[] => host.requests.filter(({ method }) => method !== 'GET');

describe('a batch with Continue', () => {
	const markRead = { resource: 'story', operation: 'markRead', storyHash: '={{ $json.hash }}' };
	const inputs = [1, 2, 3].map((n) => ({ hash: `42:a1b2c${n}` }));

	it.each<NodeJson['onError']>(['continueRegularOutput', 'continueErrorOutput'])(
		'fails only the item whose credential cannot be read (%s)',
		async (onError) => {
			const baseUrl = `={{ $json.hash.endsWith('2') ? $('Nowhere').first().json.x : '${host.baseUrl}' }}`;
			const session = sessionCredential(host.baseUrl, { sessionToken: SESSION }).session!;
			const credentials = { session: { ...session, data: { ...session.data, baseUrl } } };
			const run = await runReader(engine, markRead, inputs, { onError, credentials });
			expect(run.error).toBeUndefined();
			const outputs = [0, 1].flatMap((output) => run.items('News Reader', output));
			const failed = outputs
				.filter(({ json }) => 'error' in json)
				.map(({ pairedItem }) => Object(pairedItem).item);
			expect(failed).toEqual([1]);
			expect(outputs).toHaveLength(3);
			expect(writes().map(({ body }) => body)).toEqual(['story_hash=42%3Aa1b2c1&story_hash=42%3Aa1b2c3']);
		},
	);

	it('reports an invalid option for every item', async () => {
		const parameters = { ...markRead, options: { batchSize: 'many' } };
		const run = await runReader(engine, parameters, inputs, { onError: 'continueRegularOutput' });
		expect(run.json('News Reader')).toEqual(
			inputs.map(
				() => expect.objectContaining({ error: 'Batch Size "many" is not a whole number' }) as object,
			),
		);
		expect(host.requests).toEqual([]);
	});
});

it.each([
	['shortLink', 'delete', '', true],
	['shortLink', 'get', '', false],
	['apiRequest', 'send', 'POST', true],
	['apiRequest', 'send', '={{ "GET" }}', true],
	['apiRequest', 'send', 'GET', false],
])('says whether earlier tries of Retry On Fail may have done more: %s.%s %s', async (...of) => {
	const [resource, operation, apiMethod, expected] = of;
	const words = 'Earlier tries of Retry On Fail may have done more.';
	const hint: unknown = expected ? expect.stringContaining(words) : expect.not.stringContaining(words);
	const custom = { apiPath: byId('/api/account'), apiMethod };
	const send = { resource, operation, ...(apiMethod ? custom : { linkId: byId(7) }) };
	const node = linkManager(send, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });
	const credentials = credentialsFor({ baseUrl: 'http://127.0.0.1:1' });
	const stopped = await runBetween(engine, node, [{}], { credentials });
	expect(stopped.error).toMatchObject({ description: hint });
	const continued = await runBetween(engine, node, [{}], { credentials, onError: 'continueRegularOutput' });
	expect(continued.json('Link Manager')).toEqual([expect.objectContaining({ details: hint })]);
});

it('reports the stage of each item when a run stops', async () => {
	host.respond = ({ body }): Reply =>
		body.includes('/2')
			? { status: 502, body: '<html>' }
			: { body: { ...success, shorturl: 'https://l.test/a' } };
	const create = {
		resource: 'shortLink',
		operation: 'create',
		url: '=https://example.com/{{ $json.n }}',
	};
	const { error } = await runNode(
		engine,
		host,
		create,
		[1, 2, 3].map((n) => ({ n })),
	);
	expect(error?.description).toMatch(/ Item 0 was done\. Item 1 is in doubt\. Item 2 was not begun\.$/);
});

it.each([
	['requests of their own', { resource: 'user', operation: 'mute', userId: byId('={{ $json.n }}') }],
	[
		'joined requests',
		{ resource: 'story', operation: 'markRead', storyHash: '=42:{{ $json.n }}', options: { batchSize: 1 } },
	],
])('sends no write of the reader after one that stops the run: %s', async (_, write) => {
	host.respond = ({ body }): Reply =>
		/2$/.test(body) ? { body: { ...success, code: -1, message: 'no' } } : { body: success };
	const { error } = await runReader(
		engine,
		write,
		[1, 2, 3, 4].map((n) => ({ n })),
	);
	expect(writes()).toHaveLength(2);
	expect(error?.description).toMatch(/ Item 0 was done\. Item 1 was not done\. Items 2, 3 were not begun\.$/);
});

it('says that the item created nothing, not the run, if its record exists', async () => {
	const campaigns = [{ id: 1, name: 'a' }];
	host.respond = ({ method }) =>
		method === 'GET' ? { body: { error: 0, data: { maxpage: 1, campaigns } } } : { body: success };
	const create = { resource: 'campaign', operation: 'create', name: '={{ $json.name }}', ifExists: 'fail' };
	const { error } = await runNode(
		engine,
		host,
		create,
		['b', 'a', 'c', 'd'].map((name) => ({ name })),
	);
	expect(writes()).toHaveLength(1);
	expect(error?.description).toBe(
		'This item created nothing. Set If Exists to Create Another or Return Existing. Item 0 was done. Item 1 was not done. Items 2, 3 were not begun.',
	);
});

it('searches again after a lost response, before it creates another record with the same name', async () => {
	const created: object[] = [];
	host.respond = ({ method }) => {
		if (method === 'GET') return { body: { error: 0, data: { maxpage: 1, campaigns: created } } };
		created.push({ id: 7 + created.length, name: 'Spring' });
		return 'drop';
	};
	const create = {
		resource: 'campaign',
		operation: 'create',
		name: 'Spring',
		ifExists: 'return',
	};
	const run = await runNode(engine, host, create, [{}, {}, {}], { onError: 'continueRegularOutput' });
	expect(created).toHaveLength(1);
	expect(run.json('Link Manager').map(({ id, existed }) => [id, existed])).toEqual([
		[undefined, undefined],
		[7, true],
		[7, true],
	]);
});

describe('marking as read', () => {
	const feeds = { whichFeeds: 'feeds', feedIds: [42] };
	const cutoff = (cutoffDate: unknown) => ({ ...feeds, whichStories: 'older', cutoffDate });
	const EMPTY_EXPRESSION = '={{ $json.nothing }}';

	it.each<[string, string, object]>([
		['an undefined Cutoff Date', 'markRead', cutoff(EMPTY_EXPRESSION)],
		['undefined Which Stories', 'markRead', { ...cutoff(1788265800), whichStories: EMPTY_EXPRESSION }],
		['undefined Days', 'markAllRead', { days: EMPTY_EXPRESSION }],
		...['story 7', '100%', '2026-02-30', '7', '2026', 'tomorrow', '3 Feb 2026', '9'.repeat(20), 1e300].map(
			(date): [string, string, object] => [`the date ${date}`, 'markRead', cutoff(date)],
		),
		['undefined Which Feeds', 'markRead', { ...feeds, folder: byId('Tech'), whichFeeds: EMPTY_EXPRESSION }],
	])('marks nothing with %s', async (_, operation, parameters) => {
		const run = await runReader(engine, { resource: 'feed', operation, ...parameters });
		expect(run.error?.message).toMatch(
			/^(?:Cutoff Date|Which Stories|Keep Unread \(Days\)|Which Feeds|Feeds) /,
		);
		expect(writes()).toEqual([]);
	});

	it('does not send feeds one by one after an unreadable response', async () => {
		host.respond = ({ method }) => ({ body: method === 'GET' ? { ...success, feeds: {} } : '' });
		const several = { whichFeeds: 'feeds', feedIds: [42, 43] };
		const run = await runReader(engine, { resource: 'feed', operation: 'markRead', ...several });
		expect(writes()).toHaveLength(1);
		expect(run.error?.description).toMatch(/^The service may have carried out the request/);
	});

	it('has no default for Which Feeds: n8n refuses to run the workflow', async () => {
		const markRead = { resource: 'feed', operation: 'markRead' };
		await expect(runReader(engine, markRead)).rejects.toThrow('has issues');
		expect(host.requests).toEqual([]);
	});
});
