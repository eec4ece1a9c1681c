import type { IDataObject } from 'n8n-workflow';
import { aBoolean, aText, aUrlOrNull, anInteger, anything, listOf, record } from '../../runtime/table/record';
import type { Listing, Output } from '../../runtime/table/operation';
import type { Answer } from '../../runtime/transport/http';
import { isRecord } from '../../runtime/values';
import { aFavicon } from './favicons';
import { subscriptionsIn } from './subscriptions';
import { namedCounts } from './unreadCounts';

const feedRecord = record({
	id: anInteger,
	feed_title: aText,
	feed_address: aText,
	feed_link: aUrlOrNull,
	ps: anInteger,
	nt: anInteger,
	ng: anInteger,
	active: aBoolean,
	folders: listOf(aText),
	favicon: aFavicon,
});

/** What most people want of a feed: names and numbers that explain themselves. */
const simpleFeed = record({
	id: anInteger,
	title: aText,
	address: aText,
	website: aUrlOrNull,
	folders: listOf(aText),
	focus: anInteger,
	unread: anInteger,
	hidden: anInteger,
	active: aBoolean,
	favicon: aFavicon,
});

const simplifyFeed = (feed: IDataObject): IDataObject => ({
	id: feed.id,
	title: feed.feed_title,
	address: feed.feed_address,
	website: feed.feed_link ?? null,
	...('folders' in feed && { folders: feed.folders }),
	...(('folders' in feed || 'nt' in feed) && namedCounts(feed)),
	active: feed.active ?? true,
	...('favicon' in feed && { favicon: feed.favicon }),
});

/** Feeds: simplified unless the user wants them as they came. */
export const feedOutput: Output = {
	kind: feedRecord,
	pick: ({ json }) => json,
	simple: { kind: simpleFeed, of: simplifyFeed },
};

/** Subscribed feeds, each with the paths of the folders that it is in. */
export function subscribedFeeds(answer: Answer): IDataObject[] | undefined {
	const subscriptions = subscriptionsIn(answer.json);
	return subscriptions?.feeds.map((feed) => ({
		...(feed as IDataObject),
		folders: subscriptions.folders
			.filter((folder) => folder.feedIds.includes(Number(feed.id)))
			.map((folder) => folder.path),
	}));
}

/** Feeds are grouped by folder: their labels begin with it. */
export const feedListing: Listing<'getAll'> = {
	list: 'getAll',
	sorted: true,
	label: (entry) => {
		const folder = Array.isArray(entry.folders) ? String(entry.folders[0] ?? '') : '';
		return [folder, String(entry.feed_title ?? entry.id)].filter(Boolean).join(' / ');
	},
	url: (entry) => entry.feed_address,
};

export const feedStatistics = record({
	id: anInteger,
	average_stories_per_month: anInteger,
	stories_last_month: anInteger,
	num_subscribers: anInteger,
	last_update: aText,
	next_update: aText,
	feed_fetch_history: listOf(anything),
	page_fetch_history: listOf(anything),
});

export const feedTrainer = record({
	feed_id: anInteger,
	classifiers: anything,
	feed_tags: listOf(anything),
	feed_authors: listOf(anything),
	num_subscribers: anInteger,
	stories_last_month: anInteger,
});

export const feedSuggestion = record({
	id: anInteger,
	label: aText,
	value: aText,
	num_subscribers: anInteger,
	favicon: aFavicon,
});

/** The error of an answer that names this feed. */
export function errorAbout({ json }: Answer, feedId: string): string | undefined {
	const errors: unknown[] = isRecord(json) && Array.isArray(json.errors) ? json.errors : [];
	return errors.map(String).find((error) => new Set<string>(error.match(/(?:social:)?\d+/g)).has(feedId));
}
