import type { ApiResponse, ApiRequest } from '../runtime/api-types';
import { zoneOf } from '../runtime/credential';
import type { Service } from '../runtime/transport/service';
import type { FailureDetails } from '../runtime/errors/errors';
import { isRecord, toText } from '../runtime/values';
import { looksLike, unexpectedResponse } from '../runtime/errors/messages';
import { table } from './resources';

/**
 * The link management service: requests and responses are JSON. `error` = 0 in the body means success, whatever the
 * status (interface document, Errors). `error` can be a string (seen in the wild).
 */
export const linkManager: Service = {
	name: 'the link management service',
	table,
	credentialType: () => 'linkManagerApi',
	secrets: (credential) => [String(credential.apiKey ?? '')],
	identity: (credential) => [String(credential.apiKey ?? '')],
	zone: zoneOf,
	encode: (body) => ({
		headers: { accept: 'application/json', 'content-type': 'application/json' },
		...(body && { body: JSON.stringify(body) }),
	}),
	errorIn,
};

function errorIn(response: ApiResponse, request: ApiRequest): FailureDetails | undefined {
	const { json, status } = response;
	if (request.accepts === 'anything') {
		return status < 300 ? undefined : unexpectedResponse(linkManager.name, request, looksLike(response));
	}
	if (!isRecord(json)) return unexpectedResponse(linkManager.name, request, looksLike(response));
	const code = errorNumber(json.error);
	if (code === 0) return undefined;
	if (code === undefined && request.method === 'GET' && response.status < 300) return undefined;
	const message = withLabels(failureMessage(json), request);
	if (code === undefined && message === undefined) {
		return unexpectedResponse(linkManager.name, request, looksLike(response));
	}
	const keyRefused = response.status === 401 || response.status === 403;
	const sent = `${request.method} ${request.path} (status ${response.status})`;
	return {
		message: message ?? `The service refused the request (error ${toText(json.error)}) and gave no reason`,
		description: keyRefused
			? 'Check the API key of the credential, and that its account may do this.'
			: code === undefined
				? `The response to ${sent} does not say whether it worked.${status === 404 ? ' Check the Base URL of the credential.' : ''}`
				: `The service refused ${sent}.`,
		...(code === undefined && { unclear: true as const }),
		...(keyRefused && { class: 'loginRefused' as const }),
	};
}

/** `error` as a number; undefined if the body has none. */
function errorNumber(error: unknown): number | undefined {
	if (typeof error === 'string') return error.trim() === '' ? undefined : Number(error);
	return typeof error === 'number' || typeof error === 'boolean' ? Number(error) : undefined;
}

/** How the service's messages name a field: `the **custom** …`, `the custom field …`, `the field custom …`. */
const NAMED_FIELDS = [/\*\*(\w+)\*\*/g, /\b(\w+) field\b/g, /\bfield (\w+)\b/g];

/** Names the form's label after each field of the API: `The field **custom** (Alias) must be …`. */
const withLabels = (message: string | undefined, { labelOf }: ApiRequest): string | undefined =>
	NAMED_FIELDS.reduce(
		(labelled, pattern) =>
			labelled?.replace(pattern, (named, name: string) => {
				const label = labelOf?.(name);
				return label === undefined ? named : `${named} (${label})`;
			}),
		message,
	);

/** The service's message in one line: hosts send a text, a list of texts, or texts by field. Undefined if there is none. */
function failureMessage(json: Record<string, unknown>): string | undefined {
	const texts = [json.message]
		.flatMap((message) => (isRecord(message) ? Object.values(message) : message))
		.flat();
	const sentence = texts.filter((text) => typeof text === 'string' && text.trim() !== '').join(' ');
	return sentence === '' ? undefined : sentence;
}
