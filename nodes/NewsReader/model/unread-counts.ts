import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Api } from '../../runtime/api-types';
import {
	inSequence,
	isRecord,
	toInteger,
	toText,
	chunksOf,
	getOrCreate,
	reasonOf,
	settled,
} from '../../runtime/values';
import { anInteger } from '../../runtime/table/record';
import { clock } from '../../runtime/clock';
import { recordsIn } from './responses';
import { selection, simplifiedTo } from './records';
import { isActive, subscriptionsOf } from './subscriptions';

/** The service allows one request for counts a minute (interface document, Limits). */
export const COUNTS_INTERVAL_MS = 60_000;

/** What errors say of requests for counts. */
const COUNT = 'Count the unread stories';

/** By account; times are on the monotonic clock. */
const lastCounts = new Map<string, { response: ApiResponse; user?: string; at: number }>();

/** At most a minute old and shared in this process. For newer ones, this waits, or fails in a poll. */
export async function recentCounts(api: Api, longestAge = COUNTS_INTERVAL_MS): Promise<ApiResponse> {
	const { account } = await api.owner();
	return await inSequence(`${account} counts`, async () => {
		const last = lastCounts.get(account);
		if (last && clock.uptime() < last.at + longestAge) {
			api.user ??= last.user;
			return last.response;
		}
		const response = await api.send({ method: 'GET', path: '/reader/refresh_feeds', action: COUNT });
		lastCounts.set(account, { response, user: api.user, at: clock.uptime() });
		return response;
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

/** A record without an id gets its key. */
const recordsById = (feeds: unknown): Array<Record<string, unknown>> =>
	isRecord(feeds)
		? Object.entries(feeds).flatMap(([id, feed]) => (isRecord(feed) ? [{ id, ...feed }] : []))
		: recordsIn(feeds);

const countOf = (count: unknown): number => toInteger(count) ?? 0;

export const COUNTS = { ps: anInteger, nt: anInteger, ng: anInteger };

/** A feed that is not subscribed has no counts. Those of a muted feed are of the time when it was muted (seen in the wild). */
export const countMembers = {
	focus: [
		(feed: IDataObject) => (isCounted(feed) ? countOf(feed.ps) : undefined),
		anInteger.described('How many of the newest 500 unread stories are liked; null if muted or unknown'),
	],
	unread: [
		(feed: IDataObject) => (isCounted(feed) ? countOf(feed.ps) + countOf(feed.nt) : undefined),
		anInteger.described('How many of the newest 500 unread stories are not hidden; null if muted or unknown'),
	],
	hidden: [
		(feed: IDataObject) => (isCounted(feed) ? countOf(feed.ng) : undefined),
		anInteger.described('How many of the newest 500 unread stories are hidden; null if muted or unknown'),
	],
} as const;

const isCounted = (feed: IDataObject): boolean => ('folders' in feed || 'nt' in feed) && isActive(feed);

export const countsOutput = simplifiedTo(
	selection(
		{
			id: ['id', anInteger.described('ID of the feed; null for a share feed')],
			userId: ['user_id', anInteger.described('ID of the user whose share feed it is')],
			...countMembers,
		},
		COUNTS,
	),
);

/**
 * The service stores how many unread stories each feed has. It lists the unread stories only of feeds whose stored count
 * is not 0, but it does not count when it subscribes to a feed or marks stories as unread (seen in the wild). So every
 * write through the node requests the counts of its feeds, and reads request those of the account from time to time.
 */

/** What other clients change is counted within 15 minutes, also by a trigger that polls as often. */
const COUNT_EVERY_MS = 14.5 * 60_000;
/** The service stops counting for accounts that requested no counts within a week (seen in the wild). */
const COUNTED_FOR_MS = 6 * 24 * 3_600_000;
const FEEDS_PER_COUNT = 100;

/** Times are on the monotonic clock. */
interface CountState {
	countedAt: number;
	nextCountAt: number;
}

const countStates = new Map<string, CountState>();

const stateOf = (account: string): CountState =>
	getOrCreate(countStates, account, () => ({ countedAt: -Infinity, nextCountAt: -Infinity }));

async function countFeeds(api: Api, feedIds: ReadonlyArray<number | string>): Promise<void> {
	for (const chunk of chunksOf([...new Set(feedIds)], FEEDS_PER_COUNT)) {
		const query = { feed_id: chunk, force: true };
		await api.send({ method: 'GET', path: '/reader/feed_unread_count', query, action: COUNT });
	}
}

/** After a write that can make stories unread. If the count fails, a hint says so. */
export async function leaveCounted(api: Api, feedIds: ReadonlyArray<number | string>): Promise<void> {
	const counted = await settled(countFeeds(api, feedIds));
	if (!('error' in counted)) return;
	await countSoon(api);
	const feeds = feedIds.length === 1 ? `feed ${feedIds[0]}` : `${feedIds.length} feeds`;
	api.hint(
		`The service did not count the unread stories of ${feeds}: ${reasonOf(counted.error)}. For up to 15 minutes, lists of unread stories, triggers and Mark as Read may leave these stories out`,
	);
}

export async function countSoon(api: Api): Promise<void> {
	stateOf((await api.owner()).account).nextCountAt = clock.uptime() + COUNTS_INTERVAL_MS;
}

/** Counts the account before unread stories are listed, if that is due: once for all callers. */
export async function keepCounted(api: Api): Promise<void> {
	const { account } = await api.owner();
	const state = stateOf(account);
	await inSequence(`${account} counting`, async () => {
		if (clock.uptime() < state.nextCountAt) return;
		const counted = await settled(countAccount(api, state.countedAt));
		const now = clock.uptime();
		state.nextCountAt = now + COUNT_EVERY_MS;
		if (!('error' in counted)) state.countedAt = now;
		else if (now - state.countedAt > COUNTED_FOR_MS) {
			api.hint(
				`The service did not count the unread stories, so some may be missing for 15 minutes: ${reasonOf(counted.error)}`,
			);
		}
	});
}

async function countAccount(api: Api, countedAt: number): Promise<void> {
	const counts = unreadCountsIn(await recentCounts(api));
	if (clock.uptime() - countedAt <= COUNTED_FOR_MS) return;
	// The service may have stopped counting: then a count of 0 can be wrong.
	const unknown = counts.filter(({ ps, nt }) => !toInteger(ps) && !toInteger(nt));
	const ids = unknown.map(({ id }) => toInteger(id)).filter((id) => id !== undefined);
	await countFeeds(api, ids);
}

/** The service marks nothing as read in a feed with counts of 0 (seen in the wild). Default: all feeds. */
export async function countBeforeMark(api: Api, feedIds?: readonly string[]): Promise<void> {
	const { feeds } = await subscriptionsOf(api);
	const uncounted = feeds.filter(({ ps, nt, ng }) => [ps, nt, ng].every((count) => toInteger(count) === 0));
	const ids = uncounted.map(({ id }) => toText(id)).filter((id) => feedIds?.includes(id) !== false);
	await leaveCounted(api, ids);
}
