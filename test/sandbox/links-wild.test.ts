/** The link service as real hosts respond, and the differences of single hosts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkDifferences } from '../../sandbox/links/link-differences.ts';
import { withLinks } from '../support/clients/link-client.ts';

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

test('link-details: a single link has more members', async () => {
	await withLinks({ wild: ['link-details'] }, async (api) => {
		const overlays = await api.entries('/overlay', 'cta');
		await api.add('/url/add', {
			url: 'https://example.com/',
			geotarget: [{ location: 'Canada', link: 'https://example.com/ca' }],
			devicetarget: [{ device: 'iPhone', link: 'https://example.com/i' }],
			expiry: '2099-01-02 03:04:05',
			type: `overlay-${overlays[0]!.id}`,
		});
		expect((await api.get('/url/1')).details).toMatchObject({
			location: { canada: 'https://example.com/ca' },
			device: { iphone: 'https://example.com/i' },
			expiry: '2099-01-02 03:04:05',
			cta: overlays[0]!.id,
			overlay: overlays[0]!.id,
		});
		await api.add('/url/add', { url: 'https://example.com/plain' });
		expect((await api.get('/url/2')).details).toMatchObject({
			location: {},
			device: {},
			expiry: null,
			cta: null,
			overlay: null,
		});
	});
});

test('image-link: the link of a QR code is its image', async () => {
	await withLinks({ wild: ['image-link'] }, async (api) => {
		const { link } = await api.add('/qr/add', { type: 'text', data: 'x' });
		const image = await fetch(String(link));
		expect(image.headers.get('content-type')).toBe('image/png');
		expect((await fetch(`${String(link)}/download/png/1000`)).status).toBe(404);
		const scanned = await fetch(String(link).replace('/qr/', '/q/'));
		expect(scanned.headers.get('content-type')).toContain('text/html');
		expect((await api.get('/qr/1')).details).toMatchObject({ scans: 1 });
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
