import type { Tools } from '../../runtime/table/operation';
import type { Request } from '../../runtime/transport/http';
import { isRecord, toInteger } from '../../runtime/values';
import { membersOf } from './answers';
import { folderAdvice, foldersOf, PATH_SEPARATOR, type Folder } from './folders';

/** Asks for the subscribed feeds and their folders, without having their counts made anew. */
export const SUBSCRIPTIONS: Request = {
	method: 'GET',
	path: '/reader/feeds',
	query: { update_counts: false },
};

/** The feeds that an account is subscribed to, as the service tells them, and its folders. */
export interface Subscriptions {
	feeds: Array<Record<string, unknown>>;
	folders: Folder[];
}

/** What an answer of `/reader/feeds` tells of them; undefined if it has no list of feeds. */
export function subscriptionsIn(answer: unknown): Subscriptions | undefined {
	if (!isRecord(answer)) return undefined;
	const feeds = membersOf(answer.feeds);
	return (
		feeds && { feeds: feeds.filter(isRecord), folders: foldersOf(answer.folders ?? answer.flat_folders) }
	);
}

async function subscriptionsOf(tools: Tools): Promise<{ feedIds: number[]; folders: Folder[] }> {
	return await tools.once('subscriptions', async () => {
		const { json } = await tools.send(SUBSCRIPTIONS);
		const subscriptions = subscriptionsIn(json);
		if (!subscriptions) {
			throw tools.failure('The service told no feeds', 'It answered /reader/feeds without a list of feeds.');
		}
		const feedIds = subscriptions.feeds.map((feed) => toInteger(feed.id));
		return { feedIds: feedIds.filter((id) => id !== undefined), folders: subscriptions.folders };
	});
}

/** Chosen feeds by id, a folder by path, or all feeds where nothing is chosen. */
export type FeedChoice = number[] | string | undefined;

/** The feeds of a choice; a folder stands for those in it and in the folders inside it. */
export async function feedsOfChoice(chosen: FeedChoice, tools: Tools): Promise<number[]> {
	if (Array.isArray(chosen)) return chosen;
	const { feedIds, folders } = await subscriptionsOf(tools);
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
