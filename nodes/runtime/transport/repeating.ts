import type { Answer, Request } from '../exchange';
import type { ApiFailure } from '../errors/errors';
import { isSafe, TOO_LARGE, type Sent } from './http';
import { NO_LOGIN_NOW } from './session';

/** Nothing was sent: no connection came about, or no login that goes first. */
const NEVER_SENT = new Set([
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
	NO_LOGIN_NOW,
]);
/** Statuses after which a request is worth repeating, if that changes nothing. */
const PASSING_FAULTS = new Set([500, 502, 503, 504]);
/** The time for the request's answer, not for what is asked, was over. */
const REQUEST_TIMEOUT = 408;

export const wasNeverSent = (code: string): boolean => NEVER_SENT.has(code);

/**
 * Whether the service may have carried out a request that it did not confirm. What stands between may answer 503, too,
 * after it has passed the request on.
 */
export const mayHaveActed = ({ status }: Answer, { unclear = false }: ApiFailure): boolean =>
	status >= 500 || status === REQUEST_TIMEOUT || (status < 300 && unclear);

/** Whether doing it twice comes to the same. */
export const mayBeDoneTwice = (request: Request): boolean => isSafe(request) || request.idempotent === true;

/** Whether a request may be sent once more: it was never sent, or doing it twice comes to the same. */
export function isRepeatable(request: Request, sent: Sent): boolean {
	const harmless = mayBeDoneTwice(request);
	if ('refusedLogin' in sent) return false;
	if ('code' in sent) {
		return NEVER_SENT.has(sent.code) || (harmless && ![TOO_LARGE, 'ERR_CANCELED'].includes(sent.code));
	}
	return harmless && PASSING_FAULTS.has(sent.answer.status);
}
