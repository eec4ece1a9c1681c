import type { ApiResponse, Api } from '../../runtime/api-types';
import { isRateLimited, isRefusal } from '../../runtime/errors/errors';
import { getOrCreate, reasonOf, settled, settledWithin, toInteger } from '../../runtime/values';
import { clock } from '../../runtime/clock';
import { countsForItem, LONGEST_WAIT_MS, unreadCountsIn } from './unread-counts';

/**
 * How often counts are requested. The service returns unread hashes only of feeds whose stored count of unread stories is
 * not 0, and it updates the counts only of accounts that requested counts within a week; requests for hashes don't matter
 * (seen in the wild).
 */
const ASK_EVERY_MS = 6 * 3_600_000;
/** A failed request is repeated after this time. */
const RETRY_AFTER_MS = 15 * 60_000;
/** If an account's last request is older than this, the service may have stopped updating its counts. */
const KEPT_UP_MS = 6 * 24 * 3_600_000;
/** How many feeds one request counts. */
const FEEDS_PER_COUNT = 100;

/** When one account's counts were and will be requested in this process. Times are on the monotonic clock. */
interface CountState {
	/** The last successful request. */
	countedAt: number;
	nextRequestAt: number;
	/** When `uncounted` may be counted again, after a failure. */
	nextFeedCountAt: number;
	/** Feeds whose stored count is zero, though they may have unread stories. */
	uncounted: number[];
	underWay?: Promise<void>;
}

const NEVER_COUNTED = { countedAt: -Infinity, nextRequestAt: -Infinity, nextFeedCountAt: -Infinity };
const countStates = new Map<string, CountState>();

/** To be called before unread hashes are requested. Requests the account's counts if they are due, once for all callers. */
export async function keepCountsFresh(api: Api): Promise<void> {
	const account = await api.account();
	const state = getOrCreate(countStates, account, (): CountState => ({ ...NEVER_COUNTED, uncounted: [] }));
	state.underWay ??= updateCounts(api, state).finally(() => {
		state.underWay = undefined;
	});
	await settledWithin(LONGEST_WAIT_MS, state.underWay);
}

async function updateCounts(api: Api, state: CountState): Promise<void> {
	if (clock.uptime() >= state.nextRequestAt) await requestCounts(api, state);
	if (clock.uptime() < state.nextFeedCountAt) return;
	while (state.uncounted.length > 0 && api.hasTime() && api.requestsLeft() > 0) {
		const query = { feed_id: state.uncounted.slice(0, FEEDS_PER_COUNT), force: true };
		const counted = await settled(api.send({ method: 'GET', path: '/reader/feed_unread_count', query }));
		if ('error' in counted && isRateLimited(counted.error)) return;
		if ('error' in counted && !isRefusal(counted.error)) {
			state.nextFeedCountAt = clock.uptime() + RETRY_AFTER_MS;
			return;
		}
		// The interface document lacks this call: a host may not have it.
		state.uncounted = 'error' in counted ? [] : state.uncounted.slice(FEEDS_PER_COUNT);
	}
}

async function requestCounts(api: Api, state: CountState): Promise<void> {
	const response = await settled(countsForItem(api, 'last'));
	const now = clock.uptime();
	state.nextRequestAt = now + ('error' in response ? RETRY_AFTER_MS : ASK_EVERY_MS);
	const isOverdue = now - state.countedAt > KEPT_UP_MS;
	if ('error' in response) {
		if (isOverdue) api.hint(notCounted(response.error));
		return;
	}
	if (isOverdue) state.uncounted = withoutCount(response.value);
	state.countedAt = now;
}

const notCounted = (error: unknown): string =>
	`The service did not count the unread stories, so some unread stories may be missing: ${reasonOf(error)}`;

/** The feeds, not share feeds, without unread stories in a response. */
const withoutCount = (response: ApiResponse): number[] =>
	unreadCountsIn(response)
		.filter(({ ps, nt }) => !toInteger(ps) && !toInteger(nt))
		.map(({ id }) => toInteger(id))
		.filter((id) => id !== undefined);
