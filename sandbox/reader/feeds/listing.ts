import type { Reader } from '../reader.ts';
import { type UserRow, type FeedRow, type SubscriptionRow, inList } from '../storage/queries.ts';
import { plainDate, spanText } from '../format-date.ts';
import { type Counts } from '../stories/counts.ts';
import { shownCounts } from '../stories/stored-counts.ts';
import { type FeedFigures, feedFigures } from './statistics.ts';
import { titleFor } from '../subscriptions.ts';

/** Ends expired mutes; the service does this when feeds are listed. */
export function endMutes(reader: Reader, user: UserRow): void {
	const over = 'SELECT feed_id FROM reader_feed_mutes WHERE user_id = ?1 AND expires_at <= ?2';
	const sql = `UPDATE reader_subscriptions SET active = 1 WHERE user_id = ?1 AND feed_id IN (${over})`;
	reader.db.run(sql, user.id, reader.now());
	reader.db.run('DELETE FROM reader_feed_mutes WHERE user_id = ? AND expires_at <= ?', user.id, reader.now());
}

/** The expiry of an account's timed mutes, by feed. */
export function muteExpiries(reader: Reader, user: UserRow): Map<number, string> {
	const rows = reader.db.all<{ feed_id: number; expires_at: number }>(
		'SELECT feed_id, expires_at FROM reader_feed_mutes WHERE user_id = ?',
		user.id,
	);
	return new Map(rows.map(({ feed_id, expires_at }) => [feed_id, expiryText(expires_at)]));
}

/** `2026-10-01T12:00:00`: UTC, but without a zone. */
export const expiryText = (at: number): string => new Date(at).toISOString().slice(0, 19);

const defaultColor = '8a8f98';

interface FeedExtras {
	figures: FeedFigures;
	subscription?: SubscriptionRow;
	counts?: Counts;
	/** Whether the icon is part of the record. */
	favicon?: boolean;
}

/** An icon in JSON. Contract: a data URI; real hosts send bare base64. */
export function inlineFavicon(reader: Reader, feed: FeedRow): string | null {
	if (feed.favicon === null) return null;
	const base64 = Buffer.from(feed.favicon).toString('base64');
	return reader.isReal ? base64 : `data:image/png;base64,${base64}`;
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

/** The record of a feed. Interface facts, "Feed"; the interface document names the counts and the icon. */
function feedRecord(reader: Reader, feed: FeedRow, extras: FeedExtras): Record<string, unknown> {
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
		...(extras.favicon && { favicon: inlineFavicon(reader, feed) }),
		...(subscription && {
			...(counts ?? { ps: 0, nt: 0, ng: 0 }),
			active: subscription.active === 1,
			feed_opens: subscription.feed_opens,
			subscribed: true,
		}),
	};
}

type FeedRecord = Record<string, unknown>;

interface Listing {
	/** Adds unread counts: counted now, or as they are stored. */
	counts?: 'current' | 'stored';
	/** Adds the icon. */
	favicons?: boolean;
	/** Adds the account's own fields. */
	subscribed?: boolean;
}

/** Records of feeds by id. */
export function feedRecords(
	reader: Reader,
	user: UserRow,
	feedIds: readonly number[],
	{ counts, favicons = false, subscribed = false }: Listing = {},
): Map<number, FeedRecord> {
	const ids = inList(feedIds);
	const feeds = reader.db.all<FeedRow>(
		'SELECT * FROM reader_feeds WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
		ids,
	);
	const subscriptions = new Map(
		reader.db
			.all<SubscriptionRow>(
				'SELECT * FROM reader_subscriptions WHERE user_id = ? AND feed_id IN (SELECT value FROM json_each(?))',
				user.id,
				ids,
			)
			.map((row) => [row.feed_id, row]),
	);
	const figures = feedFigures(reader, feedIds);
	const update = counts === 'current';
	const unread = counts && shownCounts(reader, user, [...subscriptions.keys()], { update });
	return new Map(
		feeds.map((feed) => [
			feed.id,
			feedRecord(reader, feed, {
				figures: figures.get(feed.id)!,
				subscription: subscribed ? subscriptions.get(feed.id) : undefined,
				counts: unread?.get(feed.id),
				favicon: favicons,
			}),
		]),
	);
}

export function feedRecordOf(
	reader: Reader,
	user: UserRow,
	feedId: number,
	favicons = true,
): FeedRecord | null {
	return feedRecords(reader, user, [feedId], { favicons }).get(feedId) ?? null;
}
