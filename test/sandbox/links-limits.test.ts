import type { SandboxOptions } from '../../sandbox/shared/options.ts';
import { withLinks, LinkClient } from '../support/clients/link-client.ts';

/** The rate limit: 30 per window and account, reported in the headers of every response. */

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

test('has a window per account, and one for requests without an account', async () => {
	const clock = adjustableClock();
	await withLinks({ rateLimit: { count: 1, seconds: 60 }, clock }, async (api, { linksUrl }) => {
		expect((await api.call('GET', '/account')).status).toBe(200);
		expect((await api.call('GET', '/account')).status).toBe(429);
		expect((await new LinkClient(linksUrl, 'sandbox-second-key').call('GET', '/account')).status).toBe(200);
		const stranger = new LinkClient(linksUrl, 'wrong');
		const response = await stranger.call('GET', '/account');
		expect(response.status).toBe(401);
		expect(limits(response.headers).slice(0, 2)).toEqual(['1', '0']);
		expect((await stranger.call('GET', '/account')).status).toBe(429);
		const counts = await (await fetch(`${linksUrl}/sandbox/requests`)).json();
		expect(counts).toEqual({ served: 3, refused: 2 });
	});
});

test('sends the date of the clock that windows use', async () => {
	const clock = adjustableClock();
	await withLinks({ clock }, async (_api, { linksUrl }) => {
		clock.pass(365 * 86_400_000);
		const { headers } = await fetch(linksUrl);
		expect(headers.get('date')).toBe(new Date(clock.now()).toUTCString());
	});
});

test('does not count visits of links and QR codes', async () => {
	await withLinks({ rateLimit: { count: 2, seconds: 60 }, clock: adjustableClock() }, async (api) => {
		const { shorturl } = await api.add('/url/add', { url: 'https://example.com/' });
		for (let visit = 0; visit < 5; visit++) {
			const response = await fetch(String(shorturl), { redirect: 'manual' });
			expect(response.status).toBe(302);
			expect(response.headers.has('x-ratelimit-limit')).toBe(false);
		}
		expect((await api.call('GET', '/account')).status).toBe(200);
	});
});

test('sends no headers without a limit', async () => {
	await withLinks({ rateLimit: null }, async (api) => {
		const { headers } = await api.call('GET', '/account');
		expect(headers.has('x-ratelimit-limit')).toBe(false);
	});
});

test('supports windows shorter than a second', async () => {
	const clock = adjustableClock();
	await withLinks({ rateLimit: { count: 1, seconds: 0.2 }, clock }, async (api) => {
		await api.call('GET', '/account');
		const refused = await api.call('GET', '/account');
		expect(refused.headers.get('retry-after')).toBe('1');
		clock.pass(200);
		expect((await api.call('GET', '/account')).status).toBe(200);
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
