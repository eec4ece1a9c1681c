import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';
import {
	aBoolean,
	aText,
	aTextOrNull,
	aUrlOrNull,
	anInteger,
	listOf,
	listOrEmpty,
	exact,
	optional,
	record,
	type RecordOf,
} from '../../runtime/table/record';
import { simplified, type Output, listedRecord } from '../../runtime/table/operation';
import { toBoolean, toText } from '../../runtime/values';
import { htmlToText } from '../../../vendor/html';
import { isoFromSeconds, isoFromUtc, sourceOf } from './responses';
import { withFeedTitles } from './feed-titles';
import { similarStory, similarTo } from './similar-stories';

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

export const simpleStory = record({
	hash: aText.described('Hash of the story: feed ID, colon, six characters'),
	permalink: aUrlOrNull.described('URL of the story'),
	title: aText.described('Title of the story'),
	feedTitle: aTextOrNull.described('Title of the feed'),
	authors: aText.described('Authors of the story, as one text'),
	date: aText.described('When the story was published'),
	score: optional(anInteger).described('What your classifiers say: above 0 liked, below 0 hidden'),
	read: optional(aBoolean).described('Whether you have read the story'),
	starred: aBoolean.described('Whether you saved the story'),
	starredDate: optional(aText).described('When you saved the story'),
	tags: listOf(aText).described('Tags that the publisher gave the story'),
	userTags: listOrEmpty(aText).described('Tags that you gave the saved story'),
	highlights: listOrEmpty(aText).described('Passages that you highlighted'),
	id: aText.described('ID that the publisher gave the story'),
	feedId: anInteger.described('ID of the feed'),
	content: optional(aText).described('Text of the story, in the chosen format'),
	source: optional(aText).described('Host name of the service, which its terms require you to name'),
});

/** A simplified story. Members that the response lacks stay missing. */
export function simplifyStory(
	story: IDataObject,
	response: ApiResponse,
	params: Record<string, unknown>,
): RecordOf<typeof simpleStory> {
	const content = toText(story.story_content ?? '');
	const format = params.content ?? 'html';
	const starredDate = isoFromSeconds(story.starred_timestamp);
	return exact(simpleStory, {
		hash: story.story_hash,
		id: story.id,
		title: story.story_title,
		authors: story.story_authors,
		permalink: story.story_permalink,
		date: isoFromSeconds(story.story_timestamp) ?? isoFromUtc(story.story_date),
		feedId: story.story_feed_id,
		feedTitle: story.feed_title ?? null,
		...('score' in story && { score: story.score }),
		...('read_status' in story && { read: toBoolean(story.read_status) === true }),
		starred: toBoolean(story.starred) ?? false,
		...(starredDate && { starredDate }),
		tags: story.story_tags ?? [],
		...('user_tags' in story && { userTags: story.user_tags }),
		...('highlights' in story && { highlights: story.highlights }),
		...(format !== 'none' &&
			'story_content' in story && { content: format === 'text' ? htmlToText(content) : content }),
		...(params.source !== false && { source: sourceOf(response) }),
	});
}

/** Stories, simplified unless Simplify is off. */
export const storyOutput: Output = {
	...listedRecord(storyRecord),
	shape: simplified(simpleStory, simplifyStory, withFeedTitles),
};

/** A story of a feed or a river. Of several similar stories, the service lists one, and the others inside it. */
export const simpleListedStory = record({
	...simpleStory.members,
	similarStories: listOrEmpty(similarStory).described(
		'Similar stories that the service lists in this one; `read` is null if the service did not look it up',
	),
});

/** Stories of a feed or a river. */
export const listedStoryOutput: Output = {
	...storyOutput,
	shape: simplified(
		simpleListedStory,
		(story, response, params) => ({
			...simplifyStory(story, response, params),
			similarStories: similarTo(story),
		}),
		withFeedTitles,
	),
};

/** A saved story with all its possible members; missing ones are blank. */
export const simpleSavedStory = record({
	...simpleStory.members,
	starredDate: aText.described('When you saved the story'),
	notes: aText.described('Your notes on the story'),
});

export function simplifySavedStory(
	story: IDataObject,
	response: ApiResponse,
	params: Record<string, unknown>,
): RecordOf<typeof simpleSavedStory> {
	return exact(simpleSavedStory, {
		...simplifyStory(story, response, params),
		starredDate: isoFromSeconds(story.starred_timestamp),
		userTags: story.user_tags ?? [],
		highlights: story.highlights ?? [],
		notes: story.user_notes ?? '',
	});
}

/** Stories of the saved list. */
export const savedOutput: Output = {
	...storyOutput,
	shape: simplified(simpleSavedStory, simplifySavedStory, withFeedTitles),
};
