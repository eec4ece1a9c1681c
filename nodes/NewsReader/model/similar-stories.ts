import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';
import { aBoolean, aText, aTextOrNull, anInteger, exact, optional, record } from '../../runtime/table/record';
import { isRecord, toBoolean, toText } from '../../runtime/values';
import { isoFromSeconds, isoFromUtc, membersOf, membersUnder } from './responses';

/** The members of a cluster. A response keeps one story of a cluster, and lists the others in that story. */
const similarEntriesOf = (story: Record<string, unknown>): Array<Record<string, unknown>> =>
	(membersOf(story.cluster_stories) ?? []).filter(isRecord);

/** Which stories are similar, as far as responses have shown: the cluster of a story, by its hash. */
class Clusters {
	private readonly clusterOf = new Map<string, string>();

	learn(stories: Array<Record<string, unknown>>): void {
		for (const story of stories) {
			const hashes = [story, ...similarEntriesOf(story)].map(({ story_hash: hash }) => toText(hash));
			const cluster = hashes.map((hash) => this.clusterOf.get(hash)).find(Boolean) ?? toText(hashes[0]);
			hashes.forEach((hash) => this.clusterOf.set(hash, cluster));
		}
	}

	/** The first hash of each cluster, and all hashes without a known cluster. */
	oneOfEach(hashes: Iterable<string>): string[] {
		const chosen = new Map<string, string>();
		for (const hash of hashes) {
			const cluster = this.clusterOf.get(hash) ?? hash;
			if (!chosen.has(cluster)) chosen.set(cluster, hash);
		}
		return [...chosen.values()];
	}
}

/**
 * Reads stories by hash. Newer servers return only one story of each cluster of similar ones, even if all of them were
 * requested. So this repeats the request for the others, each time with one of each cluster. A response without any
 * story means that the service no longer has them.
 * Returns the first response with all stories in it, or the response that has no list of stories.
 */
export async function readWithSimilar(
	hashes: readonly string[],
	ask: (hashes: string[]) => Promise<ApiResponse>,
): Promise<ApiResponse> {
	const missing = new Set(hashes);
	const clusters = new Clusters();
	const found: Array<Record<string, unknown>> = [];
	let whole: ApiResponse | undefined;
	do {
		const requested = clusters.oneOfEach(missing);
		const response = await ask(requested);
		whole ??= response;
		const stories = membersUnder('stories', response)?.filter(isRecord);
		if (!stories) return response;
		clusters.learn(stories);
		const fresh = stories.filter(({ story_hash: hash }) => missing.delete(toText(hash)));
		for (const story of fresh) found.push(story);
		if (fresh.length === 0) requested.forEach((hash) => missing.delete(hash));
	} while (missing.size > 0);
	return { ...whole, json: { ...(whole.json as object), stories: found } };
}

/** A story of the same cluster. */
export const similarStory = record({
	title: aText,
	date: aText,
	feedTitle: aTextOrNull,
	score: anInteger,
	read: optional(aBoolean),
	hash: aText,
	feedId: anInteger,
});

/** Stories that a response left out have seconds in their dates; other members of the cluster have none. */
const isLeftOutEntry = (entry: Record<string, unknown>): boolean =>
	/:\d\d:\d\d/.test(toText(entry.story_date));

/** The stories that the service lists in another as similar. It doesn't look up whether those of other feeds are unread. */
export const similarTo = (story: IDataObject) =>
	similarEntriesOf(story).map((entry) => {
		const isRead = toBoolean(entry.read_status) === true;
		return exact(similarStory, {
			title: entry.story_title,
			date: isoFromSeconds(entry.story_timestamp) ?? isoFromUtc(entry.story_date),
			feedTitle: entry.feed_title ?? null,
			score: entry.score,
			...((isRead || isLeftOutEntry(entry)) && { read: isRead }),
			hash: entry.story_hash,
			feedId: entry.story_feed_id,
		});
	});

/** The stories that a response left out because they are similar to one in it. */
export const leftOutOf = (stories: readonly IDataObject[]): Array<Record<string, unknown>> =>
	stories.flatMap(similarEntriesOf).filter(isLeftOutEntry);
