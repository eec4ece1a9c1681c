import { retrying } from './retry';
import type { Send, Waiting } from './send';
import { inSession, type SessionAccess } from './session';
import { withinRateLimit, type Throttle } from './throttle';

/**
 * The way of a request. Each part makes a `Send`, does one thing, and calls the next part:
 *
 * - `retrying` (retry.ts) sends it again after a failure, as the retry policy says.
 * - `withinRateLimit` (throttle.ts) waits for the rate limit, and sends it again if the limit refused it.
 * - `inSession` (session.ts) logs in again if the session has expired. If the response can't show that, a second request
 *   does. All this takes one permit of the rate limit.
 * - `overHttp` (http.ts) sends it once, through n8n. `classify` (classify.ts) judges what came back. Around it, the client
 *   notes the secrets of the credential, which a login may have changed.
 *
 * It is made for each request, which keeps its place in the queue of the rate limit. `access` is left out for services
 * without sessions.
 */
export const pipeline = (
	waiting: Waiting,
	throttle: Throttle,
	access: SessionAccess | undefined,
	overHttp: Send,
): Send =>
	retrying(waiting, withinRateLimit(throttle, waiting, access ? inSession(access, overHttp) : overHttp));
