import { Fault } from '../http/answer.ts';
import { read, type Call, type Route } from '../http/route.ts';
import { classifierRecord, classifiersByFeed } from '../classifiers/store.ts';
import { spanText } from '../dates.ts';
import { feedById } from '../fetching/catalog.ts';
import { feedFigures } from '../feeds/figures.ts';
import { feedRecordOf, feedRecords } from '../feeds/listing.ts';
import { popularAuthors, popularTags } from '../feeds/popular.ts';
import { subscribedFeeds, subscriptionOf } from '../feeds/subscriptions.ts';
import type { StoryRow } from '../storage/rows.ts';
import { findStories, storiesByHash, type ReadFilter } from '../stories/find.ts';
import { pageOf } from '../http/pages.ts';
import { presentStories, withoutHidden } from '../stories/present.ts';
import { forgetCounts } from '../stories/staleCounts.ts';
import { feedsWithCounts } from '../stories/storedCounts.ts';

const hashesPerCall = 100;
/** Stories of a river that free accounts see, on newer hosts. */
const freeRiver = 3;
const searchRefusal = 'You must be a premium subscriber to search.';
const freeRiverMessage = 'The full River of News is a premium feature.';

function readFilter(call: Call, absent: ReadFilter, allowed: readonly ReadFilter[]): ReadFilter {
	const asked = call.parameters.text('read_filter');
	return allowed.find((filter) => filter === asked) ?? absent;
}

/** The empty list beside the message that withholds it; in the wild no `code` tells of a failure. */
export const withheld = (call: Call): object => ({
	stories: [],
	user_profiles: [],
	feeds: [],
	...(call.reader.differs('free-limits') && { code: undefined }),
});

/** What to search for, if that is asked and the account may. */
export function searchQuery(call: Call): string | undefined {
	const query = call.parameters.text('query')?.trim();
	if (query) call.needPremium('search', withheld(call));
	return query || undefined;
}

/** At most 100 hashes; undefined when stories are not asked for by hash. */
export function askedHashes(call: Call): string[] | undefined {
	if (!call.parameters.has('h')) return undefined;
	return call.parameters.list('h').slice(0, hashesPerCall);
}

/** Contract, "Stories": one feed. It is fetched first when it is due. */
async function feedStories(call: Call): Promise<object> {
	const startedAt = performance.now();
	const { reader, user, parameters } = call;
	const feedId = Number(call.path['id']);
	if (!Number.isSafeInteger(feedId) || feedById(call.db, feedId) === undefined) {
		throw new Fault(`There is no feed ${call.path['id']}.`, 404);
	}
	const query = searchQuery(call);
	const search = {
		feedIds: [feedId],
		filter: readFilter(call, 'all', ['all', 'unread', 'starred']),
		oldestFirst: call.oldestFirst,
		query,
		...pageOf(call, 'feed'),
	};
	await reader.fetcher.freshen([feedId]);
	call.db.note(() => {
		call.db.run(
			'UPDATE reader_subscriptions SET feed_opens = feed_opens + 1 WHERE user_id = ? AND feed_id = ?',
			user.id,
			feedId,
		);
		forgetCounts(reader, user, [feedId]);
	});
	const feed = feedById(call.db, feedId);
	const presented = presentStories(reader, user, findStories(reader, user, search), {
		content: parameters.flag('include_story_content', true),
		list: 'feeds',
	});
	const { stories, count } = withoutHidden(reader, presented.stories, parameters.flag('include_hidden'));
	const record = feedRecordOf(reader, user, feedId) ?? {};
	const subscribed = subscriptionOf(reader, user, feedId) !== undefined;
	return {
		...(subscribed ? {} : record),
		stories,
		user_profiles: presented.user_profiles,
		feed_tags: popularTags(reader, feedId),
		feed_authors: popularAuthors(reader, feedId),
		classifiers: classifierRecord(classifiersByFeed(reader, user).get(String(feedId))),
		updated: spanText(reader.now() - (feed?.last_fetch_at ?? reader.now())),
		user_search: null,
		feed_id: feedId,
		...(parameters.flag('include_feeds') && { feeds: [record] }),
		elapsed_time: elapsed(startedAt),
		message: null,
		...count,
	};
}

/** The message of a list that has none. */
export const listMessage = (call: Call): object =>
	call.reader.differs('null-messages') ? { message: null } : {};

function elapsed(startedAt: number): number {
	return Number(((performance.now() - startedAt) / 1000).toFixed(3));
}

/** Feeds that publish fewer stories a month than asked for; 30 when enabled without a number. */
function infrequentOnly(call: Call, ids: number[]): number[] {
	const asked = call.parameters.text('infrequent');
	if (!call.parameters.flag('infrequent')) return ids;
	const number = Number(asked);
	const most = Number.isFinite(number) && number > 0 ? number : 30;
	const figures = feedFigures(call.reader, ids);
	return ids.filter((id) => (figures.get(id)?.averageStoriesPerMonth ?? 0) < most);
}

/** Feeds of a river: subscribed ones only, others are dropped silently. */
function riverFeeds(call: Call): number[] {
	const { parameters, reader, user } = call;
	const name = parameters.has('feeds') ? 'feeds' : 'f';
	const given = parameters.has(name);
	if (!given && !reader.differs('optional-feeds') && !parameters.flag('infrequent')) call.need('feeds');
	return infrequentOnly(call, subscribedFeeds(reader, user, given ? parameters.integers(name) : undefined));
}

interface RiverOptions {
	byHash?: boolean;
	asUnread?: boolean;
	/** Why there are no stories. */
	message?: string;
}

function riverAnswer(
	call: Call,
	rows: readonly StoryRow[],
	startedAt: number,
	{ byHash = false, asUnread = false, message }: RiverOptions = {},
): object {
	const { reader, user, parameters } = call;
	const presented = presentStories(reader, user, rows, { list: 'feeds', ...(asUnread && { readStatus: 0 }) });
	const allByHash = byHash && !reader.differs('hidden-by-hash');
	const includeHidden = allByHash || parameters.flag('include_hidden');
	const { stories, count } = withoutHidden(reader, presented.stories, includeHidden);
	const classifiers = classifiersByFeed(reader, user);
	const feedIds = [...new Set(rows.map((row) => row.feed_id))];
	const withFeeds = parameters.flag('include_feeds');
	const limited = !withFeeds && !reader.isPremium(user) && reader.differs('free-limits');
	return {
		code: limited ? 0 : 1,
		message: '',
		...listMessage(call),
		...(message !== undefined && { message }),
		...(limited && { message: freeRiverMessage }),
		stories,
		classifiers: Object.fromEntries(feedIds.map((id) => [id, classifierRecord(classifiers.get(String(id)))])),
		elapsed_time: elapsed(startedAt),
		user_search: null,
		user_profiles: presented.user_profiles,
		...(withFeeds && { feeds: [...feedRecords(reader, user, feedIds).values()] }),
		...count,
	};
}

/** Contract, "Stories": the river, or stories by hash. */
function riverStories(call: Call): object {
	const startedAt = performance.now();
	const { reader, user } = call;
	const hashes = askedHashes(call);
	if (hashes) {
		const asUnread = reader.differs('loose-hashes');
		return riverAnswer(call, inHashOrder(call, hashes), startedAt, { byHash: true, asUnread });
	}
	if (call.parameters.text('query')?.trim() && !reader.isPremium(user) && reader.differs('free-limits')) {
		return riverAnswer(call, [], startedAt, { message: searchRefusal });
	}
	const query = searchQuery(call);
	const page = pageOf(call, 'river');
	if (!reader.isPremium(user) && reader.differs('free-river')) {
		page.limit = page.offset > 0 ? 0 : Math.min(page.limit, freeRiver);
	}
	const filter = readFilter(call, 'unread', ['all', 'unread', 'starred', 'focus']);
	const unfocused = filter === 'focus' && reader.differs('no-focus');
	const feedIds = riverFeeds(call);
	const rows = findStories(reader, user, {
		feedIds: filter === 'unread' ? feedsWithCounts(reader, user, feedIds) : feedIds,
		filter: unfocused ? 'all' : filter,
		oldestFirst: call.oldestFirst,
		query,
		...page,
	});
	return riverAnswer(call, rows, startedAt, { asUnread: unfocused });
}

/** In the order asked for; the wild promises none, and has them by date. */
export function inHashOrder(call: Call, hashes: readonly string[]): StoryRow[] {
	const rows = storiesByHash(call.reader, hashes);
	return call.reader.differs('loose-hashes')
		? rows.sort((a, b) => b.published_at - a.published_at || b.id - a.id)
		: rows;
}

export const feedStoryRoutes: readonly Route[] = [
	read('/reader/river_stories', riverStories),
	read('/reader/feed/:id', feedStories),
	read('/reader/feed/:id/:slug', feedStories),
];
