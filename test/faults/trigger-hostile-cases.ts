/** For each event: its watch, and the service's responses with a given list of records. */
import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../nodes/runtime/api-types';
import { events as linkEvents } from '../../nodes/LinkManager/triggers';
import { linkManager } from '../../nodes/LinkManager/service';
import { newsReader } from '../../nodes/NewsReader/service';
import { events as readerEvents } from '../../nodes/NewsReader/triggers';
import type { Watch } from '../../nodes/runtime/table/event';
import type { Service } from '../../nodes/runtime/transport/service';

/** Returns the service's response to a request; its list contains `records`. */
type ResponseFactory = (request: ApiRequest, records: unknown[]) => unknown;

export interface Case {
	service: Service;
	watch: Watch;
	respond: ResponseFactory;
	/** A record in the format of the service. */
	record(number: number): IDataObject;
	/** A part of the event id of the record with this number. */
	id(number: number): string;
}

const hash = (number: number): string => `1:${number.toString(16).padStart(6, '0')}`;
const story = (number: number): IDataObject => ({
	story_hash: hash(number),
	id: `story ${number}`,
	story_feed_id: 1,
	story_title: `Story ${number}`,
	story_authors: 'Ada',
	story_tags: ['tools'],
	story_content: '<p>Text</p>',
	story_permalink: 'https://news.example.com/1',
	story_timestamp: String(1_700_000_000 + number),
	story_date: '2023-11-14 22:13:20',
	starred_timestamp: '1700000000',
	score: 1,
	user_tags: ['tools'],
	social_user_id: 5,
	friend_user_ids: [5],
	highlights: ['Text'],
});
const social = (number: number): IDataObject => ({
	category: 'follow',
	date: `2023-11-14 22:13:0${number}`,
	with_user_id: number,
	with_user: { username: 'ada' },
	story_feed_id: 1,
	story_hash: hash(1),
	content_id: 'a',
	title: 'Title',
	content: 'Content',
});
const link = (number: number): IDataObject => ({
	id: number,
	link: `https://links.example.com/qr/${number}`,
	shorturl: `https://links.example.com/${number}`,
	date: `2023-11-14 22:13:${number}`,
	name: `Record ${number}`,
	title: `Record ${number}`,
	scans: number > 1 ? 2 : 0,
	clicks: number > 1 ? 2 : 0,
	type: 'links',
});
/** Feeds with one unread story each; all but the first fail. */
const feed = (number: number): IDataObject => ({
	id: number,
	ps: 0,
	nt: 1,
	ng: 0,
	has_exception: number > 1,
	exception_type: 'feed',
	exception_code: 503,
});

const subscriptions = {
	authenticated: true,
	feeds: { 1: { id: 1, feed_title: 'Feed', ps: 0, nt: 1, ng: 0 } },
	folders: [1, { Tech: [1] }],
	saved_searches: [{ feed_id: 'feed:1', query: 'solar' }],
};

/** Hashes in requests are always valid: only the records are corrupted. */
const byHash =
	(key: string): ResponseFactory =>
	({ path, query }, records) => {
		const hashes = records.map((_, number) => [hash(number + 1), 1_700_000_000 + number]);
		if (path.endsWith('story_hashes')) return { [key]: key.startsWith('starred') ? hashes : { 1: hashes } };
		if (path === '/reader/feeds') return subscriptions;
		const requested = [query?.h].flat();
		return { stories: records.filter((_, number) => requested.includes(hash(number + 1))) };
	};

/** A list of one page, newest first. */
const pageOf =
	(key: string): ResponseFactory =>
	({ path, query }, records) => {
		if (path === '/reader/feeds') return subscriptions;
		return { [key]: Number(query?.page ?? 1) === 1 ? [...records].reverse() : [] };
	};

const feeds: ResponseFactory = ({ path }, records) =>
	path === '/reader/feeds'
		? subscriptions
		: { feeds: Object.fromEntries(records.map((record, number) => [number + 1, record])) };

const links =
	(list: string): ResponseFactory =>
	({ path }, records) =>
		/\/(?:qr|url)\/\d+$/.test(path)
			? { error: 0, details: records.at(-1), data: {} }
			: {
					error: '0',
					data: { result: records.length, currentpage: 1, nextpage: null, maxpage: 1, [list]: records },
				};

const stories = { service: newsReader, record: story, id: hash };
const added = (watch: Watch, list: string, name: string): Case => ({
	service: linkManager,
	watch,
	record: link,
	id: (number) => `${name}${number}`,
	respond: links(list),
});

export const cases: Record<string, Case> = {
	'New Unread Story': {
		...stories,
		watch: readerEvents.newUnreadStory.watch({
			title: 'story',
			author: 'a',
			tags: ['tools'],
			content: 'text',
		}),
		respond: byHash('unread_feed_story_hashes'),
	},
	'New Saved Story': {
		...stories,
		watch: readerEvents.newSavedStory.watch({ content: 'text', userTags: ['tools'] }),
		respond: byHash('starred_story_hashes'),
	},
	'New Shared Story': {
		...stories,
		watch: readerEvents.newSharedStory.watch({ sharer: 5, content: 'text' }),
		respond: pageOf('stories'),
	},
	'Saved Search Match': {
		...stories,
		watch: readerEvents.savedSearchMatch.watch({ content: 'text' }),
		respond: pageOf('stories'),
	},
	'New Interaction': {
		service: newsReader,
		watch: readerEvents.newInteraction.watch({ kinds: ['follow'] }),
		record: social,
		id: () => 'interaction:',
		respond: pageOf('interactions'),
	},
	'New Activity': {
		service: newsReader,
		watch: readerEvents.newActivity.watch({}),
		record: social,
		id: () => 'activity:',
		respond: pageOf('activities'),
	},
	'Feed Broken': {
		service: newsReader,
		watch: readerEvents.feedBroken.watch({ changes: 'fails' }),
		record: feed,
		id: (number) => `:${number}:`,
		respond: feeds,
	},
	'Unread Count Reached': {
		service: newsReader,
		watch: readerEvents.unreadCountReached.watch({ threshold: 2 }),
		record: feed,
		id: () => 'unread-count:',
		respond: feeds,
	},
	'New Campaign': added(linkEvents.newCampaign.watch({}), 'campaigns', 'campaign:'),
	'New Channel': added(linkEvents.newChannel.watch({}), 'channels', 'channel:'),
	'New Channel Item': added(linkEvents.newChannelItem.watch({ id: 7 }), 'items', 'channel:7:item:links-'),
	'New Domain': added(linkEvents.newDomain.watch({}), 'domains', 'domain:'),
	'New Pixel': added(linkEvents.newPixel.watch({}), 'pixels', 'pixel:'),
	'New QR Code': added(linkEvents.newQrCode.watch({}), 'qrs', 'qrCode:'),
	'New Short Link': added(linkEvents.newShortLink.watch({}), 'urls', 'shortLink:'),
	'New QR Scan': {
		...added(linkEvents.newQrScan.watch({ itemFor: 'scan', qrCodes: 'record' }), 'qrs', 'qr:'),
		id: (number) => `qr:${number}:scan:`,
	},
	'New Short Link Click': {
		...added(linkEvents.newShortLinkClick.watch({ itemFor: 'click', includeChanges: true }), 'urls', 'link:'),
		id: (number) => `link:${number}:click:`,
	},
};
