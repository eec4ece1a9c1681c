import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { isRecord } from '../values';

/** Either of n8n's two errors. */
export type Failure = NodeApiError | NodeOperationError;

/** What n8n's poll back-off understands of a failure. */
export type Cause =
	'rate-limited' | 'temporarily-unavailable' | 'credential-invalid' | 'configuration-invalid';

export interface ApiFailure {
	message: string;
	description?: string;
	/** HTTP status or network error code. */
	code?: string;
	cause?: Cause;
	retryAfterMs?: number;
	itemIndex?: number;
	/** The response shows neither success nor failure. */
	unclear?: boolean;
	/** The service may have done what was asked; the description says so. */
	inDoubt?: boolean;
}

/** Said where nobody can know whether a request that changes something was carried out. */
const MAY_BE_DONE = 'The service may have done what was asked. Look there before you run this item again.';

/** The one error for what a service did or didn't do. */
export function apiError(node: INode, failure: ApiFailure): NodeApiError {
	const { message, description = '', code, cause, retryAfterMs, itemIndex, inDoubt = false } = failure;
	const options = {
		message,
		description: inDoubt ? sentences(MAY_BE_DONE, description) : description,
		...(code && { httpCode: code }),
		...(itemIndex !== undefined && { itemIndex }),
		...(cause && { failure: { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) } }),
	};
	const error = new NodeApiError(node, { message } satisfies JsonObject, options);
	// Where a network error is named, n8n puts a general sentence in the place of the message.
	error.message = message;
	error.context.inDoubt = inDoubt;
	return error;
}

/** Whether the service may have done what failed. */
export const isInDoubt = (failure: Failure): boolean => failure.context.inDoubt === true;

/** Says of a failure, too, that the service may have done a part of what was asked. */
export function markInDoubt(failure: Failure): Failure {
	if (isInDoubt(failure)) return failure;
	failure.description = sentences(MAY_BE_DONE, failure.description ?? '');
	failure.context.inDoubt = true;
	return failure;
}

/** Several sentences as one text; what is blank is left out. */
export const sentences = (...texts: string[]): string =>
	texts
		.filter((text) => text !== '')
		.map((text) => (/[.!?:]$/.test(text) ? text : `${text}.`))
		.join(' ');

/** The one error for what the user's own input makes impossible. */
export const inputError = (node: INode, message: string, description: string, itemIndex?: number) =>
	new NodeOperationError(node, message, { description, ...(itemIndex !== undefined && { itemIndex }) });

/** Whatever was thrown, as one of n8n's two errors. */
export function failureOf(node: INode, error: unknown, itemIndex?: number): Failure {
	if (error instanceof Error && ['NodeApiError', 'NodeOperationError'].includes(error.name)) {
		return error as NodeApiError;
	}
	return new NodeOperationError(node, error as Error, { itemIndex });
}

/** Why a request failed, in n8n's terms; undefined if that is not known. */
function causeOf(error: unknown): Cause | undefined {
	if (!isRecord(error)) return undefined;
	if (isRecord(error.failure)) return error.failure.cause as Cause;
	const status = Number(error.httpCode);
	if (status === 429) return 'rate-limited';
	return status >= 500 ? 'temporarily-unavailable' : undefined;
}

export const isRateLimited = (error: unknown): boolean => causeOf(error) === 'rate-limited';

/** Whether a failure is likely to be over by itself. */
export const isTransient = (error: unknown): boolean =>
	isRateLimited(error) || causeOf(error) === 'temporarily-unavailable';

/** Whether it was answered that the server failed, which may be at what was asked for. */
export const isServerFailure = (error: unknown): boolean => isRecord(error) && Number(error.httpCode) >= 500;

/** Whether the service failed at this request alone. A service that is down or overloaded has other codes. */
export const isInternalError = (error: unknown): boolean => isRecord(error) && error.httpCode === '500';

/** Whether the service itself said no to the request, and will say so again. */
export const isRefusal = (error: unknown): boolean => {
	const status = isRecord(error) ? Number(error.httpCode) : NaN;
	return causeOf(error) === undefined && status >= 200 && status < 500;
};

/** The error with its cause, which n8n's own back-off reads. */
export function withCause(error: unknown, node: INode): unknown {
	const cause = causeOf(error);
	const isUnexplained = cause !== undefined && isRecord(error) && error.failure === undefined;
	return isUnexplained ? new NodeApiError(node, error as JsonObject, { failure: { cause } }) : error;
}
