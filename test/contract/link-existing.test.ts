/** If Exists against the local service: workflows run again, and their items side by side. */
import type { Engine, RunResult } from '../../engine/index.ts';
import { FakeHost } from '../support/hosts/fake-host';
import { from, records, runNode, startEngine } from '../support/nodes/link-node';
import { variants } from '../support/cases/endpoint';
import { LinkSandbox } from '../support/hosts/link-sandbox';

interface Creation {
	resource: string;
	/** The parameters of a creation that takes what matters from `$json.value`. */
	parameters: object;
	/** One thing in two spellings, and another thing. */
	spellings: [string, string];
	other: string;
	path: string;
	collection: string;
	/** What the service itself does with a second one. */
	allowsTwo: boolean;
}

const value = '={{ $json.value }}';
const creations: Creation[] = [
	{
		resource: 'shortLink',
		parameters: { url: value },
		spellings: ['https://example.com', 'https://EXAMPLE.com/'],
		other: 'https://example.com/other',
		path: '/urls',
		collection: 'urls',
		allowsTwo: true,
	},
	{
		resource: 'campaign',
		parameters: { name: value },
		spellings: ['Spring Launch', 'spring launch '],
		other: 'Summer',
		path: '/campaigns',
		collection: 'campaigns',
		allowsTwo: false,
	},
	{
		resource: 'channel',
		parameters: { name: value },
		spellings: ['Newsletter', 'NEWSLETTER'],
		other: 'Front Page',
		path: '/channels',
		collection: 'channels',
		allowsTwo: true,
	},
	{
		resource: 'pixel',
		parameters: { pixelType: 'bing', name: 'Any', tag: value },
		spellings: ['T-1', ' T-1 '],
		other: 'T-2',
		path: '/pixels',
		collection: 'pixels',
		allowsTwo: true,
	},
	{
		resource: 'domain',
		parameters: { domain: value },
		spellings: ['https://go.example.com', 'https://GO.example.com/'],
		other: 'https://see.example.com',
		path: '/domains',
		collection: 'domains',
		allowsTwo: false,
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

	describe.each(creations)('$resource', (creation) => {
		const { resource, parameters, spellings, other, path, collection } = creation;
		const count = async (): Promise<number> =>
			(await sandbox.client.entries(`${path}?limit=100`, collection)).length;

		/** Creates one for each value, several at a time. */
		const create = async (
			ifExists: string | undefined,
			values: string[],
			more: object = {},
		): Promise<RunResult> =>
			await runNode(
				engine,
				sandbox,
				{
					resource,
					operation: 'create',
					...parameters,
					...(ifExists && { ifExists }),
					...more,
					options: { concurrency: 4 },
				},
				values.map((value) => ({ value })),
				{ onError: 'continueRegularOutput' },
			);

		it('creates one record for several items that want it', async () => {
			const result = await create('return', [...spellings, other, ...spellings, other]);
			const made = records(result);
			expect(await count()).toBe(2);
			expect(made.map(({ existed }) => existed)).toEqual([false, true, false, true, true, true]);
			const [one, two] = [made[0]!.id, made[2]!.id];
			expect(made.map(({ id }) => id)).toEqual([one, one, two, one, one, two]);
			expect(new Set([one, two]).size).toBe(2);
			expect(result.json('After')).toEqual(made.map((record, n) => from(record, n)));
		});

		it('makes nothing when the workflow runs again', async () => {
			const before = await count();
			const again = records(await create('return', [...spellings, other]));
			expect(again.map(({ existed }) => existed)).toEqual([true, true, true]);
			expect(await count()).toBe(before);
		});

		it('fails where there is one already, also when it was made a moment ago', async () => {
			const before = await count();
			const fresh = other.replace(/[^/]*$/, 'fresh$&');
			const [existing, made, twice] = records(await create('fail', [spellings[1], fresh, fresh]));
			expect(String(existing!.error)).toMatch(/exists already, with the same .* \[item 0\]$/);
			expect(made).toEqual({ id: expect.any(Number) as number, ...made });
			expect(String(twice!.error)).toMatch(/exists already, with the same .* \[item 2\]$/);
			expect(await count()).toBe(before + 1);
		});

		it('creates without looking by default', async () => {
			const before = await count();
			const [record] = records(await create(undefined, [spellings[0]]));
			expect('error' in record!).toBe(!creation.allowsTwo);
			expect(await count()).toBe(before + (creation.allowsTwo ? 1 : 0));
		});
	});

	it('takes If Exists from an expression, and refuses one that it does not know', async () => {
		const parameters = {
			resource: 'channel',
			operation: 'create',
			name: 'Chosen',
			ifExists: '={{ $json.instead }}',
			options: { concurrency: 1 },
		};
		const inputs = ['Create Another', 'Return Existing', 'FAIL', 'skip'].map((instead) => ({ instead }));
		const result = await runNode(engine, sandbox, parameters, inputs, { onError: 'continueRegularOutput' });
		const [made, existing, failed, refused] = records(result);
		expect(existing).toMatchObject({ id: made!.id, existed: true });
		expect(failed!.error).toMatch(/^Channel \d+ exists already, with the same name \[item 2\]$/);
		expect(refused!.error).toBe('If Exists "skip" is not one of the options [item 3]');
	});

	describe('an alias', () => {
		const created = (url: string, custom: string) => ({
			resource: 'shortLink',
			operation: 'create',
			ifExists: 'return',
			url,
			additionalFields: { custom },
		});
		const create = (url: string, custom: string): Promise<RunResult> =>
			runNode(engine, sandbox, created(url, custom));

		it('that leads to the same target is the existing link', async () => {
			const [first] = records(await create('https://example.com/aliased', 'aliased'));
			const [second] = records(await create('https://example.com/aliased', 'aliased'));
			expect(second).toMatchObject({ id: first!.id, existed: true, shortUrl: first!.shortUrl });
		});

		it('is found in the list at a host that cannot search by target', async () => {
			const url = 'https://example.com/aliased';
			const links = [
				{ id: 1, alias: 'other-aliased', shorturl: 'https://links.test/other-aliased', longurl: url },
				{ id: 2, alias: 'aliased', shorturl: 'https://links.test/aliased', longurl: url },
			];
			const host = await FakeHost.start(({ method, url: requested }) => {
				if (method === 'POST') return { body: { error: 1, message: 'This alias is taken' } };
				const wanted = new URL(requested, 'http://host').searchParams.get('q') ?? '';
				const urls = links.filter(({ alias }) => alias.includes(wanted));
				return { body: { error: 0, data: { result: urls.length, maxpage: 1, urls } } };
			});
			const found = await runNode(engine, host, created(url, 'aliased'));
			const other = await runNode(engine, host, created('https://example.com/elsewhere', 'aliased'));
			await host.stop();
			expect(records(found)).toMatchObject([{ id: 2, existed: true }]);
			expect(other.error?.message).toMatch('This alias is taken');
		});

		it('that leads elsewhere is refused in the service’s own words', async () => {
			const result = await create('https://example.com/elsewhere', 'aliased');
			expect(result.error).toMatchObject({
				name: 'NodeApiError',
				message: expect.stringMatching(/alias/i) as string,
			});
		});
	});
});
