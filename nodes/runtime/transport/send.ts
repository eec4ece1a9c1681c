/** What the parts of the pipeline (client.ts) pass to each other. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { ApiRequest, ApiResponse, FailureDetails } from '../api-types';

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
	/**
	 * How long the request may wait for the rate limit while it is first in the queue, and at most after a failure whose
	 * response asks for a wait, in milliseconds.
	 */
	readonly maxWaitMs: number;
	/** How the user can change that. */
	readonly advice?: string;
	/** Ends the wait if the execution is cancelled, or if the time limit of a poll ends. */
	readonly signal?: AbortSignal;
	/** Called before each part of a wait for the rate limit with the milliseconds left. */
	onWait?(ms: number): void;
}
