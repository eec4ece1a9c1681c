import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLinks, LinkClient } from '../support/clients/link-client.ts';
import { end, killAll, startWithDiskLimit, startProcess } from '../support/hosts/sandbox-process.ts';

/** The link service keeps confirmed writes over restarts, crashes and full disks. */

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(() => {
	killAll();
	rmSync(folder, { recursive: true });
});

test('keeps all data over a restart', async () => {
	const data = join(folder, 'sandbox.db');
	let before: unknown[] = [];
	let code = '';
	const paths = [
		'account',
		'campaigns',
		'channels',
		'channel/1',
		'domains',
		'pixels',
		'overlay',
		'splash',
		'qr/1',
		'url/1',
	];
	// URLs contain the port, which changes with the restart.
	const everything = async (api: LinkClient, url: string) =>
		Promise.all(paths.map(async (path) => (await api.call('GET', `/${path}`)).text.replaceAll(url, '')));

	await withLinks({ data }, async (api, { url }) => {
		await api.call('PUT', '/account/update', { email: 'kept@example.com' });
		await api.add('/domain/add', { domain: 'https://go.example.com', redirectroot: 'https://example.com/' });
		await api.add('/campaign/add', { name: 'Campaign', slug: 'slug' });
		await api.add('/channel/add', { name: 'Channel', color: '#123456' });
		await api.add('/pixel/add', { type: 'bing', name: 'Pixel', tag: 'x' });
		await api.add('/url/add', {
			url: 'https://example.com/',
			custom: 'kept',
			channel: 1,
			campaign: 1,
			password: 'pw',
		});
		const qr = await api.add('/qr/add', {
			type: 'link',
			data: 'https://example.com/qr',
			logo: 'assets/logo.png',
		});
		code = String(qr.link).slice(url.length);
		await fetch(String(qr.link), { redirect: 'manual', headers: { 'cf-ipcountry': 'FR' } });
		before = await everything(api, url);
	});
	await withLinks({ data }, async (api, { url }) => {
		expect(await everything(api, url)).toEqual(before);
		expect(before.join()).toContain('"France":"1"');
		expect(await (await fetch(`${url}${code}/image.svg`)).text()).toContain('<image');
		expect((await fetch(`${url}/links/s/kept`, { redirect: 'manual' })).status).toBe(302);
		expect((await api.add('/url/add', { url: 'https://example.com/' })).id).toBe(2);
	});
});

test('keeps all confirmed writes when it is killed', async () => {
	const data = join(folder, 'sandbox.db');
	const args = ['--data', data, '--rate-limit', 'none'];
	const confirmed = new Map<number, string>();
	for (const atLeast of [40, 100]) {
		const sandbox = await startProcess(...args);
		const api = new LinkClient(sandbox.linksUrl);
		const writer = async () => {
			for (;;) {
				const longurl = `https://example.com/${Math.random()}`;
				const body = await api.add('/url/add', { url: longurl }).catch(() => undefined);
				if (body === undefined) return;
				confirmed.set(body.id, longurl);
				if (confirmed.size === atLeast) sandbox.child.kill('SIGKILL');
			}
		};
		await Promise.all([writer(), writer(), writer(), writer()]);
	}
	expect(confirmed.size).toBeGreaterThanOrEqual(100);

	const sandbox = await startProcess(...args);
	const api = new LinkClient(sandbox.linksUrl);
	const kept = [
		...(await api.entries('/urls?limit=100', 'urls')),
		...(await api.entries('/urls?limit=100&page=2', 'urls')),
	];
	for (const [id, longurl] of confirmed)
		expect(kept).toContainEqual(expect.objectContaining({ id, longurl }));
	expect(await end(sandbox, 'SIGTERM')).toEqual([0, null]);
});

describe('on a full disk', () => {
	const full = 'The data file cannot be written; its disk is probably full.';

	test('rejects writes and allows reads; after a restart with space it has all confirmed writes', async () => {
		const data = join(folder, 'sandbox.db');
		const args = ['--data', data, '--rate-limit', 'none', '--wild', 'stored-counts'];
		const sandbox = await startWithDiskLimit(3072, ...args);
		const api = new LinkClient(sandbox.linksUrl);
		const readerUrl = sandbox.linksUrl.replace('/links', '/reader-service');
		const login = (url: string) =>
			fetch(`${url}/api/login`, {
				method: 'POST',
				body: new URLSearchParams({ username: 'reader', password: 'sandbox-password' }),
			});
		const cookie = (await login(readerUrl)).headers.get('set-cookie')?.split(';', 1)[0] ?? '';
		const confirmed: string[] = [];
		const write = () => {
			const url = `https://example.com/${confirmed.length}/${'x'.repeat(1500)}`;
			return api.call('POST', '/url/add', { url }).then((response) => ({ ...response, url }));
		};
		let reply = await write();
		for (; reply.status === 200; reply = await write()) confirmed.push(reply.url);
		expect(confirmed.length).toBeGreaterThan(0);
		expect(reply).toMatchObject({ status: 507, body: { error: expect.anything() } });
		expect(reply.body.message).toContain(full);
		for (let again = 0; again < 3; again++) expect((await write()).status).toBe(507);
		// A session is a small write, which may still fit.
		let refused = await login(readerUrl);
		while (refused.status === 200) refused = await login(readerUrl);
		expect([refused.status, ((await refused.json()) as { code: number }).code]).toEqual([507, -1]);
		// Reads also write statistics, which fill the remaining space.
		for (let read = 0; read < 100; read++) {
			for (const list of ['reader/feed/1', 'reader/feeds', 'social/interactions'])
				expect((await fetch(`${readerUrl}/${list}`, { headers: { cookie } })).status).toBe(200);
		}
		expect(await api.get(`/url/${confirmed.length}`)).toMatchObject({ error: 0 });
		await end(sandbox, 'SIGKILL');

		const again = await startProcess(...args);
		expect(again.errors()).toMatch(/its disk was full\. Everything that it confirmed was saved/);
		const after = new LinkClient(again.linksUrl);
		const { id } = await after.add('/url/add', { url: 'https://example.com/after' });
		expect(id).toBe(confirmed.length + 1);
		for (const [index, url] of confirmed.entries()) {
			expect((await after.get(`/url/${index + 1}`)).details).toMatchObject({ longurl: url });
		}
		await end(again, 'SIGTERM');
		const clean = await startProcess(...args);
		expect(clean.errors()).not.toContain('confirmed');
		await end(clean, 'SIGTERM');
	});

	test('reports a full disk at the first start, and works when there is space', async () => {
		const data = join(folder, 'sandbox.db');
		await expect(startWithDiskLimit(100, '--data', data)).rejects.toThrow(full);
		const sandbox = await startProcess('--data', data);
		expect((await new LinkClient(sandbox.linksUrl).get('/account')).data).toMatchObject({ id: 1 });
		await end(sandbox, 'SIGTERM');
	});
});
