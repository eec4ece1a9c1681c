import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withReader } from '../support/clients/reader-client.ts';
import { end, startProcess } from '../support/hosts/sandbox-process.ts';

/** The reader service keeps confirmed writes over restarts and crashes. */

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'reader-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('keeps all data over a restart on another port, and continues the built-in feeds', async () => {
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

test('keeps all confirmed writes when it is killed', async () => {
	const data = join(folder, 'sandbox.db');
	const running = await startProcess('--data', data);
	const url = running.linksUrl.replace('/links', '/reader-service');
	const post = (path: string, fields: [string, string][], cookie = '') =>
		fetch(url + path, { method: 'POST', headers: { cookie }, body: new URLSearchParams(fields) });
	const login = await post('/api/login', [
		['username', 'reader'],
		['password', 'sandbox-password'],
	]);
	const cookie = login.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
	const hashes = (await (
		await fetch(`${url}/reader/unread_story_hashes?feed_id=1`, { headers: { cookie } })
	).json()) as {
		unread_feed_story_hashes: Record<string, string[]>;
	};
	const confirmed: string[] = [];
	for (const hash of (hashes.unread_feed_story_hashes['1'] ?? []).slice(0, 20)) {
		const response = await post('/reader/mark_story_hashes_as_read', [['story_hash', hash]], cookie);
		if (response.ok) confirmed.push(hash);
	}
	await end(running, 'SIGKILL');
	await withReader({ data }, async (client) => {
		client.headers = { cookie };
		client.clock.time = Date.now();
		const left = (await client.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes['1'] ?? [];
		expect(confirmed).toHaveLength(20);
		expect(left.filter((hash) => confirmed.includes(String(hash)))).toEqual([]);
		expect(left.length).toBeGreaterThan(20);
	});
});
