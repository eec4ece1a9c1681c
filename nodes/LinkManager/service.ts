import type { ApiResponse, ApiRequest, FailureDetails } from '../runtime/api-types';
import { zoneOf } from '../runtime/credential';
import type { Service } from '../runtime/transport/service';
import { contains, isBlank, isRecord, textsIn } from '../runtime/values';
import { classOfStatus, refusal, withoutAnswer } from '../runtime/errors/messages';
import { apiKeyOf } from './api-key';
import { table } from './resources';

/**
 * The link management service: requests and responses are JSON. `error` = 0 in the body means success, whatever the
 * status (interface document, Errors). `error` can be a string (seen in the wild).
 */
export const linkManager: Service = {
	name: 'the link management service',
	table,
	credentialType: () => 'linkManagerApi',
	secrets: (credential) => [apiKeyOf(credential)],
	identity: (credential) => ({ names: [], secrets: [apiKeyOf(credential)] }),
	zone: zoneOf,
	encode: (body) => ({
		headers: { accept: 'application/json', 'content-type': 'application/json' },
		...(body && { body: JSON.stringify(body) }),
	}),
	errorIn,
};

function errorIn(response: ApiResponse, request: ApiRequest): FailureDetails | undefined {
	const { json, status } = response;
	const code = isRecord(json) ? errorNumber(json.error) : undefined;
	// The service may refuse with JSON instead of a file.
	if (request.accepts === 'anything' && (code === undefined || code === 0)) {
		return status < 300 ? undefined : withoutAnswer(linkManager.name, request, response);
	}
	const isListRead = request.isCustom && request.method === 'GET' && status < 300 && Array.isArray(json);
	if (isListRead) return undefined;
	if (!isRecord(json)) return withoutAnswer(linkManager.name, request, response);
	if (code === 0) return undefined;
	if (code === undefined && request.method === 'GET' && response.status < 300) return undefined;
	const words = textsIn(isBlank(json.message) && Number.isNaN(code) ? json.error : json.message).join(' ');
	if (code === undefined && words === '') return withoutAnswer(linkManager.name, request, response);
	// Some hosts refuse everything with the same status. They may repeat a name that has these words.
	const saysKey = contains(words, 'API key') && !contains(request.body, 'API key');
	const isAboutKey = code !== undefined && status < 500 && saysKey;
	if (status === 401 || status === 403 || isAboutKey) {
		const advice = 'Check the API key of the credential, and that its account may do this.';
		return refusal(linkManager.name, request, { words, advice, class: 'loginRefused' });
	}
	// A web server calls an unknown address `Not Found`, where the service has a number.
	if (code === undefined || (status === 404 && Number.isNaN(code))) {
		return status === 404 && !request.isCustom ? noService(words) : withoutVerdict(words);
	}
	const named = labelsIn(json.message, words, request);
	return refusal(linkManager.name, request, { words, class: classOfStatus(status), named });
}

/** A web server without the service has no such address. */
const noService = (words: string): FailureDetails => ({
	message: `There is no link management service at the Base URL of the credential. The server says: “${words}”`,
	description: 'Check the Base URL. If it ends with /api, leave that out.',
	unclear: true,
});

/** The response has a message, but does not say whether the request succeeded. */
const withoutVerdict = (words: string): FailureDetails => ({
	message: `The link management service does not say whether the request succeeded. It says: “${words}”`,
	unclear: true,
});

/** `error` as a number: NaN if it is a reason instead; undefined if the body has none. */
function errorNumber(error: unknown): number | undefined {
	if (isBlank(error)) return undefined;
	return typeof error === 'object' ? NaN : Number(error);
}

/** How the service's messages name a field: `the **custom** …`, `the custom field …`, `the field custom …`. */
const NAMED_FIELDS = [/\*\*(\w+)\*\*/g, /\b(\w+) field\b/g, /\bfield (\w+)\b/g];

/** The labels in the form of the fields that a message names, in its words or as the keys of its texts. */
function labelsIn(message: unknown, words: string, { labels = {} }: ApiRequest): string[] {
	const keys = isRecord(message) ? Object.keys(message) : [];
	const named = NAMED_FIELDS.flatMap((pattern) => [...words.matchAll(pattern)]).map(([, name = '']) => name);
	return [...new Set([...keys, ...named].flatMap((name) => labels[name] ?? []))];
}
