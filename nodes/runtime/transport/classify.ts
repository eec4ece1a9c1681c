import type { ApiRequest, ApiResponse, FailureClass } from '../api-types';
import { clock } from '../clock';
import type { FailureDetails } from '../errors/errors';
import {
	ABORTED,
	BLOCKED_BY_N8N,
	CANCELLED,
	LOGIN_BANNED,
	LOGIN_REFUSED,
	LOGIN_TIMED_OUT,
	LOGIN_UNAVAILABLE,
	loginRefused,
	loginUnavailable,
	rateLimited,
	redirection,
	responseTooLarge,
	sessionNotKept,
	TOO_LARGE,
	unreachable,
	wasNeverSent,
} from '../errors/messages';
import { isSafe, type Reply } from './pipeline';
import type { Service } from './service';
import { parseRetryAfter } from './window';

/** Why there was no response. */
export interface NetworkError {
	code: string;
	/** Why the login failed, or why n8n blocks the address, as a sentence; and what to do. */
	reason?: string;
	advice?: string;
}

/** What one try returned. */
export type Answer = ApiResponse | NetworkError;

/** Judges an answer: whether the request succeeded, and otherwise the class of its failure and whether it is in doubt. */
export function classify(service: Service, base: string, request: ApiRequest, answer: Answer): Reply {
	const writes = !isSafe(request);
	if ('code' in answer) {
		const { code } = answer;
		const inDoubt = writes && !wasNeverSent(code);
		return { failure: { ...withoutResponse(service.name, base, request, answer, inDoubt), code, inDoubt } };
	}
	const { status, headers } = answer;
	const failure = failureIn(service, request, answer);
	if (!failure) return { response: answer };
	const retryAfterMs = parseRetryAfter(headers, clock.now());
	return {
		response: answer,
		failure: {
			class: classOfStatus(status),
			code: String(status),
			exchange: `${request.method} ${request.path} (status ${status})`,
			...(retryAfterMs !== undefined && { retryAfterMs: Math.max(retryAfterMs, 0) }),
			...failure,
			inDoubt: writes && (mayHaveActed(status) || failure.unclear === true),
		},
	};
}

/** Why a response is no success. */
function failureIn(service: Service, request: ApiRequest, response: ApiResponse): FailureDetails | undefined {
	const { status } = response;
	if (status === TOO_MANY_REQUESTS) return rateLimited(service.name);
	if (isRedirect(status)) return service.redirected?.(response, request) ?? redirection(response, request);
	if (service.session?.expired(response, request)) return sessionNotKept(service.name, request);
	return service.errorIn(response, request);
}

/** Why there was no response. The advice to check the Base URL is left out if the request may have been carried out. */
function withoutResponse(
	name: string,
	base: string,
	{ path }: ApiRequest,
	{ code, reason = '', advice = '' }: NetworkError,
	inDoubt: boolean,
): FailureDetails {
	switch (code) {
		case ABORTED:
			return CANCELLED;
		case TOO_LARGE:
			return responseTooLarge(name, path);
		case BLOCKED_BY_N8N:
			return { message: reason, description: advice, class: 'misconfigured' };
		case LOGIN_BANNED:
			return { message: reason, description: advice, class: 'banned' };
		case LOGIN_REFUSED:
			return loginRefused(name, reason);
		case LOGIN_UNAVAILABLE:
		case LOGIN_TIMED_OUT:
			return loginUnavailable(name, reason);
		default: {
			const { description, ...failure } = unreachable(name, base, code);
			return { ...failure, ...(!inDoubt && { description }) };
		}
	}
}

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;

export const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

/**
 * Whether the service may have carried out a request with this response. A proxy or firewall can replace the response
 * after it passed on the request, so any response outside the service's interface (`unclear`) is in doubt, too.
 */
const mayHaveActed = (status: number): boolean =>
	status >= 500 || status === REQUEST_TIMEOUT || isRedirect(status);

function classOfStatus(status: number): FailureClass {
	if (status === 500) return 'failed';
	return status > 500 || status === REQUEST_TIMEOUT ? 'unavailable' : 'refused';
}
