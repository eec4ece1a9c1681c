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
} from '../../runtime/table/record';
import { toBoolean, toText } from '../../runtime/values';
import { htmlToText } from '../../../vendor/html';
import { isoFromSeconds, isoFromUtc, sourceOf } from './responses';
import { withFeedTitles } from './feed-titles';
import { selection, simplifiedTo } from './selection';
import { similarStory, similarTo } from './similar-stories';
import { aFeedId, aStoryHash } from './names';

/** A story's text in the chosen format; undefined if it is left out. */
function contentOf(
	{ story_content: content }: IDataObject,
	_: ApiResponse,
	{ content: format }: Record<string, unknown>,
): string | undefined {
	if (content === undefined || format === 'none') return undefined;
	const html = toText(content ?? '');
	return format === 'text' ? htmlToText(html) : html;
}

export const storyMembers = {
	hash: ['story_hash', aStoryHash],
	permalink: ['story_permalink', aUrlOrNull.described('URL of the story')],
	title: ['story_title', aText.described('Title of the story')],
	feedTitle: ['feed_title', aTextOrNull.described('Title of the feed')],
	authors: ['story_authors', aText.described('Authors of the story, as one text')],
	date: [
		(story: IDataObject) => isoFromSeconds(story.story_timestamp) ?? isoFromUtc(story.story_date),
		aText.described('When the story was published'),
	],
	score: ['score', anInteger.described('What your classifiers say: above 0 liked, below 0 hidden')],
	read: [
		({ read_status: status }: IDataObject) => (status === undefined ? undefined : toBoolean(status) === true),
		aBoolean.described('Whether you have read the story'),
	],
	starred: [
		({ starred }: IDataObject) => toBoolean(starred) ?? false,
		aBoolean.described('Whether you saved the story'),
	],
	starredDate: [
		(story: IDataObject) => isoFromSeconds(story.starred_timestamp),
		aText.described('When you saved the story'),
	],
	tags: [
		({ story_tags: tags }: IDataObject) => tags ?? [],
		listOf(aText).described('Tags that the publisher gave the story'),
	],
	userTags: [
		({ user_tags: tags }: IDataObject) => tags ?? [],
		listOrEmpty(aText).described('Tags that you gave the saved story'),
	],
	highlights: [
		({ highlights }: IDataObject) => highlights ?? [],
		listOrEmpty(aText).described('Passages that you highlighted'),
	],
	id: ['id', aText.described('ID that the publisher gave the story')],
	feedId: ['story_feed_id', aFeedId],
	content: [contentOf, aText.described('Text of the story, in the chosen format')],
	source: [
		(_: IDataObject, response: ApiResponse, { source }: Record<string, unknown>) =>
			source === false ? undefined : sourceOf(response),
		aText.described('Host name of the service, which its terms require you to name'),
	],
} as const;

export const simpleStory = selection(storyMembers);

/** Stories, simplified unless Simplify is off. */
export const storyOutput = simplifiedTo(simpleStory, undefined, withFeedTitles);

/** A story of a feed or a river. Of several similar stories, the service lists one, and the others inside it. */
const simpleListedStory = selection({
	...storyMembers,
	similarStories: [
		similarTo,
		listOrEmpty(similarStory.schema).described(
			'Similar stories that the service lists in this one; `read` is null if the service did not look it up',
		),
	],
});

/** Stories of a feed or a river. */
export const listedStoryOutput = simplifiedTo(simpleListedStory, undefined, withFeedTitles);

export const simpleSavedStory = selection({
	...storyMembers,
	// The service says of every saved story that it is read (seen in the wild): so only `false` is kept.
	read: [
		({ read_status: status }) => (toBoolean(status) === false ? false : undefined),
		aBoolean.described('Whether you have read the story; null if the service does not say'),
	],
	notes: [({ user_notes: notes }) => notes ?? '', aText.described('Your notes on the story')],
});

/** Stories of the saved list. */
export const savedOutput = simplifiedTo(simpleSavedStory, undefined, withFeedTitles);
