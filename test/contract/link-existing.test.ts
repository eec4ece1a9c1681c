/** If Exists in the sandbox: repeated workflow runs and concurrent items. */
import { readFileSync } from 'node:fs';
import { table } from '../../nodes/LinkManager/resources';
import type { Resource } from '../../nodes/runtime/table/operation';
import type { Engine, RunResult } from '../../engine/index.ts';
import { FakeHost } from '../support/hosts/fake-host';
import { byId, from, records, runNode, startEngine } from '../support/nodes/link-node';
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

	it('the page names the existing record in the words of the form', () => {
		const page = readFileSync('docs/link-manager.md', 'utf8');
		for (const { name, operations } of Object.values<Resource>(table)) {
			const { existing } = operations.create ?? {};
			const row = new RegExp(`^\\| ${name} +\\| ([^;|]*[^;| ])`, 'im').exec(page);
			expect(row?.[1]).toBe(existing?.matchedBy);
		}
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
			expect(records(otherValue)).toMatchObject([{ id: 2, existed: true, differs: ['longUrl'] }]);
		});

		it('with another target is the existing link, and its target differs', async () => {
			const [link] = records(await create('https://example.com/elsewhere', 'aliased'));
			const longUrl = 'https://example.com/aliased';
			expect(link).toMatchObject({ alias: 'aliased', longUrl, existed: true, differs: ['longUrl'] });
		});
	});

	describe('the rules', () => {
		/** Creates a record for each item. Its members are parameters or, if named in `fields`, additional fields. */
		const run = async (
			resource: string,
			items: object[],
			ifExists: string,
			fields: string[] = [],
			more = {},
		) => {
			const expressions = Object.keys(items[0]!).map((name) => [name, `={{ $json.${name} }}`] as const);
			const node = {
				...{ resource, operation: 'create', ifExists, ...more },
				...Object.fromEntries(expressions.filter(([name]) => !fields.includes(name))),
				additionalFields: Object.fromEntries(expressions.filter(([name]) => fields.includes(name))),
			};
			return records(await runNode(engine, sandbox, node, items, { onError: 'continueRegularOutput' }));
		};
		const stored = async (path: string, collection: string) =>
			await sandbox.client.entries(`${path}?limit=100`, collection);

		it('a run that goes red, blue, red ends red', async () => {
			const items = ['red', 'blue', 'red'].map((description) => ({ name: 'Traffic', description }));
			const made = await run('channel', items, 'update', ['description']);
			expect(made.map(({ existed, differs }) => [existed, differs])).toEqual([
				[false, []],
				[true, []],
				[true, []],
			]);
			const channels = await stored('/channels', 'channels');
			expect(channels.filter(({ name }) => name === 'Traffic')).toMatchObject([{ description: 'red' }]);
		});

		const text = { qrType: 'text', qrText: 'x' };

		it('a name that differs only in case is refused if several do', async () => {
			for (const name of ['SALE', 'Sale', 'sAlE']) {
				const { id } = await sandbox.client.add('/qr/add', { type: 'text', data: name });
				await sandbox.client.call('PUT', `/qr/${id}/update`, { data: name, name });
			}
			const names = [{ name: 'Sale' }, { name: 'sale' }];
			const [same, unclear] = await run('qrCode', names, 'return', ['name'], text);
			expect(same).toMatchObject({ name: 'Sale', existed: true, differs: ['type', 'data'] });
			expect(unclear!.error).toMatch(
				/^Several have the name "sale" in another case: .*"SALE" \(ID \d+\).*"sAlE" \(ID \d+\) \[item 1\]$/,
			);
		});

		it('Fail on a QR code without a name is refused', async () => {
			const [refused] = await run('qrCode', [{}], 'fail', [], text);
			expect(refused!.error).toMatch(/^If Exists → Fail looks for a QR code with the same name/);
		});

		it('a QR code without a name is always created', async () => {
			const made = await run('qrCode', [{}, {}], 'return', [], text);
			expect(made).toMatchObject([{ existed: false }, { existed: false }]);
			expect(made[0]!.id).not.toBe(made[1]!.id);
		});

		it('a domain is the same with and without https://, port 443 and punycode, and not with http://', async () => {
			const same = [
				'https://über.example',
				'xn--ber-goa.example',
				'ÜBER.example:443',
				'https://über.example/',
			];
			const made = await run(
				'domain',
				[...same, 'http://über.example'].map((domain) => ({ domain })),
				'return',
			);
			expect(made.map(({ existed }) => existed)).toEqual([false, true, true, true, false]);
		});

		it('an alias belongs to its domain', async () => {
			await sandbox.client.add('/domain/add', { domain: 'https://b.example' });
			await sandbox.client.add('/url/add', { url: 'https://example.com/own', custom: 'owned' });
			const domain = { __rl: true, mode: 'id', value: 'https://b.example' };
			const parameters = { url: 'https://example.com/new', additionalFields: { custom: 'owned', domain } };
			const node = { resource: 'shortLink', operation: 'create', ifExists: 'update', ...parameters };
			expect((await runNode(engine, sandbox, node)).error?.message).toMatch(/alias/i);
			const [own] = await stored('/urls', 'urls');
			expect(own).toMatchObject({ longurl: 'https://example.com/own' });
		});

		describe('with an alias that several links may have', () => {
			const twoDomains = ['https://a.example/shared', 'https://b.example/shared'];
			/** Runs the node on a host with these links, which have the alias `shared`. */
			const found = async (links: object[], fields: object) => {
				const urls = links.map((link, n) => ({
					id: n + 1,
					alias: 'shared',
					longurl: `https://example.com/${n}`,
					...link,
				}));
				const host = await FakeHost.start(({ method }) =>
					method === 'GET' ? { body: { error: 0, data: { maxpage: 1, urls } } } : { status: 500 },
				);
				const additionalFields = { custom: 'shared', ...fields };
				const node = { resource: 'shortLink', operation: 'create', ifExists: 'update', additionalFields };
				const { error, ...result } = await runNode(engine, host, { ...node, url: 'https://example.com/1' });
				await host.stop();
				expect(host.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
				return error?.message ?? records({ ...result, error } as RunResult)[0];
			};

			it('an alias on any domain counts without the field Domain; if there are several, the item fails', async () => {
				const links = twoDomains.map((shorturl) => ({ shorturl }));
				expect(await found(links, {})).toMatch(
					/^Several short links with the alias "shared" exist: choose a Domain: .*\(ID 1\), .*\(ID 2\) \[item 0\]$/,
				);
				expect(
					await found(
						links.slice(1).map((link) => ({ ...link, longurl: 'https://example.com/1' })),
						{},
					),
				).toMatchObject({ id: 1, existed: true });
			});

			it('the item fails if the host does not show the domain of a link with the alias', async () => {
				const domain = { __rl: true, mode: 'id', value: 'https://b.example' };
				expect(await found([{}], { domain })).toMatch(
					/^The service does not show the domain of short links with the alias "shared": .*\(ID 1\) \[item 0\]$/,
				);
			});

			it.each([null, ''])('the short URL shows the domain if the link has %j', async (none) => {
				const links = twoDomains.map((shorturl) => ({ shorturl, domain: none }));
				const domain = { __rl: true, mode: 'id', value: 'https://b.example' };
				expect(await found(links, { domain })).toMatchObject({ id: 2, existed: true, differs: [] });
			});
		});

		it('an alias that no link has is given to the link with the target', async () => {
			const { id } = await sandbox.client.add('/url/add', {
				url: 'https://example.com/unnamed',
				custom: 'before',
			});
			const [updated] = await run(
				'shortLink',
				[{ url: 'https://example.com/unnamed', custom: 'after' }],
				'update',
				['custom'],
			);
			expect(updated).toMatchObject({ id: Number(id), alias: 'after', existed: true, differs: [] });
		});

		it('the oldest link with the target counts, wherever its item stands', async () => {
			const url = 'https://example.com?twice=1';
			const first = await sandbox.client.add('/url/add', { url: 'https://example.com/?twice=1' });
			await sandbox.client.add('/url/add', { url });
			for (const items of [[{ url }], [{ url: 'https://example.com/before' }, { url }]]) {
				const found = (await run('shortLink', items, 'return')).at(-1);
				expect(found).toMatchObject({ id: Number(first.id), existed: true, differs: [] });
			}
		});

		it('differs names what the service does not show', async () => {
			const item = { url: 'https://example.com/shown', utmSource: 'letter', password: 'x', description: 'y' };
			const differs = async (ifExists: string) => {
				const fields = ['utmSource', 'password', 'description'];
				return (await run('shortLink', [item], ifExists, fields))[0]!.differs;
			};
			expect(await differs('update')).toEqual([]);
			expect(await differs('return')).toEqual(['password', 'parameters']);
			expect(await differs('update')).toEqual([]);
		});

		it('differs names every field whose value differs or cannot be compared', async () => {
			const [campaign, channel] = await Promise.all(
				['campaign', 'channel'].map(
					async (path) => (await sandbox.client.add(`/${path}/add`, { name: 'Other' })).id,
				),
			);
			const url = 'https://example.com/differs';
			await sandbox.client.add('/domain/add', { domain: 'https://c.example' });
			await sandbox.client.add('/url/add', { url, custom: 'lower' });
			const expected = {
				alias: { custom: 'LOWER' },
				campaign: { campaignId: byId(campaign) },
				channel: { channelId: byId(channel) },
				domain: { domain: byId('https://c.example') },
				expiry: { expiry: '2090-01-01 10:00' },
				metaimage: { metaimage: 'https://example.com/card.png' },
				parameters: { utmTerm: 'shoes' },
				password: { password: 'secret' },
				title: { metatitle: 'Other' },
				type: { redirectType: 'frame' },
				unlisted: { otherFields: '{ "unlisted": 1 }' },
			};
			for (const [member, additionalFields] of Object.entries(expected)) {
				const node = {
					resource: 'shortLink',
					operation: 'create',
					ifExists: 'return',
					url,
					additionalFields,
				};
				expect(records(await runNode(engine, sandbox, node))).toMatchObject([
					{ existed: true, differs: [member] },
				]);
			}
		});

		it('each item knows what those before it created, even with Create Another', async () => {
			const items = ['return', 'create', 'return'].map((ifExists, n) => ({
				name: n === 0 ? 'One' : 'Two',
				ifExists,
			}));
			const made = await run('channel', items, '={{ $json.ifExists }}');
			expect(made.map(({ existed }) => existed)).toEqual([false, false, true]);
			expect(made[2]!.id).toBe(made[1]!.id);
		});

		describe('while the list is read', () => {
			let host: FakeHost;
			let ids: number[];

			beforeAll(async () => {
				host = await FakeHost.inFrontOf(sandbox.baseUrl);
				const made = Array.from(
					{ length: 120 },
					async (_, n) =>
						await sandbox.client.add('/pixel/add', { type: 'bing', name: 'Any', tag: `moving-${n}` }),
				);
				ids = (await Promise.all(made)).map(({ id }) => Number(id)).sort((a, b) => a - b);
			});
			afterAll(() => host.stop());

			/** Deletes the newest pixel before each of the first requests of page 2. */
			const ensure = async (deletions: number, tags: unknown[]) => {
				let left = deletions;
				host.respond = async ({ url }) => {
					if (url.includes('page=2') && (left -= 1) >= 0)
						await sandbox.client.call('DELETE', `/pixel/${ids.pop()}/delete`);
					return undefined;
				};
				const node = {
					resource: 'pixel',
					operation: 'create',
					pixelType: 'bing',
					name: 'Any',
					tag: '={{ $json.tag }}',
				};
				const options = { concurrency: 1 };
				return records(
					await runNode(
						engine,
						host,
						{ ...node, ifExists: 'return', options },
						tags.map((tag) => ({ tag })),
						{ onError: 'continueRegularOutput' },
					),
				);
			};

			it('a record that moves to the page before is found', async () => {
				const pixels = await sandbox.client.allEntries('/pixels', 'pixels');
				const { tag } = pixels[100]!;
				expect(await ensure(1, [tag])).toMatchObject([{ tag, existed: true }]);
			});

			it('a record that is deleted is not found', async () => {
				const pixels = await stored('/pixels', 'pixels');
				const { tag } = pixels.find(({ id }) => Number(id) === ids.at(-1))!;
				expect(await ensure(1, [tag])).toMatchObject([{ tag, existed: false }]);
			});

			it('nothing is created if the list does not come to rest', async () => {
				const made = await ensure(6, ['new', 'new']);
				expect(made.map(({ error }) => error)).toEqual(
					Array(2).fill('The list /api/pixels kept changing while it was read'),
				);
				expect(
					host.requests.filter(({ method, body }) => method === 'POST' && body.includes('"new"')),
				).toEqual([]);
			});
		});

		it('Raw Response returns the response to each item’s request, or says that there was none', async () => {
			const options = { options: { rawResponse: true } };
			const [made, found] = await run('channel', [{ name: 'Raw' }, { name: 'Raw' }], 'return', [], options);
			expect(made).toHaveProperty('serviceError');
			expect(made).not.toHaveProperty('existed');
			expect(found).toEqual({
				message: 'The record exists: no request was sent for this item',
				id: Number(made!.id),
			});
		});
	});
});
