/** Tests access tokens of the news reader that expire or are refused, against the sandbox. */
import { byId, oAuth2Credential, records, runReader, type Tokens } from '../support/nodes/reader-node';
import { captureLogs } from '../support/nodes/logs';
import { holdTime, TriggerRun } from '../support/triggers/trigger-run';
import { expiredSessionResponses, storedTokens, ReaderSandbox } from '../support/hosts/reader-sandbox';
import { engine } from '../support/nodes/suite-engine';

const getFeeds = { resource: 'feed', operation: 'getAll', returnAll: true };
const getStories = { resource: 'story', operation: 'getAll', feedId: byId('={{ $json.feed }}'), limit: 1 };

const logged = captureLogs();

const run = async (parameters: object, inputs: object[] = [{}], options: object = {}) =>
	await runReader(engine, parameters, inputs, { authentication: 'oAuth2', ...options });

describe.each(expiredSessionResponses)('an expired token that causes %s', (_, options) => {
	let reader: ReaderSandbox;
	let tokens: Tokens;

	beforeAll(async () => {
		reader = await ReaderSandbox.start(options);
	});
	beforeEach(async () => {
		await reader.changeAddress();
		tokens = await reader.connect();
		engine.credentials.setAll(oAuth2Credential(reader.baseUrl, tokens));
	});

	it('authenticates requests before it expires, without a login', async () => {
		expect(records(await run(getFeeds))).toHaveLength(10);
		expect(reader.host.requests.map(({ headers }) => headers.authorization)).toEqual([
			`Bearer ${tokens.access_token}`,
		]);
		expect(reader.host.requests[0]?.headers.cookie).toBeUndefined();
	});

	it('is refreshed once, and the new refresh token is stored', async () => {
		await reader.expireTokens();
		expect(records(await run(getFeeds))).toHaveLength(10);
		expect(reader.refreshes).toBe(1);
		const stored = storedTokens(engine);
		expect(stored.access_token).not.toBe(tokens.access_token);
		expect(stored.refresh_token).toEqual(expect.any(String));
		expect(stored.refresh_token).not.toBe(tokens.refresh_token);
		await reader.expireTokens();
		expect(records(await run(getFeeds))).toHaveLength(10);
		expect(reader.refreshes).toBe(2);
	});

	it('is refreshed once for ten concurrent items', async () => {
		await reader.expireTokens();
		const inputs = Array.from({ length: 10 }, (_each, n) => ({ feed: n + 1 }));
		const result = await run({ ...getStories, options: { concurrency: 10 } }, inputs);
		expect(records(result).map(({ feedId }) => feedId)).toEqual(inputs.map(({ feed }) => feed));
		expect(reader.refreshes).toBe(1);
	});

	it('that another process refreshes at the same time is replaced by the token of that process', async () => {
		await reader.expireTokens();
		const others = await reader.connect();
		reader.host.respond = ({ path }) => {
			if (!path.endsWith('/oauth/token')) return undefined;
			engine.credentials.setAll(oAuth2Credential(reader.baseUrl, others));
			return { status: 400, body: { error: 'invalid_grant' } };
		};
		expect(records(await run(getFeeds))).toHaveLength(10);
		expect(storedTokens(engine)).toMatchObject(others);
	});

	it('is refreshed during a run whose changes are still made one after the other', async () => {
		await reader.expireTokens();
		let changing = 0;
		let most = 0;
		reader.host.respond = async ({ path }, pass) => {
			if (!path.endsWith('/add_folder')) return undefined;
			most = Math.max(most, (changing += 1));
			const reply = await pass();
			// Long enough for another item to send its request.
			for (let turns = 0; turns < 100; turns += 1) await new Promise((resolve) => setImmediate(resolve));
			changing -= 1;
			return reply;
		};
		const create = { resource: 'folder', operation: 'create', folderName: '={{ $json.key }}' };
		const inputs = Array.from({ length: 8 }, () => ({}));
		expect(records(await run(create, inputs))).toHaveLength(8);
		expect([reader.refreshes, most]).toEqual([1, 1]);
	});

	it.each([503, 502, 429, 'drop'] as const)(
		'does not fail an activation if the refresh fails temporarily (%s): the next poll starts the trigger',
		async (how) => {
			holdTime();
			const trigger = (): TriggerRun =>
				new TriggerRun(
					engine,
					{
						name: `Trigger ${reader.baseUrl} ${how}`,
						type: 'n8n-nodes-newslink.newsReaderTrigger',
						parameters: { authentication: 'oAuth2', event: 'newSavedStory', firstPoll: 'everything' },
						credentials: { newsReaderOAuth2Api: { id: 'oAuth2', name: 'oAuth2' } },
					},
					oAuth2Credential(reader.baseUrl, tokens),
				);
			await reader.expireTokens();
			const response = how === 'drop' ? how : { status: how };
			reader.host.respond = ({ path }) => (path.endsWith('/oauth/token') ? response : undefined);
			const run = trigger();
			expect(await run.activate()).toEqual([]);
			expect(run.inDatabase).toEqual({});
			expect(logged.flat()).toContainEqual(
				expect.stringContaining(
					'could not poll yet: The login to the news reader service does not work',
				) as string,
			);
			reader.host.respond = () => undefined;
			expect(await run.poll()).not.toEqual([]);
		},
	);

	it('is reported after one attempt if it can’t be refreshed', async () => {
		await reader.expireTokens();
		const invalid = { ...tokens, refresh_token: 'not-a-refresh-token' };
		engine.credentials.setAll(oAuth2Credential(reader.baseUrl, invalid));
		const inputs = Array.from({ length: 10 }, (_each, n) => ({ feed: (n % 3) + 1 }));
		const result = await run(getStories, inputs, { onError: 'continueRegularOutput' });
		expect(result.json('News Reader')).toEqual(
			inputs.map(() => ({
				error: expect.stringContaining('The login to the news reader service failed') as string,
				details: expect.stringContaining('client ID and secret, or reconnect') as string,
			})),
		);
		expect(reader.refreshes).toBe(1);
		const output = JSON.stringify(result.runData);
		for (const secret of [tokens.access_token, 'not-a-refresh-token', 'sandbox-secret']) {
			expect(output).not.toContain(secret);
		}
	});
});

describe('an access token', () => {
	let reader: ReaderSandbox;

	beforeAll(async () => {
		reader = await ReaderSandbox.start();
	});
	beforeEach(() => reader.changeAddress());

	it('is masked if the service repeats it, also after a refresh', async () => {
		engine.credentials.setAll(oAuth2Credential(reader.baseUrl, await reader.connect()));
		await reader.expireTokens();
		let calls = 0;
		reader.host.respond = ({ path, headers }) =>
			path.endsWith('/reader/feeds') && ++calls > 1
				? { status: 200, body: JSON.stringify({ code: -1, message: `No ${headers.authorization}` }) }
				: undefined;
		const result = await run(getFeeds);
		expect(result.error?.message).toContain('“No Bearer ***”');
		expect(JSON.stringify([result.runData, result.error])).not.toContain(storedTokens(engine).access_token);
	});

	it('is required: an unconnected account is reported', async () => {
		engine.credentials.setAll(oAuth2Credential(reader.baseUrl));
		const result = await run(getFeeds);
		expect(result.error?.message).toMatch(/not connected|The login to the news reader service failed/);
		expect(reader.host.requests).toEqual([]);
	});

	it('of another user gets none of the counts that were kept for the former user', async () => {
		reader.host.respond = ({ headers }) => {
			const nt = headers.authorization === 'Bearer of-ada' ? 1 : 2;
			return { status: 200, body: JSON.stringify({ feeds: { 7: { id: 7, ps: 0, nt, ng: 0 } } }) };
		};
		const unreadAs = async (access_token: string) => {
			const tokens = { access_token, refresh_token: 'refresh' };
			engine.credentials.setAll(oAuth2Credential(reader.baseUrl, tokens));
			const parameters = { resource: 'feed', operation: 'refreshCounts', withinMinute: 'last' };
			return records(await run(parameters)).map(({ unread }) => unread);
		};
		expect(await unreadAs('of-ada')).toEqual([1]);
		expect(await unreadAs('of-bea')).toEqual([2]);
		expect(await unreadAs('of-ada')).toEqual([1]);
		expect(reader.host.requests).toHaveLength(2);
	});

	it('of another user lets all triggers start over, also one whose response another one has requested', async () => {
		holdTime();
		reader.host.respond = ({ headers }) => {
			const [id, nt] = headers.authorization === 'Bearer of-ada' ? [1, 1] : [2, 9];
			const feeds = { 7: { id: 7, ps: 0, nt, ng: 0 } };
			return { status: 200, body: JSON.stringify({ authenticated: true, user_id: id, feeds }) };
		};
		const as = (access_token: string) =>
			oAuth2Credential(reader.baseUrl, { access_token, refresh_token: 'refresh' });
		const [first, second] = ['First', 'Second'].map((name) => {
			const parameters = { authentication: 'oAuth2', event: 'unreadCountReached', threshold: 5 };
			const type = 'n8n-nodes-newslink.newsReaderTrigger';
			const credentials = { newsReaderOAuth2Api: { id: 'oAuth2', name: 'oAuth2' } };
			return new TriggerRun(engine, { name, type, parameters, credentials }, as('of-ada'));
		});
		for (const trigger of [first!, second!]) expect(await trigger.activate()).toEqual([]);
		for (const trigger of [first!, second!])
			expect(await trigger.withCredentials(as('of-bea')).activate()).toEqual([]);
		expect(reader.host.requests).toHaveLength(2);
	});

	it('of another user gets none of the items that a restart would repeat', async () => {
		holdTime();
		let entries: object[] = [];
		reader.host.respond = ({ headers }) => {
			const user_id = headers.authorization === 'Bearer of-ada' ? 1 : 2;
			return { status: 200, body: JSON.stringify({ authenticated: true, user_id, activities: entries }) };
		};
		const as = (access_token: string) =>
			oAuth2Credential(reader.baseUrl, { access_token, refresh_token: 'refresh' });
		const node = {
			name: 'Trigger',
			type: 'n8n-nodes-newslink.newsReaderTrigger',
			parameters: { authentication: 'oAuth2', event: 'newActivity' },
			credentials: { newsReaderOAuth2Api: { id: 'oAuth2', name: 'oAuth2' } },
		};
		const trigger = new TriggerRun(engine, node, as('of-ada'));
		await trigger.activate();
		entries = [{ category: 'star', content: 'Of Ada', date: '2026-11-28 01:00:00', user_id: 1 }];
		expect(await trigger.poll()).toMatchObject([{ content: 'Of Ada' }]);
		trigger.restart();
		expect(await trigger.withCredentials(as('of-bea')).activate()).toEqual([]);
	});
});
