import type { IDataObject } from 'n8n-workflow';
import { setTimeout } from 'node:timers/promises';
import { FakeHost } from '../support/hosts/fake-host';
import { LinkSandbox } from '../support/hosts/link-sandbox';
import { byId, records, runNode, credentialsFor } from '../support/nodes/link-node';
import { engine } from '../support/nodes/suite-engine';

describe('lists and details', () => {
	/** The response of the host to a path, the links that the node lists, and the link that it gets. */
	async function readOn(
		wild: string[],
	): Promise<{ lists: IDataObject; listed: IDataObject[]; link: IDataObject }> {
		const sandbox = await LinkSandbox.start({ wild });
		const run = async (resource: string, operation: string, more: object = {}) =>
			records(await runNode(engine, sandbox, { resource, operation, ...more }));
		const geotarget = { entry: [{ location: 'Canada', link: 'https://example.ca/' }] };
		const [created] = await run('shortLink', 'create', {
			url: 'https://example.com/',
			additionalFields: { geotarget },
		});
		const [lists] = await run('apiRequest', 'send', { apiPath: '/api/urls' });
		const listed = await run('shortLink', 'getAll', { returnAll: true });
		const [link] = await run('shortLink', 'get', { linkId: byId(created!.id) });
		return { lists: lists!, listed, link: link! };
	}

	it.each<[wild: string[], lists: object]>([
		[[], { error: '0', data: { urls: [{ id: 1, clicks: 0 }] } }],
		[['number-error'], { error: 0 }],
		[['string-listed-ids'], { data: { urls: [{ id: '1' }] } }],
		[['string-listed-counts'], { data: { urls: [{ clicks: '0' }] } }],
	])('%j: outputs numbers', async (wild, expected) => {
		const { lists, listed, link } = await readOn(wild);
		expect(lists).toMatchObject(expected);
		expect(listed).toMatchObject([{ id: 1, clicks: 0 }]);
		expect(link).toMatchObject({ id: 1, clicks: 0 });
	});

	it('Whole Record: outputs all members of a campaign that the host lists by its name', async () => {
		const sandbox = await LinkSandbox.start({ variant: 'wild' });
		const { id } = await sandbox.client.add('/campaign/add', { name: 'Spring' });
		const result = await runNode(engine, sandbox, {
			resource: 'shortLink',
			operation: 'create',
			url: 'https://example.com/',
			additionalFields: { campaignId: byId(id) },
			options: { wholeRecord: true },
		});
		expect(records(result)).toMatchObject([{ campaign: { id: null, name: 'Spring' } }]);
	});

	it('link-details: outputs the additional members of a single link', async () => {
		expect((await readOn([])).link).toMatchObject({ location: null });
		expect((await readOn(['link-details'])).link).toMatchObject({
			location: { canada: 'https://example.ca/' },
		});
	});
});

describe('the authorization scheme', () => {
	describe.each(['Bearer', 'Token'] as const)('a host with the scheme %s', (scheme) => {
		let sandbox: LinkSandbox;

		beforeAll(async () => {
			sandbox = await LinkSandbox.start({ wild: scheme === 'Token' ? ['token-scheme'] : [] });
		});

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
});

describe('items that write one link', () => {
	const linkId = '={{ $json.link }}';
	const items = ['https://go.test/a', 7, ' 07'].map((link, index) => ({ link, n: index + 1 }));
	const update = {
		resource: 'shortLink',
		operation: 'update',
		linkId,
		updateFields: { description: '={{ $json.n }}' },
	};
	const listed = { error: 0, data: { urls: [{ id: 7, shorturl: 'https://go.test/a' }] } };

	it.each<[node: object, sent: (n: number) => string]>([
		[update, (n) => `PUT /api/url/7/update {"description":"${n}"}`],
		[
			{ resource: 'campaign', operation: 'assignLink', campaignId: '={{ $json.n }}', linkId },
			(n) => `POST /api/campaign/${n}/assign/7 `,
		],
	])('write in their order, however they name it, and one after the other: %j', async (node, sent) => {
		const writes: string[] = [];
		let open = 0;
		const host = await FakeHost.start(async ({ method, line, body }) => {
			if (method !== 'GET') writes.push(`${(open += 1)} ${line} ${body}`);
			await setTimeout(20);
			if (method !== 'GET') open -= 1;
			return { body: method === 'GET' ? listed : { error: 0 } };
		});
		await runNode(engine, host, node, items);
		expect(writes).toEqual([1, 2, 3].map((n) => `1 ${sent(n)}`));
	});

	it('write nothing after one of them stopped the run', async () => {
		const host = await FakeHost.start(({ method }) => ({ body: method === 'GET' ? listed : { error: 1 } }));
		const { error } = await runNode(engine, host, update, items);
		expect(error).toMatchObject({ description: expect.stringContaining('Nothing was done') as string });
		expect(host.requests.map(({ method }) => method)).toEqual(['GET', 'PUT']);
	});
});
