/** Records that a first and a second run return: If Exists with differences, updates, and whole records. */
import type { IDataObject } from 'n8n-workflow';
import { variants } from '../../cases/endpoint.ts';
import { records, runNode } from '../support/nodes/link-node';
import { LinkSandbox } from '../support/hosts/link-sandbox';
import { engine } from '../support/nodes/suite-engine';

interface Upsert {
	resource: string;
	/** The parameters that stay the same. */
	unchanged: object;
	/** The parameters that the second run changes, optional and required ones. */
	fields: [IDataObject, IDataObject];
	parameters?: [IDataObject, IDataObject];
	/** The members of the record for these parameters. */
	members: [IDataObject, IDataObject];
	path: string;
	collection: string;
}

const upserts: Upsert[] = [
	{
		resource: 'shortLink',
		unchanged: {},
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
		unchanged: { name: 'Spring' },
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
		unchanged: { name: 'Letter' },
		fields: [{ description: 'Weekly' }, { description: 'Monthly' }],
		members: [{ description: 'Weekly' }, { description: 'Monthly' }],
		path: '/channels',
		collection: 'channels',
	},
	{
		resource: 'pixel',
		unchanged: { pixelType: 'bing', tag: 'T-1' },
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
		unchanged: { domain: 'https://go.example.com' },
		fields: [{ redirectroot: 'https://example.com/a' }, { redirectroot: 'https://example.com/b' }],
		members: [{ redirectRoot: 'https://example.com/a' }, { redirectRoot: 'https://example.com/b' }],
		path: '/domains',
		collection: 'domains',
	},
];

describe.each(variants)('%s', (variant) => {
	let sandbox: LinkSandbox;

	beforeAll(async () => {
		sandbox = await LinkSandbox.start({ variant });
	});

	it.each(upserts.map((upsert) => [upsert.resource, upsert] as const))('%s', async (resource, upsert) => {
		const { unchanged, fields, parameters = [{}, {}], members, path, collection } = upsert;
		const create = async (run: 0 | 1, ifExists: string, options: object = {}): Promise<IDataObject> => {
			const form = { ...unchanged, ...parameters[run], additionalFields: fields[run], ifExists, options };
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
		const writtenMembers = resource === 'shortLink' ? { domain } : {};
		const createdMembers =
			resource === 'shortLink' ? { uniqueClicks: 0, channel: [], ...writtenMembers } : {};
		expect(first).toEqual({ ...listed, ...createdMembers, existed: false, differs: [] });

		const changed = Object.keys(members[1]).filter((name) => members[0][name] !== members[1][name]);
		if (resource !== 'shortLink') {
			// Another target is another link, unless it is to be updated by its alias.
			const returned = await create(1, 'return');
			expect(returned).toEqual({ ...listed, existed: true, differs: changed });
		}
		const second = await create(1, 'update');
		expect(second).toEqual({ ...listed, ...members[1], ...writtenMembers, existed: true, differs: [] });
		expect(await stored()).toHaveLength(1);
		const third = await create(1, 'return');
		expect(third).toEqual({ ...listed, ...members[1], existed: true, differs: [] });
		expect(Object.keys(third).sort()).toEqual(Object.keys(first).sort());
	});
});
