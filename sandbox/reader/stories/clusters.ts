import { inList, type StoryRow, type UserRow } from '../storage/queries.ts';
import { preferencesOf } from '../accounts.ts';
import { subscribedFeeds, subscriptionOf, titleFor } from '../subscriptions.ts';
import { feedById } from '../fetching/fetcher.ts';
import type { Reader } from '../reader.ts';
import { storiesById } from './find.ts';
import { presentStories, type StoryRecord } from './present-stories.ts';

const previewLength = 500;
/** Length of `2026-09-01 12:30`: dates of omitted stories have no seconds. */
const minutesLength = 16;

interface Similar {
	/** The stored stories of the response. */
	rows: readonly StoryRow[];
	/** Whether the list contains only unread stories. */
	unreadOnly: boolean;
}

/**
 * Keeps one story of each cluster of similar stories in a response: the one with the highest score, or the first of
 * equal scores. It lists the others in `cluster_stories`.
 */
export function withoutSimilar(
	reader: Reader,
	user: UserRow,
	stories: readonly StoryRecord[],
	{ rows, unreadOnly }: Similar,
): StoryRecord[] {
	const preferences = preferencesOf(reader, user);
	const isOn = reader.is2026 && user.is_demo === 0;
	if (!isOn || preferences['story_clustering'] === false) return [...stories];

	const idOf = new Map(rows.map(({ id, story_hash }) => [story_hash, id]));
	const titleOnly = preferences['cluster_mode'] === 'title';
	const clusters = clustersOf(reader, [...idOf.values()], titleOnly);
	const clusterOf = ({ story_hash }: StoryRecord) => clusters.get(idOf.get(story_hash) ?? -1);
	const groups = groupedBy(stories, clusterOf);
	const others = othersByHash(reader, user, [...groups.keys()], stories, unreadOnly);
	const expanded = preferences['cluster_preview_style'] === 'expanded';

	return stories.flatMap((story): StoryRecord[] => {
		const cluster = clusterOf(story);
		const group = cluster && groups.get(cluster);
		if (!cluster || !group) return [story];
		if (story !== highestScored(group)) return [];
		const listed = new Set(cluster.members);
		const removed = group.filter((each) => each !== story && listed.has(idOf.get(each.story_hash) ?? -1));
		const entries = [...removed, ...(others.get(cluster) ?? [])].map((each) =>
			entryOf(reader, user, each, cluster, expanded),
		);
		return [entries.length === 0 ? story : { ...story, cluster_stories: entries }];
	});
}

function highestScored(group: readonly StoryRecord[]): StoryRecord | undefined {
	const highest = Math.max(...group.map(({ score = 0 }) => score));
	return group.find(({ score = 0 }) => score === highest);
}

/**
 * Members of groups that are not in the response, of subscribed feeds: all of them with the archive plan, otherwise one
 * of each group.
 */
function othersByHash(
	reader: Reader,
	user: UserRow,
	clusters: readonly (Cluster | undefined)[],
	stories: readonly StoryRecord[],
	unreadOnly: boolean,
): Map<Cluster, StoryRecord[]> {
	const shown = new Set(stories.map(({ story_hash }) => story_hash));
	const feeds = new Set(subscribedFeeds(reader, user));
	const most = reader.keepsEverything(user) ? undefined : 1;
	return new Map(
		clusters.flatMap((cluster): [Cluster, StoryRecord[]][] => {
			if (cluster === undefined) return [];
			const members = storiesById(reader, cluster.members)
				.filter((row) => feeds.has(row.feed_id) && !shown.has(row.story_hash))
				.slice(0, most);
			return [[cluster, recordsOfOthers(reader, user, members, unreadOnly)]];
		}),
	);
}

/** The read state of members. In a list of unread stories, all are unread; in others, stories that were read with their whole feed count as unread. */
function recordsOfOthers(
	reader: Reader,
	user: UserRow,
	rows: readonly StoryRow[],
	unreadOnly: boolean,
): StoryRecord[] {
	const read = unreadOnly ? new Set() : readOneByOne(reader, user, rows);
	const { stories } = presentStories(reader, user, rows, { list: 'river', olderScores: true });
	return stories.map((story) => ({
		...story,
		story_date: String(story['story_date']).slice(0, minutesLength),
		read_status: read.has(story.story_hash) ? 1 : 0,
	}));
}

function readOneByOne(reader: Reader, user: UserRow, rows: readonly StoryRow[]): Set<unknown> {
	const found = reader.db.all<{ story_hash: string }>(
		`SELECT story_hash FROM reader_reads JOIN reader_stories ON id = story_id
		WHERE user_id = ? AND opened > 0 AND story_id IN (SELECT value FROM json_each(?))`,
		user.id,
		inList(rows.map(({ id }) => id)),
	);
	return new Set(found.map(({ story_hash }) => story_hash));
}

function entryOf(
	reader: Reader,
	user: UserRow,
	story: StoryRecord,
	cluster: Cluster,
	expanded: boolean,
): object {
	const feed = feedById(reader.db, story.story_feed_id);
	const content = story['story_content'];
	return {
		story_hash: story.story_hash,
		story_feed_id: story.story_feed_id,
		story_title: story['story_title'],
		story_date: story['story_date'],
		story_timestamp: story['story_timestamp'],
		feed_title: feed && titleFor(feed, subscriptionOf(reader, user, feed.id)),
		story_authors: story['story_authors'],
		intelligence: story['intelligence'],
		score: story.score,
		read_status: story['read_status'],
		image_urls: story['image_urls'],
		cluster_tier: cluster.tier,
		...(expanded && typeof content === 'string' && { story_content: content.slice(0, previewLength) }),
	};
}

/**
 * Groups of similar stories, for all accounts. `reader_cluster_of` has the group of a story, `reader_cluster_members` the
 * members of a group. If a group is replaced, a former member still has the group, but is no longer a member.
 */

/** `title`: of the same title; `related`: about the same event. */
type ClusterTier = 'title' | 'related';

interface Cluster {
	id: string;
	tier: ClusterTier;
	/** Ids of its stories. */
	members: number[];
}

export const largestCluster = 10;
const hourMs = 3_600_000;
const lifeMs = 14 * 24 * hourMs;
const newStoryMs = 120 * hourMs;
/** Shorter titles are the same by chance. */
const leastWords = 3;

/** Creates a group, or replaces the one with this id. */
export function makeCluster(reader: Reader, { id, tier, members }: Cluster): void {
	const { db } = reader;
	db.transaction(() => {
		db.run(
			`INSERT INTO reader_clusters VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET tier = excluded.tier, made_at = excluded.made_at`,
			id,
			tier,
			reader.now(),
		);
		db.run('DELETE FROM reader_cluster_members WHERE cluster_id = ?', id);
		for (const storyId of members) {
			db.run('DELETE FROM reader_cluster_members WHERE story_id = ?', storyId);
			db.run('INSERT INTO reader_cluster_members VALUES (?, ?)', storyId, id);
			db.run(
				'INSERT INTO reader_cluster_of VALUES (?, ?) ON CONFLICT DO UPDATE SET cluster_id = excluded.cluster_id',
				storyId,
				id,
			);
		}
	});
}

/** The groups that stories lead to, by story id. With `titleOnly` only those of the tier `title`. */
export function clustersOf(
	reader: Reader,
	storyIds: readonly number[],
	titleOnly: boolean,
): Map<number, Cluster> {
	const leads = reader.db.all<{ story_id: number; id: string; tier: ClusterTier }>(
		`SELECT story_id, id, tier FROM reader_cluster_of JOIN reader_clusters ON id = cluster_id
		WHERE made_at > ? AND story_id IN (SELECT value FROM json_each(?))`,
		reader.now() - lifeMs,
		inList(storyIds),
	);
	const clusters = new Map<string, Cluster>();
	const byStory = new Map<number, Cluster>();
	for (const { story_id, id, tier } of leads) {
		if (titleOnly && tier !== 'title') continue;
		const cluster = clusters.get(id) ?? { id, tier, members: [] };
		clusters.set(id, cluster);
		byStory.set(story_id, cluster);
	}
	const members = reader.db.all<{ cluster_id: string; story_id: number }>(
		`SELECT cluster_id, story_id FROM reader_cluster_members
		WHERE cluster_id IN (SELECT value FROM json_each(?)) ORDER BY story_id`,
		inList([...clusters.keys()]),
	);
	for (const { cluster_id, story_id } of members) clusters.get(cluster_id)?.members.push(story_id);
	return byStory;
}

/** Groups a feed's new stories with those of the same title in other feeds, as the service does after a fetch. */
export function clusterSameTitles(reader: Reader, feedId: number): void {
	if (!reader.is2026) return;
	const since = reader.now() - newStoryMs;
	const pairs = reader.db.all<{ id: number; other: number; title: string }>(
		`SELECT stories.id, others.id other, stories.title FROM reader_stories stories
		JOIN reader_stories others ON lower(others.title) = lower(stories.title) AND others.published_at >= ?2
		WHERE stories.feed_id = ?1 AND stories.published_at >= ?2 AND others.feed_id <> ?1`,
		feedId,
		since,
	);
	const groups = groupedBy(pairs, ({ title }) => title.toLowerCase());
	for (const [title, group] of groups) {
		if (title.trim().split(/\s+/).length < leastWords) continue;
		join(reader, [...new Set(group.flatMap(({ id, other }) => [other, id]))]);
	}
}

/** `Map.groupBy` of newer versions of the language. */
function groupedBy<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
	const groups = new Map<Key, Value[]>();
	for (const value of values) {
		const key = keyOf(value);
		const group = groups.get(key);
		if (group) group.push(value);
		else groups.set(key, [value]);
	}
	return groups;
}

/** Adds stories to the group of one of them, or to a new group. */
function join(reader: Reader, storyIds: readonly number[]): void {
	const known = [...clustersOf(reader, storyIds, false).values()][0];
	const members = [...new Set([...(known?.members ?? []), ...storyIds])].slice(0, largestCluster);
	if (known && members.length === known.members.length) return;
	makeCluster(reader, { id: known?.id ?? `title:${members[0]}`, tier: known?.tier ?? 'title', members });
}
