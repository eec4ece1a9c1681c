import {
	getCredentialAllowedDomains,
	isDomainAllowed,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestMethods,
	type ILoadOptionsFunctions,
	type INode,
	type IPollFunctions,
} from 'n8n-workflow';
import type { ApiResponse, Headers, ApiRequest } from '../api-types';
import { LOGIN_TIMED_OUT, LOGIN_UNAVAILABLE, TIMED_OUT, TOO_LARGE, UNREADABLE } from '../errors/messages';
import { connectionOf, loginLimitOf, timeLimitOf, userAgent } from '../credential';
import { isRecord, parseJson, within, withoutTooDeep } from '../values';

export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * What came back for one request: a response, a network error, or the login's refusal. `Client` turns it into
 *
 *     Reply ─► CheckedReply ────► Verdict ─────────► Attempt
 *              after a check of   success, failure   the end
 *              the session        or retry
 */
export type Reply = { response: ApiResponse } | NetworkError | { refusedLogin: string };

/** The response in a reply; undefined if there was none. */
export const responseIn = (reply: Reply): ApiResponse | undefined =>
	'response' in reply ? reply.response : undefined;

export interface NetworkError {
	code: string;
	/** Why the login failed, as a sentence. */
	reason?: string;
}

export interface Encoded {
	headers: IDataObject;
	body?: string | FormData;
}

export interface Credential {
	type: string;
	data: ICredentialDataDecryptedObject;
}

const SAFE_METHODS = new Set<string>(['GET', 'HEAD']);
/** Whether a request changes nothing. */
export const isSafe = ({ method, safe = false }: ApiRequest): boolean => safe || SAFE_METHODS.has(method);

/** The maximum size of a response, after decompression. Useful lists are far smaller. */
export const MAX_RESPONSE_BYTES = 32 * 2 ** 20;
const MAX_REDIRECTS = 5;

/** A request, and what sending it takes. */
interface Transmission {
	base: string;
	request: ApiRequest;
	encoded: Encoded;
	credential: Credential;
	/** n8n logs in before it sends the request. */
	logsIn: boolean;
}

/**
 * Sends a request once, with its credential unless it is anonymous. Follows redirects within the service's origin; for
 * `foreignPage`, also to other hosts, without the credential. The credential's Timeout covers everything until the end of
 * the response's body; n8n's login before it adds its own limit.
 */
export async function transmit(
	context: NodeContext,
	{ base, request, encoded, credential, logsIn }: Transmission,
): Promise<Reply> {
	const timeLimit = AbortSignal.timeout(
		timeLimitOf(credential.data) + (logsIn ? loginLimitOf(credential.data) : 0),
	);
	const ownCredential = request.anonymous ? undefined : credential;
	const connection = connectionOf(credential.data);
	let url = `${base}${request.path}${queryString(request.query)}`;
	for (let hops = 0; ; hops += 1) {
		const options = { ...connection, ...encoded, method: request.method, url };
		const reply = await requestOnce(context, ownCredential, options, timeLimit);
		const redirect = redirectIn(reply, url);
		if (!redirect || hops >= MAX_REDIRECTS) return reply;
		const isWithinOrigin = redirect.target.origin === new URL(url).origin;
		if (!isWithinOrigin || !keepsRequest(redirect.status, request.method)) {
			return request.accepts === 'foreignPage'
				? await followToOtherHosts(context, credential, reply, url, timeLimit)
				: reply;
		}
		url = redirect.target.href;
	}
}

/**
 * Follows redirects to other hosts, without the credential, and only to domains that the credential allows. Returns a
 * redirect to any other domain as it is.
 */
async function followToOtherHosts(
	context: NodeContext,
	{ data }: Credential,
	first: Reply,
	from: string,
	timeLimit: AbortSignal,
): Promise<Reply> {
	const { timeout } = connectionOf(data);
	let reply = first;
	let url = from;
	for (let hops = 0; hops < MAX_REDIRECTS; hops += 1) {
		const redirect = redirectIn(reply, url);
		if (!redirect) return reply;
		url = redirect.target.href;
		if (!/^https?:/.test(url) || !mayReach(context.getNode(), url, data)) return reply;
		reply = await requestOnce(context, undefined, { method: 'GET', url, headers: {}, timeout }, timeLimit);
	}
	return reply;
}

/** Whether the credential's allowed domains include the host of a URL. */
export function mayReach(node: INode, url: string, credentialData: ICredentialDataDecryptedObject): boolean {
	if (credentialData.allowedHttpRequestDomains !== 'domains') return true;
	const allowedDomains = getCredentialAllowedDomains({ node, credentialData });
	return allowedDomains === undefined || isDomainAllowed({ url, allowedDomains });
}

/** What n8n's helpers return with `FULL_RESPONSE`. */
interface FullResponse {
	statusCode: number;
	headers: Headers;
	body: unknown;
}

/** Returns the response whatever its status, with its body as a stream. */
const FULL_RESPONSE = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

async function requestOnce(
	context: NodeContext,
	credential: Credential | undefined,
	{ headers, ...request }: { method: IHttpRequestMethods; url: string; timeout?: number } & Encoded,
	timeLimit: AbortSignal,
): Promise<Reply> {
	const options = { ...request, headers: { 'user-agent': userAgent(), ...headers }, ...FULL_RESPONSE };
	try {
		const response: Promise<unknown> = credential
			? context.helpers.httpRequestWithAuthentication.call(
					context as IExecuteFunctions,
					credential.type,
					options,
					{ credentialsDecrypted: { id: '', name: '', ...credential } },
				)
			: context.helpers.httpRequest(options);
		const inTime = await within(timeLimit, response, () => {
			response.then(drop, () => undefined);
			return new Error(TIMED_OUT);
		});
		return await replyFrom(inTime as FullResponse, request.url, timeLimit);
	} catch (error) {
		return timeLimit.aborted ? { code: TIMED_OUT } : replyOfError(error);
	}
}

/** Drops the body of a response that arrives after the time limit. */
function drop(response: unknown): void {
	if (isRecord(response) && isStream(response.body)) response.body.destroy();
}

/** A query string: lists repeat the name, undefined values are left out. */
export function queryString(query: Record<string, unknown> = {}): string {
	const encoded = encodeForm(query).toString();
	return encoded === '' ? '' : `?${encoded}`;
}

/** A form-encoded body: lists repeat the name, undefined values are left out. */
export function encodeForm(values: Record<string, unknown>): URLSearchParams {
	const encoded = new URLSearchParams();
	for (const [name, value] of Object.entries(values)) {
		for (const entry of Array.isArray(value) ? value : [value]) {
			if (entry === undefined) continue;
			encoded.append(name, typeof entry === 'object' ? JSON.stringify(entry) : String(entry));
		}
	}
	return encoded;
}

/** Reads a response within the limits of size and time. */
async function replyFrom(
	{ statusCode: status, headers, body }: FullResponse,
	url: string,
	timeLimit: AbortSignal,
): Promise<Reply> {
	const bytes = await wholeBody(body, timeLimit);
	if (!Buffer.isBuffer(bytes)) return bytes;
	const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
	const { host } = new URL(url);
	return {
		response: { host, status, headers: { ...headers }, bytes, text, json: withoutTooDeep(parseJson(text)) },
	};
}

/** A Node.js stream. */
type Stream = NodeJS.ReadableStream & { destroy(): void };

/** The bytes of a body, or why it could not be read. Closes the connection at a limit. */
async function wholeBody(body: unknown, timeLimit: AbortSignal): Promise<Buffer | { code: string }> {
	if (!isStream(body)) return Buffer.isBuffer(body) ? body : Buffer.from(String(body ?? ''));
	return await new Promise((resolve) => {
		const chunks: Buffer[] = [];
		let size = 0;
		body.on('data', (chunk: Buffer) => {
			size += chunk.length;
			chunks.push(chunk);
			if (size > MAX_RESPONSE_BYTES) giveUp(TOO_LARGE);
		});
		const giveUp = (code: string): void => {
			resolve({ code });
			body.destroy();
		};
		const stop = (): void => giveUp(TIMED_OUT);
		timeLimit.addEventListener('abort', stop);
		body.on('close', () => timeLimit.removeEventListener('abort', stop));
		body.on('end', () => resolve(Buffer.concat(chunks)));
		// ECONNRESET or ERR_…: the connection failed. Other codes are those of decompression.
		body.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
			resolve({ code: /^E[CR]/.test(code) ? code : UNREADABLE }),
		);
		// A body that is cut off may end with neither `end` nor `error`. After them, this has no effect.
		body.on('close', () => resolve({ code: UNREADABLE }));
	});
}

const isStream = (body: unknown): body is Stream => isRecord(body) && typeof body.on === 'function';

/** The reply to a request that threw. n8n wraps the credential's error for a failed login. */
function replyOfError(error: unknown): Reply {
	let code: string | undefined;
	for (let cause = error; isRecord(cause); cause = cause.cause) {
		const message = String(cause.message);
		if (cause.login === 'refused') return { refusedLogin: message };
		if (cause.login === 'unavailable') return { code: LOGIN_UNAVAILABLE, reason: message };
		if (cause.login === 'timedOut') return { code: LOGIN_TIMED_OUT, reason: message };
		code ??= [cause.code, cause.httpCode].find(
			(known): known is string => typeof known === 'string' && known !== '',
		);
	}
	return { code: code ?? (error instanceof Error ? error.message : 'unknown') };
}

export const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

/** The redirect in a reply and where it leads; undefined for any other reply. */
function redirectIn(reply: Reply, from: string): { status: number; target: URL } | undefined {
	const response = responseIn(reply);
	if (!response || !isRedirect(response.status)) return undefined;
	const { status, headers } = response;
	const { location } = headers;
	if (typeof location !== 'string' || !URL.canParse(location, from)) return undefined;
	return { status, target: new URL(location, from) };
}

/** Whether a redirect with this status keeps the method and body of a request. Otherwise it would become a GET. */
const keepsRequest = (status: number, method: string): boolean =>
	SAFE_METHODS.has(method) || status === 307 || status === 308;
