/**
 * The News Reader in the sandbox, in all variants and with both credentials. A separate client checks the effects of what
 * takes several requests.
 */
import type { IDataObject } from 'n8n-workflow';
import type { RunResult } from '../../engine/index.ts';
import {
	byId,
	from,
	oAuth2Credential,
	records,
	runReader,
	sessionCredential,
	type Authentication,
} from '../support/nodes/reader-node';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import type { ReaderClient } from '../support/clients/reader-client.ts';
import { variants, type Variant } from '../../sandbox/shared/options.ts';
import { engine } from '../support/nodes/suite-engine';

/** Ids of the sandbox's built-in feeds and users. */
const LANTERN = 1;
const KERB = 2;
const ME = 1;
const FRIEND = 2;

const modes = variants.flatMap((variant): Array<[Variant, Authentication]> => [
	[variant, 'session'],
	[variant, 'oAuth2'],
]);
const text = expect.any(String) as string;
const number = expect.any(Number) as number;
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) as string;
const done = { success: true };
const fromItem = (name: string) => `={{ $json.${name} }}`;

describe.each(modes)('%s, by %s', (variant, authentication) => {
	let reader: ReaderSandbox;
	let me: ReaderClient;
	let friend: ReaderClient;
	/** Feed 5 before the tests change it. */
	let nightSky: Record<string, unknown>;

	beforeAll(async () => {
		reader = await ReaderSandbox.start({
			variant,
			plan: variant === '2026' ? 'archive' : 'premium',
		});
		me = await reader.logIn();
		friend = await reader.client.as('friend');
		nightSky = (await me.get('/reader/feeds')).body.feeds['5']!;
		engine.credentials.setAll(
			authentication === 'session'
				? sessionCredential(reader.baseUrl)
				: oAuth2Credential(reader.baseUrl, await reader.connect()),
		);
	});

	/** Runs an operation for each input. */
	async function run(name: string, parameters: object = {}, inputs: object[] = [{}]): Promise<RunResult> {
		const [resource, operation] = name.split('.');
		return await runReader(engine, { resource, operation, ...parameters }, inputs, { authentication });
	}

	const runAll = async (name: string, parameters: object = {}): Promise<IDataObject[]> =>
		records(await run(name, parameters));

	const runAllPages = async (name: string, parameters: object = {}): Promise<IDataObject[]> =>
		await runAll(name, { returnAll: true, ...parameters });

	/** Runs an operation that returns one record. */
	async function runOne(name: string, parameters: object = {}): Promise<IDataObject> {
		const [record, ...others] = await runAll(name, parameters);
		expect(others).toEqual([]);
		return record!;
	}

	const feedId = (id: number) => ({ feedId: byId(id) });
	/** A story of a feed, as the service returns it. */
	const storyOf = async (feed: number, place = 0) =>
		(await me.get(`/reader/feed/${feed}`)).body.stories[place]!;
	const unread = async (feed: number) => await reader.unreadHashes(feed);
	const folders = async () => JSON.stringify((await me.get('/reader/feeds')).body.folders);
	const subscribed = async () => Object.keys((await me.get('/reader/feeds')).body.feeds).map(Number);
	const starred = async () => (await me.get('/reader/starred_story_hashes')).body.starred_story_hashes;

	it('rivers and unread stories', async () => {
		const chosen = { whichFeeds: 'feeds', feedIds: [LANTERN, KERB] };
		const both = await runAllPages('river.getAll', { ...chosen, storyContent: 'none' });
		expect(both).toHaveLength(120);
		expect(new Set(both.map(({ feedId: id }) => id))).toEqual(new Set([LANTERN, KERB]));
		const folder = await runAllPages('river.getAll', {
			whichFeeds: 'folder',
			folder: byId('News'),
			storyContent: 'none',
		});
		expect(folder.map(({ hash }) => hash)).toEqual(both.map(({ hash }) => hash));
		expect(await runAll('river.getAll', { whichFeeds: 'all', limit: 30 })).toHaveLength(30);
		expect(await runAllPages('river.getShared', { socialUserIds: [FRIEND] })).toHaveLength(3);

		const hashes = await runAll('story.getUnreadHashes', { ...chosen, includeTimestamps: true });
		expect(hashes).toHaveLength(120);
		expect(hashes[0]).toEqual({ hash: text, feedId: number, date: iso });
		const every = Object.values((await me.get('/reader/unread_story_hashes')).body.unread_feed_story_hashes);
		expect(every.flat().length).toBeGreaterThan(300);
		expect(
			await runAll('story.getUnreadHashes', { whichFeeds: 'all', includeTimestamps: false }),
		).toHaveLength(every.flat().length);

		const newest = await runAll('story.getUnread', {
			whichFeeds: 'folder',
			folder: byId('News'),
			limit: 110,
			options: { order: 'newest' },
		});
		const dates = newest.map(({ date }) => String(date));
		expect(dates).toEqual([...dates].sort().reverse());
		expect(newest).toHaveLength(110);
		expect(new Set(newest.map(({ feedId: id }) => id))).toEqual(new Set([LANTERN, KERB]));
		const [oldest] = await runAll('story.getUnread', {
			whichFeeds: 'all',
			limit: 1,
			options: { order: 'oldest' },
		});
		const dated = hashes.map(({ date }) => String(date)).sort();
		expect(String(oldest?.date) <= dated[0]!).toBe(true);
	});

	it('reading state', async () => {
		const before = await unread(LANTERN);
		const marked = await run('story.markRead', { storyHash: fromItem('hash') }, [
			{ hash: before.slice(0, 3) },
			{ hash: before[3] },
		]);
		expect(marked.json('After')).toEqual([
			...before.slice(0, 3).map((hash) => from({ hash, read: true, changed: null }, 0)),
			from({ hash: before[3], read: true, changed: null }, 1),
		]);
		expect(await unread(LANTERN)).toEqual(before.slice(4));
		// Hosts of 2026 omit stories that were already read; others return all hashes of the request.
		expect(await runOne('story.markRead', { storyHash: before[0] })).toEqual({
			hash: before[0],
			read: true,
			changed: variant === '2026' ? false : null,
		});
		const history = await runAllPages('story.getHistory');
		expect(history.map(({ hash }) => hash).sort()).toEqual(before.slice(0, 4).sort());
		await runAll('story.markUnread', { storyHash: before.slice(0, 2) });
		expect((await unread(LANTERN)).sort()).toEqual([...before.slice(0, 2), ...before.slice(4)].sort());

		const [first, second, third] = (await me.get(`/reader/feed/${KERB}`)).body.stories.map(({ id }) => id);
		const count = async () => (await unread(KERB)).length;
		expect(await runOne('story.markReadById', { stories: [first], ...feedId(KERB) })).toMatchObject(done);
		expect(await runOne('story.markFeedStoriesRead', { feedsStories: { [KERB]: [second] } })).toMatchObject(
			done,
		);
		expect(await count()).toBe(58);
		expect(
			await runOne('story.markSocialStoriesRead', { usersFeedsStories: { [FRIEND]: { [KERB]: [third] } } }),
		).toMatchObject(done);
		const newest = (await me.get(`/reader/feed/${KERB}`)).body.stories[5]!;
		const cutoff = new Date(Number(newest.story_timestamp) * 1000).toISOString();
		await runAll('feed.markRead', {
			whichFeeds: 'feeds',
			feedIds: [KERB],
			whichStories: 'older',
			cutoffDate: cutoff,
		});
		const left = await count();
		expect(left).toBeGreaterThan(0);
		expect(left).toBeLessThan(10);
		const folder = { whichFeeds: 'folder', folder: byId('Technology') };
		expect(await runAll('feed.markRead', folder)).toEqual([3, 4].map((id) => ({ feedId: id, read: true })));
		expect([await unread(3), await unread(4)]).toEqual([[], []]);
		await runAll('feed.markAllRead', { days: 0 });
		expect(await runAll('story.getUnreadHashes', { whichFeeds: 'all' })).toEqual([]);
	});

	it('saved stories', async () => {
		const story = await storyOf(LANTERN, 2);
		const save = {
			storyHash: story.story_hash,
			additionalFields: { userTags: 'later, x y, later', highlights: 'a passage' },
		};
		const asSaved = {
			hash: story.story_hash,
			starred: true,
			starredCount: 4,
			userTags: ['later', 'x y'],
			highlights: ['a passage'],
			notes: '',
			existed: false,
		};
		expect(await runOne('savedStory.save', save)).toEqual(asSaved);
		expect(await runOne('savedStory.save', save)).toEqual({ ...asSaved, existed: true });
		const saved = await runAllPages('savedStory.getAll', { filters: { savedTag: byId('x y') } });
		expect(saved).toMatchObject([
			{
				hash: story.story_hash,
				starred: true,
				starredDate: iso,
				userTags: ['later', 'x y'],
				highlights: ['a passage'],
			},
		]);
		expect(await runAllPages('savedStory.getAll', { filters: { highlightsOnly: true } })).toHaveLength(2);
		expect(await runAllPages('savedStory.getHashes', { includeTimestamps: true })).toContainEqual({
			hash: story.story_hash,
			date: iso,
		});
		expect(await runAllPages('savedStory.getTags')).toEqual(
			expect.arrayContaining([
				{ tag: 'later', count: 3 },
				{ tag: 'x y', count: 1 },
			]),
		);
		const found = await runAll('savedStory.getByHash', { storyHash: [story.story_hash, '1:ffffff'] });
		expect(found).toMatchObject([{ hash: story.story_hash }, { hash: '1:ffffff', missing: true }]);
		const removed = await run('savedStory.unsave', { storyHash: fromItem('hash') }, [
			{ hash: story.story_hash },
		]);
		expect(records(removed)).toEqual([{ hash: story.story_hash, starred: false }]);
		expect((await starred()).map(String)).not.toContain(story.story_hash);
	});

	it('shares and comments', async () => {
		const story = await storyOf(5);
		const of = { ...feedId(5), storyId: byId(story.id) };
		expect(await runOne('share.create', { ...of, comment: 'Look up tonight' })).toMatchObject({
			hash: story.story_hash,
			comment: 'Look up tonight',
		});
		const own = { userId: byId(ME), options: { shareUsername: 'reader' } };
		const shared = await runAllPages('share.getAll', own);
		expect(shared.map(({ hash }) => hash)).toContain(story.story_hash);
		expect(await runAllPages('share.getAll', { userId: byId(ME) })).toEqual(shared);
		const items = await runAll('share.getFeed', { ...own, feedResult: 'items' });
		expect(items).toHaveLength(shared.length);
		expect(items).toContainEqual(expect.objectContaining({ title: story.story_title, date: iso }));
		const file = await run('share.getFeed', { userId: byId(ME), feedResult: 'file' });
		expect(file.items('News Reader')[0]?.binary?.data).toMatchObject({ fileName: 'shares-1.xml' });
		expect(await runOne('share.getPage', own)).toEqual({ html: expect.stringContaining('<html') as string });
		expect(await runOne('share.getSettings', { userId: byId(FRIEND) })).toMatchObject({
			id: FRIEND,
			username: 'friend',
		});
		expect(await runOne('share.getStatistics', own)).toMatchObject({ subscriberCount: 1 });
		const popularPublishers = expect.arrayContaining([
			{ id: number, feedTitle: text, storyCount: number },
		]) as unknown;
		expect(await runAllPages('share.getTrainer', { userId: byId(FRIEND) })).toMatchObject([
			{ username: 'friend', popularPublishers },
		]);
		expect(await runOne('profile.get')).toMatchObject({ id: ME, popularPublishers });
		expect(await runOne('classifier.get', { feedId: byId(`social:${FRIEND}`) })).toEqual({ classifiers: [] });

		const friendsShare = (await friend.get('/social/stories/2/friend')).body.stories.find(
			({ shared_comments: comment }) => comment === 'Worth the time.',
		)!;
		const storyOfFriend = { ...feedId(friendsShare.story_feed_id), storyId: byId(friendsShare.id) };
		const comments = await runAllPages('comment.getAll', storyOfFriend);
		expect(comments.length).toBeLessThanOrEqual(1);
		const commentOfFriend = { ...storyOfFriend, commentUserId: byId(FRIEND) };
		const replied = await runOne('comment.saveReply', { ...commentOfFriend, replyText: 'Indeed' });
		expect(replied).toMatchObject({
			userId: FRIEND,
			replies: [{ userId: ME, comment: 'Indeed', date: iso }],
		});
		const [reply] = replied.replies as Array<{ id: string }>;
		const changed = await runOne('comment.saveReply', {
			...commentOfFriend,
			replyText: 'Indeed!',
			additionalFields: { replyId: byId(reply!.id) },
		});
		expect(changed).toMatchObject({ replies: [{ id: reply!.id, comment: 'Indeed!' }] });
		expect(await runOne('comment.like', commentOfFriend)).toMatchObject({ likedBy: [ME] });
		expect(await runOne('comment.removeLike', commentOfFriend)).toMatchObject({ likedBy: [] });
		const byHash = { storyId: byId(friendsShare.story_hash) };
		expect(await runAllPages('comment.getAll', byHash)).toEqual(
			await runAllPages('comment.getAll', storyOfFriend),
		);
		expect(await runOne('comment.like', { ...commentOfFriend, feedId: byId(''), ...byHash })).toMatchObject({
			likedBy: [ME],
		});
		const missing = { ...commentOfFriend, storyId: byId(`${friendsShare.story_feed_id}:ffffff`) };
		const { error } = await run('comment.like', missing);
		expect(error?.message).toMatch(/^There is no story \d+:ffffff/);
		expect(
			await runOne('comment.removeReply', { ...commentOfFriend, replyId: byId(reply!.id) }),
		).toMatchObject({
			replies: [],
		});
		const asHtml = await runOne('comment.like', { ...commentOfFriend, options: { answerFormat: 'html' } });
		expect(asHtml).toEqual({ html: expect.stringContaining('<') as string });
		// Public comments exclude those of followed users.
		const fragment = { html: expect.stringContaining('Worth the time.') as string };
		expect(
			await runAllPages('comment.getAll', { ...storyOfFriend, options: { answerFormat: 'html' } }),
		).toEqual([fragment]);

		await runAll('share.delete', { storyId: byId(story.story_hash) });
		const left = (await me.get('/social/stories/1/reader')).body.stories.map(({ story_hash: hash }) => hash);
		expect(left).not.toContain(story.story_hash);
	});

	it('folders and feeds in them', async () => {
		expect(await runOne('folder.create', { folderName: 'Made' })).toMatchObject({ path: 'Made', ...done });
		expect(await runOne('folder.create', { folderName: 'Inside', parentFolder: byId('Made') })).toMatchObject(
			{
				name: 'Inside',
				path: 'Made / Inside',
			},
		);
		const paths = await runAllPages('folder.getAll');
		expect(paths.map(({ path }) => path)).toEqual(
			expect.arrayContaining(['Made', 'Made / Inside', 'News / Cities']),
		);
		expect(paths.find(({ path }) => path === 'Culture')).toEqual({
			name: 'Culture',
			path: 'Culture',
			feedIds: [6, 7, 8],
			feedCount: 3,
		});
		await runAll('feed.move', { ...feedId(10), toFolder: byId('Made / Inside') });
		expect(await folders()).toContain('{"Made":[{"Inside":[10]}]}');
		await runAll('feed.move', { ...feedId(7), inFolder: byId('Culture'), toFolder: byId('/') });
		expect(await folders()).toContain('{"Culture":[6,8]}');
		await runAll('folder.move', { folder: byId('Made / Inside'), toFolder: byId('Science') });
		expect(await folders()).toContain('{"Science":[5,{"Inside":[10]}]}');
		await runAll('folder.rename', { folder: byId('Science / Inside'), newFolderName: 'Stars' });
		expect(await folders()).toContain('{"Science":[5,{"Stars":[10]}]}');
		await runAll('feed.rename', { ...feedId(5), feedTitle: 'My & almanac' });
		expect((await me.get('/reader/feeds')).body.feeds['5']?.feed_title).toBe('My & almanac');
		await runAll('feed.delete', feedId(9));
		expect(await subscribed()).not.toContain(9);
		const { origin } = reader.client;
		const added = await runOne('feed.add', {
			feedUrl: `${origin}/feeds/slow-kitchen/`,
			folder: byId('Science / Stars'),
		});
		expect(added).toMatchObject({ id: 9, title: 'Slow Kitchen Notes', folder: 'Science / Stars', ...done });
		expect(await folders()).toContain('{"Stars":[10,9]}');
		await runAll('folder.delete', { folder: byId('Science') });
		expect(await subscribed()).toEqual([1, 2, 3, 4, 6, 7, 8]);
		await runAll('folder.saveOrder', { folders: [1, { All: [2, 3, { Rest: [4, 6, 7, 8] }] }] });
		expect(await folders()).toBe('[1,{"All":[2,3,{"Rest":[4,6,7,8]}]}]');
	});

	it('subscription lists', async () => {
		const exported = await runAll('subscriptionList.export', { exportAs: 'feeds' });
		expect(exported).toHaveLength(7);
		expect(exported).toContainEqual({ title: 'Open Bench', url: text, website: text, folder: 'All / Rest' });
		const file = await run('subscriptionList.export', { exportAs: 'file' });
		const { binary } = file.items('News Reader')[0]!;
		const opml = Buffer.from(binary!.data!.data, 'base64').toString();
		expect(opml).toContain('<opml');
		const url = nightSky.feed_address;
		const website = 'https://night.example';
		const entry = [{ url, title: 'Night', folder: 'Imported/Deep', website }];
		const uploaded = await runOne('subscriptionList.upload', {
			listSource: 'feeds',
			subscriptions: { entry },
		});
		expect(uploaded).toMatchObject({ success: true, queued: false, feedCount: 1 });
		const again = await runOne('subscriptionList.upload', { listSource: 'text', opmlText: opml });
		expect(again).toMatchObject({ success: true });
		expect(await folders()).toContain('{"Imported":[{"Deep":[5]}]}');
		expect(await subscribed()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
		const fromList = { listSource: 'json', subscriptionsJson: fromItem('feeds') };
		const inputs = [{ feeds: entry }, { feeds: JSON.stringify(exported) }, { feeds: [{ title: 'No URL' }] }];
		const listed = await run('subscriptionList.upload', fromList, inputs.slice(0, 2));
		expect(records(listed)).toMatchObject([{ feedCount: 1 }, { feedCount: 7 }]);
		const refused = await run('subscriptionList.upload', fromList, inputs.slice(2));
		expect(refused.error).toMatchObject({ message: 'Feeds (JSON) 1, Feed URL is empty [item 0]' });
		// The service would take it for a feed of its own.
		const masked = await run('subscriptionList.upload', fromList, [{ feeds: [...entry, { url: '***' }] }]);
		expect(masked.error).toMatchObject({ message: 'Feed URL is masked: "***" [item 0]' });
		expect(await subscribed()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
	});

	it('accounts', async () => {
		const signUp = {
			newUsername: 'ada',
			newEmail: 'ada@example.com',
			newPassword: 'open sesame',
		};
		const made = await runOne('account.signUp', signUp);
		expect(made).toEqual({ success: true, userId: number });
		expect((await reader.client.as('ada', 'open sesame')).headers).toHaveProperty('cookie');
		expect(records(await run('account.signUp', { ...signUp, newEmail: 'other@example.com' }))).toEqual([
			made,
		]);
		const again = await run('account.signUp', signUp);
		expect(again.error?.message).toContain('“Someone is already using that email address.”');
		expect(await runOne('profile.get')).toMatchObject({ username: 'reader' });
		const logins = reader.logins;
		expect(await runOne('account.logOut')).toMatchObject(done);
		expect(await runOne('profile.get')).toMatchObject({ username: 'reader' });
		expect(reader.logins).toBe(authentication === 'session' ? logins + 1 : 0);
	});

	it('sent every request with the account', () => {
		const anonymous = reader.host.requests.filter(
			({ path, reply }) =>
				reply.body.includes('"authenticated":false') && !/\/api\/(?:logout|signup)$/.test(path),
		);
		expect(anonymous.every(({ headers }) => headers.cookie !== undefined)).toBe(true);
	});
});
