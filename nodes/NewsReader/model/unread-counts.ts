import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, ApiRequest, Api } from '../../runtime/api-types';
import { inSequence, isRecord, toInteger, toText } from '../../runtime/values';
import { simplified, type Output } from '../../runtime/table/operation';
import { anInteger, exact, optional, record } from '../../runtime/table/record';
import { clock } from '../../runtime/clock';
import { membersOf } from './responses';

/** The service allows one request for counts a minute (interface document, Limits). */
export const COUNTS_INTERVAL_MS = 60_000;

const REQUEST: ApiRequest = { method: 'GET', path: '/reader/refresh_feeds', interval: COUNTS_INTERVAL_MS };

/** The last counts of each account in this process, and until when no new ones can be requested (monotonic clock). */
const lastCounts = new Map<string, { response: ApiResponse; until: number }>();

/** Requests new counts. Within a minute after the last request, this waits, or fails in a poll. */
export async function newCounts(api: Api): Promise<ApiResponse> {
	const response = await api.send(REQUEST);
	lastCounts.set(await api.account(), { response, until: clock.uptime() + COUNTS_INTERVAL_MS });
	return response;
}

/** The counts, at most a minute old: all nodes and triggers of this process share them. */
export async function recentCounts(api: Api): Promise<ApiResponse> {
	const account = await api.account();
	return await inSequence(`${account} counts`, async () => {
		const last = lastCounts.get(account);
		return last && clock.uptime() < last.until ? last.response : await newCounts(api);
	});
}

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

/** The counts of unread stories under plain names. `unread` includes those in focus, but not hidden ones. */
export const namedCounts = (feed: IDataObject) => ({
	focus: feed.ps ?? 0,
	unread: (toInteger(feed.ps) ?? 0) + (toInteger(feed.nt) ?? 0),
	hidden: feed.ng ?? 0,
});

const simpleCounts = record({
	id: optional(anInteger).described('ID of the feed; null for a share feed'),
	userId: optional(anInteger).described('ID of the user whose share feed it is'),
	focus: anInteger.described('Number of unread stories that your classifiers like'),
	unread: anInteger.described('Number of unread stories, without the hidden ones'),
	hidden: anInteger.described('Number of unread stories that your classifiers hide'),
});

/** The counts of a feed or of a user's shares. */
export const countsOutput: Output = {
	schema: record({
		id: optional(anInteger),
		user_id: optional(anInteger),
		ps: anInteger,
		nt: anInteger,
		ng: anInteger,
	}),
	select: ({ json }) => json,
	shape: simplified(simpleCounts, ({ id, user_id: userId, ...counts }) =>
		exact(simpleCounts, { ...(userId === undefined ? { id } : { userId }), ...namedCounts(counts) }),
	),
};
