import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import type { Cause } from './errors';
import { isRecord } from '../values';

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

/** Whether the service failed at just this: one that is away or overloaded is told otherwise. */
export const isInternalError = (error: unknown): boolean => isRecord(error) && error.httpCode === '500';

/** Whether the service itself said no to the request, and will say so again. */
export const isRefusal = (error: unknown): boolean => {
	const status = isRecord(error) ? Number(error.httpCode) : NaN;
	return causeOf(error) === undefined && status >= 200 && status < 500;
};

/** The error with its cause told, so that n8n's own back-off understands it. */
export function withCause(error: unknown, node: INode): unknown {
	const cause = causeOf(error);
	const isUnexplained = cause !== undefined && isRecord(error) && error.failure === undefined;
	return isUnexplained ? new NodeApiError(node, error as JsonObject, { failure: { cause } }) : error;
}
