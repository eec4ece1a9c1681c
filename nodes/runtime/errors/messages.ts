/** The failures between a node and its service, and the codes of those without a response. */
import type { ApiResponse, ApiRequest, FailureClass, FailureDetails } from '../api-types';
import { capitalized, causesOf, inSentence, quoted, textsIn } from '../values';

/** The request did not end within the credential's Timeout. */
export const TIMED_OUT = 'ETIMEDOUT';
/** The request was not sent, because the login failed, or took too long. */
export const LOGIN_FAILED = 'LOGIN_FAILED';
export const LOGIN_TIMED_OUT = 'LOGIN_TIMED_OUT';
/** A proxy between n8n and the service did not pass on the request: it asks for a user name and password. */
export const PROXY_LOGIN = '407';
/** n8n aborted the request, because the execution was cancelled. */
export const ABORTED = 'ERR_CANCELED';

/** Codes after which the service received nothing: there was no connection, or no login. */
const NEVER_SENT: ReadonlySet<string> = new Set([
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
	...[LOGIN_FAILED, LOGIN_TIMED_OUT, PROXY_LOGIN],
]);
/** Codes of Node.js for a certificate that is not accepted. */
const CERTIFICATE =
	/^(?:CERT_|CRL_|ERROR_IN_C|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$|PATH_LENGTH_EXCEEDED$)/;
/** Codes of Node.js for a server that speaks no TLS, or not the same version of it. */
const PROTOCOL =
	/^(?:EPROTO$|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNSUPPORTED_PROTOCOL|\w*HANDSHAKE_FAILURE|\w*PROTOCOL_VERSION|\w*UNRECOGNIZED_NAME)$)/;

/** Whether a request with this network error certainly never reached the service. */
export const wasNeverSent = (code: string): boolean =>
	NEVER_SENT.has(code) || CERTIFICATE.test(code) || PROTOCOL.test(code);

/** n8n recognizes a cancelled execution by the spelling of this message. */
export const CANCELLED: FailureDetails = {
	message: 'The execution was canceled',
	description: 'Nothing more was sent.',
	class: 'cancelled',
};

/** Does not repeat the address, because it may contain a secret. */
export const NO_BASE_URL: FailureDetails = {
	message: 'The Base URL of the credential is not a plain web address',
	description:
		'Enter it with https:// (or http:// in your own network) and without user name, password, question mark or #, for example https://links.example.com',
	class: 'misconfigured',
};

export const noZone = (zone: string): FailureDetails => ({
	message: `There is no time zone ${quoted(zone)}`,
	description: 'Correct the Time Zone of the credential: a name such as Europe/Berlin, or UTC',
	class: 'misconfigured',
});

export const forbiddenDomain = (base: string): FailureDetails => ({
	message: `The credential may not be used with ${new URL(base).hostname}`,
	description: 'Its Allowed Domains do not include the host of its own Base URL. Add the host there.',
	class: 'misconfigured',
});

/** A redirect that was not followed: to another origin, or one that would make a write a GET, or one of too many. */
export function redirection(
	{ redirect }: ApiResponse,
	base: string,
	{ redirectAdvice, isCustom }: ApiRequest,
): FailureDetails {
	const isElsewhere = redirect?.origin !== new URL(base).origin;
	const where = isElsewhere ? redirect?.origin : redirect?.pathname;
	const byDefault = isElsewhere
		? 'The credential is not sent to another address. If the service moved there, enter that address as the Base URL of the credential.'
		: `Check the ${isCustom ? 'Path' : 'path in the Base URL of the credential'}.`;
	return {
		message: `The service redirects to another address${where ? `: ${where}` : ''}`,
		description: redirectAdvice ?? `${byDefault} If a login page stands there, let n8n past it.`,
		class: 'misconfigured',
	};
}

/** The class of a failure, as far as the status says it. */
export function classOfStatus(status: number): FailureClass {
	if (status === 500) return 'failed';
	return status > 500 || status === 408 ? 'unavailable' : 'refused';
}

/** What a request does, such as `to create a short link`; undefined if only the user knows. */
const taskOf = ({ action, isCustom }: Pick<ApiRequest, 'action' | 'isCustom'>): string | undefined =>
	action === undefined || isCustom ? undefined : `to ${inSentence(action)}`;

/** If a request sends more parameters than this, the advice after a refusal does not list them. */
const MOST_LABELS = 8;

/**
 * The service refused a request. `words` are its own; blank if it gave no reason. `named` are the labels of the parameters
 * that they mention. `advice` says what to do; by default, to check these parameters, or all that were sent. The `class`
 * says whether it refused the request or failed.
 */
export function refusal(
	service: string,
	{ action, labels = {}, isCustom }: Pick<ApiRequest, 'action' | 'labels' | 'isCustom'>,
	{
		words,
		named = [],
		advice,
		class: failureClass,
	}: { words: string; named?: string[]; advice?: string; class: FailureClass },
): FailureDetails {
	const failed = failureClass === 'failed' || failureClass === 'unavailable';
	const what = taskOf({ action, isCustom }) ?? `${failed ? 'at ' : ''}the request`;
	const because = named.length > 0 ? ` because of ${listed(named)}` : '';
	const reason = words === '' ? 'It gave no reason' : `It says: “${words}”`;
	const sent = [...new Set(Object.values(labels))];
	// Some services fail at a value that they don't know, and say nothing.
	const maySuspect = !failed || (failureClass === 'failed' && words === '');
	const suspects = named.length > 0 ? named : maySuspect && sent.length <= MOST_LABELS ? sent : [];
	const byDefault =
		failureClass === 'unavailable' ? 'It, or a proxy before it, fails at the moment: try again later.' : '';
	return {
		message: `${capitalized(service)} ${failed ? 'failed' : 'refused'} ${what}${because}. ${reason}`,
		description: advice ?? (suspects.length > 0 ? `Check ${listed(suspects)}.` : byDefault),
		class: failureClass,
	};
}

const listed = (names: readonly string[]): string =>
	[names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');

export const rateLimited = (service: string): FailureDetails => ({
	message: `The rate limit of ${service} is used up`,
	class: 'rateLimited',
});

/** The rate limit opens in `opensIn` milliseconds, after the request's maximum wait. */
export function waitTooLong(
	{ service, maxWaitMs, advice = '' }: { service: string; maxWaitMs: number; advice?: string },
	opensIn: number,
): FailureDetails {
	return {
		message: `The rate limit of ${service} is used up: try again in ${Math.ceil(opensIn / 1000)} s`,
		description: `With that, this request would wait longer in all than it may (${Math.round(maxWaitMs / 1000)} s).${advice && ` ${advice}`}`,
		code: '429',
		class: 'rateLimited',
		retryAfterMs: opensIn,
	};
}

/** A write needs a credential that is not read-only. */
export const readOnly = ({ method, path }: ApiRequest): FailureDetails => ({
	message: 'This credential is read-only',
	description: `${method} ${path} changes something and was not sent. Turn off Read Only in the credential to allow it.`,
	class: 'misconfigured',
});

const NETWORK_REASONS: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'the host name is unknown',
	EAI_AGAIN: 'the host name could not be looked up',
	ECONNRESET: 'the connection was closed before a response',
	ECONNABORTED: 'no response in time',
	[TIMED_OUT]: 'no response in time',
	[PROXY_LOGIN]: 'a proxy asks for a user name and password',
	ERR_BAD_RESPONSE: 'the response was cut off',
	Z_DATA_ERROR: 'the response could not be decompressed',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

export function unreachable(service: string, base: string, code: string): FailureDetails {
	const { host } = new URL(base);
	if (CERTIFICATE.test(code)) {
		return {
			message: `No connection to ${service} at ${host}: ${NETWORK_REASONS[code] ?? 'its certificate is not trusted'} (${code})`,
			description:
				'Nothing was sent. If you trust this server, turn on Ignore SSL Issues (Insecure) in the credential. For a self-signed certificate or one of your own authority, NODE_EXTRA_CA_CERTS of n8n is safer.',
			class: 'misconfigured',
		};
	}
	if (PROTOCOL.test(code)) {
		return {
			message: `No connection to ${service} at ${host}: the server does not use HTTPS at this address, or only in a way that n8n refuses (${code})`,
			description:
				'Nothing was sent. Check the port in the Base URL of the credential. Begin it with http:// only if the server has no HTTPS: nothing is encrypted then.',
			class: 'misconfigured',
		};
	}
	return {
		message: `No response from ${service} at ${host}: ${NETWORK_REASONS[code] ?? code}`,
		description: 'Check the Base URL of the credential, that the service runs, and any proxy of n8n.',
		class: 'unavailable',
	};
}

/** The request and the status of its response, for the details of an error. */
export const exchangeIn = (
	{ method, path }: Pick<ApiRequest, 'method' | 'path'>,
	{ status }: Pick<ApiResponse, 'status'>,
): string => `${method} ${path} (status ${status})`;

/** The response does not follow the service's API. `what` describes it. */
export function unexpectedResponse(service: string, request: ApiRequest, what: string): FailureDetails {
	const task = taskOf(request);
	const check = request.accepts ? 'Check' : 'If you expected it, set Result to File. Otherwise, check';
	return {
		message: `${capitalized(service)} responded with ${what}${task === undefined ? '' : ` when asked ${task}`}`,
		description: `${request.isCustom ? `${check} the Path` : 'This is not a response of its API. Check the Base URL of the credential'}, and whether a proxy or a login page answers.`,
		unclear: true,
	};
}

/** The response is not one of the service's API: the service failed, or something else answers. */
export const withoutAnswer = (service: string, request: ApiRequest, response: ApiResponse): FailureDetails =>
	response.status >= 500
		? { ...refusal(service, request, { words: '', class: classOfStatus(response.status) }), unclear: true }
		: unexpectedResponse(service, request, looksLike(response, request));

/** Describes an unexpected response in a few words. */
export function looksLike(response: ApiResponse, { accepts }: Pick<ApiRequest, 'accepts'> = {}): string {
	if (accepts) return `status ${response.status}`;
	if (response.text.trim() === '') return 'an empty body';
	if (/^\s*<(!doctype|html|\?xml|[a-z])/i.test(response.text)) return 'HTML or XML instead of JSON';
	if (response.json !== undefined) return 'JSON in an unexpected format';
	return /^\s*[[{]/.test(response.text) ? 'incomplete JSON' : 'text instead of JSON';
}

/** The login failed for now: this says nothing about the credential. */
export const loginUnavailable = (service: string, reason: string, code = LOGIN_FAILED): FailureDetails => ({
	message: `The login to ${service} does not work: ${reason}`,
	description: 'The request was not carried out. The next run or poll logs in again.',
	code,
	class: 'unavailable',
});

/** The failure if n8n itself blocked the address (`N8N_SSRF_PROTECTION_ENABLED`). */
export function blockedByN8n(error: unknown): FailureDetails | undefined {
	const block = causesOf(error).find(({ name }) => String(name).startsWith('SsrfBlocked'));
	if (!block) return undefined;
	const [message = '', description = ''] = textsIn([block.message, block.description]);
	return { message, description, code: 'BLOCKED_BY_N8N', class: 'misconfigured' };
}

/** The service refused the login. `words` say why. */
export const loginRefused = (service: string, words: string): FailureDetails => ({
	message: `The login to ${service} failed: ${words}`,
	description:
		'Check the credential: its user name and password, or its client ID and secret, or reconnect it. The login is not tried again at once.',
	code: LOGIN_FAILED,
	class: 'loginRefused',
});

/** The login worked, but the next response is not from a session. */
export const sessionNotKept = (service: string): FailureDetails => ({
	message: `${capitalized(service)} does not accept the session, though the login worked`,
	description:
		'Check the Base URL of the credential, whether the service accepts cookies at this address, or reconnect it. The response was not used.',
	class: 'sessionExpired',
});
