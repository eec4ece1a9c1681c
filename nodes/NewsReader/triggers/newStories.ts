import type { IDataObject } from 'n8n-workflow';
import { flag, text, texts } from '../../runtime/fields/kinds';
import { event } from '../../runtime/poll/event';
import { toInteger, toText } from '../../runtime/values';
import { chosenFeedsIfAny, whichFeeds } from '../fields/feedChoice';
import { membersOf } from '../model/answers';
import { presentStory, readSavedStories, readStories, savedByFeed } from '../model/hashes';
import { unreadByFeed } from '../model/unread';
import { MOST_UNREAD_OF_FEED } from '../model/unreadRest';
import { StoryHashWatch } from './storyHashes';
import { simpleSavedStory, simpleStory, simplifySavedStory } from '../model/stories';
import { storyFields, unlessRaw } from '../fields/formats';
import { includeHidden } from '../fields/storyFilters';

const includesText = (value: unknown, wanted: string | undefined): boolean =>
	wanted === undefined ||
	toText(value ?? '')
		.toLowerCase()
		.includes(wanted.toLowerCase());

const hasTag = (value: unknown, wanted: string[] | undefined): boolean => {
	const tags = (membersOf(value) ?? []).map((tag) => toText(tag).toLowerCase());
	return wanted === undefined || wanted.some((tag) => tags.includes(tag.toLowerCase()));
};

/** What narrows stories down; hidden ones are left out unless they are wanted. */
const narrowing = {
	author: text('Author Contains', {
		parameter: 'authorContains',
		example: 'Ada',
		description: 'A part of an author’s name, in any case',
	}),
	focus: flag('Focus Only', 'to hand over only stories with something that you like (a positive score)', {
		parameter: 'focusOnly',
	}),
	hidden: includeHidden,
	tags: texts('Tags', {
		parameter: 'storyTags',
		example: 'tools, cli',
		description: 'At least one of these',
	}),
	title: text('Title Contains', {
		parameter: 'titleContains',
		example: 'solar',
		description: 'A part of the title, in any case',
	}),
};

interface Narrowing {
	author?: string;
	focus?: boolean;
	hidden?: boolean;
	tags?: string[];
	title?: string;
}

/** Whether a story passes the filters. */
function passes(story: IDataObject, { author, focus, hidden, tags, title }: Narrowing): boolean {
	const score = toInteger(story.score) ?? 0;
	return (
		(score >= 0 || hidden === true) &&
		(score > 0 || focus !== true) &&
		includesText(story.story_title, title) &&
		includesText(story.story_authors, author) &&
		hasTag(story.story_tags, tags)
	);
}

export const newUnreadStory = event({
	name: 'New Unread Story',
	description: 'When there is a story to read',
	fields: { whichFeeds, choice: chosenFeedsIfAny, ...storyFields },
	filters: {
		...narrowing,
		again: flag('Marked Unread Again Counts', 'a story that you marked as unread again counts as new', {
			parameter: 'unreadAgain',
		}),
	},
	scope: ({ choice: chosen }) => chosen ?? null,
	watch: (values) =>
		new StoryHashWatch({
			name: 'unread',
			list: async (api) => (await unreadByFeed(api, values.choice, { include_timestamps: true })).byFeed,
			stories: readStories,
			kind: { countsAgain: values.again === true, mostOfFeed: MOST_UNREAD_OF_FEED },
			isWanted: (story) => passes(story, values),
			item: async (story, answer, api) => await presentStory(story, answer, values, api),
		}),
	gives: unlessRaw(simpleStory.members),
});

export const newSavedStory = event({
	name: 'New Saved Story',
	description: 'When you save a story',
	fields: storyFields,
	filters: {
		userTags: texts('Saved with Tags', {
			parameter: 'savedWithTags',
			example: 'to share, later',
			description: 'At least one of the tags that you gave it',
		}),
	},
	watch: (values) =>
		new StoryHashWatch({
			name: 'saved',
			list: savedByFeed,
			stories: readSavedStories,
			kind: { countsAgain: true, datesEntries: true },
			enteredAt: ({ starred_timestamp: savedAt }) => toInteger(savedAt),
			isWanted: values.userTags && ((story) => hasTag(story.user_tags, values.userTags)),
			item: async (story, answer, api) => await presentStory(story, answer, values, api, simplifySavedStory),
		}),
	gives: unlessRaw(simpleSavedStory.members),
});
