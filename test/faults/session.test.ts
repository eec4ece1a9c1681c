/** Tests sessions of the news reader: login, renewal, refusal and masking of secrets, against the sandbox. */
import { PASSWORD, byId, records, runReader, sessionCredential } from '../support/nodes/reader-node';
import { controls } from '../support/clients/reader-client.ts';
import { FakeHost } from '../support/hosts/fake-host';
import { expiredSessionResponses, storedSession, ReaderSandbox } from '../support/hosts/reader-sandbox';
import {} from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

const getFeeds = { resource: 'feed', operation: 'getAll', returnAll: true };
const getStories = { resource: 'story', operation: 'getAll', feedId: byId('={{ $json.feed }}'), limit: 1 };
const markRead = { resource: 'story', operation: 'markRead', storyHash: '={{ $json.hash }}' };

describe.each(expiredSessionResponses)('a session whose expiry causes %s', (_, options) => {
	let reader: ReaderSandbox;
	/** The account's titles of its feeds. */
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

	beforeEach(async () => {
		await reader.changeAddress();
		await reader.client.control(controls.settings, { cookie_name: 'reader_sessionid' });
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
	});

	const expectOwnFeeds = (feeds: ReturnType<typeof records>) =>
		expect(feeds.map(({ title }) => title).sort()).toEqual([...titles].sort());

	it('is created by a login, stored by n8n, and reused by later runs', async () => {
		expectOwnFeeds(records(await runReader(engine, getFeeds)));
		expect(reader.logins).toBe(1);
		const session = storedSession(engine);
		expect(session).toEqual(expect.stringMatching(/^reader_sessionid=[\w-]{16,}$/));
		expect(reader.host.requestsTo('/reader/feeds')[0]?.headers.cookie).toBe(String(session));
		expectOwnFeeds(records(await runReader(engine, getFeeds)));
		expect(reader.logins).toBe(1);
	});

	it('is renewed by one login, and the request is retried once', async () => {
		await runReader(engine, getFeeds);
		const expired = storedSession(engine);
		await reader.revokeSessions();
		expectOwnFeeds(records(await runReader(engine, getFeeds)));
		expect(reader.logins).toBe(2);
		expect(reader.host.requestsTo('/reader/feeds')).toHaveLength(3);
		expect(storedSession(engine)).not.toBe(expired);
	});

	it('is not replaced by that of another account, for which the request was not meant', async () => {
		await runReader(engine, getFeeds);
		reader.host.respond = async ({ path }) => {
			if (!path.endsWith('/reader/rename_feed')) return undefined;
			await reader.revokeSessions();
			engine.credentials.setAll(sessionCredential(reader.baseUrl, { username: 'friend' }));
			return undefined;
		};
		const rename = { resource: 'feed', operation: 'rename', feedId: byId('1'), feedTitle: 'Mine 1' };
		const { error } = await runReader(engine, rename);
		expect(error?.message).toContain('The credential was changed to another account meanwhile');
		expect(reader.host.requestsTo('/reader/rename_feed')).toHaveLength(1);
		expect(reader.logins).toBe(1);
	});

	it('is renewed by one login for ten concurrent items', async () => {
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

	it('can expire during a run of a thousand items: each story is marked once, and no data is the demo account’s', async () => {
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

	it('is refused with the service’s message, after one login for ten items', async () => {
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

	it('contains all cookies that the login sets, as in a browser', async () => {
		await reader.client.control(controls.settings, { cookie_name: 'other_sessionid' });
		reader.host.respond = async ({ path }, passOn) => {
			if (!path.endsWith('/api/login')) return undefined;
			const login = await passOn();
			const more = ['affinity=a0; Path=/', 'affinity=a1; Path=/', 'empty=; Path=/'];
			const cookies = [login.headers?.['set-cookie'] ?? [], more].flat();
			return { ...login, headers: { ...login.headers, 'set-cookie': cookies } };
		};
		expectOwnFeeds(records(await runReader(engine, getFeeds)));
		expect(storedSession(engine)).toMatch(/^other_sessionid=[\w-]+; affinity=a1$/);
	});

	it('is reported as missing if a successful login sets no cookie', async () => {
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

	it('is reported as not accepted if the service does not accept the cookie of the login', async () => {
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
				error: 'The news reader service does not accept the session, though the login worked',
				details: expect.stringContaining('Check the Base URL') as string,
			})),
		);
		// Another operation shares the failure, but not the request that met it.
		const marked = await runReader(engine, markRead, [{ hash: '1:abcdef' }]);
		expect(JSON.stringify(marked.error)).toContain('does not accept the session');
		expect(JSON.stringify(marked.error)).not.toMatch(/many feeds|reader\/feeds/);
		expect(reader.logins).toBe(1);
	});
});

describe('the secrets of a session', () => {
	let reader: ReaderSandbox;
	let other: FakeHost;

	beforeAll(async () => {
		reader = await ReaderSandbox.start();
		other = await FakeHost.start();
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

	it('are sent only in the body of the login and in the cookie', async () => {
		await runReader(engine, getFeeds);
		for (const { url, headers, path } of reader.host.requests) {
			expect(url).not.toContain(PASSWORD);
			expect(JSON.stringify(headers)).not.toContain(PASSWORD);
			expect(path).not.toContain(String(storedSession(engine)));
		}
	});

	it.each([302, 307, 308])(
		'are not sent to another host after a redirect (%i) of the login',
		async (status) => {
			reader.host.respond = ({ path }) =>
				path.endsWith('/api/login')
					? { status, headers: { location: `${other.baseUrl}/api/login` } }
					: undefined;
			const result = await runReader(engine, getFeeds);
			expect(result.error).toMatchObject({
				message: expect.stringContaining('redirects from this Base URL') as string,
			});
			expect(other.requests).toEqual([]);
		},
	);
});
