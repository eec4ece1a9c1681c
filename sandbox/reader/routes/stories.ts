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

const hashesPerCall = 100;
/** Stories of a river that free accounts see, seen in the wild. */
const freeRiver = 3;

function readFilter(call: Call, absent: ReadFilter, allowed: readonly ReadFilter[]): ReadFilter {
	const asked = call.parameters.text('read_filter');
	return allowed.find((filter) => filter === asked) ?? absent;
}

/** The empty list beside the message that withholds it; in the wild `code` tells of no failure, if it is there. */
export const withheld = (call: Call, code?: number): object => ({
	stories: [],
	user_profiles: [],
	feeds: [],
	...(call.reader.differs('free-limits') && { code }),
});

/** What to search for, if that is asked and the account may. `code` is that of lists that are cut. */
export function searchQuery(call: Call, code?: number): string | undefined {
	const query = call.parameters.text('query')?.trim();
	if (query) call.needPremium('search', withheld(call, code));
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
	call.db.run(
		'UPDATE reader_subscriptions SET feed_opens = feed_opens + 1 WHERE user_id = ? AND feed_id = ?',
		user.id,
		feedId,
	);
	const feed = feedById(call.db, feedId);
	const presented = presentStories(reader, user, findStories(reader, user, search), {
		content: parameters.flag('include_story_content', true),
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

function riverAnswer(call: Call, rows: readonly StoryRow[], startedAt: number, byHash = false): object {
	const { reader, user, parameters } = call;
	const presented = presentStories(reader, user, rows, {
		asUnread: byHash && reader.differs('loose-hashes'),
	});
	const includeHidden = byHash || parameters.flag('include_hidden');
	const { stories, count } = withoutHidden(reader, presented.stories, includeHidden);
	const classifiers = classifiersByFeed(reader, user);
	const feedIds = [...new Set(rows.map((row) => row.feed_id))];
	return {
		code: 1,
		message: '',
		stories,
		classifiers: Object.fromEntries(feedIds.map((id) => [id, classifierRecord(classifiers.get(String(id)))])),
		elapsed_time: elapsed(startedAt),
		user_search: null,
		user_profiles: presented.user_profiles,
		...(parameters.flag('include_feeds') && { feeds: [...feedRecords(reader, user, feedIds).values()] }),
		...count,
	};
}

/** Contract, "Stories": the river, or stories by hash. */
function riverStories(call: Call): object {
	const startedAt = performance.now();
	const { reader, user } = call;
	const hashes = askedHashes(call);
	if (hashes) return riverAnswer(call, inHashOrder(call, hashes), startedAt, true);

	const query = searchQuery(call, 0);
	const page = pageOf(call, 'river');
	const limited = !reader.isPremium(user) && reader.differs('free-limits');
	if (limited) page.limit = page.offset > 0 ? 0 : Math.min(page.limit, freeRiver);
	const rows = findStories(reader, user, {
		feedIds: riverFeeds(call),
		filter: readFilter(call, 'unread', ['all', 'unread', 'starred', 'focus']),
		oldestFirst: call.oldestFirst,
		query,
		...page,
	});
	const answer = riverAnswer(call, rows, startedAt);
	return limited ? { ...answer, code: 0, message: 'The full River of News is a premium feature.' } : answer;
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
