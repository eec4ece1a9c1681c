/** Tests that temporary failures of logins and token endpoints, and a banned IP address, are not reported as an invalid credential. */
import { oAuth2Credential, records, runReader, sessionCredential, byId } from '../support/nodes/reader-node';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import type { Reply } from '../support/hosts/fake-host';
import { holdTime, TriggerRun } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };

const failures: Array<[string, Reply | 'drop']> = [
	['a connection that closes', 'drop'],
	['a maintenance page', { status: 200, headers: html, body: '<html>Back soon</html>' }],
	['a page with status 400', { status: 400, headers: html, body: '<html>Bad request</html>' }],
	['a page with status 404', { status: 404, headers: html, body: '<html>Not found</html>' }],
	['a redirect', { status: 302, headers: { location: 'http://elsewhere.invalid/' } }],
	['a timeout of a proxy', { status: 408, headers: html, body: '<html>Timeout</html>' }],
	['too many requests', { status: 429, headers: json, body: '{"message":"Slow down"}' }],
	[
		'too many requests, with a code below zero',
		{ status: 429, headers: json, body: '{"error":"Rate limit exceeded","code":-1}' },
	],
	['a server error', { status: 503 }],
	[
		'a truncated body',
		{ status: 200, headers: { ...json, 'content-length': '99' }, body: '{"a":', cutAfter: 5 },
	],
	[
		'a wrong Content-Encoding',
		{ status: 200, headers: { ...json, 'content-encoding': 'gzip' }, body: 'no gzip' },
	],
	['JSON in an unexpected format', { status: 200, headers: json, body: '{"state":"ok"}' }],
];

const getFeeds = { resource: 'feed', operation: 'getAll', returnAll: true };

let reader: ReaderSandbox;

beforeAll(async () => {
	reader = await ReaderSandbox.start();
});
beforeEach(async () => {
	await reader.changeAddress();
	holdTime();
});

// n8n itself stores any JSON of status 200 as the token.
it.each(failures.slice(0, -1))(
	'reports a token endpoint with %s as temporarily unavailable, and recovers in the next run',
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

it('masks the application’s ID and secret in a page that repeats the header with them', async () => {
	engine.credentials.setAll(oAuth2Credential(reader.baseUrl, await reader.connect()));
	await reader.expireTokens();
	reader.host.respond = ({ path, headers }) =>
		path.endsWith('/oauth/token')
			? { status: 401, headers: { 'content-type': 'text/html' }, body: `<p>${headers.authorization}</p>` }
			: undefined;
	const { error } = await runReader(engine, getFeeds, [{}], { authentication: 'oAuth2' });
	expect(error?.message).toContain('Basic ***</p>');
});

it('says that a proxy did not pass on the login', async () => {
	engine.credentials.setAll(sessionCredential(reader.baseUrl));
	reader.host.respond = () => ({ status: 407, body: '<html>Log in</html>' });
	expect((await runReader(engine, getFeeds)).error?.message).toContain('a proxy asks for a user name');
});

it.each(failures)(
	'reports a login with %s as temporarily unavailable, and recovers in the next run',
	async (_, reply) => {
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
		reader.host.respond = ({ path }) => (path.endsWith('/api/login') ? reply : undefined);
		const failed = await runReader(engine, getFeeds);
		expect(failed.error).toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		reader.host.respond = () => undefined;
		expect(records(await runReader(engine, getFeeds))).toHaveLength(10);
	},
);

it('reports an OAuth error as an invalid credential', async () => {
	engine.credentials.setAll(oAuth2Credential(reader.baseUrl, await reader.connect()));
	await reader.expireTokens();
	const refusal = { status: 400, headers: json, body: '{"error":"invalid_client"}' };
	reader.host.respond = ({ path }) => (path.endsWith('/oauth/token') ? refusal : undefined);
	const failed = await runReader(engine, getFeeds, [{}], { authentication: 'oAuth2' });
	expect(failed.error).toMatchObject({ failure: { cause: 'credential-invalid' } });
});

describe('a server that bans IP addresses', () => {
	const banned = {
		status: 403,
		headers: { 'content-type': 'text/json' },
		body: '{"error":"Forbidden","code":-1}',
	};
	const search = { resource: 'user', operation: 'find', userQuery: 'JavaScript: The Good Parts' };

	it('does not send a text for which the server would ban the address', async () => {
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
		const { error } = await runReader(engine, search);
		expect(error?.message).toContain(
			'User Search contains "JavaScript:", which the service takes for an attack',
		);
		const entry = [{ kind: 'title', opinion: 'like', value: 'JavaScript: The Good Parts' }];
		const liked = { resource: 'classifier', operation: 'save', feedId: byId(1), classifiers: { entry } };
		expect((await runReader(engine, liked)).error?.message).toContain('Classifiers contains "JavaScript:"');
		expect(reader.host.requests).toEqual([]);
	});

	it('sends such a text if the credential allows it', async () => {
		engine.credentials.setAll(sessionCredential(reader.baseUrl, { sendSuspiciousTexts: true }));
		await runReader(engine, search);
		expect(reader.host.requests.at(-1)?.url).toContain('JavaScript%3A');
	});

	it('does not send a password with such a text', async () => {
		engine.credentials.setAll(sessionCredential(reader.baseUrl, { password: 'a${b' }));
		const { error } = await runReader(engine, getFeeds);
		expect(error?.message).toContain('The Password contains a text');
		expect(reader.host.requests).toEqual([]);
	});

	it('reports the ban without a retry or a new login', async () => {
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

	it('reports the ban if the login is refused', async () => {
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
		reader.host.respond = () => banned;
		const { error } = await runReader(engine, getFeeds);
		expect(error?.message).toBe('The service has banned the IP address of this n8n for 24 hours');
		expect(error?.description).toMatch(
			/^The ban ends by \d{4}-\d\d-\d\dT\d\d:\d\dZ\. .*Wait until the ban ends/,
		);
		expect(reader.host.requests).toHaveLength(1);
	});
});
