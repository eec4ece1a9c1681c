import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, ApiRequest, Api } from '../../runtime/api-types';
import { inSequence, isRecord, toInteger, toText } from '../../runtime/values';
import { anInteger } from '../../runtime/table/record';
import { clock } from '../../runtime/clock';
import { membersOf } from './responses';
import { selection, simplifiedTo } from './selection';

/** The service allows one request for counts a minute (interface document, Limits). */
export const COUNTS_INTERVAL_MS = 60_000;

const REQUEST: ApiRequest = { method: 'GET', path: '/reader/refresh_feeds' };

/** The last counts of each account in this process, and when they were requested (monotonic clock). */
const lastCounts = new Map<string, { response: ApiResponse; at: number }>();

/** The counts, at most a minute old: all nodes and triggers of this process share them. */
export async function recentCounts(api: Api, longestAge = COUNTS_INTERVAL_MS): Promise<ApiResponse> {
	const account = await api.account();
	return await inSequence(`${account} counts`, async () => {
		const last = lastCounts.get(account);
		if (last && clock.uptime() < last.at + longestAge) return last.response;
		const response = await api.send(REQUEST);
		lastCounts.set(account, { response, at: clock.uptime() });
		return response;
	});
}

/** New counts. Within a minute after the last request, this waits, or fails in a poll. */
export const newCounts = async (api: Api): Promise<ApiResponse> => await recentCounts(api, 0);

/** The counts of a response: those of feeds by `id`, then those of share feeds by `user_id`. */
export function unreadCountsIn({ json }: ApiResponse): Array<Record<string, unknown>> {
	const { feeds, social_feeds: shareFeeds } = isRecord(json) ? json : {};
	const ofShareFeeds = recordsById(shareFeeds).map(({ id, ...counts }) => ({
		user_id: toInteger(toText(id).replace(/^social:/, '')),
		...counts,
	}));
	return [...recordsById(feeds), ...ofShareFeeds];
}

/** The records of an object keyed by id; a record without an id gets its key. */
const recordsById = (feeds: unknown): Array<Record<string, unknown>> =>
	isRecord(feeds)
		? Object.entries(feeds).flatMap(([id, feed]) => (isRecord(feed) ? [{ id, ...feed }] : []))
		: (membersOf(feeds) ?? []).filter(isRecord);

const countOf = (count: unknown): number => toInteger(count) ?? 0;

/** The counts of unread stories under plain names; a feed that is not subscribed has none. */
export const countMembers = {
	focus: [
		(feed: IDataObject) => (isCounted(feed) ? countOf(feed.ps) : undefined),
		anInteger.described('Number of unread stories that your classifiers like'),
	],
	unread: [
		(feed: IDataObject) => (isCounted(feed) ? countOf(feed.ps) + countOf(feed.nt) : undefined),
		anInteger.described('Number of unread stories, without the hidden ones'),
	],
	hidden: [
		(feed: IDataObject) => (isCounted(feed) ? countOf(feed.ng) : undefined),
		anInteger.described('Number of unread stories that your classifiers hide'),
	],
} as const;

const isCounted = (feed: IDataObject): boolean => 'folders' in feed || 'nt' in feed;

/** The counts of a feed or of a user's shares. */
export const countsOutput = simplifiedTo(
	selection(
		{
			id: ['id', anInteger.described('ID of the feed; null for a share feed')],
			userId: ['user_id', anInteger.described('ID of the user whose share feed it is')],
			...countMembers,
		},
		{ ps: anInteger, nt: anInteger, ng: anInteger },
	),
);
