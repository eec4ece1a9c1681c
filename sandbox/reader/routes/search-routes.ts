import { userById, userByName } from '../accounts.ts';
import { Fault, MissingParameter, Rejection } from '../http/response.ts';
import { type Call, write, type Route } from '../http/reader-route.ts';
import type { ShareRow, StoryRow, UserRow } from '../storage/queries.ts';
import { followedBy } from '../social/profile-records.ts';
import { storyByHash, storyInFeed } from '../stories/find.ts';
import { shareOf } from '../social/sharing.ts';
import type { Reader } from '../reader.ts';

/** An account by id, `social:12`, or name. */
export function findUser(call: Call, given: string): UserRow | undefined {
	const id = /^(?:social:)?(\d{1,15})$/.exec(given)?.[1];
	return id ? userById(call.db, Number(id)) : userByName(call.db, given);
}

/** The requested account. On real hosts, most endpoints fail for an unknown id. */
export function needUser(call: Call, given: string | undefined): UserRow {
	return userOr(call, given, call.reader.isReal ? 500 : 404);
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

interface FoundComment {
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

/** Saved searches; `feed_id` is whatever the client sent (`feed:42`, `river:Tech`, `42`). */
export function savedSearches(reader: Reader, user: UserRow): object[] {
	return reader.db
		.all<{ feed_key: string; query: string }>(
			'SELECT feed_key, query FROM reader_searches WHERE user_id = ? ORDER BY lower(query), id',
			user.id,
		)
		.map(({ feed_key, query }) => ({
			query,
			feed_address: feedAddress(reader, user, feed_key, query),
			feed_id: feed_key,
		}));
}

function feedAddress(reader: Reader, user: UserRow, feedKey: string, query: string): string {
	const secret = `${user.id}/${user.secret_token}`;

	return `${reader.baseUrl}/reader/saved_search_rss/${secret}/${encodeURIComponent(feedKey)}/${encodeURIComponent(query)}`;
}

function saveSearch(call: Call): object {
	const [feedKey, query] = [call.need('feed_id'), call.need('query')];
	if (!call.reader.isReal) call.needPremium('save searches');
	call.db.run(
		'INSERT INTO reader_searches (user_id, feed_key, query) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
		call.user.id,
		feedKey,
		query,
	);
	return { saved_searches: savedSearches(call.reader, call.user) };
}

function deleteSearch(call: Call): object {
	call.db.run(
		'DELETE FROM reader_searches WHERE user_id = ? AND feed_key = ? AND query = ?',
		call.user.id,
		call.need('feed_id'),
		call.need('query'),
	);
	return { saved_searches: savedSearches(call.reader, call.user) };
}

export const searchRoutes: readonly Route[] = [
	write('/reader/save_search', saveSearch),
	write('/reader/delete_search', deleteSearch),
];
