import type { ApiRequest, FailureClass, FailureDetails } from '../api-types';
import { sleepUnlessCancelled } from '../clock';
import { LOGIN_TIMED_OUT, TIMED_OUT, wasNeverSent } from '../errors/messages';
import type { Send, Waiting } from './send';
import { isSafe } from './request';

/**
 * When a failed request is sent again, how often, and after which pauses. A request that the rate limit refused was not
 * carried out: `withinRateLimit` sends it again.
 */
const RETRY_POLICY = {
	/** Only after failures of these classes is a request sent again. */
	classes: new Set<FailureClass | undefined>(['failed', 'unavailable']),
	/** Of those with a response: the statuses after which a request that changes nothing, or is idempotent, is sent again. */
	statuses: new Set(['500', '502', '503', '504']),
	/** Of those without a response: the codes after which no request is sent again, as it has taken all its time. */
	timeouts: new Set([TIMED_OUT, 'ECONNABORTED', LOGIN_TIMED_OUT]),
	limit: 2,
	/** The pause before the first retry (0) and the second (1), in milliseconds, if the service asks for none. */
	pauseMs: (retry: number) => 500 * 2 ** retry,
};

/** Sends a request again if it failed and the policy allows that. */
export function retrying(waiting: Waiting, next: Send): Send {
	return async (request) => {
		// What an earlier try may have carried out stays in doubt.
		let inDoubt = false;
		for (let retry = 0; ; retry += 1) {
			const reply = await next(request);
			const { failure, response } = reply;
			if (!failure) return reply;
			inDoubt ||= failure.inDoubt === true;
			const { retryAfterMs } = failure;
			const pause = retryAfterMs ?? RETRY_POLICY.pauseMs(retry);
			const mayWait = (retryAfterMs ?? 0) <= waiting.maxWaitMs && !waiting.signal?.aborted;
			if (retry >= RETRY_POLICY.limit || !mayWait || !mayRepeat(request, failure, response !== undefined)) {
				return { response, failure: { ...failure, inDoubt } };
			}
			await sleepUnlessCancelled(pause, waiting.signal);
		}
	};
}

function mayRepeat(request: ApiRequest, failure: FailureDetails, hasResponse: boolean): boolean {
	const { classes, statuses, timeouts } = RETRY_POLICY;
	const { class: failureClass, code = '' } = failure;
	const isHarmless = isSafe(request) || request.idempotent === true;
	if (!classes.has(failureClass) || timeouts.has(code)) return false;
	if (hasResponse) return isHarmless && statuses.has(code);
	// What the service did not receive can be sent again in any case.
	return isHarmless || wasNeverSent(code);
}
