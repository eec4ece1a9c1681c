import type { Source } from '../../runtime/poll/watch';
import { isRecord, toInteger } from '../../runtime/values';
import { rowOf } from '../../runtime/poll/rows';
import { folderAdvice, PATH_SEPARATOR, type Folder } from '../model/folders';
import { subscriptionsIn, type FeedChoice } from '../model/subscriptions';
import { feed } from '../resources/feed';

export interface Subscriptions {
	/** Titles by feed id. */
	titles: Map<number, string>;
	folders: Folder[];
	/** The whole answer. */
	json: Record<string, unknown>;
}

/** The subscribed feeds and their folders. */
export async function subscriptionsOf(source: Source): Promise<Subscriptions> {
	const { json } = await source.ask(rowOf(feed, 'getAll'), { query: { update_counts: false } });
	const told = subscriptionsIn(json);
	if (!isRecord(json) || !told) {
		throw source.refuse(
			'Feeds',
			'the service told none',
			'It answered /reader/feeds without a list of feeds',
		);
	}
	const titles = told.feeds
		.map(({ id, feed_title: title }) => [toInteger(id), String(title ?? '')] as const)
		.filter((entry): entry is readonly [number, string] => entry[0] !== undefined);
	return { titles: new Map(titles), folders: told.folders, json };
}

/** The feeds of some folders and of the folders inside them; undefined if there is no such folder. */
export function feedsIn(folders: Folder[], isMeant: (folder: Folder) => boolean): number[] | undefined {
	const meant = folders.filter(isMeant);
	if (meant.length === 0) return undefined;
	const below = folders.filter(({ path }) =>
		meant.some((folder) => path === folder.path || path.startsWith(`${folder.path}${PATH_SEPARATOR}`)),
	);
	return [...new Set(below.flatMap(({ feedIds }) => feedIds))];
}

/** The feeds of a choice; undefined for all. */
export async function feedsOf(choice: FeedChoice, source: Source): Promise<Set<number> | undefined> {
	if (choice === undefined) return undefined;
	if (Array.isArray(choice)) return new Set(choice);
	const { folders } = await subscriptionsOf(source);
	const named = folders.filter(({ path }) => path !== '');
	const feeds =
		feedsIn(named, ({ path }) => path === choice) ?? feedsIn(named, ({ name }) => name === choice);
	if (feeds) return new Set(feeds);
	throw source.refuse('Folder', `there is no folder "${choice}"`, folderAdvice(folders));
}
