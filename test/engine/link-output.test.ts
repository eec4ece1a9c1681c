import nock from 'nock';
import type { RunResult } from '../../engine/index.ts';
import { createFakeService } from '../support/hosts/exchanges';
import { records, runNode, type Account, byId } from '../support/nodes/link-node';
import { engine } from '../support/nodes/suite-engine';

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());

describe('dates', () => {
	/** Lists the pixels of a host that returns these dates. */
	async function listPixels(
		dates: unknown[],
		account: Partial<Account> = {},
		options: object = {},
	): Promise<RunResult> {
		const pixels = dates.map((date, index) => ({ id: index + 1, date }));
		const response = { error: 0, data: { result: pixels.length, currentpage: 1, maxpage: 1, pixels } };
		const { baseUrl } = createFakeService([], '', { '/api/pixels': response });
		const parameters = { resource: 'pixel', operation: 'getAll', returnAll: true, options };
		return await runNode(engine, { baseUrl, ...account }, parameters);
	}

	const datesOf = (result: RunResult): unknown[] => records(result).map(({ date }) => date);

	it.each([
		['UTC', '2021-07-01T12:00:00.000Z', '2021-12-01T12:00:00.000Z'],
		['', '2021-07-01T12:00:00.000Z', '2021-12-01T12:00:00.000Z'],
		['Europe/Berlin', '2021-07-01T10:00:00.000Z', '2021-12-01T11:00:00.000Z'],
		['Asia/Kolkata', '2021-07-01T06:30:00.000Z', '2021-12-01T06:30:00.000Z'],
	])('reads dates in the time zone %j', async (timeZone, summer, winter) => {
		const result = await listPixels(['2021-07-01 12:00:00', '2021-12-01 12:00:00'], { timeZone });
		expect(datesOf(result)).toEqual([summer, winter]);
		expect(result.hints('Link Manager')).toEqual([]);
	});

	it.each(['', null, '0000-00-00 00:00:00', '2021-07-01', '2021-07-01T12:00:00Z', 7])(
		'leaves values unchanged that are not local times: %j',
		async (date) => expect(datesOf(await listPixels([date], { timeZone: 'Europe/Berlin' }))).toEqual([date]),
	);

	it('leaves them unchanged in the raw response', async () => {
		const date = '2021-07-01 12:00:00';
		const zone = { timeZone: 'Europe/Berlin' };
		const raw = records(await listPixels([date], zone, { rawResponse: true }));
		expect(raw).toMatchObject([{ data: { pixels: [{ date }] } }]);
	});

	it('rejects an unknown time zone', async () => {
		const { error } = await listPixels([], { timeZone: 'Europe/Atlantis' });
		expect(error).toMatchObject({
			message: 'There is no time zone "Europe/Atlantis"',
			description: expect.stringContaining('Time Zone of the credential') as string,
		});
	});
});

describe('statistics', () => {
	const counted = {
		topCountries: { Chile: '1', Canada: '4', Unknown: 2 },
		topBrowsers: { Chrome: 7 },
		topOs: { Linux: '7' },
		topReferrers: { 'example.com': '5', Direct: '1,234' },
		socialCount: { facebook: 2, twitter: 0 },
	};

	/** The output of Get for record 7, for each of these items. */
	async function rows(resource: 'qrCode' | 'shortLink', statistics: string, data: unknown, options = {}) {
		const path = resource === 'qrCode' ? '/api/qr/7' : '/api/url/7';
		const service = createFakeService([], '', { [path]: { error: 0, details: { id: '7' }, data } });
		const id = { qrCodeId: byId(7), linkId: byId(7) };
		return records(
			await runNode(engine, service, { resource, operation: 'get', statistics, options, ...id }),
		);
	}

	it.each([
		['country', ['Canada', 4], ['Unknown', 2], ['Chile', 1]],
		['browser', ['Chrome', 7]],
		['system', ['Linux', 7]],
		['referrer', ['Direct', '1,234'], ['example.com', 5]],
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
});
