import type { IDataObject } from 'n8n-workflow';
import { table } from '../../nodes/LinkManager/resources';
import type { Api, ApiResponse } from '../../nodes/runtime/api-types';
import { apiError, isInDoubt } from '../../nodes/runtime/errors/errors';
import { joinRequests } from '../../nodes/runtime/execute/batch';
import { ensure } from '../../nodes/runtime/execute/existing';
import { Item, type ItemRun } from '../../nodes/runtime/execute/item';
import { ItemTask } from '../../nodes/runtime/execute/item-task';
import { KnownRecords } from '../../nodes/runtime/execute/known-records';
import type { Run } from '../../nodes/runtime/execute/run';
import type { Stage } from '../../nodes/runtime/execute/stages';
import type { Existing } from '../../nodes/runtime/table/listing';
import { RUN_DEFAULTS, type IfExists } from '../../nodes/runtime/table/settings';
import { clientOf } from '../support/hosts/service-context';

const node = {
	id: '1',
	name: 'Node',
	type: 'node',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
} as const;
const runOf = (goesOnAfterFailure: boolean): ItemRun => ({
	node: { ...node, position: [0, 0] },
	writes: true,
	goesOnAfterFailure,
	earlierTries: '',
});

describe('an item', () => {
	const failure = (inDoubt: boolean) =>
		apiError(runOf(false).node, { message: 'No', class: 'refused', inDoubt });
	const done = { json: { id: 1 } };

	it.each([
		['a result', [done], 'Done'],
		['no results, as of an empty list', [], 'Done'],
		['a result that says that nothing was done', [{ json: {}, isUndone: true as const }], 'Not done'],
		['a refusal', [failure(false)], 'Not done'],
		['a failure in doubt', [failure(true)], 'In doubt'],
		['a result and a refusal', [done, failure(false)], 'In doubt'],
	])('with %s has this stage', (_, outcome, stage) => {
		const item = new Item(runOf(false), 0);
		expect(item.stage).toBe('Not begun');
		item.settle(outcome);
		expect(item.stage).toBe(stage);
	});

	it.each<[string, Stage[], boolean, Stage]>([
		['nothing was sent', ['Not begun', 'Not begun'], true, 'Not begun'],
		['one was refused and none was done', ['Not done', 'Not begun'], true, 'Not done'],
		['one was written and one was not', ['Done', 'Not done'], true, 'In doubt'],
		['one was read and one was not', ['Done', 'Not done'], false, 'Not done'],
	])('of whose entries %s has this stage', (_, stages, writes, stage) => {
		const item = new Item({ ...runOf(false), writes }, 0);
		item.noteStages(stages);
		expect(item.stage).toBe(stage);
		item.settle([failure(false)], stages);
		expect(item.stage).toBe(stage);
	});

	it('whose results do not say that an entry is in doubt is in doubt', () => {
		const item = new Item(runOf(false), 0);
		item.settle([done], ['Done', 'In doubt']);
		expect(item.stage).toBe('In doubt');
	});

	it('is in doubt from the moment when the service may have written something', () => {
		const item = new Item(runOf(false), 0);
		item.notePossibleWrite();
		expect(item.stage).toBe('In doubt');
	});

	it.each([
		['refused', true],
		['undone', false],
	] as const)(
		'that wrote and then failed is in doubt, unless nothing was done: %s',
		async (failureClass, inDoubt) => {
			const run = runOf(false);
			const item = new Item(run, 0);
			await item.guarded(async () => {
				item.notePossibleWrite();
				await Promise.reject(apiError(run.node, { message: 'No', class: failureClass }));
			});
			expect(isInDoubt(item.outcome![0])).toBe(inDoubt);
		},
	);

	it.each([true, false])('stops the run if it fails, unless the run goes on: %s', (goesOn) => {
		const run = runOf(goesOn);
		new Item(run, 0).settle([done]);
		expect(run.stoppedBy).toBeUndefined();
		const refused = failure(false);
		new Item(run, 1).settle([refused]);
		new Item(run, 2).settle([failure(false)]);
		expect(run.stoppedBy).toBe(goesOn ? undefined : refused);
	});
});

/** A service with campaigns, two to a page. It counts its pages and searches, and keeps what was sent. */
class FakeService {
	readonly pages: unknown[] = [];
	readonly asked: unknown[] = [];

	constructor(public campaigns: IDataObject[]) {}

	readonly api = {
		page: async (_row: unknown, number: number, parts: { query: { q?: string } }) => {
			const { q } = parts.query;
			this.pages.push(q ?? number);
			const all = this.campaigns.filter(({ name }) => q === undefined || name === q);
			const last = Math.ceil(all.length / 2);
			const records = all.slice(2 * number - 2, 2 * number);
			return await Promise.resolve({ records, more: number < last, counts: { total: all.length, last } });
		},
		ask: async (_row: unknown, { body }: { body: IDataObject }) => {
			this.asked.push(body);
			return await Promise.resolve({ json: { error: 0 } });
		},
		once: async (_name: string, work: () => Promise<unknown>) => await (this.known ??= work()),
		owner: async () => await Promise.resolve({ lastingAccount: 'account' }),
		inputError: (message: string) => new Error(message),
		hint: () => undefined,
	} as unknown as Api;

	private known: Promise<unknown> | undefined;
}

const campaigns = (...names: string[]) => names.map((name, index) => ({ id: index + 1, name }));
const { campaign } = table;
const existing = campaign.operations.create!.existing as Existing;
const searched: Existing = {
	...existing,
	lookUps: ({ name }) => existing.lookUps({ name }).map((lookUp) => ({ ...lookUp, search: { q: name } })),
};

describe('the known records of a run', () => {
	const finder = (service: FakeService, rules: Existing, itemCount: number) => {
		const known = new KnownRecords(campaign, rules, itemCount);
		const find = async (name: string) => await known.find(service.api, rules.lookUps({ name }));
		return { known, find };
	};

	it('are read once for all items', async () => {
		const service = new FakeService(campaigns('a', 'b', 'c'));
		const { find } = finder(service, existing, 5);
		expect((await find('c'))?.record).toMatchObject({ id: 3 });
		expect(await find('d')).toBeUndefined();
		expect(service.pages).toEqual([1, 2]);
	});

	it('are searched for each item if the list has more pages than the run has items', async () => {
		const service = new FakeService(campaigns('a', 'b', 'c', 'd', 'e'));
		const { find } = finder(service, searched, 2);
		expect((await find('e'))?.record).toMatchObject({ id: 5 });
		expect((await find('a'))?.record).toMatchObject({ id: 1 });
		expect(service.pages).toEqual([1, 'e', 'a']);
	});

	it('are not searched for one item if the list has one page', async () => {
		const service = new FakeService(campaigns('a', 'b'));
		const { find } = finder(service, searched, 1);
		expect((await find('b'))?.record).toMatchObject({ id: 2 });
		expect(service.pages).toEqual([1]);
	});

	it('are what the run has written, whatever the list shows', async () => {
		const service = new FakeService(campaigns('a'));
		const { known, find } = finder(service, existing, 2);
		known.put({ id: 1, name: 'written' }, { name: 'written' });
		expect((await find('written'))?.record).toMatchObject({ id: 1 });
		expect(await find('a')).toBeUndefined();
	});

	it('are found without looking at each of them', async () => {
		const { known, find } = finder(new FakeService([]), existing, 2);
		const names = Array.from({ length: 1000 }, (_, n) => `campaign ${n}`);
		const looks = campaigns(...names).map((record) => jest.spyOn(known.put(record).keys, 'includes'));
		expect((await find('campaign 999'))?.record).toMatchObject({ id: 1000 });
		expect(looks.filter(({ mock }) => mock.calls.length > 0)).toHaveLength(1);
	});

	it('are read again after they were forgotten', async () => {
		const service = new FakeService(campaigns('a'));
		const { known, find } = finder(service, existing, 2);
		expect(await find('b')).toBeUndefined();
		service.campaigns = campaigns('a', 'b');
		known.forget();
		expect((await find('b'))?.record).toMatchObject({ id: 2 });
	});
});

describe('If Exists', () => {
	const ensuring = (service: FakeService, ifExists: IfExists) => {
		const row = campaign.operations.create!;
		return async (body: IDataObject, create?: () => Promise<never>) =>
			await ensure(
				service.api,
				{
					existing,
					run: { resource: campaign, row, looksForExisting: true, itemCount: 2 },
					settings: { ifExists, wantsWhole: false },
					parts: { body },
				},
				create ??
					(async () => {
						const record = { id: service.campaigns.length + 1, ...body };
						service.campaigns.push(record);
						return await Promise.resolve({ record, response: {} as ApiResponse });
					}),
			);
	};

	it('creates a record once, also for two items at the same time', async () => {
		const service = new FakeService([]);
		const ensured = ensuring(service, 'return');
		const both = await Promise.all([ensured({ name: 'a' }), ensured({ name: 'a' })]);
		expect(both.map(({ existed }) => existed)).toEqual([false, true]);
		expect(service.campaigns).toHaveLength(1);
	});

	it('sends nothing for a record that is as it should be, and names what differs', async () => {
		const service = new FakeService([{ id: 1, name: 'a', public: false }]);
		const ensured = ensuring(service, 'return');
		expect(await ensured({ name: 'a' })).toMatchObject({ existed: true, differs: [], response: undefined });
		expect(await ensured({ name: 'a', public: true })).toMatchObject({ existed: true, differs: ['public'] });
		expect(service.asked).toEqual([]);
	});

	it('updates a record that differs, once', async () => {
		const service = new FakeService([{ id: 1, name: 'a', public: false }]);
		const ensured = ensuring(service, 'update');
		await ensured({ name: 'a', public: true });
		expect(await ensured({ name: 'a', public: true })).toMatchObject({ existed: true, differs: [] });
		expect(service.asked).toEqual([{ name: 'a', public: true }]);
	});

	it('refuses an existing record', async () => {
		const ensured = ensuring(new FakeService(campaigns('a')), 'fail');
		await expect(ensured({ name: 'a' })).rejects.toThrow('Campaign 1 exists already');
	});

	it.each([
		['reads the records again after a creation that may have been carried out', true, 2],
		['knows the records after a creation that was refused', false, 1],
	])('%s', async (_, inDoubt, readings) => {
		const service = new FakeService(campaigns('a'));
		const ensured = ensuring(service, 'return');
		const error = apiError(runOf(false).node, { message: 'No', class: 'refused', inDoubt });
		await expect(ensured({ name: 'b' }, async () => await Promise.reject(error))).rejects.toThrow('No');
		await ensured({ name: 'b' });
		expect(service.pages).toHaveLength(readings);
	});
});

/** A run of Campaign → Create, with these parameters for each item. */
function creating(parameters: IDataObject, changes: Partial<Run> = {}) {
	const { client, sent } = clientOf(() => ({ body: { error: 0, id: '7' } }));
	const run: Run = {
		...runOf(false),
		client,
		resource: campaign,
		row: campaign.operations.create!,
		settings: RUN_DEFAULTS,
		parameter: (name) => parameters[name],
		looksForExisting: false,
		timezone: 'UTC',
		itemCount: 1,
		helpers: {} as Run['helpers'],
		hints: new Set(),
		listInputs: [],
		...changes,
	};
	return { run, sent };
}

describe('a joined request', () => {
	it.each([
		['its second request', true],
		['the reading of its response', false],
	])('is in doubt if %s fails after a write', async (_, failsInSend) => {
		const { run, sent } = creating({ name: 'Spring' });
		const row = { ...run.row, prepare: () => ({ body: { name: ['a', 'b'] } }) };
		const item = new Item(run, 0);
		const [request] = await joinRequests({ ...run, row }, [item], {
			field: 'name',
			send: async (entries, _api, ask) => {
				const response = await ask(entries);
				if (failsInSend) throw new Error('Refused');
				return response;
			},
			readEntry: () => {
				throw new Error('Unreadable');
			},
		});
		await request!.perform();
		expect(sent).toHaveLength(1);
		expect(item.stages).toEqual(['In doubt', 'In doubt']);
		expect(item.outcome?.map(isInDoubt)).toEqual([true, true]);
	});
});

describe('the task of an item', () => {
	const taskOf = (...given: Parameters<typeof creating>) => {
		const { run, sent } = creating(...given);
		const onPossibleWrite = jest.fn();
		return { sent, onPossibleWrite, task: ItemTask.prepare(run, 0, onPossibleWrite) };
	};

	it('reads its parameters and sends its request with one reading of the credential', async () => {
		const { run } = creating({ name: 'Spring' });
		const reading = jest.spyOn(run.client, 'credential');
		const row = {
			...run.row,
			prepare: async (_inputs: unknown, api: Api) => ({ labels: { of: (await api.owner()).host } }),
		};
		await (await ItemTask.prepare({ ...run, row }, 0, () => undefined)).perform();
		expect(reading).toHaveBeenCalledTimes(1);
	});

	it('sends what its parameters say, and makes the declared record of the response', async () => {
		const { sent, onPossibleWrite, task } = taskOf({ name: 'Spring' });
		const [result] = await (await task).perform();
		expect(sent.map(({ body }) => body)).toEqual([{ name: 'Spring' }]);
		expect(result).toMatchObject({ json: { id: 7, name: 'Spring', existed: false } });
		expect(onPossibleWrite).toHaveBeenCalledTimes(1);
	});

	it('is not sent by a tool that is read only', async () => {
		const writeRefusal = { message: 'No', advice: '' };
		const { sent, task } = taskOf({ name: 'Spring' }, { writeRefusal });
		await expect((await task).perform()).rejects.toThrow('No');
		expect(sent).toEqual([]);
	});
});
