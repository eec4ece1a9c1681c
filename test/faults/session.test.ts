/** Sessions of the news reader that end, are refused or lead elsewhere, on n8n's engine against the local service. */
import type { Engine } from '../../engine/index.ts';
import {
	PASSWORD,
	byId,
	records,
	runReader,
	sessionCredential,
	startEngine,
} from '../support/nodes/reader-node';
import { controls } from '../support/clients/reader-client.ts';
import { FakeHost } from '../support/hosts/fake-host';
import { expiredSessionResponses, storedSession, ReaderSandbox } from '../support/hosts/reader-sandbox';
import { holdTime, releaseTime } from '../support/triggers/trigger-run';

const getFeeds = { resource: 'feed', operation: 'getAll', returnAll: true };
const getStories = { resource: 'story', operation: 'getAll', feedId: byId('={{ $json.feed }}'), limit: 1 };
const markRead = { resource: 'story', operation: 'markRead', storyHash: '={{ $json.hash }}' };

let engine: Engine;

beforeAll(async () => {
	engine = await startEngine();
});
afterEach(releaseTime);

describe.each(expiredSessionResponses)('a session whose end shows as %s', (_, options) => {
	let reader: ReaderSandbox;
	/** What the account calls its feeds. */
	let titles: string[];

	beforeAll(async () => {
		reader = await ReaderSandbox.start(options);
		// The demo account reads three of the feeds; the account renames its own to distinguish them.
		const me = await reader.logIn();
		const ids = Object.keys((await me.get('/reader/feeds')).body.feeds);
		for (const id of ids) {
			await me.post('/reader/rename_feed', { feed_id: id, feed_title: `Mine ${id}` });
		}
		titles = ids.map((id) => `Mine ${id}`);
	});
	afterAll(() => reader.stop());

	beforeEach(async () => {
		await reader.changeAddress();
		await reader.client.control(controls.settings, { cookie_name: 'reader_sessionid' });
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
	});

	const expectMine = (feeds: ReturnType<typeof records>) =>
		expect(feeds.map(({ title }) => title).sort()).toEqual([...titles].sort());

	it('begins with a login, which n8n stores and later runs use', async () => {
		expectMine(records(await runReader(engine, getFeeds)));
		expect(reader.logins).toBe(1);
		const session = storedSession(engine);
		expect(session).toEqual(expect.stringMatching(/^reader_sessionid=[\w-]{16,}$/));
		expect(reader.host.requestsTo('/reader/feeds')[0]?.headers.cookie).toBe(String(session));
		expectMine(records(await runReader(engine, getFeeds)));
		expect(reader.logins).toBe(1);
	});

	it('is renewed by one login, and the request is repeated once', async () => {
		await runReader(engine, getFeeds);
		const dead = storedSession(engine);
		await reader.revokeSessions();
		expectMine(records(await runReader(engine, getFeeds)));
		expect(reader.logins).toBe(2);
		expect(reader.host.requestsTo('/reader/feeds')).toHaveLength(3);
		expect(storedSession(engine)).not.toBe(dead);
	});

	it('is renewed by one login for ten items at once', async () => {
		await runReader(engine, getFeeds);
		await reader.revokeSessions();
		reader.host.reset();
		const inputs = Array.from({ length: 10 }, (_each, n) => ({ feed: n + 1 }));
		const result = await runReader(engine, { ...getStories, options: { concurrency: 10 } }, inputs);
		expect(records(result).map(({ feedId }) => feedId)).toEqual(inputs.map(({ feed }) => feed));
		expect(reader.logins).toBe(1);
		const requested = inputs.map(({ feed }) => reader.host.requestsTo(`/reader/feed/${feed}`).length);
		expect(requested.every((times) => times <= 2)).toBe(true);
	});

	it('ends in the middle of a run of a thousand items: nothing lost, nothing twice, nothing of the demo account', async () => {
		// The service returns at most 500 unread stories of a feed.
		const FEEDS = [7, 8, 9, 10];
		const unread = async () => (await Promise.all(FEEDS.map((id) => reader.unreadHashes(id)))).flat();
		const before = await unread();
		for (const feed_id of FEEDS) await reader.client.control(controls.bulk, { feed_id, count: 250 });
		const hashes = (await unread()).filter((hash) => !before.includes(hash));
		expect(hashes).toHaveLength(1000);
		let calls = 0;
		reader.host.respond = async ({ path }) => {
			if (!path.endsWith('/mark_story_hashes_as_read')) return undefined;
			calls += 1;
			if (calls % 4 === 0) await reader.revokeSessions();
			return undefined;
		};
		const result = await runReader(
			engine,
			{ ...markRead, options: { batchSize: 100 } },
			hashes.map((hash) => ({ hash })),
		);
		expect(records(result).map(({ hash, read }) => [hash, read])).toEqual(hashes.map((hash) => [hash, true]));
		expect(reader.logins).toBeGreaterThan(1);
		const done = reader.host
			.requestsTo('/mark_story_hashes_as_read')
			.filter(({ reply }) => reply.status === 200 && !reply.body.includes('"authenticated":false'));
		const marked = done.flatMap(({ body: form }) => new URLSearchParams(form).getAll('story_hash'));
		expect(marked.sort()).toEqual([...hashes].sort());
		expect((await unread()).sort()).toEqual(before.sort());
	});

	it('is refused with the service’s words, and tried once for ten items', async () => {
		engine.credentials.setAll(sessionCredential(reader.baseUrl, { password: 'not-the-password' }));
		const inputs = Array.from({ length: 10 }, (_each, n) => ({ feed: n + 1 }));
		const result = await runReader(engine, getStories, inputs, { onError: 'continueRegularOutput' });
		expect(result.json('News Reader')).toEqual(
			inputs.map(() => ({
				error: expect.stringMatching(
					/^The login to the news reader service failed: .*wrong password/i,
				) as string,
				details: expect.stringContaining('Check the credential') as string,
			})),
		);
		expect(reader.logins).toBe(1);
		expect(reader.host.requests).toHaveLength(1);
		expect(JSON.stringify(result.runData)).not.toContain('not-the-password');
	});

	it.each([429, 503])(
		'is not reported as refused if the service cannot log in anybody (%i)',
		async (status) => {
			holdTime();
			let left = Infinity;
			reader.host.respond = ({ path }) =>
				path.endsWith('/api/login') && left-- > 0 ? { status, body: 'Not now' } : undefined;
			const result = await runReader(engine, markRead, [{ hash: '1:aaaaaa' }]);
			expect(result.error).toMatchObject({
				message: expect.stringContaining(
					'The login to the news reader service does not work at the moment',
				) as string,
				description: expect.not.stringContaining('Check there before you run this item again') as string,
			});
			expect(reader.host.requestsTo('/mark_story_hashes_as_read')).toEqual([]);
			left = 1;
			expectMine(records(await runReader(engine, getFeeds)));
		},
	);

	it('is stored in all cookies that the login sets, as in a browser', async () => {
		await reader.client.control(controls.settings, { cookie_name: 'other_sessionid' });
		reader.host.respond = async ({ path }, passOn) => {
			if (!path.endsWith('/api/login')) return undefined;
			const login = await passOn();
			const more = ['affinity=a0; Path=/', 'affinity=a1; Path=/', 'old=gone; Max-Age=0', 'empty=; Path=/'];
			const cookies = [login.headers?.['set-cookie'] ?? [], more].flat();
			return { ...login, headers: { ...login.headers, 'set-cookie': cookies } };
		};
		expectMine(records(await runReader(engine, getFeeds)));
		expect(storedSession(engine)).toMatch(/^other_sessionid=[\w-]+; affinity=a1$/);
	});

	it('is asked for anew with the bare token that version 0.1 stored', async () => {
		engine.credentials.setAll(
			sessionCredential(reader.baseUrl, { cookieName: 'reader_sessionid', sessionToken: 'of-version-0-1' }),
		);
		expectMine(records(await runReader(engine, getFeeds)));
		expect(reader.logins).toBe(1);
	});

	it('says so when a login goes well but sets no cookie', async () => {
		reader.host.respond = ({ path }) =>
			path.endsWith('/api/login')
				? {
						status: 200,
						headers: { 'content-type': 'application/json' },
						body: '{"code":1,"authenticated":true}',
					}
				: undefined;
		const result = await runReader(engine, getFeeds);
		expect(result.error?.message).toContain('the service set no session cookie');
		expect(reader.logins).toBe(1);
	});

	it('is not taken for good when the service does not know the cookie after the login', async () => {
		reader.host.respond = ({ path }) =>
			path.endsWith('/api/login')
				? {
						status: 200,
						headers: {
							'content-type': 'application/json',
							'set-cookie': 'reader_sessionid=of-nobody; Path=/',
						},
						body: '{"code":1,"errors":null,"result":"ok","authenticated":true,"user_id":1}',
					}
				: undefined;
		const result = await runReader(engine, getFeeds, [{}, {}], { onError: 'continueRegularOutput' });
		expect(result.json('News Reader')).toEqual(
			[0, 1].map(() => ({
				error: expect.stringContaining(
					'does not accept the session for /reader/feeds, though the login worked',
				) as string,
				details: expect.stringContaining('Check the Base URL') as string,
			})),
		);
		expect(reader.logins).toBe(1);
	});
});

describe('secrets of a session', () => {
	let reader: ReaderSandbox;
	let other: FakeHost;

	beforeAll(async () => {
		reader = await ReaderSandbox.start();
		other = await FakeHost.start();
	});
	afterAll(async () => {
		await reader.stop();
		await other.stop();
	});
	beforeEach(async () => {
		await reader.changeAddress();
		other.reset();
		other.respond = () => ({
			status: 200,
			headers: { 'content-type': 'application/json' },
			body: '{"authenticated":true}',
		});
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
	});

	it('travel in the body of the login and the cookie only', async () => {
		await runReader(engine, getFeeds);
		for (const { url, headers, path } of reader.host.requests) {
			expect(url).not.toContain(PASSWORD);
			expect(JSON.stringify(headers)).not.toContain(PASSWORD);
			expect(path).not.toContain(String(storedSession(engine)));
		}
	});

	it.each([302, 307, 308])('do not follow a redirect (%i) of the login to another host', async (status) => {
		reader.host.respond = ({ path }) =>
			path.endsWith('/api/login')
				? { status, headers: { location: `${other.baseUrl}/api/login` } }
				: undefined;
		const result = await runReader(engine, getFeeds);
		expect(result.error).toMatchObject({
			message: expect.stringContaining('redirects from this Base URL') as string,
		});
		expect(other.requests).toEqual([]);
	});

	it.each([301, 302, 307])('do not follow a redirect (%i) of a call to another host', async (status) => {
		reader.host.respond = ({ path }) =>
			path.endsWith('/reader/feeds')
				? { status, headers: { location: `${other.baseUrl}/reader/feeds` } }
				: undefined;
		const result = await runReader(engine, getFeeds);
		expect(result.error).toMatchObject({
			message: `The service redirects to another address: ${other.baseUrl}`,
		});
		expect(other.requests).toEqual([]);
	});

	it('are masked where the service repeats them', async () => {
		const echo = (body: string) => ({ status: 200, headers: { 'content-type': 'application/json' }, body });
		reader.host.respond = ({ path, headers }) =>
			path.endsWith('/reader/feeds')
				? echo(JSON.stringify({ code: -1, message: `No ${headers.cookie}, ${PASSWORD}` }))
				: undefined;
		const result = await runReader(engine, getFeeds);
		const session = String(storedSession(engine));
		expect(session.length).toBeGreaterThan(10);
		expect(result.error?.message).toBe('No reader_sessionid=***, ***');
		const written = JSON.stringify([result.runData, result.error]) + String(result.error?.stack);
		expect(written).not.toContain(session);
		expect(written).not.toContain(PASSWORD);
	});

	it('are masked in the service’s message about a refused login', async () => {
		reader.host.respond = () => ({
			status: 200,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ code: -1, errors: { __all__: [`${PASSWORD} is wrong`] }, authenticated: false }),
		});
		const result = await runReader(engine, getFeeds);
		expect(result.error?.message).toContain('*** is wrong');
		expect(JSON.stringify([result.runData, result.error])).not.toContain(PASSWORD);
	});
});

describe('reads of another account’s data', () => {
	let reader: ReaderSandbox;

	beforeAll(async () => {
		reader = await ReaderSandbox.start({ variant: 'wild' });
		await reader.client.control(controls.settings, { cookie_name: 'reader_sessionid' });
	});
	afterAll(() => reader.stop());
	beforeEach(async () => {
		await reader.changeAddress();
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
	});

	it('never come out of a run in which the session ends again and again', async () => {
		const TOTAL = 400;
		let calls = 0;
		reader.host.respond = async ({ path }) => {
			if (path.includes('/reader/feed/') && ++calls % 120 === 0) await reader.revokeSessions();
			return undefined;
		};
		const inputs = Array.from({ length: TOTAL }, (_each, n) => ({ feed: (n % 3) + 1 }));
		const parameters = { ...getStories, storyContent: 'none', options: { concurrency: 5 } };
		const result = await runReader(engine, parameters, inputs);
		expect(result.json('After').map(({ feedId, from: item }) => [feedId, item])).toEqual(
			inputs.map(({ feed }, n) => [feed, `item ${n}`]),
		);
		const foreign = reader.host.requests.filter(({ reply }) => reply.body.includes('"authenticated":false'));
		expect(foreign.length).toBeGreaterThan(0);
		expect(reader.logins).toBeGreaterThanOrEqual(3);
		expect(reader.logins).toBeLessThanOrEqual(5);
	});
});
