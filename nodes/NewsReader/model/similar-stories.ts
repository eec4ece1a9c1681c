import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';
import { aBoolean, aText, aTextOrNull, anInteger, exact, optional, record } from '../../runtime/table/record';
import { isRecord, toBoolean, toText } from '../../runtime/values';
import { isoFromSeconds, isoFromUtc, membersOf, membersUnder } from './responses';

/** The similar stories that the service lists in a story. The service calls a group of similar stories a cluster. */
const similarEntriesOf = (story: Record<string, unknown>): Array<Record<string, unknown>> =>
	(membersOf(story.cluster_stories) ?? []).filter(isRecord);

/** The hashes of a story and of the similar ones that the service lists in it. */
export const hashesOfGroup = (story: Record<string, unknown>): string[] =>
	[story, ...similarEntriesOf(story)].map(({ story_hash: hash }) => toText(hash));

/**
 * Reads stories by hash. Of several similar stories, newer servers return only one, even if all were requested. So this
 * requests the missing stories again, until a response has none of them: those are gone.
 * Returns the first response, with all stories in it; or the first response without a list of stories.
 */
export async function readWithSimilar(
	hashes: readonly string[],
	ask: (hashes: string[]) => Promise<ApiResponse>,
): Promise<ApiResponse> {
	const missing = new Set(hashes);
	const found: Array<Record<string, unknown>> = [];
	let first: ApiResponse | undefined;
	for (;;) {
		const response = await ask([...missing]);
		first ??= response;
		const stories = membersUnder('stories', response)?.filter(isRecord);
		if (!stories) return response;
		const fresh = stories.filter(({ story_hash: hash }) => missing.delete(toText(hash)));
		found.push(...fresh);
		if (missing.size === 0 || fresh.length === 0) break;
	}
	return { ...first, json: { ...(first.json as object), stories: found } };
}

/** A similar story, as the service lists it in another. */
export const similarStory = record({
	hash: aText.described('Hash of the story: feed ID, colon, six characters'),
	title: aText.described('Title of the story'),
	date: aText.described('When the story was published'),
	feedTitle: aTextOrNull.described('Title of the feed'),
	score: anInteger.described('What your classifiers say: above 0 liked, below 0 hidden'),
	read: optional(aBoolean).described('Whether you have read the story'),
	feedId: anInteger.described('ID of the feed'),
});

/** Whether a response left out this story because it is similar to another one: only then its date has seconds. */
const isLeftOutEntry = (entry: Record<string, unknown>): boolean =>
	/:\d\d:\d\d/.test(toText(entry.story_date));

/**
 * The similar stories that the service lists in a story. It knows only of those that the response left out whether they
 * are read.
 */
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
