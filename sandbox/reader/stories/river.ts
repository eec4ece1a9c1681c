import type { Reader } from '../reader.ts';
import type { StoryRow, UserRow } from '../storage/rows.ts';
import { listStories, storiesById } from './find.ts';
import { feedPagesKey, slice, type ListedStory } from '../storage/page-lists.ts';
import { feedsWithCounts } from './stored-counts.ts';

/** Characters of the feed ids that the key of a river's list has. */
const keyLength = 30;

interface RiverSearch {
	/** Feeds that were asked for, subscribed or not; empty for all subscriptions. */
	wanted: readonly number[];
	/** Of these the ones whose stories are looked at. */
	feedIds: readonly number[];
	filter: 'all' | 'unread';
	oldestFirst: boolean;
	limit: number;
	offset: number;
}

interface RiverPage {
	rows: StoryRow[];
	isUnread(story: StoryRow): boolean;
}

/**
 * A page of a river as real hosts answer it (`page-lists`). Page 1 makes the list that later pages are cut from, whatever
 * their filter. A later page without a list makes one too, but has one story at most: its end is counted from the start.
 */
export function riverPage(reader: Reader, user: UserRow, search: RiverSearch): RiverPage {
	const { feedIds, filter, oldestFirst, limit, offset } = search;
	if (feedIds.length === 0) return { rows: [], isUnread: () => false };
	const now = reader.now();
	const key = keyOf(user, search);
	const kept = offset > 0 ? reader.pageLists.find(key, now) : undefined;
	const list = kept ?? makeList(reader, user, search);
	if (kept === undefined) reader.pageLists.keep(key, list, now);

	const last = kept ? offset + limit : limit;
	const page = slice(list.stories, oldestFirst, offset, last).slice(0, limit);
	const unread = filter === 'unread' ? page : slice(list.unread, oldestFirst, kept ? 0 : offset, last);
	const unreadIds = new Set(unread.map(({ id }) => id));
	const sign = oldestFirst ? 1 : -1;
	return {
		rows: storiesById(
			reader,
			page.map(({ id }) => id),
		).sort((a, b) => sign * (a.published_at - b.published_at) || a.id - b.id),
		isUnread: ({ id }) => unreadIds.has(id),
	};
}

function keyOf(user: UserRow, { wanted: requested, feedIds }: RiverSearch): string {
	const ids = requested.length > 0 ? requested : feedIds;
	return `river:${user.id}:${ids
		.toSorted((a, b) => a - b)
		.join(',')
		.slice(0, keyLength)}`;
}

function makeList(
	reader: Reader,
	user: UserRow,
	{ feedIds, filter }: RiverSearch,
): { stories: ListedStory[]; unread: ListedStory[] } {
	reader.pageLists.forgetFeeds(user.id, feedIds);
	const stories = listStories(reader, user, feedIds, filter);
	if (filter === 'unread') return { stories, unread: stories };
	const counted = feedsWithCounts(reader, user, feedIds);
	const unread = listStories(reader, user, counted.length > 0 ? counted : feedIds, 'unread');
	return { stories, unread };
}

/**
 * A page of one feed's unread stories (`page-lists`). What is read between two pages stays in the list, until a
 * later call looks at the feed's unread stories from the start.
 */
export function unreadFeedPage(
	reader: Reader,
	user: UserRow,
	feedId: number,
	{ oldestFirst, limit, offset }: { oldestFirst: boolean; limit: number; offset: number },
): StoryRow[] {
	const now = reader.now();
	const key = feedPagesKey(user.id, feedId);
	const kept = offset > 0 ? reader.pageLists.find(key, now) : undefined;
	const stories = kept?.stories ?? listStories(reader, user, [feedId], 'unread');
	if (kept === undefined) reader.pageLists.keep(key, { stories, unread: stories }, now);
	const page = slice(stories, oldestFirst, offset, offset + limit - 1);
	const sign = oldestFirst ? 1 : -1;
	return storiesById(
		reader,
		page.map(({ id }) => id),
	).sort((a, b) => sign * (a.published_at - b.published_at) || a.id - b.id);
}
