/** What is written and comes out again, first run or second: If Exists with its differences, updates, whole records. */
import type { IDataObject } from 'n8n-workflow';
import type { Engine } from '../../engine/index.ts';
import { variants } from '../support/cases/endpoint';
import { records, runNode, startEngine } from '../support/nodes/link-node';
import { LinkSandbox } from '../support/hosts/link-sandbox';

interface Upsert {
	resource: string;
	/** What stays the same, by parameter. */
	same: object;
	/** What is another in the second run: optional parameters, and required ones. */
	fields: [IDataObject, IDataObject];
	parameters?: [IDataObject, IDataObject];
	/** The record's members for these fields. */
	members: [IDataObject, IDataObject];
	path: string;
	collection: string;
}

const upserts: Upsert[] = [
	{
		resource: 'shortLink',
		same: {},
		parameters: [{ url: 'https://example.com/one' }, { url: 'https://example.com/two' }],
		fields: [{ custom: 'spring' }, { custom: 'spring' }],
		members: [
			{ alias: 'spring', longUrl: 'https://example.com/one' },
			{ alias: 'spring', longUrl: 'https://example.com/two' },
		],
		path: '/urls',
		collection: 'urls',
	},
	{
		resource: 'campaign',
		same: { name: 'Spring' },
		fields: [{ public: false }, { public: true }],
		members: [
			{ name: 'Spring', public: false },
			{ name: 'Spring', public: true },
		],
		path: '/campaigns',
		collection: 'campaigns',
	},
	{
		resource: 'channel',
		same: { name: 'Letter' },
		fields: [{ description: 'Weekly' }, { description: 'Monthly' }],
		members: [{ description: 'Weekly' }, { description: 'Monthly' }],
		path: '/channels',
		collection: 'channels',
	},
	{
		resource: 'pixel',
		same: { pixelType: 'bing', tag: 'T-1' },
		parameters: [{ name: 'Shop' }, { name: 'Bakery' }],
		fields: [{}, {}],
		members: [
			{ type: 'bing', tag: 'T-1', name: 'Shop' },
			{ type: 'bing', tag: 'T-1', name: 'Bakery' },
		],
		path: '/pixels',
		collection: 'pixels',
	},
	{
		resource: 'domain',
		same: { domain: 'https://go.example.com' },
		fields: [{ redirectroot: 'https://example.com/a' }, { redirectroot: 'https://example.com/b' }],
		members: [{ redirectRoot: 'https://example.com/a' }, { redirectRoot: 'https://example.com/b' }],
		path: '/domains',
		collection: 'domains',
	},
];

let engine: Engine;

beforeAll(async () => {
	engine = await startEngine();
});

describe.each(variants)('%s', (variant) => {
	let sandbox: LinkSandbox;

	beforeAll(async () => {
		sandbox = await LinkSandbox.start({ variant });
	});
	afterAll(() => sandbox.stop());

	it.each(upserts.map((upsert) => [upsert.resource, upsert] as const))('%s', async (resource, upsert) => {
		const { same, fields, parameters = [{}, {}], members, path, collection } = upsert;
		const create = async (run: 0 | 1, ifExists: string, options: object = {}): Promise<IDataObject> => {
			const form = { ...same, ...parameters[run], additionalFields: fields[run], ifExists, options };
			const [record] = records(await runNode(engine, sandbox, { resource, operation: 'create', ...form }));
			return record!;
		};
		const stored = async () => await sandbox.client.entries(`${path}?limit=100`, collection);

		const first = await create(0, 'update', { wholeRecord: true });
		expect(first).toMatchObject({ ...members[0], existed: false, differs: [] });
		const [listed] = records(
			await runNode(engine, sandbox, { resource, operation: 'getAll', returnAll: true }),
		);
		// Known of a new one, also where the host lists neither.
		const { origin: domain } = new URL(sandbox.baseUrl);
		const ofWritten = resource === 'shortLink' ? { domain } : {};
		const ofNew = resource === 'shortLink' ? { uniqueClicks: 0, channel: [], ...ofWritten } : {};
		expect(first).toEqual({ ...listed, ...ofNew, existed: false, differs: [] });

		const changed = Object.keys(members[1]).filter((name) => members[0][name] !== members[1][name]);
		if (resource !== 'shortLink') {
			// Another target is another link, unless it is to be updated by its alias.
			const returned = await create(1, 'return');
			expect(returned).toEqual({ ...listed, existed: true, differs: changed });
		}
		const second = await create(1, 'update');
		expect(second).toEqual({ ...listed, ...members[1], ...ofWritten, existed: true, differs: changed });
		expect(await stored()).toHaveLength(1);
		const third = await create(1, 'return');
		expect(third).toEqual({ ...listed, ...members[1], existed: true, differs: [] });
		expect(Object.keys(third).sort()).toEqual(Object.keys(first).sort());
	});
});
