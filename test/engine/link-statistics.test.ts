/** Outputs the statistics of short links and QR codes as one item per row. */
import nock from 'nock';
import type { Engine } from '../../engine/index.ts';
import { createFakeService } from '../support/hosts/exchanges';
import { byId, records, runNode, startEngine } from '../support/nodes/link-node';

let engine: Engine;

beforeAll(async () => {
	nock.disableNetConnect();
	engine = await startEngine();
});
afterEach(() => nock.cleanAll());

const counted = {
	topCountries: { Chile: '1', Canada: '4', Unknown: 2 },
	topBrowsers: { Chrome: 7 },
	topOs: { Linux: '7' },
	topReferrers: { Direct: '7' },
	socialCount: { facebook: 2, twitter: 0 },
};

/** The output of Get for record 7, for each of these items. */
async function rows(resource: 'qrCode' | 'shortLink', statistics: string, data: unknown, options = {}) {
	const path = resource === 'qrCode' ? '/api/qr/7' : '/api/url/7';
	const service = createFakeService([], '', { [path]: { error: 0, details: { id: '7' }, data } });
	const id = { qrCodeId: byId(7), linkId: byId(7) };
	return records(await runNode(engine, service, { resource, operation: 'get', statistics, options, ...id }));
}

it.each([
	['country', ['Canada', 4], ['Unknown', 2], ['Chile', 1]],
	['browser', ['Chrome', 7]],
	['system', ['Linux', 7]],
	['referrer', ['Direct', 7]],
	['network', ['facebook', 2], ['twitter', 0]],
])('returns a row for each %s, most clicks first', async (by, ...expected) => {
	const found = expected.map(([name, clicks]) => ({ id: 7, [by]: name, clicks }));
	expect(await rows('shortLink', by, counted)).toEqual(found);
	expect(await rows('qrCode', by, counted)).toEqual(found);
});

it.each([[undefined], [0], [[]], [{}], [{ topCountries: [] }]])(
	'returns no rows without counts: %j',
	async (data) => expect(await rows('shortLink', 'country', data)).toEqual([]),
);

it('returns the record with its statistics by default, or the raw response', async () => {
	expect(await rows('shortLink', 'record', counted)).toMatchObject([
		{ id: 7, statistics: { topCountries: { Canada: 4 } } },
	]);
	expect(await rows('shortLink', 'country', counted, { rawResponse: true })).toMatchObject([
		{ details: { id: '7' }, data: counted },
	]);
});

it('returns nothing for a link without clicks, whose networks are all listed', async () => {
	expect(await rows('shortLink', 'network', { socialCount: { facebook: 0, twitter: '0' } })).toEqual([]);
});

it('takes the count that a record lacks from its statistics', async () => {
	expect(await rows('shortLink', 'record', { clicks: 5 })).toMatchObject([{ id: 7, clicks: 5 }]);
	expect(await rows('qrCode', 'record', { clicks: '5' })).toMatchObject([{ id: 7, scans: 5 }]);
});
