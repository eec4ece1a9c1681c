import { dependent, nothing } from '../../runtime/fields/compound';
import { required, type Field } from '../../runtime/fields/field';
import { ids, requiredChoice } from '../../runtime/fields/kinds';
import type { FeedChoice } from '../model/subscriptions';
import { folderPath } from './locators';

const choiceOfFeeds = (initial: 'all' | 'feeds') =>
	requiredChoice(
		'Which Feeds',
		{
			all: 'All Feeds',
			feeds: 'Chosen Feeds',
			folder: { name: 'Folder', description: 'All feeds in the folder and its subfolders' },
		},
		{
			paramName: 'whichFeeds',
			default: initial,
			description: 'All feeds, chosen feeds, or the feeds of a folder',
		},
	);

export const whichFeeds = choiceOfFeeds('all');

/** For what can’t be undone: nobody should mark all feeds by accident. */
export const feedsToMark = choiceOfFeeds('feeds');

export const chosenFeeds = dependent<FeedChoice>(
	whichFeeds,
	{
		feeds: required(
			ids('Feeds', 'feed', { description: 'One or several of your feeds', paramName: 'feedIds' }),
		),
		folder: folderPath,
		all: nothing,
	},
	'the feeds',
);

/** A choice as an event's `watchKey`: the order of feeds doesn't matter. */
export const asWatchKey = (chosen: FeedChoice): unknown =>
	Array.isArray(chosen) ? [...new Set(chosen)].sort((a, b) => a - b) : (chosen ?? null);

/** The chosen feeds, for calls where leaving the parameter out means all feeds. */
export const chosenFeedsIfAny: Field<FeedChoice> = { ...chosenFeeds, required: false };
