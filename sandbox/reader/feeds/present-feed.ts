import { plainDate, spanText } from '../format-date.ts';
import type { Reader } from '../reader.ts';
import type { Counts } from '../stories/counts.ts';
import type { FeedRow, SubscriptionRow } from '../storage/rows.ts';
import type { FeedFigures } from './figures.ts';
import { titleFor } from '../subscriptions.ts';

const defaultColor = '8a8f98';

interface FeedExtras {
	figures: FeedFigures;
	subscription?: SubscriptionRow;
	counts?: Counts;
	/** Whether the icon is part of the record. */
	favicon?: boolean;
}

/** An icon in JSON, as base64. */
export function inlineFavicon(feed: FeedRow): string | null {
	if (feed.favicon === null) return null;
	return Buffer.from(feed.favicon).toString('base64');
}

/** Scales each channel of a color `rrggbb`. */
function shade(color: string, factor: number): string {
	return color.replace(/../g, (channel) =>
		Math.min(255, Math.round(Number.parseInt(channel, 16) * factor))
			.toString(16)
			.padStart(2, '0'),
	);
}

function textColor(color: string): string {
	const channels = (color.match(/../g) ?? []).map((channel) => Number.parseInt(channel, 16));
	return channels.reduce((sum, channel) => sum + channel, 0) > 382 ? 'black' : 'white';
}

/** The colors of a feed in clients. */
function feedColors(feed: FeedRow): object {
	const color = feed.favicon_color ?? defaultColor;
	return {
		favicon_color: color,
		favicon_fade: shade(color, 1.2),
		favicon_border: shade(color, 0.75),
		favicon_text_color: textColor(color),
	};
}

/** Present only in records of broken feeds. */
export function brokenFields(feed: FeedRow): object {
	if (feed.exception_type === null) return {};
	return { has_exception: true, exception_type: feed.exception_type, exception_code: feed.exception_code };
}

/** The record of a feed. Interface facts, "Feed"; the contract names the counts and the icon. */
export function feedRecord(reader: Reader, feed: FeedRow, extras: FeedExtras): Record<string, unknown> {
	const now = reader.now();
	const { figures, subscription, counts } = extras;
	const sinceFetch = now - (feed.last_fetch_at ?? feed.created_at);
	const lastStory = figures.lastStoryAt;
	return {
		id: feed.id,
		feed_title: titleFor(feed, subscription),
		feed_address: feed.address,
		feed_link: feed.link,
		num_subscribers: figures.subscribers,
		updated: spanText(sinceFetch),
		updated_seconds_ago: Math.floor(sinceFetch / 1000),
		fs_size_bytes: feed.size_bytes,
		archive_count: figures.stories,
		last_story_date: lastStory === null ? null : plainDate(lastStory),
		last_story_seconds_ago: lastStory === null ? null : Math.max(0, Math.floor((now - lastStory) / 1000)),
		stories_last_month: figures.storiesLastMonth,
		average_stories_per_month: figures.averageStoriesPerMonth,
		min_to_decay: Math.round(reader.fetcher.intervalSeconds(feed.address) / 60),
		subs: figures.subscribers,
		is_push: false,
		is_newsletter: false,
		fetched_once: feed.fetched_once === 1,
		not_yet_fetched: feed.fetched_once === 0,
		...feedColors(feed),
		favicon_fetching: feed.favicon_fetched === 0,
		favicon_url: `/rss_feeds/icon/${feed.id}`,
		s3_page: false,
		s3_icon: false,
		disabled_page: false,
		...brokenFields(feed),
		...(extras.favicon && { favicon: inlineFavicon(feed) }),
		...(subscription && {
			...((subscription.active === 1 && counts) || { ps: 0, nt: 0, ng: 0 }),
			active: subscription.active === 1,
			feed_opens: subscription.feed_opens,
			subscribed: true,
		}),
	};
}
