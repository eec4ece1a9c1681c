import type { Reader } from '../reader.ts';
import { inList } from '../storage/queries.ts';

/**
 * Groups of similar stories, for all accounts. `reader_cluster_of` has the group of a story, `reader_cluster_members` the
 * members of a group. If a group is replaced, a former member still has the group, but is no longer a member.
 */

/** `title`: of the same title; `related`: about the same event. */
type ClusterTier = 'title' | 'related';

export interface Cluster {
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
export function groupedBy<Value, Key>(
	values: readonly Value[],
	keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
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
