import { byVersion, dependent, nothing } from '../../runtime/fields/compound';
import { required, type Field } from '../../runtime/fields/field';
import { choice, ids } from '../../runtime/fields/kinds';
import type { Parts, Api } from '../../runtime/table/operation';
import { feedsOfChoice, type FeedChoice } from '../model/subscriptions';
import { folderPath } from './locators';

const choiceOfFeeds = (initial: 'all' | 'feeds') =>
	required(
		choice(
			'Which Feeds',
			{
				all: 'All Feeds',
				feeds: 'Chosen Feeds',
				folder: { name: 'Folder', description: 'All feeds in it and in the folders inside it' },
			},
			{
				parameter: 'whichFeeds',
				default: initial,
				description: 'All of your feeds, some of them, or those of a folder',
			},
		),
	);

/** From which feeds: all, some, or those of a folder; `chosenFeeds` holds what that comes to. */
export const whichFeeds = choiceOfFeeds('all');

/** The same for what can't be taken back: all has to be chosen. Workflows made before have all without a word. */
export const whichFeedsToMark = byVersion(whichFeeds, choiceOfFeeds('feeds'));

export const chosenFeeds: Field<FeedChoice> = dependent<FeedChoice>('whichFeeds', {
	feeds: required(
		ids('Feeds', 'feed', { description: 'One or several of your feeds', parameter: 'feedIds' }),
	),
	folder: folderPath,
	all: nothing,
});

/** The same where the service takes no list for all feeds. */
export const chosenFeedsIfAny: Field<FeedChoice> = { ...chosenFeeds, required: false };

/** Puts the chosen feeds into the request; none at all would mean every feed to the service. */
export const sendsChosenFeeds =
	(place: 'query' | 'body', name: string) =>
	async (_: unknown, api: Api, parts: Parts): Promise<Partial<Parts>> => {
		const feedIds = await feedsOfChoice(parts[place][name] as FeedChoice, api);
		if (feedIds.length > 0) return { [place]: { ...parts[place], [name]: feedIds } };
		const isFolder = typeof parts[place][name] === 'string';
		throw isFolder
			? api.refuse('Folder', 'there are no feeds in it', 'Choose another folder')
			: api.refuse('Which Feeds', 'you are not subscribed to any feed', 'Add a feed first');
	};
