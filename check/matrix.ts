/**
 * What each write of the reader changes, and the reads and events that show it. A read returns one fact about the feed
 * and the story with which the writes are tried; a write names the facts that hold after it.
 */
import type { IDataObject } from 'n8n-workflow';
import type { ReaderAccount } from './reader-account.ts';

/** The feed, and its newest story. */
export interface Subject {
	id: number;
	address: string;
	website: string;
	title: string;
	hash: string;
	storyTitle: string;
	/** The account’s own user. */
	me: number;
	/** A user whom the account follows. */
	other?: number;
}

/** The folder that contains the feed. */
export const FOLDER = 'Matrix';
const OTHER_FOLDER = 'Matrix 2';
const TITLE = 'Matrix: another title';
const WORDS = 'matrix';
const TAG = 'matrix';

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
const all = { returnAll: true };
const ofFeed = ({ id }: Subject) => ({ feedId: byId(id) });
const onlyFeed = ({ id }: Subject) => ({ whichFeeds: 'feeds', feedIds: [id] });
const inFolder = (path = FOLDER) => ({ whichFeeds: 'folder', folder: byId(path) });
const ofStory = ({ id, hash }: Subject) => ({ feedId: byId(id), storyId: byId(hash) });
const ofHash = ({ hash }: Subject) => ({ storyHash: hash });

type Fact = string | number | boolean | null | undefined;
/** Reads one fact. An event is polled twice: first before the write. */
type Read = (
	reader: ReturnType<ReaderAccount['readingOnce']>,
	subject: Subject,
	isBefore: boolean,
) => Promise<Fact>;

/** Whether an operation returns a record of the feed. */
const hasFeed =
	(name: string, parameters: (subject: Subject) => object): Read =>
	async (reader, subject) =>
		(await reader.run(name, parameters(subject))).some(({ feedId }) => feedId === subject.id);

/** Whether an operation returns a matching record. */
const has =
	(
		name: string,
		parameters: (subject: Subject) => object,
		matches: (record: IDataObject, subject: Subject) => boolean,
	): Read =>
	async (reader, subject) =>
		(await reader.run(name, parameters(subject))).some((record) => matches(record, subject));

const isStory = ({ hash }: IDataObject, subject: Subject) => hash === subject.hash;

/** Whether a trigger has emitted a matching item. */
const event =
	(
		name: string,
		parameters: (subject: Subject) => object,
		matches: (item: IDataObject, subject: Subject) => boolean,
	): Read =>
	async (reader, subject, isBefore) => {
		const items = await reader.poll(name, parameters(subject), isBefore);
		return items.some((item) => matches(item, subject));
	};

/** A member of the feed among the subscribed ones; undefined if it is not subscribed. */
const subscribed =
	(fact: (feed: IDataObject) => Fact): Read =>
	async (reader, { id }) => {
		const feed = (await reader.run('feed.getAll', all)).find((found) => found.id === id);
		return feed && fact(feed);
	};

/** Whether a list of the editor has an entry. */
const listed =
	(resource: string, matches: (entry: { name: string; value: unknown }, subject: Subject) => boolean): Read =>
	async (reader, subject) =>
		(await reader.list(resource)).some((entry) => matches(entry, subject));

/** The events come first, and feeds with new counts last: a read that makes the service count must not help another. */
export const reads = {
	'New Unread Story': event(
		'unread',
		() => ({ event: 'newUnreadStory', filters: { unreadAgain: true } }),
		({ feedId }, { id }) => feedId === id,
	),
	'New Unread Story of the folder': event(
		'unread in folder',
		() => ({ event: 'newUnreadStory', ...inFolder(), filters: { unreadAgain: true } }),
		({ feedId }, { id }) => feedId === id,
	),
	'New Saved Story': event('saved', () => ({ event: 'newSavedStory' }), isStory),
	'New Shared Story': event(
		'shared',
		({ me }) => ({ event: 'newSharedStory', sharedBy: 'user', userId: byId(me) }),
		isStory,
	),
	'New Activity': event(
		'activity',
		() => ({ event: 'newActivity' }),
		() => true,
	),
	'Saved Search Match': async (reader, _subject, isBefore) => {
		const parameters = { event: 'savedSearchMatch', savedQuery: WORDS };
		return await reader.poll('search', parameters, isBefore).then(
			() => true,
			() => false,
		);
	},
	'Get Unread': hasFeed('story.getUnread', () => all),
	'Get Unread of the feed': hasFeed('story.getUnread', onlyFeed),
	'Get Unread of the folder': hasFeed('story.getUnread', () => ({ ...all, ...inFolder() })),
	'Get Unread Hashes': hasFeed('story.getUnreadHashes', () => ({})),
	'Get Unread Hashes of the folder': hasFeed('story.getUnreadHashes', () => inFolder()),
	River: hasFeed('river.getAll', () => all),
	'River of the folder': async (reader, { id }) => {
		const folders = (await reader.run('folder.getAll', all)).filter(({ path }) =>
			`${String(path)} /`.startsWith(`${FOLDER} /`),
		);
		// A river of a folder without feeds is refused.
		if (folders.every(({ feedCount }) => feedCount === 0)) return false;
		const stories = await reader.run('river.getAll', { ...all, ...inFolder() });
		return stories.some(({ feedId }) => feedId === id);
	},
	'River, saved only': has(
		'river.getAll',
		(subject) => ({ ...onlyFeed(subject), filters: { savedOnly: true, readFilter: 'all' } }),
		isStory,
	),
	'River, focus only': has('river.getAll', () => ({ ...all, filters: { focusOnly: true } }), isStory),
	'Story: Get Many, unread': hasFeed('story.getAll', (subject) => ({
		...ofFeed(subject),
		filters: { readFilter: 'unread' },
	})),
	'Story: Get Many, read': has(
		'story.getAll',
		ofFeed,
		(story, subject) => isStory(story, subject) && !!story.read,
	),
	'Story: Get Many, saved': has(
		'story.getAll',
		ofFeed,
		(story, subject) => isStory(story, subject) && !!story.starred,
	),
	'Story: Get by Hash, feed title': async (reader, subject) =>
		(await reader.run('story.getByHash', ofHash(subject)))[0]?.feedTitle as Fact,
	'Get Unread, feed title': async (reader, subject) =>
		(await reader.run('story.getUnread', onlyFeed(subject)))[0]?.feedTitle as Fact,
	'Story: Get Read History': has('story.getHistory', () => ({}), isStory),
	'Saved Story: Get Many': has('savedStory.getAll', () => all, isStory),
	'Saved Story: Get Hashes': has('savedStory.getHashes', () => all, isStory),
	'Saved Story: Get Tags': has(
		'savedStory.getTags',
		() => all,
		({ tag }) => tag === TAG,
	),
	'Saved Story, new tag': has(
		'savedStory.getAll',
		() => all,
		({ userTags }) => String(userTags) === `${TAG} 2`,
	),
	'List of tags': listed('savedStory', ({ value }) => value === TAG),
	'Saved Search: Get Many': has(
		'savedSearch.getAll',
		() => all,
		({ query }) => query === WORDS,
	),
	'Classifier: Get': async (reader, subject) => {
		const [found] = await reader.run('classifier.get', ofFeed(subject));
		const given = found?.classifiers as IDataObject[];
		return (given.find(({ value }) => value === subject.storyTitle)?.opinion ?? null) as Fact;
	},
	'Share: Get Many': has('share.getAll', ({ me }) => ({ ...all, userId: byId(me) }), isStory),
	'Comment: Get Many': async (reader, subject) =>
		JSON.stringify(await reader.run('comment.getAll', { ...all, ...ofStory(subject) })).includes(WORDS),
	'User: Get Many': has(
		'user.getAll',
		() => all,
		({ id, following }, { other }) => id === other && following === true,
	),
	'User: Get': has(
		'user.get',
		({ other }) => ({ userId: byId(other) }),
		({ followedByYou }) => followedByYou === true,
	),
	'River: Get Shared Stories': async (reader, { other }) =>
		(await reader.run('river.getShared', { socialUserIds: [other] })).length > 0,
	'Profile: Get': has(
		'profile.get',
		() => ({}),
		(profile) => JSON.stringify(profile).includes(WORDS),
	),
	'Notification: Get Many': has(
		'notification.getAll',
		() => all,
		({ feedId, filter }, { id }) => feedId === id && filter === 'focus',
	),
	'Auto Mark Read: Get': async (reader) =>
		JSON.stringify(await reader.run('autoMarkRead.get')).includes(FOLDER),
	'Folder: Get Many': has(
		'folder.getAll',
		() => all,
		({ path }) => path === OTHER_FOLDER,
	),
	'Folder: Get Many, inside': has(
		'folder.getAll',
		() => all,
		({ path }) => path === `${FOLDER} / ${OTHER_FOLDER}`,
	),
	'List of folders': listed('folder', ({ name }) => name === OTHER_FOLDER),
	'Export, title': async (reader, { address }) =>
		(await reader.run('subscriptionList.export', { exportAs: 'feeds' })).find(({ url }) => url === address)
			?.title as Fact,
	'Export, folder': async (reader, { address }) =>
		(await reader.run('subscriptionList.export', { exportAs: 'feeds' })).find(({ url }) => url === address)
			?.folder as Fact,
	'List of feeds': listed('feed', ({ value }, { id }) => value === id),
	'List of feeds, title': listed('feed', ({ name }) => name.includes(TITLE)),
	'Feed: Get Many, title': subscribed(({ title }) => title as Fact),
	'Feed: Get Many, folders': subscribed(({ folders }) => String(folders)),
	'Feed: Get Many, active': subscribed(({ active }) => active as Fact),
	'Feed: Get Many, focus': subscribed(({ focus }) => Number(focus) > 0),
	'Feed: Get Many, unread': subscribed(({ unread }) => Number(unread) > 0),
} satisfies Record<string, Read>;

export type ReadName = keyof typeof reads;
type Facts = Partial<Record<ReadName, Fact>>;

export interface Write {
	name: string;
	/** Whether it needs a user whom the account follows. */
	needsFollowed?: true;
	/** Another feed than that of the other writes. */
	of?(subject: Subject): Subject;
	/** Brings about what the write changes. */
	before?(reader: ReaderAccount, subject: Subject): Promise<unknown>;
	write(reader: ReaderAccount, subject: Subject): Promise<unknown>;
	/** What the reads show after the write, and not before it. */
	shows: Facts;
	after?(reader: ReaderAccount, subject: Subject): Promise<unknown>;
}

/** What lists of unread stories show outside of folders. */
const unreadAnywhere = (unread: boolean): Facts => ({
	...(unread && { 'New Unread Story': true }),
	'Get Unread': unread,
	'Get Unread Hashes': unread,
	River: unread,
});
/** What lists of unread stories show of a feed in the folder. */
const unreadInFolder = (unread: boolean): Facts => ({
	...(unread && { 'New Unread Story of the folder': true }),
	'Get Unread of the folder': unread,
	'Get Unread Hashes of the folder': unread,
	'River of the folder': unread,
});
/** What all reads show. The feed is subscribed before and after the write. */
const unread = (is: boolean): Facts => ({
	...unreadAnywhere(is),
	...unreadInFolder(is),
	'Get Unread of the feed': is,
	'Story: Get Many, unread': is,
	'Feed: Get Many, unread': is,
});
/** What reads show of a feed whose stories they left out before the write. Story: Get Many has them before it, too. */
const unlisted: Facts = {
	...unreadAnywhere(true),
	...unreadInFolder(true),
	'Get Unread of the feed': true,
	'Feed: Get Many, unread': true,
};
const added: Facts = {
	...unlisted,
	'List of feeds': true,
	'Feed: Get Many, folders': FOLDER,
	'Export, folder': FOLDER,
};

const markFeedRead = async (reader: ReaderAccount, subject: Subject) =>
	await reader.run('feed.markRead', onlyFeed(subject));
const markUnread = async (reader: ReaderAccount, subject: Subject) =>
	await reader.run('story.markUnread', ofHash(subject));
/** Leaves one unread story in the feed. */
const oneUnread = async (reader: ReaderAccount, subject: Subject) => {
	await markFeedRead(reader, subject);
	await markUnread(reader, subject);
};
const remove = async (reader: ReaderAccount, subject: Subject) =>
	await reader.run('feed.delete', ofFeed(subject));
const add = async (reader: ReaderAccount, { address }: Subject) =>
	await reader.run('feed.add', { feedUrl: address, folder: byId(FOLDER) });
const move = async (reader: ReaderAccount, subject: Subject, path: string) =>
	await reader.run('feed.move', { ...ofFeed(subject), toFolder: byId(path) });
const importList = async (reader: ReaderAccount, { address, website }: Subject, folder = '') => {
	const feed = `<outline type="rss" text="Feed" xmlUrl="${address}" htmlUrl="${website}"/>`;
	const body = folder && `<outline text="${folder}">${feed}</outline>`;
	return await reader.run('subscriptionList.upload', {
		listSource: 'text',
		opmlText: `<opml version="2.0"><body>${body || feed}</body></opml>`,
	});
};
const classify = async (reader: ReaderAccount, subject: Subject, opinion: string) =>
	await reader.run('classifier.save', {
		...ofFeed(subject),
		classifiers: { entry: [{ kind: 'title', opinion, value: subject.storyTitle }] },
	});
const createFolder = async (reader: ReaderAccount) =>
	await reader.run('folder.create', { folderName: OTHER_FOLDER });
const deleteFolder = async (reader: ReaderAccount, path = OTHER_FOLDER) =>
	await reader.run('folder.delete', { folder: byId(path) });
const save = async (reader: ReaderAccount, subject: Subject) =>
	await reader.run('savedStory.save', { ...ofHash(subject), additionalFields: { userTags: [TAG] } });
const unsave = async (reader: ReaderAccount, subject: Subject) =>
	await reader.run('savedStory.unsave', ofHash(subject));
/** The service refuses to unsave a story that is not saved. */
const unsaveIfSaved = async (reader: ReaderAccount, subject: Subject) =>
	await unsave(reader, subject).catch(() => undefined);
const saveSearch = async (reader: ReaderAccount, subject: Subject) =>
	await reader.run('savedSearch.create', { ...ofFeed(subject), savedQuery: WORDS });
const deleteSearch = async (reader: ReaderAccount, subject: Subject) =>
	await reader.run('savedSearch.delete', { ...ofFeed(subject), savedQuery: WORDS });
const share = async (reader: ReaderAccount, subject: Subject) =>
	await reader.run('share.create', { ...ofStory(subject), comment: WORDS });
const unshare = async (reader: ReaderAccount, subject: Subject) =>
	await reader.run('share.delete', ofStory(subject));
const follow = async (reader: ReaderAccount, { other }: Subject) =>
	await reader.run('user.follow', { userId: byId(other) });
const unfollow = async (reader: ReaderAccount, { other }: Subject) =>
	await reader.run('user.unfollow', { userId: byId(other) });

const saved = (is: boolean): Facts => ({
	...(is && { 'New Saved Story': true, 'New Activity': true }),
	'River, saved only': is,
	'Story: Get Many, saved': is,
	'Saved Story: Get Many': is,
	'Saved Story: Get Hashes': is,
	'Saved Story: Get Tags': is,
	'List of tags': is,
});
const tagged = (is: boolean): Facts => ({ 'Saved Story: Get Tags': is, 'List of tags': is });
const searched = (is: boolean): Facts => ({ 'Saved Search: Get Many': is, 'Saved Search Match': is });
const shared = (is: boolean): Facts => ({
	...(is && { 'New Shared Story': true, 'New Activity': true }),
	'Share: Get Many': is,
	'Comment: Get Many': is,
});
const followed = (is: boolean): Facts => ({
	'User: Get Many': is,
	'User: Get': is,
	'River: Get Shared Stories': is,
});

export const writes: Write[] = [
	// Before the writes that mark shared stories as read.
	{ name: 'User: Unfollow', needsFollowed: true, write: unfollow, shows: followed(false) },
	{ name: 'User: Follow', needsFollowed: true, write: follow, shows: followed(true) },
	{
		name: 'Story: Mark as Unread',
		before: markFeedRead,
		write: markUnread,
		shows: { ...unread(true), 'Story: Get Many, read': false },
	},
	{
		name: 'Story: Mark as Unread by Days',
		before: markFeedRead,
		write: async (reader, subject) =>
			await reader.run('story.markUnreadByDays', {
				unreadStoriesOf: 'feed',
				...ofFeed(subject),
				unreadDays: 7,
			}),
		shows: unread(true),
	},
	{
		name: 'Story: Mark as Read',
		before: oneUnread,
		write: async (reader, subject) => await reader.run('story.markRead', ofHash(subject)),
		shows: { ...unread(false), 'Story: Get Many, read': true, 'Story: Get Read History': true },
	},
	{ name: 'Feed: Mark as Read', before: oneUnread, write: markFeedRead, shows: unread(false) },
	{
		name: 'Feed: Mark as Read, of a folder',
		before: oneUnread,
		write: async (reader) => await reader.run('feed.markRead', inFolder()),
		shows: unread(false),
	},
	{
		name: 'Feed: Mark All as Read',
		before: oneUnread,
		write: async (reader) => await reader.run('feed.markAllRead', { days: 0 }),
		shows: unread(false),
	},
	{
		name: 'Feed: Delete',
		before: oneUnread,
		write: remove,
		shows: {
			...unreadAnywhere(false),
			'List of feeds': false,
			'Feed: Get Many, folders': undefined,
			'Export, folder': undefined,
		},
		after: add,
	},
	{ name: 'Feed: Add', before: remove, write: add, shows: { ...added, 'New Activity': true } },
	{
		name: 'Feed: Add, new to the service',
		of: (subject) => ({ ...subject, id: 0, address: `${subject.address}?new=${Date.now()}` }),
		write: async (reader, subject) => {
			const [feed] = await reader.run('feed.add', { feedUrl: subject.address });
			subject.id = Number(feed?.id);
		},
		shows: { ...unreadAnywhere(true), 'List of feeds': true },
		after: remove,
	},
	{
		name: 'Feed: Add Many',
		before: remove,
		write: async (reader, { id }) =>
			await reader.run('feed.addMany', { feedsToAdd: String(id), folder: byId(FOLDER) }),
		shows: added,
		after: add,
	},
	{
		name: 'Subscription List: Import',
		before: remove,
		write: importList,
		shows: {
			...unreadAnywhere(true),
			'Feed: Get Many, folders': '',
			'List of feeds': true,
			'Export, folder': '',
		},
		after: async (reader, subject) => await move(reader, subject, FOLDER),
	},
	{
		name: 'Subscription List: Import into a folder',
		before: remove,
		write: async (reader, subject) => await importList(reader, subject, FOLDER),
		shows: added,
	},
	{
		name: 'Feed: Mute',
		before: oneUnread,
		write: async (reader, subject) => await reader.run('feed.mute', ofFeed(subject)),
		shows: { ...unreadAnywhere(false), 'Feed: Get Many, active': false },
		after: async (reader, subject) => await reader.run('feed.unmute', ofFeed(subject)),
	},
	{
		name: 'Feed: Unmute',
		before: async (reader, subject) => {
			await oneUnread(reader, subject);
			await reader.run('feed.mute', ofFeed(subject));
		},
		write: async (reader, subject) => await reader.run('feed.unmute', ofFeed(subject)),
		shows: { ...unlisted, 'Feed: Get Many, active': true },
	},
	{
		name: 'Feed: Move into the folder',
		before: async (reader, subject) => {
			await oneUnread(reader, subject);
			await move(reader, subject, '/');
		},
		write: async (reader, subject) => await move(reader, subject, FOLDER),
		shows: { ...unreadInFolder(true), 'Feed: Get Many, folders': FOLDER, 'Export, folder': FOLDER },
	},
	{
		name: 'Feed: Move out of the folder',
		before: oneUnread,
		write: async (reader, subject) => await move(reader, subject, '/'),
		shows: { ...unreadInFolder(false), 'Feed: Get Many, folders': '', 'Export, folder': '' },
		after: async (reader, subject) => await move(reader, subject, FOLDER),
	},
	{
		name: 'Feed: Rename',
		before: oneUnread,
		write: async (reader, subject) =>
			await reader.run('feed.rename', { ...ofFeed(subject), feedTitle: TITLE }),
		shows: {
			'Story: Get by Hash, feed title': TITLE,
			'Get Unread, feed title': TITLE,
			'Export, title': TITLE,
			'List of feeds, title': true,
			'Feed: Get Many, title': TITLE,
		},
		after: async (reader, subject) =>
			await reader.run('feed.rename', { ...ofFeed(subject), feedTitle: subject.title }),
	},
	{
		name: 'Folder: Create',
		write: createFolder,
		shows: { 'Folder: Get Many': true, 'List of folders': true },
		after: async (reader) => await deleteFolder(reader),
	},
	{
		name: 'Folder: Rename',
		write: async (reader) =>
			await reader.run('folder.rename', { folder: byId(FOLDER), newFolderName: OTHER_FOLDER }),
		shows: {
			'Folder: Get Many': true,
			'List of folders': true,
			'Feed: Get Many, folders': OTHER_FOLDER,
			'Export, folder': OTHER_FOLDER,
		},
		after: async (reader) =>
			await reader.run('folder.rename', { folder: byId(OTHER_FOLDER), newFolderName: FOLDER }),
	},
	{
		name: 'Folder: Move, with the feed',
		before: async (reader, subject) => {
			await oneUnread(reader, subject);
			await createFolder(reader);
			await move(reader, subject, OTHER_FOLDER);
		},
		write: async (reader) =>
			await reader.run('folder.move', { folder: byId(OTHER_FOLDER), toFolder: byId(FOLDER) }),
		shows: {
			...unreadInFolder(true),
			'Folder: Get Many, inside': true,
			'Feed: Get Many, folders': `${FOLDER} / ${OTHER_FOLDER}`,
		},
		after: async (reader, subject) => {
			await move(reader, subject, FOLDER);
			await deleteFolder(reader, `${FOLDER} / ${OTHER_FOLDER}`);
		},
	},
	{
		name: 'Folder: Delete, with the feed',
		before: async (reader, subject) => {
			await oneUnread(reader, subject);
			await createFolder(reader);
			await move(reader, subject, OTHER_FOLDER);
		},
		write: async (reader) => await deleteFolder(reader),
		shows: {
			...unreadAnywhere(false),
			'Folder: Get Many': false,
			'List of folders': false,
			'Feed: Get Many, folders': undefined,
		},
		after: add,
	},
	{
		name: 'Folder: Save Order',
		before: oneUnread,
		write: async (reader, { id }) => {
			const folders = await reader.run('folder.getAll', all);
			const feeds = await reader.run('feed.getAll', all);
			const inside = new Set(folders.flatMap(({ feedIds }) => feedIds as number[]));
			const nested = (path: string, isTop: boolean): unknown[] =>
				folders
					.filter((folder) =>
						isTop ? folder.path === folder.name : folder.path === `${path} / ${String(folder.name)}`,
					)
					.map((folder) => ({
						[String(folder.name)]: [
							...(folder.feedIds as number[]).filter((feed) => feed !== id),
							...nested(String(folder.path), false),
						],
					}));
			const top = feeds.map((feed) => feed.id).filter((feed) => feed === id || !inside.has(Number(feed)));
			await reader.run('folder.saveOrder', { folders: JSON.stringify([...top, ...nested('', true)]) });
		},
		shows: { ...unreadInFolder(false), 'Feed: Get Many, folders': '', 'Export, folder': '' },
		after: async (reader, subject) => await move(reader, subject, FOLDER),
	},
	{
		name: 'Classifier: Save, Like',
		before: oneUnread,
		write: async (reader, subject) => await classify(reader, subject, 'like'),
		shows: { 'River, focus only': true, 'Classifier: Get': 'like', 'Feed: Get Many, focus': true },
		after: async (reader, subject) => await classify(reader, subject, 'remove_like'),
	},
	{
		name: 'Classifier: Save, Dislike',
		before: oneUnread,
		write: async (reader, subject) => await classify(reader, subject, 'dislike'),
		shows: {
			River: false,
			'River of the folder': false,
			'Classifier: Get': 'dislike',
			'Feed: Get Many, unread': false,
		},
		after: async (reader, subject) => await classify(reader, subject, 'remove_dislike'),
	},
	{
		name: 'Classifier: Save, Remove Dislike',
		before: async (reader, subject) => {
			await markFeedRead(reader, subject);
			await classify(reader, subject, 'dislike');
			await markUnread(reader, subject);
		},
		// The service marks a feed as read if it hides all its unread stories.
		write: async (reader, subject) => {
			await classify(reader, subject, 'remove_dislike');
			await markUnread(reader, subject);
		},
		shows: { ...unread(true), 'Classifier: Get': null },
	},
	{ name: 'Saved Story: Save', before: unsaveIfSaved, write: save, shows: saved(true) },
	{
		name: 'Saved Story: Rename Tag',
		write: async (reader) =>
			await reader.run('savedStory.renameTag', { savedTag: byId(TAG), newTagName: `${TAG} 2` }),
		shows: { ...tagged(false), 'Saved Story, new tag': true },
		after: save,
	},
	{
		name: 'Saved Story: Delete Tag',
		write: async (reader) => await reader.run('savedStory.deleteTag', { savedTag: byId(TAG) }),
		shows: tagged(false),
		after: save,
	},
	{ name: 'Saved Story: Unsave', write: unsave, shows: saved(false) },
	{ name: 'Saved Search: Create', write: saveSearch, shows: searched(true) },
	{ name: 'Saved Search: Delete', write: deleteSearch, shows: searched(false) },
	{ name: 'Share: Create', write: share, shows: shared(true) },
	{ name: 'Share: Delete', write: unshare, shows: shared(false) },
	{
		name: 'Profile: Update',
		write: async (reader) => await reader.run('profile.update', { additionalFields: { bio: WORDS } }),
		shows: { 'Profile: Get': true },
		after: async (reader) => await reader.run('profile.update', { additionalFields: { bio: 'Reader' } }),
	},
	{
		name: 'Notification: Set',
		write: async (reader, subject) =>
			await reader.run('notification.set', {
				...ofFeed(subject),
				notifyOf: 'focus',
				additionalFields: { notifyBy: ['email'] },
			}),
		shows: { 'Notification: Get Many': true },
		after: async (reader, subject) =>
			await reader.run('notification.set', { ...ofFeed(subject), notifyOf: 'unread' }),
	},
	{
		name: 'Auto Mark Read: Set',
		write: async (reader) =>
			await reader.run('autoMarkRead.set', {
				autoMarkOf: 'folder',
				folder: byId(FOLDER),
				additionalFields: { autoMarkDays: 9 },
			}),
		shows: { 'Auto Mark Read: Get': true },
	},
];
