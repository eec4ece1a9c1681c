import { userById, userByName } from '../accounts/users.ts';
import { Fault, MissingParameter, Rejection } from '../http/response.ts';
import type { Call } from '../http/reader-route.ts';
import type { ShareRow, StoryRow, UserRow } from '../storage/rows.ts';
import { followedBy } from '../social/profile-records.ts';
import { storyByHash, storyInFeed } from '../stories/find.ts';
import { shareOf } from '../social/sharing.ts';

/** An account by id, `social:12`, or name. */
export function findUser(call: Call, given: string): UserRow | undefined {
	const id = /^(?:social:)?(\d{1,15})$/.exec(given)?.[1];
	return id ? userById(call.db, Number(id)) : userByName(call.db, given);
}

/** The requested account. On real hosts, most endpoints fail for an unknown id. */
export function needUser(call: Call, given: string | undefined): UserRow {
	return userOr(call, given, 404);
}

/** The owner of the requested share feed. */
export function needSharer(call: Call): UserRow {
	return userOr(call, call.path['user_id'], 404);
}

function userOr(call: Call, given: string | undefined, status: 404 | 500): UserRow {
	if (given === undefined || given === '') throw new MissingParameter('user_id');
	const user = findUser(call, given);
	if (user === undefined) throw new Fault(`There is no user ${given}.`, status);
	return user;
}

/** Whether the share feed is hidden, because the account is another user's and private. */
export function isPrivate(call: Call, owner: UserRow): boolean {
	return owner.is_private === 1 && !(call.authenticated && call.user.id === owner.id);
}

/** The same on real hosts, where followers see the activities, and others an empty list. */
export function isClosed(call: Call, owner: UserRow): boolean {
	const { reader, user } = call;
	if (!isPrivate(call, owner)) return false;
	return !followedBy(reader, user.id).includes(owner.id);
}

/** A story by feed id and the publisher's id, or by its hash. */
export function findStory(call: Call, feedParameter: string): StoryRow | undefined {
	const feedId = call.needId(feedParameter);
	const storyId = call.need('story_id');
	return storyInFeed(call.reader, feedId, storyId) ?? storyByHash(call.reader, storyId);
}

export interface FoundComment {
	share: ShareRow;
	story: StoryRow;
}

/** The shared story that a reply or like is about: `story_feed_id`, `story_id` and `comment_user_id` name it. */
function findComment(call: Call): FoundComment | undefined {
	const story = findStory(call, 'story_feed_id');
	const author = findUser(call, call.need('comment_user_id'));
	const share = story && author && shareOf(call.reader, author.id, story.id);
	return story && share && { share, story };
}

export function needComment(call: Call, refusal: string): FoundComment {
	const found = findComment(call);
	if (found === undefined) throw new Rejection(refusal, 404);
	return found;
}
