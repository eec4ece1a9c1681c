import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';
import { aBoolean, aText, aTextOrNull, anInteger } from '../../runtime/table/record';
import { isRecord, toBoolean, toText } from '../../runtime/values';
import { isoFromSeconds, isoFromUtc, membersOf, membersUnder } from './responses';
import { selection } from './selection';
import { aFeedId, aStoryHash } from './names';

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

/** Whether a response left out this story because it is similar to another one: only then its date has seconds. */
const isLeftOutEntry = (entry: Record<string, unknown>): boolean =>
	/:\d\d:\d\d/.test(toText(entry.story_date));

/** A similar story, as the service lists it in another. It says whether the story is read only if it left the story out. */
export const similarStory = selection({
	hash: ['story_hash', aStoryHash],
	title: ['story_title', aText.described('Title of the story')],
	date: [
		(entry) => isoFromSeconds(entry.story_timestamp) ?? isoFromUtc(entry.story_date),
		aText.described('When the story was published'),
	],
	feedTitle: ['feed_title', aTextOrNull.described('Title of the feed')],
	score: ['score', anInteger.described('What your classifiers say: above 0 liked, below 0 hidden')],
	read: [
		(entry) => toBoolean(entry.read_status) === true || (isLeftOutEntry(entry) ? false : undefined),
		aBoolean.described('Whether you have read the story'),
	],
	feedId: ['story_feed_id', aFeedId],
});

export const similarTo = (story: IDataObject, response: ApiResponse): IDataObject[] =>
	similarEntriesOf(story).map((entry) => similarStory.map(entry as IDataObject, response, {}));

/** The stories that a response left out because they are similar to one in it. */
export const leftOutOf = (stories: readonly IDataObject[]): Array<Record<string, unknown>> =>
	stories.flatMap(similarEntriesOf).filter(isLeftOutEntry);
