import { BareList, Document, Refusal, type Answer } from '../http/answer.ts';
import { read, type Call, type Route } from '../http/route.ts';
import { feedsIn, flatFolders } from '../folders/tree.ts';
import { folderTree } from '../folders/store.ts';
import { connectedServices, ownProfile } from '../social/profiles.ts';
import { unseenInteractions } from '../social/eventLists.ts';
import { socialCounts, socialFeeds } from '../feeds/shareFeeds.ts';
import { inList } from '../storage/queries.ts';
import type { FeedRow } from '../storage/rows.ts';
import { shownCounts } from '../stories/storedCounts.ts';
import { starredCount, starredCounts } from '../stories/starredCounts.ts';
import { feedById } from '../fetching/catalog.ts';
import { feedRecords } from '../feeds/listing.ts';
import { brokenFields, inlineFavicon } from '../feeds/present.ts';
import { savedSearches } from './searches.ts';
import { subscribedFeeds } from '../feeds/subscriptions.ts';

/** Contract, "Feeds": everything the account reads, in its folders. */
function listFeeds(call: Call): Answer {
	const { reader, user, parameters } = call;
	const flat = parameters.flag('flat');
	if (flat && !call.authenticated) return Document.html('', 403);
	const ids = subscribedFeeds(reader, user);
	const tree = folderTree(reader, user);
	if (ids.length + tree.length === 0 && reader.differs('empty-arrays')) return { feeds: [], folders: [] };

	const records = feedRecords(reader, user, ids, {
		counts: true,
		favicons: parameters.flag('include_favicons'),
	});
	const list = [...records.values()];
	const common = {
		feeds: parameters.text('v') === '2' ? list : Object.fromEntries(records),
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
			iphone_version: '1',
		};
	}
	return {
		...common,
		folders: tree,
		user_profile: {
			user_id: user.id,
			username: user.username,
			email: user.email,
			is_premium: reader.isPremium(user),
			is_archive: reader.keepsEverything(user),
			is_pro: false,
			feed_count: feedsIn(tree).length,
		},
		dashboard_rivers: [],
		folder_icons: {},
		feed_icons: {},
	};
}

function favicons(call: Call): object {
	const asked = call.parameters.has('feed_ids') ? call.parameters.integers('feed_ids') : undefined;
	const ids = asked ?? subscribedFeeds(call.reader, call.user);
	const feeds = call.db.all<FeedRow>(
		'SELECT * FROM reader_feeds WHERE id IN (SELECT value FROM json_each(?))',
		inList(ids),
	);
	return Object.fromEntries(feeds.map((feed) => [feed.id, inlineFavicon(call.reader, feed)]));
}

/** Unread counts now. Feeds that are due are fetched first. */
async function refreshFeeds(call: Call): Promise<object> {
	const { reader, user, parameters } = call;
	const asked = parameters.has('feed_id') ? parameters.integers('feed_id') : undefined;
	const ids = subscribedFeeds(reader, user, asked);
	await reader.fetcher.freshen(ids);
	const counts = shownCounts(reader, user, ids);
	const records = feedRecords(reader, user, ids);
	return {
		feeds: Object.fromEntries(
			[...counts].map(([id, own]) => {
				const broken = records.get(id)?.['has_exception'] ? brokenState(call, id) : {};
				return [id, { ...own, id, ...broken }];
			}),
		),
		social_feeds: socialCounts(reader, user),
		interactions_count: unseenInteractions(reader, user),
	};
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
	return { feeds: Object.fromEntries(counts), social_feeds: Object.fromEntries(social) };
}

/** Known feeds that two accounts or more read; by address, then site, then title. Contract: the term may be left out. */
function autocomplete(call: Call): object[] {
	const term = (call.parameters.text('term') ?? call.parameters.text('query') ?? '').trim();
	if (term === '' && call.reader.differs('term-needed')) {
		throw new Refusal("Specify a search 'term'.", 400, { feeds: [], term: null });
	}
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
	if (call.parameters.text('format') === 'full') {
		const ids = matches.map(({ id }) => id);
		return [...feedRecords(call.reader, call.user, ids, { favicons: true }).values()];
	}
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
	read('/rss_feeds/feed_autocomplete', (call) => {
		const feeds = autocomplete(call);
		return call.parameters.text('v') === '2'
			? { feeds, term: call.parameters.text('term') }
			: new BareList('feeds', feeds);
	}),
	read('/reader/interactions_count', (call) => ({
		interactions_count: unseenInteractions(call.reader, call.user),
	})),
	read('/reader/starred_counts', (call) => ({
		starred_count: starredCount(call.reader, call.user),
		starred_counts: starredCounts(call.reader, call.user),
	})),
];

/** `/api/v1/feeds/favicons/` of the contract; the wild does not have it. */
export const faviconsRoute: Route = read('/api/v1/feeds/favicons', favicons);
