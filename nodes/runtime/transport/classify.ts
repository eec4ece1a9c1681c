import type { ApiRequest, ApiResponse, FailureDetails } from '../api-types';
import {
	ABORTED,
	CANCELLED,
	classOfStatus,
	exchangeIn,
	rateLimited,
	redirection,
	sessionNotKept,
	unreachable,
	wasNeverSent,
} from '../errors/messages';
import type { Reply } from './send';
import { isSafe } from './request';
import type { Service } from './service';
import { parseRetryAfter } from './window';

/** What one try returned: a response, the code (or else the message) of a network error, or why nothing was sent. */
export type Answer = ApiResponse | { code: string } | { notSent: FailureDetails };

/** Judges an answer: whether the request succeeded, and otherwise the class of its failure and whether it is in doubt. */
export function classify(service: Service, base: string, request: ApiRequest, answer: Answer): Reply {
	if ('notSent' in answer) return { failure: answer.notSent };
	const writes = !isSafe(request);
	if ('code' in answer) {
		const { code } = answer;
		const inDoubt = writes && !wasNeverSent(code);
		return { failure: { ...withoutResponse(service.name, base, code, inDoubt), code, inDoubt } };
	}
	const { status, headers, host } = answer;
	const failure = failureIn(service, base, request, answer);
	if (!failure) return { response: answer };
	const retryAfterMs = parseRetryAfter(headers);
	return {
		response: host === new URL(base).host ? answer : undefined,
		failure: {
			class: classOfStatus(status),
			code: String(status),
			exchange: exchangeIn(request, answer),
			...(retryAfterMs !== undefined && { retryAfterMs }),
			...failure,
			inDoubt: writes && (mayHaveActed(status) || failure.unclear === true),
		},
	};
}

function failureIn(
	service: Service,
	base: string,
	request: ApiRequest,
	response: ApiResponse,
): FailureDetails | undefined {
	const { status, host } = response;
	if (isRedirect(status))
		return service.redirected?.(response, request) ?? redirection(response, base, request);
	// A page of another host says nothing about the session or the rate limit.
	if (host !== new URL(base).host)
		return status < 300 ? undefined : { message: `${host} responded with status ${status}` };
	if (status === 429) return rateLimited(service.name);
	if (service.session?.expired(response, request)) return sessionNotKept(service.name);
	return service.errorIn(response, request);
}

/** Why there was no response. The advice to check the Base URL is left out if the request may have been carried out. */
function withoutResponse(name: string, base: string, code: string, inDoubt: boolean): FailureDetails {
	if (code === ABORTED) return CANCELLED;
	const { description, ...failure } = unreachable(name, base, code);
	return { ...failure, ...(!inDoubt && { description }) };
}

export const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

/**
 * Whether the service may have carried out a request with this response. A proxy or firewall can replace the response
 * after it passed on the request, so any response outside the service's interface (`unclear`) is in doubt, too.
 */
const mayHaveActed = (status: number): boolean => classOfStatus(status) !== 'refused' || isRedirect(status);
