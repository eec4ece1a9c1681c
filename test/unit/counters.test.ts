/** The limits of a trigger that watches counters: statistics in a first poll, failures, and huge increases. */
import type { IDataObject } from 'n8n-workflow';
import { table } from '../../nodes/LinkManager/resources';
import { CounterWatch, type CounterOptions } from '../../nodes/LinkManager/triggers/counters';
import { NO_KNOWN_RECORDS } from '../../nodes/LinkManager/triggers/known-records';
import { WorldApi } from './trigger-world';
import { failureOfClass } from '../support/failures';

const { getAll, get } = table.qrCode.operations;
const watchWith = (options: Partial<CounterOptions>) =>
	new CounterWatch({
		...{ idPrefix: 'qr', singular: 'scan', plural: 'scans', list: getAll, itemPerCount: false },
		count: ({ scans }) => Number(scans),
		identifiers: () => [undefined, undefined],
		isWatched: () => true,
		present: (record) => record,
		...options,
	});
const NOTHING_KNOWN = { ...NO_KNOWN_RECORDS, statistics: [] };

/** QR codes with these scans; their ids begin with 1. */
const snapshotOf = (scans: number[]) => ({
	records: scans.map((count, n): IDataObject => ({ id: n + 1, scans: count })),
	isAtomic: true,
	reachedEnd: true,
	nextPage: 1,
});
const oneTo = (last: number): number[] => Array.from({ length: last }, (_, n) => n + 1);

it('reads the statistics of the twenty highest counters in a first poll', async () => {
	const api = new WorldApi({
		ask: (_, { path }) => ({ error: 0, details: { id: path.id }, data: { topCountries: {} } }),
	});
	const { statistics } = await watchWith({ get }).warmUp(NOTHING_KNOWN, snapshotOf(oneTo(21)), api);
	expect(statistics.map(([key]) => Number(key))).toEqual(oneTo(21).slice(1).reverse());
});

it('stops at the third failure of a poll', async () => {
	const api = new WorldApi({
		ask: () => {
			throw failureOfClass('unavailable', 'Not now');
		},
	});
	const watch = watchWith({ get });
	const { events, cursor } = watch.detect(NOTHING_KNOWN, snapshotOf(oneTo(5)));
	await expect(watch.collect(events, 50, api, cursor)).rejects.toThrow('Not now');
	expect(api.requests).toBe(3);
});

it.each([
	[true, ['2', '3', '1']],
	[false, ['1', '2', '3']],
])('emits increases above 1000 last if each count is an item: %s', async (itemPerCount, order) => {
	const watch = watchWith({ itemPerCount });
	const { events, cursor } = watch.detect(NOTHING_KNOWN, snapshotOf([1001, 1000, 1]));
	const { processed } = await watch.collect(events, Infinity, new WorldApi({ ask: () => ({}) }), cursor);
	expect(processed.map(({ key }) => key)).toEqual(order);
});
