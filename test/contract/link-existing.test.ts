/** If Exists in the sandbox: repeated workflow runs and concurrent items. */
import type { Engine, RunResult } from '../../engine/index.ts';
import { FakeHost } from '../support/hosts/fake-host';
import { from, records, runNode, startEngine } from '../support/nodes/link-node';
import { variants } from '../../cases/endpoint.ts';
import { LinkSandbox } from '../support/hosts/link-sandbox';

interface Creation {
	resource: string;
	/** The parameters of the operation; the identifying value is `$json.value`. */
	parameters: object;
	/** Two spellings of the same value; `other` is a different value. */
	sameValues: [string, string];
	otherValue: string;
	path: string;
	collection: string;
	/** Whether the service itself creates duplicates. */
	allowsDuplicates: boolean;
}

const value = '={{ $json.value }}';
const creations: Creation[] = [
	{
		resource: 'shortLink',
		parameters: { url: value },
		sameValues: ['https://example.com', 'https://EXAMPLE.com/'],
		otherValue: 'https://example.com/other',
		path: '/urls',
		collection: 'urls',
		allowsDuplicates: true,
	},
	{
		resource: 'campaign',
		parameters: { name: value },
		sameValues: ['Spring Launch', 'spring launch '],
		otherValue: 'Summer',
		path: '/campaigns',
		collection: 'campaigns',
		allowsDuplicates: false,
	},
	{
		resource: 'channel',
		parameters: { name: value },
		sameValues: ['Newsletter', 'NEWSLETTER'],
		otherValue: 'Front Page',
		path: '/channels',
		collection: 'channels',
		allowsDuplicates: true,
	},
	{
		resource: 'pixel',
		parameters: { pixelType: 'bing', name: 'Any', tag: value },
		sameValues: ['T-1', ' T-1 '],
		otherValue: 'T-2',
		path: '/pixels',
		collection: 'pixels',
		allowsDuplicates: true,
	},
	{
		resource: 'domain',
		parameters: { domain: value },
		sameValues: ['https://go.example.com', 'https://GO.example.com/'],
		otherValue: 'https://see.example.com',
		path: '/domains',
		collection: 'domains',
		allowsDuplicates: false,
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
		const { resource, parameters, sameValues, otherValue, path, collection } = creation;
		const count = async (): Promise<number> =>
			(await sandbox.client.entries(`${path}?limit=100`, collection)).length;

		/** Creates a record for each value concurrently. */
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

		it('creates one record for several items with the same value', async () => {
			const result = await create('return', [...sameValues, otherValue, ...sameValues, otherValue]);
			const made = records(result);
			expect(await count()).toBe(2);
			expect(made.map(({ existed }) => existed)).toEqual([false, true, false, true, true, true]);
			const [one, two] = [made[0]!.id, made[2]!.id];
			expect(made.map(({ id }) => id)).toEqual([one, one, two, one, one, two]);
			expect(new Set([one, two]).size).toBe(2);
			expect(result.json('After')).toEqual(made.map((record, n) => from(record, n)));
		});

		it('creates nothing when the workflow runs again', async () => {
			const before = await count();
			const repeated = records(await create('return', [...sameValues, otherValue]));
			expect(repeated.map(({ existed }) => existed)).toEqual([true, true, true]);
			expect(await count()).toBe(before);
		});

		it('fails if the record exists, even if the same run created it', async () => {
			const before = await count();
			const fresh = otherValue.replace(/[^/]*$/, 'fresh$&');
			const [existing, made, twice] = records(await create('fail', [sameValues[1], fresh, fresh]));
			expect(String(existing!.error)).toMatch(/exists already, with the same .* \[item 0\]$/);
			expect(made).toEqual({ id: expect.any(Number) as number, ...made });
			expect(String(twice!.error)).toMatch(/exists already, with the same .* \[item 2\]$/);
			expect(await count()).toBe(before + 1);
		});

		it('creates a record without a search by default', async () => {
			const before = await count();
			const [record] = records(await create(undefined, [sameValues[0]]));
			expect('error' in record!).toBe(!creation.allowsDuplicates);
			expect(await count()).toBe(before + (creation.allowsDuplicates ? 1 : 0));
		});
	});

	it('accepts If Exists from an expression, and rejects unknown values', async () => {
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

		it('with the same target is the existing link', async () => {
			const [first] = records(await create('https://example.com/aliased', 'aliased'));
			const [second] = records(await create('https://example.com/aliased', 'aliased'));
			expect(second).toMatchObject({ id: first!.id, existed: true, shortUrl: first!.shortUrl });
		});

		it('is found in the list if the host cannot search by target', async () => {
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
			const otherValue = await runNode(engine, host, created('https://example.com/elsewhere', 'aliased'));
			await host.stop();
			expect(records(found)).toMatchObject([{ id: 2, existed: true }]);
			expect(otherValue.error?.message).toMatch('This alias is taken');
		});

		it('with another target is rejected with the service’s message', async () => {
			const result = await create('https://example.com/elsewhere', 'aliased');
			expect(result.error).toMatchObject({
				name: 'NodeApiError',
				message: expect.stringMatching(/alias/i) as string,
			});
		});
	});
});
