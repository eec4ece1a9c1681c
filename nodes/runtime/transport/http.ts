import {
	getCredentialAllowedDomains,
	isDomainAllowed,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestMethods,
	type INode,
} from 'n8n-workflow';
import type { Headers } from '../api-types';
import {
	BLOCKED_BY_N8N,
	LOGIN_BANNED,
	LOGIN_REFUSED,
	LOGIN_TIMED_OUT,
	LOGIN_UNAVAILABLE,
	MAX_RESPONSE_BYTES,
	TIMED_OUT,
	TOO_LARGE,
	UNREADABLE,
} from '../errors/messages';
import { connectionOf, loginLimitOf, timeLimitOf, userAgent } from '../credential';
import { isRecord, parseJson, toText, within, withoutTooDeep } from '../values';
import { textOf } from './charset';
import { classify, isRedirect, type Answer } from './classify';
import { SAFE_METHODS, type Outgoing, type Send } from './pipeline';
import type { Encoded, NodeContext, Service } from './service';

/** Where requests go, and what n8n needs to send them. */
export interface Line {
	context: NodeContext;
	service: Service;
	/** The credential's type in n8n. */
	credentialType: string;
	/** The Base URL. */
	base: string;
	/** The time zone of the host's clock. */
	zone?: string;
}

const MAX_REDIRECTS = 5;

/** Sends a request once, and judges the answer. */
export function overHttp(line: Line): Send {
	return async (request) => classify(line.service, line.base, request, await transmit(line, request));
}

/**
 * Sends a request with its credential unless it is anonymous. Follows redirects within the service's origin; for
 * `foreignPage`, also to other hosts, without the credential. The credential's Timeout covers everything until the end of
 * the response's body; n8n's login before it adds its own limit.
 */
async function transmit(line: Line, request: Outgoing): Promise<Answer> {
	const { credential, method, logsIn = false } = request;
	const timeLimit = AbortSignal.timeout(timeLimitOf(credential) + (logsIn ? loginLimitOf(credential) : 0));
	const encoded = line.service.encode(request.body);
	const connection = connectionOf(credential);
	let url = `${line.base}${request.path}${queryString(request.query)}`;
	for (let hops = 0; ; hops += 1) {
		const options = { ...connection, ...encoded, method, url };
		const answer = await requestOnce(line, request.anonymous ? undefined : credential, options, timeLimit);
		const redirect = redirectIn(answer, url);
		if (!redirect || hops >= MAX_REDIRECTS) return answer;
		const isWithinOrigin = redirect.target.origin === new URL(url).origin;
		if (!isWithinOrigin || !keepsRequest(redirect.status, method)) {
			return request.accepts === 'foreignPage'
				? await followToOtherHosts(line, credential, answer, url, timeLimit)
				: answer;
		}
		url = redirect.target.href;
	}
}

/**
 * Follows redirects to other hosts, without the credential, and only to domains that the credential allows. Returns a
 * redirect to any other domain as it is.
 */
async function followToOtherHosts(
	line: Line,
	credential: ICredentialDataDecryptedObject,
	first: Answer,
	from: string,
	timeLimit: AbortSignal,
): Promise<Answer> {
	const { timeout } = connectionOf(credential);
	let answer = first;
	let url = from;
	for (let hops = 0; hops < MAX_REDIRECTS; hops += 1) {
		const redirect = redirectIn(answer, url);
		if (!redirect) return answer;
		url = redirect.target.href;
		if (!/^https?:/.test(url) || !mayReach(line.context.getNode(), url, credential)) return answer;
		answer = await requestOnce(line, undefined, { method: 'GET', url, headers: {}, timeout }, timeLimit);
	}
	return answer;
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
	{ context, credentialType, zone }: Line,
	credential: ICredentialDataDecryptedObject | undefined,
	{ headers, ...request }: { method: IHttpRequestMethods; url: string; timeout?: number } & Encoded,
	timeLimit: AbortSignal,
): Promise<Answer> {
	const options = { ...request, headers: { 'user-agent': userAgent(), ...headers }, ...FULL_RESPONSE };
	try {
		const response: Promise<unknown> = credential
			? context.helpers.httpRequestWithAuthentication.call(
					context as IExecuteFunctions,
					credentialType,
					options,
					{ credentialsDecrypted: { id: '', name: '', type: credentialType, data: credential } },
				)
			: context.helpers.httpRequest(options);
		const inTime = await within(timeLimit, response, () => {
			response.then(drop, () => undefined);
			return new Error(TIMED_OUT);
		});
		const answer = await answerFrom(inTime as FullResponse, request.url, timeLimit);
		return zone === undefined || 'code' in answer ? answer : { ...answer, zone };
	} catch (error) {
		return timeLimit.aborted ? { code: TIMED_OUT } : answerOfError(error);
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
async function answerFrom(
	{ statusCode: status, headers, body }: FullResponse,
	url: string,
	timeLimit: AbortSignal,
): Promise<Answer> {
	const bytes = await wholeBody(body, timeLimit);
	if (!Buffer.isBuffer(bytes)) return bytes;
	const text = textOf(bytes, headers['content-type']);
	const { host } = new URL(url);
	return { host, status, headers: { ...headers }, bytes, text, json: withoutTooDeep(parseJson(text)) };
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

/** The codes of failed logins, by what the credential's error says. */
const LOGIN_FAILURES: Record<string, string> = {
	refused: LOGIN_REFUSED,
	unavailable: LOGIN_UNAVAILABLE,
	timedOut: LOGIN_TIMED_OUT,
	banned: LOGIN_BANNED,
};

/** The answer to a request that threw. n8n wraps the credential's error for a failed login. */
function answerOfError(error: unknown): Answer {
	let code: string | undefined;
	for (let cause = error; isRecord(cause); cause = cause.cause) {
		const known = String(cause.name).startsWith('SsrfBlocked')
			? BLOCKED_BY_N8N
			: LOGIN_FAILURES[String(cause.login)];
		if (known) return { code: known, reason: String(cause.message), advice: toText(cause.description ?? '') };
		code ??= [cause.code, cause.httpCode].find(
			(known): known is string => typeof known === 'string' && known !== '',
		);
	}
	return { code: code ?? (error instanceof Error ? error.message : 'unknown') };
}

/** The redirect in an answer and where it leads; undefined for any other answer. */
function redirectIn(answer: Answer, from: string): { status: number; target: URL } | undefined {
	if ('code' in answer || !isRedirect(answer.status)) return undefined;
	const { location } = answer.headers;
	if (typeof location !== 'string' || !URL.canParse(location, from)) return undefined;
	const target = new URL(location, from);
	// A user and a password in the address would replace the credential.
	target.username = '';
	target.password = '';
	return { status: answer.status, target };
}

/** Whether a redirect with this status keeps the method and body of a request. Otherwise it would become a GET. */
const keepsRequest = (status: number, method: string): boolean =>
	SAFE_METHODS.has(method) || status === 307 || status === 308;
