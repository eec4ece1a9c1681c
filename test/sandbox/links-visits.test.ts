import { userAgents, openAsVisitor, withLinks } from '../support/clients/link-client.ts';

/** Visits of short links, rotators and campaign pages: responses and statistics. */

const target = 'https://example.com/article?id=1';

test('a short link redirects and counts each visit with its origin', async () => {
	await withLinks({}, async (api) => {
		const { id, shorturl } = await api.add('/url/add', { url: target });
		const visits: Record<string, string>[] = [
			{ 'cf-ipcountry': 'FR', referer: 'https://l.facebook.com/x', 'user-agent': userAgents.windows },
			{ 'cf-ipcountry': 'FR', referer: 'https://t.co/y', 'user-agent': userAgents.windows },
			{ 'x-country': 'Germany', referer: 'https://www.instagram.com/', 'user-agent': userAgents.iphone },
			{ 'x-forwarded-for': '203.0.113.9, 10.0.0.1', 'user-agent': userAgents.iphone },
		];
		for (const headers of visits) {
			const response = await openAsVisitor(String(shorturl), headers);
			expect(response.status).toBe(302);
			expect(response.headers.get('location')).toBe(target);
			expect(response.headers.get('cache-control')).toBe('no-store');
		}
		await fetch(String(shorturl), { method: 'HEAD', redirect: 'manual' });
		expect(await api.get(`/url/${id}`)).toMatchObject({
			details: { clicks: 4 },
			data: {
				clicks: 4,
				uniqueClicks: 3,
				topCountries: { France: '2', Germany: '1', Unknown: '1' },
				topReferrers: {
					Direct: '1',
					'https://l.facebook.com': '1',
					'https://t.co': '1',
					'https://www.instagram.com': '1',
				},
				topBrowsers: { Chrome: '2', Safari: '2' },
				topOs: { Windows: '2', iOS: '2' },
				socialCount: { facebook: 1, twitter: 1, instagram: 1 },
			},
		});
	});
});

test('a new link starts without visits, even if it reuses the id of a deleted link', async () => {
	await withLinks({}, async (api) => {
		const first = await api.add('/url/add', { url: target, custom: 'again' });
		await openAsVisitor(String(first.shorturl));
		await api.call('DELETE', `/url/${first.id}/delete`);
		const second = await api.add('/url/add', { url: target, custom: 'again' });
		expect(second.id).not.toBe(first.id);
		expect((await api.get(`/url/${second.id}`)).data).toMatchObject({ clicks: 0, topCountries: {} });
	});
});

test('visits can be simulated', async () => {
	await withLinks({}, async (api, { linksUrl }) => {
		await api.add('/url/add', { url: target, custom: 'busy' });
		const simulate = async (body: object) => {
			const response = await fetch(`${linksUrl}/sandbox/visits`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			return (await response.json()) as unknown;
		};
		const visits = { kind: 'url', code: 'busy', count: 5, country: 'NZ', userAgent: userAgents.iphone };
		expect(await simulate({ ...visits, ip: '203.0.113.1' })).toEqual({ error: 0, clicks: 5 });
		expect(await simulate({ ...visits, ip: '203.0.113.2', count: 1 })).toEqual({ error: 0, clicks: 6 });
		expect((await api.get('/url/1')).data).toMatchObject({
			clicks: 6,
			uniqueClicks: 2,
			topCountries: { 'New Zealand': '6' },
		});
		expect(await simulate({ kind: 'qr', code: 'none' })).toEqual({
			error: 1,
			message: 'There is no qr with the code none.',
		});
		expect(await simulate({ kind: 'page' })).toMatchObject({ error: 1 });
	});
});
