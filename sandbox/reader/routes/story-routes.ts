import { Fault } from '../http/response.ts';
import { read, type Call, type Route, pageOf } from '../http/reader-route.ts';
import { classifierRecord, classifiersByFeed } from '../classifiers.ts';
import { spanText } from '../format-date.ts';
import { feedById } from '../fetching/fetcher.ts';
import { feedFigures, popularAuthors, popularTags } from '../feeds/statistics.ts';
import { feedRecordOf } from '../feeds/listing.ts';
import { subscribedFeeds, subscriptionOf } from '../subscriptions.ts';
import type { StoryRow } from '../storage/queries.ts';
import { dateRange, type DateRange, findStories, storiesByHash, type ReadFilter } from '../stories/find.ts';
import { presentStories, withoutHidden, type PresentOptions } from '../stories/present-stories.ts';
import { withoutSimilar } from '../stories/clusters.ts';
import { forgetCounts } from '../stories/counts.ts';
import { feedsWithCounts } from '../stories/stored-counts.ts';

const dayMs = 86_400_000;
const hashesPerCall = 100;
/** Maximum number of river stories for free accounts on newer hosts. */
const freeRiver = 3;
const searchRefusal = 'You must be a premium subscriber to search.';
const freeRiverMessage = 'The full River of News is a premium feature.';

function readFilter(call: Call, absent: ReadFilter, allowed: readonly ReadFilter[]): ReadFilter {
	const requested = call.parameters.text('read_filter');
	// Rivers do not know `focus`.
	if (requested === 'focus') return 'all';
	return allowed.find((filter) => filter === requested) ?? absent;
}

/** An empty list, with the message that withholds it; on real hosts no `code` reports the failure. */
export const withheld = (call: Call): object => ({
	stories: [],
	user_profiles: [],
	feeds: [],
	...(call.reader.isReal && { code: undefined }),
});

/** The search text, if there is one and the account may search. */
export function searchQuery(call: Call): string | undefined {
	const query = call.parameters.text('query')?.trim();
	if (query) call.needPremium('search', withheld(call));
	return query || undefined;
}

/** At most 100 hashes; undefined if the request has none. */
export function requestedHashes(call: Call): string[] | undefined {
	if (!call.parameters.has('h')) return undefined;
	return call.parameters.list('h').slice(0, hashesPerCall);
}

/** Interface document, "Stories": one feed. */
async function feedStories(call: Call): Promise<object> {
	const startedAt = performance.now();
	const { reader, user, parameters } = call;
	const feedId = Number(call.path['id']);
	if (!Number.isSafeInteger(feedId) || feedById(call.db, feedId) === undefined) {
		throw new Fault(`There is no feed ${call.path['id']}.`, 404);
	}
	const subscribed = subscriptionOf(reader, user, feedId) !== undefined;
	if (!subscribed && feedFigures(reader, [feedId]).get(feedId)?.subscribers === 1) {
		throw new Fault(`Feed ${feedId} may be private: it has one subscriber.`, 404);
	}
	const query = searchQuery(call);
	const dates = query === undefined ? requestedDates(call) : undefined;
	const search = {
		feedIds: [feedId],
		filter: filterWith(call, dates, readFilter(call, 'all', ['all', 'unread', 'starred'])),
		dates,
		oldestFirst: call.oldestFirst,
		query,
		...pageOf(call, 'feed'),
	};
	const foreign = !subscribed;
	if (foreign && search.filter === 'unread') search.filter = 'all';
	const isCold = !subscribed && reader.is2026 && isNotFetched(call, feedId);
	const fetchNow = isCold && parameters.flag('insta_fetch');
	if (fetchNow) await reader.fetcher.fetch(feedId);
	call.db.run(
		'UPDATE reader_subscriptions SET feed_opens = feed_opens + 1 WHERE user_id = ? AND feed_id = ?',
		user.id,
		feedId,
	);
	forgetCounts(reader, user, [feedId]);
	const feed = feedById(call.db, feedId);
	const isWithheld = isCold && !fetchNow;
	const rows = isWithheld ? [] : findStories(reader, user, search);
	const presented = presentStories(reader, user, rows, {
		content: parameters.flag('include_story_content', true),
		list: 'feed',
		readStatus: foreign || search.filter === 'starred' ? 1 : undefined,
		isForeign: foreign,
	});
	const { stories, count } = withoutHidden(reader, presented.stories, parameters.flag('include_hidden'));
	return {
		...(subscribed ? {} : feedRecordOf(reader, user, feedId, false)),
		stories: withoutSimilar(reader, user, stories, { rows, unreadOnly: search.filter === 'unread' }),
		user_profiles: presented.user_profiles,
		feed_tags: popularTags(reader, feedId),
		feed_authors: popularAuthors(reader, feedId),
		classifiers: classifierRecord(classifiersByFeed(reader, user).get(String(feedId))),
		updated: spanText(reader.now() - (feed?.last_fetch_at ?? reader.now())),
		user_search: null,
		feed_id: feedId,
		elapsed_time: elapsed(startedAt),
		message: null,
		...count,
		...(isWithheld && { not_yet_fetched: true, fetched_once: false }),
		...(fetchNow && { not_yet_fetched: false, fetched_once: true }),
	};
}

/** Whether the newer service must fetch a feed before it returns stories to an account without a subscription. */
function isNotFetched(call: Call, feedId: number): boolean {
	const fetchedAt = feedById(call.db, feedId)?.last_fetch_at ?? 0;
	return fetchedAt < call.reader.now() - dayMs;
}

export const requestedDates = ({ reader, user, parameters }: Call): DateRange | undefined =>
	dateRange(reader, user, parameters.text('date_filter_start'), parameters.text('date_filter_end'));

/** A range that begins before stories can be unread turns the filter `unread` into `all`. */
function filterWith<Filter extends ReadFilter>(
	{ reader, user }: Call,
	dates: DateRange | undefined,
	filter: Filter,
): Filter | 'all' {
	const isTooOld = dates !== undefined && (dates.from ?? 0) < reader.unreadSince(user);
	return filter === 'unread' && isTooOld ? 'all' : filter;
}

export const emptyMessage = { message: null };

function elapsed(startedAt: number): number {
	return Number(((performance.now() - startedAt) / 1000).toFixed(3));
}

/** Feeds that publish at most as many stories a month as requested; 30 when enabled without a number. */
function infrequentOnly(call: Call, ids: number[]): number[] {
	const requested = call.parameters.text('infrequent');
	if (!call.parameters.flag('infrequent')) return ids;
	const number = Number(requested);
	const most = Number.isFinite(number) && number > 0 ? number : 30;
	const figures = feedFigures(call.reader, ids);
	return ids.filter((id) => (figures.get(id)?.averageStoriesPerMonth ?? 0) <= most);
}

/** The requested feeds, and the feeds of the river: only subscriptions; ignores others. */
function riverFeeds(call: Call): { requested: number[]; feedIds: number[] } {
	const { parameters, reader, user } = call;
	const name = parameters.has('feeds') ? 'feeds' : 'f';

	const ids = parameters.integers(name);
	const given = parameters.list(name).length > 0;
	const requested = given ? infrequentOnly(call, ids) : [];
	// If none of the requested feeds is infrequent, real hosts list all that are.
	const isOfAll = !given || (reader.isReal && requested.length === 0);
	return {
		requested,
		feedIds: infrequentOnly(call, subscribedFeeds(reader, user, isOfAll ? undefined : requested)),
	};
}

interface RiverOptions {
	byHash?: boolean;
	readStatus?: PresentOptions['readStatus'];
	unreadOnly?: boolean;
	/** The message of a list without stories. */
	message?: string;
}

function riverResponse(
	call: Call,
	rows: readonly StoryRow[],
	startedAt: number,
	{ byHash = false, readStatus, unreadOnly = false, message }: RiverOptions = {},
): object {
	const { reader, user, parameters } = call;
	const presented = presentStories(reader, user, rows, { list: 'river', readStatus });
	const allByHash = byHash && !reader.isReal;
	const includeHidden = allByHash || parameters.flag('include_hidden');
	const { stories, count } = withoutHidden(reader, presented.stories, includeHidden);
	const classifiers = classifiersByFeed(reader, user, true);
	const feedIds = [...new Set(rows.map((row) => row.feed_id))];
	const limited = !reader.isPremium(user) && reader.isReal;
	return {
		code: limited ? 0 : 1,
		message: message ?? null,
		...(limited && !(message && reader.is2026) && { message: freeRiverMessage }),
		stories: withoutSimilar(reader, user, stories, { rows, unreadOnly }),
		classifiers: Object.fromEntries(feedIds.map((id) => [id, classifierRecord(classifiers.get(String(id)))])),
		elapsed_time: elapsed(startedAt),
		user_search: null,
		user_profiles: presented.user_profiles,
		...count,
	};
}

/** Interface document, "Stories": the river, or stories by hash. */
function riverStories(call: Call): object {
	const startedAt = performance.now();
	const { reader, user } = call;
	const hashes = requestedHashes(call);
	if (hashes) {
		const readStatus = reader.isReal ? 0 : undefined;
		const cut = reader.is2026 && !reader.isPremium(user) && call.page > 1;
		const rows = cut ? [] : inHashOrder(call, hashes);
		return riverResponse(call, rows, startedAt, { byHash: true, readStatus });
	}
	if (call.parameters.text('query')?.trim() && !reader.isPremium(user) && reader.isReal) {
		return riverResponse(call, [], startedAt, { message: searchRefusal });
	}
	const query = searchQuery(call);
	const page = pageOf(call, 'river');
	if (!reader.isPremium(user) && reader.is2026) {
		page.limit = page.offset > 0 ? 0 : Math.min(page.limit, freeRiver);
	}
	const dates = query === undefined ? requestedDates(call) : undefined;
	const filter = filterWith(call, dates, readFilter(call, 'unread', ['all', 'unread', 'starred']));
	const { requested, feedIds } = riverFeeds(call);
	const search = {
		feedIds: filter === 'unread' && query === undefined ? feedsWithCounts(reader, user, feedIds) : feedIds,
		filter,
		oldestFirst: call.oldestFirst,
		dates: query === undefined ? (dates ?? lastDays(call)) : undefined,
		...page,
	};
	if (query === undefined && filter === 'starred') {
		const rows = findStories(reader, user, { ...search, feedIds: requested, dates });
		return riverResponse(call, rows, startedAt, { readStatus: 1 });
	}
	const rows = findStories(reader, user, { ...search, query });
	return riverResponse(call, rows, startedAt, {
		unreadOnly: filter === 'unread',
	});
}

/** A river omits stories that are too old to be unread. Unread stories are recent, except old ones that were marked as unread. */
const lastDays = ({ reader, user }: Call): DateRange => ({
	from: reader.keepsEverything(user) ? 0 : reader.unreadSince(user),
});

/** In the requested order; real hosts return them by date. */
export function inHashOrder(call: Call, hashes: readonly string[]): StoryRow[] {
	const rows = storiesByHash(call.reader, hashes);
	return call.reader.isReal ? rows.sort((a, b) => b.published_at - a.published_at || b.id - a.id) : rows;
}

export const feedStoryRoutes: readonly Route[] = [
	read('/reader/river_stories', riverStories),
	read('/reader/feed/:id', feedStories),
	read('/reader/feed/:id/:slug', feedStories),
];
