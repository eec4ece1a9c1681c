/** Records that the operations need, and parameter values for which a service would reject a generated sample. */
import type { ServiceUrls } from '../../../playground/content.ts';
import { LinkClient } from '../clients/link-client.ts';
import { ReaderClient, type Feed, type Story } from '../clients/reader-client.ts';

/** By parameter: an array with the values of three input items, or one value for all of them. */
export type Values = Record<string, unknown>;

/** Records and values for the operations of one node. */
export interface Fixtures {
	/** By parameter: creates records, and returns three values that refer to them. */
	makers: Record<string, () => Promise<unknown[]>>;
	/** By operation: values that neither the makers nor the placeholders provide. */
	values: Record<string, Values | (() => Promise<Values>)>;
}

export async function fixturesFor(addresses: ServiceUrls): Promise<Record<string, Fixtures>> {
	const reader = await ReaderClient.logIn(addresses.readerUrl, 'reader');
	const friend = await ReaderClient.logIn(addresses.readerUrl, 'friend');
	return {
		linkManager: linkFixtures(new LinkClient(addresses.linksUrl)),
		newsReader: await readerFixtures(reader, friend),
	};
}

async function makeThree<T>(make: () => Promise<T> | T): Promise<T[]> {
	return [await make(), await make(), await make()];
}

function linkFixtures(client: LinkClient): Fixtures {
	let count = 0;
	const menus = [1, 2, 3].map((n) => `https://example.com/menu/${n}`);
	const add = (kind: string, body: (n: number) => object) => () =>
		makeThree(async () => (await client.add(`/${kind}/add`, body(++count))).id);
	return {
		makers: {
			linkId: add('url', (n) => ({ url: `https://example.com/e2e/${n}` })),
			campaignId: add('campaign', (n) => ({ name: `Campaign ${n}` })),
			channelId: add('channel', (n) => ({ name: `Channel ${n}` })),
			pixelId: add('pixel', (n) => ({ type: 'gtmpixel', name: `Pixel ${n}`, tag: `GTM-${n}` })),
			qrCodeId: add('qr', (n) => ({ type: 'link', data: `https://example.com/e2e/${n}` })),
			domainId: add('domain', (n) => ({ domain: `https://e2e-${n}.example.com` })),
		},
		values: {
			'account.update': { updateFields: { email: 'e2e@example.com' } },
			'apiRequest.send': {
				apiMethod: 'POST',
				apiPath: '/api/qr/add',
				additionalFields: { apiBody: JSON.stringify({ type: 'text', data: 'Hello' }) },
			},
			'campaign.create': { name: [1, 2, 3].map((n) => `Made ${n}`) },
			'channel.assignItem': { itemType: 'links' },
			'channel.update': { updateFields: { description: 'Changed' } },
			'domain.create': { domain: [1, 2, 3].map((n) => `https://made-${n}.example.com`) },
			'domain.update': { updateFields: { redirectroot: 'https://example.com' } },
			'pixel.create': { pixelType: 'gtmpixel', tag: ['GTM-A', 'GTM-B', 'GTM-C'] },
			'pixel.update': { tag: ['GTM-D', 'GTM-E', 'GTM-F'] },
			'qrCode.create': { dataSource: 'fields', qrType: 'link', qrLink: menus },
			'qrCode.update': { dataSource: 'fields', qrType: 'link', qrLink: menus },
			'shortLink.create': { url: [1, 2, 3].map((n) => `https://example.com/made/${n}`) },
			'shortLink.update': { updateFields: { url: 'https://example.com/changed' } },
		},
	};
}

async function readerFixtures(reader: ReaderClient, friend: ReaderClient): Promise<Fixtures> {
	const unread = await reader.unreadOfFetchedFeeds();
	const feeds = Object.values((await reader.read('/reader/feeds')).feeds);
	const chosen = feeds.filter(({ id }) => unread.has(id)).slice(0, 3);
	const feedIds = chosen.map(({ id }) => id);
	const stories = await Promise.all(chosen.map(async ({ id }) => await firstStory(reader, id)));
	const friendId = await idOf(friend);
	let count = 0;

	/** Feeds that an operation may change or delete. */
	const newFeeds = () =>
		makeThree(async () => {
			const url = `${chosen[0]!.feed_address}?copy=${100_000 + ++count}`;
			const { feed } = await reader.write('/reader/add_url', { url });
			return (feed as Feed).id;
		});
	const newFolders = () =>
		makeThree(async () => {
			const folder = `Folder ${++count}`;
			await reader.write('/reader/add_folder', { folder });
			return folder;
		});
	/** Creates a comment of the friend on each story, with a reply of the reader. */
	const createComments = async (): Promise<Values> => {
		for (const { story_feed_id: feed_id, id: story_id } of stories)
			await friend.write('/social/share_story', { feed_id, story_id, comments: `Comment ${++count}` });
		const replies = await Promise.all(
			stories.map(async ({ story_feed_id, id: story_id }) => {
				const { comment } = await reader.write('/social/save_comment_reply', {
					story_feed_id,
					story_id,
					comment_user_id: friendId,
					reply_comments: `Reply ${++count}`,
				});
				return comment.replies.at(-1)?.reply_id;
			}),
		);
		return { feedId: feedIds, commentUserId: stories.map(() => friendId), replyId: replies };
	};
	const shareStories = async (): Promise<Values> => {
		for (const { story_feed_id: feed_id, id: story_id } of stories)
			await reader.write('/social/share_story', { feed_id, story_id });
		return { feedId: feedIds };
	};
	const saveStories = async (): Promise<Values> => {
		for (const { story_hash } of stories)
			await reader.write('/reader/mark_story_hash_as_starred', { story_hash });
		return {};
	};
	const tags = ['one', 'two', 'three'];
	const tagStories = async (): Promise<Values> => {
		for (const [n, { story_hash }] of stories.entries())
			await reader.write('/reader/mark_story_hash_as_starred', { story_hash, user_tags: tags[n]! });
		return { savedTag: tags };
	};
	const byFeed = stories.map(({ story_feed_id: feed, id }) => ({ [feed]: [id] }));
	const addresses = chosen.map(({ feed_address: url }) => url);

	return {
		makers: {
			feedId: () => Promise.resolve(feedIds),
			feedIds: () => Promise.resolve(feedIds.map((id) => [id])),
			folder: newFolders,
			storyHash: () => Promise.resolve(stories.map(({ story_hash: hash }) => hash)),
			storyId: () => Promise.resolve(stories.map(({ id }) => id)),
			userId: () => Promise.resolve([friendId, friendId, friendId]),
		},
		values: {
			'account.signUp': {
				newUsername: ['ada', 'grace', 'joan'],
				newEmail: ['ada', 'grace', 'joan'].map((name) => `${name}@example.com`),
			},
			'apiRequest.send': {
				apiMethod: 'POST',
				apiPath: '/reader/mark_feed_as_read',
				additionalFields: { apiBody: JSON.stringify({ feed_id: feedIds[0] }) },
			},
			'classifier.save': {
				classifiers: { entry: [{ kind: 'tag', opinion: 'like', value: 'tools' }] },
			},
			'autoMarkRead.set': { additionalFields: { autoMarkDays: 9 } },
			'comment.getAll': createComments,
			'comment.like': createComments,
			'comment.removeLike': createComments,
			'comment.removeReply': createComments,
			'comment.saveReply': createComments,
			'feed.add': { feedUrl: [1, 2, 3].map((n) => `${addresses[1]}?copy=${200_000 + n}`) },
			'feed.addMany': async () => {
				const ids = await newFeeds();
				for (const feed_id of ids) await reader.write('/reader/delete_feed', { feed_id });
				return { feedsToAdd: ids.map((id) => [id]) };
			},
			'feed.autocomplete': { term: 'walk' },
			'feed.delete': async () => ({ feedId: await newFeeds() }),
			'feed.move': async () => ({ feedId: await newFeeds(), toFolder: await newFolders() }),
			'feed.refreshCounts': { withinMinute: 'last' },
			'feed.search': { address: addresses },
			'folder.rename': { newFolderName: ['Reading 1', 'Reading 2', 'Reading 3'] },
			'folder.move': async () => ({ toFolder: await newFolders() }),
			'folder.saveOrder': async () => {
				const { folders } = await reader.read('/reader/feeds');
				return { folders: [folders, folders, folders] };
			},
			'profile.update': { additionalFields: { bio: 'Reads a lot' } },
			'river.getShared': { socialUserIds: [[friendId], [friendId], [friendId]] },
			'savedStory.getByHash': saveStories,
			'savedStory.unsave': saveStories,
			'savedStory.deleteTag': tagStories,
			'savedStory.renameTag': async () => ({
				...(await tagStories()),
				newTagName: tags.map((tag) => `${tag} again`),
			}),
			'savedSearch.delete': async () => {
				for (const feed_id of feedIds) await reader.write('/reader/save_search', { feed_id, query: 'tools' });
				return { savedQuery: 'tools' };
			},
			'share.create': { feedId: feedIds },
			'share.delete': shareStories,
			'notification.set': { additionalFields: { notifyBy: ['email'] } },
			// The service searches only the most popular feed of a site, and the sandbox has all feeds on one site.
			'story.findByAddress': { storyUrl: stories[0]!.story_permalink },
			'story.markUnreadByDays': { unreadDays: 3 },
			'story.markFeedStoriesRead': { feedsStories: byFeed },
			'story.markReadById': { stories: stories.map(({ id }) => id) },
			'story.markSocialStoriesRead': { usersFeedsStories: byFeed.map((feeds) => ({ [friendId]: feeds })) },
			'subscriptionList.upload': {
				listSource: 'text',
				opmlText: [1, 2, 3].map((n) => opmlOf(`${addresses[2]}?copy=${300_000 + n}`)),
			},
			'user.find': { userQuery: 'friend' },
			'user.unfollow': async () => {
				await reader.write('/social/follow', { user_id: friendId });
				return {};
			},
		},
	};
}

async function firstStory(account: ReaderClient, feedId: number): Promise<Story> {
	const { stories } = await account.read(`/reader/feed/${feedId}`);
	if (!stories[0]) throw new Error(`Feed ${feedId} has no stories`);
	return stories[0];
}

async function idOf(account: ReaderClient): Promise<number> {
	const { user_profile: profile } = await account.read('/social/load_user_profile');
	return Number(profile.user_id);
}

const opmlOf = (url: string): string =>
	`<opml version="2.0"><body><outline type="rss" text="${url}" xmlUrl="${url}"/></body></opml>`;
