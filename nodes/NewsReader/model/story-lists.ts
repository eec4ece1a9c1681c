import type { IDataObject } from 'n8n-workflow';
import { asRecord, toBoolean, toInteger, toText, inSequence } from '../../runtime/values';
import { membersOf } from './responses';
import type { Api, ItemApi, RequestParts, Result } from '../../runtime/api-types';
import { readPages } from '../../runtime/transport/lists';
import { readInChunks, readStories } from './hashes';
import { leftOutOf } from './stories';
import { subscriptionsOf } from './subscriptions';

/** A filter of stories; a story passes if it matches every member. Dates are Unix seconds. */
export interface StoryFilter {
	author?: string;
	focus?: boolean;
	newerThan?: number;
	olderThan?: number;
	saved?: boolean;
	tags?: string[];
	title?: string;
	unread?: boolean;
}

/** In titles, the service writes some `&` as `&amp;` (seen in the wild). */
const folded = (text: string): string => text.toLowerCase().normalize('NFC').replaceAll('&amp;', '&');

const includesText = (value: unknown, searched: string | undefined): boolean =>
	searched === undefined || folded(toText(value ?? '')).includes(folded(searched.trim()));

export const hasTag = (value: unknown, given: string[] | undefined): boolean => {
	const tags = (membersOf(value) ?? []).map((tag) => folded(toText(tag)));
	return given === undefined || given.some((tag) => tags.includes(folded(tag)));
};

/** True for an unknown date. Dates are Unix seconds. */
export const isInTime = (
	seconds: number | undefined,
	{ newerThan = -Infinity, olderThan = Infinity }: StoryFilter,
): boolean => seconds === undefined || (seconds > newerThan && seconds < olderThan);

export const needsStories = (filter: StoryFilter): boolean =>
	Object.keys(filter).some((name) => name !== 'newerThan' && name !== 'olderThan');

/** When a story was published or saved, in Unix seconds. */
type DateOf = (story: IDataObject) => number | undefined;

export const publishedAt: DateOf = (story) => toInteger(story.story_timestamp);
export const savedAt: DateOf = (story) => toInteger(story.starred_timestamp);

export function passes(story: IDataObject, filter: StoryFilter, dateOf = publishedAt): boolean {
	const { author, focus, saved, tags, title, unread } = filter;
	return (
		isInTime(dateOf(story), filter) &&
		((toInteger(story.score) ?? 0) > 0 || focus !== true) &&
		(toBoolean(story.starred) === true || saved !== true) &&
		(toBoolean(story.read_status) !== true || unread !== true) &&
		includesText(story.story_title, title) &&
		includesText(story.story_authors, author) &&
		hasTag(story.story_tags, tags)
	);
}

interface StoryList {
	/** With `items`, a story inside a similar one becomes an item of its own. */
	similarStories?: string;
	filter?: StoryFilter;
	/** Sorts and filters the list. Default: when stories were published. */
	dateOf?: DateOf;
	/** Whether the list is sorted by a date that its stories don't contain. */
	isInOtherOrder?: boolean;
	/** The service may mix in stories of a list that is read at the same time. */
	belongs?(story: IDataObject): boolean;
	/** Restores the order of a page, if the service changes it. */
	sorted?(stories: IDataObject[]): IDataObject[];
}

export async function readStoryList(
	api: ItemApi,
	parts: RequestParts,
	list: StoryList = {},
): Promise<Result[]> {
	const { similarStories, belongs = () => true, sorted = (stories) => stories, dateOf = publishedAt } = list;
	// A search ignores the Read Filter (seen in the wild).
	const isUnreadSearch = parts.query.query !== undefined && parts.query.read_filter === 'unread';
	const filter = { ...list.filter, ...(isUnreadSearch && { unread: true }) };
	const limit = api.limit();
	const isOldestFirst = parts.query.order === 'oldest';
	// All stories after one that is outside this date are outside it, too.
	const lastDate = isOldestFirst ? { olderThan: filter.olderThan } : { newerThan: filter.newerThan };
	const reading = Object.keys(filter).length > 0 && !api.isRaw ? {} : { limit };
	const pages = readPages(api, api.row, await withDays(api, parts, filter), reading);
	const results: Result[] = [];
	let foreignCount = 0;
	for await (const { records, response } of pages) {
		if (api.isRaw) {
			results.push(...(await api.results([], response)));
			continue;
		}
		// Newer servers fetch a feed without subscribers only on demand (`insta_fetch`).
		if (asRecord(response.json).not_yet_fetched === true && records.length === 0) {
			if (parts.query.insta_fetch) {
				throw api.apiError(
					'The service has not fetched this feed lately',
					'You do not subscribe to it. Try again in a few minutes, or subscribe to it: Feed → Add.',
				);
			}
			const fetched = { ...parts, query: { ...parts.query, insta_fetch: 1 } };
			return await readStoryList(api, fetched, list);
		}
		const own = records.filter(belongs);
		foreignCount += records.length - own.length;
		const stories = similarStories === 'items' ? await withSimilar(api, own, isOldestFirst) : own;
		const passing = sorted(stories).filter((story) => passes(story, filter, dateOf));
		// No spread: a host may ignore the limit and return more entries than a function takes arguments.
		for (const result of await api.results(passing, response)) results.push(result);
		const last = list.isInOtherOrder ? undefined : records.at(-1);
		if (results.length >= limit || (last && !isInTime(dateOf(last), lastDate))) break;
	}
	if (foreignCount > 0) {
		api.hint(
			`Stories skipped because they do not belong to this list: ${foreignCount}. Another client is reading a list of this account at the same time, and the service mixes up their pages. Stories of this list may be missing: run this again`,
		);
	}
	return results.slice(0, limit);
}

const DAY_S = 86_400;
const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

/**
 * Adds the dates of a filter, and one day on each side for the account's time zone, to a request of the Archive plan:
 * newer servers then return only these days. A search ignores them; with unread stories only, the server would limit its
 * own list of them to these days for an hour (read in its code).
 */
async function withDays(
	api: ItemApi,
	parts: RequestParts,
	{ newerThan, olderThan }: StoryFilter,
): Promise<RequestParts> {
	const { query, path } = parts;
	const hasReadFilter = 'read_filter' in api.row.query;
	// Without a value, the list of a feed has all stories, and a river the unread ones.
	const readFilter = query.read_filter ?? (path.id === undefined ? 'unread' : 'all');
	if (hasReadFilter && readFilter !== 'all') return parts;
	if (query.query !== undefined || (newerThan ?? olderThan) === undefined) return parts;
	if (!(await subscriptionsOf(api)).isArchive) return parts;
	const days = {
		date_filter_start: newerThan && dayOf(newerThan - DAY_S),
		date_filter_end: olderThan && dayOf(olderThan + DAY_S),
	};
	return { ...parts, query: { ...query, ...(hasReadFilter && { read_filter: 'all' }), ...days } };
}

async function withSimilar(
	api: ItemApi,
	stories: IDataObject[],
	isOldestFirst: boolean,
): Promise<IDataObject[]> {
	const entries = new Map(leftOutOf(stories).map((entry) => [toText(entry.story_hash), entry]));
	const read = await readInChunks([...entries.keys()], async (chunk) => await readStories(api, chunk));
	const found = read.flatMap((entry) => (entry ? [entry.story] : []));
	if (found.length === 0) return stories;
	// In a request by hash, the service doesn't look up whether a story is read; the entry in the page says so.
	for (const story of found) story.read_status = entries.get(toText(story.story_hash))?.read_status;
	const time = (story: IDataObject): number => Number(story.story_timestamp);
	return [...stories, ...found].sort((a, b) => (isOldestFirst ? time(a) - time(b) : time(b) - time(a)));
}

/** The server keeps one list of a kind for all readers of an account (seen in the wild). */
export const oneListAtATime = async <Done>(
	kind: 'river' | 'shared',
	api: Api,
	read: () => Promise<Done>,
): Promise<Done> => await inSequence(`${(await api.owner()).lastingAccount} ${kind}`, read, api.signal);
