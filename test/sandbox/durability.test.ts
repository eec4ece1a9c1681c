/** Both services keep confirmed writes over restarts and crashes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLinks, LinkClient } from '../support/clients/link-client.ts';
import { withReader } from '../support/clients/reader-client.ts';
import { end, killAll, run, startProcess } from '../support/hosts/sandbox-process.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(() => {
	killAll();
	rmSync(folder, { recursive: true });
});

test('links: keeps all data over a restart', async () => {
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
		const qr = await api.add('/qr/add', { type: 'link', data: 'https://example.com/qr' });
		code = String(qr.link).slice(url.length);
		await fetch(String(qr.link), { redirect: 'manual', headers: { 'cf-ipcountry': 'FR' } });
		before = await everything(api, url);
	});
	await withLinks({ data }, async (api, { url }) => {
		expect(await everything(api, url)).toEqual(before);
		expect(before.join()).toContain('"France":"1"');
		expect(await (await fetch(`${url}${code}/image.svg`)).text()).toContain('<svg');
		expect((await fetch(`${url}/links/s/kept`, { redirect: 'manual' })).status).toBe(302);
		expect((await api.add('/url/add', { url: 'https://example.com/' })).id).toBe(2);
	});
});

test('links: keeps all confirmed writes when it is killed', async () => {
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

test('refuses a data file that another sandbox uses', async () => {
	const data = join(folder, 'sandbox.db');
	await startProcess('--data', data);
	const { code, errors } = await run('--port', '0', '--data', data);
	expect({ code, errors }).toEqual({
		code: 1,
		errors: `Another sandbox or playground uses the data file ${data}. Stop that one first.\n`,
	});
});

test('reader: keeps all data over a restart on another port, and continues the built-in feeds', async () => {
	const data = join(folder, 'sandbox.db');
	let cookie = '';
	let hash = '';
	await withReader({ data }, async (anybody) => {
		const client = await anybody.as('reader');
		cookie = client.headers['cookie'] ?? '';
		await client.publish('live-wire', { title: 'Kept', guid: 'kept' });
		hash = (await client.get('/reader/feed/10')).body.stories[0]?.story_hash ?? '';
		await client.post('/reader/mark_story_hash_as_starred', { story_hash: hash, user_tags: 'kept' });
	});
	await withReader({ data }, async (client) => {
		client.headers = { cookie };
		const [story] = (await client.get('/reader/starred_stories', { tag: 'kept' })).body.stories;
		expect(story).toMatchObject({ story_hash: hash, story_title: 'Kept' });
		expect(story?.['story_permalink']).toContain(`${client.origin}/feeds/live-wire/`);
		const { feeds } = (await client.get('/reader/feeds')).body;
		expect(Object.values(feeds).every((feed) => String(feed['feed_address']).startsWith(client.origin))).toBe(
			true,
		);
		await client.publish('live-wire', { title: 'After' });
		const titles = (await client.get('/reader/feed/10')).body.stories.map((one) => one.story_title);
		expect(titles).toEqual(expect.arrayContaining(['Kept', 'After']));
		expect((await client.get('/social/stories/2')).body.stories).toHaveLength(3);
	});
});
