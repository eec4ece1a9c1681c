/** Tests the events of the News Reader Trigger against both variants of the sandbox. */
import { variants } from '../../cases/endpoint.ts';
import { byId } from '../support/nodes/link-node';
import { titlesOf, WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime, eventIdsOf, time } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

beforeEach(holdTime);

describe.each(variants)('%s', (variant) => {
	let world: WatchedReader;

	beforeEach(async () => {
		world = await WatchedReader.start(engine, { variant });
	});

	it('emits new unread stories once, oldest first', async () => {
		const run = world.trigger({ event: 'newUnreadStory' });
		expect(await run.activate()).toEqual([]);
		expect(await run.poll()).toEqual([]);
		await world.publish('bitwright', 'one', 'two');
		await world.publish('night-sky', 'three');
		const items = await run.poll();
		expect(titlesOf(items)).toEqual(['one', 'two', 'three']);
		expect(items[0]).toMatchObject({
			hash: expect.stringMatching(/^\d+:[0-9a-f]{6}$/) as string,
			feedTitle: 'Bitwright',
			source: new URL(world.host.baseUrl).host,
			starred: false,
			content: '<p>A story published by a control call.</p>',
			eventId: `unread:${String(items[0]?.hash)}`,
		});
		expect(await run.poll()).toEqual([]);
	});

	it('emits newly saved stories', async () => {
		const run = world.trigger({ event: 'newSavedStory' });
		expect(await run.activate()).toEqual([]);
		await world.publish('bitwright', 'one');
		const { story_hash: hash } = await world.newest('Bitwright');
		await world.reader.post('/reader/mark_story_hash_as_starred', { story_hash: hash, user_tags: ['x'] });
		const items = await run.poll();
		expect(items).toMatchObject([
			{
				...{ hash, title: 'one', feedTitle: 'Bitwright', starred: true, userTags: ['x'] },
				eventId: `saved:${hash}`,
			},
		]);
		expect(await run.poll()).toEqual([]);
	});

	it('emits newly shared stories', async () => {
		const run = world.trigger({ event: 'newSharedStory' });
		expect(await run.activate()).toEqual([]);
		expect(await run.poll()).toEqual([]);
		await world.publish('bitwright', 'one');
		const story = await world.newest('Bitwright');
		await world.friend.post('/social/share_story', { feed_id: story.story_feed_id, story_id: story.id });
		expect(await run.poll()).toMatchObject([
			{ title: 'one', feedTitle: 'Bitwright', sharedBy: 2, eventId: `shared:2:${story.story_hash}` },
		]);
		expect(await run.poll()).toEqual([]);
	});

	it('emits interactions and activities', async () => {
		const interactions = world.trigger({ event: 'newInteraction' });
		const activities = world.trigger({ event: 'newActivity', activityKinds: ['sharedstory'] });
		expect(await interactions.activate()).toEqual([]);
		expect(await activities.activate()).toEqual([]);
		const story = await world.newest('Bitwright');
		const about = { story_feed_id: story.story_feed_id, story_id: story.id, comment_user_id: 1 };
		await world.reader.post('/social/share_story', {
			feed_id: story.story_feed_id,
			story_id: story.id,
			comments: 'mine',
		});
		await world.friend.post('/social/save_comment_reply', { ...about, reply_comments: 'one' });
		await world.friend.post('/social/like_comment', about);
		const items = await interactions.poll();
		expect(items.map(({ category }) => category)).toEqual(['comment_reply', 'comment_like']);
		expect(items[0]?.source).toBe(new URL(world.host.baseUrl).host);
		expect((await activities.poll()).map(({ category }) => category)).toEqual(['sharedstory']);
		expect(await interactions.poll()).toEqual([]);
		expect(await activities.poll()).toEqual([]);
	});

	it('emits matches of saved searches', async () => {
		await world.reader.post('/reader/save_search', {
			feed_id: await world.reader.feedId('Bitwright'),
			query: 'zebra',
		});
		const run = world.trigger({ event: 'savedSearchMatch' });
		expect(await run.activate()).toEqual([]);
		await world.publish('bitwright', 'a zebra', 'a horse');
		expect(await run.poll()).toMatchObject([{ title: 'a zebra', search: 'zebra' }]);
		expect(await run.poll()).toEqual([]);
	});

	it('emits matches of a search in saved stories with a tag', async () => {
		await world.publish('bitwright', 'a gnu to keep', 'a gnu for later');
		const bitwright = await world.reader.feedId('Bitwright');
		const { stories } = (await world.reader.get(`/reader/feed/${bitwright}`)).body;
		const save = async (title: string, tag: string) => {
			const story_hash = String(stories.find((story) => story.story_title === title)?.story_hash);
			await world.reader.post('/reader/mark_story_hash_as_starred', { story_hash, user_tags: tag });
		};
		await world.reader.post('/reader/save_search', { feed_id: 'starred:keep', query: 'gnu' });
		const run = world.trigger({ event: 'savedSearchMatch', savedQuery: 'gnu' });
		expect(await run.activate()).toEqual([]);
		await save('a gnu for later', 'later');
		await save('a gnu to keep', 'keep');
		expect(await run.poll()).toMatchObject([{ title: 'a gnu to keep', searchedIn: 'starred:keep' }]);
	});

	it('emits your own shares only if you select yourself', async () => {
		const everyone = world.trigger({ event: 'newSharedStory', sharedBy: 'anyone' });
		const yours = world.trigger({ event: 'newSharedStory', sharedBy: 'user', userId: byId(1) });
		await everyone.activate();
		await yours.activate();
		await world.publish('bitwright', 'worth sharing');
		const { story_feed_id, id } = await world.newest('Bitwright');
		await world.reader.post('/social/share_story', { feed_id: story_feed_id, story_id: id });
		expect(await everyone.poll()).toEqual([]);
		expect(await yours.poll()).toMatchObject([{ title: 'worth sharing', sharedBy: 1 }]);
	});

	it.each([60, 30 * 24 * 60])(
		'emits new stories after n8n’s clock was set back by %i minutes',
		async (minutes) => {
			await world.reader.post('/reader/mark_all_as_read', { days: 0 });
			const count = world.trigger({ event: 'unreadCountReached', threshold: 1 });
			const story = world.trigger({ event: 'newUnreadStory' });
			const saved = world.trigger({ event: 'newSavedStory' });
			const triggers = [count, story, saved];
			for (const run of triggers) expect(await run.activate()).toEqual([]);
			time.advance(-minutes * 60_000);
			await world.publish('bitwright', 'one');
			const { story_hash } = await world.newest('Bitwright');
			await world.reader.post('/reader/mark_story_hash_as_starred', { story_hash });
			for (const run of triggers) expect(await run.poll()).toHaveLength(1);
		},
	);

	it('reads the counts in each poll, a minute after the start of the last one', async () => {
		await world.reader.post('/reader/mark_all_as_read', { days: 0 });
		const run = world.trigger({ event: 'unreadCountReached', threshold: 1 });
		const responseMs = 300;
		world.host.respond = async ({ path }, passOn) => {
			const reply = await passOn();
			if (path.endsWith('/refresh_feeds')) time.advance(responseMs);
			return reply;
		};
		await run.activate();
		time.uptime -= responseMs;
		await world.publish('bitwright', 'one');
		expect(await run.poll()).toMatchObject([{ count: 1 }]);
	});

	it('shares one request a minute between two nodes that poll at the same time', async () => {
		await world.reader.post('/reader/mark_all_as_read', { days: 0 });
		const broken = world.trigger({ event: 'feedBroken' });
		const count = world.trigger({ event: 'unreadCountReached', threshold: 1 });
		const both = async (poll: 'activate' | 'poll') => {
			const requested = await world.host.requestsDuring(async () => expect(await broken[poll]()).toEqual([]));
			if (poll === 'poll') time.advance(-60_000);
			const items = await count[poll]();
			expect(requested.filter((request) => request.includes('refresh_feeds'))).toHaveLength(1);
			return items;
		};
		expect(await both('activate')).toEqual([]);
		expect(count.inDatabase).not.toEqual({});
		await world.publish('bitwright', 'one');
		expect(await both('poll')).toMatchObject([{ count: 1 }]);
	});

	it.each([
		'newUnreadStory',
		'newSavedStory',
		'newSharedStory',
		'newInteraction',
		'newActivity',
		'unreadCountReached',
		'feedBroken',
	])('returns existing data of %s in a test run', async (event) => {
		const items = await world.trigger({ event }).test();
		expect(items.length).toBeGreaterThan(0);
		expect(new Set(eventIdsOf(items)).size).toBe(items.length);
	});
});
