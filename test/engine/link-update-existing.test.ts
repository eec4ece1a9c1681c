/** If Exists → Update Existing: the request that updates an existing record. */
import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';
import { createFakeService } from '../support/hosts/exchanges';
import { KEY, records, runNode } from '../support/nodes/link-node';
import { engine } from '../support/nodes/suite-engine';

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());

const campaigns = [{ id: '7', name: 'Spring', public: '0', rotator: false, list: 'https://links.test/7' }];
const list = { error: 0, data: { result: 1, currentpage: 1, maxpage: 1, campaigns } };

/** Creates or updates a campaign that exists. @returns the bodies of the update requests, and the output */
async function upsert(name: string, additionalFields: IDataObject, body?: object) {
	const requested = {
		method: 'PUT',
		path: '/api/campaign/7/update',
		query: {},
		body,
		authorization: `Bearer ${KEY}`,
		contentType: 'application/json',
	};
	const response = { error: 0, id: 7, domain: name };
	const service = createFakeService(body ? [{ request: requested, response }] : [], '', {
		'/api/campaigns': list,
	});
	const parameters = {
		resource: 'campaign',
		operation: 'create',
		name,
		additionalFields,
		ifExists: 'update',
	};
	const found = records(await runNode(engine, service, parameters));
	return { found, sent: service.requests.map((request) => request.body) };
}

it.each([[{}], [{ public: false }]])('sends no update without a difference: %j', async (fields) => {
	const { found, sent } = await upsert('Spring', fields);
	expect(sent).toEqual([]);
	expect(found).toMatchObject([{ id: 7, name: 'Spring', public: false, existed: true, differs: [] }]);
});

it.each([
	['something differs', 'Spring', { public: true }, { name: 'Spring', public: true }],
	['the case of its name does', 'SPRING', {}, { name: 'SPRING' }],
	['unknown from the list', 'Spring', { slug: 'spring' }, { name: 'Spring', slug: 'spring' }],
])('sends the requested values if %s', async (_, name, fields, body) => {
	const { found, sent } = await upsert(name, fields, body);
	expect(sent).toEqual([body]);
	expect(found).toMatchObject([{ id: 7, name, existed: true }]);
});

it.each([
	['/r/spring', 'return', {}, []],
	['/r/spring', 'update', {}, []],
	['/r/M%C3%A4rz', 'return', { slug: 'März' }, []],
	['/r/spring-2', 'return', {}, ['slug']],
	[false, 'return', {}, ['slug']],
])('compares the slug of a campaign with its rotator: %j, %s', async (path, ifExists, fields, differs) => {
	const campaign = { ...campaigns[0], rotator: path && `https://links.test${path}` };
	const service = createFakeService([], '', {
		'/api/campaigns': { error: 0, data: { ...list.data, campaigns: [campaign] } },
	});
	const additionalFields = { slug: 'spring', ...fields };
	const create = { resource: 'campaign', operation: 'create', name: 'Spring', additionalFields, ifExists };
	expect(records(await runNode(engine, service, create))).toMatchObject([{ existed: true, differs }]);
});

it.each(['https://links.test/r/spring-2', false])(
	'names the slug if a new campaign has %j',
	async (rotator) => {
		const request = {
			...{ method: 'POST', path: '/api/campaign/add', query: {}, body: { name: 'Autumn', slug: 'spring' } },
			...{ authorization: `Bearer ${KEY}`, contentType: 'application/json' },
		};
		const response = { error: 0, id: 8, domain: 'Autumn', rotator };
		const service = createFakeService([{ request, response }], '', { '/api/campaigns': list });
		const fields = { name: 'Autumn', additionalFields: { slug: 'spring' }, ifExists: 'return' };
		const found = await runNode(engine, service, { resource: 'campaign', operation: 'create', ...fields });
		expect(records(found)).toMatchObject([{ id: 8, existed: false, differs: ['slug'] }]);
	},
);

it.each([null, ''])('keeps what was sent, and the ID, if a response has %j instead', async (blank) => {
	const [auth, channels] = [
		{ authorization: `Bearer ${KEY}`, contentType: 'application/json' },
		'/api/channels',
	];
	const sent = { method: 'POST', path: '/api/channel/add', query: {}, body: { name: 'News' }, ...auth };
	const response = { error: 0, id: 4, name: blank, description: blank };
	const empty = { [channels]: { error: 0, data: { ...list.data, result: 0, channels: [] } } };
	const service = createFakeService([{ request: sent, response }], '', empty);
	const create = { resource: 'channel', operation: 'create', name: 'News', ifExists: 'return' };
	// The second item would create the channel again if its name were unknown.
	expect(records(await runNode(engine, service, create, [{}, {}]))).toMatchObject([
		{ id: 4, name: 'News', existed: false },
		{ id: 4, name: 'News', existed: true },
	]);

	const change = { ...sent, method: 'PUT', path: '/api/channel/4/update', body: { name: 'Old news' } };
	const answer = { error: 0, message: 'Updated', id: blank, name: blank };
	const update = { resource: 'channel', operation: 'update', updateFields: { name: 'Old news' } };
	const channelId = { __rl: true, mode: 'id', value: 4 };
	const other = createFakeService([{ request: change, response: answer }]);
	expect(records(await runNode(engine, other, { ...update, channelId }))).toMatchObject([
		{ id: 4, name: 'Old news' },
	]);
});

it('names only fields of the form in a refusal', async () => {
	const request = {
		method: 'PUT',
		path: '/api/campaign/7/update',
		query: {},
		body: { name: 'SPRING' },
		authorization: `Bearer ${KEY}`,
		contentType: 'application/json',
	};
	const service = createFakeService([{ request, response: { error: 1, message: 'No' } }], '', {
		'/api/campaigns': list,
	});
	const create = { resource: 'campaign', operation: 'create', name: 'SPRING', ifExists: 'update' };
	const { error } = await runNode(engine, service, create);
	expect(error?.description).toBe('Check Name.');
});

it('leaves out the fields that the update does not have: the type of a pixel', async () => {
	const pixels = [{ id: 3, type: 'gtmpixel', name: 'Shop', tag: 'GTM-1' }];
	const sentBody = { tag: 'GTM-1', name: 'New shop' };
	const request = {
		method: 'PUT',
		path: '/api/pixel/3/update',
		query: {},
		body: sentBody,
		authorization: `Bearer ${KEY}`,
		contentType: 'application/json',
	};
	const service = createFakeService([{ request, response: { error: 0, message: 'Updated' } }], '', {
		'/api/pixels': { error: 0, data: { result: 1, currentpage: 1, maxpage: 1, pixels } },
	});
	const parameters = {
		...{ resource: 'pixel', operation: 'create', ifExists: 'update' },
		...{ pixelType: 'gtmpixel', name: 'New shop', tag: 'GTM-1' },
	};
	const found = records(await runNode(engine, service, parameters));
	expect(service.requests.map(({ body }) => body)).toEqual([sentBody]);
	expect(found).toMatchObject([{ id: 3, type: 'gtmpixel', name: 'New shop', existed: true }]);
});
