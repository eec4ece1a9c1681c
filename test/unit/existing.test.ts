/** Finding existing records: by list or search, once for all items of a run. */
import type { IDataObject } from 'n8n-workflow';
import type { RequestParts } from '../../nodes/runtime/api-types';
import { ExistingRecords } from '../../nodes/runtime/execute/existing';
import type { Existing } from '../../nodes/runtime/table/listing';
import { operation } from '../../nodes/runtime/table/operation';
import { anything, record } from '../../nodes/runtime/table/record';
import { clock } from '../../nodes/runtime/clock';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { WorldApi } from './trigger-world';

const sameName: Existing = {
	matchedBy: 'with the same name',
	keyOfInput: ({ name }) => (name === undefined ? undefined : String(name).toLowerCase()),
	keyOfRecord: ({ name }) => String(name).toLowerCase(),
};

/** A list without pages. */
const list = operation('GET /names', {
	name: 'Get Many',
	action: 'Get many names',
	description: 'List the names',
	paging: {
		pageSize: 100,
		query: () => ({}),
		identity: (entry) => JSON.stringify(entry),
		read: ({ json }) => ({ records: json as unknown[], more: false }),
	},
	output: { schema: record({ record: anything }), select: ({ json }) => json },
});

/** Reads a page of a list that never ends, or all results of a search. */
const readPage: NonNullable<typeof list.paging>['read'] = ({ json }, _page, _refuse, query) => ({
	records: json as unknown[],
	more: 'page' in query && !('q' in query),
});

const existingRecords = (existing: Existing = sameName) => new ExistingRecords(existing, list);

/** A service that stores names; creating one is asynchronous. Records the calls. */
function serviceWith(records: IDataObject[], refuse: (name: string) => boolean = () => false) {
	const calls: string[] = [];
	const api = new WorldApi({
		ask: (_, { query }: RequestParts) => {
			calls.push(`list ${JSON.stringify(query)}`);
			return records;
		},
	});
	const create = async (name?: string) => {
		calls.push(`create ${name}`);
		await Promise.resolve();
		if (refuse(String(name))) return { refused: new Error(`No ${name}`) };
		const record = { id: records.length + 1, name };
		records.push(record);
		return { record };
	};
	return {
		calls,
		records,
		ensure: (existing: ExistingRecords, name?: string) =>
			existing.findOrCreate(api, { name }, async () => await create(name)),
	};
}

it('creates missing records and finds existing ones', async () => {
	const { ensure, calls } = serviceWith([{ id: 1, name: 'Spring' }]);
	const existing = existingRecords();
	expect(await ensure(existing, 'SPRING')).toEqual({ record: { id: 1, name: 'Spring' }, existed: true });
	expect(await ensure(existing, 'Summer')).toEqual({ record: { id: 2, name: 'Summer' }, existed: false });
	expect(await ensure(existing, 'summer')).toEqual({ record: { id: 2, name: 'Summer' }, existed: true });
	expect(calls).toEqual(['list {}', 'create Summer']);
});

it('creates one record for many items at the same time, and reads the list once', async () => {
	const { ensure, calls } = serviceWith([]);
	const existing = existingRecords();
	const result = await Promise.all(['a', 'A', 'b', 'a', 'B'].map((name) => ensure(existing, name)));
	expect(result.map(({ record }) => record.id)).toEqual([1, 1, 2, 1, 2]);
	expect(result.map(({ existed }) => existed)).toEqual([false, true, false, true, true]);
	expect(calls.sort()).toEqual(['create a', 'create b', 'list {}']);
});

it('creates the record of the next item if the first creation is rejected', async () => {
	let first = true;
	const { ensure, records } = serviceWith([], () => first && !(first = false));
	const existing = existingRecords();
	const [one, two, three] = await Promise.allSettled(['a', 'a', 'a'].map((name) => ensure(existing, name)));
	expect(one).toMatchObject({ status: 'rejected' });
	expect(two).toMatchObject({ status: 'fulfilled', value: { existed: false } });
	expect(three).toMatchObject({ status: 'fulfilled', value: { existed: true } });
	expect(records).toHaveLength(1);
});

it('always creates records without an identifying value', async () => {
	const { ensure, calls } = serviceWith([]);
	const existing = existingRecords();
	expect(await ensure(existing)).toMatchObject({ record: { id: 1 }, existed: false });
	expect(await ensure(existing)).toMatchObject({ record: { id: 2 }, existed: false });
	expect(calls).toEqual(['create undefined', 'create undefined']);
});

describe('with a search', () => {
	const searchable: Existing = { ...sameName, search: ({ name }) => ({ q: name }) };
	let time: VirtualClock;

	beforeEach(() => {
		time = makeVirtual(clock);
	});
	afterEach(() => time.restore());

	it('searches for the first record, then reads a short list once for all others', async () => {
		const { ensure, calls } = serviceWith([{ id: 1, name: 'a' }]);
		const existing = existingRecords(searchable);
		await ensure(existing, 'a');
		await Promise.all(['b', 'c', 'A', 'd'].map((name) => ensure(existing, name)));
		expect(calls.slice(0, 2)).toEqual(['list {"q":"a"}', 'list {}']);
		expect(calls.slice(2).sort()).toEqual(['create b', 'create c', 'create d']);
	});

	it('reads at most five pages of a long list, then searches for the other records', async () => {
		const requested: unknown[] = [];
		const api = new WorldApi({
			ask: (_, { query }: RequestParts) => {
				requested.push(query.q ?? query.page);
				if (query.q !== undefined) return [];
				return [{ name: `p${String(query.page)}` }];
			},
		});
		const pagedList = {
			...list,
			paging: { ...list.paging!, query: (page: number) => ({ page }), read: readPage },
		};
		const existing = new ExistingRecords(searchable, pagedList);
		const existed: string[] = [];
		for (const name of ['x1', 'x2', 'p2', 'x3', 'x4', 'p5', 'x5', 'p6']) {
			const result = await existing.findOrCreate(api, { name }, () => Promise.resolve({ record: { name } }));
			if (result.existed) existed.push(name);
		}
		expect(requested).toEqual(['x1', 1, 'x2', 2, 3, 'x3', 4, 'x4', 5, 'x5', 'p6']);
		expect(existed).toEqual(['p2', 'p5']);
	});

	it('reads the list again after more than a minute', async () => {
		const { ensure, records } = serviceWith([]);
		const existing = existingRecords(searchable);
		await ensure(existing, 'a');
		await ensure(existing, 'b');
		records.push({ id: 8, name: 'c' });
		await clock.sleep(60_000);
		expect(await ensure(existing, 'c')).toMatchObject({ existed: false });
		records.push({ id: 9, name: 'd' });
		await clock.sleep(1);
		expect(await ensure(existing, 'd')).toMatchObject({ existed: true, record: { id: 9 } });
	});

	it('searches for each record if the list can’t be read', async () => {
		const requested: unknown[] = [];
		const api = new WorldApi({
			ask: (_, { query }: RequestParts) => {
				requested.push(query.q);
				if (!('q' in query)) throw new Error('Away');
				return [];
			},
		});
		const existing = existingRecords(searchable);
		for (const name of ['a', 'b', 'c'])
			await existing.findOrCreate(api, { name }, () => Promise.resolve({ record: { name } }));
		expect(requested).toEqual(['a', undefined, 'b', 'c']);
	});
});

it('returns the conflicting record if it matches the requested one', async () => {
	const records: IDataObject[] = [];
	// Another client creates the record after the list was read.
	const { ensure } = serviceWith(records, (name) => records.push({ id: 9, name, url: 'x' }) > 0);
	const existing = existingRecords({
		...sameName,
		onConflict: ({ name }) => ({ search: { q: name }, matches: (record) => record.name === name }),
	});
	expect(await ensure(existing, 'a')).toEqual({ record: { id: 9, name: 'a', url: 'x' }, existed: true });
	const neverMatching = existingRecords({
		...sameName,
		onConflict: () => ({ search: {}, matches: () => false }),
	});
	await expect(ensure(neverMatching, 'b')).rejects.toThrow('No b');
});

it('reads the list again after a failure', async () => {
	let isFailing = true;
	const existing = existingRecords();
	const api = new WorldApi({
		ask: () => {
			if (isFailing) throw new Error('Not now');
			return [{ id: 1, name: 'a' }];
		},
	});
	const create = async () => ({ record: { id: 2 } });
	await expect(existing.findOrCreate(api, { name: 'a' }, create)).rejects.toThrow('Not now');
	isFailing = false;
	expect(await existing.findOrCreate(api, { name: 'a' }, create)).toEqual({
		record: { id: 1, name: 'a' },
		existed: true,
	});
});
