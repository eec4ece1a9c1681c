import { renderShareFeed } from '../../feeds/index.ts';
import { Document, Fault, Rejection } from '../http/response.ts';
import { read, type Call, type Route } from '../http/reader-route.ts';
import { subscribedFeeds } from '../subscriptions.ts';
import { feedsIn, foldersOf } from '../folders/tree.ts';
import { folderTree } from '../folders/folder-store.ts';
import type { StoryRow, UserRow } from '../storage/rows.ts';
import { findStories, storiesById } from '../stories/find.ts';
import { slugOf } from '../stories/starred-counts.ts';

const feedLength = 25;

/** The account of the secret token in the URL, which is the only authentication. */
function ownerOf(call: Call): UserRow {
	const owner = call.db.get<UserRow>(
		'SELECT * FROM reader_users WHERE id = ? AND secret_token = ?',
		Number(call.path['user_id']),
		call.path['secret'] ?? '',
	);
	if (owner === undefined) throw new Fault('There is no such feed.', 404);
	return owner;
}

function atom(call: Call, owner: UserRow, title: string, stories: readonly StoryRow[]): Document {
	const self = call.reader.origin + call.address;
	const body = renderShareFeed({
		id: self,
		title,
		selfUrl: self,
		siteUrl: call.reader.baseUrl,
		authorName: owner.username,
		updatedAt: stories[0]?.published_at ?? owner.created_at,
		entries: stories.map((story) => ({
			id: `${call.reader.baseUrl}/${story.story_hash}`,
			title: story.title,
			link: story.link,
			authorName: story.authors,
			sharedAt: story.published_at,
			content: story.content,
			tags: JSON.parse(story.tags) as string[],
		})),
	});
	return new Document('application/rss+xml; charset=utf-8', body);
}

function tagOfSlug(call: Call, owner: UserRow, slug: string): string {
	const tags = call.db.all<{ tag: string }>(
		`SELECT DISTINCT json_each.value tag FROM reader_starred, json_each(reader_starred.tags) WHERE user_id = ?`,
		owner.id,
	);
	return tags.find(({ tag }) => slugOf(tag) === slug)?.tag ?? slug;
}

function starredFeed(call: Call): Document {
	const owner = ownerOf(call);
	const given = call.path['tag'];
	const tag = given && call.reader.differs('tag-slugs') ? tagOfSlug(call, owner, given) : given;
	const ids = call.db
		.all<{ story_id: number }>(
			`SELECT story_id FROM reader_starred WHERE user_id = ?1
			AND (?2 = '' OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?2))
			ORDER BY starred_at DESC, story_id DESC LIMIT ?3`,
			owner.id,
			tag ?? '',
			feedLength,
		)
		.map((row) => row.story_id);
	const title = tag ? `Saved stories of ${owner.username}: ${tag}` : `Saved stories of ${owner.username}`;
	return atom(call, owner, title, storiesById(call.reader, ids));
}

/** Feeds that a saved search is about: `42`, `feed:42`, `river:`, or `river:Tech`. */
function searchedFeeds(call: Call, owner: UserRow, feedKey: string): number[] {
	const all = subscribedFeeds(call.reader, owner);
	const feed = /^(?:feed:)?(\d{1,15})$/.exec(feedKey)?.[1];
	if (feed) return all.filter((id) => id === Number(feed));
	const folder = /^river:(.+)$/.exec(feedKey)?.[1];
	if (!folder) return all;
	const found = foldersOf(folderTree(call.reader, owner)).find(
		({ name, path }) => name === folder || path.join(' - ') === folder,
	);
	const inside = found ? feedsIn(found.entries) : [];
	return all.filter((id) => inside.includes(id));
}

function savedSearchFeed(call: Call): Document {
	const owner = ownerOf(call);
	const { feed_key: feedKey = '', query = '' } = call.path;
	if (!call.reader.isPremium(owner)) throw new Rejection('You must be a premium subscriber to search.', 403);
	const stories = findStories(call.reader, owner, {
		feedIds: searchedFeeds(call, owner, feedKey),
		filter: 'all',
		oldestFirst: false,
		query,
		limit: feedLength,
		offset: 0,
	});
	return atom(call, owner, `Search for ${query}`, stories);
}

const base = '/:user_id/:secret';

/** The private RSS links that lists of saved stories carry. */
export const privateFeedRoutes: readonly Route[] = [
	{ ...read(`/reader/starred_rss${base}`, starredFeed), access: 'open' },
	{ ...read(`/reader/starred_rss${base}/:tag`, starredFeed), access: 'open' },
];

/** The private link of a saved search, which does not work on real hosts. */
export const savedSearchFeedRoute: Route = {
	...read(`/reader/saved_search_rss${base}/:feed_key/:query`, savedSearchFeed),
	access: 'open',
};
