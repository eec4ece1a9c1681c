import { dependent, nothing } from '../../runtime/fields/compound';
import { required, type Field } from '../../runtime/fields/field';
import { choice, ids } from '../../runtime/fields/kinds';
import type { Parts, Tools } from '../../runtime/table/operation';
import { toInteger } from '../../runtime/values';
import { feedList } from './feedList';
import { folderAdvice, PATH_SEPARATOR, type Folder } from './folders';
import { folderPath } from './locators';
import { subscriptionsIn } from './subscriptions';

/** Chosen feeds by id, a folder by path, or all feeds where nothing is chosen. */
export type FeedChoice = number[] | string | undefined;

/** From which feeds: all, some, or those of a folder; `chosenFeeds` holds what that comes to. */
export const whichFeeds = required(
	choice(
		'Which Feeds',
		{
			all: 'All Feeds',
			feeds: 'Chosen Feeds',
			folder: { name: 'Folder', description: 'All feeds in it and in the folders inside it' },
		},
		{ parameter: 'whichFeeds', default: 'all' },
	),
);

export const chosenFeeds: Field<FeedChoice> = dependent<FeedChoice>('whichFeeds', {
	feeds: required(ids('Feeds', 'feed', { parameter: 'feedIds' })),
	folder: folderPath,
	all: nothing,
});

/** The same where the service takes no list for all feeds. */
export const chosenFeedsIfAny: Field<FeedChoice> = { ...chosenFeeds, required: false };

interface Subscriptions {
	feedIds: number[];
	folders: Folder[];
}

async function subscriptions(tools: Tools): Promise<Subscriptions> {
	return await tools.once('subscriptions', async () => {
		const { json } = await tools.ask(feedList, { query: { update_counts: false } });
		const told = subscriptionsIn(json);
		if (!told) {
			throw tools.failure('The service told no feeds', 'It answered /reader/feeds without a list of feeds.');
		}
		const feedIds = told.feeds.map((feed) => toInteger(feed.id));
		return { feedIds: feedIds.filter((id) => id !== undefined), folders: told.folders };
	});
}

/** The feeds of a choice; a folder stands for those in it and in the folders inside it. */
export async function feedsOfChoice(chosen: FeedChoice, tools: Tools): Promise<number[]> {
	if (Array.isArray(chosen)) return chosen;
	const { feedIds, folders } = await subscriptions(tools);
	if (chosen === undefined) return feedIds;
	const inside = folders.filter(
		({ path }) => path === chosen || path.startsWith(`${chosen}${PATH_SEPARATOR}`),
	);
	if (inside.length === 0) {
		throw tools.refuse('Folder', `there is no folder "${chosen}"`, folderAdvice(folders));
	}
	// Feeds that are no longer fetched stay in folders, but not among the feeds (seen in the wild).
	const members = new Set(inside.flatMap((folder) => folder.feedIds));
	return feedIds.filter((id) => members.has(id));
}

/** Puts the chosen feeds into the request; none at all would mean every feed to the service. */
export const sendsChosenFeeds =
	(place: 'query' | 'body', name: string) =>
	async (_: unknown, tools: Tools, parts: Parts): Promise<Partial<Parts>> => {
		const feedIds = await feedsOfChoice(parts[place][name] as FeedChoice, tools);
		if (feedIds.length > 0) return { [place]: { ...parts[place], [name]: feedIds } };
		const isFolder = typeof parts[place][name] === 'string';
		throw isFolder
			? tools.refuse('Folder', 'there are no feeds in it', 'Choose another folder')
			: tools.refuse('Which Feeds', 'you are not subscribed to any feed', 'Add a feed first');
	};
