/** What visitors of the link service get, the statistics of their visits, and the rate limit. */
import type { SandboxOptions } from '../../sandbox/shared/options.ts';
import { openAsVisitor, userAgents, withLinks } from '../support/clients/link-client.ts';

const target = 'https://example.com/article?id=1';

test('short links and QR codes redirect to targets in any script', async () => {
	const target = 'https://例え.jp/ü?q=日本#😀';
	await withLinks({}, async (api) => {
		const { shorturl } = await api.add('/url/add', { url: target });
		const { link } = await api.add('/qr/add', { type: 'link', data: target });
		for (const address of [shorturl, link]) {
			const response = await openAsVisitor(String(address), {});
			expect(response.status).toBe(302);
			expect(new URL(response.headers.get('location')!).href).toBe(new URL(target).href);
		}
	});
});

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

test('an update keeps the settings of a short link that it lacks', async () => {
	await withLinks({ variant: 'wild' }, async (api) => {
		const parameters = [{ name: 'utm_source', value: 'news' }];
		const expiry = '2099-01-02 03:04:05';
		const { id, shorturl } = await api.add('/url/add', {
			url: target,
			parameters,
			expiry,
			type: 'overlay-1',
		});
		await api.call('PUT', `/url/${id}/update`, { description: 'a note', metatitle: null });
		const response = await openAsVisitor(String(shorturl));
		expect(response.headers.get('location')).toBe(`${target}&utm_source=news`);
		expect((await api.get(`/url/${id}`)).details).toMatchObject({
			description: 'a note',
			expiry,
			overlay: 1,
		});
		await api.call('PUT', `/url/${id}/update`, { parameters: [], expiry: '' });
		expect((await openAsVisitor(String(shorturl))).headers.get('location')).toBe(target);
		expect((await api.get(`/url/${id}`)).details).toMatchObject({ expiry: null, overlay: 1 });
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

describe('QR codes', () => {
	const colors = { foreground: 'rgb(10,20,130)', background: 'rgb(250, 240, 200)' };

	test('have images in the requested colors, as PNG and as SVG', async () => {
		await withLinks({}, async (api) => {
			const { link } = await api.add('/qr/add', { type: 'link', data: 'https://example.com/', ...colors });
			const image = async (format: string) => await fetch(`${String(link)}/image.${format}`);
			expect((await image('png')).headers.get('content-type')).toBe('image/png');
			expect(await (await image('svg')).text()).toMatch(
				/^<svg [\s\S]*#faf0c8[\s\S]*#0a1482[\s\S]*<\/svg>\s*$/,
			);
			await api.call('PUT', '/qr/1/update', { data: 'https://example.com/', foreground: 'rgb(0,0,0)' });
			expect(await (await image('svg')).text()).toMatch(/#faf0c8[\s\S]*#000/);
			expect((await api.get('/qr/1')).data).toMatchObject({ clicks: 0 });
		});
	});

	test.each<[string, unknown, string, string]>([
		['text', 'Hello <you>', 'Hello <you>', 'Hello &lt;you&gt;'],
		['phone', '+49 (30) 1234', '+49 (30) 1234', 'href="tel:+49301234"'],
		[
			'email',
			{ email: 'a@example.com', subject: 'A b' },
			'a@example.com',
			'mailto:a@example.com?subject=A%20b',
		],
		['sms', { phone: '+49 30', message: 'Hi' }, '+49 30', 'sms:+4930?body=Hi'],
		[
			'wifi',
			{ ssid: 'My;net', encryption: 'WPA2', pass: 'a:b' },
			'My;net',
			'WIFI:T:WPA;S:My\\;net;P:a\\:b;;',
		],
		[
			'vcard',
			{ fname: 'Ann', lname: 'Lee', phone: '1', email: 'a@example.com', site: 'https://example.com' },
			'Ann Lee',
			'BEGIN:VCARD\nVERSION:3.0\nN:Lee;Ann;;;\nFN:Ann Lee\nTEL:1\nEMAIL:a@example.com\nURL:https://example.com\nEND:VCARD',
		],
	])('shows the content of a code of type %s', async (type, data, name, content) => {
		await withLinks({}, async (api) => {
			const { link } = await api.add('/qr/add', { type, data });
			expect(await api.entries('/qr', 'qrs')).toMatchObject([{ name }]);
			const response = await openAsVisitor(String(link));
			expect(response.status).toBe(200);
			expect(await response.text()).toContain(content);
			expect((await api.get('/qr/1')).data).toMatchObject({ clicks: 1 });
		});
	});

	test('accepts data as a list of values in order', () =>
		withLinks({}, async (api) => {
			const textOf = async (data: unknown) => {
				const { link } = await api.add('/qr/add', { type: 'vcard', data });
				return (await openAsVisitor(String(link))).text();
			};
			expect(await textOf(['Ann', 'Lee'])).toBe(await textOf({ fname: 'Ann', lname: 'Lee' }));
		}));
});

describe('the rate limit', () => {
	function adjustableClock(start = Date.UTC(2026, 0, 1)) {
		let now = start;
		return { now: () => now, pass: (milliseconds: number) => (now += milliseconds) };
	}

	function limits(headers: Headers) {
		return ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
	}

	test('starts a window with its first request, and the next after its end', async () => {
		const clock = adjustableClock();
		await withLinks({ rateLimit: { count: 3, seconds: 60 }, clock }, async (api) => {
			const reset = String(Date.UTC(2026, 0, 1) / 1000 + 60);
			expect(limits((await api.call('GET', '/account')).headers)).toEqual(['3', '2', reset]);
			clock.pass(20_000);
			expect(limits((await api.call('GET', '/nothing')).headers)).toEqual(['3', '1', reset]);
			expect(limits((await api.call('POST', '/channel/add', {})).headers)).toEqual(['3', '0', reset]);

			const refused = await api.call('POST', '/channel/add', { name: 'Refused' });
			expect(refused.status).toBe(429);
			expect(refused.body).toEqual({
				error: 1,
				message: 'Too many requests. Try again when the window is over.',
			});
			expect(limits(refused.headers)).toEqual(['3', '0', reset]);
			expect(refused.headers.get('retry-after')).toBe('40');

			clock.pass(39_999);
			expect((await api.call('GET', '/account')).status).toBe(429);
			clock.pass(1);
			const next = await api.call('GET', '/channels');
			expect(next).toMatchObject({ status: 200, body: { data: { result: 0 } } });
			expect(limits(next.headers)).toEqual(['3', '2', String(Number(reset) + 60)]);
		});
	});

	test.each<[Partial<SandboxOptions>, string, string]>([
		[{ variant: 'wild' }, 'x-ratelimit-reset', String(Date.UTC(2026, 0, 1) + 60_000)],
		[{ variant: 'wild' }, 'retry-after', 'Thu, 01 Jan 2026 00:01:00 GMT'],
		[{ variant: 'wild' }, 'content-type', 'text/html; charset=utf-8'],
		[{ wild: ['reset-seconds-left'] }, 'x-ratelimit-reset', '60'],
	])('with %j, a rejected request has its %s', async (options, header, value) => {
		const limited = { ...options, rateLimit: { count: 1, seconds: 60 }, clock: adjustableClock() };
		await withLinks(limited, async (api) => {
			await api.call('GET', '/account');
			const refused = await api.call('GET', '/account');
			expect(refused.status).toBe(429);
			expect(refused.headers.get(header)).toBe(value);
		});
	});
});
