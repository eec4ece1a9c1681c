import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkDifferences, type LinkDifference } from '../../sandbox/links/link-differences.ts';
import { switchedOn } from '../../sandbox/shared/switched-on.ts';
import { withLinks, type LinkClient } from '../support/clients/link-client.ts';

/** The effect of each difference seen on real hosts. Tests of rate limit differences are in links-limits. */
const checks: Partial<Record<LinkDifference, (api: LinkClient) => Promise<void>>> = {
	'token-scheme': async (api) => {
		const authorization = 'Token sandbox-api-key';
		const account = await api.call('GET', '/account', undefined, { authorization });
		expect(account.body).toMatchObject({ error: 0, data: { id: 1 } });
		expect((await api.call('GET', '/account')).status).toBe(401);
	},
	'total-result': async (api) => {
		for (const name of ['a', 'b', 'c', 'd']) await api.add('/channel/add', { name });
		expect((await api.get('/channels?limit=3')).data).toMatchObject({ result: 4, perpage: 3, maxpage: 2 });
	},
	'campaign-key': async (api) => {
		const added = await api.add('/campaign/add', { name: 'Spring' });
		expect(added).toMatchObject({ campaign: 'Spring' });
		expect(added).not.toHaveProperty('domain');
		const updated = await api.call('PUT', '/campaign/1/update', { name: 'Summer' });
		expect(updated.body).toMatchObject({ campaign: 'Summer' });
	},
	'swapped-error': async (api) => {
		expect((await api.get('/channels')).error).toBe(0);
		expect((await api.get('/account')).error).toBe('0');
		expect((await api.get('/url/1')).error).toBe('1');
	},
	'number-error': async (api) => {
		for (const path of ['/channels', '/account']) expect((await api.get(path)).error).toBe(0);
		expect((await api.get('/url/1')).error).toBe(1);
	},
	'channel-record': async (api) => {
		await api.add('/channel/add', { name: 'News' });
		expect((await api.call('PUT', '/channel/1/update', { starred: true })).body).toEqual({
			error: 0,
			id: 1,
			name: 'News',
			description: '',
			color: '#000000',
			starred: true,
		});
	},
	'string-ids': async (api) => {
		expect(await api.add('/channel/add', { name: 'News' })).toMatchObject({ error: 0, id: '1' });
		expect(await api.entries('/channels', 'channels')).toMatchObject([{ id: '1' }]);
		expect((await api.get('/channels')).data.result).toBe(1);
	},
	'string-counts': async (api) => {
		await api.add('/qr/add', { type: 'text', data: 'x' });
		expect((await api.get('/qr')).data).toMatchObject({
			result: '1',
			perpage: '15',
			currentpage: '1',
			maxpage: '1',
			qrs: [{ id: 1, scans: '0' }],
		});
		expect((await api.get('/qr/1')).data).toMatchObject({ clicks: '0', socialCount: { facebook: '0' } });
	},
	'string-listed-ids': async (api) => {
		expect(await api.add('/channel/add', { name: 'News' })).toMatchObject({ id: 1 });
		expect((await api.get('/account')).data.id).toBe(1);
		expect(await api.entries('/channels', 'channels')).toMatchObject([{ id: '1' }]);
	},
	'string-listed-counts': async (api) => {
		await api.add('/qr/add', { type: 'text', data: 'x' });
		expect((await api.get('/qr')).data).toMatchObject({ result: 1, maxpage: 1, qrs: [{ scans: '0' }] });
		expect((await api.get('/qr/1')).data).toMatchObject({ clicks: 0, socialCount: { facebook: 0 } });
	},
	'numeric-booleans': async (api) => {
		expect(await api.add('/campaign/add', { name: 'x', public: true })).toMatchObject({
			public: 1,
			rotator: false,
		});
		expect(await api.add('/channel/add', { name: 'x' })).toMatchObject({ starred: 0 });
	},
	'null-nextpage': async (api) => {
		expect((await api.get('/overlay?limit=2')).data.nextpage).toBe(2);
		expect((await api.get('/overlay?limit=2&page=2')).data.nextpage).toBeNull();
		expect((await api.get('/channels')).data.nextpage).toBeNull();
	},
	'failure-400': async (api) => {
		for (const path of ['/url/1', '/nothing', '/url/add', '/qr/x']) {
			expect(await api.call('GET', path)).toMatchObject({ status: 400, body: { error: 1 } });
		}
		expect((await api.call('GET', '/account', undefined, { authorization: 'Bearer x' })).status).toBe(400);
	},
	'failure-200': async (api) => {
		for (const path of ['/url/1', '/nothing', '/url/add', '/qr/x']) {
			expect(await api.call('GET', path)).toMatchObject({ status: 200, body: { error: 1 } });
		}
		expect((await api.call('GET', '/account', undefined, { authorization: 'Bearer x' })).status).toBe(200);
	},
	'empty-object': async (api) => {
		expect((await api.get('/urls')).data).toMatchObject({ result: 0, urls: {} });
		expect((await api.get('/urls')).data.urls).not.toBeInstanceOf(Array);
		expect((await api.get('/overlay')).data.cta).toHaveLength(3);
	},
	'empty-missing': async (api) => {
		expect(Object.keys((await api.get('/urls')).data)).toEqual([
			'result',
			'perpage',
			'currentpage',
			'nextpage',
			'maxpage',
		]);
	},
	'empty-data': async (api) => {
		expect((await api.get('/urls')).data).toEqual([]);
	},
	'name-case': async (api) => {
		expect(await api.add('/campaign/add', { name: 'spring SALE 2026' })).toMatchObject({
			domain: 'Spring Sale 2026',
		});
		expect(await api.add('/channel/add', { name: 'été news' })).toMatchObject({ name: 'Été News' });
		await api.call('PUT', '/channel/1/update', { name: 'old news' });
		expect(await api.entries('/channels', 'channels')).toMatchObject([{ name: 'Old News' }]);
	},
	'domain-201': async (api) => {
		const response = await api.call('POST', '/domain/add', { domain: 'https://go.example.com' });
		expect(response).toMatchObject({ status: 201, body: { error: 0, id: 1 } });
	},
	'update-shorturl': async (api) => {
		const { shorturl } = await api.add('/url/add', { url: 'https://example.com/' });
		const updated = await api.call('PUT', '/url/1/update', { metatitle: 'x' });
		expect(updated.body).toEqual({ error: 0, id: 1, shorturl });
	},
	'no-search': async (api) => {
		await api.add('/url/add', { url: 'https://example.com/', custom: 'here' });
		expect(await api.entries('/urls?q=elsewhere', 'urls')).toHaveLength(1);
	},
	'newer-links': async (api) => {
		const campaign = await api.add('/campaign/add', { name: 'Spring' });
		const channel = await api.add('/channel/add', { name: 'News' });
		await api.add('/domain/add', { domain: 'https://go.example.com' });
		await api.add('/url/add', {
			url: 'https://example.com/',
			campaign: campaign.id,
			channel: channel.id,
			domain: 'https://go.example.com',
			custom: 'new',
		});
		expect(await api.entries('/urls', 'urls')).toMatchObject([
			{
				shorturl: 'https://go.example.com/new',
				uniqueclicks: 0,
				domain: 'https://go.example.com',
				campaign: 'Spring',
				channel: [{ id: 1, name: 'News' }],
			},
		]);
	},
	'link-details': async (api) => {
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
	},
	'zero-statistics': async (api) => {
		await api.add('/qr/add', { type: 'text', data: 'x' });
		expect((await api.get('/qr/1')).data).toMatchObject({ clicks: 0, topCountries: 0, topOs: 0 });
	},
	'short-created': async (api) => {
		const added = await api.add('/url/add', { url: 'https://example.com/', custom: 'here' });
		expect(added).toEqual({ error: 0, id: 1, short: expect.stringMatching(/\/here$/) });
	},
	'named-data': async (api) => {
		const reply = await api.call('POST', '/qr/add', { type: 'sms', data: ['+49 30', 'Hi'] });
		expect(reply.body.message).toBe('The field data must be an object with phone, message.');
	},
	'image-link': async (api) => {
		const { link } = await api.add('/qr/add', { type: 'text', data: 'x' });
		const image = await fetch(String(link));
		expect(image.headers.get('content-type')).toBe('image/png');
		expect((await fetch(`${String(link)}/download/png/1000`)).status).toBe(404);
		const scanned = await fetch(String(link).replace('/qr/', '/q/'));
		expect(scanned.headers.get('content-type')).toContain('text/html');
		expect((await api.get('/qr/1')).details).toMatchObject({ scans: 1 });
	},
	'translated-conflicts': async (api) => {
		await api.add('/url/add', { url: 'https://example.com/', custom: 'taken' });
		const response = await api.call('POST', '/url/add', { url: 'https://example.com/', custom: 'taken' });
		expect(response.body).toEqual({
			error: 1,
			message: 'Dieser Alias ist bereits vergeben. Bitte wählen Sie einen anderen.',
		});
	},
};

const elsewhere: LinkDifference[] = [
	'reset-milliseconds',
	'reset-seconds-left',
	'retry-after-date',
	'html-429',
	'error-429',
];

test.each(Object.entries(checks))('%s, alone', async (name, check) => {
	await withLinks({ wild: [name] }, check);
});

test('every difference has a test', () => {
	const names = linkDifferences.map(({ name }) => name);
	expect([...Object.keys(checks), ...elsewhere].sort()).toEqual([...names].sort());
});

describe('the variants', () => {
	test('contract has only the requested differences', () => {
		expect(switchedOn(linkDifferences, 'contract', [], [])).toEqual(new Set());
		expect(switchedOn(linkDifferences, 'contract', ['no-search'], [])).toEqual(new Set(['no-search']));
	});

	test('wild has the first difference of each group', () => {
		const on = switchedOn(linkDifferences, 'wild', [], []);
		const off = linkDifferences.map(({ name }) => name).filter((name) => !on.has(name));
		expect(off).toEqual([
			'number-error',
			'string-listed-ids',
			'string-listed-counts',
			'failure-200',
			'empty-missing',
			'empty-data',
			'reset-seconds-left',
			'error-429',
			'short-created',
			'image-link',
			'token-scheme',
		]);
	});

	test('a requested difference replaces the first of its group', () => {
		const on = switchedOn(linkDifferences, 'wild', ['failure-200'], []);
		expect(on.has('failure-200')).toBe(true);
		expect(on.has('failure-400')).toBe(false);
		expect(on.has('empty-object')).toBe(true);
	});

	test('wild combines all differences', async () => {
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
		});
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
