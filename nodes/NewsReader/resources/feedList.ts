import type { IDataObject } from 'n8n-workflow';
import { flag } from '../../runtime/fields/kinds';
import {
	aBoolean,
	aText,
	aUrlOrNull,
	anInteger,
	listOf,
	record,
	type Kind,
} from '../../runtime/table/record';
import { operation, type Listing, type Output } from '../../runtime/table/operation';
import type { Answer } from '../../runtime/transport/http';
import { wholeList } from './shared';
import { subscriptionsIn } from './subscriptions';

/** An icon as a data URI: hosts also send its bare Base64 (seen in the wild). Null if there is none. */
export const faviconUri = (favicon: unknown): string | null => {
	if (typeof favicon !== 'string' || favicon === '') return null;
	return favicon.startsWith('data:') ? favicon : `data:image/png;base64,${favicon}`;
};

/** An icon in a record. */
export const aFavicon: Kind = { schema: { type: ['string', 'null'] }, tidy: faviconUri };

const feedRecord = record({
	id: anInteger,
	feed_title: aText,
	feed_address: aText,
	feed_link: aUrlOrNull,
	ps: anInteger,
	nt: anInteger,
	ng: anInteger,
	active: aBoolean,
	folders: listOf(aText),
	favicon: aFavicon,
});

/** What most people want of a feed: names and numbers that explain themselves. */
const simpleFeed = record({
	id: anInteger,
	title: aText,
	address: aText,
	website: aUrlOrNull,
	folders: listOf(aText),
	focus: anInteger,
	unread: anInteger,
	hidden: anInteger,
	active: aBoolean,
	favicon: aFavicon,
});

/** The three counts of unread stories under names that explain themselves. */
export const countsOf = (feed: IDataObject): IDataObject => ({
	focus: feed.ps ?? 0,
	unread: feed.nt ?? 0,
	hidden: feed.ng ?? 0,
});

const simplified = (feed: IDataObject): IDataObject => ({
	id: feed.id,
	title: feed.feed_title,
	address: feed.feed_address,
	website: feed.feed_link ?? null,
	...('folders' in feed && { folders: feed.folders }),
	...(('folders' in feed || 'nt' in feed) && countsOf(feed)),
	active: feed.active ?? true,
	...('favicon' in feed && { favicon: feed.favicon }),
});

/** Subscribed feeds, each with the paths of the folders that it is in. */
function feedsOf(answer: Answer): IDataObject[] | undefined {
	const told = subscriptionsIn(answer.json);
	return told?.feeds.map((feed) => ({
		...(feed as IDataObject),
		folders: told.folders
			.filter((folder) => folder.feedIds.includes(Number(feed.id)))
			.map((folder) => folder.path),
	}));
}

export const feedOutput: Output = {
	kind: feedRecord,
	pick: ({ json }) => json,
	simple: { kind: simpleFeed, of: simplified },
};

/** Feeds are grouped by folder: their labels begin with it. */
export const feedListing: Listing = {
	list: 'getAll',
	sorted: true,
	label: (entry) => {
		const folder = Array.isArray(entry.folders) ? String(entry.folders[0] ?? '') : '';
		return [folder, String(entry.feed_title ?? entry.id)].filter(Boolean).join(' / ');
	},
	url: (entry) => entry.feed_address,
};

/** The subscribed feeds. */
export const feedList = operation('GET /reader/feeds', {
	name: 'Get Many',
	action: 'Get many feeds',
	description: 'List the feeds you are subscribed to, with their folders and unread counts',
	query: {
		include_favicons: flag('Include Favicons', 'to include each feed’s icon as a data URI', {
			parameter: 'includeFavicons',
		}),
		flat: flag('Flat', 'to ask the service for folders as a flat list', { parameter: 'flat' }),
		update_counts: flag('Update Counts', 'to have the unread counts computed anew, which is slower', {
			parameter: 'updateCounts',
		}),
	},
	paging: wholeList(feedsOf, 'feeds', (entry) => entry.id),
	output: feedOutput,
});
