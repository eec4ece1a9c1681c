import { LinkClient, startLinks, type LinkServer } from '../support/clients/link-client.ts';

/** The errors of the link service. */

const clock = { now: () => Date.UTC(2026, 0, 1) };
let sandbox: LinkServer;
let api: LinkClient;

beforeAll(async () => {
	sandbox = await startLinks({ clock });
	api = new LinkClient(sandbox.linksUrl);
	await api.add('/campaign/add', { name: 'Taken', slug: 'taken' });
	await api.add('/campaign/add', { name: 'Other' });
	await api.add('/channel/add', { name: 'Channel' });
	await api.add('/domain/add', { domain: 'https://taken.example.com' });
	await api.add('/pixel/add', { type: 'bing', name: 'Pixel', tag: '1' });
	await api.add('/url/add', { url: 'https://example.com/', custom: 'taken' });
	await api.add('/url/add', { url: 'https://example.com/' });
	await api.add('/qr/add', { type: 'email', data: { email: 'a@example.com' } });
});
afterAll(() => sandbox.close());

test.each([
	['no key', { authorization: '' }, /^An API key is required|^The API key is not valid/],
	['another scheme', { authorization: 'Basic c2FuZGJveC1hcGkta2V5' }, /not valid/],
	['an unknown key', { authorization: 'Bearer nobody' }, /not valid/],
	['an expired key', { authorization: 'Bearer sandbox-expired-key' }, /has expired/],
])('rejects %s', async (_name, headers, message) => {
	for (const [method, path] of [
		['GET', '/account'],
		['POST', '/url/add'],
		['GET', '/nothing'],
	] as const) {
		const response = await api.call(method, path, undefined, headers);
		expect(response).toMatchObject({
			status: 401,
			body: { error: 1, message: expect.stringMatching(message) },
		});
	}
});

test('requests the header Authorization if it is missing', async () => {
	const response = await fetch(`${sandbox.linksUrl}/api/account`);
	expect(response.status).toBe(401);
	expect(await response.json()).toEqual({
		error: 1,
		message: 'An API key is required. Send it in the header Authorization: Bearer API_KEY.',
	});
});

test('rejects unknown paths and methods', async () => {
	expect(await api.call('GET', '/links')).toMatchObject({
		status: 404,
		body: { error: 1, message: 'There is no GET /links/api/links here.' },
	});
	expect((await api.call('POST', '/campaign/1/delete')).status).toBe(404);
	expect(await api.call('GET', '/url/%zz')).toMatchObject({ status: 400, body: { error: 1 } });
});

test('accepts only JSON objects as body; requests without a body may declare JSON', async () => {
	const asText = { 'content-type': 'text/plain' };
	expect((await api.call('POST', '/channel/add', 'name=x', asText)).status).toBe(415);
	expect((await api.call('POST', '/channel/add', '{"name":')).status).toBe(400);
	for (const body of ['[]', '"name"', '7', 'null']) {
		const response = await api.call('POST', '/channel/add', body);
		expect(response).toMatchObject({ status: 400, body: { error: 1 } });
	}
	expect((await api.call('POST', '/channel/add', '[]')).body.message).toBe('The body must be a JSON object.');
	expect((await api.call('POST', '/channel/add')).body.message).toBe('The field name is required.');
	expect((await api.call('POST', '/campaign/1/assign/1', '')).body.error).toBe(0);
	expect((await api.call('POST', '/channel/add', `{"name":"${'x'.repeat(2_000_000)}"}`)).status).toBe(413);
});

test.each<[string, string, unknown, RegExp | string]>([
	['PUT', '/account/update', { email: 'nobody' }, 'The field email must be an e-mail address.'],
	['PUT', '/account/update', { password: ' ' }, 'The field password must not be empty.'],
	['POST', '/domain/add', {}, 'The field domain is required.'],
	['POST', '/domain/add', { domain: 'go.example.com' }, /must be a domain with http:\/\/ or https:\/\//],
	['POST', '/domain/add', { domain: 'https://go.example.com/path' }, /no path/],
	['POST', '/domain/add', { domain: 'https://nowhere.invalid' }, /does not point to this service/],
	['PUT', '/domain/1/update', { redirectroot: 'javascript:alert(1)' }, /redirectroot must be a URL/],
	['PUT', '/campaign/1/update', {}, 'The field name is required.'],
	['POST', '/campaign/add', { name: 'x', slug: 'a b' }, /slug must be 1 to 50 letters/],
	['POST', '/campaign/add', { name: 'x', public: 'perhaps' }, 'The field public must be true or false.'],
	['POST', '/channel/add', { name: '' }, 'The field name must not be empty.'],
	['POST', '/channel/add', { name: 'x', color: 'red' }, /color must be a HEX color/],
	['POST', '/channel/1/assign/page/1', undefined, /must be one of links, bio, qr/],
	[
		'POST',
		'/pixel/add',
		{ type: 'googlepixel', name: 'x', tag: 'y' },
		/type must be one of gtmpixel, gapixel/,
	],
	['POST', '/pixel/add', { type: 'bing', name: 'x' }, 'The field tag is required.'],
	['PUT', '/pixel/1/update', { name: 'x' }, 'The field tag is required.'],
	['POST', '/qr/add', { data: 'x' }, 'The field type is required.'],
	['POST', '/qr/add', { type: 'text' }, 'The field data is required.'],
	['POST', '/qr/add', { type: 'link', data: 'example' }, /data must be a URL/],
	['POST', '/qr/add', { type: 'email', data: 'a@example.com' }, /data must be an object with email/],
	[
		'POST',
		'/qr/add',
		{ type: 'wifi', data: { ssid: 'x', encryption: 'rot13' } },
		/data.encryption must be one/,
	],
	['POST', '/qr/add', { type: 'vcard', data: {} }, /data must name at least one of fname/],
	['POST', '/qr/add', { type: 'text', data: 'x', background: 'rgb(1,2,256)' }, /background must be a color/],
	['POST', '/qr/add', { type: 'text', data: 'x', foreground: '#000000' }, /rgb\(r,g,b\)/],
	['PUT', '/qr/1/update', { data: { email: 'nobody' } }, 'The field data.email must be an e-mail address.'],
	['POST', '/url/add', {}, 'The field url is required.'],
	['POST', '/url/add', { url: 'ftp://example.com' }, /url must be a URL that starts with http/],
	['POST', '/url/add', { url: 'https://example.com', custom: 'ab' }, /custom must be 3 to 49/],
	['POST', '/url/add', { url: 'https://example.com', custom: 'x'.repeat(50) }, /custom must be 3 to 49/],
	['POST', '/url/add', { url: 'https://example.com', custom: 'a/b/c' }, /custom must be 3 to 49/],
	[
		'POST',
		'/url/add',
		{ url: 'https://example.com', expiry: '2025-12-31 23:59:59' },
		/must be in the future/,
	],
	['POST', '/url/add', { url: 'https://example.com', expiry: '2026-02-30 00:00:00' }, /YYYY-MM-DD HH:MM:SS/],
	['POST', '/url/add', { url: 'https://example.com', domain: 'https://foreign.example' }, /not one of your/],
	['POST', '/url/add', { url: 'https://example.com', type: 'popup' }, /type must be direct, frame/],
	['POST', '/url/add', { url: 'https://example.com', geotarget: 'France' }, /must be an array of/],
	[
		'POST',
		'/url/add',
		{ url: 'https://example.com', geotarget: [{ location: 'France' }] },
		'The field geotarget[0].link is required.',
	],
	[
		'POST',
		'/url/add',
		{ url: 'https://example.com', devicetarget: [{ device: 'x', link: 'y' }] },
		/must be a URL/,
	],
	[
		'POST',
		'/url/add',
		{ url: 'https://example.com', parameters: { utm: 'x' } },
		/parameters must be an array/,
	],
	['POST', '/url/add', { url: 'https://example.com', pixels: ['x'] }, 'The field pixels[0] must be an id'],
	['POST', '/url/add', { url: 'https://example.com', deeplink: 'app:' }, /deeplink must be an object/],
	[
		'POST',
		'/url/add',
		{ url: 'https://example.com', status: 'secret' },
		/status must be one of public, private/,
	],
	['GET', '/urls?order=name', undefined, 'The parameter order must be date or click.'],
	['GET', '/urls?limit=0', undefined, 'The parameter limit must be an integer from 1.'],
	['GET', '/channels?page=two', undefined, 'The parameter page must be an integer from 1.'],
	['GET', '/qr/abc', undefined, 'The id in the address must be an integer, not "abc".'],
	['POST', '/campaign/1/assign/x', undefined, 'The linkid in the address must be an integer, not "x".'],
])('rejects invalid values: %s %s with %j', async (method, path, body, message) => {
	const response = await api.call(method, path, body);
	const expected =
		typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message);
	expect(response).toMatchObject({ status: 400, body: { error: 1, message: expected } });
});

test.each<[string, string, unknown, string]>([
	['DELETE', '/url/99/delete', undefined, 'Link 99'],
	['POST', '/channel/1/assign/bio/99', undefined, 'Bio page 99'],
	['POST', '/campaign/1/assign/99', undefined, 'Link 99'],
	['POST', '/url/add', { url: 'https://example.com', type: 'overlay-99' }, 'CTA overlay 99'],
	['POST', '/url/add', { url: 'https://example.com', type: '99' }, 'Custom splash page 99'],
	['POST', '/url/add', { url: 'https://example.com', pixels: [1, 99] }, 'Pixel 99'],
	['POST', '/url/add', { url: 'https://example.com', channel: 99 }, 'Channel 99'],
	['POST', '/url/add', { url: 'https://example.com', campaign: 99 }, 'Campaign 99'],
])('reports unknown records: %s %s with %j', async (method, path, body, what) => {
	const before = (await api.get('/urls')).data.result;
	expect(await api.call(method, path, body)).toMatchObject({
		status: 404,
		body: { error: 1, message: `${what} does not exist.` },
	});
	expect((await api.get('/urls')).data.result).toBe(before);
});

test.each<[string, string, unknown, string]>([
	['POST', '/url/add', { url: 'https://example.com', custom: 'taken' }, 'That alias is taken.'],
	['PUT', '/url/2/update', { custom: 'taken' }, 'That alias is taken.'],
	['POST', '/campaign/add', { name: 'TAKEN' }, 'That campaign name is taken.'],
	['PUT', '/campaign/2/update', { name: 'taken' }, 'That campaign name is taken.'],
	['POST', '/campaign/add', { name: 'Free', slug: 'taken' }, 'That rotator slug is taken.'],
	['POST', '/domain/add', { domain: 'https://TAKEN.example.com/' }, 'That domain is taken.'],
])('reports conflicts: %s %s with %j', async (method, path, body, message) => {
	expect(await api.call(method, path, body)).toMatchObject({
		status: 409,
		body: { error: 1, message: expect.stringContaining(message) },
	});
});

test('allows a record to keep its name, slug or alias', async () => {
	expect((await api.call('PUT', '/campaign/1/update', { name: 'Taken', slug: 'taken' })).status).toBe(200);
	expect((await api.call('PUT', '/url/1/update', { custom: 'taken' })).status).toBe(200);
});
