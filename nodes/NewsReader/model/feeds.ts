import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Result, ItemApi } from '../../runtime/api-types';
import {
	aTextOrNull,
	optional,
	record,
	aBoolean,
	aNumber,
	aText,
	aUrlOrNull,
	anInteger,
	anIntegerOrText,
	anything,
	listOf,
	type ValueSchema,
	withDefault,
} from '../../runtime/table/record';
import { withoutEnvelope, isoOfSpan } from './responses';
import { aFeedId, inOurNames, selection, simplifiedTo } from './records';
import type { Listing } from '../../runtime/table/listing';
import { listedRecord, type Output } from '../../runtime/table/operation';
import { subscriptionsIn } from './subscriptions';
import { countMembers, COUNTS } from './unread-counts';
import { isRecord, toBoolean, toText } from '../../runtime/values';

/** As a data URI: hosts also send bare Base64 (seen in the wild). */
const faviconUri = (favicon: unknown): string | null => {
	if (typeof favicon !== 'string' || favicon === '') return null;
	return favicon.startsWith('data:') ? favicon : `data:image/png;base64,${favicon}`;
};

const aFavicon: ValueSchema = {
	...aTextOrNull.described('Icon of the feed: a data URI, or its URL'),
	coerce: faviconUri,
};

export const faviconRecord = record({
	feedId: aFeedId,
	favicon: optional(aFavicon).described('Icon as a data URI; null if there is none, or in a binary file'),
});

export async function faviconResults(
	response: ApiResponse,
	api: ItemApi,
	inFiles: boolean,
): Promise<Result[]> {
	const icons = Object.entries(withoutEnvelope(response) ?? {}).filter(([id]) => /^\d+$/.test(id));
	const results = icons.map(async ([id, icon]) => {
		const feedId = Number(id);
		const uri = faviconUri(icon);
		if (!inFiles || uri === null) return await api.results([{ feedId, favicon: uri }], response);
		const [, mimeType = 'image/png', extension = 'png'] =
			/^data:(image\/(?:x-|vnd\.microsoft\.)?(\w+)[\w.+-]*)/.exec(uri) ?? [];
		const bytes = Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
		const data = await api.file(bytes, `favicon-${feedId}.${extension}`, mimeType);
		const [result = { json: {} }] = await api.results([{ feedId }], response);
		return [{ ...result, binary: { data } }];
	});
	return (await Promise.all(results)).flat();
}

export const feedMembers = {
	id: ['id', aFeedId],
	address: ['feed_address', aText.described('URL of the feed itself')],
	title: ['feed_title', aText.described('Title of the feed')],
	website: ['feed_link', aUrlOrNull.described('URL of the feed’s website')],
	...countMembers,
	active: ['active', withDefault(aBoolean, true).described('Whether it is not muted; Search does not say')],
} as const;

const simpleFeed = selection(feedMembers, COUNTS);
export const feedOutput = (select?: Output['select']): Output => simplifiedTo(simpleFeed, select);

/** Without the page of its website, a feed works: clients of the service show it as any other (seen in the wild). */
export const isBroken = ({ has_exception: fails, exception_type: type }: Record<string, unknown>): boolean =>
	toBoolean(fails) === true && type !== 'page';

/** The service names an exception only for a feed or a page that fails. */
export const subscriptionOutput = simplifiedTo(
	selection(
		{
			...feedMembers,
			broken: [isBroken, aBoolean.described('Whether the service has failed to read the feed for some time')],
			exceptionType: [
				'exception_type',
				aTextOrNull.described('What fails: feed, or only page (that of the website); null if nothing'),
			],
			exceptionCode: [
				'exception_code',
				anInteger.described('HTTP status, or a number of the service’s own; null if nothing fails'),
			],
			folders: ['folders', listOf(aText).described('Paths of its folders; blank for the top level')],
			favicon: ['favicon', aFavicon],
		},
		COUNTS,
	),
);

export function subscribedFeeds(response: ApiResponse): IDataObject[] | undefined {
	const subscriptions = subscriptionsIn(response.json);
	return subscriptions?.feeds.map((feed) => ({
		...(feed as IDataObject),
		folders: subscriptions.folders
			.filter((folder) => folder.feedIds.includes(Number(toText(feed.id))))
			.map((folder) => folder.path),
	}));
}

export const feedListing: Listing<'getAll'> = {
	list: 'getAll',
	sorted: true,
	label: (entry) => {
		const folder = Array.isArray(entry.folders) ? toText(entry.folders[0] ?? '') : '';
		return [folder, toText(entry.feed_title ?? entry.id)].filter(Boolean).join(' / ');
	},
	url: (entry) => entry.feed_address,
};

/** In the user's time zone, hours can be below 0 or above 23 (seen in the wild). */
const byHour = (counts: unknown): unknown =>
	isRecord(counts)
		? Object.fromEntries(Object.entries(counts).map(([hour, count]) => [(Number(hour) + 24) % 24, count]))
		: counts;

const pairs = listOf(listOf(anIntegerOrText));

export const storyHistories = {
	story_count_history: pairs.described('Number of stories by month'),
	story_days_history: anything.described('Number of stories by day of the week; 0 is Sunday'),
	story_hours_history: { ...anything.described('Stories by hour; for a feed, in your zone'), coerce: byHour },
};

/** The service returns null for a feed without stories in the last month (seen in the wild). */
const storiesLastMonth: ValueSchema = {
	...anInteger.described('Number of stories in the last month'),
	coerce: (value) => anInteger.coerce(value ?? 0),
};

const spanFromNow = (direction: -1 | 1): ValueSchema => ({
	...aText,
	coerce: (words) => isoOfSpan(words, direction),
});

const anyFetch = listOf(record({ localTime: aText, statusCode: anInteger, message: aText }));

export const classifierCounts = {
	classifier_counts: anything.described('How many readers like and dislike each tag, author and title'),
};

const feedStatistics = record({
	average_stories_per_month: anInteger.described('Average number of stories a month'),
	stories_last_month: storiesLastMonth,
	num_subscribers: anInteger.described('Number of subscribers'),
	last_update: spanFromNow(-1).described('When the feed was last fetched'),
	next_update: spanFromNow(1).described('When the feed is fetched next'),
	last_load_time: aNumber.described('How many seconds the last fetch took'),
	active: aBoolean.described('Whether the service fetches the feed'),
	push: aBoolean.described('Whether the feed pushes new stories'),
	fs_size_bytes: anInteger.described('Size of the stored feed in bytes'),
	archive_count: anInteger.described('Number of stories that the service keeps of the feed'),
	update_interval_minutes: anInteger.described('Minutes between two fetches'),
	premium_update_interval_minutes: anInteger.described('Minutes between two fetches for premium accounts'),
	errors_since_good: anInteger.described('Failed fetches since the last successful one'),
	subscriber_count: anInteger.described('Number of subscribers'),
	premium_subscribers: anInteger.described('Number of premium subscribers'),
	active_subscribers: anInteger.described('Subscribers who used the service recently'),
	active_premium_subscribers: anInteger.described('Premium subscribers who used the service recently'),
	...classifierCounts,
	...storyHistories,
	feed_fetch_history: anyFetch.described('Last fetches of the feed'),
	page_fetch_history: anyFetch.described('Last fetches of the feed’s web page'),
	feed_push_history: listOf(anything).described('Last push messages of the feed'),
	id: aFeedId,
});

const withId = (id: unknown, feed: Record<string, unknown> | undefined) => feed && { id, ...feed };

/** Fetches have the time of the user's time zone, which the service doesn't return. */
export const statisticsOutput = inOurNames(
	{ ...listedRecord(feedStatistics), select: (response, { id }) => withId(id, withoutEnvelope(response)) },
	{},
	['classifierCounts', 'feedFetchHistory', 'pageFetchHistory', 'feedPushHistory'],
	{ fetch_date: 'localTime', push_date: 'localTime' },
);

export const trainerMembers = {
	classifiers: anything.described('What you like (1) and dislike (-1)'),
	feed_tags: pairs.described('Popular tags, each with its number of stories; none for a share feed'),
	feed_authors: pairs.described('Popular authors, each with their number of stories; none for a share feed'),
};

export const feedTrainer = record({
	...trainerMembers,
	num_subscribers: anInteger.described('Number of subscribers'),
	stories_last_month: storiesLastMonth,
	feed_id: aFeedId,
});

export const feedSuggestion = record({
	label: aText.described('Title of the feed'),
	value: aText.described('URL of the feed itself'),
	num_subscribers: anInteger.described('Number of subscribers'),
	favicon: aFavicon,
	tagline: aText.described('Short description of the feed'),
	favicon_color: aText.described('Main color of the icon'),
	id: aFeedId,
});
