import type { Api } from '../../runtime/api-types';
import { aBoolean } from '../../runtime/table/record';
import { isRateLimited } from '../../runtime/errors/errors';
import { isRecord, settled, toBoolean, toInteger } from '../../runtime/values';
import { clock } from '../../runtime/clock';
import { chosenFeedSet, type FeedChoice } from '../model/subscriptions';
import { countsForPoll } from '../model/unread-counts';

/** The member `example` of an item: whether a test run made the event up, because it found no real one. */
export const exampleFlag = { ...aBoolean, defaultValue: () => false };

/** One feed as it is now. */
export interface FeedNow {
	id: number;
	focus: number;
	neutral: number;
	isBroken: boolean;
	exceptionType: string | null;
	exceptionCode: number | null;
}

/** The feeds as they are now. */
export interface FeedsSnapshot {
	/** Epoch milliseconds. */
	at: number;
	/** Undefined if the response contains no feeds, or if the rate limit refused the request. */
	feeds: FeedNow[] | undefined;
	/** The rate limit's refusal. */
	failure?: unknown;
}

/**
 * Reads the counts of all active feeds. The service allows one such request a minute. If it refuses the request, a first
 * poll fails, and a later poll finds no events.
 */
export async function feedsNow(
	choice: FeedChoice,
	poll: 'first' | 'later',
	api: Api,
): Promise<FeedsSnapshot> {
	const chosen = await chosenFeedSet(choice, api);
	const counts = await settled(countsForPoll(api));
	const at = clock.now();
	if ('error' in counts) {
		if (poll === 'first' || !isRateLimited(counts.error)) throw counts.error;
		return { at, feeds: undefined, failure: counts.error };
	}
	const { json } = counts.value;
	const feeds = Object.entries(isRecord(json) && isRecord(json.feeds) ? json.feeds : {});
	// Without any feed the count isn't 0 but unknown: otherwise the next count would seem to rise.
	if (feeds.length === 0) return { at, feeds: undefined };
	const watched = feeds.filter(([id]) => !chosen || chosen.has(Number(id)));
	return { at, feeds: watched.flatMap(([id, feed]) => (isRecord(feed) ? [feedNow(id, feed)] : [])) };
}

const feedNow = (id: string, feed: Record<string, unknown>): FeedNow => ({
	id: Number(id),
	focus: Math.max(toInteger(feed.ps) ?? 0, 0),
	neutral: Math.max(toInteger(feed.nt) ?? 0, 0),
	isBroken: toBoolean(feed.has_exception) ?? false,
	exceptionType: typeof feed.exception_type === 'string' ? feed.exception_type : null,
	exceptionCode: toInteger(feed.exception_code) ?? null,
});
