/** The authorization scheme: Bearer, or Token on older hosts. */
import type { Engine } from '../../engine/index.ts';
import { credentialsFor, records, runNode, startEngine } from '../support/nodes/link-node';
import { LinkSandbox } from '../support/hosts/link-sandbox';

let engine: Engine;

beforeAll(async () => void (engine = await startEngine()));

describe.each(['Bearer', 'Token'] as const)('a host with the scheme %s', (scheme) => {
	let sandbox: LinkSandbox;

	beforeAll(async () => {
		sandbox = await LinkSandbox.start({ wild: scheme === 'Token' ? ['token-scheme'] : [] });
	});
	afterAll(() => sandbox.stop());

	const tested = async (account: object) => {
		engine.credentials.setAll(credentialsFor({ baseUrl: sandbox.baseUrl, ...account }));
		return await engine.testCredential('key');
	};

	it('accepts a credential with that scheme and rejects others', async () => {
		const account = { resource: 'account', operation: 'get' };
		const { baseUrl } = sandbox;
		expect(records(await runNode(engine, { baseUrl, scheme }, account))).toMatchObject([{ id: 1 }]);
		expect(await tested({ scheme })).toMatchObject({ status: 'OK' });
		const other = scheme === 'Token' ? 'Bearer' : 'Token';
		expect(await tested({ scheme: other })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/does not accept this API key: .*Scheme/) as string,
		});
	});

	it('sends Bearer if the credential’s scheme is unknown', async () => {
		const status = scheme === 'Bearer' ? 'OK' : 'Error';
		for (const written of ['', 'Basic', 'Token\r\nX-Other: 1']) {
			expect(await tested({ scheme: written })).toMatchObject({ status });
		}
	});
});
