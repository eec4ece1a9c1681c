/** The messages for failures between a node and its service, and the codes of failures without a response. */
import type { ApiResponse, ApiRequest } from '../api-types';
import type { FailureDetails } from './errors';
import { capitalized, inSentence, quoted } from '../values';

/** The response is larger than `MAX_RESPONSE_BYTES`. */
export const TOO_LARGE = 'TOO_LARGE';
/** The response is cut off or can't be decompressed. */
export const UNREADABLE = 'UNREADABLE';
/** The request did not end within the credential's Timeout. */
export const TIMED_OUT = 'ETIMEDOUT';
/** The request was not sent, because the login was refused, failed for now, took too long, or met a ban. */
export const LOGIN_REFUSED = 'LOGIN_REFUSED';
export const LOGIN_UNAVAILABLE = 'LOGIN_UNAVAILABLE';
export const LOGIN_TIMED_OUT = 'LOGIN_TIMED_OUT';
export const LOGIN_BANNED = 'LOGIN_BANNED';
/** n8n itself blocks the address (`N8N_SSRF_PROTECTION_ENABLED`). */
export const BLOCKED_BY_N8N = 'BLOCKED_BY_N8N';
/** n8n aborted the request, because the execution was cancelled. */
export const ABORTED = 'ERR_CANCELED';

/** Codes after which nothing was sent: there was no connection, or no login. */
const NEVER_SENT: ReadonlySet<string> = new Set([
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
	...[LOGIN_REFUSED, LOGIN_UNAVAILABLE, LOGIN_TIMED_OUT, LOGIN_BANNED, BLOCKED_BY_N8N],
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

/** The maximum size of a response, after decompression. Useful lists are far smaller. */
export const MAX_RESPONSE_BYTES = 32 * 2 ** 20;

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
		'Enter it with http:// or https:// and without user name, password, question mark or #, for example https://links.example.com',
	class: 'misconfigured',
};

export const noZone = (zone: string): FailureDetails => ({
	message: `There is no time zone ${quoted(zone)}`,
	description: 'Correct the Time Zone of the credential: a name such as Europe/Berlin, or UTC',
	class: 'misconfigured',
});

/** A hint if the host returns a future date for a past event. */
export const clockAhead = (zone: string): string =>
	`The host returns dates in the future: its time zone is not ${zone}. Set the Time Zone of the credential`;

export const forbiddenDomain = (base: string): FailureDetails => ({
	message: `The credential may not be used with ${new URL(base).hostname}`,
	description: 'Its Allowed Domains do not include the host of its own Base URL. Add the host there.',
	class: 'misconfigured',
});

/** A redirect was not followed. */
export function redirection(response: ApiResponse, { redirectAdvice }: ApiRequest): FailureDetails {
	const { location } = response.headers;
	const target =
		typeof location === 'string' && URL.canParse(location) ? new URL(location).origin : undefined;
	return {
		message: `The service redirects to another address${target ? `: ${target}` : ''}`,
		description:
			redirectAdvice ??
			'The credential is not sent to another address. Enter the address to which it redirects as the Base URL of the credential.',
		class: 'misconfigured',
	};
}

/** Up to so many labels, the advice after a refusal lists what to check. */
const MOST_LABELS = 8;

/**
 * The service refused a request. `words` are its own; blank if it gave no reason. `named` are the labels of the parameters
 * that they mention. `advice` says what to do; by default, to check these parameters, or all that were sent.
 */
export function refusal(
	service: string,
	{ action, labels = {}, isCustom }: Pick<ApiRequest, 'action' | 'labels' | 'isCustom'>,
	{ words, named = [], advice }: { words: string; named?: string[]; advice?: string },
): FailureDetails {
	const what = action === undefined || isCustom ? 'the request' : `to ${inSentence(action)}`;
	const because = named.length > 0 ? ` because of ${listed(named)}` : '';
	const reason = words === '' ? 'It gave no reason' : `It says: “${shortened(words)}”`;
	const sent = Object.values(labels);
	const suspects = named.length > 0 ? named : sent.length > MOST_LABELS ? [] : sent;
	return {
		message: `${capitalized(service)} refused ${what}${because}. ${reason}`,
		description: advice ?? (suspects.length > 0 ? `Check ${listed(suspects)}.` : ''),
	};
}

const MOST_CHARACTERS = 1000;
const shortened = (words: string): string =>
	words.length > MOST_CHARACTERS ? `${words.slice(0, MOST_CHARACTERS)}…` : words;

/** `A`, `A and B`, `A, B and C`. */
const listed = (names: readonly string[]): string =>
	[names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');

/** The rate limit refused a request. */
export const rateLimited = (service: string): FailureDetails => ({
	message: `The rate limit of ${service} is used up`,
	class: 'rateLimited',
});

/** The rate limit opens in `opensIn` milliseconds, after the request's maximum wait. `now` is epoch milliseconds. */
export function waitTooLong({
	service,
	opensIn,
	now,
	maxWaitMs,
	isRetry,
	advice = '',
}: {
	service: string;
	opensIn: number;
	now: number;
	maxWaitMs: number;
	isRetry: boolean;
	advice?: string;
}): FailureDetails {
	const seconds = Math.max(Math.ceil(opensIn / 1000), 1);
	return {
		message: `The rate limit of ${service} is used up: try again after ${new Date(now + opensIn).toISOString()} (in ${seconds} s)`,
		description: `That is longer than this request may wait (${Math.round(maxWaitMs / 1000)} s). It was not sent${isRetry ? ' again' : ''}.${advice && ` ${advice}`}`,
		code: '429',
		class: 'rateLimited',
		retryAfterMs: Math.max(opensIn, 0),
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
	[UNREADABLE]: 'the response could not be read',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** The request got no response. */
export function unreachable(service: string, base: string, code: string): FailureDetails {
	const { host } = new URL(base);
	if (CERTIFICATE.test(code)) {
		return {
			message: `No connection to ${service} at ${host}: ${NETWORK_REASONS[code] ?? 'its certificate is not trusted'} (${code})`,
			description:
				'Nothing was sent. If you trust this server, turn on Ignore SSL Issues (Insecure) in the credential, or give n8n the certificate with NODE_EXTRA_CA_CERTS.',
			class: 'misconfigured',
		};
	}
	if (PROTOCOL.test(code)) {
		return {
			message: `No connection to ${service} at ${host}: the server does not use HTTPS at this address (${code})`,
			description:
				'Nothing was sent. Check the port in the Base URL of the credential, or begin it with http://.',
			class: 'misconfigured',
		};
	}
	return {
		message: `No response from ${service} at ${host}: ${NETWORK_REASONS[code] ?? code}`,
		description: 'Check the Base URL of the credential and that the service runs.',
		class: 'unavailable',
	};
}

/** The response exceeded the size limit. */
export const responseTooLarge = (service: string, path: string): FailureDetails => ({
	message: `${capitalized(service)} responded to ${path} with more than ${MAX_RESPONSE_BYTES / 2 ** 20} MB`,
	class: 'refused',
	description: 'The response was not used. Request less at once, for example with a lower limit.',
});

/** The response does not follow the service's API. `what` describes it. */
export const unexpectedResponse = (
	service: string,
	{ path, isCustom = false }: Pick<ApiRequest, 'path' | 'isCustom'>,
	what: string,
): FailureDetails => ({
	message: `${capitalized(service)} responded to ${path} with ${what}`,
	description: `This is not a response of its API. Check the ${isCustom ? 'Path' : 'Base URL of the credential'}, and whether a proxy or a login page answers.`,
	unclear: true,
});

/** Describes an unexpected response in a few words. */
export function looksLike(response: ApiResponse): string {
	const status = `status ${response.status}`;
	if (response.text.trim() === '') return `an empty body (${status})`;
	if (/^\s*<(!doctype|html|\?xml|[a-z])/i.test(response.text))
		return `a web page instead of JSON (${status})`;
	if (response.json !== undefined) return `JSON in an unexpected format (${status})`;
	return /^\s*[[{]/.test(response.text) ? `incomplete JSON (${status})` : `text instead of JSON (${status})`;
}

/** The login failed for now: this says nothing about the credential. */
export const loginUnavailable = (service: string, reason: string): FailureDetails => ({
	message: `The login to ${service} does not work at the moment: ${reason}`,
	description: 'The request was not sent. The next run or poll logs in again.',
	code: LOGIN_UNAVAILABLE,
	class: 'unavailable',
});

/** The service refused the login. `words` say why. */
export const loginRefused = (service: string, words: string): FailureDetails => ({
	message: `The login to ${service} failed: ${words}`,
	description:
		'Check the credential: its user name and password, or reconnect it. The login is not tried again at once.',
	code: LOGIN_REFUSED,
	class: 'loginRefused',
});

/** The login worked, but the next response is not from a session. */
export const sessionNotKept = (service: string, request: ApiRequest): FailureDetails => ({
	message: `${capitalized(service)} does not accept the session for ${request.path}, though the login worked`,
	description:
		'Check the Base URL of the credential, whether the service accepts cookies at this address, or reconnect it. The response was not used.',
	class: 'sessionExpired',
});
