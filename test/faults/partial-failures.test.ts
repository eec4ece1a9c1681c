/** Tests items of which only some entries succeed, and very long lists and deeply nested values. */
import { chain } from '../../engine/index.ts';
import { FakeHost, type Reply } from '../support/hosts/fake-host';
import { stagesOf } from './support/stages';
import { byId, newsReader, runReader, SESSION, sessionCredential } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

let host: FakeHost;

beforeAll(async () => {
	host = await FakeHost.start(() => ({ body: {} }));
	engine.credentials.setAll(sessionCredential(host.baseUrl, { sessionToken: SESSION }));
});
beforeEach(() => void host.requests.splice(0));

const hashes = Array.from({ length: 150 }, (_, n) => `42:${String(n).padStart(6, '0')}`);
const unsave = { resource: 'savedStory', operation: 'unsave', storyHash: hashes.join(',') };
const done: Reply = { body: { code: 1, authenticated: true, result: 'ok', messages: [] } };
const refusal: Reply = { body: { code: -1, authenticated: true, message: 'Not today' } };
const progress = 'Entries 1 to 100 of item 0 were done. Entries 101 to 150 of item 0 were not done.';

describe('an item whose second request is refused', () => {
	beforeEach(() => {
		let requests = 0;
		host.respond = () => (requests++ === 0 ? done : refusal);
	});

	it('reports which entries are done when the run stops', async () => {
		const { error } = await runReader(engine, unsave);
		expect(host.requests).toHaveLength(2);
		expect(error?.message).toContain('“Not today”');
		expect(error?.description).toContain(progress);
	});

	it('reports which entries are done in the failed output items when the run continues', async () => {
		const result = await runReader(engine, unsave, [{}], { onError: 'continueRegularOutput' });
		const items = result.json('News Reader');
		expect(items.filter(({ starred }) => starred === false)).toHaveLength(100);
		const failed = items.filter(({ error }) => error !== undefined);
		expect(failed).toHaveLength(50);
		for (const { details } of failed) expect(details).toContain(progress);
	});
});

describe('an item all of whose entries are refused one by one', () => {
	const two = '={{ $json.feed }}:aaaaaa,{{ $json.feed }}:bbbbbb';
	const refused = { code: -1, message: 'Not today' };
	const success = { code: 1, authenticated: true, result: 'ok' };

	it.each([
		['markUnread', 'story', (hash: string) => [{ ...refused, story_hash: hash }]],
		['save', 'savedStory', (hash: string) => ({ ...success, stories: [{ ...refused, story_hash: hash }] })],
	])('is not in doubt: %s', async (operation, resource, answer) => {
		host.respond = ({ method, body }) => ({
			body:
				method === 'GET'
					? { ...success, starred_story_hashes: [] }
					: answer(new URLSearchParams(body).get('story_hash')!),
		});
		const node = { resource, operation, storyHash: two, options: { batchSize: 1 } };
		const { error } = await runReader(engine, node, [{ feed: 1 }, { feed: 2 }]);
		expect(error?.description).toMatch(/Nothing was done for items 0 to 1\.$/);
	});
});

it('does not say that a refused entry was done if the run stops before the rest of its item', async () => {
	host.respond = ({ body }) => {
		const sent = new URLSearchParams(body).getAll('story_hash');
		const refused = sent.filter((hash) => /aaaaaa|cccccc/.test(hash));
		const messages = refused.map((story_hash) => ({ code: -1, message: 'Not today', story_hash }));
		return { body: { code: 1, authenticated: true, result: 'ok', messages } };
	};
	const parameters = { ...unsave, storyHash: '={{ $json.h }}', options: { batchSize: 3 } };
	const inputs = [{ h: '1:aaaaaa,1:bbbbbb' }, { h: '1:cccccc,1:dddddd,1:eeeeee' }];
	const { error } = await runReader(engine, parameters, inputs);
	expect(host.requests).toHaveLength(1);
	expect(error?.description).toContain('Entry 1 of item 0 was not done.');
	expect(error?.description).toContain('Nothing was done for entries 1 to 3 of item 1.');
});

it('does not say that nothing was done for items with stories that were read', async () => {
	host.respond = ({ url }) => {
		const read = new URLSearchParams(url.split('?')[1]).getAll('h').filter((hash) => hash !== '1:bbbbbb');
		const stories = read.map((story_hash) => ({ story_hash }));
		return { body: { code: read.length > 0 ? 1 : -1, message: 'Not today', authenticated: true, stories } };
	};
	const options = { batchSize: 1, concurrency: 1 };
	const node = { resource: 'savedStory', operation: 'getByHash', storyHash: '={{ $json.hashes }}', options };
	const inputs = [{ hashes: '1:aaaaaa,1:bbbbbb' }, { hashes: '1:cccccc' }];
	const { error } = await runReader(engine, node, inputs);
	expect(error?.description).toMatch(
		/Item 0 was not done\. Item 1 was not begun\. Entry 1 of item 0 was done\. Entry 2 of item 0 was not done\.$/,
	);
});

it('sends no other request for an item after the service itself failed', async () => {
	host.respond = () => ({ status: 503, body: {} });
	const { error } = await runReader(engine, { ...unsave, options: { batchSize: 10 } });
	const first = new URLSearchParams(host.requests[0]!.body).getAll('story_hash');
	expect(first).toEqual(hashes.slice(0, 10));
	for (const { body } of host.requests) expect(new URLSearchParams(body).getAll('story_hash')).toEqual(first);
	expect(error?.description).toContain('Entries 1 to 10 of item 0 are in doubt.');
	expect(error?.description).toContain('Entries 11 to 150 of item 0 were not begun.');
});

describe.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	'a credential that n8n temporarily cannot read, with %s',
	(onError) => {
		afterEach(() => jest.restoreAllMocks());

		it('reports correct stages, whichever read of the credential fails', async () => {
			host.respond = () => done;
			const three = hashes.slice(0, 3);
			const parameters = { ...unsave, storyHash: three.join(','), options: { batchSize: 1 } };
			for (let failing = 1, hasFailed = true; hasFailed; failing += 1) {
				host.requests.length = 0;
				const { data } = engine.credentials;
				let reads = 0;
				jest.spyOn(engine.credentials, 'data').mockImplementation((record) => {
					reads += 1;
					if (reads === failing) throw new Error('The database does not respond');
					return data.call(engine.credentials, record);
				});
				const result = await runReader(engine, parameters, [{}], { onError });
				jest.restoreAllMocks();
				hasFailed = reads >= failing;
				const sent = host.requests.map(({ body }) => new URLSearchParams(body).get('story_hash'));
				const stages = stagesOf(result, 'News Reader', 1, 3);
				expect([failing, stages.map((stage) => stage === 'not done')]).toEqual([
					failing,
					three.map((hash) => !sent.includes(hash)),
				]);
			}
		});
	},
);

describe('Add Many with an entry that fails', () => {
	const FEEDS = {
		...{ authenticated: true, user_id: 1, feeds: {}, folders: [] },
		folder_paths_supported: true,
	};
	const addMany = (feedsToAdd: number[]) => ({ resource: 'feed', operation: 'addMany', feedsToAdd });
	/** Sets the host's reply to a write. */
	const serve = (write: (form: URLSearchParams) => Reply): void => {
		host.respond = ({ method, body }) =>
			method === 'POST' ? write(new URLSearchParams(body)) : { body: FEEDS };
	};
	const added = (ids: string[]): Reply => ({
		body: { authenticated: true, code: 1, results: ids.map((id) => ({ feed_id: Number(id), code: 1 })) },
	});

	it('reports which feeds are added if a later request is refused', async () => {
		let requests = 0;
		serve((form) => (requests++ === 0 ? added(form.getAll('feed_ids')) : refusal));
		const { error } = await runReader(engine, addMany(Array.from({ length: 150 }, (_, n) => n + 1)));
		expect(error?.message).toContain('“Not today”');
		expect(error?.description).toContain(progress);
	});

	it('reports the reason for each feed if all are refused, and that none was added', async () => {
		const results = [1, 2].map((id) => ({ feed_id: id, code: -1, message: `Limit ${id}` }));
		serve(() => ({ body: { authenticated: true, code: -1, results, folders: [] } }));
		const { error } = await runReader(engine, addMany([1, 2]));
		expect(error?.message).toBe('Feed 1 was not added: Limit 1 [item 0]');
		expect(error?.description).toBe('This request added no feed.');
		const result = await runReader(engine, addMany([1, 2]), [{}], { onError: 'continueRegularOutput' });
		expect(result.json('News Reader').map(({ error: message }) => message)).toEqual([
			'Feed 1 was not added: Limit 1 [item 0]',
			'Feed 2 was not added: Limit 2 [item 0]',
		]);
	});

	it('counts an item as done if the service added only some of its feeds', async () => {
		serve((form) => {
			const ids = form.getAll('feed_ids').map(Number);
			const results = ids.map((id) => ({ feed_id: id, code: id === 1 ? 1 : -1, message: `Limit ${id}` }));
			return { body: { authenticated: true, code: ids.includes(1) ? 1 : -1, results } };
		});
		const parameters = { resource: 'feed', operation: 'addMany', feedsToAdd: '={{ $json.feeds }}' };
		const { error } = await runReader(engine, parameters, [{ feeds: [1, 2] }, { feeds: [3] }]);
		expect(error?.message).toContain('Feed 3 was not added: Limit 3');
		expect(error?.description).toContain('Item 0 was done.');
		const feeds = Array.from({ length: 101 }, (_, n) => n + 1);
		const { error: ofOneItem } = await runReader(engine, parameters, [{ feeds }]);
		expect(ofOneItem?.description).toBe(
			'This request added no feed. Entry 1 of item 0 was done. Entries 2 to 101 of item 0 were not done.',
		);
	});

	it('reports a feed that the response does not mention as in doubt', async () => {
		serve(() => added(['1', '3']));
		const { error } = await runReader(engine, addMany([1, 2, 3]));
		expect(error?.message).toBe('The service’s response does not mention feed 2 [item 0]');
		expect(error?.description).toContain('Entries 1, 3 of item 0 were done. Entry 2 of item 0 is in doubt.');
	});
});

it('reports a saved story that the response does not mention as in doubt', async () => {
	host.respond = ({ method }) =>
		method === 'GET'
			? { body: { ...(done.body as object), starred_story_hashes: [] } }
			: { body: { ...(done.body as object), story_hash: hashes[0] } };
	const storyHash = [hashes[0], hashes[0], hashes[1]];
	const { error } = await runReader(engine, { resource: 'savedStory', operation: 'save', storyHash });
	expect(error?.message).toBe(`The service’s response does not mention ${hashes[1]} [item 0]`);
	expect(error?.description).toContain('The service may have carried out the request.');
	expect(error?.description).toContain('Entries 1, 2 of item 0 were done. Entry 3 of item 0 is in doubt.');
});

it('names no item in the failure of a request for several items', async () => {
	host.respond = () => refusal;
	const markRead = { resource: 'story', operation: 'markRead', storyHash: '={{ $json.hash }}' };
	const inputs = hashes.slice(0, 2).map((hash) => ({ hash }));
	const result = await runReader(engine, markRead, inputs, { onError: 'continueRegularOutput' });
	const errors = result.json('News Reader').map(({ error }) => String(error));
	expect(errors).toEqual(inputs.map(() => expect.stringContaining('“Not today”') as string));
	expect(errors.join()).not.toContain('[item');
});

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

it('refuses a value that is nested 100,000 levels deep', async () => {
	const { error } = await runReader(engine, {
		resource: 'folder',
		operation: 'saveOrder',
		folders: nested(100_000),
	});
	expect(error?.message).toMatch(/^Folders \(JSON\) is not a list of feed IDs and folders/);
	expect(host.requests).toEqual([]);
});

it('reports a response that is nested 100,000 levels deep', async () => {
	const deep = `{"authenticated":true,"code":1,"payload":{"tags":{}},"more":${nested(100_000)}}`;
	host.respond = () => ({ body: deep });
	const result = await runReader(engine, {
		resource: 'classifier',
		operation: 'get',
		feedId: byId(42),
		options: { rawResponse: true },
	});
	expect(result.error?.message).toMatch(/^A value is nested too deeply/);
});

/** The number of items that a node returns. No node follows, because n8n's expressions take over a millisecond per item. */
async function countOf(node: ReturnType<typeof newsReader>): Promise<number> {
	const workflow = chain({ name: 'Items', type: 'n8n-nodes-base.manualTrigger' }, node);
	const result = await engine.run({ workflow, input: [{}] });
	expect(result.error).toBeUndefined();
	return result.json('News Reader').length;
}

it('returns a list of 150,000 entries', async () => {
	const all = Array.from({ length: 150_000 }, (_, n) => `42:${String(n).padStart(6, '0')}`);
	host.respond = () => ({ body: { code: 1, authenticated: true, starred_story_hashes: all } });
	const node = newsReader({
		resource: 'savedStory',
		operation: 'getHashes',
		returnAll: true,
		includeTimestamps: false,
	});
	expect(await countOf(node)).toBe(all.length);
});
