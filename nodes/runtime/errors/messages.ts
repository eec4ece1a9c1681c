import type { Answer, Request } from '../transport/http';
import type { ApiFailure } from './errors';

/** The sentences for what can go wrong between a node and its service, worded once. */

/** In the spelling by which n8n tells a cancelled execution from a failed one. */
export const CANCELLED: ApiFailure = {
	message: 'The execution was canceled',
	description: 'Nothing more was sent.',
};

export const noBaseUrl = (written: unknown): ApiFailure => ({
	message: `The Base URL of the credential is not a web address: "${String(written ?? '')}"`,
	description: 'Enter it with http:// or https://, for example https://links.example.com',
	cause: 'configuration-invalid',
});

export const forbiddenDomain = (base: string): ApiFailure => ({
	message: `The credential may not be used with ${new URL(base).hostname}`,
	description: 'Its Allowed Domains do not include the host of its own Base URL. Add the host there.',
	cause: 'configuration-invalid',
});

export function redirection(answer: Answer): ApiFailure {
	const { location } = answer.headers;
	const target =
		typeof location === 'string' && URL.canParse(location) ? new URL(location).origin : undefined;
	return {
		message: `The service redirects elsewhere${target ? `: to ${target}` : ''}`,
		description:
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

const NETWORK_REASONS: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'the host name is unknown',
	EAI_AGAIN: 'the host name could not be looked up',
	ECONNRESET: 'the connection was closed before an answer came',
	ECONNABORTED: 'no answer came in time',
	ETIMEDOUT: 'no answer came in time',
	LOGIN_UNAVAILABLE: 'it can log nobody in at the moment',
	ERR_CANCELED: 'the request was cancelled',
};

/** Said where nobody can know whether a request that changes something was carried out. */
export const MAY_BE_DONE =
	'The service may have done what was asked. Look there before you run this item again.';

/** No answer came; `harmless` tells that the service certainly did nothing that matters. */
export const unreachable = (service: string, base: string, code: string, harmless: boolean): ApiFailure => ({
	message: `No answer from ${service} at ${new URL(base).host}: ${NETWORK_REASONS[code] ?? code}`,
	description: harmless ? 'Check the Base URL of the credential and that the service runs.' : MAY_BE_DONE,
	code,
	cause: 'temporarily-unavailable',
});

/** An answer that is none of the service's interface. */
export const unexpectedAnswer = (service: string, path: string, what: string): ApiFailure => ({
	message: `${service.charAt(0).toUpperCase()}${service.slice(1)} answered ${path} with ${what}`,
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
	message: `${service.charAt(0).toUpperCase()}${service.slice(1)} does not accept the session for ${request.path}, though the login worked`,
	description:
		'Check the Base URL of the credential, whether the service accepts cookies at this address, or reconnect it. Nothing of the answer was used.',
	cause: 'credential-invalid',
});
