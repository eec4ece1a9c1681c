/** An account of the reader, with the feeds, stories and folders that the fixtures use. */
import { makeThree, type Values } from '../fixture.ts';

interface Feed {
	id: number;
	feed_address: string;
}

interface Story {
	id: string;
	story_hash: string;
	story_feed_id: number;
	story_permalink: string;
}

interface Body {
	feed?: unknown;
	feeds: Record<string, Feed>;
	folders: unknown[];
	stories: Story[];
	comment: { replies: Array<{ reply_id: string }> };
	user_profile: Record<string, unknown>;
}

/** A client of the service, logged in as a user. */
export interface ReaderLogin {
	read(path: string): Promise<Body>;
	write(path: string, fields: Record<string, string | number>): Promise<Body>;
	unreadOfFetchedFeeds(): Promise<Map<number, unknown>>;
}

export type FixtureAccount = Awaited<ReturnType<typeof fixtureAccount>>;

/** The account of `reader`, which follows `friend`. */
export async function fixtureAccount(reader: ReaderLogin, friend: ReaderLogin) {
	const unread = await reader.unreadOfFetchedFeeds();
	const feeds = Object.values((await reader.read('/reader/feeds')).feeds);
	const chosen = feeds.filter(({ id }) => unread.has(id)).slice(0, 3);
	const stories = await Promise.all(chosen.map(async ({ id }) => await firstStory(reader, id)));
	const { user_profile: friendProfile } = await friend.read('/social/load_user_profile');
	const friendId = Number(friendProfile.user_id);
	let count = 0;
	return {
		reader,
		feedIds: chosen.map(({ id }) => id),
		addresses: chosen.map(({ feed_address: address }) => address),
		stories,
		friendId,
		/** Feeds that an operation may change or delete. */
		newFeeds: () =>
			makeThree(async () => {
				const url = `${chosen[0]!.feed_address}?copy=${100_000 + ++count}`;
				const { feed } = await reader.write('/reader/add_url', { url });
				return (feed as Feed).id;
			}),
		newFolders: () =>
			makeThree(async () => {
				const folder = `Folder ${++count}`;
				await reader.write('/reader/add_folder', { folder });
				return folder;
			}),
		/** Creates a comment of the friend on each story, with a reply of the reader. */
		createComments: async (): Promise<Values> => {
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
			return {
				feedId: chosen.map(({ id }) => id),
				commentUserId: stories.map(() => friendId),
				replyId: replies,
			};
		},
	};
}

async function firstStory(account: ReaderLogin, feedId: number): Promise<Story> {
	const { stories } = await account.read(`/reader/feed/${feedId}`);
	if (!stories[0]) throw new Error(`Feed ${feedId} has no stories`);
	return stories[0];
}
