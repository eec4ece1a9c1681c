import { required } from '../../runtime/fields/field';
import { json, texts } from '../../runtime/fields/kinds';
import { operation } from '../../runtime/table/operation';
import { isRecord } from '../../runtime/values';
import { feedId } from './locators';
import { done } from './shared';

type ByFeed = Record<string, Array<string | number>>;

const isStoryIds = (value: unknown): value is Array<string | number> =>
	Array.isArray(value) && value.every((id) => typeof id === 'string' || typeof id === 'number');

/** Feed ids to lists of story ids; at least one feed. */
const isByFeed = (value: unknown): value is ByFeed =>
	isRecord(value) &&
	Object.keys(value).length > 0 &&
	Object.entries(value).every(([id, stories]) => /^\d+$/.test(id) && isStoryIds(stories));

/** User ids to feed ids to lists of story ids; at least one user. */
const isByUser = (value: unknown): value is Record<string, ByFeed> =>
	isRecord(value) &&
	Object.keys(value).length > 0 &&
	Object.entries(value).every(([id, feeds]) => /^\d+$/.test(id) && isByFeed(feeds));

/** The calls that `mark_story_hashes_as_read` replaced; the service keeps them for old clients. */
export const deprecatedMarks = {
	markReadById: operation('POST /reader/mark_story_as_read', {
		name: 'Mark as Read by ID (Deprecated)',
		action: 'Mark stories as read by ID (deprecated)',
		description: 'Mark stories of one feed as read by their IDs (deprecated: use Mark as Read)',
		body: {
			story_id: required(
				texts('Stories', {
					parameter: 'stories',
					example: 'https://news.example.com/?p=42',
					description: 'The stories’ own IDs, not their hashes, as a list or separated by commas',
				}),
			),
			feed_id: feedId,
		},
		output: done,
	}),
	markFeedStoriesRead: operation('POST /reader/mark_feed_stories_as_read', {
		name: 'Mark as Read by Feed (Deprecated)',
		action: 'Mark stories of several feeds as read (deprecated)',
		description: 'Mark stories of several feeds as read by their IDs (deprecated: use Mark as Read)',
		body: {
			feeds_stories: required(
				json('Stories by Feed (JSON)', {
					parameter: 'feedsStories',
					example: '{ "42": ["https://news.example.com/?p=42"] }',
					sample: { 42: ['https://news.example.com/?p=42'] },
					description: 'An object of feed IDs, each with a list of story IDs',
					accepts: isByFeed,
					expected: 'an object of feed IDs, each with a list of story IDs',
				}),
			),
		},
		output: done,
	}),
	markSocialStoriesRead: operation('POST /reader/mark_social_stories_as_read', {
		name: 'Mark as Read by User (Deprecated)',
		action: 'Mark shared stories as read (deprecated)',
		description: 'Mark stories shared by users as read by their IDs (deprecated: use Mark as Read)',
		body: {
			users_feeds_stories: required(
				json('Stories by User (JSON)', {
					parameter: 'usersFeedsStories',
					example: '{ "12": { "42": ["https://news.example.com/?p=42"] } }',
					sample: { 12: { 42: ['https://news.example.com/?p=42'] } },
					description: 'An object of user IDs, each with an object of feed IDs and story IDs',
					accepts: isByUser,
					expected: 'an object of user IDs, each with an object of feed IDs and lists of story IDs',
				}),
			),
		},
		output: done,
	}),
};
