import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import type { ApiResponse, ApiRequest, FailureClass } from '../api-types';
import { clock } from '../clock';
import type { FailureDetails } from '../errors/errors';
import type { Member } from '../errors/secrets';
import {
	ABORTED,
	CANCELLED,
	LOGIN_TIMED_OUT,
	LOGIN_UNAVAILABLE,
	TIMED_OUT,
	TOO_LARGE,
	loginRefused,
	loginUnavailable,
	redirection,
	responseTooLarge,
	sessionNotKept,
	unreachable,
} from '../errors/messages';
import type { Inputs, Table } from '../table/operation';
import type { Renewal } from './session';
import {
	isRedirect,
	isSafe,
	MAX_RESPONSE_BYTES,
	responseIn,
	type Encoded,
	type NodeContext,
	type NetworkError,
	type Reply,
} from './http';
import type { UnreportedLimit } from './throttle';
import { parseRetryAfter } from './window';

/** A limit that the service doesn't report in headers, and that several paths share. */
export interface Counter {
	name: string;
	withinMs: number;
	/**
	 * For each path, the number of requests to any of these paths after which it is refused. A path that ends with `/`
	 * includes all paths below it.
	 */
	limits: Record<string, number>;
}

/** The unreported limit of a path, and the counter it belongs to. */
export function limitOf(
	{ counters = [] }: Service,
	path: string,
): (UnreportedLimit & { counter: string }) | undefined {
	for (const { name, withinMs, limits } of counters) {
		const key =
			path in limits
				? path
				: Object.keys(limits).find((prefix) => prefix.endsWith('/') && path.startsWith(prefix));
		if (key !== undefined) return { counter: name, withinMs, count: limits[key]! };
	}
	return undefined;
}

/** One service: its operations, and the rules for its requests and responses. */
export interface Service {
	/** The service's name in a sentence: "the link management service". */
	name: string;
	/** Its operations, by resource. */
	table: Table;
	/** Set if concurrent writes can undo each other: then an account's writes run one at a time. */
	writesOneAtATime?: true;
	credentialType(node: INode): string;
	/** The texts of a credential that must not appear in messages. */
	secrets(credential: ICredentialDataDecryptedObject): string[];
	/** The limits that the service doesn't report. */
	counters?: Counter[];
	/** Why a request must not be sent with this credential. */
	rejects?(request: ApiRequest, credential: ICredentialDataDecryptedObject): FailureDetails | undefined;
	/** Distinguishes the account of a credential from others on the same host. */
	identity(credential: ICredentialDataDecryptedObject, node: INode): string[];
	/** The time zone of the host's clock, from the credential; for hosts whose dates have no zone. */
	zone?(credential: ICredentialDataDecryptedObject): string | undefined;
	/** Headers and body of a request. */
	encode(body: Record<string, unknown> | undefined): Encoded;
	/** Whether a member of a record holds a secret of the account. `params` are those of the row. */
	isSecretMember?(member: Member, params: Inputs['params']): boolean;
	/** Why a response is a failure; undefined if it is a success. */
	errorIn(response: ApiResponse, request: ApiRequest): FailureDetails | undefined;
	/** The user whose data a response contains; undefined if it doesn't say. */
	user?(response: ApiResponse): string | undefined;
	/** For credentials with a session that expires. */
	session?: SessionRules;
}

/** How to recognize that a session has expired, and how to renew it. */
export interface SessionRules {
	expired(response: ApiResponse, request: ApiRequest): boolean;
	renewal(context: NodeContext, credentialType: string): Renewal;
	/** Whether a response doesn't show whose data it contains. Then `sessionCheck` is sent, whose response does. */
	needsSessionCheck(response: ApiResponse, request: ApiRequest): boolean;
	sessionCheck: ApiRequest;
}

/** The `Reply` that decides about a request: its own, or that of a check of its session. */
export interface CheckedReply {
	request: ApiRequest;
	reply: Reply;
	/** The request to which `reply` belongs: `request` itself, or the check of its session. */
	repliedTo: ApiRequest;
	/** The first reply to `request`, if `reply` is another one. */
	firstReply?: Reply;
}

/** The successful response to a request, or why it failed. `base` is the Base URL. */
export function resultOf(
	service: Service,
	{ request, reply, repliedTo }: CheckedReply,
	base: string,
): { response: ApiResponse } | { failure: FailureDetails } {
	const { name } = service;
	if ('refusedLogin' in reply) return { failure: loginRefused(name, reply.refusedLogin) };
	const writes = !isSafe(request);
	if ('code' in reply) {
		const inDoubt = writes && !wasNeverSent(reply.code);
		return { failure: { ...networkFailure(name, reply, repliedTo.path, base, inDoubt), inDoubt } };
	}
	const { response } = reply;
	const failure =
		(isRedirect(response.status) ? redirection(response, repliedTo) : undefined) ??
		(isExpired(service, reply, repliedTo) ? sessionNotKept(name, repliedTo) : undefined) ??
		service.errorIn(response, repliedTo);
	if (!failure) return { response };
	const inDoubt = writes && mayHaveActed(response, failure);
	return {
		failure: { class: classOfStatus(response.status), code: String(response.status), ...failure, inDoubt },
	};
}

/** Whether the first of two replies left the request in doubt. */
export function wasInDoubt(service: Service, { request, firstReply }: CheckedReply, base: string): boolean {
	if (!firstReply) return false;
	const result = resultOf(service, { request, reply: firstReply, repliedTo: request }, base);
	return 'failure' in result && result.failure.inDoubt === true;
}

/** Why there was no response. The advice to check the Base URL is left out if the request may have been carried out. */
function networkFailure(
	name: string,
	{ code, reason }: NetworkError,
	path: string,
	base: string,
	inDoubt: boolean,
): FailureDetails {
	if (code === ABORTED) return CANCELLED;
	if (code === TOO_LARGE) return responseTooLarge(name, path, MAX_RESPONSE_BYTES);
	if (reason) return loginUnavailable(name, reason);
	const { description, ...failure } = unreachable(name, base, code);
	return { ...failure, ...(!inDoubt && { description }) };
}

/** Whether a reply says that the session has expired. */
export function isExpired({ session }: Service, reply: Reply, request: ApiRequest): boolean {
	const response = responseIn(reply);
	return response !== undefined && session?.expired(response, request) === true;
}

/** Codes after which nothing was sent: there was no connection, or no login. */
const NEVER_SENT = new Set([
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
	...[LOGIN_UNAVAILABLE, LOGIN_TIMED_OUT],
]);
/** Statuses of failures that may be temporary. */
const TEMPORARY_FAILURES = new Set([500, 502, 503, 504]);
const REQUEST_TIMEOUT = 408;

const wasNeverSent = (code: string): boolean => NEVER_SENT.has(code);

/**
 * Whether the service may have carried out an unconfirmed request. A proxy or firewall can replace the response after
 * it passed on the request, so any response outside the service's interface is in doubt.
 */
const mayHaveActed = ({ status }: ApiResponse, { unclear = false }: FailureDetails): boolean =>
	status >= 500 || status === REQUEST_TIMEOUT || isRedirect(status) || unclear;

function classOfStatus(status: number): FailureClass {
	if (status === 500) return 'failed';
	return status > 500 || status === REQUEST_TIMEOUT ? 'unavailable' : 'refused';
}

/** Whether sending the request twice has the same effect as sending it once. */
export const isIdempotent = (request: ApiRequest): boolean => isSafe(request) || request.idempotent === true;

/** Codes after which a retry would fail, too, or is not wanted. */
const FINAL_CODES = new Set([TOO_LARGE, ABORTED, TIMED_OUT, LOGIN_TIMED_OUT]);

/** Whether a failed request may be retried: it was never sent, or sending it twice has the same effect. */
export function isRetryable(request: ApiRequest, reply: Reply): boolean {
	const isHarmless = isIdempotent(request);
	if ('refusedLogin' in reply) return false;
	if ('code' in reply) return !FINAL_CODES.has(reply.code) && (isHarmless || wasNeverSent(reply.code));
	return isHarmless && TEMPORARY_FAILURES.has(reply.response.status);
}

/** The wait that the service asks for, in milliseconds. */
export function retryAfterOf(reply: Reply): number | undefined {
	const wait = parseRetryAfter(responseIn(reply)?.headers ?? {}, clock.now());
	return wait === undefined ? undefined : Math.max(wait, 0);
}
