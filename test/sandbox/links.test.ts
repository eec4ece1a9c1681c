/** The link service: its errors, its responses as real hosts spell them, and the differences of single hosts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkDifferences } from '../../sandbox/links/context.ts';
import { LinkClient, startLinks, withLinks, type LinkServer } from '../support/clients/link-client.ts';

describe('errors', () => {
	let sandbox: LinkServer;
	let api: LinkClient;

	beforeAll(async () => {
		sandbox = await startLinks({ clock: { now: () => Date.UTC(2026, 0, 1) } });
		api = new LinkClient(sandbox.linksUrl);
		await api.add('/campaign/add', { name: 'Taken', slug: 'taken' });
		await api.add('/url/add', { url: 'https://example.com/', custom: 'taken' });
		await api.add('/url/add', { url: 'https://example.com/' });
	});
	afterAll(() => sandbox.close());

	test.each([
		['no key', { authorization: '' }, /^An API key is required|^The API key is not valid/],
		['an unknown key', { authorization: 'Bearer nobody' }, /not valid/],
		['an expired key', { authorization: 'Bearer sandbox-expired-key' }, /has expired/],
	])('rejects %s', async (_name, headers, message) => {
		const response = await api.call('POST', '/url/add', undefined, headers);
		expect(response).toMatchObject({
			status: 401,
			body: { error: 1, message: expect.stringMatching(message) },
		});
	});

	test('accepts only JSON objects as body; requests without a body may declare JSON', async () => {
		const asText = { 'content-type': 'text/plain' };
		expect((await api.call('POST', '/channel/add', 'name=x', asText)).status).toBe(415);
		expect((await api.call('POST', '/channel/add', '{"name":')).status).toBe(400);
		expect((await api.call('POST', '/channel/add', '[]')).body.message).toBe(
			'The body must be a JSON object.',
		);
		expect((await api.call('POST', '/campaign/1/assign/1', '')).body.error).toBe(0);
		expect((await api.call('POST', '/channel/add', `{"name":"${'x'.repeat(2_000_000)}"}`)).status).toBe(413);
	});

	const url = 'https://example.com';
	test.each<[string, string, unknown, string]>([
		['POST', '/domain/add', {}, 'The field domain is required.'],
		['POST', '/campaign/add', { name: 'x', public: 'perhaps' }, 'The field public must be true or false.'],
		['POST', '/channel/1/assign/page/1', undefined, 'must be one of links, bio, qr'],
		[
			'POST',
			'/qr/add',
			{ type: 'text', data: 'x', background: 'rgb(1,2,256)' },
			'background must be a color',
		],
		['PUT', '/account/update', { email: 'nobody' }, 'The field email must be an e-mail address.'],
		['POST', '/url/add', { url: 'ftp://example.com' }, 'url must be a URL that starts with http'],
		['POST', '/url/add', { url, custom: 'ab' }, 'custom must be 3 to 49'],
		['POST', '/url/add', { url, expiry: '2025-12-31 23:59:59' }, 'must be in the future'],
		['POST', '/url/add', { url, domain: 'https://foreign.example' }, 'not one of your'],
		['POST', '/url/add', { url, geotarget: [{ location: 'France' }] }, 'geotarget[0].link is required.'],
		['GET', '/urls?order=name', undefined, 'The parameter order must be date or click.'],
		['GET', '/channels?page=two', undefined, 'The parameter page must be an integer from 1.'],
		['GET', '/qr/abc', undefined, 'The id in the address must be an integer, not "abc".'],
	])('rejects invalid values: %s %s with %j', async (method, path, body, message) => {
		expect(await api.call(method, path, body)).toMatchObject({
			status: 400,
			body: { error: 1, message: expect.stringContaining(message) },
		});
	});

	test('reports unknown records, and creates nothing with one', async () => {
		const before = (await api.get('/urls')).data.result;
		expect(await api.call('POST', '/url/add', { url, pixels: [99] })).toMatchObject({
			status: 404,
			body: { error: 1, message: 'Pixel 99 does not exist.' },
		});
		expect((await api.get('/urls')).data.result).toBe(before);
	});

	test.each<[string, string, unknown, string]>([
		['POST', '/url/add', { url, custom: 'taken' }, 'That alias is taken.'],
		['PUT', '/url/2/update', { custom: 'taken' }, 'That alias is taken.'],
		['POST', '/campaign/add', { name: 'TAKEN' }, 'That campaign name is taken.'],
		['POST', '/campaign/add', { name: 'Free', slug: 'taken' }, 'That rotator slug is taken.'],
	])('reports conflicts: %s %s with %j', async (method, path, body, message) => {
		expect(await api.call(method, path, body)).toMatchObject({
			status: 409,
			body: { error: 1, message: expect.stringContaining(message) },
		});
	});
});

test('the variant wild names and spells values differently', async () => {
	await withLinks({ variant: 'wild' }, async (api) => {
		expect(await api.add('/campaign/add', { name: 'spring', public: true })).toMatchObject({
			error: '0',
			id: '1',
			campaign: 'Spring',
			public: 1,
		});
		expect(await api.get('/urls')).toEqual({
			error: 0,
			data: { result: '0', perpage: '15', currentpage: '1', nextpage: null, maxpage: '1', urls: {} },
		});
		await api.add('/channel/add', { name: 'news' });
		expect((await api.call('PUT', '/channel/1/update', { color: '#00ff00' })).body).toMatchObject({
			id: '1',
			name: 'News',
			color: '#00ff00',
		});
		const link = { url: 'https://example.com/', custom: 'new', campaign: 1, channel: 1 };
		await api.add('/url/add', link);
		await api.add('/url/add', { url: 'https://example.com/', custom: 'other' });
		expect((await api.get('/urls?limit=1&q=new')).data).toMatchObject({
			result: '2',
			urls: [{ alias: 'other' }],
		});
		expect((await api.get('/url/1')).details).toMatchObject({
			uniqueclicks: '0',
			campaign: 'Spring',
			channel: [{ id: '1', name: 'News' }],
		});
		expect((await api.call('PUT', '/url/1/update', { custom: 'newer' })).body).toMatchObject({
			shorturl: expect.stringMatching(/newer$/) as string,
		});
		const taken = await api.call('POST', '/url/add', { ...link, custom: 'newer' });
		expect(taken).toMatchObject({ status: 400, body: { error: 1 } });
	});
});

describe('the switches for published clients', () => {
	const page = readFileSync(join(__dirname, '../../docs/sandbox.md'), 'utf8');
	const command = /^npm run sandbox -- --wild .*$/m.exec(page)![0];
	const wild = [...command.matchAll(/--wild ([\w-]+)/g)].map(([, name]) => name!);
	const number = expect.any(Number) as number;
	const text = expect.any(String) as string;

	test('return numbers as text only in lists', async () => {
		expect(linkDifferences.map(({ name }): string => name)).toEqual(expect.arrayContaining(wild));
		await withLinks({ wild }, async (api) => {
			const link = await api.add('/url/add', { url: 'https://example.com/' });
			expect(link).toMatchObject({ error: number, id: number, shorturl: text });
			const code = await api.add('/qr/add', { type: 'text', data: 'x' });
			expect(code).toMatchObject({ error: number, id: number, link: text });
			for (const [path, collection, counted] of [
				['/urls', 'urls', 'clicks'],
				['/qr', 'qrs', 'scans'],
			] as const) {
				expect(await api.get(path)).toMatchObject({
					error: number,
					data: {
						...{ result: number, perpage: number, currentpage: number, maxpage: number },
						[collection]: [{ id: text, [counted]: text }],
					},
				});
			}
			expect(await api.get('/account')).toMatchObject({ error: number, data: { id: number } });
			expect(await api.get('/url/99')).toMatchObject({ error: number, message: text });
			expect(await api.get(`/url/${link.id}`)).toMatchObject({
				...{ error: number, data: { clicks: number } },
				details: { location: {}, device: {}, expiry: null, cta: null, overlay: null },
			});
		});
	});
});
