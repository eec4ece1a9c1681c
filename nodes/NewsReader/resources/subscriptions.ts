import { isRecord } from '../../runtime/values';
import { foldersOf, type Folder } from './folders';
import { membersOf } from './shared';

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
