/** The promises of `docs/triggers.md` about stories: each test reads like its sentence. */
import { controls, LIVE_WIRE, unreadOf, type Story } from '../support/clients/reader-client';
import { connect } from '../support/hosts/reader-sandbox';
import { oAuth2Credential } from '../support/nodes/reader-node';
import { titlesOf, WatchedReader } from '../support/triggers/trigger-reader';
import { eventIdsOf, holdTime, TriggerRun } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

let world: WatchedReader;
beforeEach(holdTime);

const unread = { event: 'newUnreadStory', storyContent: 'none' };
const again = { ...unread, filters: { unreadAgain: true } };

describe('a trigger does not start over', () => {
	it('when the chosen feeds are listed in another order, or twice', async () => {
		world = await WatchedReader.start(engine);
		const [one, two] = [
			await world.reader.feedId('Bitwright'),
			await world.reader.feedId('Night Sky Almanac'),
		];
		const run = await world.trigger({ ...unread, whichFeeds: 'feeds', feedIds: [one, two] }).activated();
		await world.publish('bitwright', 'in between');
		const changed = run.withParameters({ feedIds: [two, one, two] });
		expect(titlesOf(await changed.activate())).toEqual(['in between']);
	});

	it.each([
		['with a slash at its end', (url: string) => `${url}/`],
		['without its scheme', (url: string) => url.replace('http://', '')],
	])('when the Base URL is written %s', async (_, written) => {
		world = await WatchedReader.start(engine);
		const run = await world.trigger(unread).activated();
		await world.publish('bitwright', 'in between');
		const credentials = world.credentials();
		const { data } = credentials.reader!;
		const changed = {
			reader: { ...credentials.reader!, data: { ...data, baseUrl: written(String(data.baseUrl)) } },
		};
		expect(titlesOf(await run.withCredentials(changed).activate())).toEqual(['in between']);
	});

	it('when OAuth2 replaces the session', async () => {
		world = await WatchedReader.start(engine);
		const run = await world.trigger(unread).activated();
		await world.publish('bitwright', 'in between');
		const baseUrl = String(world.credentials().reader!.data.baseUrl);
		const node = {
			...run.node,
			parameters: { ...run.node.parameters, authentication: 'oAuth2' },
			credentials: { newsReaderOAuth2Api: { id: 'oAuth2', name: 'oAuth2' } },
		};
		const tokens = await connect(world.anonymous);
		const changed = new TriggerRun(engine, node, oAuth2Credential(baseUrl, tokens));
		changed.inDatabase = run.inDatabase;
		expect(titlesOf(await changed.activate())).toEqual(['in between']);
	});

	it('when another saved query is chosen: its matches until then count as known', async () => {
		world = await WatchedReader.start(engine, { variant: 'wild' });
		const feed = await world.reader.feedId('Bitwright');
		for (const query of ['solar', 'wind']) {
			await world.reader.post('/reader/save_search', { feed_id: `feed:${feed}`, query });
		}
		const run = await world
			.trigger({ event: 'savedSearchMatch', savedQuery: 'solar', storyContent: 'none' })
			.activated();
		await world.publish('bitwright', 'solar before', 'wind before');
		const both = run.withParameters({ savedQuery: '' });
		expect(titlesOf(await both.activate())).toEqual(['solar before']);
		await world.publish('bitwright', 'solar after', 'wind after');
		expect(titlesOf(await both.poll())).toEqual(['solar after', 'wind after']);
	});
});

describe('a feed that left the list and came back was not read', () => {
	it('if it was muted', async () => {
		world = await WatchedReader.start(engine, { variant: '2026' });
		await world.anonymous.control(controls.fetch);
		const feed_id = await world.reader.feedId('Bitwright');
		const run = await world.trigger({ ...again, whichFeeds: 'feeds', feedIds: [feed_id] }).activated();
		await world.publish('bitwright', 'one', 'two');
		expect(titlesOf(await run.poll())).toEqual(['one', 'two']);
		await world.reader.post('/reader/set_feed_mute', { feed_id, mute: true });
		for (let polls = 0; polls < 3; polls += 1) expect(await run.poll()).toEqual([]);
		await world.reader.post('/reader/set_feed_mute', { feed_id, mute: false });
		await world.publish('bitwright', 'three');
		expect(titlesOf(await run.poll())).toEqual(['three']);
	});

	it('if it was moved out of the folder', async () => {
		world = await WatchedReader.start(engine);
		const feed_id = await world.reader.feedId('Bitwright');
		await world.reader.post('/reader/add_folder', { folder: 'Watched' });
		const { body } = await world.reader.get('/reader/feeds', { flat: true });
		const [from] = Object.entries(body.flat_folders as Record<string, number[]>).find(([, ids]) =>
			ids.includes(feed_id),
		)!;
		const home = from.trim();
		const move = async (in_folder: string, to_folder: string) =>
			await world.reader.post('/reader/move_feed_to_folder', { feed_id, in_folder, to_folder });
		await move(home, 'Watched');
		const run = await world.trigger({ ...again, whichFeeds: 'folder', folder: 'Watched' }).activated();
		await world.publish('bitwright', 'one');
		expect(titlesOf(await run.poll())).toEqual(['one']);
		await move('Watched', home);
		expect(await run.poll()).toEqual([]);
		await move(home, 'Watched');
		expect(await run.poll()).toEqual([]);
		await world.markRead((await world.newest('Bitwright')).story_hash);
		expect(await run.poll()).toEqual([]);
		await world.markUnread((await world.newest('Bitwright')).story_hash);
		expect(titlesOf(await run.poll())).toEqual(['one']);
	});
});

it('a story that is marked as unread again triggers also if its group was emitted', async () => {
	world = await WatchedReader.start(engine, { variant: '2026', plan: 'archive' });
	const run = await world.trigger({ ...again, similarStories: 'group' }).activated();
	await world.publish('bitwright', 'one');
	await world.publish('night-sky', 'two');
	const hashes = [
		(await world.newest('Bitwright')).story_hash,
		(await world.newest('Night Sky Almanac')).story_hash,
	];
	await world.anonymous.control(controls.cluster, { story_hashes: hashes });
	const [emitted] = await run.poll();
	expect(await run.poll()).toEqual([]);
	await world.markRead(emitted?.hash);
	expect(await run.poll()).toEqual([]);
	await world.markUnread(emitted?.hash);
	expect(titlesOf(await run.poll())).toEqual([emitted?.title]);
});

describe('saved stories are ordered by when they were saved', () => {
	const saveBoth = async (): Promise<void> => {
		await world.publish('bitwright', 'first', 'second');
		const { body } = await world.reader.get(`/reader/feed/${await world.reader.feedId('Bitwright')}`);
		const hashOf = (title: string) =>
			String(body.stories.find(({ story_title: own }) => own === title)?.story_hash);
		const save = async (title: string, fields: object = {}) => {
			world.reader.clock.advance(60_000);
			await world.reader.post('/reader/mark_story_hash_as_starred', { story_hash: hashOf(title), ...fields });
		};
		await save('first');
		await save('second');
		await save('first', { user_tags: ['edited'] });
	};
	const saved = { event: 'newSavedStory', storyContent: 'none' };

	it('even if an earlier one was edited later', async () => {
		world = await WatchedReader.start(engine, { variant: 'wild' });
		const run = await world.trigger({ ...saved, options: { maximum: 1 } }).activated();
		await saveBoth();
		expect(titlesOf(await run.pollUntilEmpty())).toEqual(['first', 'second']);
	});

	it('when the first poll emits the latest ones', async () => {
		world = await WatchedReader.start(engine, { variant: 'wild' });
		await saveBoth();
		const run = world.trigger({ ...saved, firstPoll: 'last', firstCount: 1 });
		expect(titlesOf(await run.activate())).toEqual(['second']);
		expect(await run.poll()).toEqual([]);
	});
});

it.each([
	['cafe\u0301', 'Caf\u00e9 im Hof'],
	['caf\u00e9', 'Cafe\u0301 im Hof'],
])('a filter finds é however it is composed: %s', async (titleContains, title) => {
	world = await WatchedReader.start(engine);
	const run = await world.trigger({ ...unread, filters: { titleContains } }).activated();
	await world.publish('bitwright', title, 'Cafe');
	expect(titlesOf(await run.poll())).toEqual([title]);
});

it('an item that is repeated after a restart is the one of then', async () => {
	world = await WatchedReader.start(engine);
	const run = await world.trigger(unread).activated();
	await world.publish('bitwright', 'one');
	const emitted = await run.poll();
	await world.markRead(emitted[0]?.hash);
	run.restart();
	expect(await run.activate()).toEqual(emitted);
});

it('a second follow, like or subscription is no event, nor is an edited comment', async () => {
	world = await WatchedReader.start(engine, { variant: 'wild' });
	const { reader, friend } = world;
	const story = await world.newest('Bitwright');
	const about = { story_feed_id: story.story_feed_id, story_id: story.id, comment_user_id: 1 };
	const share = { feed_id: story.story_feed_id, story_id: story.id };
	await reader.post('/social/share_story', { ...share, comments: 'mine' });
	await friend.post('/social/unfollow', { user_id: 1 });
	const once = async (): Promise<void> => {
		await friend.post('/social/follow', { user_id: 1 });
		await friend.post('/social/like_comment', about);
		await reader.post('/social/share_story', { ...share, comments: `mine, at ${reader.clock.now()}` });
		await friend.post('/social/unfollow', { user_id: 1 });
		await friend.post('/social/remove_like_comment', about);
		await reader.post('/reader/delete_feed', { feed_id: story.story_feed_id, in_folder: '' });
		await reader.post('/reader/add_url', { url: feed_address });
	};
	const { feed_address } = (await reader.get('/reader/feeds')).body.feeds[story.story_feed_id]!;
	const runs = [world.trigger({ event: 'newInteraction' }), world.trigger({ event: 'newActivity' })];
	await once();
	for (const run of runs) await run.activate();
	reader.clock.advance(60_000);
	await once();
	for (const run of runs) expect(await run.poll()).toEqual([]);
});

it('older stories that move up in a muted feed of more than 500 do not trigger when it is unmuted', async () => {
	world = await WatchedReader.start(engine, { variant: '2026' });
	const feed_id = await world.reader.feedId('Live Wire');
	await world.reader.control(controls.bulk, { feed_id, count: 600 });
	const run = world.trigger({ event: 'newUnreadStory', whichFeeds: 'feeds', feedIds: [feed_id] });
	await run.activate();
	const { body } = await world.reader.get('/reader/unread_story_hashes');
	await world.reader.post('/reader/set_feed_mute', { feed_id, mute: true });
	expect(await run.poll()).toEqual([]);
	await world.markRead(...body.unread_feed_story_hashes[feed_id]!.slice(0, 20));
	await world.reader.post('/reader/set_feed_mute', { feed_id, mute: false });
	expect(await run.poll()).toEqual([]);
	await world.publish('live-wire', 'New');
	expect(await run.poll()).toMatchObject([{ title: 'New' }]);
});

it('a feed that fails already triggers when it is unmuted', async () => {
	world = await WatchedReader.start(engine, { variant: '2026' });
	const feed_id = await world.reader.feedId('Bitwright');
	const run = await world.trigger({ event: 'feedBroken' }).activated();
	await world.reader.post('/reader/set_feed_mute', { feed_id, mute: true });
	await world.anonymous.control('/sandbox/feeds/bitwright/break');
	await world.anonymous.control(controls.fetch);
	expect(await run.poll()).toEqual([]);
	await world.reader.post('/reader/set_feed_mute', { feed_id, mute: false });
	expect(await run.poll()).toMatchObject([{ feedId: feed_id, broken: true }]);
});

it('a test looks at the newest pages, and does not say that there are no older entries', async () => {
	world = await WatchedReader.start(engine, { variant: 'wild' });
	const run = world.trigger({ event: 'newActivity', activityKinds: ['follow'] });
	expect(await run.test()).toHaveLength(1);
	await world.publish('bitwright', ...Array.from({ length: 20 }, (_, n) => `story ${n}`));
	const { body } = await world.reader.get('/reader/unread_story_hashes');
	for (const story_hash of Object.values(body.unread_feed_story_hashes).flat().map(String)) {
		await world.reader.post('/reader/mark_story_hash_as_starred', { story_hash });
	}
	await expect(run.test()).rejects.toMatchObject({
		description: expect.stringContaining('Nothing recent matches these settings.'),
	});
});

it('the shares of a user who is followed later do not hide those that wait for the next poll', async () => {
	world = await WatchedReader.start(engine, { variant: 'wild' });
	await world.anonymous.post('/api/signup', {
		username: 'third',
		password: 'sandbox-password',
		email: 'third@example.com',
	});
	const third = await world.anonymous.as('third');
	const { user_profile: profile } = (await third.get('/social/profile')).body;
	await world.reader.control(controls.bulk, { feed_id: LIVE_WIRE, count: 66, seconds_apart: 1 });
	const stories: Story[] = [];
	for (let page = 1; page <= 11; page += 1) {
		stories.push(...(await world.reader.get(`/reader/feed/${LIVE_WIRE}`, { page })).body.stories);
	}
	const run = await world
		.trigger({ event: 'newSharedStory', storyContent: 'none', options: { maximum: 2 } })
		.activated();
	for (const [index, { story_feed_id: feed_id, id: story_id }] of stories.slice(0, 66).entries()) {
		world.reader.clock.advance(1000);
		await (index < 6 ? world.friend : third).post('/social/share_story', { feed_id, story_id });
	}
	expect(await run.poll()).toHaveLength(2);
	await world.reader.post('/social/follow', { user_id: Number(profile!.user_id) });
	expect(await run.pollUntilEmpty()).toHaveLength(4);
});

it('stories for which the list of a feed had no room were not read', async () => {
	world = await WatchedReader.start(engine, { variant: '2026' });
	const publish = async (count: number): Promise<void> => {
		world.reader.clock.advance(1000 * count);
		await world.reader.control(controls.bulk, { feed_id: LIVE_WIRE, count, seconds_apart: 1 });
	};
	await world.reader.post('/reader/mark_all_as_read', { days: 0 });
	await publish(500);
	const parameters = { ...again, whichFeeds: 'feeds', feedIds: [LIVE_WIRE], options: { maximum: 10 } };
	const run = await world.trigger(parameters).activated();
	for (let polls = 0; polls < 2; polls += 1) {
		await publish(100);
		expect(await run.poll()).toHaveLength(10);
	}
	await world.markRead(...(await unreadOf(world.reader, LIVE_WIRE)).slice(0, 150));
	const events = eventIdsOf(await run.pollUntilEmpty());
	expect(events).toHaveLength(30);
	expect(events.filter((id) => id.includes('#'))).toEqual([]);
});
