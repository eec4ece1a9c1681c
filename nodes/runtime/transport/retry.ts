import type { ApiRequest, FailureClass } from '../api-types';
import { sleepUnlessCancelled } from '../clock';
import type { FailureDetails } from '../errors/errors';
import { LOGIN_TIMED_OUT, TIMED_OUT, wasNeverSent } from '../errors/messages';
import { alsoInDoubt, SAFE_METHODS, type Send, type Waiting } from './pipeline';

/** When a failed request is sent again, how often, and after which pauses. */
export interface RetryPolicy {
	/** The classes of failures that may be temporary. */
	classes: ReadonlySet<FailureClass | undefined>;
	/** Methods that change nothing. A request that is `safe` or `idempotent` is treated like them. */
	methods: ReadonlySet<string>;
	/** The statuses after which a request that changes nothing is sent again. */
	statuses: ReadonlySet<string>;
	/** Whether a network error shows that the service did not receive the request. Then any request is sent again. */
	neverSent(code: string): boolean;
	/** The network errors after which no request is sent again: it has taken all its time. */
	timeouts: ReadonlySet<string>;
	/** The most retries. */
	limit: number;
	/** The pause before the first retry (0) and the second (1), in milliseconds, if the service asks for none. */
	pauseMs(retry: number): number;
}

/** A request that the rate limit refused was not carried out: `withinRateLimit` sends it again. */
export const RETRY_POLICY: RetryPolicy = {
	classes: new Set<FailureClass>(['failed', 'unavailable']),
	methods: SAFE_METHODS,
	statuses: new Set(['500', '502', '503', '504']),
	neverSent: wasNeverSent,
	timeouts: new Set([TIMED_OUT, LOGIN_TIMED_OUT]),
	limit: 2,
	pauseMs: (retry) => 500 * 2 ** retry,
};

/** Sends a request again if it failed and the policy allows that. */
export function retrying(policy: RetryPolicy, waiting: Waiting, next: Send): Send {
	return async (request) => {
		let inDoubt = false;
		for (let retry = 0; ; retry += 1) {
			const reply = await next(request);
			const { failure, response } = reply;
			if (!failure) return reply;
			inDoubt ||= failure.inDoubt === true;
			const pause = failure.retryAfterMs ?? policy.pauseMs(retry);
			const mayWait = pause <= waiting.maxWaitMs && !waiting.signal?.aborted;
			if (retry >= policy.limit || !mayWait || !mayRepeat(policy, request, failure, response !== undefined)) {
				return alsoInDoubt(reply, inDoubt);
			}
			await sleepUnlessCancelled(pause, waiting.signal);
		}
	};
}

function mayRepeat(
	policy: RetryPolicy,
	{ method, safe, idempotent }: ApiRequest,
	{ class: failureClass, code = '' }: FailureDetails,
	hasResponse: boolean,
): boolean {
	const changesNothing = policy.methods.has(method) || safe === true || idempotent === true;
	if (!policy.classes.has(failureClass) || policy.timeouts.has(code)) return false;
	if (hasResponse) return changesNothing && policy.statuses.has(code);
	return changesNothing || policy.neverSent(code);
}
