/** If Exists in the sandbox: repeated workflow runs and concurrent items. */
import { readFileSync } from 'node:fs';
import { table } from '../../nodes/LinkManager/resources';
import type { Resource } from '../../nodes/runtime/table/operation';
import type { RunResult } from '../../engine/index.ts';
import { FakeHost } from '../support/hosts/fake-host';
import { byId, byUrl, records, runNode } from '../support/nodes/link-node';
import { variants } from '../../cases/endpoint.ts';
import { LinkSandbox } from '../support/hosts/link-sandbox';
import { engine } from '../support/nodes/suite-engine';

describe.each(variants)('%s', (variant) => {
	let sandbox: LinkSandbox;

	beforeAll(async () => {
		sandbox = await LinkSandbox.start({ variant });
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
		};
		const inputs = ['Create Another', 'Return Existing', 'FAIL', 'skip'].map((instead) => ({ instead }));
		const result = await runNode(engine, sandbox, parameters, inputs, { onError: 'continueRegularOutput' });
		const [made, existing, failed, refused] = records(result);
		expect(existing).toMatchObject({ id: made!.id, existed: true });
		expect(failed!.error).toMatch(/^Channel \d+ exists already, with the same name \[item 2\]$/);
		expect(refused!.error).toBe('If Exists "skip" is not one of the options [item 3]');
	});

	it('an alias is found in the list if the host cannot search by target', async () => {
		const url = 'https://example.com/aliased';
		const create = (target: string) => ({
			...{ resource: 'shortLink', operation: 'create', ifExists: 'return' },
			...{ url: target, additionalFields: { custom: 'aliased' } },
		});
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
		const found = await runNode(engine, host, create(url));
		const otherValue = await runNode(engine, host, create('https://example.com/elsewhere'));
		expect(records(found)).toMatchObject([{ id: 2, existed: true }]);
		expect(records(otherValue)).toMatchObject([{ id: 2, existed: true, differs: ['longUrl'] }]);
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
				expect(host.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
				return error?.message ?? records({ ...result, error } as RunResult)[0];
			};

			it('an alias on any domain counts without the field Domain; if there are several, the item fails', async () => {
				const links = twoDomains.map((shorturl) => ({ shorturl }));
				expect(await found(links, {})).toMatch(
					/^Several .* alias "shared" exist: choose a Domain: ".* \(a\.example\/shared\)" \(ID 1\), ".* \(b\.example\/shared\)" \(ID 2\) \[item 0\]$/,
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

			it.each([null, '', 'B.example'])('finds the domain of a link whose domain is %j', async (shown) => {
				const links = twoDomains.map((shorturl, n) => ({ shorturl, domain: n === 1 ? shown : null }));
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

		it('a color is the same in capitals', async () => {
			await sandbox.client.add('/channel/add', { name: 'Colored', color: '#ABCDEF' });
			const [found] = await run('channel', [{ name: 'Colored', color: '#abcdef' }], 'return', ['color']);
			expect(found).toMatchObject({ existed: true, color: '#ABCDEF', differs: [] });
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
				return records(
					await runNode(
						engine,
						host,
						{ ...node, ifExists: 'return' },
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
					[0, 1].map((n) => `The list /api/pixels kept changing while it was read [item ${n}]`),
				);
				expect(
					host.requests.filter(({ method, body }) => method === 'POST' && body.includes('"new"')),
				).toEqual([]);
			});
		});

		it('Raw Response returns the response to each item’s request, or says that there was none', async () => {
			const options = { options: { rawResponse: true } };
			const [made, found] = await run('channel', [{ name: 'Raw' }, { name: 'Raw' }], 'return', [], options);
			expect(made).toHaveProperty('error');
			expect(made).not.toHaveProperty('existed');
			expect(found).toEqual({
				message: 'The record exists: nothing was written for this item',
				id: Number(made!.id),
			});
		});
	});
});

describe('a host of its own', () => {
	let host: FakeHost;
	let listed: Array<Record<string, unknown>>;

	beforeEach(async () => {
		host = await FakeHost.start(({ method, path, url, body }) => {
			const sent = (body ? JSON.parse(body) : {}) as object;
			if (method === 'POST')
				return { body: { error: 0, id: 900, shorturl: 'https://links.test/new', ...sent } };
			if (method === 'PUT') return { body: { error: 0, id: Number(path.split('/')[3]) } };
			const query = new URL(url, 'http://host').searchParams;
			const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))];
			const found = listed.filter((record) => JSON.stringify(record).includes(query.get('q') ?? ''));
			const entries = found.slice((page - 1) * limit, page * limit);
			const collections = Object.fromEntries(
				['urls', 'campaigns', 'channels', 'domains'].map((name) => [name, entries]),
			);
			const maxpage = Math.max(1, Math.ceil(found.length / limit));
			return { body: { error: 0, data: { result: found.length, perpage: limit, maxpage, ...collections } } };
		});
	});

	const run = async (parameters: object, items: object[] = [{}]) =>
		records(
			await runNode(engine, host, { operation: 'create', ifExists: 'update', ...parameters }, items, {
				onError: 'continueRegularOutput',
			}),
		);
	const written = () =>
		host.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
	const link = (id: number, description = 'ours') => ({
		...{ id, alias: `alias-${id}`, shorturl: `https://links.test/alias-${id}` },
		...{ longurl: `https://example.com/page-${id}`, description },
	});

	it('in a long list, an item knows only what its own search finds', async () => {
		listed = Array.from({ length: 500 }, (_, index) => link(500 - index));
		host.respond = ((first) => async (request, pass) => {
			const reply = await first(request, pass);
			// Another process deletes a link, and changes one, after the first request.
			listed = listed.filter(({ id }) => id !== 500);
			listed = listed.map((record) => (record.id === 499 ? link(499, 'theirs') : record));
			return reply;
		})(host.respond);
		const parameters = { resource: 'shortLink', url: '={{ $json.url }}' };
		const urls = [500, 499].map((id) => ({ url: link(id).longurl }));
		expect(await run({ ...parameters, additionalFields: { description: 'ours' } }, urls)).toMatchObject([
			{ existed: false },
			{ id: 499, existed: true, description: 'ours' },
		]);
		expect(written()).toEqual(['POST /api/url/add', 'PUT /api/url/499/update']);
	});

	it('items take turns in their order, whatever their fields, and the last one that is updated counts', async () => {
		listed = [];
		const items = ['2031-01-02', '', ''].map((expiry, n) => ({ expiry, description: `of item ${n}` }));
		const additionalFields = { expiry: '={{ $json.expiry }}', description: '={{ $json.description }}' };
		const parameters = { resource: 'shortLink', url: link(1).longurl, additionalFields, options: {} };
		expect(await run(parameters, items)).toMatchObject([
			{ existed: false, description: 'of item 0' },
			{ existed: true, description: 'of item 1' },
			{ existed: true, description: 'of item 2' },
		]);
		expect(written()).toEqual(['POST /api/url/add', 'PUT /api/url/900/update', 'PUT /api/url/900/update']);
	});

	it('an execution that waits for another one ends when it is stopped', async () => {
		listed = [];
		const { respond } = host;
		const start = async (signal?: AbortSignal) =>
			await runNode(
				engine,
				host,
				{ resource: 'channel', operation: 'create', name: 'New', ifExists: 'return' },
				[{}],
				{ signal },
			);
		let stopped: RunResult | undefined;
		host.respond = async (request, pass) => {
			if (request.method === 'POST') stopped = await start(AbortSignal.timeout(50));
			return await respond(request, pass);
		};
		expect(await start()).toMatchObject({ status: 'success' });
		expect(stopped).toMatchObject({ status: 'canceled' });
		expect(written()).toEqual(['POST /api/channel/add']);
	});

	it('Raw Response has an empty ID if the host lists none', async () => {
		listed = [{ name: 'Old' }];
		const parameters = { resource: 'channel', ifExists: 'return', options: { rawResponse: true } };
		const message = 'The record exists: nothing was written for this item';
		expect(await run({ ...parameters, name: 'Old' })).toEqual([{ message, id: null }]);
	});

	it('an item that needs no request is done although the rate limit is used up', async () => {
		listed = [{ id: 1, name: 'Old', description: 'ours' }];
		host.respond = ((first) => async (request, pass) => {
			if (request.method !== 'GET') return { status: 429, headers: { 'retry-after': '60' }, body: {} };
			return await first(request, pass);
		})(host.respond);
		const items = ['New', 'Old', 'old', 'Old'].map((name) => ({ name }));
		const parameters = { resource: 'channel', name: '={{ $json.name }}', options: { maximumWait: 0 } };
		const refused = { error: expect.stringMatching(/is used up: try again in \d+ s$/) as string };
		const found = { id: 1, existed: true };
		expect(await run(parameters, items)).toMatchObject([refused, found, refused, found]);
	});

	it('with Whole Record, what is read back decides what differs', async () => {
		listed = [];
		host.respond = ((first) => async (request, pass) => {
			const reply = await first(request, pass);
			// The service shows only the name of a campaign.
			if (request.method === 'POST') listed = [{ ...link(900, 'theirs'), campaign: 'Spring' }];
			return reply;
		})(host.respond);
		const additionalFields = { description: 'ours', campaignId: byId(3) };
		const options = { wholeRecord: true };
		expect(
			await run({ resource: 'shortLink', url: link(900).longurl, additionalFields, options }),
		).toMatchObject([{ existed: false, description: 'theirs', differs: ['description'] }]);
	});

	it('with Whole Record, nothing is read back that was not written', async () => {
		listed = [link(1)];
		const shortLink = { resource: 'shortLink', ifExists: 'return', options: { wholeRecord: true } };
		expect(await run({ ...shortLink, url: link(1).longurl })).toMatchObject([{ id: 1, existed: true }]);
		expect(host.requests).toHaveLength(1);
	});

	it.each(['', null])('an empty description is one that is empty in the list: %j', async (shown) => {
		listed = [{ ...link(1), description: shown }];
		const additionalFields = { otherFields: '{ "description": "" }' };
		expect(await run({ resource: 'shortLink', url: link(1).longurl, additionalFields })).toMatchObject([
			{ id: 1, existed: true, differs: [] },
		]);
		expect(written()).toEqual([]);
	});

	it('a description that lacks the scheme of the wanted one is updated', async () => {
		listed = [{ ...link(1), description: 'example.com' }];
		const parameters = { url: link(1).longurl, additionalFields: { description: 'https://example.com' } };
		await run({ resource: 'shortLink', ...parameters });
		expect(written()).toHaveLength(1);
	});

	it.each(['create', "={{ 'create' }}"])('with %s, nothing is compared', async (ifExists) => {
		const parameters = { url: 'https://example.com/a', additionalFields: { custom: 'asked' } };
		expect(await run({ resource: 'shortLink', ifExists, ...parameters })).toMatchObject([
			{ alias: 'new', existed: false, differs: [] },
		]);
	});

	it('a refused search names no parameter of another form', async () => {
		host.respond = () => ({ status: 400, body: { error: 1, message: 'Too short' } });
		const deletion = { resource: 'shortLink', operation: 'delete', linkId: byUrl('https://links.test/a') };
		const creation = { resource: 'shortLink', url: 'https://example.com' };
		for (const [parameters, advice] of [[creation, ''] as const, [deletion, 'Check Short Link. '] as const]) {
			const [{ error, details } = {}] = await run(parameters);
			expect(error).toContain('It says: “Too short”');
			expect(details).toBe(`${advice}GET /api/urls (status 400).`);
		}
	});

	it('a name is not taken for another one that reads like a key of ours', async () => {
		listed = [{ id: 1, name: 'any case of sale' }];
		expect(await run({ resource: 'channel', name: 'Sale' })).toMatchObject([{ existed: false }]);
	});

	it.each([
		['example.com:8080/1', 'https://example.com:8080/1'],
		[' EXAMPLE.com?a=b:c ', 'https://EXAMPLE.com?a=b:c'],
		['bücher.example', 'https://bücher.example'],
		['xn--e1afmkfd.xn--p1ai/a', 'https://xn--e1afmkfd.xn--p1ai/a'],
		['भारत.भारत', 'https://भारत.भारत'],
		['http://example.com', 'http://example.com'],
		['mailto:me@example.com', 'mailto:me@example.com'],
		['192.0.2.1:8080', '192.0.2.1:8080'],
		['no address.', 'no address.'],
	])('the address %j is sent as %j, and a link to it is found with and without it', async (typed, sent) => {
		const rule = { link: typed, device: 'iPhone' };
		const parameters = { resource: 'shortLink', ifExists: 'return', url: '={{ $json.url }}' };
		const additionalFields = { devicetarget: { entry: [rule] } };
		const items = [typed, sent, typed].map((url) => ({ url }));
		const found = await run({ ...parameters, additionalFields }, items);
		expect(found).toMatchObject([false, true, true].map((existed) => ({ existed })));
		await run({ resource: 'domain', domain: 'go.example', additionalFields: { redirectroot: typed } });
		await run({ resource: 'qrCode', qrLink: typed });
		const bodies = host.requests.flatMap(({ method, body }) => (method === 'POST' ? [JSON.parse(body)] : []));
		const made = { url: sent, devicetarget: [{ link: sent, device: 'iPhone' }] };
		expect(bodies).toMatchObject([made, { redirectroot: sent }, { data: sent }]);
		listed = [{ ...link(1), longurl: typed }];
		expect(await run(parameters, items)).toMatchObject(items.map(() => ({ id: 1, existed: true })));
	});

	it('an alias is found whatever blanks are around it, and although the new short URL is encoded', async () => {
		listed = [link(1)];
		host.respond = ((first) => async (request, pass) =>
			request.method === 'POST'
				? { body: { error: 0, id: 2, shorturl: 'https://links.test/%C3%BCber' } }
				: await first(request, pass))(host.respond);
		const aliases = ['über', 'über', ' alias-1 ', '%C3%BCber'].map((alias, n) => ({
			alias,
			url: `https://example.com/${n}`,
		}));
		const parameters = { resource: 'shortLink', url: '={{ $json.url }}', ifExists: 'return' };
		const additionalFields = { custom: '={{ $json.alias }}' };
		expect(await run({ ...parameters, additionalFields }, aliases)).toMatchObject([
			{ id: 2, alias: 'über', existed: false, differs: [] },
			{ id: 2, alias: 'über', existed: true, differs: ['longUrl'] },
			{ id: 1, existed: true, differs: ['longUrl'] },
			{ id: 2, existed: true },
		]);
	});

	it('items that ask for the same record share it, although the service shows it in another form', async () => {
		host.respond = ((first) => async (request, pass) => {
			if (request.method !== 'POST') return await first(request, pass);
			const { name, url, custom } = JSON.parse(request.body) as Record<string, string>;
			if (name !== undefined) return { body: { error: 0, id: 7, name: name.replace('&', '&amp;') } };
			const alias = (custom ?? 'seven').toLowerCase();
			listed = [{ ...link(7), alias, shorturl: `https://links.test/${alias}`, longurl: `${url}/` }];
			return { body: { error: 0, id: 7, shorturl: `https://links.test/${alias}` } };
		})(host.respond);
		const whole = { resource: 'shortLink', options: { wholeRecord: true } };
		for (const [parameters, items, differs] of [
			[{ resource: 'channel', name: 'This & That' }, [{}, {}], ['name']],
			[{ resource: 'campaign', name: 'This & That' }, [{}, {}], ['name']],
			[{ ...whole, url: 'https://example.com/seven' }, [{}, {}], ['longUrl']],
			[
				{ ...whole, url: '={{ $json.url }}', additionalFields: { custom: 'Seven' } },
				['https://example.com/7', 'https://example.com/8'].map((url) => ({ url })),
				['longUrl', 'alias'],
			],
		] as const) {
			listed = [];
			host.requests.length = 0;
			expect(await run({ ...parameters, ifExists: 'return' }, [...items])).toMatchObject([
				{ id: 7, existed: false, differs },
				{ id: 7, existed: true, differs },
			]);
			expect(written()).toHaveLength(1);
		}
	});

	it.each([400, 502])(
		'after an update that failed with %d, the records that the run created are still known',
		async (status) => {
			// The list doesn't show new records yet.
			listed = [{ id: 1, name: 'Old', starred: false }];
			host.respond = ((first) => async (request, pass) =>
				request.method === 'PUT'
					? { status, body: { error: 1, message: 'No' } }
					: await first(request, pass))(host.respond);
			const items = ['New', 'Old', 'New', 'Old'].map((name) => ({ name }));
			const channel = { resource: 'channel', name: '={{ $json.name }}', additionalFields: { starred: true } };
			expect(await run(channel, items)).toMatchObject([
				{ id: 900, existed: false },
				{ error: expect.any(String) as string },
				{ id: 900, existed: true },
				{ error: expect.any(String) as string },
			]);
			expect(written().filter((request) => request.startsWith('POST'))).toHaveLength(1);
		},
	);

	it('after an update in doubt, a record is as the list shows it, not as the run wrote it before', async () => {
		listed = [{ id: 1, name: 'Ours', description: 'a' }];
		host.respond = ((first) => async (request, pass) => {
			if (request.method !== 'PUT') return await first(request, pass);
			const { description } = JSON.parse(request.body) as Record<string, string>;
			listed = [{ ...listed[0], description }];
			return description === 'c' ? { status: 502 } : await first(request, pass);
		})(host.respond);
		const additionalFields = { description: '={{ $json.text }}' };
		const items = ['b', 'c', 'b'].map((text) => ({ text }));
		await run({ resource: 'channel', name: 'Ours', additionalFields }, items);
		expect(listed).toEqual([{ id: 1, name: 'Ours', description: 'b' }]);
	});

	it('after an update, what was sent and an address that moves are unknown unless the response has them', async () => {
		listed = [{ ...link(1), name: 'Spring', rotator: 'https://links.test/r/old', status: 'private' }];
		const shortLink = { resource: 'shortLink', url: link(1).longurl };
		const custom = { additionalFields: { custom: 'moved', description: 'ours', status: 'public' } };
		const moved = await run({ ...shortLink, ...custom });
		expect(moved).toMatchObject([{ id: 1, alias: 'moved', shortUrl: null, existed: true, differs: [] }]);
		expect(moved[0]).not.toHaveProperty('status');
		expect(await run({ ...shortLink, additionalFields: { description: 'theirs' } })).toMatchObject([
			{ id: 1, alias: 'alias-1', shortUrl: link(1).shorturl, description: 'theirs', differs: [] },
		]);
		const slug = { resource: 'campaign', name: 'Spring', additionalFields: { slug: 'new' } };
		expect(await run(slug)).toMatchObject([{ id: 1, rotator: null, existed: true, differs: [] }]);
	});

	it('the domain of a link is that of its short URL, whatever else the list shows', async () => {
		const additionalFields = { custom: 'alias-1', domain: byId('https://links.test') };
		for (const domain of [4, { id: 4, name: 'https://links.test' }, null, 'links.test']) {
			listed = [{ ...link(1), domain }];
			expect(await run({ resource: 'shortLink', url: link(1).longurl, additionalFields })).toMatchObject([
				{ id: 1, existed: true, differs: [] },
			]);
		}
		expect(written()).toEqual([]);
	});

	it('an alias of null identifies no link', async () => {
		listed = [{ ...link(1), alias: 'null', shorturl: 'https://links.test/null' }];
		const otherFields = '{ "custom": null }';
		await run({ resource: 'shortLink', url: 'https://example.com/other', additionalFields: { otherFields } });
		expect(written()).toEqual(['POST /api/url/add']);
	});

	it('a record without an ID can be returned, but not changed', async () => {
		listed = [{ domain: 'https://first.example' }, { domain: 'https://go.example' }];
		const domain = { resource: 'domain', domain: 'go.example' };
		const error = 'The service does not show the ID of "https://go.example" [item 0]';
		const options = { wholeRecord: true };
		expect(await run({ ...domain, ifExists: 'return', options })).toMatchObject([
			{ id: null, domain: 'https://go.example', existed: true },
		]);
		expect(await run({ ...domain, ifExists: 'fail' })).toMatchObject([
			{ error: 'Domain without ID exists already, with the same domain [item 0]' },
		]);
		expect(await run({ ...domain, additionalFields: { redirectroot: 'https://example.com' } })).toMatchObject(
			[{ error }],
		);
		expect(
			await run({ resource: 'domain', operation: 'delete', domainId: byUrl('https://go.example') }),
		).toMatchObject([{ error }]);
		expect(written()).toEqual([]);
	});
});
