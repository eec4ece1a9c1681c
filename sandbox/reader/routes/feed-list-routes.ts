import { BareList, Document, Rejection, type RouteResponse } from '../http/response.ts';
import { read, type Call, type Route } from '../http/reader-route.ts';
import { preferencesOf } from '../accounts.ts';
import { classifiersByFeed } from '../classifiers.ts';
import { flatFolders } from '../folders/tree.ts';
import { folderTree } from '../folders/matching.ts';
import { connectedServices, ownProfile, sharedStoriesCount } from '../social/profile-records.ts';
import { unseenInteractions } from '../social/events.ts';
import { socialCounts, socialFeeds } from '../feeds/followed-shares.ts';
import { inList, type FeedRow, type UserRow } from '../storage/queries.ts';
import type { Reader } from '../reader.ts';
import { fractionalDate } from '../format-date.ts';
import { starredCount, starredCounts } from '../stories/counts.ts';
import { shownCounts } from '../stories/stored-counts.ts';
import { feedById } from '../fetching/fetcher.ts';
import { endMutes, muteExpiries, feedRecords, brokenFields, inlineFavicon } from '../feeds/listing.ts';
import { feedAutoMarks, folderAutoMarks } from './newer-feed-routes.ts';
import { savedSearches } from './search-routes.ts';
import { subscribedFeeds } from '../subscriptions.ts';

/** Muted ones included. */
function allSubscriptions({ db, user }: Call): number[] {
	return db
		.all<{ feed_id: number }>('SELECT feed_id FROM reader_subscriptions WHERE user_id = ?', user.id)
		.map(({ feed_id }) => feed_id);
}

/** Interface document, "Feeds": all subscriptions in their folders. */
function listFeeds(call: Call): RouteResponse {
	const { reader, user, parameters } = call;
	const flat = parameters.flag('flat');
	if (flat && !call.authenticated) return Document.html('', 403);
	const newer = reader.is2026;
	if (newer) endMutes(reader, user);
	const ids = newer && !flat ? allSubscriptions(call) : subscribedFeeds(reader, user);
	const tree = folderTree(reader, user);
	if (ids.length + tree.length === 0 && reader.isReal) return { feeds: [], folders: [] };

	const records = feedRecords(reader, user, ids, {
		subscribed: true,
		counts: parameters.flag('update_counts', true) ? 'current' : 'stored',
		favicons: parameters.flag('include_favicons'),
	});
	for (const [id, expiry] of newer ? muteExpiries(reader, user) : []) {
		const record = records.get(id);
		if (record) record['mute_expires_at'] = expiry;
	}
	for (const [id, days] of newer ? Object.entries(feedAutoMarks(call)) : []) {
		const record = records.get(Number(id));
		if (record) record['auto_mark_read_days'] = days;
	}
	const common = {
		feeds: Object.fromEntries(records),
		social_feeds: socialFeeds(reader, user),
		social_profile: ownProfile(reader, user),
		social_services: connectedServices(reader, user),
		is_staff: false,
		user_id: user.id,
		categories: null,
		starred_count: starredCount(reader, user),
		starred_counts: starredCounts(reader, user),
		saved_searches: savedSearches(reader, user),
		share_ext_token: user.secret_token,
	};
	if (flat) {
		return {
			...common,
			flat_folders: flatFolders(tree),
			flat_folders_with_inactive: flatFolders(tree),
			inactive_feeds: parameters.flag('include_inactive') ? {} : { '0': 'Include `include_inactive=true`' },
			user: user.username,
			user_profile: accountRecord(reader, user),
			iphone_version: '2.1',
			latest_ios_build: '52',
			latest_ios_version: '5.0.0b2',
		};
	}
	return {
		...common,
		folders: tree,
		...(reader.is2026 && { folder_paths_supported: true }),
		user_profile: accountRecord(reader, user),
		dashboard_rivers: [],
		...(newer && { folder_auto_mark_read: folderAutoMarks(call) }),
	};
}

/** The account's record in the list of feeds; real hosts omit its identity. */
function accountRecord(reader: Reader, user: UserRow): object {
	const plan = {
		is_premium: reader.isPremium(user),
		is_archive: reader.keepsEverything(user),
		is_pro: false,
	};

	return {
		...plan,
		premium_expire: 0,
		preferences: reader.is2026 ? preferencesOf(reader, user) : {},
		tutorial_finished: false,
		hide_getting_started: false,
		has_setup_feeds: false,
		has_found_friends: false,
		has_trained_intelligence: classifiersByFeed(reader, user).size > 0,
		dashboard_date: fractionalDate(user.interactions_seen_at),
	};
}

function favicons(call: Call): object {
	const requested = call.parameters.has('feed_ids') ? call.parameters.integers('feed_ids') : undefined;
	const ids = requested ?? subscribedFeeds(call.reader, call.user);
	const feeds = call.db.all<FeedRow>(
		'SELECT * FROM reader_feeds WHERE id IN (SELECT value FROM json_each(?))',
		inList(ids),
	);
	return Object.fromEntries(feeds.map((feed) => [feed.id, inlineFavicon(call.reader, feed)]));
}

/** Current unread counts. */
function refreshFeeds(call: Call): object {
	const { reader, user, parameters } = call;
	const requested = parameters.has('feed_id') ? parameters.integers('feed_id') : undefined;
	const ids = subscribedFeeds(reader, user, requested);
	const counts = shownCounts(reader, user, ids);
	const records = feedRecords(reader, user, ids);
	return {
		feeds: Object.fromEntries(
			[...counts].map(([id, own]) => {
				const broken = records.get(id)?.['has_exception'] ? brokenState(call, id) : {};
				return [id, { ...own, id, ...broken }];
			}),
		),
		social_feeds: countsOfShareFeeds(call, requested !== undefined),
		interactions_count: unseenInteractions(reader, user),
	};
}

/** If the request names feeds, only share feeds among them. */
function countsOfShareFeeds(call: Call, selected: boolean): object {
	const { reader, user, parameters } = call;
	const all = socialCounts(reader, user);
	if (!selected) return all;
	const requested = Object.entries(all).filter(([key]) => parameters.list('feed_id').includes(key));
	return Object.fromEntries(
		requested.map(([key, own]) => [
			key,
			{ ...own, shared_stories_count: sharedStoriesCount(reader, Number(key.slice('social:'.length))) },
		]),
	);
}

function brokenState(call: Call, feedId: number): object {
	const feed = feedById(call.db, feedId);
	return feed ? { ...brokenFields(feed), feed_address: feed.address } : {};
}

function feedUnreadCount(call: Call): object {
	const { reader, user, parameters } = call;
	const ids = subscribedFeeds(reader, user, parameters.integers('feed_id'));
	const counts = shownCounts(reader, user, ids, { force: parameters.flag('force') });
	const social = Object.entries(socialCounts(reader, user)).filter(([key]) =>
		parameters.list('feed_id').includes(key),
	);
	const feeds = [...counts].map(([id, own]) => [id, { ...own, id }] as const);
	return { feeds: Object.fromEntries(feeds), social_feeds: Object.fromEntries(social) };
}

/** Known feeds that two accounts or more read; by address, then site, then title. Contract: the term may be left out. */
function autocomplete(call: Call): object[] {
	const term = (call.parameters.text('term') ?? call.parameters.text('query') ?? '').trim();
	if (term === '' && call.reader.isReal) throw new Rejection("Specify a search 'term'.", 400, { feeds: [] });

	const like = `%${term.replace(/[\\%_]/g, '\\$&')}%`;
	const matches = call.db.all<FeedRow & { readers: number }>(
		`SELECT feeds.*, (SELECT COUNT(*) FROM reader_subscriptions WHERE feed_id = feeds.id) readers
		FROM reader_feeds feeds
		WHERE readers >= 2
		AND (address LIKE ?1 ESCAPE '\\' OR link LIKE ?1 ESCAPE '\\' OR title LIKE ?1 ESCAPE '\\')
		ORDER BY address LIKE ?1 ESCAPE '\\' DESC, link LIKE ?1 ESCAPE '\\' DESC, readers DESC, feeds.id LIMIT ?2`,
		like,
		call.parameters.integer('limit', 5, 1),
	);
	return matches.map((feed) => ({
		id: feed.id,
		value: feed.address,
		label: feed.title,
		tagline: feed.description,
		num_subscribers: feed.readers,
		favicon_color: feed.favicon_color,
		favicon: inlineFavicon(call.reader, feed),
	}));
}

export const feedListRoutes: readonly Route[] = [
	read('/reader/feeds', listFeeds),
	read('/reader/favicons', favicons),
	read('/reader/refresh_feeds', refreshFeeds),
	{ ...read('/reader/feed_unread_count', feedUnreadCount), access: 'write' },
	read('/rss_feeds/feed_autocomplete', (call) => new BareList('feeds', autocomplete(call))),
];

/** `/api/v1/feeds/favicons/` of the interface document, which real hosts lack. */
export const faviconsRoute: Route = read('/api/v1/feeds/favicons', favicons);
