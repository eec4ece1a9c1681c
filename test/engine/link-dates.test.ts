/** Converts the link service's dates from the host's time zone, which the credential has, to ISO 8601. */
import nock from 'nock';
import type { RunResult } from '../../engine/index.ts';
import { createFakeService } from '../support/hosts/exchanges';
import { records, runNode, startEngine, type Account } from '../support/nodes/link-node';
import type { Engine } from '../../engine/index.ts';

let engine: Engine;

beforeAll(async () => {
	nock.disableNetConnect();
	engine = await startEngine();
});
afterEach(() => nock.cleanAll());

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
