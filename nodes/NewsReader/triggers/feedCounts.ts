import type { Api } from '../../runtime/table/operation';
import { isRateLimited } from '../../runtime/errors/failures';
import { settled } from '../../runtime/promises';
import { clock } from '../../runtime/transport/rateLimit';
import { isRecord, toBoolean, toInteger } from '../../runtime/values';
import { chosenFeedSet, type FeedChoice } from '../model/subscriptions';
import { countsForPoll } from '../model/unreadCounts';

/** One feed as it is now. */
export interface FeedNow {
	id: number;
	focus: number;
	neutral: number;
	isBroken: boolean;
	exceptionType: string | null;
	exceptionCode: number | null;
}

/** The feeds as they are now; undefined if the service tells of none, or may not be asked again yet. */
export interface FeedsSnapshot {
	/** Epoch milliseconds. */
	at: number;
	feeds: FeedNow[] | undefined;
}

/** The counts of all active feeds, of which the service wants to be asked once a minute at most. */
export async function feedsNow(choice: FeedChoice, mayBeNone: boolean, api: Api): Promise<FeedsSnapshot> {
	const wanted = await chosenFeedSet(choice, api);
	const asked = await settled(countsForPoll(api));
	if ('error' in asked) {
		if (mayBeNone && isRateLimited(asked.error)) return { at: clock.now(), feeds: undefined };
		throw asked.error;
	}
	const { json } = asked.value;
	const feeds = Object.entries(isRecord(json) && isRecord(json.feeds) ? json.feeds : {});
	// No feed at all is no count of nothing: what is counted next would seem to rise from it.
	if (feeds.length === 0) return { at: clock.now(), feeds: undefined };
	const all = feeds.filter(([id]) => !wanted || wanted.has(Number(id)));
	return {
		at: clock.now(),
		feeds: all.flatMap(([id, feed]) => (isRecord(feed) ? [feedNow(id, feed)] : [])),
	};
}

const feedNow = (id: string, feed: Record<string, unknown>): FeedNow => ({
	id: Number(id),
	focus: Math.max(toInteger(feed.ps) ?? 0, 0),
	neutral: Math.max(toInteger(feed.nt) ?? 0, 0),
	isBroken: toBoolean(feed.has_exception) ?? false,
	exceptionType: typeof feed.exception_type === 'string' ? feed.exception_type : null,
	exceptionCode: toInteger(feed.exception_code) ?? null,
});
