import { BareList, Fault, Refusal, type Answer } from '../http/answer.ts';
import { write, type Call, type Route } from '../http/route.ts';
import { plainDate } from '../dates.ts';
import { feedById } from '../fetching/catalog.ts';
import { feedFigures } from '../feeds/figures.ts';
import { subscribedFeeds, subscriptionOf } from '../feeds/subscriptions.ts';
import { followedBy } from '../social/profiles.ts';
import type { StoryRow } from '../storage/rows.ts';
import { storiesByHash, storyByHash, storyInFeed } from '../stories/find.ts';
import { markFeedsRead, markRead, markSharesRead, markUnread, type Span } from '../stories/marks.ts';

const dayMs = 86_400_000;

function markHashesRead(call: Call): object {
	const { reader, user, parameters } = call;
	const hashes = parameters.list('story_hash');
	const stories = storiesByHash(reader, hashes);
	const fresh = markRead(reader, user, stories);
	const answered = reader.differs('reads-left-out') ? fresh : [...new Set(hashes)];
	const feedIds = new Set(answered.map((hash) => hash.split(':', 1)[0] ?? ''));
	return { code: 1, story_hashes: answered, feed_ids: [...feedIds], friend_user_ids: [] };
}

/** Stories of one feed by the publisher's ids; unknown ones are passed over. */
function storiesOf(call: Call, feedId: number, storyIds: readonly string[]): StoryRow[] {
	return storyIds.flatMap((id) => storyInFeed(call.reader, feedId, id) ?? []);
}

function needSubscribed(call: Call, asked: string): number {
	const feedId = Number(asked);
	const problem = (text: string, status: number) =>
		new Refusal(text, status, { message: undefined, errors: [text] });
	if (!/^\d+$/.test(asked)) throw problem(`You must pass a valid feed_id: ${asked}`, 400);
	if (feedById(call.db, feedId) === undefined) throw problem(`No feed exists for feed_id ${asked}.`, 404);
	if (subscriptionOf(call.reader, call.user, feedId) === undefined) {
		throw problem('User is not subscribed to this feed.', 404);
	}
	return feedId;
}

/** Deprecated; its success is code 0. */
function markStoryRead(call: Call): object {
	const asked = call.parameters.text('feed_id');
	if (asked === undefined) throw new Fault('Missing parameter: feed_id', 404);
	const feedId = needSubscribed(call, asked);
	const storyIds = call.parameters.list('story_id');
	markRead(call.reader, call.user, storiesOf(call, feedId, storyIds));
	return { code: 0, payload: storyIds };
}

type Nested<Depth> = Record<string, Depth>;

function jsonParameter<Shape extends object>(call: Call, name: string): Shape {
	const text = call.need(name);
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Shape;
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
	}
	throw new Refusal(`${name} must be a JSON object.`);
}

function idList(value: unknown): string[] {
	return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** Deprecated; answers for the last feed, as seen in the wild. */
function markFeedStoriesRead(call: Call): object {
	let last: { storyIds: string[] } | { error: string } | undefined;
	for (const [feedId, ids] of Object.entries(jsonParameter<Nested<unknown>>(call, 'feeds_stories'))) {
		const storyIds = idList(ids);
		if (subscriptionOf(call.reader, call.user, Number(feedId))) {
			markRead(call.reader, call.user, storiesOf(call, Number(feedId), storyIds));
			last = { storyIds };
		} else {
			last = { error: `You are not subscribed to this feed_id: ${feedId}` };
		}
	}
	if (last === undefined) throw new Refusal('Nothing was marked as read');
	if ('error' in last) throw new Refusal(last.error, 404, { message: undefined, error: last.error });
	return { code: 0, payload: last.storyIds };
}

/** Deprecated; problems are listed beside a code of 1. */
function markSocialStoriesRead(call: Call): object {
	const users = jsonParameter<Nested<Nested<unknown>>>(call, 'users_feeds_stories');
	const errors: string[] = [];
	for (const [userId, feeds] of Object.entries(users)) {
		if (!followedBy(call.reader, call.user.id).includes(Number(userId))) {
			errors.push(`You are not following this user: ${userId}`);
		}
		for (const [feedId, ids] of Object.entries(feeds)) {
			const stories = storiesOf(call, Number(feedId), idList(ids));
			if (stories.length === 0) errors.push(`No such stories in feed ${feedId}.`);
			markRead(call.reader, call.user, stories);
		}
	}
	return { code: 1, errors };
}

/** Contract, "States and transitions": within 30 or 15 days; the message of a story too old is for the user. */
function unreadOutcome(call: Call, hash: string): { code: number; message?: string; story?: StoryRow } {
	const { reader, user } = call;
	const story = storyByHash(reader, hash);
	if (story === undefined) {
		return { code: -1, message: 'That story has been removed from the feed, no need to mark it unread.' };
	}
	if (story.published_at < reader.unreadSince(user)) {
		const days = reader.unreadDays(user);
		const message = reader.isPremium(user)
			? `Story is more than ${days} days old, cannot mark as unread.`
			: `Story is more than ${days} days old. Premiums can mark unread up to 30 days.`;
		return { code: -1, message };
	}
	markUnread(reader, user, story);
	return { code: 1, story };
}

/** A story too old is told in `message`, not by the status: that much the contract says. */
function markHashUnread(call: Call): Answer {
	const hashes = call.parameters.list('story_hash');
	const answers = hashes.map((hash) => {
		const { code, message, story } = unreadOutcome(call, hash);
		return {
			code,
			...(message !== undefined && { message }),
			story_hash: hash,
			...(story && { feed_id: story.feed_id }),
			friend_user_ids: [],
		};
	});
	return answers.length === 1 ? (answers[0] ?? {}) : new BareList('stories', answers);
}

/** Not in the contract; clients use it. */
function markStoryUnread(call: Call): object {
	const storyId = call.need('story_id');
	const story = storyInFeed(call.reader, Number(call.need('feed_id')), storyId);
	if (story === undefined) throw new Refusal('Story not found.', 404);
	if (subscriptionOf(call.reader, call.user, story.feed_id) === undefined) {
		return { code: 0, payload: { story_id: storyId } };
	}
	const { code, message } = unreadOutcome(call, story.story_hash);
	return { code, ...(message !== undefined && { message }) };
}

function markFeedRead(call: Call): object {
	const { reader, user, parameters } = call;
	const asked = parameters.list('feed_id');
	const subscribed = subscribedFeeds(reader, user).filter((id) => asked.includes(String(id)));
	const following = followedBy(reader, user.id).filter((id) => asked.includes(`social:${id}`));
	const known = new Set([...subscribed.map(String), ...following.map((id) => `social:${id}`)]);
	const errors = asked.filter((id) => !known.has(id)).map((id) => `User not subscribed: ${id}`);

	const cutoff = parameters.integer('cutoff_timestamp', 0) * 1000;
	const direction = parameters.text('direction') === 'newer' ? 'newer' : 'older';
	const span: Span = cutoff === 0 ? {} : direction === 'newer' ? { from: cutoff } : { to: cutoff + 999 };
	call.db.transaction(() => {
		markFeedsRead(reader, user, subscribed, span);
		markSharesRead(reader, user, following, span);
	});
	return { code: 1, errors, cutoff_date: cutoff === 0 ? null : plainDate(cutoff), direction };
}

/** `days` keeps the newest so many days unread; 0 means everything. */
function markAllRead(call: Call): object {
	const { reader, user, parameters } = call;
	const days = parameters.text('days') || '0';
	if (!/^-?\d{1,6}$/.test(days)) throw new Refusal(`Days parameter must be an integer, not: ${days}`);
	const span: Span = Number(days) > 0 ? { to: reader.now() - Number(days) * dayMs } : {};
	let feedIds = subscribedFeeds(reader, user);
	if (parameters.flag('infrequent')) {
		const figures = feedFigures(reader, feedIds);
		const most = parameters.integer('infrequent', 30, 1);
		feedIds = feedIds.filter((id) => (figures.get(id)?.averageStoriesPerMonth ?? 0) < most);
	}
	call.db.transaction(() => {
		markFeedsRead(reader, user, feedIds, span);
		markSharesRead(reader, user, followedBy(reader, user.id), span);
	});
	return { code: 1 };
}

export const readingRoutes: readonly Route[] = [
	write('/reader/mark_story_hashes_as_read', markHashesRead),
	write('/reader/mark_story_as_read', markStoryRead),
	write('/reader/mark_feed_stories_as_read', markFeedStoriesRead),
	write('/reader/mark_social_stories_as_read', markSocialStoriesRead),
	write('/reader/mark_story_hash_as_unread', markHashUnread, { names: ['story_hash'] }),
	write('/reader/mark_story_as_unread', markStoryUnread, { names: ['story_id', 'feed_id'] }),
	write('/reader/mark_feed_as_read', markFeedRead),
	write('/reader/mark_all_as_read', markAllRead),
];
