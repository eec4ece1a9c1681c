import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, ApiRequest, Api } from '../../runtime/api-types';
import { classOf } from '../../runtime/errors/errors';
import { getOrCreate, isRecord, settled, settledWithin, toInteger, toText } from '../../runtime/values';
import { simplified, type Output } from '../../runtime/table/operation';
import { anInteger, exact, optional, record } from '../../runtime/table/record';
import { clock } from '../../runtime/clock';
import { membersOf } from './responses';

/** The service allows one request for counts a minute (interface document, Limits). */
export const COUNTS_INTERVAL_MS = 60_000;

const REQUEST: ApiRequest = { method: 'GET', path: '/reader/refresh_feeds', interval: COUNTS_INTERVAL_MS };
/** The longest wait for a response to another caller's request, in milliseconds: it may never arrive. */
export const LONGEST_WAIT_MS = 10_000;

/** The last counts of one account in this process. */
interface LastCounts {
	response?: ApiResponse;
	/** Until when they can replace a new response, on the monotonic clock. */
	until: number;
	/** A pending response. */
	underWay?: Promise<ApiResponse>;
}

const lastCounts = new Map<string, LastCounts>();

async function lastCountsOf(api: Api): Promise<LastCounts> {
	const account = await api.account();
	return getOrCreate(lastCounts, account, () => ({ until: 0 }));
}

/** Requests new counts, which waits until the minute is over, and remembers them for a minute. */
async function requestCounts(api: Api, last: LastCounts): Promise<ApiResponse> {
	const underWay = api.send(REQUEST);
	last.underWay = underWay;
	try {
		last.response = await underWay;
		last.until = clock.uptime() + COUNTS_INTERVAL_MS;
		return last.response;
	} finally {
		if (last.underWay === underWay) last.underWay = undefined;
	}
}

const recentCounts = ({ response, until }: LastCounts): ApiResponse | undefined =>
	clock.uptime() < until ? response : undefined;

/** The counts. Within a minute after the last request, `last` returns its counts, and `wait` waits for new ones. */
export async function countsForItem(api: Api, withinMinute: 'last' | 'wait'): Promise<ApiResponse> {
	const last = await lastCountsOf(api);
	const previous =
		withinMinute === 'last' ? ((await pending(last, LONGEST_WAIT_MS)) ?? recentCounts(last)) : undefined;
	return previous ?? (await requestCounts(api, last));
}

/**
 * The response to another caller's pending request; undefined if it takes too long or fails: that caller reports the
 * failure.
 */
async function pending({ underWay }: LastCounts, longestWaitMs: number): Promise<ApiResponse | undefined> {
	if (!underWay) return undefined;
	const counts = await settledWithin(longestWaitMs, underWay);
	return 'value' in counts ? counts.value : undefined;
}

/**
 * New counts, or the last counts if it is too early for new ones. Without the last counts, some of several nodes that poll
 * at the same moment would never get a response.
 */
export async function countsForPoll(api: Api, longestWaitMs = LONGEST_WAIT_MS): Promise<ApiResponse> {
	const last = await lastCountsOf(api);
	await pending(last, longestWaitMs);
	const response = await settled(requestCounts(api, last));
	if ('value' in response) return response.value;
	const previous = recentCounts(last);
	if (previous && classOf(response.error) === 'rateLimited') return previous;
	throw response.error;
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
