import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';
import {
	aBoolean,
	aNumber,
	aText,
	aTextOrNull,
	aUrlOrNull,
	anInteger,
	anything,
	listOf,
	exact,
	optional,
	record,
	type RecordOf,
} from '../../runtime/table/record';
import type { Listing } from '../../runtime/table/listing';
import { simplified, type Output, listedRecord } from '../../runtime/table/operation';
import { isoOfSpan, withoutEnvelope } from './responses';
import { aFavicon } from './favicons';
import { inOurNames } from './names';
import { subscriptionsIn } from './subscriptions';
import { namedCounts } from './unread-counts';
import { omit, toBoolean, toText } from '../../runtime/values';

const feedRecord = record({
	feed_title: aText,
	feed_address: aText,
	feed_link: aUrlOrNull,
	ps: anInteger,
	nt: anInteger,
	ng: anInteger,
	active: aBoolean,
	folders: listOf(aText),
	favicon: aFavicon,
	id: anInteger,
});

/** A simplified feed: the members that most people need, under plain names. */
const simpleFeed = record({
	title: aText,
	address: aText,
	website: aUrlOrNull,
	focus: optional(anInteger),
	unread: optional(anInteger),
	hidden: optional(anInteger),
	active: aBoolean,
	id: anInteger,
});

const simplifyFeed = (feed: IDataObject): RecordOf<typeof simpleFeed> =>
	exact(simpleFeed, {
		id: feed.id,
		title: feed.feed_title,
		address: feed.feed_address,
		website: feed.feed_link ?? null,
		...(('folders' in feed || 'nt' in feed) && namedCounts(feed)),
		active: feed.active ?? true,
	});

/** A simplified feed of the account's subscriptions. The service names an exception only for a feed that fails. */
const simpleSubscription = record({
	...omit(simpleFeed.members, 'id'),
	broken: aBoolean,
	exceptionType: aTextOrNull,
	exceptionCode: optional(anInteger),
	folders: listOf(aText),
	favicon: optional(aFavicon),
	id: anInteger,
});

function simplifySubscription(feed: IDataObject): RecordOf<typeof simpleSubscription> {
	const { id, title, address, website, ...others } = simplifyFeed(feed);
	return exact(simpleSubscription, {
		...{ id, title, address, website, folders: feed.folders },
		...others,
		broken: toBoolean(feed.has_exception) ?? false,
		exceptionType: feed.exception_type ?? null,
		...(typeof feed.exception_code === 'number' && { exceptionCode: feed.exception_code }),
		...('favicon' in feed && { favicon: feed.favicon }),
	});
}

/** Feeds, simplified unless Simplify is off. */
export const feedOutput: Output = {
	...listedRecord(feedRecord),
	shape: simplified(simpleFeed, simplifyFeed),
};

export const subscriptionOutput: Output = {
	...feedOutput,
	shape: simplified(simpleSubscription, simplifySubscription),
};

/** Subscribed feeds, each with the paths of its folders. */
export function subscribedFeeds(response: ApiResponse): IDataObject[] | undefined {
	const subscriptions = subscriptionsIn(response.json);
	return subscriptions?.feeds.map((feed) => ({
		...(feed as IDataObject),
		folders: subscriptions.folders
			.filter((folder) => folder.feedIds.includes(Number(toText(feed.id))))
			.map((folder) => folder.path),
	}));
}

/** Feeds are grouped by folder: their labels begin with it. */
export const feedListing: Listing<'getAll'> = {
	list: 'getAll',
	sorted: true,
	label: (entry) => {
		const folder = Array.isArray(entry.folders) ? toText(entry.folders[0] ?? '') : '';
		return [folder, toText(entry.feed_title ?? entry.id)].filter(Boolean).join(' / ');
	},
	url: (entry) => entry.feed_address,
};

/** When stories were published: by month (pairs of month and number), by day of the week, and by hour of the day. */
export const storyHistories = {
	story_count_history: optional(listOf(anything)),
	story_days_history: optional(anything),
	story_hours_history: optional(anything),
};

export const feedStatistics = record({
	average_stories_per_month: anInteger,
	stories_last_month: anInteger,
	num_subscribers: anInteger,
	last_update: aText,
	next_update: aText,
	last_load_time: optional(aNumber),
	active: optional(aBoolean),
	push: optional(aBoolean),
	fs_size_bytes: optional(anInteger),
	archive_count: optional(anInteger),
	update_interval_minutes: optional(anInteger),
	premium_update_interval_minutes: optional(anInteger),
	errors_since_good: optional(anInteger),
	subscriber_count: optional(anInteger),
	premium_subscribers: optional(anInteger),
	active_subscribers: optional(anInteger),
	active_premium_subscribers: optional(anInteger),
	classifier_counts: optional(anything),
	...storyHistories,
	feed_fetch_history: listOf(anything),
	page_fetch_history: listOf(anything),
	feed_push_history: optional(listOf(anything)),
	id: anInteger,
});

const withId = (id: unknown, feed: Record<string, unknown> | undefined) => feed && { id, ...feed };

const anyFetch = listOf(record({ localTime: aText, statusCode: anInteger, message: aText }));

/** Fetches have the clock time of the user's time zone, which the service doesn't return. */
const renamedStatistics = inOurNames(
	{ ...listedRecord(feedStatistics), select: (response, { id }) => withId(id, withoutEnvelope(response)) },
	{ fetch_date: 'localTime', push_date: 'localTime' },
	{
		classifierCounts: anything,
		feedFetchHistory: anyFetch,
		pageFetchHistory: anyFetch,
		feedPushHistory: listOf(anything),
	},
);

/** The statistics of a feed. The service returns the times of the last and the next fetch as spans in words. */
export const statisticsOutput: Output = {
	...renamedStatistics,
	shape: renamedStatistics.shape && {
		...renamedStatistics.shape,
		map: (statistics, ...others) => ({
			...renamedStatistics.shape?.map(statistics, ...others),
			lastUpdate: isoOfSpan(statistics.last_update, -1),
			nextUpdate: isoOfSpan(statistics.next_update, 1),
		}),
	},
};

export const feedTrainer = record({
	classifiers: anything,
	feed_tags: listOf(anything),
	feed_authors: listOf(anything),
	num_subscribers: anInteger,
	stories_last_month: anInteger,
	feed_id: anInteger,
});

export const feedSuggestion = record({
	label: aText,
	value: aText,
	num_subscribers: anInteger,
	favicon: aFavicon,
	tagline: optional(aText),
	favicon_color: optional(aText),
	id: anInteger,
});
