import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { asRecord, isRecord, toBoolean, toInteger, toText } from '../../runtime/values';
import { membersOf, recordsIn } from './responses';
import { feedsInside, FLAT_SEPARATOR, folderAt, foldersOf, type Folder } from './folders';
import type { Operation } from '../../runtime/table/operation';

interface SavedTag {
	tag: string;
	count: unknown;
}

export interface Subscriptions {
	feeds: IDataObject[];
	folders: Folder[];
	/** The folders as the service returns them. */
	tree: unknown;
	/** Where to search, and the words. */
	savedSearches: IDataObject[];
	/** Undefined if the service does not list them. */
	savedTags?: SavedTag[];
	/** Whether the server is of 2026 or later: it finds folders by their paths. */
	isNewer: boolean;
	isArchive: boolean;
}

/** Undefined if a response of `/reader/feeds` has no list of feeds. */
export function subscriptionsIn(response: unknown): Subscriptions | undefined {
	if (!isRecord(response)) return undefined;
	if (!membersOf(response.feeds)) return undefined;
	return {
		feeds: recordsIn(response.feeds),
		folders: foldersOf(response.folders ?? response.flat_folders),
		tree: response.folders,
		savedTags: tagsIn(response.starred_counts),
		savedSearches: recordsIn(response.saved_searches),
		isNewer: response.folder_paths_supported === true,
		isArchive: toBoolean(asRecord(response.user_profile).is_archive) === true,
	};
}

/** The service also counts feeds and all stories. */
export const tagsIn = (counts: unknown): SavedTag[] | undefined =>
	membersOf(counts)
		?.filter(isRecord)
		.flatMap(({ tag, count }) => (typeof tag === 'string' && tag !== '' ? [{ tag, count }] : []));

/** Requests the subscribed feeds and their folders, without new counts. */
export async function readSubscriptions(api: Api): Promise<Subscriptions> {
	const query = { update_counts: false };
	const { json } = await api.send({ method: 'GET', path: '/reader/feeds', query, action: 'List the feeds' });
	const subscriptions = subscriptionsIn(json);
	if (subscriptions) return subscriptions;
	throw api.apiError('The service returned no feeds', 'Its response to /reader/feeds has no list of feeds.');
}

/** The subscriptions of the account, requested once per run or poll. */
export const subscriptionsOf = async (api: Api): Promise<Subscriptions> =>
	await api.once('subscriptions', async () => await readSubscriptions(api));

export const feedTitlesOf = ({ feeds }: Subscriptions): Map<number, string> =>
	new Map(feeds.map(({ id, feed_title: title }) => [Number(id), toText(title ?? '')]));

export const notSubscribed = (feedId: number, api: Api): Error =>
	api.parameterError('Feed', `${feedId} is not one of your subscriptions`, 'Choose one from the list');

export async function refuseUnsubscribed(feedId: number, api: Api): Promise<void> {
	if (!feedTitlesOf(await subscriptionsOf(api)).has(feedId)) throw notSubscribed(feedId, api);
}

/** Chosen feeds by id, a folder by path, or all feeds if nothing is chosen. */
export type FeedChoice = number[] | string | undefined;

/** The feeds of a choice; a folder includes its subfolders. */
export async function feedsOfChoice(chosen: FeedChoice, api: Api): Promise<number[]> {
	if (Array.isArray(chosen)) return chosen;
	const subscriptions = await subscriptionsOf(api);
	const { folders } = subscriptions;
	const feedIds = [...feedTitlesOf(subscriptions).keys()];
	if (chosen === undefined) return feedIds;
	const members = feedsInside(folders, folderAt(folders, chosen, 'Folder', api));
	// Feeds that are no longer fetched stay in folders, but not among the feeds (seen in the wild).
	return feedIds.filter((id) => members.includes(id));
}

/** Undefined for all feeds, which takes no request. */
export const chosenFeedSet = async (chosen: FeedChoice, api: Api): Promise<Set<number> | undefined> =>
	chosen === undefined ? undefined : new Set(await feedsOfChoice(chosen, api));

export const isActive = ({ active }: IDataObject): boolean => toBoolean(active) !== false;

/** The feeds of a choice that are subscribed and not muted. */
export async function activeFeedsOf(chosen: FeedChoice, api: Api): Promise<Set<number>> {
	const { feeds } = await subscriptionsOf(api);
	const ids = new Set(feeds.filter(isActive).map(({ id }) => toInteger(id)));
	return new Set((await feedsOfChoice(chosen, api)).filter((id) => ids.has(id)));
}

/** A folder's path as in Get Many, and its name in calls that join the names of nested folders. */
export async function flatFolderOf(written: string, api: Api, label = 'Folder') {
	const { folders } = await subscriptionsOf(api);
	const { path, names } = folderAt(folders, written, label, api);
	const flatName = names.join(FLAT_SEPARATOR);
	const twin = folders.find((other) => other.path !== path && other.names.join(FLAT_SEPARATOR) === flatName);
	if (!twin) return { path, flatName };
	const flaw = `"${path}" is the same to the service as "${twin.path}"`;
	throw api.parameterError(label, flaw, 'Rename one of them in the service first');
}

/** On other hosts, the operation fails before it sends its request. */
export const onNewerServers = <Row extends Operation>(row: Row): Row => ({
	...row,
	isExtra: true,
	prepare: async (inputs, api) => {
		await needsNewerServer(api, 'this operation');
		return (await row.prepare?.(inputs, api)) ?? {};
	},
});

/** Older servers ignore what they don't know. To an account without feeds, no server says its age (seen in the wild). */
export async function needsNewerServer(api: Api, feature: string): Promise<void> {
	const { isNewer, feeds } = await subscriptionsOf(api);
	if (isNewer || feeds.length === 0) return;
	throw api.apiError(
		`This host does not offer ${feature}`,
		'Only newer NewsBlur servers do. The other operations are not affected.',
		'notOffered',
	);
}
