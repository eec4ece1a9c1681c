import { scoringOf } from '../classifiers/feed-scoring.ts';
import { seconds } from '../format-date.ts';
import { socialFeeds } from '../feeds/followed-shares.ts';
import { subscribedFeeds, subscriptionOf, titleFor } from '../subscriptions.ts';
import { feedById } from '../fetching/catalog.ts';
import { folderTree } from '../folders/folder-store.ts';
import { flatFolders, foldersOf } from '../folders/tree.ts';
import { Fault } from '../http/response.ts';
import type { Call, Route } from '../http/reader-route.ts';
import { shareFeedsOf } from '../social/profile-records.ts';
import { inList } from '../storage/queries.ts';
import type { ShareRow, StarredRow, StoryRow } from '../storage/rows.ts';
import { scoreRow } from '../stories/counts.ts';
import { findStories, storiesById } from '../stories/find.ts';
import { starredCount, starredCounts } from '../stories/starred-counts.ts';
import { feedsWithCounts } from '../stories/stored-counts.ts';
import {
	automation,
	bodyWith,
	byLabel,
	needText,
	numberIn,
	storiesText,
	type Choice,
} from './automation-routes.ts';

const defaultLimit = 50;

/** `2026-09-01T12:30:00Z` */
const isoDate = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** A story with the fields of a trigger and the time that triggers sort by; epoch milliseconds. */
interface TriggerStory {
	story: StoryRow;
	at: number;
	/** The time to compare with `after` and `before`. */
	comparedAt: number;
	fields: object;
}

interface Asked {
	limit: number;
	after?: number;
	before?: number;
	field: string;
}

/** `limit` cuts before `after` and `before` filter, as on real hosts. */
function askedBy(call: Call, name: string): Asked {
	const { body, fields } = bodyWith(call, 'triggerFields');
	return {
		limit: numberIn(body, 'limit') ?? defaultLimit,
		after: numberIn(body, 'after'),
		before: numberIn(body, 'before'),
		field: needText(fields, name),
	};
}

/** The response of a trigger: stories newest first, with `after` oldest first. */
function triggerResponse(call: Call, { after, before }: Asked, stories: readonly TriggerStory[]): object {
	const fitting = stories.filter(({ comparedAt }) => {
		const at = seconds(comparedAt);
		return (after === undefined || at >= after) && (before === undefined || at <= before);
	});
	const data = fitting.map(({ story, at, fields }) => {
		const feed = feedById(call.db, story.feed_id);
		return {
			StoryTitle: story.title,
			StoryContent: story.content,
			StoryURL: story.link,
			StoryAuthor: story.authors,
			PublishedAt: isoDate(story.published_at),
			...fields,
			Site: feed?.title ?? null,
			SiteURL: feed?.link ?? null,
			SiteRSS: feed?.address ?? null,
			meta: { id: story.story_hash, timestamp: seconds(at) },
		};
	});
	return { data: after === undefined ? data : data.toSorted((a, b) => a.meta.timestamp - b.meta.timestamp) };
}

/** Feeds by id, by the flat name of their folder, or all; an unknown folder is all. */
function askedFeeds(call: Call, field: string): number[] {
	const { reader, user } = call;
	if (/^\d+$/.test(field)) {
		return subscriptionOf(reader, user, Number(field)) === undefined ? [] : [Number(field)];
	}
	const folders = flatFolders(folderTree(reader, user));
	const inFolder = folders[field === 'Top Level' ? ' ' : field];
	return feedsWithCounts(reader, user, subscribedFeeds(reader, user, inFolder));
}

/** Excludes hidden stories; stories of untrained feeds are also in focus. */
function unreadStories(focusOnly: boolean): (call: Call) => object {
	return (call) => {
		const { reader, user } = call;
		const requested = askedBy(call, 'feed_or_folder');
		const feedIds = askedFeeds(call, requested.field);
		const page = { filter: 'unread', oldestFirst: false, limit: requested.limit, offset: 0 } as const;
		const scoring = scoringOf(reader, user);
		const stories = findStories(reader, user, { feedIds, ...page }).flatMap((story): TriggerStory[] => {
			const own = scoring.of(story.feed_id);
			const score = scoreRow(story, own);
			if (own.length > 0 && score < (focusOnly ? 1 : 0)) return [];
			const at = story.published_at;
			return [{ story, at, comparedAt: at, fields: { StoryScore: score } }];
		});
		return triggerResponse(call, requested, stories);
	};
}

/** `after` and `before` are compared with the publication, as on real hosts. */
function savedStories(call: Call): object {
	const requested = askedBy(call, 'story_tag');
	const tag = requested.field === 'all' ? '' : requested.field;
	const rows = call.db.all<StarredRow>(
		`SELECT * FROM reader_starred WHERE user_id = ?1 AND (?2 = '' OR EXISTS
		(SELECT 1 FROM json_each(tags) WHERE instr(json_each.value, ?2) > 0)) ORDER BY starred_at DESC LIMIT ?3`,
		call.user.id,
		tag,
		requested.limit,
	);
	const stories = rows.flatMap((row): TriggerStory[] =>
		storiesById(call.reader, [row.story_id]).map((story) => ({
			story,
			at: row.starred_at,
			comparedAt: story.published_at,
			fields: { SavedAt: isoDate(row.starred_at), Tags: (JSON.parse(row.tags) as string[]).join(', ') },
		})),
	);
	return triggerResponse(call, requested, stories);
}

function sharedStories(call: Call): object {
	const { reader, user } = call;
	const requested = askedBy(call, 'blurblog_user');
	const single = /^\d+$/.test(requested.field);
	if (!single && requested.field !== 'all') throw new Fault(`${requested.field} is no user.`, 500);
	const sharers = single ? [Number(requested.field)] : shareFeedsOf(reader, user.id);
	const rows = call.db.all<ShareRow & { username: string }>(
		`SELECT shares.*, username FROM reader_shares shares JOIN reader_users users ON users.id = user_id
		WHERE user_id IN (SELECT value FROM json_each(?)) ORDER BY shared_at DESC LIMIT ?`,
		inList(sharers),
		requested.limit,
	);
	const scoring = scoringOf(reader, user);
	const stories = rows.flatMap((row): TriggerStory[] =>
		storiesById(reader, [row.story_id]).flatMap((story) => {
			const keys = [...sharers.map((id) => `social:${id}`), String(story.feed_id)];
			const score = scoreRow(
				story,
				keys.flatMap((key) => scoring.of(key)),
			);
			const who = { Comments: row.comments, Username: row.username, SharedAt: isoDate(row.shared_at) };
			const at = row.shared_at;
			return score < 0 ? [] : [{ story, at, comparedAt: at, fields: { StoryScore: score, ...who } }];
		}),
	);
	return triggerResponse(call, requested, stories);
}

/** All, then every folder before its feeds. */
function feedChoices({ reader, user, db }: Call): object {
	const rows = foldersOf(folderTree(reader, user))
		.map(({ path, entries }) => ({ title: path.join(' - '), entries }))
		.toSorted((a, b) => (a.title < b.title ? -1 : 1))
		.flatMap(({ title, entries }): Choice[] => {
			const value = title || 'Top Level';
			const feeds = entries.flatMap((entry): Choice[] => {
				const subscription = typeof entry === 'number' ? subscriptionOf(reader, user, entry) : undefined;
				const feed = subscription && feedById(db, subscription.feed_id);
				return feed ? [{ label: titleFor(feed, subscription), value: String(feed.id) }] : [];
			});
			return [{ label: ` - Folder: ${value}`, value, optgroup: true }, ...byLabel(feeds)];
		});
	return { data: [{ label: ' - Folder: All Site Stories', value: 'all' }, ...rows] };
}

function tagChoices({ reader, user }: Call): object {
	const rows = starredCounts(reader, user) as { tag: string | null; count: number }[];
	const tags = rows.flatMap(({ tag, count }): Choice[] =>
		tag ? [{ label: `${tag} (${storiesText(count)})`, value: tag }] : [],
	);
	const all = { label: `All Saved Stories (${storiesText(starredCount(reader, user))})`, value: 'all' };
	return { data: [all, ...byLabel(tags)] };
}

function sharerChoices({ reader, user }: Call): object {
	const choices = socialFeeds(reader, user).map((feed): Choice => ({
		label: `${String(feed['username'])} (${storiesText(Number(feed['shared_stories_count']))})`,
		value: String(feed.subscription_user_id),
	}));
	return { data: [{ label: 'All Shared Stories', value: 'all' }, ...byLabel(choices)] };
}

const triggers = '/oauth/triggers';

export const triggerRoutes: readonly Route[] = [
	automation(`${triggers}/new-unread-story`, unreadStories(false)),
	automation(`${triggers}/new-unread-focus-story`, unreadStories(true)),
	automation(`${triggers}/new-saved-story`, savedStories),
	automation(`${triggers}/new-shared-story`, sharedStories),
	automation(`${triggers}/new-unread-story/fields/feed_or_folder/options`, feedChoices),
	automation(`${triggers}/new-unread-focus-story/fields/feed_or_folder/options`, feedChoices),
	automation(`${triggers}/new-saved-story/fields/story_tag/options`, tagChoices),
	automation(`${triggers}/new-shared-story/fields/blurblog_user/options`, sharerChoices),
];
