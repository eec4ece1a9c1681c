/** Tests New Unread Story and New Saved Story: order, filters, limits, failures and restarts. */
import { controls } from '../support/clients/reader-client';
import { editBody, type Responder } from '../support/hosts/fake-host';
import { captureLogs } from '../support/nodes/logs';
import { byId } from '../support/nodes/link-node';
import { titlesOf, WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime, eventIdsOf } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

const DAY = 86_400_000;

const logged = captureLogs();
let world: WatchedReader;
beforeEach(async () => {
	holdTime();
	world = await WatchedReader.start(engine);
});

const unread = { event: 'newUnreadStory', storyContent: 'none' };

it('emits stories with equal, past and future times once', async () => {
	const run = await world.trigger(unread).activated();
	const now = world.reader.clock.now();
	await world.publish(
		'bitwright',
		{ title: 'first', publishedAt: now },
		{ title: 'future', publishedAt: now + DAY / 2 },
	);
	expect(titlesOf(await run.poll())).toEqual(['first', 'future']);
	await world.publish(
		'night-sky',
		{ title: 'same second', publishedAt: now },
		{ title: 'late', publishedAt: now - 2 * DAY },
	);
	await world.publish('bitwright', { title: 'also the same second', publishedAt: now });
	const titles = titlesOf(await run.poll());
	expect(titles[0]).toBe('late');
	expect(titles.slice(1).sort()).toEqual(['also the same second', 'same second']);
	expect(await run.poll()).toEqual([]);
});

it('sends one request if nothing is new, whatever the order of the list', async () => {
	const run = await world.trigger(unread).activated();
	world.host.respond = async ({ path }, passOn) => {
		if (!path.endsWith('/unread_story_hashes')) return undefined;
		return editBody(await passOn(), (body) => {
			const hashes = JSON.parse(body) as { unread_feed_story_hashes: Record<string, unknown[]> };
			for (const list of Object.values(hashes.unread_feed_story_hashes)) list.reverse();
			return JSON.stringify(hashes);
		});
	};
	const requested = await world.host.requestsDuring(async () => expect(await run.poll()).toEqual([]));
	expect(requested).toEqual([expect.stringMatching('^GET /reader-service/reader/unread_story_hashes')]);
});

it('does not emit stories that were read before the poll', async () => {
	const run = await world.trigger(unread).activated();
	await world.publish('bitwright', 'already read', 'unread');
	const { body } = await world.reader.get(`/reader/feed/${await world.reader.feedId('Bitwright')}`);
	await world.markRead(body.stories.find((story) => story.story_title === 'already read')?.story_hash);
	expect(titlesOf(await run.poll())).toEqual(['unread']);
});

it.each([false, true])('emits stories that were marked as unread again: %s', async (unreadAgain) => {
	const run = await world.trigger({ ...unread, filters: { unreadAgain } }).activated();
	await world.publish('bitwright', 'one');
	const [story] = await run.poll();
	for (const number of [1, 2]) {
		await world.markRead(story?.hash);
		expect(await run.poll()).toEqual([]);
		await world.markUnread(story?.hash);
		expect(eventIdsOf(await run.poll())).toEqual(
			unreadAgain ? [`unread:${String(story?.hash)}#${number}`] : [],
		);
		expect(await run.poll()).toEqual([]);
	}
});

it('emits at most the maximum, oldest first, and the rest in later polls', async () => {
	const run = await world.trigger({ ...unread, options: { maximum: 2 } }).activated();
	await world.publish('bitwright', 'one', 'two', 'three', 'four', 'five');
	expect(titlesOf(await run.poll())).toEqual(['one', 'two']);
	await world.publish('bitwright', 'six');
	expect(titlesOf(await run.pollUntilEmpty())).toEqual(['three', 'four', 'five', 'six']);
});

it.each([
	['last', { firstPoll: 'last', firstCount: 2 }, 2],
	['everything', { firstPoll: 'everything', options: { maximum: 1000 } }, undefined],
])('emits in the first poll: %s', async (_, parameters, count) => {
	const run = world.trigger({ ...unread, ...parameters });
	const items = await run.activate();
	const { body } = await world.reader.get('/reader/unread_story_hashes');
	const visible = Object.values(body.unread_feed_story_hashes).flat().length;
	expect(items).toHaveLength(count ?? visible);
	expect(items.map(({ date }) => date)).toEqual(items.map(({ date }) => date).sort());
	expect(await run.poll()).toEqual([]);
});

it('watches selected feeds, or a folder with its subfolders', async () => {
	const [bitwright, sky] = [
		await world.reader.feedId('Bitwright'),
		await world.reader.feedId('Night Sky Almanac'),
	];
	await world.reader.post('/reader/add_folder', { folder: 'Outer' });
	await world.reader.post('/reader/add_folder', { folder: 'Inner', parent_folder: 'Outer' });
	const { body } = await world.reader.get('/reader/feeds');
	const folderOf = (id: number): string => {
		const named = body.folders.find(
			(entry) => typeof entry === 'object' && JSON.stringify(entry).match(new RegExp(`\\b${id}\\b`)),
		);
		return named ? Object.keys(named as object)[0]! : '';
	};
	await world.reader.post('/reader/move_feed_to_folder', {
		feed_id: sky,
		in_folder: folderOf(sky),
		to_folder: 'Inner',
	});
	const chosen = world.trigger({ ...unread, whichFeeds: 'feeds', feedIds: [bitwright] });
	const folder = world.trigger({
		...unread,
		whichFeeds: 'folder',
		folder: { __rl: true, mode: 'id', value: 'Outer' },
	});
	const unknownFolder = world.trigger({
		...unread,
		whichFeeds: 'folder',
		folder: { __rl: true, mode: 'id', value: 'Nowhere' },
	});
	await chosen.activate();
	await folder.activate();
	await expect(unknownFolder.activate()).rejects.toThrow('Folder "Nowhere" does not exist');
	await world.publish('bitwright', 'of the feed');
	await world.publish('night-sky', 'of the folder');
	await world.publish('slow-kitchen', 'of neither');
	expect(titlesOf(await chosen.poll())).toEqual(['of the feed']);
	expect(titlesOf(await folder.poll())).toEqual(['of the folder']);
});

it('filters by title, author, tag and score, and excludes hidden stories', async () => {
	const id = await world.reader.feedId('Bitwright');
	await world.reader.post('/classifier/save', { feed_id: id, like_tag: 'good', dislike_tag: 'bad' });
	const filtered = (filters: object) => world.trigger({ ...unread, filters });
	const runs = {
		all: filtered({}),
		hidden: filtered({ includeHidden: true }),
		focus: filtered({ focusOnly: true }),
		title: filtered({ titleContains: 'ZEBRA' }),
		author: filtered({ authorContains: 'ada' }),
		tags: filtered({ storyTags: 'x, good' }),
	};
	for (const run of Object.values(runs)) await run.activate();
	await world.publish(
		'bitwright',
		{ title: 'a zebra', author: 'Ada Example' },
		{ title: 'liked', tags: ['good'] },
		{ title: 'disliked', tags: ['bad'] },
	);
	const emitted = Object.fromEntries(
		await Promise.all(
			Object.entries(runs).map(async ([name, run]) => [name, titlesOf(await run.poll())] as const),
		),
	);
	expect(emitted).toEqual({
		all: ['a zebra', 'liked'],
		hidden: ['a zebra', 'liked', 'disliked'],
		focus: ['liked'],
		title: ['a zebra'],
		author: ['a zebra'],
		tags: ['liked'],
	});
	for (const run of Object.values(runs)) expect(await run.poll()).toEqual([]);
});

it('renews an expired session', async () => {
	const run = await world.trigger(unread).activated();
	await world.publish('bitwright', 'one');
	await world.anonymous.control(controls.revokeSessions, { username: 'reader' });
	expect(titlesOf(await run.poll())).toEqual(['one']);
});

it('emits each story once if reading the stories fails', async () => {
	const run = await world.trigger(unread).activated();
	await world.publish('bitwright', 'one');
	world.host.respond = ({ line }) => (line.includes('river_stories') ? { status: 500 } : undefined);
	await expect(run.poll()).rejects.toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
	world.host.reset();
	expect(titlesOf(await run.poll())).toEqual(['one']);
	expect(await run.poll()).toEqual([]);
});

it('fails if the rate limit refuses all new stories, even if another story was read meanwhile', async () => {
	await world.publish('bitwright', 'known');
	const { story_hash: known } = await world.newest('Bitwright');
	const run = await world.trigger(unread).activated();
	await world.publish('bitwright', 'one');
	const refused = { status: 429, headers: { 'retry-after': '50' } };
	world.host.respond = ({ path }) => (path.endsWith('/river_stories') ? refused : undefined);
	await world.markRead(known);
	await expect(run.poll()).rejects.toMatchObject({ failure: { cause: 'rate-limited' } });
	world.host.reset();
	expect(titlesOf(await run.poll())).toEqual(['one']);
});

it('requests feed titles once if they can’t be read, and says why they are missing', async () => {
	const run = await world.trigger(unread).activated();
	await world.publish('bitwright', 'one', 'two', 'three');
	const cut = { body: '{"feeds":' };
	world.host.respond = ({ path }) => (path.endsWith('/reader/feeds') ? cut : undefined);
	world.host.requests.length = 0;
	logged.length = 0;
	expect((await run.poll()).map(({ feedTitle }) => feedTitle)).toEqual([null, null, null]);
	expect(world.host.requestsTo('/reader/feeds').length).toBeLessThan(3);
	expect(JSON.stringify(logged)).toContain('The titles of feeds could not be read');
});

it.each([
	[{ event: 'savedSearchMatch' }, 'Check Saved Query.'],
	[{ event: 'newSharedStory', sharedBy: 'anyone' }, undefined],
	[{ event: 'newSharedStory', sharedBy: 'user', userId: byId(2) }, 'Check User.'],
])(
	'names only fields of its own form if the service fails without a reason: %j',
	async (event, description) => {
		await world.reader.post('/social/follow', { user_id: 2 });
		await world.reader.post('/reader/save_search', { feed_id: 'river:', query: 'one' });
		const run = await world.trigger(event).activated();
		const failed = { status: 500, body: '{}' };
		world.host.respond = ({ path }) => (/\/(river_)?stories/.test(path) ? failed : undefined);
		await expect(run.poll()).rejects.toMatchObject({ description });
	},
);

/** Removes all stories from the river. */
const withoutStories: Responder = async ({ path }, passOn) =>
	path.endsWith('/river_stories')
		? editBody(await passOn(), (body) => JSON.stringify({ ...(JSON.parse(body) as object), stories: [] }))
		: undefined;

it('requests an unavailable story again, up to five times, and says that it is skipped', async () => {
	const run = await world.trigger(unread).activated();
	await world.publish('bitwright', 'one');
	world.host.respond = withoutStories;
	expect(await run.poll()).toEqual([]);
	world.host.reset();
	expect(titlesOf(await run.poll())).toEqual(['one']);
	await world.publish('bitwright', 'never there');
	world.host.respond = withoutStories;
	const skipped = 'Listed stories skipped because the service did not return them in 5 polls: 1';
	for (let polls = 0; polls < 5; polls += 1) {
		expect(JSON.stringify(logged)).not.toContain(skipped);
		expect(await run.poll()).toEqual([]);
	}
	expect(JSON.stringify(logged)).toContain(skipped);
	expect(await world.host.requestsDuring(() => run.poll())).toHaveLength(1);
});

it('forgets an unavailable story that leaves the list', async () => {
	const run = await world.trigger(unread).activated();
	await world.publish('bitwright', 'never there');
	world.host.respond = withoutStories;
	await run.poll();
	const unreadable = (): object =>
		(run.inMemory as { state: { cursor: { unreadable: object } } }).state.cursor.unreadable;
	expect(Object.values(unreadable())).toEqual([1]);
	await world.markRead((await world.newest('Bitwright')).story_hash);
	await run.poll();
	expect(unreadable()).toEqual({});
});

it('emits the stories of the last poll again after a restart, even if they were read', async () => {
	const run = await world.trigger(unread).activated();
	await world.publish('bitwright', 'one', 'two');
	const lost = await run.poll();
	run.restart();
	await world.markRead(...lost.map(({ hash }) => hash));
	expect(eventIdsOf(await run.activate())).toEqual(eventIdsOf(lost));
	expect(await run.poll()).toEqual([]);
});

it('starts over with another account', async () => {
	const run = await world
		.trigger({ ...unread, firstPoll: 'everything', options: { maximum: 1000 } })
		.activated();
	await world.publish('bitwright', 'one');
	expect(titlesOf(await run.poll())).toEqual(['one']);
	const other = run.withCredentials(world.credentials('friend'));
	expect(await other.activate()).toEqual([]);
	expect(await other.poll()).toEqual([]);
});

it('keeps the state below a megabyte with 100,000 unread stories', async () => {
	const id = await world.reader.feedId('Bitwright');
	await world.anonymous.control(controls.bulk, { feed_id: id, count: 100_000 });
	const run = world.trigger(unread);
	expect(await run.activate()).toEqual([]);
	expect(JSON.stringify(run.inDatabase).length).toBeLessThan(1_000_000);
	await world.publish('bitwright', 'one');
	expect(titlesOf(await run.poll())).toEqual(['one']);
	const requested = await world.host.requestsDuring(async () => expect(await run.poll()).toEqual([]));
	expect(requested).toHaveLength(1);
});

it('emits unsimplified stories, and filters saved stories by tag', async () => {
	const run = await world
		.trigger({ event: 'newSavedStory', simplify: false, filters: { savedWithTags: 'keep' } })
		.activated();
	await world.publish('bitwright', 'kept', 'other');
	const { body } = await world.reader.get(`/reader/feed/${await world.reader.feedId('Bitwright')}`);
	const [other, kept] = body.stories;
	await world.reader.post('/reader/mark_story_hash_as_starred', { story_hash: other!.story_hash });
	await world.reader.post('/reader/mark_story_hash_as_starred', {
		story_hash: kept!.story_hash,
		user_tags: ['keep'],
	});
	expect(await run.poll()).toMatchObject([{ story_hash: kept!.story_hash, story_title: 'kept' }]);
});
