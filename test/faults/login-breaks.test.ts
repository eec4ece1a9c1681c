/** Logins and token endpoints that break for a moment, and an address that is banned: neither is a wrong credential. */
import type { Engine } from '../../engine/index.ts';
import {
	oAuth2Credential,
	records,
	runReader,
	sessionCredential,
	startEngine,
	type Tokens,
} from '../support/nodes/reader-node';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import { bodyText, type Reply } from '../support/hosts/fake-host';
import { clock } from '../support/nodes/built';
import { holdTime, releaseTime, TriggerRun } from '../support/triggers/trigger-run';

const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };

const breaks: Array<[string, Reply | 'drop']> = [
	['a connection that closes', 'drop'],
	['a maintenance page', { status: 200, headers: html, body: '<html>Back soon</html>' }],
	['a page with status 400', { status: 400, headers: html, body: '<html>Bad request</html>' }],
	['a page with status 404', { status: 404, headers: html, body: '<html>Not found</html>' }],
	['a redirect', { status: 302, headers: { location: 'http://elsewhere.invalid/' } }],
	['a timeout of a proxy', { status: 408, headers: html, body: '<html>Timeout</html>' }],
	['too many requests', { status: 429, headers: json, body: '{"message":"Slow down"}' }],
	['a failure of the server', { status: 503 }],
	[
		'a body that is cut',
		{ status: 200, headers: { ...json, 'content-length': '99' }, body: '{"a":', cutAfter: 5 },
	],
	[
		'a wrong Content-Encoding',
		{ status: 200, headers: { ...json, 'content-encoding': 'gzip' }, body: 'no gzip' },
	],
	['JSON in an unexpected format', { status: 200, headers: json, body: '{"state":"ok"}' }],
];

const getFeeds = { resource: 'feed', operation: 'getAll', returnAll: true };

let engine: Engine;
let reader: ReaderSandbox;

beforeAll(async () => {
	engine = await startEngine();
	reader = await ReaderSandbox.start();
});
afterAll(() => reader.stop());
beforeEach(async () => {
	await reader.changeAddress();
	holdTime();
});
afterEach(releaseTime);

// n8n itself stores any JSON of status 200 as the token.
it.each(breaks.slice(0, -1))(
	'a token endpoint with %s: temporarily unavailable, and fine the next time',
	async (_, reply) => {
		engine.credentials.setAll(oAuth2Credential(reader.baseUrl, await reader.connect()));
		await reader.expireTokens();
		reader.host.respond = ({ path }) => (path.endsWith('/oauth/token') ? reply : undefined);
		const failed = await runReader(engine, getFeeds, [{}], { authentication: 'oAuth2' });
		expect(failed.error).toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		reader.host.respond = () => undefined;
		const run = await runReader(engine, getFeeds, [{}], { authentication: 'oAuth2' });
		expect(records(run)).toHaveLength(10);
	},
);

it.each(breaks)('a login with %s: temporarily unavailable, and fine the next time', async (_, reply) => {
	engine.credentials.setAll(sessionCredential(reader.baseUrl));
	reader.host.respond = ({ path }) => (path.endsWith('/api/login') ? reply : undefined);
	const failed = await runReader(engine, getFeeds);
	expect(failed.error).toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
	reader.host.respond = () => undefined;
	expect(records(await runReader(engine, getFeeds))).toHaveLength(10);
});

it('an OAuth error is a refusal', async () => {
	engine.credentials.setAll(oAuth2Credential(reader.baseUrl, await reader.connect()));
	await reader.expireTokens();
	const refusal = { status: 400, headers: json, body: '{"error":"invalid_client"}' };
	reader.host.respond = ({ path }) => (path.endsWith('/oauth/token') ? refusal : undefined);
	const failed = await runReader(engine, getFeeds, [{}], { authentication: 'oAuth2' });
	expect(failed.error).toMatchObject({ failure: { cause: 'credential-invalid' } });
});

describe('a refresh token that another process has used up', () => {
	const response = { status: 400, headers: json, body: '{"error":"invalid_grant"}' };

	/** Another process refreshes, and stores its tokens `afterWaits` waits after this process was refused. */
	async function refusedWhileOtherStores(afterWaits: number): Promise<void> {
		engine.credentials.setAll(oAuth2Credential(reader.baseUrl, await reader.connect()));
		await reader.expireTokens();
		const { sleep } = clock;
		let stored: Tokens | undefined;
		let waits = 0;
		const store = (): void => {
			if (stored && waits >= afterWaits) engine.credentials.setAll(oAuth2Credential(reader.baseUrl, stored));
		};
		clock.sleep = async (ms) => {
			await sleep(ms);
			waits += 1;
			store();
		};
		reader.host.respond = async ({ path }, passOn) => {
			if (!path.endsWith('/oauth/token')) return undefined;
			stored ??= JSON.parse(bodyText(await passOn())) as Tokens;
			store();
			return response;
		};
	}

	it.each([0, 1, 2, 3])('is no failure if the new tokens are stored after %i waits', async (waits) => {
		await refusedWhileOtherStores(waits);
		const items = [{}, {}, {}];
		const result = await runReader(engine, getFeeds, items, { authentication: 'oAuth2' });
		expect(records(result)).toHaveLength(30);
		expect(reader.host.requestsTo('/oauth/token')).toHaveLength(1);
		const again = await runReader(engine, getFeeds, [{}], { authentication: 'oAuth2' });
		expect(records(again)).toHaveLength(10);
		expect(reader.host.requestsTo('/oauth/token')).toHaveLength(1);
	});

	it('is reported as refused if no new tokens are stored', async () => {
		await refusedWhileOtherStores(Infinity);
		const { error } = await runReader(engine, getFeeds, [{}], { authentication: 'oAuth2' });
		expect(error).toMatchObject({ failure: { cause: 'credential-invalid' } });
	});
});

describe('a server that bans addresses', () => {
	const banned = {
		status: 403,
		headers: { 'content-type': 'text/json' },
		body: '{"error":"Forbidden","code":-1}',
	};
	const search = { resource: 'user', operation: 'find', userQuery: 'JavaScript: The Good Parts' };

	it('is not sent a text for which it would ban the address', async () => {
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
		const { error } = await runReader(engine, search);
		expect(error?.message).toContain(
			'User Search contains "JavaScript:", which the service takes for an attack',
		);
		expect(reader.host.requests).toEqual([]);
	});

	it('is sent it where the credential allows it', async () => {
		engine.credentials.setAll(sessionCredential(reader.baseUrl, { sendSuspiciousTexts: true }));
		await runReader(engine, search);
		expect(reader.host.requests.at(-1)?.url).toContain('JavaScript%3A');
	});

	it('is not sent a password with such a text', async () => {
		engine.credentials.setAll(sessionCredential(reader.baseUrl, { password: 'a${b' }));
		const { error } = await runReader(engine, getFeeds);
		expect(error?.message).toContain('The Password contains a text');
		expect(reader.host.requests).toEqual([]);
	});

	it('gets no more requests and no new login: the error names the ban', async () => {
		engine.credentials.setAll(sessionCredential(reader.baseUrl, { sessionToken: 'reader_sessionid=old' }));
		reader.host.respond = () => banned;
		const { error } = await runReader(engine, getFeeds);
		expect(error?.message).toContain('The service has banned the IP address of this n8n for 24 hours');
		expect(reader.host.requests).toHaveLength(1);
	});

	it('fails each poll of a trigger with one request, until the ban is over', async () => {
		const trigger = new TriggerRun(
			engine,
			{
				name: 'Banned',
				type: 'n8n-nodes-newslink.newsReaderTrigger',
				parameters: { event: 'newSavedStory' },
				credentials: { newsReaderSessionApi: { id: 'session', name: 'session' } },
			},
			sessionCredential(reader.baseUrl),
		);
		await trigger.activate();
		reader.host.respond = () => banned;
		for (let poll = 0; poll < 3; poll += 1) {
			const requests = await reader.host.requestsDuring(async () => {
				await expect(trigger.poll()).rejects.toThrow('has banned the IP address of this n8n for 24 hours');
			});
			expect(requests).toHaveLength(1);
		}
		reader.host.reset();
		expect(await trigger.poll()).toEqual([]);
	});

	it('names the ban when it meets the login', async () => {
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
		reader.host.respond = () => banned;
		const { error } = await runReader(engine, getFeeds);
		expect(error?.message).toContain('The service has banned the IP address of this n8n for 24 hours');
	});
});
