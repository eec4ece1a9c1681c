/** Tests the messages of each credential's test: they say what to do, and contain no secret. */
import { controls } from '../support/clients/reader-client.ts';
import { expiredSessionResponses, ReaderSandbox } from '../support/hosts/reader-sandbox';
import { credentialsFor } from '../support/nodes/link-node';
import { FakeHost, type Reply } from '../support/hosts/fake-host';
import { oAuth2Credential, PASSWORD, SESSION, sessionCredential } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

const KEY = 'key-of-this-test';
const TOKENS = { access_token: 'token-of-this-test', refresh_token: 'refresh-of-this-test' };
const ACCOUNT = { error: 0, code: 1, authenticated: true, data: { id: 1 } };

const credentials = {
	linkManagerApi: (baseUrl: string) => credentialsFor({ baseUrl, apiKey: KEY }),
	newsReaderSessionApi: (baseUrl: string) => sessionCredential(baseUrl),
	'newsReaderSessionApi, logged in before': (baseUrl: string) =>
		sessionCredential(baseUrl, { sessionToken: SESSION }),
	newsReaderOAuth2Api: (baseUrl: string) => oAuth2Credential(baseUrl, TOKENS),
};
const all = Object.entries(credentials);

/** An address on which no server listens. */
async function closedAddress(): Promise<string> {
	const closed = await FakeHost.start();
	await closed.stop();
	return closed.baseUrl;
}

let host: FakeHost;

beforeAll(async () => {
	host = await FakeHost.start(() => ({ body: ACCOUNT }));
});
beforeEach(() => void host.requests.splice(0));

async function testCredential(make: (baseUrl: string) => ReturnType<typeof credentialsFor>, baseUrl: string) {
	const credential = make(baseUrl);
	engine.credentials.setAll(credential);
	const result = await engine.testCredential(Object.keys(credential)[0]!);
	for (const secret of [KEY, PASSWORD, ...Object.values(TOKENS)])
		expect(result.message).not.toContain(secret);
	return result;
}

describe.each(all)('%s', (type, make) => {
	/** A reply of the host, and the expected message. */
	const responses: Array<[what: string, reply: Reply, words: RegExp]> = [
		[
			'a web page',
			{ body: '<html>Welcome</html>' },
			/^Something answers at this Base URL, but it is not .*heck/,
		],
		...[{ status: 'ok' }, { data: { id: 1 } }, [], ''].map((body): (typeof responses)[number] => [
			JSON.stringify(body),
			{ body },
			/^Something answers at this Base URL, but it is not .*heck/,
		]),
		['status 404', { status: 404, body: '<html>' }, /at this Base URL.*([Cc]heck|Enter|leave that out)/],
		['a redirect', { status: 302, headers: { location: '/login' } }, /redirects.*enter the address/],
		['status 429', { status: 429, body: '{}' }, /at the moment: try again in a minute$/],
		...[500, 502, 503, 504, 521].map((status): (typeof responses)[number] => [
			`status ${status}`,
			{ status, body: '<html>' },
			/fails at the moment: try again later$/,
		]),
	];

	it.each(responses)('explains a host that responds with %s', async (_, reply, words) => {
		host.respond = () => reply;
		expect(await testCredential(make, host.baseUrl)).toEqual({
			status: 'Error',
			message: expect.stringMatching(words) as string,
		});
	});

	it('reports a refused login', async () => {
		const refusal = { error: 1, code: -1, authenticated: false };
		host.respond = () => ({ status: 200, body: refusal });
		const words = /^The service does not accept (this|the) [^:]*: (copy|check|run)/;
		expect(await testCredential(make, host.baseUrl)).toEqual({
			status: 'Error',
			message: expect.stringMatching(words) as string,
		});
	});

	it.each(['links', '192.168.1.5:8080', 'ftp://links.example.com', '//links.example.com', 'https://', ' '])(
		'reports an invalid address: %j',
		async (written) => {
			expect(await testCredential(make, written)).toEqual({
				status: 'Error',
				message: expect.stringMatching(
					/^The Base URL of the credential is not a plain web address\. Enter it with https/,
				) as string,
			});
			expect(host.requests).toEqual([]);
		},
	);

	it.each(['example.com', ''])(
		'reports a host that is not among its allowed domains: %j',
		async (domains) => {
			const limited = (baseUrl: string) => {
				const credential = make(baseUrl);
				const restriction = { allowedHttpRequestDomains: 'domains', allowedDomains: domains };
				for (const { data } of Object.values(credential)) Object.assign(data, restriction);
				return credential;
			};
			expect(await testCredential(limited, host.baseUrl)).toEqual({
				status: 'Error',
				message: expect.stringMatching(/^The credential may not be used with 127\.0\.0\.1\..*Add/) as string,
			});
			expect(host.requests).toEqual([]);
		},
	);

	it('accepts a local address without a scheme', async () => {
		host.respond = () => ({ headers: { 'set-cookie': 'session=1' }, body: ACCOUNT });
		const written = host.baseUrl.replace('http://', '');
		expect(await testCredential(make, written)).toMatchObject({ status: 'OK' });
		expect(await testCredential(make, `${written.replace('127.0.0.1', 'LocalHost')}/`)).toMatchObject({
			status: 'OK',
		});
	});

	it.each([
		['an address on which no server listens', closedAddress, 'the connection was refused', 'ECONNREFUSED'],
		['an unknown host name', async () => 'no-such-host.invalid', 'the host name', '(ENOTFOUND|EAI_AGAIN)'],
	])('reports %s; if n8n writes the message, by its error code', async (_, address, words, code) => {
		// The first login is a request of the credential. For other requests n8n shows the code, see docs/credentials.md.
		const expected = type === 'newsReaderSessionApi' ? `^No response .*${words}.*\\. Check the` : `^${code}$`;
		expect((await testCredential(make, await address())).message).toMatch(new RegExp(expected));
	});
});

it('reports an unknown time zone', async () => {
	const make = (baseUrl: string) => credentialsFor({ baseUrl, apiKey: KEY, timeZone: 'Europe/Atlantis' });
	expect((await testCredential(make, host.baseUrl)).message).toMatch(
		/^There is no time zone "Europe\/Atlantis"\. Correct/,
	);
	expect(host.requests).toEqual([]);
});

const OK = { status: 'OK' };
const failed = (words: string) => ({ status: 'Error', message: expect.stringContaining(words) as string });

describe.each(expiredSessionResponses)(
	'a service that responds to requests without a session with %s',
	(_, options) => {
		let reader: ReaderSandbox;

		beforeAll(async () => {
			reader = await ReaderSandbox.start(options);
			await reader.client.control(controls.settings, { cookie_name: 'reader_sessionid' });
		});

		describe('session credential', () => {
			const test = async (more: object = {}) => {
				engine.credentials.setAll(sessionCredential(reader.baseUrl, { ...more }));
				return await engine.testCredential('session');
			};

			it('passes with the correct password, also with spaces and slashes around the Base URL', async () => {
				for (const baseUrl of [reader.baseUrl, `${reader.baseUrl}/`, ` ${reader.baseUrl}// `]) {
					expect(await test({ baseUrl })).toMatchObject(OK);
				}
			});

			it('fails with a wrong password, even if a previous session is still valid', async () => {
				const client = await reader.logIn();
				const sessionToken = client.headers.cookie;
				expect(await test({ password: 'wrong', sessionToken })).toMatchObject(
					failed('user name and password'),
				);
				expect(await test({ username: 'nobody' })).toMatchObject(failed('not registered'));
			});

			it('fails at a wrong path of the same host', async () => {
				const result = await test({ baseUrl: `${reader.baseUrl}/elsewhere` });
				expect(result).toMatchObject({ status: 'Error' });
			});
		});

		describe('OAuth2 credential', () => {
			const test = async (tokens?: Parameters<typeof oAuth2Credential>[1], more: object = {}) => {
				engine.credentials.setAll(oAuth2Credential(reader.baseUrl, tokens, { ...more }));
				return await engine.testCredential('oAuth2');
			};

			it('passes if connected', async () => {
				expect(await test(await reader.connect())).toMatchObject(OK);
			});

			it('fails if not connected', async () => {
				expect(await test()).toMatchObject({ status: 'Error' });
			});

			it('fails with an invalid token that can’t be refreshed', async () => {
				const tokens = { access_token: 'none', refresh_token: 'none' };
				const { message } = await test(tokens);
				// n8n renews a token after a 403 only.
				expect(message).toMatch(
					/^E(AUTH|STATUS)$|needs to be reconnected|: run an operation, which renews it, or connect/,
				);
			});

			it('fails at a wrong path of the same host', async () => {
				const result = await test(await reader.connect(), { baseUrl: `${reader.baseUrl}/elsewhere` });
				expect(result).toMatchObject({ status: 'Error' });
			});
		});
	},
);
