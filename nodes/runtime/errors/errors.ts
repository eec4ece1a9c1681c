import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

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
	/** The answer tells neither success nor failure. */
	unclear?: true;
}

/** The one error for what a service did or didn't do. */
export function apiError(node: INode, failure: ApiFailure): NodeApiError {
	const { message, description, code, cause, retryAfterMs, itemIndex } = failure;
	const options = {
		message,
		description: description ?? '',
		...(code && { httpCode: code }),
		...(itemIndex !== undefined && { itemIndex }),
		...(cause && { failure: { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) } }),
	};
	const error = new NodeApiError(node, { message } satisfies JsonObject, options);
	// Where a network error is named, n8n puts a general sentence in the place of the message.
	error.message = message;
	return error;
}

/** The one error for what the user's own input makes impossible. */
export const inputError = (node: INode, message: string, description: string, itemIndex?: number) =>
	new NodeOperationError(node, message, { description, ...(itemIndex !== undefined && { itemIndex }) });

/** Replaces every occurrence of a secret in a text. */
export const redacted = (text: string, secrets: readonly string[]): string =>
	secrets.reduce((clean, secret) => (secret.length > 0 ? clean.split(secret).join('***') : clean), text);

/** Replaces every occurrence of a secret in all texts of a JSON value. */
export function redactedDeep<Value>(value: Value, secrets: readonly string[]): Value {
	if (secrets.length === 0) return value;
	return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
		typeof member === 'string' ? redacted(member, secrets) : member,
	) as Value;
}
