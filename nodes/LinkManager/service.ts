import { zoneOf } from '../runtime/credential';
import type { Answer, Request } from '../runtime/exchange';
import type { Service } from '../runtime/transport/service';
import type { ApiFailure } from '../runtime/errors/errors';
import { isRecord, toText } from '../runtime/values';
import { looksLike, unexpectedAnswer } from '../runtime/errors/messages';
import { table } from './resources';

/**
 * How the link management service speaks: JSON both ways, success told by `error` = 0 in the body
 * whatever the status (interface document, Errors; a string in some answers, seen in the wild in all).
 */
export const linkManager: Service = {
	name: 'the link management service',
	table,
	wholeRecordsSince: 1.1,
	credentialType: () => 'linkManagerApi',
	secrets: (credential) => [String(credential.apiKey ?? '')],
	identity: (credential) => [String(credential.apiKey ?? '')],
	zone: (credential, { typeVersion }) => (typeVersion < 1.1 ? undefined : zoneOf(credential)),
	encode: (body) => ({
		headers: { accept: 'application/json', 'content-type': 'application/json' },
		...(body && { body: JSON.stringify(body) }),
	}),
	refusal,
};

function refusal(answer: Answer, request: Request): ApiFailure | undefined {
	const { json, status } = answer;
	if (request.accepts === 'anything') {
		return status < 300 ? undefined : unexpectedAnswer(linkManager.name, request.path, looksLike(answer));
	}
	if (!isRecord(json)) return unexpectedAnswer(linkManager.name, request.path, looksLike(answer));
	const verdict = errorNumber(json.error);
	if (verdict === 0) return undefined;
	if (verdict === undefined && request.method === 'GET' && answer.status < 300) return undefined;
	const message = messageOf(json);
	if (verdict === undefined && message === undefined) {
		return unexpectedAnswer(linkManager.name, request.path, looksLike(answer));
	}
	const keyRefused = answer.status === 401 || answer.status === 403;
	const asked = `${request.method} ${request.path} (status ${answer.status})`;
	return {
		message: message ?? `The service refused the request (error ${toText(json.error)}) and gave no reason`,
		description: keyRefused
			? 'Check the API key of the credential, and that its account may do this.'
			: verdict === undefined
				? `The answer to ${asked} does not say whether it worked.`
				: `The service refused ${asked}.`,
		...(verdict === undefined && { unclear: true as const }),
		...(keyRefused && { cause: 'credential-invalid' as const }),
	};
}

/** The number that `error` stands for; undefined if there is no such indicator. */
function errorNumber(error: unknown): number | undefined {
	if (typeof error === 'string') return error.trim() === '' ? undefined : Number(error);
	return typeof error === 'number' || typeof error === 'boolean' ? Number(error) : undefined;
}

/** The reason as a sentence: hosts send a text, or texts by field. */
function messageOf(json: Record<string, unknown>): string | undefined {
	const texts = [json.message]
		.flatMap((message) => (isRecord(message) ? Object.values(message) : message))
		.flat();
	const sentence = texts.filter((text) => typeof text === 'string' && text.trim() !== '').join(' ');
	return sentence === '' ? undefined : sentence;
}
