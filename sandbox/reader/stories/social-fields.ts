import type { Reader } from '../reader.ts';
import { commentRecords, peopleIn, type CommentRecord } from '../social/comments.ts';
import { followedBy, mutedBy } from '../social/profile-records.ts';
import { inList, type ShareRow, type UserRow } from '../storage/queries.ts';

/** Shares, comments and likes of stories that an account can see. */
interface SocialSide {
	/** The members of a story's record about its shares. Real hosts send few of them in a `sparse` list if the story has no share. */
	fieldsOf(storyId: number, sparse: boolean): object;
	/** The account's share of a story. */
	ownShare(storyId: number): ShareRow | undefined;
	/** A share of a story. */
	shareBy(storyId: number, userId: number | undefined): ShareRow | undefined;
	/** Profiles of all mentioned users. */
	people: number[];
}

const unshared = {
	comment_count: null as number | null,
	comment_user_ids: [],
	share_count: null as number | null,
	share_user_ids: [],
	reply_count: 0,
	friend_comments: [],
	friend_shares: [],
	public_comments: [],
};

/** Excludes shares of muted users; friends are followed users and the account itself. */
export function socialSide(reader: Reader, viewer: UserRow, storyIds: readonly number[]): SocialSide {
	const muted = mutedBy(reader, viewer.id);
	const friends = new Set([...followedBy(reader, viewer.id), viewer.id]);
	const shares = reader.db.all<ShareRow>(
		'SELECT * FROM reader_shares WHERE story_id IN (SELECT value FROM json_each(?)) ORDER BY shared_at, id',
		inList(storyIds),
	);
	const onceShared = new Set(
		reader.db
			.all<{ story_id: number }>(
				'SELECT story_id FROM reader_once_shared WHERE story_id IN (SELECT value FROM json_each(?))',
				inList(storyIds),
			)
			.map((row) => row.story_id),
	);
	const comments = commentRecords(reader, shares);
	const sharesOf = (storyId: number) => shares.filter((share) => share.story_id === storyId);
	return {
		people: [...shares.map((share) => share.user_id), ...peopleIn(comments.values())],
		ownShare: (storyId) => sharesOf(storyId).find((share) => share.user_id === viewer.id),
		shareBy: (storyId, userId) => sharesOf(storyId).find((share) => share.user_id === userId),
		fieldsOf: (storyId, sparse) => {
			const all = sharesOf(storyId);
			if (sparse) {
				if (!onceShared.has(storyId)) return unshared;
				if (all.length === 0) return { ...unshared, comment_count: 0, share_count: 0 };
			}
			const sides = {
				all,
				friends,
				muted,
				record: (share: ShareRow) => comments.get(share.id) as CommentRecord,
			};
			return countsAndLists(sides, sparse);
		},
	};
}

interface Sides {
	/** Visible shares of a story. */
	all: readonly ShareRow[];
	friends: ReadonlySet<number>;
	muted: ReadonlySet<number>;
	record(share: ShareRow): CommentRecord;
}

/** The social fields of a story that somebody shared, once or now. */
function countsAndLists({ all, friends, muted, record }: Sides, sparse: boolean): object {
	const isFriend = (share: ShareRow) => friends.has(share.user_id);
	const commented = all.filter((share) => share.comments !== '');
	const silent = all.filter((share) => share.comments === '');
	const idsOf = (list: readonly ShareRow[]) => list.map((share) => share.user_id);
	const sharersIn = (list: ShareRow[]) => list.filter((share) => share.comments === '');
	const friendComments = commented.filter(isFriend);
	const publicComments = commented.filter((share) => !isFriend(share) && !muted.has(share.user_id));
	const publicCommenters = commented.filter((share) => !isFriend(share));
	const friendShares = all.filter(isFriend);
	const publicShares = all.filter((share) => !isFriend(share));
	const silentFriends = silent.filter(isFriend);
	const answered = [...commented, ...silentFriends];
	const replies = answered.reduce((sum, share) => sum + record(share).replies.length, 0);
	const lastFirst = (list: ShareRow[]) => list.toReversed();
	return {
		comment_count: commented.length,
		comment_user_ids: idsOf(commented),
		share_count: all.length,
		share_user_ids: idsOf(all),
		reply_count: replies,
		...(!(sparse && commented.length === 0) && {
			comment_count_friends: friendComments.length,
			comment_count_public: publicComments.length,
		}),
		commented_by_friends: idsOf(friendComments),
		commented_by_public: idsOf(publicCommenters),
		share_count_friends: friendShares.length,
		share_count_public: publicShares.length,
		shared_by_friends: idsOf(sharersIn(friendShares)),
		shared_by_public: idsOf(sharersIn(publicShares)),
		friend_comments: lastFirst(friendComments).map(record),
		friend_shares: lastFirst(silentFriends).map(record),
		public_comments: lastFirst(publicComments).map(record),
		friend_user_ids: idsOf(friendShares),
		public_user_ids: idsOf(publicShares),
	};
}
