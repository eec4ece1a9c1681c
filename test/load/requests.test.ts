/** Tests how many requests typical jobs need. For batches see `test/faults/reader-batches`. */
import { linkManager, records as linkRecords } from '../support/nodes/link-node';
import { runBetween } from '../support/nodes/node';
import { newsReader } from '../support/nodes/reader-node';
import { controls } from '../support/clients/reader-client';
import { WatchedLinks } from '../support/triggers/trigger-links';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

beforeEach(holdTime);

describe('links', () => {
	let links: WatchedLinks;

	beforeEach(async () => {
		links = await WatchedLinks.start(engine);
	});

	const run = async (parameters: object, input: Array<{ url?: string }> = [{}]) => {
		const node = linkManager({ resource: 'shortLink', ...parameters });
		const result = await runBetween(engine, node, input, { credentials: links.credentials() });
		expect(result.error).toBeUndefined();
		return linkRecords(result);
	};
	const createLinks = async (count: number): Promise<void> => {
		for (let n = 0; n < count; n += 1)
			await links.service.add('/url/add', { url: `https://example.com/${n}` });
	};

	it('lists a hundred with one request', async () => {
		await createLinks(500);
		const requested = await links.host.requestsDuring(async () =>
			expect(await run({ operation: 'getAll', returnAll: true })).toHaveLength(500),
		);
		expect(requested).toHaveLength(5);
	});

	it('needs one additional request in total to create links with If Exists', async () => {
		await createLinks(50);
		const input = Array.from({ length: 150 }, (_, n) => ({ url: `https://example.com/${n}` }));
		const create = { operation: 'create', url: '={{ $json.url }}', ifExists: 'return' };
		const requested = await links.host.requestsDuring(async () => {
			const links = await run(create, input);
			expect(links.filter(({ existed }) => existed)).toHaveLength(50);
		});
		expect(requested.filter((request) => request.startsWith('POST'))).toHaveLength(100);
		expect(requested).toHaveLength(101);
	});

	it('sends one request for a poll without news', async () => {
		const run = links.trigger({ event: 'newQrScan' });
		await links.createCode();
		await run.activate();
		expect(await links.host.requestsDuring(async () => expect(await run.poll()).toEqual([]))).toHaveLength(1);
	});
});

describe('stories', () => {
	let reader: WatchedReader;

	beforeEach(async () => {
		reader = await WatchedReader.start(engine);
	});

	it('reads a hundred unread stories with one request, after one for the hashes and one for the feed titles', async () => {
		const feedId = await reader.reader.feedId('Bitwright');
		await reader.anonymous.control(controls.bulk, { feed_id: feedId, count: 1000 });
		const node = newsReader({
			resource: 'story',
			operation: 'getUnread',
			whichFeeds: 'feeds',
			feedIds: [feedId],
			returnAll: false,
			limit: 1000,
		});
		node.credentials = { newsReaderSessionApi: { id: 'reader', name: 'reader' } };
		const requested = await reader.host.requestsDuring(async () => {
			const { error, items } = await runBetween(engine, node, [{}], { credentials: reader.credentials() });
			expect(error).toBeUndefined();
			expect(items('After')).toHaveLength(1000);
		});
		const session = requested.filter((request) => /\/api\/login|\/reader\/refresh_feeds/.test(request));
		expect(session.length).toBeLessThanOrEqual(2);
		expect(requested.length - session.length).toBe(10 + 2);
	});

	it('sends one request for a poll without news', async () => {
		const run = await reader.trigger({ event: 'newUnreadStory' }).activated();
		expect(await reader.host.requestsDuring(async () => expect(await run.poll()).toEqual([]))).toHaveLength(
			1,
		);
	});
});
