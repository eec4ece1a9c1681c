/** Tests that a Base URL with a user name, query or fragment is refused, and that its content is never shown. */
import { credentialsFor, runNode } from '../support/nodes/link-node';
import { FakeHost } from '../support/hosts/fake-host';
import { oAuth2Credential, runReader, sessionCredential } from '../support/nodes/reader-node';
import { WatchedLinks } from '../support/triggers/trigger-links';
import { engine } from '../support/nodes/suite-engine';

const CANARY = 'canary-in-the-url';
const TOKENS = { access_token: 'token-of-this-test', refresh_token: 'refresh-of-this-test' };

let host: FakeHost;

beforeAll(async () => {
	host = await FakeHost.start(() => ({ body: { error: 0, code: 1, authenticated: true, data: { id: 1 } } }));
});
beforeEach(() => void host.requests.splice(0));

/** Base URLs that are refused. */
const invalidUrls: Array<[what: string, (plain: string) => string]> = [
	['a user name and a password', (plain) => plain.replace('//', `//user:${CANARY}@`)],
	['a user name', (plain) => plain.replace('//', `//${CANARY}@`)],
	['a query', (plain) => `${plain}/?key=${CANARY}`],
	['a fragment', (plain) => `${plain}/#${CANARY}`],
];

const credentials = {
	linkManagerApi: (baseUrl: string) => credentialsFor({ baseUrl }),
	newsReaderSessionApi: (baseUrl: string) => sessionCredential(baseUrl),
	newsReaderOAuth2Api: (baseUrl: string) => oAuth2Credential(baseUrl, TOKENS),
};

const cases = Object.entries(credentials).flatMap(([type, make]) =>
	invalidUrls.map(([what, write]) => [`${type} with ${what}`, () => make(write(host.baseUrl))] as const),
);

it.each(cases)('fails the credential test of %s', async (_, make) => {
	const credential = make();
	engine.credentials.setAll(credential);
	const result = await engine.testCredential(Object.keys(credential)[0]!);
	expect(result.status).toBe('Error');
	expect(JSON.stringify(result)).not.toContain(CANARY);
	expect(host.requests).toEqual([]);
});

it.each(cases)('fails a run with %s', async (name, make) => {
	const [type] = name.split(' ');
	const feeds = { resource: 'feed', operation: 'getAll', returnAll: true };
	const run =
		type === 'linkManagerApi'
			? await runNode(
					engine,
					{ baseUrl: String(make().key?.data.baseUrl) },
					{ resource: 'account', operation: 'get' },
				)
			: await runReader(engine, feeds, [{}], {
					credentials: make(),
					authentication: type === 'newsReaderOAuth2Api' ? 'oAuth2' : 'session',
				});
	expect(run.error?.message).toBe('The Base URL of the credential is not a plain web address');
	expect(JSON.stringify([run.runData, run.error])).not.toContain(CANARY);
	expect(host.requests).toEqual([]);
});

it.each(invalidUrls)('does not link to an address with %s', (_, write) => {
	const { properties } = engine.credentialTypes.find(({ name }) => name === 'newsReaderOAuth2Api')!;
	for (const field of ['authUrl', 'accessTokenUrl']) {
		const { default: expression } = properties.find(({ name }) => name === field)!;
		const [, code = '', path] = /^=\{\{(.*)\}\}(.*)$/.exec(String(expression)) ?? [];
		const value = (baseUrl: string): unknown =>
			new Function('$self', `return ${code}`)({ baseUrl }) as unknown;
		expect([value(write(host.baseUrl)), path]).toEqual(['', expect.stringMatching(/^\/oauth\//)]);
		expect(value(` ${host.baseUrl}// `)).toBe(host.baseUrl);
	}
});

it('fails the polls of a trigger', async () => {
	const links = await WatchedLinks.start(engine);
	const [, write] = invalidUrls[0]!;
	const run = links
		.trigger({ event: 'newCampaign' })
		.withCredentials(credentials.linkManagerApi(write(host.baseUrl)));
	const error = await run.activate().catch((thrown: Error) => thrown);
	expect(error).toMatchObject({ message: 'The Base URL of the credential is not a plain web address' });
	expect(JSON.stringify(error)).not.toContain(CANARY);
});
