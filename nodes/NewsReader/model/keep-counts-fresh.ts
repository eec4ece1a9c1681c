import type { ApiResponse, Api } from '../../runtime/api-types';
import { isRateLimited, isRefusal } from '../../runtime/errors/errors';
import { getOrCreate, reasonOf, settled, settledWithin, toInteger } from '../../runtime/values';
import { clock } from '../../runtime/clock';
import { countsForItem, LONGEST_WAIT_MS, unreadCountsIn } from './unread-counts';

/**
 * The service returns unread hashes only of feeds with a stored count of unread stories. It updates counts only for
 * accounts that requested counts within a week; requests for hashes don't matter (seen in the wild). So counts are
 * requested now and then.
 */
const ASK_EVERY_MS = 6 * 3_600_000;
/** A failed request is repeated after this time. */
const RETRY_AFTER_MS = 15 * 60_000;
/** After this time without a request, an account may have feeds that were not counted. */
const KEPT_UP_MS = 6 * 24 * 3_600_000;
/** How many feeds one request counts. */
const FEEDS_PER_COUNT = 100;

/** The requests for counts of one account in this process. Times are on the monotonic clock. */
interface Keeping {
	seenAt: number;
	nextAt: number;
	/** When feeds may be counted again, after a failure. */
	countAt: number;
	/** Feeds whose stored count is zero, though they may have unread stories. */
	uncounted: number[];
	underWay?: Promise<void>;
}

const NOT_SEEN = { seenAt: -Infinity, nextAt: -Infinity, countAt: -Infinity };
const keepings = new Map<string, Keeping>();

/** Requests an account's counts, if they are due, before its unread hashes are requested: one request for all callers. */
export async function keepCountsFresh(api: Api): Promise<void> {
	const account = await api.account();
	const keeping = getOrCreate(keepings, account, (): Keeping => ({ ...NOT_SEEN, uncounted: [] }));
	keeping.underWay ??= keep(api, keeping).finally(() => {
		keeping.underWay = undefined;
	});
	await settledWithin(LONGEST_WAIT_MS, keeping.underWay);
}

async function keep(api: Api, keeping: Keeping): Promise<void> {
	if (clock.uptime() >= keeping.nextAt) await requestCounts(api, keeping);
	if (clock.uptime() < keeping.countAt) return;
	while (keeping.uncounted.length > 0 && api.hasTime() && api.requestsLeft() > 0) {
		const query = { feed_id: keeping.uncounted.slice(0, FEEDS_PER_COUNT), force: true };
		const counted = await settled(api.send({ method: 'GET', path: '/reader/feed_unread_count', query }));
		if ('error' in counted && isRateLimited(counted.error)) return;
		if ('error' in counted && !isRefusal(counted.error)) {
			keeping.countAt = clock.uptime() + RETRY_AFTER_MS;
			return;
		}
		// The interface document lacks this call: a host may not have it.
		keeping.uncounted = 'error' in counted ? [] : keeping.uncounted.slice(FEEDS_PER_COUNT);
	}
}

async function requestCounts(api: Api, keeping: Keeping): Promise<void> {
	const response = await settled(countsForItem(api, true));
	const now = clock.uptime();
	keeping.nextAt = now + ('error' in response ? RETRY_AFTER_MS : ASK_EVERY_MS);
	const isOverdue = now - keeping.seenAt > KEPT_UP_MS;
	if ('error' in response) {
		if (isOverdue) api.hint(notCounted(response.error));
		return;
	}
	if (isOverdue) keeping.uncounted = withoutCount(response.value);
	keeping.seenAt = now;
}

const notCounted = (error: unknown): string =>
	`The service did not count the unread stories, so some unread stories may be missing: ${reasonOf(error)}`;

/** The feeds, not share feeds, without unread stories in a response. */
const withoutCount = (response: ApiResponse): number[] =>
	unreadCountsIn(response)
		.filter(({ ps, nt }) => !toInteger(ps) && !toInteger(nt))
		.map(({ id }) => toInteger(id))
		.filter((id) => id !== undefined);
