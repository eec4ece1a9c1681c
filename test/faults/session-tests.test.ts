/** Tests the results and messages of the credential tests of the news reader. */
import type { Engine } from '../../engine/index.ts';
import { oAuth2Credential, sessionCredential, startEngine } from '../support/nodes/reader-node';
import { controls } from '../support/clients/reader-client.ts';
import { FakeHost } from '../support/hosts/fake-host';
import { expiredSessionResponses, ReaderSandbox } from '../support/hosts/reader-sandbox';

const OK = { status: 'OK' };
const failed = (words: string) => ({ status: 'Error', message: expect.stringContaining(words) as string });
const NOT_THE_SERVICE = failed('not a news reader service');

/** Responses of hosts that are no news reader service. */
const otherHosts: Array<[what: string, status: number, contentType: string, body: string]> = [
	['a web page', 200, 'text/html', '<html><body>Welcome</body></html>'],
	['other JSON', 200, 'application/json', '{"status":"ok"}'],
	['a JSON array', 200, 'application/json', '[]'],
	['an empty body', 200, 'text/plain', ''],
	['status 404', 404, 'text/html', '<html><body>Not found</body></html>'],
	['a redirect', 302, 'text/html', ''],
];

let engine: Engine;
let otherHost: FakeHost;

beforeAll(async () => {
	engine = await startEngine();
	otherHost = await FakeHost.start();
});
afterAll(() => otherHost.stop());

describe.each(expiredSessionResponses)(
	'a service that responds to requests without a session with %s',
	(_, options) => {
		let reader: ReaderSandbox;

		beforeAll(async () => {
			reader = await ReaderSandbox.start(options);
			await reader.client.control(controls.settings, { cookie_name: 'reader_sessionid' });
		});
		afterAll(() => reader.stop());

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
				expect(await test(tokens)).toMatchObject({ status: 'Error' });
			});

			it('fails at a wrong path of the same host', async () => {
				const result = await test(await reader.connect(), { baseUrl: `${reader.baseUrl}/elsewhere` });
				expect(result).toMatchObject({ status: 'Error' });
			});
		});
	},
);

describe.each(otherHosts)('a host that responds with %s', (_, status, contentType, body) => {
	beforeEach(() => {
		otherHost.reset();
		otherHost.respond = () => ({
			status,
			headers: {
				'content-type': contentType,
				...(status === 302 && { location: `${otherHost.baseUrl}/login` }),
			},
			body,
		});
	});

	it('fails the session credential', async () => {
		engine.credentials.setAll(sessionCredential(otherHost.baseUrl));
		const result = await engine.testCredential('session');
		expect(result).toMatchObject(status === 200 ? NOT_THE_SERVICE : { status: 'Error' });
		expect(otherHost.requests).toHaveLength(1);
	});

	it('fails the OAuth2 credential', async () => {
		const tokens = { access_token: 'none', refresh_token: 'none' };
		engine.credentials.setAll(oAuth2Credential(otherHost.baseUrl, tokens));
		const result = await engine.testCredential('oAuth2');
		expect(result).toMatchObject(status === 200 ? NOT_THE_SERVICE : { status: 'Error' });
	});
});
