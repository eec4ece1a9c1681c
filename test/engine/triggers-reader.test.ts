/** The News Reader Trigger against the local service, as its contract says and as the service was seen. */
import type { Engine } from '../../demo/engine.ts';
import { variants } from '../contract/endpoint';
import { controls, startReader, type ReaderClient, type Story } from '../sandbox/readerClient';
import { Gate } from './gate';
import { startEngine } from './link-node';
import { holdTime, idsOf, releaseTime, time, TriggerRun, type Json, type Keeping } from './trigger-run';

let engine: Engine;

beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(holdTime);
afterEach(releaseTime);

describe.each(variants)('%s', (variant) => {
	let close: () => Promise<void>;
	let anybody: ReaderClient;
	let reader: ReaderClient;
	let friend: ReaderClient;
	let gate: Gate;
	let names = 0;

	beforeEach(async () => {
		const started = await startReader({ variant });
		close = started.close;
		anybody = started.client;
		reader = await anybody.as('reader');
		friend = await anybody.as('friend');
		await anybody.control(controls.settings, { fetch_seconds: 0 });
		gate = await Gate.before(anybody.origin);
	});
	afterEach(async () => {
		await gate.close();
		await close();
	});

	/** A trigger of its own, with a name of its own. */
	const trigger = (parameters: object, keeping: Keeping = 'legacy'): TriggerRun =>
		new TriggerRun(
			engine,
			{
				name: `Trigger ${(names += 1)}`,
				type: 'n8n-nodes-newslink.newsReaderTrigger',
				parameters,
				credentials: { newsReaderSessionApi: { id: 'reader', name: 'reader' } },
			},
			{
				reader: {
					type: 'newsReaderSessionApi',
					data: {
						baseUrl: `${gate.url}/reader-service`,
						username: 'reader',
						password: 'sandbox-password',
						cookieName: variant === 'wild' ? 'newsreader_sessionid' : 'reader_sessionid',
						sessionToken: '',
						allowedHttpRequestDomains: 'all',
					},
				},
			},
			keeping,
		);

	/** Publishes stories, each a second after the other. */
	async function publish(slug: string, ...titles: string[]): Promise<void> {
		for (const title of titles) {
			reader.clock.advance(1000);
			await anybody.control(`/sandbox/feeds/${slug}/publish`, { title });
		}
		await anybody.control(controls.fetch);
	}
	const titlesOf = (items: Json[]): unknown[] => items.map(({ title }) => title);
	const newest = async (slug: string): Promise<Story> => {
		const id = await reader.feedId(slug);
		return (await reader.get(`/reader/feed/${id}`)).body.stories[0]!;
	};

	it('tells new unread stories once, oldest first', async () => {
		const run = trigger({ event: 'newUnreadStory' });
		expect(await run.activate()).toEqual([]);
		expect(await run.poll()).toEqual([]);
		await publish('bitwright', 'one', 'two');
		await publish('night-sky', 'three');
		const items = await run.poll();
		expect(titlesOf(items)).toEqual(['one', 'two', 'three']);
		expect(items[0]).toMatchObject({
			hash: expect.stringMatching(/^\d+:[0-9a-f]{6}$/) as string,
			source: 'News Reader',
			starred: false,
			content: '<p>A story published by a control call.</p>',
			eventId: `unread:${String(items[0]?.hash)}`,
		});
		expect(await run.poll()).toEqual([]);
	});

	it('tells newly saved stories', async () => {
		const run = trigger({ event: 'newSavedStory' });
		expect(await run.activate()).toEqual([]);
		await publish('bitwright', 'one');
		const { story_hash: hash } = await newest('Bitwright');
		await reader.post('/reader/mark_story_hash_as_starred', { story_hash: hash, user_tags: ['x'] });
		const items = await run.poll();
		expect(items).toMatchObject([
			{ hash, title: 'one', starred: true, userTags: ['x'], eventId: `saved:${hash}` },
		]);
		expect(await run.poll()).toEqual([]);
	});

	it('tells newly shared stories', async () => {
		const run = trigger({ event: 'newSharedStory' });
		expect(await run.activate()).toEqual([]);
		expect(await run.poll()).toEqual([]);
		await publish('bitwright', 'one');
		const story = await newest('Bitwright');
		await friend.post('/social/share_story', { feed_id: story.story_feed_id, story_id: story.id });
		expect(await run.poll()).toMatchObject([
			{ title: 'one', sharedBy: 2, eventId: `shared:2:${story.story_hash}` },
		]);
		expect(await run.poll()).toEqual([]);
	});

	it('tells interactions and activities', async () => {
		const interactions = trigger({ event: 'newInteraction' });
		const activities = trigger({ event: 'newActivity', activityKinds: ['sharedstory'] });
		expect(await interactions.activate()).toEqual([]);
		expect(await activities.activate()).toEqual([]);
		const story = await newest('Bitwright');
		const about = { story_feed_id: story.story_feed_id, story_id: story.id, comment_user_id: 1 };
		await reader.post('/social/share_story', {
			feed_id: story.story_feed_id,
			story_id: story.id,
			comments: 'mine',
		});
		await friend.post('/social/save_comment_reply', { ...about, reply_comments: 'one' });
		await friend.post('/social/like_comment', about);
		const items = await interactions.poll();
		expect(items.map(({ category }) => category)).toEqual(['comment_reply', 'comment_like']);
		expect((await activities.poll()).map(({ category }) => category)).toEqual(['sharedstory']);
		expect(await interactions.poll()).toEqual([]);
		expect(await activities.poll()).toEqual([]);
	});

	it('tells matches of saved searches', async () => {
		await reader.post('/reader/save_search', { feed_id: await reader.feedId('Bitwright'), query: 'zebra' });
		const run = trigger({ event: 'savedSearchMatch' });
		expect(await run.activate()).toEqual([]);
		await publish('bitwright', 'a zebra', 'a horse');
		expect(await run.poll()).toMatchObject([{ title: 'a zebra', search: 'zebra' }]);
		expect(await run.poll()).toEqual([]);
	});

	it('tells each time that the unread count reaches a threshold', async () => {
		await reader.post('/reader/mark_all_as_read', { days: 0 });
		const run = trigger({ event: 'unreadCountReached', threshold: 2 });
		expect(await run.activate()).toEqual([]);
		await publish('bitwright', 'one');
		expect(await run.poll()).toEqual([]);
		await publish('bitwright', 'two', 'three');
		const [reached] = await run.poll();
		expect(reached).toMatchObject({ count: 3, threshold: 2 });
		await publish('bitwright', 'four');
		expect(await run.poll()).toEqual([]);
		await reader.post('/reader/mark_all_as_read', { days: 0 });
		expect(await run.poll()).toEqual([]);
		await publish('bitwright', 'five', 'six');
		const [again] = await run.poll();
		expect(again).toMatchObject({ count: 2 });
		expect(again?.eventId).not.toBe(reached?.eventId);
	});

	it('tells when a feed fails and recovers', async () => {
		const run = trigger({ event: 'feedBroken', feedState: 'both' });
		expect(await run.activate()).toEqual([]);
		await anybody.control('/sandbox/feeds/bitwright/break');
		await anybody.control(controls.fetch);
		const [broken] = await run.poll();
		expect(broken).toMatchObject({
			broken: true,
			feedTitle: 'Bitwright',
			exceptionCode: expect.any(Number) as number,
		});
		expect(await run.poll()).toEqual([]);
		await anybody.control('/sandbox/feeds/bitwright/repair');
		await anybody.control(controls.fetch);
		expect(await run.poll()).toMatchObject([{ broken: false, feedId: broken?.feedId }]);
		expect(await run.poll()).toEqual([]);
		expect(idsOf([])).toEqual([]);
		expect(time.now).toBeGreaterThan(0);
	});

	it.each([
		'newUnreadStory',
		'newSavedStory',
		'newSharedStory',
		'newInteraction',
		'newActivity',
		'unreadCountReached',
		'feedBroken',
	])('shows something real of %s in a test run, and leaves the state alone', async (event) => {
		const items = await trigger({ event }).test();
		expect(items.length).toBeGreaterThan(0);
		expect(new Set(idsOf(items)).size).toBe(items.length);
	});
});
