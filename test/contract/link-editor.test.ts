/** What the editor requests through the Link Manager in the sandbox: lists, and records by URL. */
import { byUrl, credentialsFor, linkManager, records, runNode } from '../support/nodes/link-node';
import { variants } from '../../cases/endpoint.ts';
import { LinkSandbox } from '../support/hosts/link-sandbox';
import { engine } from '../support/nodes/suite-engine';

describe.each(variants)('%s', (variant) => {
	const LINKS = 130;
	let sandbox: LinkSandbox;

	beforeAll(async () => {
		sandbox = await LinkSandbox.start({ variant });
		for (let n = 1; n <= LINKS; n += 1) {
			const body = { url: `https://example.com/${n}`, custom: `link-${n}`, metatitle: `Title ${n}` };
			await sandbox.client.add('/url/add', body);
		}
		for (const tag of ['B', 'A']) {
			await sandbox.client.add('/pixel/add', { type: 'bing', name: `Pixel ${tag}`, tag });
		}
		await sandbox.client.add('/campaign/add', { name: 'Spring' });
		await sandbox.client.add('/domain/add', { domain: 'https://go.example.com' });
		await sandbox.client.add('/qr/add', { type: 'link', data: 'https://example.com/qr' });
	});

	const search = async (method: string, filter?: string, paginationToken?: string) =>
		await engine.listSearch({
			node: linkManager({ resource: 'shortLink', operation: 'get' }),
			method,
			filter,
			paginationToken,
			credentials: credentialsFor(sandbox),
		});

	it('lists domains by their names, and the paths that API Request can send', async () => {
		const { results } = await search('domainName');
		expect(results).toContainEqual(expect.objectContaining({ value: 'https://go.example.com' }));
		const { results: routes } = await search('route', 'campaign: create');
		expect(routes).toEqual([
			{ name: '/api/campaign/add (POST, Campaign: Create)', value: '/api/campaign/add' },
		]);
	});

	it('lists short links page by page', async () => {
		const first = await search('shortLink');
		expect(first.results).toHaveLength(100);
		expect(first.paginationToken).toBeDefined();
		const second = await search('shortLink', undefined, String(first.paginationToken));
		expect(second.paginationToken).toBeUndefined();
		const all = [...first.results, ...second.results];
		expect(new Set(all.map(({ value }) => value)).size).toBe(LINKS);
		expect(all).toContainEqual({
			name: `Title 7 (${sandbox.baseUrl.slice('http://'.length)}/s/link-7)`,
			value: expect.any(Number) as number,
			url: `${sandbox.baseUrl}/s/link-7`,
		});
	});

	it('filters the list, with or without the service’s search', async () => {
		const first = await search('shortLink', 'TITLE 12');
		const token = first.paginationToken;
		const rest = token ? (await search('shortLink', 'TITLE 12', String(token))).results : [];
		expect([...first.results, ...rest].map(({ name }) => name).sort()).toEqual(
			[12, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129]
				.map((n) => `Title ${n} (${sandbox.baseUrl.slice('http://'.length)}/s/link-${n})`)
				.sort(),
		);
		expect((await search('shortLink', 'no such thing')).results).toEqual([]);
		// The list of a link’s channels is empty.
		expect((await search('shortLink', '[]')).results).toEqual([]);
	});

	it('lists countries, languages and devices without a request', async () => {
		expect(await search('country', 'GERM')).toEqual({ results: [{ name: 'Germany', value: 'Germany' }] });
		expect(await search('language', 'frenc')).toEqual({ results: [{ name: 'French', value: 'fr' }] });
		expect(await search('language', 'Tagal')).toEqual({
			results: [{ name: 'Filipino (Tagalog)', value: 'tl' }],
		});
		for (const [typed, country] of [
			['turk', 'Türkiye'],
			["COTE D'IV", 'Côte d’Ivoire'],
			['sao tome', 'São Tomé and Príncipe'],
		]) {
			expect((await search('country', typed)).results.map(({ value }) => value)).toContain(country);
		}
		expect((await search('device')).results.map(({ name }) => name)).toContain('iPhone');
		for (const [list, count] of [
			['country', 200],
			['language', 180],
		] as const) {
			const names = (await search(list)).results.map(({ name }) => name);
			expect(names.length).toBeGreaterThan(count);
			expect(new Set(names).size).toBe(names.length);
		}
	});

	it.each([
		['campaign', ['Spring']],
		['channel', []],
		['ctaOverlay', ['Ask us', 'Autumn campaign', 'Read our newsletter']],
		['customSplash', ['Partner', 'Welcome']],
		['domain', ['https://go.example.com']],
		['pixel', ['Pixel A (bing)', 'Pixel B (bing)']],
	])('lists every %s', async (method, names) => {
		const { results } = await search(method);
		expect(results.map(({ name }) => name).sort()).toEqual(names);
	});

	it('sorts pixels by name', async () => {
		const options = await engine.loadOptions({
			node: linkManager({ resource: 'shortLink', operation: 'create' }),
			method: 'pixel',
			credentials: credentialsFor(sandbox),
		});
		expect(options).toEqual([
			{ name: 'Pixel A (bing)', value: 2 },
			{ name: 'Pixel B (bing)', value: 1 },
		]);
	});

	it('finds a record by its URL, once for all items', async () => {
		const locators = [
			['shortLink', 'get', 'linkId', `${sandbox.baseUrl}/s/link-3`, { alias: 'link-3' }],
			[
				'campaign',
				'delete',
				'campaignId',
				(await sandbox.client.entries('/campaigns?limit=100', 'campaigns'))[0]!.list,
				{ deleted: true },
			],
			['domain', 'delete', 'domainId', 'https://go.example.com/', { deleted: true }],
			[
				'qrCode',
				'get',
				'qrCodeId',
				(await sandbox.client.entries('/qr?limit=100', 'qrs'))[0]!.link,
				{ scans: 0 },
			],
		] as const;
		for (const [resource, operation, parameter, url, found] of locators) {
			const result = await runNode(engine, sandbox, { resource, operation, [parameter]: byUrl(String(url)) });
			expect(records(result)).toMatchObject([found]);
		}
	});
});
