import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { isRecord } from '../values';

/** Either of n8n's two errors. */
export type Failure = NodeApiError | NodeOperationError;

/** The causes of failures that n8n's back-off for polls distinguishes. */
export type Cause =
	'rate-limited' | 'temporarily-unavailable' | 'credential-invalid' | 'configuration-invalid';

export interface FailureDetails {
	message: string;
	description?: string;
	/** HTTP status or network error code. */
	code?: string;
	cause?: Cause;
	retryAfterMs?: number;
	itemIndex?: number;
	/** The response says neither that the request succeeded nor that it failed. */
	unclear?: boolean;
	/** The service may have carried out the request. `apiError` adds that to the description. */
	inDoubt?: boolean;
	/** This host doesn't have the endpoint, though others may. */
	notOffered?: boolean;
}

/** The description of an error in doubt begins with this. */
const MAY_BE_DONE =
	'The service may have carried out the request. Check there before you run this item again.';

/** Makes the error for a failed request or response. */
export function apiError(node: INode, failure: FailureDetails): NodeApiError {
	const { message, description = '', code, cause, retryAfterMs, itemIndex } = failure;
	const { inDoubt = false, notOffered = false } = failure;
	const options = {
		message,
		description: inDoubt ? sentences(MAY_BE_DONE, description) : description,
		...(code && { httpCode: code }),
		...(itemIndex !== undefined && { itemIndex }),
		...(cause && { failure: { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) } }),
	};
	const error = new NodeApiError(node, { message } satisfies JsonObject, options);
	// For network errors, n8n replaces the message by a general sentence.
	error.message = message;
	Object.assign(marksOf(error), { inDoubt, notOffered });
	return error;
}

/** Whether a result is a failure. */
export const isFailure = (result: object): result is Failure => result instanceof Error;

/** What this package adds to the `context` of n8n's errors. */
type Marks = Pick<FailureDetails, 'inDoubt' | 'notOffered'>;

const marksOf = ({ context }: Failure): Marks => context as Marks;

/** Whether the service may have carried out the failed request. */
export const isInDoubt = (failure: Failure): boolean => marksOf(failure).inDoubt === true;

/** Adds to a failure that the service may have carried out part of the request. */
export function markInDoubt<Kind extends Failure>(failure: Kind): Kind {
	if (isInDoubt(failure)) return failure;
	failure.description = sentences(MAY_BE_DONE, failure.description ?? '');
	marksOf(failure).inDoubt = true;
	return failure;
}

/** Marks a failure as `notOffered`. */
export function markNotOffered(failure: NodeApiError): NodeApiError {
	marksOf(failure).notOffered = true;
	return failure;
}

/** Joins sentences into one text; blank ones are left out. */
export const sentences = (...texts: string[]): string =>
	texts
		.filter((text) => text !== '')
		.map((text) => (/[.!?:]$/.test(text) ? text : `${text}.`))
		.join(' ');

/** Makes the error for invalid input. */
export const inputError = (node: INode, message: string, description: string, itemIndex?: number) =>
	new NodeOperationError(node, message, { description, ...(itemIndex !== undefined && { itemIndex }) });

/** Turns a thrown value into one of n8n's two errors. */
export function failureOf(node: INode, error: unknown, itemIndex?: number): Failure {
	if (error instanceof Error && ['NodeApiError', 'NodeOperationError'].includes(error.name)) {
		return error as Failure;
	}
	return new NodeOperationError(node, error as Error, { itemIndex });
}

/** The status of the response to a failed request; NaN if there was none. */
export const statusOf = (error: unknown): number => (isRecord(error) ? Number(error.httpCode ?? NaN) : NaN);

/** Why a request failed, in n8n's terms; undefined if unknown. */
function causeOf(error: unknown): Cause | undefined {
	if (!isRecord(error)) return undefined;
	if (isRecord(error.failure)) return error.failure.cause as Cause;
	const status = statusOf(error);
	if (status === 429) return 'rate-limited';
	return status >= 500 ? 'temporarily-unavailable' : undefined;
}

export const isRateLimited = (error: unknown): boolean => causeOf(error) === 'rate-limited';

/** Whether a later try is likely to succeed. */
export const isTransient = (error: unknown): boolean =>
	isRateLimited(error) || causeOf(error) === 'temporarily-unavailable';

/** Whether the response was a server error. The request itself may be its cause. */
export const isServerFailure = (error: unknown): boolean => statusOf(error) >= 500;

/** Whether the service may have failed at this request only. If it is down or overloaded, it responds with other codes. */
export const isInternalError = (error: unknown): boolean => statusOf(error) === 500;

/** Whether the service itself refused the request, and would refuse a retry, too. */
export const isRefusal = (error: unknown): boolean => {
	const status = statusOf(error);
	return causeOf(error) === undefined && status >= 200 && status < 500;
};

/** The error with its cause, which n8n's back-off for polls reads. */
export function withCause(error: unknown, node: INode): unknown {
	const cause = causeOf(error);
	const lacksCause = cause !== undefined && isRecord(error) && error.failure === undefined;
	return lacksCause ? new NodeApiError(node, error as JsonObject, { failure: { cause } }) : error;
}
