import type { Source } from '../../operation/trigger/watch';
import { isRecord, toInteger } from '../../operation/values';
import { feedList } from '../resources/feedList';
import { foldersOf, PATH_SEPARATOR, type Folder } from '../resources/folders';
import { membersOf } from '../resources/shared';

/** Chosen feeds by id, a folder by its path, or all feeds where nothing is chosen. */
export type FeedChoice = number[] | string | undefined;

export interface Subscriptions {
	/** Titles by feed id. */
	titles: Map<number, string>;
	folders: Folder[];
	/** The whole answer. */
	json: Record<string, unknown>;
}

/** The subscribed feeds and their folders. */
export async function subscriptionsOf(source: Source): Promise<Subscriptions> {
	const { json } = await source.ask(feedList, { query: { update_counts: false } });
	const feeds = isRecord(json) ? membersOf(json.feeds) : undefined;
	if (!isRecord(json) || !feeds) {
		throw source.refuse(
			'Feeds',
			'the service told none',
			'It answered /reader/feeds without a list of feeds',
		);
	}
	const titles = feeds
		.filter(isRecord)
		.map((feed) => [toInteger(feed.id), String(feed.feed_title ?? '')] as const)
		.filter((entry): entry is readonly [number, string] => entry[0] !== undefined);
	return { titles: new Map(titles), folders: foldersOf(json.folders ?? json.flat_folders), json };
}

/** The feeds of a folder and of the folders inside it, by its path or its bare name; undefined if there is none. */
export function feedsInFolder(folders: Folder[], wanted: string): number[] | undefined {
	const inside = folders.filter(
		({ path, name }) => path === wanted || name === wanted || path.startsWith(`${wanted}${PATH_SEPARATOR}`),
	);
	if (inside.length === 0) return undefined;
	const below = folders.filter(({ path }) =>
		inside.some((folder) => path === folder.path || path.startsWith(`${folder.path}${PATH_SEPARATOR}`)),
	);
	return [...new Set(below.flatMap(({ feedIds }) => feedIds))];
}

/** The feeds of a choice; undefined for all. */
export async function feedsOf(choice: FeedChoice, source: Source): Promise<Set<number> | undefined> {
	if (choice === undefined) return undefined;
	if (Array.isArray(choice)) return new Set(choice);
	const { folders } = await subscriptionsOf(source);
	const feeds = feedsInFolder(
		folders.filter(({ path }) => path !== ''),
		choice,
	);
	if (feeds) return new Set(feeds);
	const paths = folders.map(({ path }) => path).filter((path) => path !== '');
	const advice = paths.length > 0 ? `The folders are: ${paths.join(', ')}` : 'There are no folders yet';
	throw source.refuse('Folder', `there is no folder "${choice}"`, advice);
}
