import type { IDataObject } from 'n8n-workflow';
import { flag, texts, requiredChoice } from '../../runtime/fields/kinds';
import { event } from '../../runtime/table/event';
import { toInteger } from '../../runtime/values';
import { asWatchKey, chosenFeedsIfAny, whichFeeds } from '../fields/feed-choice';
import { presentStory, readSavedStories, readStories, savedByFeed } from '../model/hashes';
import { hasTag, passes, savedAt, type StoryFilter } from '../model/story-lists';
import { activeFeedsOf } from '../model/subscriptions';
import { MOST_UNREAD_OF_FEED, unreadByFeed } from '../model/unread';
import { HashListWatch } from './hash-list';
import { simpleSavedStory, simpleStory } from '../model/stories';
import { storyFields, unlessRaw } from '../fields/formats';
import { includeHidden, storyFilters } from '../fields/story-filters';

/** The filters of stories. Hidden ones are left out unless the user asks for them. */
const eventFilters = {
	author: storyFilters.author,
	focus: storyFilters.focus,
	includeHidden,
	tags: storyFilters.tags,
	title: storyFilters.title,
};

const passesAll = (
	story: IDataObject,
	{ includeHidden: isHiddenToo, ...filter }: StoryFilter & { includeHidden?: boolean },
): boolean => ((toInteger(story.score) ?? 0) >= 0 || isHiddenToo === true) && passes(story, filter);

const eventSimilarStories = requiredChoice(
	'Similar Stories',
	{
		story: {
			name: 'One Item for Each Story',
			description: 'One for each story, even if others are similar',
		},
		group: {
			name: 'One Item for Each Group',
			description: 'One for each group: the story with the highest score; later ones are skipped for 14 days',
		},
	},
	{
		default: 'story',
		description: 'What to emit if feeds report the same news and the service groups their stories',
	},
);

export const newUnreadStory = event({
	name: 'New Unread Story',
	description: 'When a story becomes unread',
	fields: { whichFeeds, choice: chosenFeedsIfAny, similarStories: eventSimilarStories, ...storyFields },
	filters: {
		...eventFilters,
		unreadAgain: flag(
			'Include Stories Marked Unread Again',
			'a story that you mark as unread again counts as new',
		),
	},
	watchKey: ({ choice: chosen }) => asWatchKey(chosen),
	watch: (values) =>
		new HashListWatch({
			idPrefix: 'unread',
			list: async (api) => (await unreadByFeed(api, values.choice, { include_timestamps: true })).byFeed,
			readStories,
			mostOfFeed: MOST_UNREAD_OF_FEED,
			emitsReturned: values.unreadAgain === true,
			watchedFeeds: async (api) => await activeFeedsOf(values.choice, api),
			passesFilters: (story) => passesAll(story, values),
			groupsSimilar: values.similarStories === 'group',
			item: async (story, response, api) => ({
				...(await presentStory(story, response, values, api)),
				// The list says so. The story itself does not always say it.
				...(values.simplify !== false && { read: false }),
			}),
		}),
	output: unlessRaw(simpleStory.schema.members),
});

export const newSavedStory = event({
	name: 'New Saved Story',
	description: 'When you save a story',
	fields: storyFields,
	filters: {
		userTags: texts('Saved with Tags', {
			paramName: 'savedWithTags',
			example: 'to share, later',
			description: 'Stories with at least one of these tags of yours',
		}),
	},
	watchKey: () => null,
	watch: (values) =>
		new HashListWatch({
			idPrefix: 'saved',
			list: savedByFeed,
			readStories: readSavedStories,
			emitsReturned: true,
			enteredAt: savedAt,
			passesFilters: (story) => hasTag(story.user_tags, values.userTags),
			item: async (story, response, api) =>
				await presentStory(story, response, values, api, simpleSavedStory.map),
		}),
	output: unlessRaw(simpleSavedStory.schema.members),
});
