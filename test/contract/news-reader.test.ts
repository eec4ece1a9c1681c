/**
 * Every operation of the News Reader in the sandbox, in all variants and with both credentials. A separate client
 * checks the effects of each operation.
 */
import type { IDataObject } from 'n8n-workflow';
import type { Engine, RunResult } from '../../engine/index.ts';
import { readerTable } from '../../nodes/tables';
import {
	byId,
	from,
	oAuth2Credential,
	records,
	runReader,
	sessionCredential,
	startEngine,
	type Authentication,
} from '../support/nodes/reader-node';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import { controls, type ReaderClient } from '../support/clients/reader-client.ts';
import { DeclaredOutputs } from '../support/cases/declared';
import { variants, type Variant } from '../../sandbox/shared/options.ts';

/** Ids of the sandbox's built-in feeds and users. */
const LANTERN = 1;
const KERB = 2;
const ME = 1;
const FRIEND = 2;

let engine: Engine;
/** The outputs in all modes. */
const outputs = new DeclaredOutputs(readerTable);

beforeAll(async () => {
	engine = await startEngine();
});

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
			wild: variant === 'wild' ? ['reads-left-out'] : [],
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
	afterAll(() => reader.stop());

	/** Runs an operation for each input. */
	async function run(name: string, parameters: object = {}, inputs: object[] = [{}]): Promise<RunResult> {
		const [resource, operation] = name.split('.');
		const result = await runReader(engine, { resource, operation, ...parameters }, inputs, {
			authentication,
		});
		if (!result.error) outputs.add(name, parameters, records(result));
		return result;
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

	it('feeds', async () => {
		const feeds = await runAllPages('feed.getAll', { filters: { includeFavicons: true } });
		expect(feeds).toHaveLength(10);
		expect(feeds.find(({ id }) => id === KERB)).toEqual({
			id: KERB,
			title: 'Kerb & Crossing',
			address: text,
			website: text,
			folders: ['News / Cities'],
			focus: 0,
			unread: 60,
			hidden: 0,
			active: true,
			broken: false,
			exceptionCode: null,
			exceptionType: null,
			favicon: expect.stringMatching(/^data:image\/[\w.+-]+;base64,/) as string,
		});
		const flat = await runAllPages('feed.getAll', { options: { flat: true } });
		expect(flat.map(({ id, folders: paths }) => [id, paths])).toEqual(
			feeds.map(({ id, folders: paths }) => [id, paths]),
		);
		const { origin } = reader.client;
		expect(await runOne('feed.search', { address: `${origin}/feeds/bitwright/` })).toMatchObject({
			id: 3,
			title: 'Bitwright',
		});
		expect(await runAllPages('feed.autocomplete', { term: 'lantern' })).toMatchObject([{ id: LANTERN }]);
		expect(await runAllPages('feed.getTrainer', { filters: feedId(LANTERN) })).toMatchObject([
			{ feedId: LANTERN },
		]);
		expect(await runOne('feed.getPage', feedId(LANTERN))).toEqual({
			feedId: LANTERN,
			content: expect.stringMatching(/^\s*<!doctype html>/i) as string,
		});
		expect(await runOne('feed.getPage', { ...feedId(LANTERN), pageFormat: 'text' })).toEqual({
			feedId: LANTERN,
			content: expect.not.stringContaining('<') as string,
		});
		expect(await runOne('feed.getStatistics', feedId(LANTERN))).toMatchObject({
			id: LANTERN,
			feedFetchHistory: expect.any(Array) as unknown[],
			lastUpdate: iso,
			nextUpdate: iso,
		});
		const counts = await runAll('feed.refreshCounts');
		expect(counts).toContainEqual({ id: KERB, userId: null, focus: 0, unread: 60, hidden: 0 });
		expect(await runAll('feed.refreshCounts', { withinMinute: 'last' })).toEqual(counts);
		expect(reader.host.requestsTo('/reader/refresh_feeds')).toHaveLength(1);
	});

	it('favicons, as files and as data URIs', async () => {
		const ids = { filters: { feedIds: [LANTERN, KERB] } };
		const uris = await runAll('feed.getFavicons', { ...ids, faviconFormat: 'uri' });
		expect(uris).toEqual(
			[LANTERN, KERB].map((id) => ({
				feedId: id,
				favicon: expect.stringMatching(/^data:image\/png;base64,iVBOR/) as string,
			})),
		);
		const files = await run('feed.getFavicons', { ...ids, faviconFormat: 'file' });
		expect(
			files.items('News Reader').map(({ json, binary }) => [json.feedId, binary?.data?.mimeType]),
		).toEqual([
			[LANTERN, 'image/png'],
			[KERB, 'image/png'],
		]);
		const separate = await run('feed.getFaviconsSeparately', { ...ids, faviconFormat: 'uri' });
		if (variant === 'contract') expect(records(separate)).toEqual(uris);
		else
			expect(separate.error?.message).toBe(
				'The news reader service does not know the path /api/v1/feeds/favicons/',
			);
	});

	it('stories of a feed, and by hash', async () => {
		const story = await storyOf(LANTERN);
		const listed = await runAll('story.getAll', { ...feedId(LANTERN), limit: 25 });
		expect(listed).toHaveLength(25);
		expect(new Set(listed.map(({ hash }) => hash)).size).toBe(25);
		expect(listed[0]).toMatchObject({
			hash: story.story_hash,
			id: story.id,
			title: story.story_title,
			date: iso,
			feedId: LANTERN,
			feedTitle: 'The Harbour Lantern',
			read: false,
			starred: false,
			source: new URL(reader.baseUrl).host,
			content: text,
		});
		const oldest = await runAllPages('story.getAll', { ...feedId(LANTERN), options: { order: 'oldest' } });
		expect(oldest).toHaveLength(60);
		expect(oldest.at(-1)?.hash).toBe(story.story_hash);
		const lean = await runAll('story.getAll', {
			...feedId(LANTERN),
			limit: 1,
			storyContent: 'none',
			includeSource: false,
		});
		expect(lean[0]).toMatchObject({ content: null, source: null });
		const raw = await runAll('story.getAll', { ...feedId(LANTERN), limit: 1, simplify: false });
		expect(raw[0]).toMatchObject({ story_hash: story.story_hash, story_feed_id: LANTERN });

		const hashes = listed.map(({ hash }) => String(hash)).reverse();
		const byHash = await run('story.getByHash', { storyHash: fromItem('hash') }, [
			...hashes.map((hash) => ({ hash })),
			{ hash: '1:ffffff' },
		]);
		expect(
			byHash
				.json('After')
				.map(({ hash, from: item }) => [hash, item])
				.slice(0, 25),
		).toEqual(hashes.map((hash, n) => [hash, `item ${n}`]));
		expect(byHash.json('After')[25]).toMatchObject(
			from({ hash: '1:ffffff', title: null, missing: true }, 25),
		);
		const storyHash = { storyHash: story.story_hash };
		expect(await runOne('story.getOriginalPage', storyHash)).toMatchObject({
			content: expect.stringMatching(/^\s*<!doctype html>/i) as string,
		});
		expect(await runOne('story.getOriginalText', { ...storyHash, pageFormat: 'text' })).toMatchObject({
			hash: story.story_hash,
			id: story.id,
			feedId: LANTERN,
			content: expect.not.stringContaining('<p') as string,
		});
	});

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
		// Some hosts omit stories that were already read; others return all hashes of the request.
		expect(await runOne('story.markRead', { storyHash: before[0] })).toEqual({
			hash: before[0],
			read: true,
			changed: variant === 'contract' ? null : false,
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
			additionalFields: { userTags: 'later, x y', highlights: 'a passage' },
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
		expect(await runAllPages('share.getTrainer', { userId: byId(FRIEND) })).toMatchObject([
			{ username: 'friend' },
		]);

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

	it('users and the profile', async () => {
		expect(await runAllPages('user.find', { userQuery: 'friend' })).toMatchObject([
			{ id: FRIEND, username: 'friend' },
		]);
		expect(await runOne('user.get', { userId: byId(FRIEND) })).toMatchObject({
			id: FRIEND,
			username: 'friend',
		});
		expect(await runAllPages('user.getAll')).toMatchObject([
			{ id: FRIEND, following: true, follower: true, you: false },
			{ username: 'reader', you: true },
		]);
		const other = { userId: byId(`social:${FRIEND}`) };
		const following = async () =>
			(await me.get('/social/load_user_friends')).body.user_profile.following_user_ids;
		expect(await runOne('user.unfollow', other)).toMatchObject({ id: FRIEND });
		expect(await following()).toEqual([]);
		const shared = (await friend.get('/social/stories/2/friend')).body.stories.find(
			({ shared_comments: comment }) => comment,
		);
		// Comments of users who are not followed are public.
		expect(
			await runAllPages('comment.getAll', {
				...feedId(shared!.story_feed_id),
				storyId: byId(shared!.id),
			}),
		).toMatchObject([{ userId: FRIEND }]);
		expect(await runOne('user.follow', other)).toMatchObject({ id: FRIEND });
		expect(await following()).toEqual([FRIEND]);
		const muted = async () => (await me.get('/social/profile', { user_id: FRIEND })).body.user_profile.muted;
		expect(await runOne('user.mute', other)).toMatchObject({ success: true });
		expect(await muted()).toBe(true);
		expect(await runOne('user.unmute', other)).toMatchObject({ success: true });
		expect(await muted()).toBe(false);

		await runAll('profile.update', { additionalFields: { location: 'Oslo', bio: 'b'.repeat(160) } });
		await runAll('profile.update', { additionalFields: { website: 'https://me.example.com' } });
		const profile = await runOne('profile.get');
		expect(profile).toMatchObject({
			location: 'Oslo',
			bio: 'b'.repeat(160),
			website: 'https://me.example.com',
		});
		const asHtml = await runAllPages('profile.getActivities', { options: { answerFormat: 'html' } });
		expect(asHtml).toHaveLength(2);
		for (const page of asHtml) expect(page).toEqual({ html: expect.stringContaining('<li') as string });
		const activities = await runAllPages('profile.getActivities');
		expect(activities.length).toBeGreaterThan(4);
		expect(activities[0]).toMatchObject({ category: text, date: iso });
		expect(await runAll('profile.getActivities', { limit: 5 })).toHaveLength(5);
		const interactions = await runAllPages('profile.getInteractions');
		expect(interactions.map(({ category }) => category)).toEqual(
			expect.arrayContaining(['comment_like', 'comment_reply', 'follow']),
		);
	});

	it('folders and feeds in them', async () => {
		expect(await runOne('folder.create', { folderName: 'Made' })).toMatchObject({ path: 'Made', ...done });
		expect(await runOne('folder.create', { folderName: 'Inside', parentFolder: byId('Made') })).toMatchObject(
			{
				name: 'Inside',
				path: 'Made / Inside',
				existed: false,
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
		await runAll('feed.move', { ...feedId(7), inFolder: byId('Culture'), toFolder: byId('') });
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

	it('searches and classifiers', async () => {
		const search = { feedId: LANTERN, query: 'harbour' };
		expect(await runOne('savedSearch.create', { ...feedId(LANTERN), savedQuery: 'harbour' })).toMatchObject({
			...search,
			...done,
		});
		expect(await runAllPages('savedSearch.getAll')).toEqual([search]);
		const [raw] = await runAllPages('savedSearch.getAll', { simplify: false });
		expect(JSON.stringify(raw)).not.toMatch(/[0-9a-f]{32}/);
		expect(await runOne('savedSearch.delete', { ...feedId(LANTERN), savedQuery: 'harbour' })).toMatchObject(
			done,
		);
		expect(await runAllPages('savedSearch.getAll')).toEqual([]);

		const classifiers = {
			entry: [
				{ kind: 'tag', opinion: 'like', value: 'harbour' },
				{ kind: 'tag', opinion: 'like', value: 'ferries' },
				{ kind: 'title', opinion: 'dislike', value: 'sponsored' },
				{ kind: 'feed', opinion: 'like' },
			],
		};
		expect(await runOne('classifier.save', { ...feedId(LANTERN), classifiers })).toMatchObject({
			success: true,
		});
		const learned = await runOne('classifier.get', feedId(LANTERN));
		expect(learned.classifiers).toEqual(
			expect.arrayContaining([
				{ opinion: 'like', kind: 'tag', value: 'harbour' },
				{ opinion: 'like', kind: 'tag', value: 'ferries' },
				{ opinion: 'dislike', kind: 'title', value: 'sponsored' },
				{ opinion: 'like', kind: 'feed', value: String(LANTERN) },
			]),
		);
		const entry = [{ kind: 'tag', opinion: 'remove_like', value: 'ferries' }];
		await runAll('classifier.save', { ...feedId(LANTERN), classifiers: { entry } });
		expect(Object.keys(Object((await me.get(`/classifier/${LANTERN}`)).body.payload).tags)).toEqual([
			'harbour',
		]);
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
		const entry = [{ url, title: 'Night', folder: 'Imported/Deep' }];
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
		expect(refused.error).toMatchObject({ message: 'Feeds 1, Feed URL is empty [item 0]' });
	});

	if (variant === '2026') {
		it('similar stories', async () => {
			const hashOf = async (feed: number, place: number) => (await storyOf(feed, place)).story_hash;
			const story_hashes = [await hashOf(LANTERN, 0), await hashOf(LANTERN, 1), await hashOf(KERB, 0)];
			await me.control(controls.cluster, { story_hashes });
			const [head] = await runAll('story.getAll', { ...feedId(LANTERN), limit: 3 });
			expect(head?.hash).toBe(story_hashes[0]);
			expect(head?.similarStories).toHaveLength(2);
			const filters = { similarStories: 'inside', readFilter: 'all' };
			const river = { whichFeeds: 'feeds', feedIds: [LANTERN, KERB], filters };
			const similar = (await runAll('river.getAll', river)).flatMap(({ similarStories: them }) => them);
			expect(similar).toHaveLength(2);
		});

		it('muted feeds, many feeds at once, trending feeds', async () => {
			const isActive = async () => (await me.get('/reader/feeds')).body.feeds[KERB]?.active;
			const muting = { ...feedId(KERB), additionalFields: { muteDays: 3 } };
			expect(await runOne('feed.mute', muting)).toEqual({ feedId: KERB, muted: true, mutedUntil: iso });
			expect(await isActive()).toBe(false);
			expect(await runOne('feed.unmute', feedId(KERB))).toEqual({
				feedId: KERB,
				muted: false,
				mutedUntil: null,
			});
			expect(await isActive()).toBe(true);

			const added = await runAll('feed.addMany', { feedsToAdd: [8, 9, 10, 999_999], folder: byId('All') });
			expect(added.map(({ feedId: id, success, created }) => [id, success, created])).toEqual([
				[8, true, false],
				[9, true, true],
				[10, true, true],
				[999_999, false, false],
			]);
			expect(added[3]?.message).toBe('Feed not found.');
			expect(await subscribed()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
			const known = await runAllPages('feed.getAll');
			expect(known.find(({ id }) => id === 9)?.folders).toEqual(['All']);

			const trending = await runAllPages('feed.getTrending', { filters: { trendingDays: 30 } });
			expect(trending).toContainEqual(expect.objectContaining({ id: LANTERN, readSeconds: number }));
			expect(await runAll('feed.getTrending', { limit: 1 })).toEqual(trending.slice(0, 1));
		});

		it('stories by URL, marks by days, notifications', async () => {
			const story = await storyOf(LANTERN);
			const found = await runOne('story.findByAddress', { storyUrl: story.story_permalink });
			expect(found).toEqual({
				feedTitle: 'The Harbour Lantern',
				subscribed: true,
				hash: story.story_hash,
				feedId: LANTERN,
			});
			const byDays = async (place: object) =>
				await runOne('story.markUnreadByDays', { ...place, unreadDays: 30 });
			expect(await unread(LANTERN)).toEqual([]);
			expect(await byDays({ unreadStoriesOf: 'feed', ...feedId(LANTERN) })).toEqual({
				success: true,
				queued: false,
			});
			expect((await unread(LANTERN)).length).toBeGreaterThan(10);
			expect(await byDays({ unreadStoriesOf: 'folder', folder: byId('All / Rest') })).toEqual({
				success: true,
				queued: true,
			});
			expect([await unread(3), (await unread(4)).length > 0]).toEqual([[], true]);
			expect(await byDays({ unreadStoriesOf: 'all' })).toEqual({ success: true, queued: true });
			expect((await unread(3)).length).toBeGreaterThan(0);

			const chosen = { ...feedId(LANTERN), notifyOf: 'focus', additionalFields: { notifyBy: ['email'] } };
			const setting = { feedId: LANTERN, types: ['email'], filter: 'focus' };
			expect(await runOne('notification.set', chosen)).toEqual(setting);
			expect(await runAllPages('notification.getAll')).toEqual([setting]);
			await runOne('notification.set', { ...feedId(LANTERN), notifyOf: 'focus' });
			expect(await runAllPages('notification.getAll')).toEqual([]);
		});

		it('renamed and deleted tags, marks as read by days', async () => {
			const story = await storyOf(LANTERN, 3);
			await me.post('/reader/mark_story_hash_as_starred', {
				story_hash: story.story_hash,
				user_tags: ['later', 'cli'],
			});
			const tagsOf = async () =>
				(await me.get('/reader/starred_stories')).body.stories.find(
					({ story_hash: hash }) => hash === story.story_hash,
				)?.user_tags;
			const renaming = { savedTag: byId('cli'), newTagName: 'tools' };
			expect(await runOne('savedStory.renameTag', renaming)).toEqual({ tag: 'tools' });
			expect(await tagsOf()).toEqual(['later', 'tools']);
			expect(await runOne('savedStory.deleteTag', { savedTag: byId('tools') })).toMatchObject(done);
			expect(await tagsOf()).toEqual(['later']);

			const ofFeed = { autoMarkOf: 'feed', ...feedId(LANTERN), additionalFields: { autoMarkDays: 9 } };
			expect(await runOne('autoMarkRead.set', ofFeed)).toMatchObject({ feedId: LANTERN, effectiveDays: 9 });
			const folder = { autoMarkOf: 'folder', folder: byId('All / Rest') };
			const ofFolder = { ...folder, additionalFields: { autoMarkDays: 4 } };
			expect(await runOne('autoMarkRead.set', ofFolder)).toMatchObject({ folder: 'All / Rest', days: 4 });
			expect(await runOne('autoMarkRead.get')).toEqual({
				folderAutoMarkRead: { 'All - Rest': 4 },
				siteWideDays: null,
				isArchive: true,
			});
		});

		it('classifiers of all feeds, of every kind and scope', async () => {
			const save = async (kind: string, opinion: string, value: string, more: object = {}) => {
				const classifiers = { entry: [{ kind, opinion, value }] };
				await runOne('classifier.save', { ...feedId(LANTERN), classifiers, ...more });
			};
			const scoped = (classifierScope: string, folder = {}) => ({
				additionalFields: { classifierScope, ...folder },
			});
			await save('text', 'like', 'tide table');
			await save('title_regex', 'super_dislike', '^Ferr(y|ies)');
			await save('url', 'dislike', '/ads/', scoped('global'));
			await save('tag', 'like', 'boats', scoped('folder', { scopeFolder: byId('All / Rest') }));
			const listed = await runAllPages('classifier.getAll');
			const listedAs = (kind: string, opinion: string, value: string, scope = 'feed') =>
				expect.objectContaining({ kind, opinion, value, scope }) as object;
			for (const expected of [
				listedAs('text', 'like', 'tide table'),
				listedAs('title_regex', 'super_dislike', '^Ferr(y|ies)'),
				listedAs('url', 'dislike', '/ads/', 'global'),
				listedAs('tag', 'like', 'boats', 'folder'),
			])
				expect(listed).toContainEqual(expected);
			expect(listed.find(({ scope }) => scope === 'folder')?.folder).toBe('All - Rest');
			await save('text', 'remove_like', 'tide table');
			expect(await runAllPages('classifier.getAll')).toHaveLength(listed.length - 1);
		});
	}

	it('accounts', async () => {
		const signUp = {
			newUsername: 'ada',
			newEmail: 'ada@example.com',
			newPassword: 'open sesame',
		};
		const made = await runOne('account.signUp', signUp);
		expect(made).toEqual({ success: true, userId: number });
		expect((await reader.client.as('ada', 'open sesame')).headers).toHaveProperty('cookie');
		expect(await runOne('profile.get')).toMatchObject({ username: 'reader' });
		const logins = reader.logins;
		expect(await runOne('account.logOut')).toMatchObject(done);
		expect(await runOne('profile.get')).toMatchObject({ username: 'reader' });
		expect(reader.logins).toBe(authentication === 'session' ? logins + 1 : 0);
	});

	it('API Request', async () => {
		const [profile] = await runAll('apiRequest.send', { apiPath: '/social/load_user_profile' });
		expect(profile).toMatchObject({ authenticated: true });
		const list = { apiResult: 'list', listField: 'feeds', listLimit: 2 };
		const feeds = await runAll('apiRequest.send', { apiPath: '/reader/feeds', ...list });
		expect(feeds).toMatchObject([{ feed_title: text }, { feed_title: text }]);
	});

	it('sent every request with the account', () => {
		const anonymous = reader.host.requests.filter(
			({ path, reply }) => reply.body.includes('"authenticated":false') && !path.endsWith('/api/logout'),
		);
		expect(anonymous.every(({ headers }) => headers.cookie !== undefined)).toBe(true);
	});
});

it('returns no undeclared member', () => {
	expect(outputs.undeclaredMembers()).toEqual([]);
});

it('declares no member that no record has', () => {
	expect(outputs.unseenMembers()).toEqual([]);
});

it('returns every required member in every record', () => {
	expect(outputs.absentMembers()).toEqual([]);
});

it('returns every date in ISO 8601 with its zone', () => {
	expect(outputs.malformedDates()).toEqual([]);
	expect(outputs.dates()).toEqual(
		expect.arrayContaining(['story.getAll: date', 'comment.like: replies[].date']),
	);
});
