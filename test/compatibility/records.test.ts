/** What a News Reader of version 1 gives, and its trigger: members under the names, and in the absence, that workflows were built on. */
import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import type { Engine } from '../../engine/index.ts';
import { byId, newsReader, sessionCredential, startEngine } from '../support/reader-node';
import { WatchedReader } from '../support/trigger-reader';

let engine: Engine;
let sandbox: Sandbox;
beforeAll(async () => {
	engine = await startEngine();
	sandbox = await startSandbox({ port: 0, rateLimit: null });
});
afterAll(async () => await sandbox.close());

const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };

async function given(name: string, parameters: object): Promise<IDataObject[]> {
	const [resource, operation] = name.split('.');
	const node = { ...newsReader({ resource, operation, ...parameters }), typeVersion: 1 };
	const { error, json } = await engine.run({
		workflow: {
			nodes: [start, node],
			connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		},
		startNode: 'Start',
		credentials: sessionCredential(sandbox.readerUrl),
	});
	if (error) throw error;
	return json(node.name);
}

const GONE = '1:ffffff';
const feedId = byId(1);
const text = expect.any(String) as string;

it.each<[string, object, object]>([
	['folder.create', { folderName: 'New' }, { success: true }],
	['feed.getPage', { feedId }, { feed_id: 1, content: text }],
	['feed.markRead', { whichFeeds: 'feeds', feedIds: [2] }, { feed_id: 2, read: true }],
	['feed.getFavicons', { filters: { feedIds: [9] } }, { feed_id: 9, favicon: text }],
	['story.getByHash', { storyHash: GONE }, { story_hash: GONE, missing: true }],
	['savedStory.getByHash', { storyHash: GONE }, { story_hash: GONE, missing: true }],
	['savedStory.getHashes', { limit: 1, includeTimestamps: false }, { story_hash: text }],
	['savedSearch.create', { feedId, savedQuery: 'harbour' }, { success: true }],
	[
		'classifier.save',
		{ feedId, classifiers: { entry: [{ kind: 'tag', opinion: 'like', value: 'harbour' }] } },
		{ success: true, message: 'OK' },
	],
])('%s', async (name, parameters, record) => {
	expect((await given(name, parameters))[0]).toEqual(record);
});

it('stories, and what is done to them', async () => {
	const [story] = await given('story.getAll', { feedId, limit: 1 });
	const { hash } = story!;
	expect(Object.keys(story!)).toEqual([
		...['hash', 'id', 'title', 'authors', 'permalink', 'date', 'feedId', 'feedTitle'],
		...['score', 'read', 'starred', 'tags', 'content', 'source'],
	]);
	const [unread] = await given('story.getUnreadHashes', { whichFeeds: 'feeds', feedIds: [1] });
	expect(Object.keys(unread!).slice(0, 2)).toEqual(['story_hash', 'feed_id']);
	expect(await given('story.markRead', { storyHash: hash })).toEqual([{ story_hash: hash, read: true }]);
	expect(await given('story.markUnread', { storyHash: hash })).toEqual([{ story_hash: hash, read: false }]);
	const saved = { story_hash: hash, starred: true, starred_count: expect.any(Number) as number };
	expect(await given('savedStory.save', { storyHash: hash })).toEqual([saved]);
	expect(await given('savedStory.unsave', { storyHash: hash })).toEqual([
		{ story_hash: hash, starred: false },
	]);
	const [original] = await given('story.getOriginalPage', { storyHash: hash });
	expect(Object.keys(original!)).toEqual(['story_hash', 'content']);
});

it('records of the service, under its names', async () => {
	const [statistics] = await given('feed.getStatistics', { feedId });
	expect(statistics).toMatchObject({ id: 1, last_update: expect.stringMatching(/^\d+ \w+$/) as string });
	expect((await given('profile.get', {}))[0]).toMatchObject({ id: 'social:1', user_id: 1, photo_url: text });
	expect((await given('feed.autocomplete', { term: 'lantern' }))[0]).toMatchObject({
		label: text,
		value: text,
	});
	expect((await given('share.getStatistics', { userId: byId(1) }))[0]).toHaveProperty('subscriber_count');
});

it('items of the trigger', async () => {
	const world = await WatchedReader.start(engine);
	const run = world.trigger({ event: 'newUnreadStory', firstPoll: 'last', firstCount: 1 });
	run.node.typeVersion = 1;
	try {
		const [story] = await run.activate();
		expect(story).not.toHaveProperty('userTags');
		run.node.typeVersion = 1.1;
		expect((await run.test())[0]).toMatchObject({ userTags: [] });
	} finally {
		await world.stop();
	}
});
