import { preferencesOf } from '../accounts.ts';
import { BareList, Fault, Rejection, type RouteResponse } from '../http/response.ts';
import { write, type Call, type Route } from '../http/reader-route.ts';
import { plainDate } from '../format-date.ts';
import { feedById } from '../fetching/fetcher.ts';
import { subscribedFeeds, subscriptionOf } from '../subscriptions.ts';
import { shareFeedsOf } from '../social/profile-records.ts';
import { inList, type StoryRow } from '../storage/queries.ts';
import { clustersOf } from '../stories/clusters.ts';
import { storiesByHash, storiesById, storyByHash, storyInFeed } from '../stories/find.ts';
import { markFeedsRead, markRead, markSharesRead, markUnread, type Span } from '../stories/marks.ts';
import { markableFeeds } from '../stories/stored-counts.ts';

const dayMs = 86_400_000;

function markHashesRead(call: Call): object {
	const { reader, user, parameters } = call;
	const sent = parameters.list('story_hash');
	const hashes = reader.is2026 ? withoutRead(call, withGroups(call, sent)) : sent;
	const stories = storiesByHash(reader, hashes);
	markRead(reader, user, stories);
	const answered = [...new Set(hashes)];
	const feedIds = new Set(answered.map(feedOfHash));
	return {
		code: 1,
		story_hashes: answered,
		feed_ids: [...feedIds],
	};
}

/** With the similar stories of each, when the account marks whole groups; any order. */
function withGroups(call: Call, hashes: readonly string[]): string[] {
	const { reader, user } = call;
	const marksGroups =
		reader.keepsEverything(user) && preferencesOf(reader, user)['cluster_mark_read'] === true;
	if (!marksGroups || !reader.is2026) return [...hashes];
	const ids = storiesByHash(reader, hashes).map(({ id }) => id);
	const members = [...clustersOf(reader, ids, false).values()].flatMap((cluster) => cluster.members);
	const similar = storiesById(reader, members).map(({ story_hash }) => story_hash);
	return [...new Set([...hashes, ...similar])].sort();
}

/** Excludes hashes that were already read individually; keeps unknown ones. */
function withoutRead(call: Call, hashes: readonly string[]): string[] {
	const read = call.db.all<{ story_hash: string }>(
		`SELECT story_hash FROM reader_reads JOIN reader_stories ON id = story_id
		WHERE user_id = ? AND opened > 0 AND story_hash IN (SELECT value FROM json_each(?))`,
		call.user.id,
		inList(hashes),
	);
	const known = new Set(read.map(({ story_hash }) => story_hash));
	return hashes.filter((hash) => !known.has(hash));
}

/** The feed's id, as text; null if this is not a hash. */
function feedOfHash(hash: string): string | null {
	return /^(\d+):./.exec(hash)?.[1] ?? null;
}

/** Stories of one feed by the publisher's ids; unknown ones are passed over. */
function storiesOf(call: Call, feedId: number, storyIds: readonly string[]): StoryRow[] {
	return storyIds.flatMap((id) => storyInFeed(call.reader, feedId, id) ?? []);
}

function needSubscribed(call: Call, requested: string): number {
	const feedId = Number(requested);
	const problem = (text: string, status: number) =>
		new Rejection(text, status, { message: undefined, errors: [text] });
	if (!/^\d+$/.test(requested)) throw problem(`You must pass a valid feed_id: ${requested}`, 400);

	if (subscriptionOf(call.reader, call.user, feedId) === undefined) {
		throw problem('User is not subscribed to this feed.', 404);
	}
	return feedId;
}

/** Deprecated; its success is code 0. */
function markStoryRead(call: Call): object {
	const requested = call.parameters.text('feed_id');
	if (requested === undefined) throw new Fault('Missing parameter: feed_id', 404);
	const feedId = needSubscribed(call, requested);
	const storyIds = call.parameters.list('story_id');
	markRead(call.reader, call.user, storiesOf(call, feedId, storyIds));
	return { code: 0, payload: storyIds };
}

type Nested<Depth> = Record<string, Depth>;

/** A parameter that must be a JSON object. */
function jsonParameter<Shape extends object>(call: Call, name: string): Shape {
	const text = call.need(name);
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Shape;
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
	}
	throw new Rejection(`${name} must be a JSON object.`);
}

function idList(value: unknown): string[] {
	return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** Deprecated; responds for the last feed, as seen on real hosts, which stop at an unsubscribed feed. */
function markFeedStoriesRead(call: Call): object {
	let last: { storyIds: string[] } | { error: string } | undefined;
	for (const [feedId, ids] of Object.entries(jsonParameter<Nested<unknown>>(call, 'feeds_stories'))) {
		const storyIds = idList(ids);
		if (subscriptionOf(call.reader, call.user, Number(feedId))) {
			markRead(call.reader, call.user, storiesOf(call, Number(feedId), storyIds));
			last = { storyIds };
		} else {
			last = { error: `You are not subscribed to this feed_id: ${feedId}` };
			break;
		}
	}
	if (last === undefined) throw new Rejection('Nothing was marked as read');
	if ('error' in last) throw new Rejection(last.error, 404, { message: undefined, error: last.error });
	return { code: 0, payload: last.storyIds };
}

/** Deprecated; problems are listed with a code of 1. */
function markSocialStoriesRead(call: Call): object {
	const users = jsonParameter<Nested<Nested<unknown>>>(call, 'users_feeds_stories');
	const errors: string[] = [];

	for (const [, feeds] of Object.entries(users)) {
		for (const [feedId, ids] of Object.entries(feeds)) {
			const stories = storiesOf(call, Number(feedId), idList(ids));

			markRead(call.reader, call.user, stories);
		}
	}
	return { code: 1, errors };
}

interface UnreadOutcome {
	code: number;
	message?: string;
	story?: StoryRow;
}

/** Interface document, "States and transitions": within 30 or 15 days; the message of a story too old is for the user. */
function unreadOutcome(call: Call, hash: string): UnreadOutcome {
	const story = storyByHash(call.reader, hash);
	if (story === undefined) {
		return { code: -1, message: 'That story has been removed from the feed, no need to mark it unread.' };
	}
	const message = tooOld(call, story);
	if (message !== undefined) return { code: -1, message, story };
	markUnread(call.reader, call.user, story);
	return { code: 1, story };
}

/** Why a story can no longer be marked as unread; undefined if it can. */
function tooOld({ reader, user }: Call, story: StoryRow): string | undefined {
	if (story.published_at >= reader.unreadSince(user) || reader.keepsEverything(user)) return undefined;
	const days = reader.unreadDays(user);

	if (reader.isPremium(user)) {
		return `Story is more than ${days} days old. Premium Archive accounts can mark any story as unread.`;
	}
	return story.published_at >= reader.now() - 30 * dayMs
		? `Story is older than ${days} days. Premium has 30 days, and Premium Archive can mark anything unread.`
		: `Story is more than ${days} days old, only Premium Archive can mark older stories unread.`;
}

/** A story that is too old is reported in `message`, not by the status, as the interface document says. */
function markHashUnread(call: Call): RouteResponse {
	const hashes = call.parameters.list('story_hash');
	if (hashes.length === 0) hashes.push('');
	const several = hashes.length > 1;
	const answers = hashes.flatMap((hash) => {
		const { code, message, story } = unreadOutcome(call, hash);
		const feedId = story && String(story.feed_id);
		const done = {
			code: 1,
			story_hash: hash,
			feed_id: feedId,
		};
		if (code === 1) return [done];
		const refused = { code, message, story_hash: hash };
		if (!several) return [refused];
		if (story === undefined) throw new Fault(`There is no story ${hash}.`, 500);
		markUnread(call.reader, call.user, story);
		return [refused, done];
	});
	return hashes.length === 1 ? (answers[0] ?? {}) : new BareList('stories', answers);
}

/** Not in the interface document; clients use it. */
function markStoryUnread(call: Call): object {
	const storyId = call.need('story_id');
	const story = storyInFeed(call.reader, call.needId('feed_id'), storyId);
	if (story === undefined) throw new Rejection('Story not found.', 404);
	if (subscriptionOf(call.reader, call.user, story.feed_id) === undefined) {
		return { code: 0, payload: { story_id: storyId } };
	}
	const { code, message } = unreadOutcome(call, story.story_hash);
	return { code, ...(message !== undefined && { message }) };
}

function markFeedRead(call: Call): object {
	const { reader, user, parameters } = call;
	const requested = parameters.list('feed_id');
	const ids = requested.map(Number).filter(Number.isSafeInteger);
	const subscribed = ids.filter((id) => subscriptionOf(reader, user, id) !== undefined);
	const following = shareFeedsOf(reader, user.id).filter((id) => requested.includes(`social:${id}`));
	const known = new Set([...subscribed.map(String), ...following.map((id) => `social:${id}`)]);
	const errors = requested.filter((id) => !known.has(id)).flatMap((id) => markError(call, id));

	const cutoff = parameters.integer('cutoff_timestamp', 0) * 1000;
	const direction = parameters.text('direction') === 'newer' ? 'newer' : 'older';

	const span: Span = cutoff === 0 ? {} : direction === 'newer' ? { from: cutoff } : { to: cutoff + 999 };
	call.db.transaction(() => {
		const forced = reader.is2026 && direction === 'older';
		markFeedsRead(reader, user, forced ? subscribed : markableFeeds(reader, user, subscribed), span);
		markSharesRead(reader, user, following, span);
	});
	return { code: 1, errors, cutoff_date: cutoff === 0 ? null : plainDate(cutoff), direction };
}

/** The errors for feeds that the account does not have; real hosts name no feed and ignore share feeds. */
function markError(call: Call, id: string): string[] {
	if (id.startsWith('social:')) return [];
	if (!/^\d{1,15}$/.test(id)) return [`Invalid feed_id: Field 'id' expected a number but got '${id}'.`];
	const missing = feedById(call.db, Number(id)) === undefined ? 'Feed' : 'UserSubscription';
	return [`User not subscribed: ${missing} matching query does not exist.`];
}

/** Excludes stories of the last `days`; 0 marks all. */
function markAllRead(call: Call): object {
	const { reader, user, parameters } = call;
	const given = parameters.text('days') ?? '0';
	const days = given === '' ? '0' : given;
	if (!/^-?\d{1,6}$/.test(days)) throw new Rejection(`Days parameter must be an integer, not: ${days}`);
	const span: Span = Number(days) > 0 ? { to: reader.now() - Number(days) * dayMs } : {};
	let feedIds = subscribedFeeds(reader, user);
	if (Number(days) === 0 && !reader.is2026) feedIds = markableFeeds(reader, user, feedIds);
	call.db.transaction(() => {
		markFeedsRead(reader, user, feedIds, span);
		markSharesRead(reader, user, shareFeedsOf(reader, user.id), span);
	});
	return { code: 1 };
}

export const readingRoutes: readonly Route[] = [
	write('/reader/mark_story_hashes_as_read', markHashesRead),
	write('/reader/mark_story_as_read', markStoryRead),
	write('/reader/mark_feed_stories_as_read', markFeedStoriesRead),
	write('/reader/mark_social_stories_as_read', markSocialStoriesRead),
	write('/reader/mark_story_hash_as_unread', markHashUnread),
	write('/reader/mark_story_as_unread', markStoryUnread),
	write('/reader/mark_feed_as_read', markFeedRead),
	write('/reader/mark_all_as_read', markAllRead),
];
