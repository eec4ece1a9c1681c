import type { IDataObject } from 'n8n-workflow';
import { aBoolean, aText, aUrlOrNull, anInteger, listOf, record } from '../../runtime/table/record';
import type { Output } from '../../runtime/table/operation';
import type { Answer } from '../../runtime/transport/http';
import { isRecord, toBoolean, toInteger, toText } from '../../runtime/values';
import { htmlToText } from '../../../vendor/html';
import { membersOf } from './answers';
import { isoFromSeconds, isoFromUtc } from './dates';

export const storyRecord = record({
	story_hash: aText,
	id: aText,
	story_feed_id: anInteger,
	story_title: aText,
	story_authors: aText,
	story_permalink: aUrlOrNull,
	story_tags: listOf(aText),
	score: anInteger,
});

const simpleStory = record({
	hash: aText,
	id: aText,
	title: aText,
	authors: aText,
	permalink: aUrlOrNull,
	date: aText,
	feedId: anInteger,
	feedTitle: aText,
	score: anInteger,
	read: aBoolean,
	starred: aBoolean,
	starredDate: aText,
	tags: listOf(aText),
	userTags: listOf(aText),
	highlights: listOf(aText),
	content: aText,
	source: aText,
});

/** The name that the service's terms ask to be cited with its results. */
const SOURCE = 'News Reader';

/** The titles of the feeds that an answer brings along, by feed id. */
function feedTitles(answer: Answer): Map<number, string> {
	const { json } = answer;
	const feeds = isRecord(json) ? [...(membersOf(json.feeds) ?? []), json] : [];
	return new Map(
		feeds
			.filter(isRecord)
			.map((feed) => [toInteger(feed.id ?? feed.feed_id), feed.feed_title] as const)
			.filter(
				(entry): entry is readonly [number, string] => entry[0] !== undefined && typeof entry[1] === 'string',
			),
	);
}

/** A story as most people want it. Members that the answer doesn't have are not invented. */
export function simplifyStory(
	story: IDataObject,
	answer: Answer,
	form: Record<string, unknown>,
): IDataObject {
	const content = toText(story.story_content ?? '');
	const wanted = form.content ?? 'html';
	const feedTitle = feedTitles(answer).get(toInteger(story.story_feed_id) ?? NaN);
	const starredDate = isoFromSeconds(story.starred_timestamp);
	return {
		hash: story.story_hash,
		id: story.id,
		title: story.story_title,
		authors: story.story_authors,
		permalink: story.story_permalink,
		date: isoFromSeconds(story.story_timestamp) ?? isoFromUtc(story.story_date),
		feedId: story.story_feed_id,
		...(feedTitle !== undefined && { feedTitle }),
		...('score' in story && { score: story.score }),
		...('read_status' in story && { read: toBoolean(story.read_status) ?? false }),
		starred: toBoolean(story.starred) ?? false,
		...(starredDate && { starredDate }),
		tags: story.story_tags ?? [],
		...('user_tags' in story && { userTags: story.user_tags }),
		...('highlights' in story && { highlights: story.highlights }),
		...(wanted !== 'none' &&
			'story_content' in story && { content: wanted === 'text' ? htmlToText(content) : content }),
		...(form.source !== false && { source: SOURCE }),
	};
}

/** Stories: simplified unless the user wants them as they came. */
export const storyOutput: Output = {
	kind: storyRecord,
	pick: ({ json }) => json,
	simple: { kind: simpleStory, of: simplifyStory },
};
