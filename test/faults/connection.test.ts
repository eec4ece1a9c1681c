/** Tests certificates, timeouts and proxies for runs and credential tests of every credential. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { credentialsFor, linkManager } from '../support/nodes/link-node';
import { FakeHost } from '../support/hosts/fake-host';
import { byId, runBetween } from '../support/nodes/node';
import { newsReader, oAuth2Credential, sessionCredential } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

const TOKENS = { access_token: 'token-of-this-test', refresh_token: 'refresh-of-this-test' };
const RESPONSE = { error: 0, code: 1, authenticated: true, data: { id: 1 }, user_profile: {}, feeds: {} };

const feeds = { resource: 'feed', operation: 'getAll', returnAll: true };
const kinds = [
	{
		type: 'linkManagerApi',
		node: linkManager({ resource: 'account', operation: 'get' }),
		make: (baseUrl: string, more: IDataObject) => {
			const { type, data } = credentialsFor({ baseUrl }).key!;
			return { key: { type, data: { ...data, ...more } as typeof data } };
		},
	},
	{ type: 'newsReaderSessionApi', node: newsReader(feeds), make: sessionCredential },
	{
		type: 'newsReaderOAuth2Api',
		node: newsReader(feeds, 'oAuth2'),
		make: (baseUrl: string, more: IDataObject) => oAuth2Credential(baseUrl, TOKENS, more),
	},
];

let secure: Server;
let address: string;
let requested: string[];

beforeAll(async () => {
	secure = createServer(selfSigned, (request, response) => {
		requested.push(request.url!);
		response.setHeader('set-cookie', 'session=1').setHeader('content-type', 'application/json');
		response.end(JSON.stringify(RESPONSE));
	});
	await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
	address = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
});
afterAll(async () => await new Promise((resolve) => secure.close(resolve)));
beforeEach(() => void (requested = []));

describe.each(kinds)('$type', ({ type, node, make }) => {
	const test = async (credential: ReturnType<typeof make>) => {
		engine.credentials.setAll(credential);
		return await engine.testCredential(Object.keys(credential)[0]!);
	};

	it('refuses an untrusted certificate', async () => {
		const { status, message } = await test(make(address, {}));
		expect([status, message]).toEqual(['Error', expect.stringMatching(/SELF_SIGNED|not trusted/)]);
		const { error } = await runBetween(engine, node, [{}], { credentials: make(address, {}) });
		expect(error?.message).toContain('its certificate is not trusted');
		expect(requested).toEqual([]);
	});

	it('accepts an untrusted certificate with Ignore SSL Issues, in credential tests, logins and runs', async () => {
		const credential = make(address, { ignoreSSLIssues: true });
		expect(await test(credential)).toMatchObject({ status: 'OK' });
		const { error } = await runBetween(engine, node, [{}], { credentials: credential });
		expect(error).toBeUndefined();
	});

	it('fails when the Timeout has passed', async () => {
		const silent = await FakeHost.start(() => 'hang');
		const credential = make(silent.baseUrl, { timeout: 0.05 });
		const { error } = await runBetween(engine, node, [{}], { credentials: credential });
		expect(error?.message).toContain('in time');
		// n8n sets its own timeout in the test of an OAuth2 credential.
		if (type === 'newsReaderOAuth2Api') return;
		expect((await test(credential)).message).toMatch(
			/^ECONNABORTED$|no response in time|did not respond to the login in time/,
		);
	});

	it('uses the proxy of HTTP_PROXY, except for hosts of NO_PROXY', async () => {
		const proxy = await FakeHost.start(() => ({ headers: { 'set-cookie': 'session=1' }, body: RESPONSE }));
		// This host does not exist: only the proxy responds for it.
		const credential = make('http://reached-by-proxy.invalid', {});
		const environment = { HTTP_PROXY: proxy.baseUrl, NO_PROXY: 'localhost' };
		try {
			Object.assign(process.env, environment);
			const { error } = await runBetween(engine, node, [{}], { credentials: credential });
			expect(error).toBeUndefined();
			expect(await test(credential)).toMatchObject({ status: 'OK' });
			const requested = proxy.requests.map(({ url }) => url);
			expect(requested.length).toBeGreaterThanOrEqual(2);
			for (const url of requested) expect(url).toMatch(/^http:\/\/reached-by-proxy\.invalid\//);
			process.env.NO_PROXY = 'reached-by-proxy.invalid';
			const direct = await runBetween(engine, node, [{}], { credentials: credential });
			expect(direct.error?.message).toContain('the host name');
			expect(proxy.requests).toHaveLength(requested.length);
		} finally {
			for (const name of Object.keys(environment)) delete process.env[name];
		}
	});
});

it('applies the Timeout to a page of another host, but not Ignore SSL Issues', async () => {
	const silent = await FakeHost.start(() => 'hang');
	let location = silent.baseUrl;
	const reader = await FakeHost.start(() => ({ status: 302, headers: { location } }));
	const page = newsReader({ resource: 'feed', operation: 'getPage', feedId: byId(7), otherHosts: true });
	const errorOf = async (more: IDataObject): Promise<string | undefined> => {
		const credentials = sessionCredential(reader.baseUrl, { sessionToken: 'session=1', ...more });
		return (await runBetween(engine, page, [{}], { credentials })).error?.message;
	};
	expect(await errorOf({ timeout: 0.05 })).toContain('no response in time');
	location = address;
	expect(await errorOf({ ignoreSSLIssues: true })).toContain('its certificate is not trusted');
});

/** A self-signed certificate for 127.0.0.1, with its key; only for tests. */
const selfSigned = {
	key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZ9aHjkn48aWmMSoj
9HRSW8Q6ozTXXcNaIRmkurlHLpmhRANCAARvdiq/bi16vkFPth8Ob0k+n8uWANX3
stCfoEkh+8CExt1r/wH5OYxpN/F0f77VNXEhIIC7m6OIV48D9kV8n3St
-----END PRIVATE KEY-----`,
	cert: `-----BEGIN CERTIFICATE-----
MIIBkTCCATagAwIBAgIUITcePRT8J/TgS6a9xj1/JGaIDwQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMjAxMTMzMVoYDzIxMjYxMDI5
MDExMzMxWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARvdiq/bi16vkFPth8Ob0k+n8uWANX3stCfoEkh+8CExt1r/wH5OYxp
N/F0f77VNXEhIIC7m6OIV48D9kV8n3Sto2QwYjAdBgNVHQ4EFgQUtKn/RXR513sn
ZYkFt5+bDmpvEJowHwYDVR0jBBgwFoAUtKn/RXR513snZYkFt5+bDmpvEJowDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0kAMEYC
IQCFTxfyJ1gAhusV5jU7XWOvE+kIqPaSma7UIjXTVE31DgIhAJdkRD2SxPNpjX4z
0PZ9lMmyklASFVy5i/8ZQH4hWxYZ
-----END CERTIFICATE-----`,
};
