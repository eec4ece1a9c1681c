import type { Answer, Request } from '../exchange';
import type { ApiFailure } from './errors';
import { quoted } from '../values';

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The sentences for what can go wrong between a node and its service, worded once. */

/** In the spelling by which n8n tells a cancelled execution from a failed one. */
export const CANCELLED: ApiFailure = {
	message: 'The execution was canceled',
	description: 'Nothing more was sent.',
};

/** What was written is not repeated: it may hold a secret. */
export const noBaseUrl: ApiFailure = {
	message: 'The Base URL of the credential is not a plain web address',
	description:
		'Enter it with http:// or https:// and without user name, password, question mark or #, for example https://links.example.com',
	cause: 'configuration-invalid',
};

export const noZone = (zone: string): ApiFailure => ({
	message: `There is no time zone ${quoted(zone)}`,
	description: 'Correct the Time Zone of the credential: a name such as Europe/Berlin, or UTC',
	cause: 'configuration-invalid',
});

/** Told where something past is still to come by the host's clock. */
export const clockAhead = (zone: string): string =>
	`The host dates records later than now: its clock is not that of ${zone}. Set the Time Zone of the credential`;

export const forbiddenDomain = (base: string): ApiFailure => ({
	message: `The credential may not be used with ${new URL(base).hostname}`,
	description: 'Its Allowed Domains do not include the host of its own Base URL. Add the host there.',
	cause: 'configuration-invalid',
});

/** What to do about a redirect that was not followed. */
const REDIRECTED: Partial<Record<NonNullable<Request['accepts']>, string>> = {
	page: 'The page is at another host. Turn on Pages of Other Hosts to get it from there.',
	foreignPage:
		'The credential is not allowed for the host of the page: see its Allowed HTTP Request Domains.',
};

export function redirection(answer: Answer, { accepts = 'json' }: Request): ApiFailure {
	const { location } = answer.headers;
	const target =
		typeof location === 'string' && URL.canParse(location) ? new URL(location).origin : undefined;
	return {
		message: `The service redirects elsewhere${target ? `: to ${target}` : ''}`,
		description:
			REDIRECTED[accepts] ??
			'The credential is not sent to another address. Enter the address it leads to as the Base URL of the credential.',
		cause: 'configuration-invalid',
	};
}

/** The rate limit opens only after the request's patience ends. */
export function tooLong(service: string, opensAt: number, now: number, maxWaitMs: number): ApiFailure {
	const seconds = Math.max(Math.ceil((opensAt - now) / 1000), 1);
	return {
		message: `The rate limit of ${service} is used up: try again after ${new Date(opensAt).toISOString()} (in ${seconds} s)`,
		description: `That is longer than the Maximum Wait of ${Math.round(maxWaitMs / 1000)} s. Nothing was sent for this item.`,
		code: '429',
		cause: 'rate-limited',
		retryAfterMs: Math.max(opensAt - now, 0),
	};
}

const UNTRUSTED = 'its certificate is not trusted';

const NETWORK_REASONS: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'the host name is unknown',
	EAI_AGAIN: 'the host name could not be looked up',
	ECONNRESET: 'the connection was closed before an answer came',
	ECONNABORTED: 'no answer came in time',
	ETIMEDOUT: 'no answer came in time',
	LOGIN_UNAVAILABLE: 'it can log nobody in at the moment',
	UNREADABLE: 'the answer could not be read',
	EPROTO: 'it does not speak https there',
	ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https there',
	DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
	SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
	CERT_HAS_EXPIRED: 'its certificate has expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** No answer came. */
export const unreachable = (service: string, base: string, code: string): ApiFailure => ({
	message: `No answer from ${service} at ${new URL(base).host}: ${NETWORK_REASONS[code] ?? code}`,
	description: 'Check the Base URL of the credential and that the service runs.',
	code,
	cause: 'temporarily-unavailable',
});

/** An answer of which no more was read than its limit. */
export const tooLarge = (service: string, path: string, limit: number): ApiFailure => ({
	message: `${capitalized(service)} answered ${path} with more than ${limit / 2 ** 20} MB`,
	description: 'Nothing of the answer was used. Ask for less at once, for example with a lower limit.',
});

/** An answer that is none of the service's interface. */
export const unexpectedAnswer = (service: string, path: string, what: string): ApiFailure => ({
	message: `${capitalized(service)} answered ${path} with ${what}`,
	description:
		'This is not an answer of its interface. Check the Base URL of the credential, and whether something stands between (a proxy, a login page).',
	unclear: true,
});

/** What an answer that isn't the expected one looks like, in a few words. */
export function looksLike(answer: Answer): string {
	const status = `status ${answer.status}`;
	if (answer.text.trim() === '') return `an empty body (${status})`;
	if (/^\s*<(!doctype|html|\?xml|[a-z])/i.test(answer.text)) return `a web page instead of JSON (${status})`;
	if (answer.json !== undefined) return `JSON of another shape (${status})`;
	return /^\s*[[{]/.test(answer.text) ? `incomplete JSON (${status})` : `text instead of JSON (${status})`;
}

/** A login of which nothing came, in the words of what refused it. */
export const loginRefused = (service: string, words: string): ApiFailure => ({
	message: `The login to ${service} failed: ${words}`,
	description:
		'Check the credential: its user name and password, or reconnect it. The login is not tried again at once.',
	cause: 'credential-invalid',
});

/** A login that worked, after which the service still doesn't know the user. */
export const sessionNotKept = (service: string, request: Request): ApiFailure => ({
	message: `${capitalized(service)} does not accept the session for ${request.path}, though the login worked`,
	description:
		'Check the Base URL of the credential, whether the service accepts cookies at this address, or reconnect it. Nothing of the answer was used.',
	cause: 'credential-invalid',
});
