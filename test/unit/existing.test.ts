import type { IDataObject } from 'n8n-workflow';
import { ExistingRecords, type Maker } from '../../nodes/runtime/execute/existing';
import type { Existing } from '../../nodes/runtime/table/operation';

const sameName: Existing = {
	list: 'getAll',
	sameness: 'with the same name',
	wanted: ({ name }) => (name === undefined ? undefined : String(name).toLowerCase()),
	present: ({ name }) => String(name).toLowerCase(),
};

/** A service that keeps names, a moment at a time. */
function serviceWith(records: IDataObject[], refuse: (name: string) => boolean = () => false) {
	const calls: string[] = [];
	const maker = (name?: string): Maker => ({
		list: async function* (search) {
			calls.push(`list ${JSON.stringify(search)}`);
			await Promise.resolve();
			yield* [...records];
		},
		create: async () => {
			calls.push(`create ${name}`);
			await Promise.resolve();
			if (refuse(String(name))) return { refused: new Error(`No ${name}`) };
			const record = { id: records.length + 1, name };
			records.push(record);
			return { record };
		},
	});
	return {
		calls,
		records,
		ensure: (known: ExistingRecords, name?: string) => known.ensure({ name }, maker(name)),
	};
}

it('makes what is not there, and finds what is', async () => {
	const { ensure, calls } = serviceWith([{ id: 1, name: 'Spring' }]);
	const known = new ExistingRecords(sameName);
	expect(await ensure(known, 'SPRING')).toEqual({ record: { id: 1, name: 'Spring' }, existed: true });
	expect(await ensure(known, 'Summer')).toEqual({ record: { id: 2, name: 'Summer' }, existed: false });
	expect(await ensure(known, 'summer')).toEqual({ record: { id: 2, name: 'Summer' }, existed: true });
	expect(calls).toEqual(['list {}', 'create Summer']);
});

it('makes one of what many want at the same time, with one look at the list', async () => {
	const { ensure, calls } = serviceWith([]);
	const known = new ExistingRecords(sameName);
	const made = await Promise.all(['a', 'A', 'b', 'a', 'B'].map((name) => ensure(known, name)));
	expect(made.map(({ record }) => record.id)).toEqual([1, 1, 2, 1, 2]);
	expect(made.map(({ existed }) => existed)).toEqual([false, true, false, true, true]);
	expect(calls.sort()).toEqual(['create a', 'create b', 'list {}']);
});

it('lets the next one try when the first is refused', async () => {
	let first = true;
	const { ensure, records } = serviceWith([], () => first && !(first = false));
	const known = new ExistingRecords(sameName);
	const [one, two, three] = await Promise.allSettled(['a', 'a', 'a'].map((name) => ensure(known, name)));
	expect(one).toMatchObject({ status: 'rejected' });
	expect(two).toMatchObject({ status: 'fulfilled', value: { existed: false } });
	expect(three).toMatchObject({ status: 'fulfilled', value: { existed: true } });
	expect(records).toHaveLength(1);
});

it('creates what nothing identifies, each time', async () => {
	const { ensure, calls } = serviceWith([]);
	const known = new ExistingRecords(sameName);
	await ensure(known);
	await ensure(known);
	expect(calls).toEqual(['create undefined', 'create undefined']);
});

it('looks for each by itself where the service searches', async () => {
	const { ensure, calls } = serviceWith([{ id: 1, name: 'a' }]);
	const known = new ExistingRecords({ ...sameName, search: ({ name }) => ({ q: name }) });
	await ensure(known, 'a');
	await ensure(known, 'b');
	expect(calls).toEqual(['list {"q":"a"}', 'list {"q":"b"}', 'create b']);
});

it('takes the record that stood in the way, if it is the one that was wanted', async () => {
	const records: IDataObject[] = [];
	// Somebody else makes it between the look at the list and the creation.
	const { ensure } = serviceWith(records, (name) => records.push({ id: 9, name, url: 'x' }) > 0);
	const known = new ExistingRecords({
		...sameName,
		conflicting: ({ name }) => ({ search: { q: name }, matches: (record) => record.name === name }),
	});
	expect(await ensure(known, 'a')).toEqual({ record: { id: 9, name: 'a', url: 'x' }, existed: true });
	const strict = new ExistingRecords({
		...sameName,
		conflicting: () => ({ search: {}, matches: () => false }),
	});
	await expect(ensure(strict, 'b')).rejects.toThrow('No b');
});

it('reads the list again after it could not be read', async () => {
	let broken = true;
	const known = new ExistingRecords(sameName);
	const maker: Maker = {
		list: async function* () {
			if (broken) throw new Error('Not now');
			yield { id: 1, name: 'a' };
		},
		create: async () => ({ record: { id: 2 } }),
	};
	await expect(known.ensure({ name: 'a' }, maker)).rejects.toThrow('Not now');
	broken = false;
	expect(await known.ensure({ name: 'a' }, maker)).toEqual({ record: { id: 1, name: 'a' }, existed: true });
});
