/** The "Test" of both credentials of the news reader: its results and messages. */
import type { Engine } from '../../engine/index.ts';
import { oAuth2Credential, sessionCredential, startEngine } from '../support/nodes/reader-node';
import { controls } from '../support/clients/reader-client.ts';
import { FakeHost } from '../support/hosts/fake-host';
import { expiredSessionResponses, ReaderSandbox } from '../support/hosts/reader-sandbox';

const OK = { status: 'OK' };
const failed = (words: string) => ({ status: 'Error', message: expect.stringContaining(words) as string });
const NOT_THE_SERVICE = failed('not a news reader service');

/** Hosts that answer something else. */
const strangers: Array<[what: string, status: number, contentType: string, body: string]> = [
	['a page', 200, 'text/html', '<html><body>Welcome</body></html>'],
	['other JSON', 200, 'application/json', '{"status":"ok"}'],
	['a list', 200, 'application/json', '[]'],
	['nothing', 200, 'text/plain', ''],
	['that there is no such page', 404, 'text/html', '<html><body>Not found</body></html>'],
	['a redirect', 302, 'text/html', ''],
];

let engine: Engine;
let stranger: FakeHost;

beforeAll(async () => {
	engine = await startEngine();
	stranger = await FakeHost.start();
});
afterAll(() => stranger.stop());

describe.each(expiredSessionResponses)('of a service that shows a missing session by %s', (_, options) => {
	let reader: ReaderSandbox;

	beforeAll(async () => {
		reader = await ReaderSandbox.start(options);
		await reader.client.control(controls.settings, { cookie_name: 'reader_sessionid' });
	});
	afterAll(() => reader.stop());

	describe('by session', () => {
		const test = async (more: object = {}) => {
			engine.credentials.setAll(sessionCredential(reader.baseUrl, { ...more }));
			return await engine.testCredential('session');
		};

		it('passes with the right password, however the address is written', async () => {
			for (const baseUrl of [reader.baseUrl, `${reader.baseUrl}/`, ` ${reader.baseUrl}// `]) {
				expect(await test({ baseUrl })).toMatchObject(OK);
			}
		});

		it('fails with a wrong password, even while an earlier session still lives', async () => {
			const client = await reader.logIn();
			const sessionToken = client.headers.cookie;
			expect(await test({ password: 'wrong', sessionToken })).toMatchObject(failed('user name and password'));
			expect(await test({ username: 'nobody' })).toMatchObject(failed('not registered'));
		});

		it('fails at a wrong path of the same host', async () => {
			const result = await test({ baseUrl: `${reader.baseUrl}/elsewhere` });
			expect(result).toMatchObject({ status: 'Error' });
		});
	});

	describe('by OAuth2', () => {
		const test = async (tokens?: Parameters<typeof oAuth2Credential>[1], more: object = {}) => {
			engine.credentials.setAll(oAuth2Credential(reader.baseUrl, tokens, { ...more }));
			return await engine.testCredential('oAuth2');
		};

		it('passes once connected', async () => {
			expect(await test(await reader.connect())).toMatchObject(OK);
		});

		it('fails when not connected', async () => {
			expect(await test()).toMatchObject({ status: 'Error' });
		});

		it('fails with an invalid token, which can’t be refreshed', async () => {
			const tokens = { access_token: 'none', refresh_token: 'none' };
			expect(await test(tokens)).toMatchObject({ status: 'Error' });
		});

		it('fails at a wrong path of the same host', async () => {
			const result = await test(await reader.connect(), { baseUrl: `${reader.baseUrl}/elsewhere` });
			expect(result).toMatchObject({ status: 'Error' });
		});
	});
});

describe.each(strangers)('of a host that responds with %s', (_, status, contentType, body) => {
	beforeEach(() => {
		stranger.reset();
		stranger.respond = () => ({
			status,
			headers: {
				'content-type': contentType,
				...(status === 302 && { location: `${stranger.baseUrl}/login` }),
			},
			body,
		});
	});

	it('fails by session', async () => {
		engine.credentials.setAll(sessionCredential(stranger.baseUrl));
		const result = await engine.testCredential('session');
		expect(result).toMatchObject(status === 200 ? NOT_THE_SERVICE : { status: 'Error' });
		expect(stranger.requests).toHaveLength(1);
	});

	it('fails by OAuth2', async () => {
		const tokens = { access_token: 'none', refresh_token: 'none' };
		engine.credentials.setAll(oAuth2Credential(stranger.baseUrl, tokens));
		const result = await engine.testCredential('oAuth2');
		expect(result).toMatchObject(status === 200 ? NOT_THE_SERVICE : { status: 'Error' });
	});
});
