/**
 * The way of a request. Each part makes a `Send`, does one thing, and calls the next part:
 *
 *     retrying( withinRateLimit( inSession( overHttp )))
 *
 * - `retrying` (retry.ts) sends it again after a failure, as the retry policy says.
 * - `withinRateLimit` (throttle.ts) waits for the rate limit, and sends it again if the limit refused it.
 * - `inSession` (session.ts) logs in again if the session has expired. It is within the rate limit, so that the first
 *   request of a run finds that out before the others are sent.
 * - `overHttp` (http.ts) sends it once, through n8n. `classify` (classify.ts) judges what came back.
 *
 * `Client` (client.ts) builds it for each request. Around `overHttp`, it notes the secrets of the credential, which a login
 * may have changed.
 */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { ApiRequest, ApiResponse } from '../api-types';
import type { FailureDetails } from '../errors/errors';

/** A request, and the credential to send it with. */
export interface Outgoing extends ApiRequest {
	credential: ICredentialDataDecryptedObject;
	/** n8n logs in before it sends the request. */
	logsIn?: boolean;
}

/** A successful response; or a failure, with the response that shows it if there was one. */
export type Reply =
	{ response: ApiResponse; failure?: undefined } | { failure: FailureDetails; response?: ApiResponse };

export type Send = (request: Outgoing) => Promise<Reply>;

export interface Waiting {
	readonly service: string;
	/** How long the request may wait for the rate limit, in milliseconds. */
	readonly maxWaitMs: number;
	/** How the user can change that. */
	readonly advice?: string;
	/** Ends the wait if the execution is cancelled. */
	readonly signal?: AbortSignal;
	/** Called before each wait for the rate limit with its length in milliseconds. */
	onWait?(ms: number): void;
}
