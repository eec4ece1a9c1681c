/** Tests batches of stories: few requests, and a separate outcome for each item. */
import { records, runReader, sessionCredential } from '../support/nodes/reader-node';
import { variants } from '../../cases/endpoint.ts';
import { controls } from '../support/clients/reader-client.ts';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import { engine } from '../support/nodes/suite-engine';

const FEED = 10;
const DAY_S = 86_400;

const story = (operation: string, more: object = {}) => ({
	resource: 'story',
	operation,
	storyHash: '={{ $json.hash }}',
	...more,
});

describe.each(variants)('%s', (variant) => {
	let reader: ReaderSandbox;

	beforeAll(async () => {
		// Without the limit of unread stories, because a test lists ten thousand of them.
		reader = await ReaderSandbox.start({ variant, wild: ['all-unread'] });
		await reader.client.control(controls.settings, { cookie_name: 'reader_sessionid' });
		// A story every six hours, for 60 days: half of them too old to be marked unread.
		await reader.client.control(controls.bulk, { feed_id: FEED, count: 240, seconds_apart: DAY_S / 4 });
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
	});
	beforeEach(() => reader.host.reset());

	/** Hashes of the feed's stories, newest first, with the age of each in days. */
	async function storiesByAge(): Promise<Array<{ hash: string; days: number }>> {
		const me = await reader.logIn();
		const all: Array<{ hash: string; days: number }> = [];
		for (let page = 1; ; page += 1) {
			const { stories } = (await me.get(`/reader/feed/${FEED}`, { page })).body;
			if (stories.length === 0) return all;
			for (const { story_hash: hash, story_timestamp: time } of stories) {
				all.push({ hash, days: (reader.client.clock.now() / 1000 - Number(time)) / DAY_S });
			}
		}
	}

	it('marks ten thousand stories with a hundred requests, and returns an item for each', async () => {
		const me = await reader.logIn();
		const before = new Set(await reader.unreadHashes(3));
		await reader.client.control(controls.bulk, { feed_id: 3, count: 10_000 });
		const { unread_feed_story_hashes: byFeed } = (await me.get('/reader/unread_story_hashes', { feed_id: 3 }))
			.body;
		const hashes = byFeed['3']!.map(String).filter((hash) => !before.has(hash));
		expect(hashes).toHaveLength(10_000);
		const result = await runReader(
			engine,
			story('markRead'),
			hashes.map((hash) => ({ hash })),
		);
		const requests = reader.host.requestsTo('/mark_story_hashes_as_read');
		expect(requests).toHaveLength(100);
		expect(requests.every(({ body }) => new URLSearchParams(body).getAll('story_hash').length === 100)).toBe(
			true,
		);
		expect(result.json('After').map(({ hash, from }) => `${String(hash)} ${String(from)}`)).toEqual(
			hashes.map((hash, n) => `${hash} item ${n}`),
		);
		expect(new Set(await reader.unreadHashes(3))).toEqual(before);
	});

	it('sends each entry once, in requests of Batch Size entries', async () => {
		const hashes = (await reader.unreadHashes(FEED)).slice(0, 5);
		const inputs = [{ hash: hashes.slice(0, 3) }, { hash: hashes[0] }, { hash: hashes.slice(3).join(',') }];
		const result = await runReader(engine, story('markRead', { options: { batchSize: 2 } }), inputs);
		const sent = reader.host
			.requestsTo('/mark_story_hashes_as_read')
			.map(({ body }) => new URLSearchParams(body).getAll('story_hash'));
		expect(sent.sort()).toEqual([hashes.slice(0, 2), hashes.slice(2, 4), hashes.slice(4)].sort());
		expect(result.json('After').map(({ hash, from }) => [hash, from])).toEqual([
			...hashes.slice(0, 3).map((hash) => [hash, 'item 0']),
			[hashes[0], 'item 1'],
			...hashes.slice(3).map((hash) => [hash, 'item 2']),
		]);
	});

	it('fails only the items whose story is too old', async () => {
		const stories = await storiesByAge();
		const young = stories.filter(({ days }) => days < 13).slice(0, 4);
		const old = stories.filter(({ days }) => days > 31).slice(0, 2);
		const mixed = [young[0]!, old[0]!, young[1]!, young[2]!, old[1]!, young[3]!];
		await runReader(engine, story('markRead'), young);
		reader.host.reset();
		const result = await runReader(engine, story('markUnread'), mixed, { onError: 'continueRegularOutput' });
		expect(result.json('After')).toEqual(
			mixed.map(({ hash }, n) =>
				n === 1 || n === 4
					? {
							error: expect.stringMatching(/more than 30 days old/) as string,
							details: expect.stringContaining(hash) as string,
							from: `item ${n}`,
						}
					: { hash, read: false, from: `item ${n}` },
			),
		);
		expect(reader.host.requestsTo('/mark_story_hash_as_unread')).toHaveLength(1);
		const unread = await reader.unreadHashes(FEED);
		expect(young.every(({ hash }) => unread.includes(hash))).toBe(true);
		expect(old.some(({ hash }) => unread.includes(hash))).toBe(false);
	});

	it('does not apply the response for one story to others', async () => {
		const [first, second] = await storiesByAge();
		reader.host.respond = ({ path }) =>
			path.endsWith('/mark_story_hash_as_unread')
				? {
						status: 200,
						headers: { 'content-type': 'application/json' },
						body: JSON.stringify({ code: 1, story_hash: first!.hash, result: 'ok', authenticated: true }),
					}
				: undefined;
		const result = await runReader(engine, story('markUnread'), [first!, second!], {
			onError: 'continueRegularOutput',
		});
		expect(result.json('News Reader')).toEqual([
			{ hash: first!.hash, read: false },
			{
				error: `The service’s response does not mention ${second!.hash} [item 1]`,
				details: expect.stringContaining('The service may have carried out the request.') as string,
			},
		]);
	});

	it('stops at a story that is too old, and reports which items are done', async () => {
		const stories = await storiesByAge();
		const young = stories.find(({ days }) => days < 13)!;
		const old = stories.find(({ days }) => days > 31)!;
		const oneByOne = { options: { batchSize: 1 } };
		const result = await runReader(engine, story('markUnread', oneByOne), [young, old]);
		expect(result.error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(/more than 30 days old/) as string,
			description: expect.stringContaining('Item 0 was done. Item 1 was not done.') as string,
			context: { itemIndex: 1 },
		});
	});

	it('reports the first story of a request as not done if only that one is too old', async () => {
		const stories = await storiesByAge();
		const young = stories.find(({ days }) => days < 13)!;
		const old = stories.find(({ days }) => days > 31)!;
		const result = await runReader(engine, story('markUnread'), [old, young]);
		expect(result.error?.description).toContain('Item 0 was not done.');
	});

	it('returns stories in the order of the items, and marks missing ones', async () => {
		const known = (await storiesByAge()).map(({ hash }) => hash);
		const requestedHashes = known.slice(0, 150).reverse();
		requestedHashes.splice(50, 0, '10:ffffff');
		const parameters = story('getByHash', { storyContent: 'none' });
		const result = await runReader(
			engine,
			parameters,
			requestedHashes.map((hash) => ({ hash })),
		);
		expect(records(result).map(({ hash, missing }) => [hash, missing])).toEqual(
			requestedHashes.map((hash) => [hash, hash === '10:ffffff']),
		);
		const requested = reader.host
			.requestsTo('/reader/river_stories')
			.map(({ url }) => new URL(url, reader.baseUrl).searchParams.getAll('h'));
		// Servers omit similar stories, so a second request checks whether a missing story exists.
		const sorted = requested.sort((a, b) => b.length - a.length);
		expect(sorted.map(({ length }) => length)).toEqual([100, 51, 1]);
		expect(sorted.at(-1)).toEqual(['10:ffffff']);
	});

	it('never requests more than a hundred stories by hash', async () => {
		const hashes = (await storiesByAge()).slice(0, 120).map(({ hash }) => hash);
		const parameters = story('getByHash', { storyContent: 'none', options: { batchSize: 500 } });
		expect(records(await runReader(engine, parameters, [{ hash: hashes }]))).toHaveLength(120);
		expect(reader.host.requestsTo('/reader/river_stories')).toHaveLength(2);
	});

	it('fails only the item whose story was not saved', async () => {
		const [first, second] = await storiesByAge();
		const parameters = { resource: 'savedStory', storyHash: '={{ $json.hash }}' };
		const inputs = [first!, { hash: '10:ffffff' }, second!];
		const saved = await runReader(engine, { ...parameters, operation: 'save' }, inputs, {
			onError: 'continueRegularOutput',
		});
		expect(saved.json('News Reader')).toMatchObject([
			{ hash: first!.hash, starred: true },
			{ error: expect.stringMatching(/not found/) as string },
			{ hash: second!.hash, starred: true },
		]);
		const removed = await runReader(engine, { ...parameters, operation: 'unsave' }, inputs, {
			onError: 'continueRegularOutput',
		});
		expect(removed.json('News Reader')).toMatchObject([
			{ hash: first!.hash, starred: false },
			{ error: expect.stringMatching(/not found/) as string },
			{ hash: second!.hash, starred: false },
		]);
		expect(reader.host.requestsTo('/mark_story_hash_as_unstarred')).toHaveLength(1);
	});
});
