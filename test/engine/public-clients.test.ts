/** The node's requests and output match the requests and responses of public clients of GemPixel hosts. */
import nock from 'nock';
import { createFakeService, type ReceivedRequest } from '../support/hosts/exchanges';
import { byId, byUrl, KEY, records, runNode } from '../support/nodes/link-node';
import { engine } from '../support/nodes/suite-engine';

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());

const requestJson = (method: string, path: string, more: Partial<ReceivedRequest> = {}): ReceivedRequest => ({
	method,
	path,
	query: {},
	body: undefined,
	authorization: `Bearer ${KEY}`,
	contentType: 'application/json',
	...more,
});

const link = {
	id: 2,
	alias: 'spring',
	shorturl: 'https://links.example.com/spring',
	longurl: 'https://example.com/',
	clicks: 4,
	title: 'Spring',
	description: '',
	date: '2026-03-01 18:01:43',
};
const out = { id: 2, title: 'Spring', alias: 'spring', shortUrl: link.shorturl, longUrl: link.longurl };
const create = { resource: 'shortLink', operation: 'create', url: link.longurl };
const find = { resource: 'shortLink', operation: 'getAll', limit: 2 };
const listResponse = (urls: object[], more: object = {}) => ({
	error: '0',
	data: { result: 9, perpage: 2, currentpage: 1, nextpage: 2, maxpage: 5, urls, ...more },
});
const lists = { query: { limit: '2', page: '1' } };

describe('a list', () => {
	it.each([
		['a total of all pages as its result', listResponse([link, { ...link, id: 3 }])],
		['no next page', listResponse([link, { ...link, id: 3 }], { nextpage: null, maxpage: 1 })],
		[
			'numbers as texts',
			listResponse(
				[
					{ ...link, id: '2', clicks: '4' },
					{ ...link, id: '3' },
				],
				{ result: '2', perpage: '2' },
			),
		],
		['error as a number', { ...listResponse([link, { ...link, id: 3 }]), error: 0 }],
	])('with %s', async (_, response) => {
		const service = createFakeService([{ request: requestJson('GET', '/api/urls', lists), response }]);
		const found = records(await runNode(engine, service, find));
		expect(found).toHaveLength(2);
		expect(found[0]).toMatchObject({ ...out, clicks: 4, date: '2026-03-01T18:01:43.000Z' });
	});
});

describe('a short link', () => {
	it.each([
		['shorturl', { error: 0, id: 2, shorturl: link.shorturl }, 200],
		['short', { error: 0, id: '2', short: link.shorturl }, 200],
		['texts and another status', { error: '0', id: '2', shorturl: link.shorturl }, 201],
	])('is created: %s', async (_, response, status) => {
		const requested = requestJson('POST', '/api/url/add', { body: { url: link.longurl } });
		const service = createFakeService([{ request: requested, response, status }]);
		const [created] = records(await runNode(engine, service, create));
		expect(created).toMatchObject({ id: 2, shortUrl: link.shorturl, alias: 'spring', clicks: 0 });
	});

	it.each([
		['go.example.com', 'https://go.example.com'],
		[' https://go.example.com ', 'https://go.example.com'],
		['http://go.example.com', 'http://go.example.com'],
		[{ __rl: true, mode: 'list', value: 'https://go.example.com' }, 'https://go.example.com'],
	])('is created under the domain %j', async (written, domain) => {
		const requested = requestJson('POST', '/api/url/add', { body: { url: link.longurl, domain } });
		const service = createFakeService([
			{ request: requested, response: { error: 0, id: 2, shorturl: `${domain}/spring` } },
		]);
		const form = { ...create, additionalFields: { domain: written } };
		expect(records(await runNode(engine, service, form))).toMatchObject([{ domain }]);
	});

	it.each([
		['https://links.example.com/spring', {}, { uniqueClicks: 5 }],
		['links.example.com/spring', { uniqueclicks: 5 }, {}],
	])('is returned with its clicks if requested as %s', async (short, shown, counted) => {
		const query = { ...lists.query, short: link.shorturl };
		const { clicks: _, ...details } = link;
		const data = { clicks: 7, ...counted, topCountries: 0 };
		const reply = { error: 0, details: { ...details, ...shown }, data };
		const service = createFakeService([
			{ request: requestJson('GET', '/api/urls', { query }), response: reply },
		]);
		const [found] = records(await runNode(engine, service, { ...find, filters: { short } }));
		expect(found).toMatchObject({ ...out, clicks: 7, uniqueClicks: 5 });
	});

	it('is chosen by its short URL without a scheme', async () => {
		const query = { short: 'https://links.example.com/spring', limit: '100', page: '1' };
		const others = [{ ...link, id: 1, shorturl: 'https://links.example.com/spring-2' }, link];
		const service = createFakeService([
			{ request: requestJson('GET', '/api/urls', { query }), response: listResponse(others, { maxpage: 1 }) },
			{ request: requestJson('DELETE', '/api/url/2/delete'), response: { error: 0, message: 'Done.' } },
		]);
		const form = {
			resource: 'shortLink',
			operation: 'delete',
			linkId: byUrl('={{ "links.example.com/spring" }}'),
		};
		expect(records(await runNode(engine, service, form))).toMatchObject([{ id: 2, deleted: true }]);
	});
});

it.each([undefined, 300])('requests the image of a QR code in the size %s', async (size) => {
	const path = `/qr/a1b2c/download/png/${size ?? 1000}`;
	const code = { id: 3, name: 'Menu', link: 'https://links.example.com/qr/a1b2c', scans: 1 };
	const service = createFakeService([
		{ request: requestJson('GET', '/api/qr/3'), response: { error: 0, details: code, data: { clicks: 1 } } },
	]);
	const options = size === undefined ? {} : { options: { size } };
	const form = { resource: 'qrCode', operation: 'download', qrCodeId: byId(3), ...options };
	await runNode(engine, service, form);
	expect(service.requests.map((requested) => requested.path)).toContain(path);
});
