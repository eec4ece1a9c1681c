import { request } from 'node:http';
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

test.each<[string, Record<string, string>, string]>([
	['by country', { 'x-country': 'fr', 'accept-language': 'de' }, 'https://fr.example/?utm_source=x+y'],
	[
		'by device',
		{ 'user-agent': userAgents.iphone, 'accept-language': 'de' },
		'https://phone.example/?a=1&utm_source=x+y',
	],
	['by language', { 'accept-language': 'en;q=0.5, de-AT, fr;q=0.9' }, 'https://de.example/?utm_source=x+y'],
	['otherwise', { 'accept-language': 'pt', 'x-country': 'BR' }, `${target}&utm_source=x+y`],
])('targets and parameters: %s', async (_name, headers, location) => {
	await withLinks({}, async (api) => {
		const { shorturl } = await api.add('/url/add', {
			url: target,
			geotarget: [{ location: 'France', link: 'https://fr.example/' }],
			devicetarget: [{ device: 'iPhone', link: 'https://phone.example/?a=1' }],
			languagetarget: [{ language: 'German', link: 'https://de.example' }],
			parameters: [{ name: 'utm_source', value: 'x y' }],
		});
		expect((await openAsVisitor(String(shorturl), headers)).headers.get('location')).toBe(location);
	});
});

test('a link with a password requests it, and counts only visits with the correct one', async () => {
	await withLinks({}, async (api) => {
		const { id, shorturl } = await api.add('/url/add', { url: target, password: 'open sesame' });
		const requested = await openAsVisitor(String(shorturl));
		expect(requested.status).toBe(200);
		expect(await requested.text()).toMatch(/Password needed[\s\S]*<form method="post"/);
		const enter = (password: string) =>
			fetch(String(shorturl), {
				method: 'POST',
				redirect: 'manual',
				body: new URLSearchParams({ password }),
			});
		const wrong = await enter('open sesam');
		expect(wrong.status).toBe(403);
		expect(await wrong.text()).toContain('That is not the password.');
		const right = await enter('open sesame');
		expect([right.status, right.headers.get('location')]).toEqual([303, target]);
		expect((await api.get(`/url/${id}`)).data).toMatchObject({ clicks: 1 });

		await api.call('PUT', `/url/${id}/update`, { password: '' });
		expect((await openAsVisitor(String(shorturl))).status).toBe(302);
	});
});

test('an expired link reports that, and counts no visit', async () => {
	let now = Date.UTC(2026, 0, 1);
	await withLinks({ clock: { now: () => now } }, async (api) => {
		const { id, shorturl } = await api.add('/url/add', { url: target, expiry: '2026-01-01 00:01:00' });
		now += 59_999;
		expect((await openAsVisitor(String(shorturl))).status).toBe(302);
		now += 1;
		const expired = await openAsVisitor(String(shorturl));
		expect(expired.status).toBe(410);
		expect(await expired.text()).toContain('This link has expired');
		expect((await api.get(`/url/${id}`)).data).toMatchObject({ clicks: 1 });
	});
});

test.each([
	['frame', /<iframe src="https:\/\/example\.com\/article\?id=1"/],
	['splash', /http-equiv="refresh" content="5; url=https:\/\/example\.com\/article\?id=1"/],
	['1', /You are on your way to an article we chose for you\./],
	['overlay-1', /<iframe src="https:\/\/example\.com\/article\?id=1"[\s\S]*Read our newsletter/],
])('a link of type %s shows a page and counts the visit', async (type, content) => {
	await withLinks({}, async (api) => {
		await api.add('/pixel/add', { type: 'bing', name: 'Pixel', tag: 'B-1' });
		const { id, shorturl } = await api.add('/url/add', {
			url: target,
			type,
			metatitle: 'Title & more',
			metaimage: 'https://example.com/image.png',
			pixels: [1],
		});
		const response = await openAsVisitor(String(shorturl));
		const page = await response.text();
		expect(response.status).toBe(200);
		expect(page).toMatch(content);
		expect(page).toContain('property="og:title" content="Title &amp; more"');
		expect(page).toContain('name="pixel" content="bing B-1"');
		expect((await api.get(`/url/${id}`)).data).toMatchObject({ clicks: 1 });
	});
});

test('a social network gets a preview, which is not counted', async () => {
	await withLinks({}, async (api) => {
		const { id, shorturl } = await api.add('/url/add', { url: target, metadescription: 'About it' });
		const response = await openAsVisitor(String(shorturl), { 'user-agent': 'facebookexternalhit/1.1' });
		expect(await response.text()).toContain('property="og:description" content="About it"');
		expect((await api.get(`/url/${id}`)).data).toMatchObject({ clicks: 0 });
	});
});

test('a branded domain redirects its links, its root and unknown paths', async () => {
	await withLinks({}, async (api, { url }) => {
		const port = new URL(url).port;
		const domain = `http://localhost:${port}`;
		expect(await api.call('POST', '/domain/add', { domain: url })).toMatchObject({ status: 400 });
		await api.add('/domain/add', { domain });
		const { shorturl } = await api.add('/url/add', { url: target, custom: 'branded', domain });
		expect(shorturl).toBe(`${domain}/branded`);

		// The name does not have to resolve: the server reads the header.
		const atDomain = (path: string) =>
			new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
				request(`${url}${path}`, { headers: { host: `localhost:${port}` } }, (response) => {
					response.resume();
					resolve([response.statusCode, response.headers.location]);
				})
					.on('error', reject)
					.end();
			});
		expect(await atDomain('/branded')).toEqual([302, target]);
		expect(await atDomain('/')).toEqual([404, undefined]);
		await api.call('PUT', '/domain/1/update', {
			redirectroot: 'https://example.com/home',
			redirect404: 'https://example.com/lost',
		});
		expect(await atDomain('/')).toEqual([302, 'https://example.com/home']);
		expect(await atDomain('/nothing')).toEqual([302, 'https://example.com/lost']);
		expect((await openAsVisitor(`${url}/links/s/branded`)).status).toBe(404);

		await api.call('DELETE', '/domain/1/delete');
		expect((await openAsVisitor(`${url}/links/s/branded`)).headers.get('location')).toBe(target);
	});
});

test('a rotator redirects to each link of its campaign in turn', async () => {
	await withLinks({}, async (api) => {
		const { rotator } = await api.add('/campaign/add', { name: 'Campaign', slug: 'turns' });
		expect((await openAsVisitor(String(rotator))).status).toBe(404);
		const targets = ['https://example.com/1', 'https://example.com/2', 'https://example.com/3'];
		for (const url of targets) await api.add('/url/add', { url, campaign: 1 });
		const reached: string[] = [];
		for (let turn = 0; turn < 6; turn++) {
			const short = (await openAsVisitor(String(rotator))).headers.get('location') ?? '';
			reached.push((await openAsVisitor(short)).headers.get('location') ?? '');
		}
		expect(reached).toEqual([...targets, ...targets]);
	});
});

test('a public campaign’s page lists its public links', async () => {
	await withLinks({}, async (api) => {
		const { list } = await api.add('/campaign/add', { name: 'Open' });
		expect((await openAsVisitor(String(list))).status).toBe(404);
		await api.call('PUT', '/campaign/1/update', { name: 'Open', public: true });
		await api.add('/url/add', { url: target, custom: 'shown', campaign: 1, description: 'For all' });
		await api.add('/url/add', { url: target, custom: 'hidden', campaign: 1, status: 'private' });
		const page = await (await openAsVisitor(String(list))).text();
		expect(page).toContain('/s/shown');
		expect(page).toContain('For all');
		expect(page).not.toContain('/s/hidden');
		const long = await api.add('/campaign/add', { name: 'Long name '.repeat(40), public: true });
		expect((await openAsVisitor(String(long.list))).status).toBe(200);
		expect((await openAsVisitor(String(list).replace('/sandbox/', '/second/'))).status).toBe(404);
	});
});

test('bio pages are served', async () => {
	await withLinks({}, async (_api, { linksUrl }) => {
		expect(await (await openAsVisitor(`${linksUrl}/b/sandbox-editors`)).text()).toContain(
			'What our editors read',
		);
		expect((await openAsVisitor(`${linksUrl}/b/nobody`)).status).toBe(404);
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

test('pages for visitors escape titles, names and texts', async () => {
	const hostile = `</title>"'><script>alert(1)</script><img src=x onerror=alert(1)>`;
	const texts = { metatitle: hostile, metadescription: hostile };
	await withLinks({}, async (api) => {
		const campaign = await api.add('/campaign/add', { name: hostile, public: true });
		const pages: unknown[] = [campaign['list']];
		for (const more of [{ type: 'frame' }, { type: 'splash' }, { type: 'overlay-1' }, { password: 'x' }]) {
			const url = `https://example.com/?q=${encodeURIComponent(hostile)}"'><script>`;
			const link = await api.add('/url/add', {
				url,
				description: hostile,
				campaign: campaign.id,
				...texts,
				...more,
			});
			pages.push(link['shorturl']);
		}
		pages.push((await api.add('/qr/add', { type: 'text', data: hostile }))['link']);
		pages.push((await api.add('/qr/add', { type: 'wifi', data: { ssid: hostile, pass: hostile } }))['link']);
		for (const page of pages) {
			// As a browser, and as a social network that shows a preview.
			for (const agent of [userAgents.windows, 'facebookexternalhit/1.1']) {
				const response = await openAsVisitor(String(page), { 'user-agent': agent });
				expect(response.headers.get('content-type')).toContain('text/html');
				expect(await response.text()).not.toMatch(/<script|<img|<\/title>"/i);
			}
		}
	});
});
